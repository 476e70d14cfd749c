"""Reports of ``rankproof probe`` as pictures, one for every part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rankproof.show.plots import figure_of, save

Report = Mapping[str, Any]

_BLUE, _ORANGE, _GREEN, _GREY = "#0072b2", "#d55e00", "#009e73", "0.5"


def pictures(report: Report, folder: Path) -> list[Path]:
    """Draw every part of a report that can be drawn.

    Parameters
    ----------
    report
        As `rankproof probe --json` prints it.
    folder
        Where ``linearity.png`` and so on go.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    drawn = []
    for name, draw in _DRAWN.items():
        if name in report:
            figure = draw(report[name])
            figure.suptitle(report["model"]["name"])
            drawn.append(folder / f"{name}.png")
            save(figure, drawn[-1])
    return drawn


def _linearity(blocks: Sequence[Report]) -> Any:
    """R^2 by block on the left; against the units kept in the middle; against the rows fitted on the right."""
    figure: Any = figure_of(11, 3.5)
    by_block, by_units, by_rows = figure.subplots(1, 3, width_ratios=(2, 1, 1))
    numbers = [row["block"] for row in blocks]
    even = [row for row in blocks if "absent" not in row["even"]]
    by_block.plot(numbers, [row["r2"] for row in blocks], "o-", color=_BLUE, label="affine")
    if even:
        own = [row["block"] for row in even]
        by_block.plot(
            own, [row["even"]["r2"] for row in even], "s-", color=_ORANGE, label="affine + even part"
        )
    cut = [row for row in even if row["even"]["truncated"]]
    if cut:
        first = [row["even"]["truncated"][0] for row in cut]
        label = f"affine + {first[0]['units']} units of it"
        by_block.plot(
            [row["block"] for row in cut], [t["r2"] for t in first], "x:", color=_GREEN, label=label
        )
    constant = [row["constant_r2_scalar_mean"] for row in blocks]
    by_block.plot(numbers, constant, ".--", color=_GREY, label="constant (one mean for all)")
    by_block.set_xlabel("block")
    by_block.set_ylabel("R² on held-out text")
    by_block.legend(
        frameon=False, fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, columnspacing=1
    )
    for row in cut:
        points = [(t["units"], t["r2"]) for t in row["even"]["truncated"]]
        points.append((row["even"]["units"], row["even"]["r2"]))
        by_units.plot(*zip(*points, strict=True), lw=0.8, color=_depth(row["block"], numbers))
    by_units.set_xscale("log", base=2)
    by_units.set_xlabel("units kept of the even part")
    for row in blocks:
        points = [(p["rows"], p["r2"]) for p in row["curve"]]
        if points:
            by_rows.plot(*zip(*points, strict=True), lw=0.8, color=_depth(row["block"], numbers))
    by_rows.set_xlabel("rows fitted (affine)")
    by_rows.set_title("early blocks dark, late ones light", fontsize=8)
    for axis in (by_block, by_units, by_rows):
        axis.set_ylim(min(-0.05, max(-1.0, min(row["r2"] for row in blocks))), 1.02)
    return figure


def _depth(block: int, numbers: Sequence[int]) -> tuple[float, float, float]:
    share = numbers.index(block) / max(1, len(numbers) - 1)
    return (0.05 + 0.85 * share, 0.15 + 0.55 * share, 0.45 - 0.25 * share)


def _bilinear(blocks: Sequence[Report]) -> Any:
    figure: Any = figure_of(8, 4)
    axis = figure.subplots()
    numbers, units = [row["block"] for row in blocks], blocks[0]["units"]
    axis.plot(numbers, [row["r2_affine"] for row in blocks], "o-", color=_GREY, label="affine")
    series = (
        ("tied", _BLUE, f"{units} tied"),
        ("untied", _ORANGE, f"{units} untied"),
        ("tied_projections", _GREEN, f"{2 * units} tied"),
    )
    for name, colour, label in series:
        axis.plot(numbers, [row[name]["trained"] for row in blocks], "x-", lw=0.9, color=colour, label=label)
    axis.set_xlabel("block")
    axis.set_ylabel("R² on held-out text")
    axis.legend(frameon=False, fontsize=8)
    return figure


def _gates(found: Report) -> Any:
    """Cost of one affine block, and of a gated one, with intervals."""
    figure: Any = figure_of(11, 4)
    alone, together = figure.subplots(1, 2, width_ratios=(2, 1))
    linear = [(row["block"], row) for row in found["linear"]]
    _with_intervals(alone, linear, _BLUE, "affine")
    _with_intervals(alone, [(row["block"] + 0.3, row["gated"]) for row in found["gates"]], _ORANGE, "gated")
    alone.set_xlabel("block")
    counted = [(len(row["blocks"]), row) for row in found["together"]]
    for name, colour, label in (("linear", _BLUE, "affine"), ("gated", _ORANGE, "gated")):
        _with_intervals(together, [(count, row[name]) for count, row in counted], colour, label)
    together.set_xlabel("blocks replaced at once")
    for axis in (alone, together):
        axis.axhline(0, color=_GREY, lw=0.8)
        axis.set_yscale("symlog", linthresh=10)
        axis.set_ylabel("cost in perplexity, %")
        axis.legend(frameon=False, fontsize=8)
    return figure


def _progressive(found: Report) -> Any:
    figure: Any = figure_of(7, 4)
    axis = figure.subplots()
    stages = list(enumerate(found["stages"], start=1))
    series = (
        ("before_training", _GREY, "linearised, not trained since"),
        ("trained", _BLUE, "linearised and trained"),
        ("control", _ORANGE, "trained only"),
    )
    for name, colour, label in series:
        _with_intervals(axis, [(number, stage[name]) for number, stage in stages], colour, label, "o-")
    for name, marker in (("soft", "D"), ("hard", "s")):
        phase = [(len(stages) + 0.3, found["two_phase"][name])]
        _with_intervals(axis, phase, _GREEN, f"{name} gates, second phase", marker)
    axis.axhline(0, color=_GREY, lw=0.8)
    axis.set_yscale("symlog", linthresh=30)
    axis.set_xticks([number for number, _ in stages])
    axis.set_xlabel("blocks linearised, or as many rounds of training")
    axis.set_ylabel("change of perplexity, %")
    axis.legend(frameon=False, fontsize=8, loc="center right")
    return figure


def _with_intervals(
    axis: Any, points: Sequence[tuple[float, Report]], colour: str, label: str, style: str = "o"
) -> None:
    values = [row["percent"] for _, row in points]
    below = [row["percent"] - row["interval"][0] for _, row in points]
    above = [row["interval"][1] - row["percent"] for _, row in points]
    axis.errorbar(
        [x for x, _ in points], values, yerr=[below, above], fmt=style, ms=4, lw=1, color=colour, label=label
    )


_DRAWN: Mapping[str, Callable[[Any], Any]] = {
    "linearity": _linearity,
    "bilinear": _bilinear,
    "gates": _gates,
    "progressive": _progressive,
}
