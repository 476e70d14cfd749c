"""Pictures of sweeps: loss against width with what is certified, and the growth of weights along the path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.show.plots import figure_of, save

if TYPE_CHECKING:
    from rankproof.train.classify import Cell
    from rankproof.train.confront import Known
    from rankproof.train.plan import Plan

COLOURS = {"tied": "#0072b2", "untied": "#d55e00"}
_MARKERS = {"exact": "o", "border-like": "D", "plateau": "s", "unclear": "x"}

LEAST = 1e-33
"""Losses below are drawn here: zero has no place on a logarithmic axis."""


def sweep_picture(plan: Plan, cells: Sequence[Cell], known: Sequence[Known], zero: float, path: Path) -> None:
    """Draw loss against width on the left and weight growth on the right, and write the picture.

    Parameters
    ----------
    plan, cells, known
        The sweep and what is certified; losses in cells are relative.
    zero
        Loss of the zero function.
    path
        Its ending chooses the format: .png, .pdf, .svg.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or does not know the format.
    """
    figure: Any = figure_of(11, 4)
    left, right = figure.subplots(1, 2)
    loss_against_width(left, cells, known, zero)
    weight_growth(right, cells, zero)
    figure.suptitle(f"{plan.target.text}, {plan.activation} units")
    save(figure, path)


def loss_against_width(axis: Any, cells: Sequence[Cell], known: Sequence[Known], zero: float) -> Any:
    """Least loss of each width; lines at certified exact width, border width and floors. Returns the axes."""
    for units in dict.fromkeys(cell.units for cell in cells):
        own = [cell for cell in cells if cell.units == units]
        colour = COLOURS[units]
        axis.plot(
            [c.width for c in own], [max(c.loss * zero, LEAST) for c in own], color=colour, lw=1.2, zorder=2
        )
        for cell in own:
            axis.plot(
                cell.width,
                max(cell.loss * zero, LEAST),
                marker=_MARKERS[cell.kind],
                color=colour,
                zorder=3,
                ls="",
            )
    for own in known:
        colour = COLOURS[own.units]
        if own.lower == own.upper:
            axis.axvline(own.lower, color=colour, lw=1.2, ls="--", zorder=1)
        if own.border_lower == own.border_upper and own.border_lower != own.lower:
            axis.axvline(own.border_lower, color=colour, lw=1.2, ls=":", zorder=1)
        for width, floor in own.floors.items():
            axis.plot(
                [width - 0.35, width + 0.35], [float(floor)] * 2, color=colour, lw=2.5, alpha=0.5, zorder=1
            )
    axis.set_yscale("log")
    axis.set_ylim(LEAST / 3, 10 * zero)
    axis.set_xticks(sorted({cell.width for cell in cells}))
    axis.set_xlabel("width")
    axis.set_ylabel("least loss")
    _legend(axis, cells, known)
    return axis


def weight_growth(axis: Any, cells: Sequence[Cell], zero: float) -> Any:
    """Largest unit against loss along the path of a vanishing penalty, for the best run of each width. Returns the axes."""
    for cell in cells:
        rows = [row for row in cell.best.path if row[0] > 0] or cell.best.history
        if not rows:
            continue
        losses, sizes = [max(row[1] * zero, LEAST) for row in rows], [row[2] for row in rows]
        style = {"exact": "-", "border-like": "--", "plateau": ":", "unclear": "-."}[cell.kind]
        axis.plot(losses, sizes, color=COLOURS[cell.units], ls=style, lw=1.2)
        axis.annotate(str(cell.width), (losses[-1], sizes[-1]), color=COLOURS[cell.units], fontsize=8)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.invert_xaxis()
    axis.set_xlabel("loss along the path (penalty vanishes to the right)")
    axis.set_ylabel("largest unit / norm of the target")
    axis.set_title("- bounded   -- grows as the loss falls   ... loss stays", fontsize=9)
    return axis


def _legend(axis: Any, cells: Sequence[Cell], known: Sequence[Known]) -> None:
    for units in dict.fromkeys(cell.units for cell in cells):
        axis.plot([], [], color=COLOURS[units], label=units)
    for kind in dict.fromkeys(cell.kind for cell in cells):
        axis.plot([], [], color="0.3", marker=_MARKERS[kind], ls="", label=kind)
    if any(own.lower == own.upper for own in known):
        axis.plot([], [], color="0.3", ls="--", label="certified width")
    if any(own.border_lower == own.border_upper != own.lower for own in known):
        axis.plot([], [], color="0.3", ls=":", label="certified border width")
    if any(own.floors for own in known):
        axis.plot([], [], color="0.3", lw=2.5, alpha=0.5, label="certified floor")
    axis.legend(frameon=False, fontsize=8)


__all__ = ["COLOURS", "LEAST", "loss_against_width", "sweep_picture", "weight_growth"]
