"""What runs say about a width: solved, approached with growing weights, or stopped above a loss. Evidence, not proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from rankproof.train.plan import Plan, Run

Kind = Literal["exact", "border-like", "plateau", "unclear"]

EXACT = 1e-24
"""Relative loss of a solution: the square of the rounding error of double precision, with room for its condition.
Far above it, at 1e-12, no conclusion is possible: border ranks come as close as that."""

BOUNDED = 1e4
"""A solution has no unit larger than this, relative to the target: larger ones cancel more digits than `EXACT` leaves."""

_EARLY, _LATE = 1e-3, 1e-10  # penalties between which the path is judged
_FALL, _GROWTH = (
    30.0,
    3.0,
)  # a limit that is not attained: the loss falls and the largest unit grows by these factors
_SMALL = 1e-2  # the loss at the end of such a path


@dataclass(frozen=True)
class Cell:
    """All runs of one kind of unit at one width.

    Attributes
    ----------
    units, width
        Which.
    kind
        ``exact``, ``border-like``, ``plateau``, or ``unclear`` where the loss is small and there was no path.
    loss, size
        Least relative loss of its runs; the largest unit of that run.
    trained, median
        Least and median relative loss after the optimizer.
    solved, runs
        How many runs are solutions, and how many there are.
    best
        The run with the least loss.
    """

    units: str
    width: int
    kind: Kind
    loss: float
    size: float
    trained: float
    median: float
    solved: int
    runs: int
    best: Run


def cells(runs: Sequence[Run], plan: Plan) -> list[Cell]:
    """The cells of a sweep in the order of its plan."""
    return [
        _cell([run for run in runs if (run.units, run.width) == (units, width)])
        for units in plan.units
        for width in plan.widths_of(units)
    ]


def kind_of(run: Run) -> Kind:
    """What one run looks like.

    Examples
    --------
    >>> kind_of(Run("tied", 3, 0, 0.1, 1.0, 1e-30, 0.5, (), ()))
    'exact'
    >>> path = tuple((10.0**-k, 10.0**-k, 10.0 ** (k / 4)) for k in range(2, 13))
    >>> kind_of(Run("tied", 2, 0, 0.1, 1.0, 1e-13, 2000.0, (), path))
    'border-like'
    """
    ends = ((run.loss, run.size), (run.trained, run.trained_size))
    if any(loss <= EXACT and size <= BOUNDED for loss, size in ends):
        return "exact"
    if not run.path:
        return "unclear" if run.loss < _SMALL else "plateau"
    early = next(row for row in run.path if row[0] <= 1.001 * _EARLY)
    late = next(row for row in run.path if row[0] <= 1.001 * _LATE)
    falls, grows = early[1] / max(late[1], 1e-300), late[2] / max(early[2], 1e-300)
    return "border-like" if falls >= _FALL and grows >= _GROWTH and late[1] < _SMALL else "plateau"


def _cell(runs: Sequence[Run]) -> Cell:
    best = min(runs, key=_least)
    kinds = [kind_of(run) for run in runs]
    kind: Kind = kind_of(best)
    for better in ("exact", "border-like"):
        if better in kinds:
            kind = better
            best = min((run for run, k in zip(runs, kinds, strict=True) if k == better), key=_least)
            break
    return Cell(
        *(
            best.units,
            best.width,
            kind,
            _least(best),
            best.size if best.loss <= best.trained else best.trained_size,
        ),
        min(run.trained for run in runs),
        median(run.trained for run in runs),
        kinds.count("exact"),
        len(runs),
        best,
    )


def _least(run: Run) -> float:
    return min(run.loss, run.trained)


def exact_width(found: Sequence[Cell], units: str) -> int | None:
    """Least width at which some run of these units is a solution."""
    return min((cell.width for cell in found if cell.units == units and cell.kind == "exact"), default=None)


def border_width(found: Sequence[Cell], units: str) -> int | None:
    """Least width at which some run of these units comes arbitrarily close, as far as runs can tell."""
    close = ("exact", "border-like")
    return min((cell.width for cell in found if cell.units == units and cell.kind in close), default=None)


__all__ = ["BOUNDED", "EXACT", "Cell", "Kind", "border_width", "cells", "exact_width", "kind_of"]
