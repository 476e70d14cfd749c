"""Pictures of experiments: loss against width for many targets, and differences of arms with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rankproof.show.plots import figure_of, save
from rankproof.show.training_plots import COLOURS, loss_against_width

if TYPE_CHECKING:
    from rankproof.train.classify import Cell
    from rankproof.train.confront import Known
    from rankproof.train.plan import Plan

_COLUMNS = 4


def widths_picture(
    sweeps: Sequence[tuple[Plan, Sequence[Cell], Sequence[Known], float]], title: str, path: Path
) -> None:
    """Draw loss against width, one panel a target, with certified widths and floors.

    Parameters
    ----------
    sweeps
        Plan, cells, what is certified, and the loss of the zero function.
    title
        Above everything.
    path
        Its ending chooses the format.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or does not know the format.
    """
    columns = min(_COLUMNS, len(sweeps))
    rows = ceil(len(sweeps) / columns)
    figure: Any = figure_of(3.3 * columns, 2.9 * rows + 0.6)
    axes: Any = figure.subplots(rows, columns, squeeze=False)
    for place, (plan, cells, known, zero) in enumerate(sweeps):
        axis = axes[place // columns][place % columns]
        loss_against_width(axis, cells, known, zero)
        axis.set_title(fill(plan.target.text, 34), fontsize=9)
        if place % columns:
            axis.set_ylabel("")
    # One legend is enough: that of the panel with most to explain.
    legends = sorted(
        (axis.get_legend() for axis in axes.flat[: len(sweeps)]), key=lambda one: len(one.get_texts())
    )
    for legend in legends[:-1]:
        legend.remove()
    for place in range(len(sweeps), rows * columns):
        axes[place // columns][place % columns].set_visible(False)
    figure.suptitle(title)
    save(figure, path)


def differences_picture(result: Mapping[str, Any], title: str, unit: str, path: Path) -> None:
    """Draw, for every pair of arms and every equal cost, the difference of losses with its 95% interval.

    Parameters
    ----------
    result
        Of a gated experiment.
    title, unit
        Above everything; what a loss is measured in.
    path
        Its ending chooses the format.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or does not know the format.
    """
    by = list(dict.fromkeys(row["by"] for row in result["comparisons"]))
    figure: Any = figure_of(4.2 * len(by), 3.6)
    axes: Any = figure.subplots(1, len(by), squeeze=False, sharex=True)
    for place, cost in enumerate(by):
        axis = axes[0][place]
        rows = [row for row in result["comparisons"] if row["by"] == cost][::-1]
        for height, row in enumerate(rows):
            colour = {"open": "0.55"}.get(row["better"]) or COLOURS[row["better"]]
            half = row["half"] if row["half"] < float("inf") else 0.0
            axis.errorbar(row["difference"], height, xerr=half, color=colour, marker="o", capsize=3, lw=1.4)
        names = [f"{r['tied']} {r['tied_width']} - {r['untied']} {r['untied_width']}" for r in rows]
        axis.set_yticks(range(len(rows)), names, fontsize=8)
        axis.axvline(0, color="0.3", lw=0.8)
        axis.set_title(f"equal {cost}", fontsize=10)
        axis.set_xlabel(f"difference, {unit}\n(right of 0: two projections have less)", fontsize=8)
    figure.suptitle(title)
    save(figure, path)


__all__ = ["differences_picture", "widths_picture"]
