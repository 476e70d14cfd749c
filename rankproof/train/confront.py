"""Runs held against what is proved: certified widths and floors, contradictions, and comparisons at equal cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rankproof.train.activations import MATCHED, matched_width
from rankproof.train.classify import Cell
from rankproof.train.plan import Plan

_ROUNDING = 1e-9  # a loss in floating point may lie this much below a floor that it attains, relatively


@dataclass(frozen=True)
class Known:
    """What is certified about one kind of unit over RR.

    Attributes
    ----------
    units
        Which.
    lower, upper
        The exact width lies between; upper is None where nothing was found.
    border_lower, border_upper
        The same for the border width: below its lower end there is a positive floor.
    floors
        Width and loss that no block of the width can go below, where such a loss is certified.
    """

    units: str
    lower: int
    upper: int | None
    border_lower: int
    border_upper: int | None
    floors: dict[int, Fraction] = field(default_factory=dict)


def contradictions(cells: Sequence[Cell], known: Sequence[Known], zero: Fraction) -> list[str]:
    """Sentences about runs that cannot be: each is a defect of rankproof, of the proof or of the training.

    Parameters
    ----------
    cells
        Of a sweep with polynomial units.
    known
        What is certified.
    zero
        Loss of the zero function, to which the losses of cells are relative.
    """
    found: list[str] = []
    for own in known:
        for cell in (cell for cell in cells if cell.units == own.units):
            what = f"{cell.units} units, width {cell.width}"
            if cell.kind == "exact" and cell.width < own.lower:
                found.append(f"{what}: a run is exact, and {own.lower} units are certified to be needed")
            floor = own.floors.get(cell.width)
            loss = cell.loss * float(zero)
            if floor is not None and loss < float(floor) * (1 - _ROUNDING):
                found.append(f"{what}: a run has loss {loss:.6g}, below the certified floor {floor}")
    return found


@dataclass(frozen=True)
class Matched:
    """Tied against untied units at equal cost.

    Attributes
    ----------
    by
        ``width``, ``projections``, ``parameters`` or ``flops``.
    tied, untied
        The widths that are compared: the tied one is the greatest that costs no more.
    tied_loss, untied_loss
        Least relative losses; None where the sweep has no such width.
    """

    by: str
    tied: int
    untied: int
    tied_loss: float | None
    untied_loss: float | None


def matched(cells: Sequence[Cell], plan: Plan) -> list[Matched]:
    """Comparisons for every untied width of a sweep; empty where it has one kind of unit only."""
    if set(plan.units) != {"tied", "untied"}:
        return []
    costs = plan.costs()
    losses = {(cell.units, cell.width): cell.loss for cell in cells}
    rows: list[Matched] = []
    for by in MATCHED:
        for width in plan.widths:
            other = matched_width(by, width, costs["tied"], costs["untied"])
            rows.append(Matched(by, other, width, losses.get(("tied", other)), losses.get(("untied", width))))
    return rows


__all__ = ["Known", "Matched", "contradictions", "matched"]
