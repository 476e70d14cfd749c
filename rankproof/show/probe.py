"""Reports of ``rankproof probe`` as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rankproof.show.answers import labelled

Report = Mapping[str, Any]


def tables(report: Report) -> RenderableType:
    """One table for every part of a report.

    Parameters
    ----------
    report
        As `rankproof probe --json` prints it.
    """
    model, base = report["model"], report["perplexity"]
    low, high = base["interval"]
    rows = report["plan"]["resampled"]
    lines = [
        labelled(
            "model", Text(f"{model['name']}   {model['blocks']} blocks, sha256 {model['sha256'][:8]}...")
        ),
        labelled(
            "perplexity",
            Text(
                f"{base['perplexity']:.1f} ({low:.1f} to {high:.1f}) on {base['tokens']} tokens;"
                f" intervals are 95%, resampling {base['documents']} {rows}s"
            ),
        ),
    ]
    parts = {
        "linearity": _linearity,
        "bilinear": _bilinear,
        "gates": _gates,
        "progressive": _progressive,
    }
    for name, part in parts.items():
        if name in report:
            lines += [Text(), *part(report[name])]
    return Group(*lines, Text())


def _grid(*columns: str) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for column in columns:
        grid.add_column(column, justify="right", no_wrap=True)
    return grid


def _linearity(blocks: list[Report]) -> Iterator[RenderableType]:
    yield Text("R^2 on held-out text, every output about its own mean")
    kept = max((t["units"] for row in blocks for t in _even(row).get("truncated", [])[:1]), default=None)
    few = [] if kept is None else [f"+{kept} units"]
    grid = _grid("block", "affine", "folds", "quiet", "+even", *few, "identity", "constant", "(scalar)")
    for row in blocks:
        even, folds = _even(row), row["folds"]
        cells = [
            str(row["block"]),
            _r2(row["r2"]),
            f"{_r2(folds['mean'])}±{folds['sd']:.2f}",
            _r2(row["r2_ex_massive"]),
            _r2(even.get("r2")),
            *[_r2(even["truncated"][0]["r2"]) if even.get("truncated") else "" for _ in few],
            f"{even['identity_error']:.0e}" if even else "",
            _r2(row["constant_r2"]),
            _r2(row["constant_r2_scalar_mean"]),
        ]
        grid.add_row(*cells)
    yield grid
    for why in dict.fromkeys(row["even"]["absent"] for row in blocks if "absent" in row["even"]):
        yield Text(f"no bilinear even part: {why}")


def _even(row: Report) -> dict[str, Any]:
    return {} if "absent" in row["even"] else row["even"]


def _bilinear(blocks: list[Report]) -> Iterator[RenderableType]:
    units = blocks[0]["units"]
    yield Text(f"R^2 of an affine map plus {units} units on held-out text: closed form / trained")
    grid = _grid("block", "affine", "tied", "untied", f"{2 * units} tied", "own")
    for row in blocks:
        both = [
            f"{_r2(row[name]['closed'])} / {_r2(row[name]['trained'])}"
            for name in ("tied", "untied", "tied_projections")
        ]
        grid.add_row(str(row["block"]), _r2(row["r2_affine"]), *both, _r2(row.get("own")))
    yield grid


def _gates(found: Report) -> Iterator[RenderableType]:
    tokens = found["tokens"]["measure"]
    yield Text(f"cost in perplexity of one affine block, in per cent, paired over {tokens} tokens")
    gates = {row["block"]: row for row in found["gates"]}
    grid = _grid("block", "affine", "share", "AUC", "gated", "gated/shifted")
    for row in found["linear"]:
        gate = gates.get(row["block"])
        cells = ["", "", "", ""]
        if gate is not None:
            area = "" if gate["auc"] is None else f"{gate['auc']:.2f}"
            costs = [_cost(gate[name]) for name in ("gated", "gated_against_shifted")]
            cells = [f"{gate['share']:.2f}", area, *costs]
        grid.add_row(str(row["block"]), _cost(row), *cells)
    yield grid
    yield Text()
    yield Text("several blocks at once, the cheapest first")
    grid = _grid("blocks", "affine", "gated")
    for row in found["together"]:
        grid.add_row(str(len(row["blocks"])), _cost(row["linear"]), _cost(row["gated"]))
    yield grid


def _progressive(found: Report) -> Iterator[RenderableType]:
    recipe = found["recipe"]
    yield Text(
        f"linearised one after another, {recipe['steps']} steps of {recipe['tokens']} tokens after each;"
    )
    yield Text("control: the same steps, nothing linearised; change of perplexity in per cent")
    grid = _grid("block", "untrained", "trained", "control")
    for stage in found["stages"]:
        costs = [_cost(stage[name]) for name in ("before_training", "trained", "control")]
        grid.add_row(f"+{stage['blocks'][-1]}", *costs)
    yield grid
    phases = found["two_phase"]
    for name in ("soft", "hard"):
        shares = phases[name]["share_of_block"].values()
        share = sum(shares) / len(shares)
        yield Text(f"{name} gates: {_cost(phases[name])}, open to the blocks {share:.0%}")


def _cost(row: Report) -> str:
    value, low, high = (_percent(number) for number in (row["percent"], *row["interval"]))
    return f"{value} [{low}, {high}]"


def _percent(value: float) -> str:
    return f"{value:+.1f}" if abs(value) < 100 else f"{value:+.0f}"


def _r2(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
