"""A sweep as a person reads it: the table of widths, what it says, and comparisons at equal cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rankproof.show.answers import labelled, target_line
from rankproof.show.quantities import interval, plural
from rankproof.train.classify import border_width, exact_width

if TYPE_CHECKING:
    from rankproof.train.classify import Cell
    from rankproof.train.confront import Known, Matched
    from rankproof.train.plan import Plan

_OPTIMIZERS = {"lm": "Levenberg-Marquardt", "lbfgs": "L-BFGS", "adam": "Adam"}


def table(
    plan: Plan, cells: Sequence[Cell], known: Sequence[Known], zero: float, note: str = ""
) -> RenderableType:
    """The target, one line a kind of unit and width, and what is certified beside what was found."""
    seeds = f"{plural(plan.seeds, 'seed')} from {plan.first_seed}"
    how = f"{plan.activation} units, {_OPTIMIZERS[plan.optimizer]}, {plural(plan.steps, 'step')}, {seeds}"
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    grid.add_column("units", no_wrap=True)
    for column in ("width", "trained", "best loss", "floor", "largest", "solved"):
        grid.add_column(column, justify="right", no_wrap=True)
    grid.add_column("looks", no_wrap=True)
    floors = {(own.units, width): floor for own in known for width, floor in own.floors.items()}
    for cell in cells:
        floor = floors.get((cell.units, cell.width))
        grid.add_row(
            cell.units,
            str(cell.width),
            _loss(cell.trained * zero),
            _loss(cell.loss * zero),
            "" if floor is None else str(floor) if len(str(floor)) < 9 else f"{float(floor):.4g}",
            f"{cell.size:.1f}",
            f"{cell.solved}/{cell.runs}",
            cell.kind,
        )
    lines = [
        target_line(plan.target, note),
        labelled("training", Text(how)),
        labelled("loss", Text(f"{_measure(plan)}; the zero function has {_loss(zero)}")),
        Text(),
        grid,
        Text(),
    ]
    return Group(*lines, *(_verdict(cells, own) for own in known))


def _measure(plan: Plan) -> str:
    if plan.loss == "frobenius":
        return "squared Bombieri norm of the difference"
    over = {
        "gaussian": "x ~ N(0, I)",
        "uniform": "x uniform on [-1, 1]^n",
        "rademacher": "x uniform on {-1, 1}^n",
        "sphere": "x uniform on the unit sphere",
    }[plan.loss]
    return f"E|f - g|^2 for {over}"


def _loss(value: float) -> str:
    return f"{value:.3g}" if value == 0 or value >= 1e-3 else f"{value:.1e}"


def _verdict(cells: Sequence[Cell], known: Known) -> RenderableType:
    """Widths found by training beside those that are certified."""
    exact, close = exact_width(cells, known.units), border_width(cells, known.units)
    greatest = max(cell.width for cell in cells if cell.units == known.units)
    found = f"exact from width {exact}" if exact is not None else f"not exact up to width {greatest}"
    if close is not None and (exact is None or close < exact):
        found += f", approached from width {close}"
    proved = f"certified over RR: exact width {interval(known.lower, known.upper)}"
    proved += f", border width {interval(known.border_lower, known.border_upper)}"
    return labelled(known.units, Text(f"{found}; {proved}"))


def matched_table(rows: Sequence[Matched], zero: float) -> RenderableType:
    """Tied against untied units at equal cost; ``zero`` is the loss of the zero function."""
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for column in ("equal", "untied width", "loss", "tied width", "loss", "less loss"):
        grid.add_column(column, justify="left" if column in ("equal", "less loss") else "right", no_wrap=True)
    for row in rows:
        grid.add_row(
            row.by,
            str(row.untied),
            _cell(row.untied_loss, zero),
            str(row.tied),
            _cell(row.tied_loss, zero),
            _winner(row),
        )
    return grid


def _cell(loss: float | None, zero: float) -> str:
    return "not trained" if loss is None else _loss(loss * zero)


def _winner(row: Matched) -> str:
    from rankproof.train.classify import EXACT

    if row.tied_loss is None or row.untied_loss is None:
        return ""
    tied, untied = max(row.tied_loss, EXACT), max(row.untied_loss, EXACT)
    if tied == untied or 0.99 < tied / untied < 1.01:
        return "equal"
    return "tied" if tied < untied else "untied"


__all__ = ["matched_table", "table"]
