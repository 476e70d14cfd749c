"""Floors at the corners of a cube: only products of different variables count there, x^2 being the constant 1.

No monomial that a row and a column multiply to may contain a square, so the variables of the rows are others than those of
the columns. For such a partition every weight can be the same: a monomial is split in one way only.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np

from rankproof.bounds.floor.flattening import MAX_ROWS, Shape, bound_of, flattened, shapes
from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.method import Bound
from rankproof.problem.question import Floor
from rankproof.problem.space import Word
from rankproof.problem.target import Target

ALL_PARTITIONS = 9
"""Up to so many variables every partition is looked at; beyond, partitions that no change of one variable improves."""

STARTS = 12

Sides = Mapping[Word, Mapping[Word, Fraction]]


def find(target: Target, units: str, floor: Floor, rng: np.random.Generator) -> Bound | None:
    """The best partition of the variables for the best flattening; None when none leaves anything over."""
    if not target.space.is_polynomial or units == "product" or floor.loss != "rademacher":
        return None
    d = target.space.form_degree
    best: tuple[float, Shape, Sides] | None = None
    for shape in _all_shapes(target, units):
        rows = flattened(target, shape.orders)
        for on_rows in _partitions(target, shape, rows, shape.divisor * floor.width, rng):
            kept = _kept(rows, shape, d, on_rows)
            value = _left(kept, shape.divisor * floor.width)
            if value > (0 if best is None else best[0] * (1 + 1e-9)):
                best = value, shape, kept
    if best is None:
        return None
    _, shape, kept = best
    price = Fraction(factorial(d) ** 2) * floor.scale**d
    columns = {v: price for row in kept.values() for v in row}
    return bound_of(target, units, floor, shape, ({u: Fraction(1) for u in kept}, columns))


def _all_shapes(target: Target, units: str) -> list[Shape]:
    """Flattenings, and those of forms also transposed: a partition has two sides."""
    found = list(shapes(target.space, units))
    d = target.space.form_degree
    if len(target.space.factors) == 1:
        found += [Shape((d - s.orders[0],), s.divisor) for s in found if 2 * s.orders[0] != d]
    return found


def _kept(rows: Sides, shape: Shape, d: int, on_rows: frozenset[int]) -> Sides:
    """Words without a square, of the row side in these variables and of the column side in the others."""
    order = shape.orders[0]

    def fits(word: Word, length: int, inside: bool) -> bool:
        form = word[:length]
        return len(set(form)) == length and all((x in on_rows) == inside for x in form)

    kept = {
        u: {v: x for v, x in row.items() if fits(v, d - order, False)}
        for u, row in rows.items()
        if fits(u, order, True)
    }
    return {u: row for u, row in kept.items() if row}


def _left(rows: Sides, skipped: int) -> float:
    place = {v: k for k, v in enumerate(sorted({v for row in rows.values() for v in row}))}
    if min(len(rows), len(place)) <= skipped or len(rows) > MAX_ROWS:
        return 0.0
    matrix = np.zeros((len(rows), len(place)))
    for line, row in zip(matrix, rows.values(), strict=True):
        for v, x in row.items():
            line[place[v]] = float(x)
    squares = np.linalg.svd(matrix, compute_uv=False) ** 2
    value = float(squares[skipped:].sum())
    return value if value > 1e-12 * float(squares.sum()) else 0.0


def _partitions(
    target: Target, shape: Shape, rows: Sides, skipped: int, rng: np.random.Generator
) -> list[frozenset[int]]:
    """The variables of the rows: every choice, or local optima."""
    n, d = target.space.variables_count, target.space.form_degree
    if shape.orders[0] == 0:  # the rows are outputs
        return [frozenset()]
    if n <= ALL_PARTITIONS:
        return [frozenset(x for x in range(n) if chosen[x]) for chosen in product((0, 1), repeat=n)]
    found: list[frozenset[int]] = []
    for _ in range(STARTS):
        chosen = frozenset(np.flatnonzero(rng.random(n) < shape.orders[0] / d).tolist())
        value = _left(_kept(rows, shape, d, chosen), skipped)
        while True:
            others = [(_left(_kept(rows, shape, d, chosen ^ {x}), skipped), x) for x in range(n)]
            better, x = max(others)
            if better <= value * (1 + 1e-9):
                break
            value, chosen = better, chosen ^ {x}
        found.append(chosen)
    return found


METHOD = FloorMethod(
    name="corners",
    rule="floor",
    summary="singular values of a flattening between disjoint variables, for inputs that are signs",
    units=("tied", "untied", "mixed:k", "split"),
    find=find,
)
