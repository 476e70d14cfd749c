"""How large tied units have to be to come close to a form that so many of them only approach.

Where the flattening of a form has the rank r of r units, operators that such a sum would diagonalise together do not have
to be diagonalisable for the form itself: then units that come close are nearly parallel and cancel, and a polynomial that
vanishes at the eigenvalues measures by how much; docs/rules/size-floor.md has the inequality.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import floor as rounded_down
from math import log10, sqrt
from typing import Any

import numpy as np

from rankproof.bounds.floor.flattening import orderings
from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.squarefree import Matrix, inverse, product, squarefree_characteristic
from rankproof.problem.field import CC, QQ
from rankproof.problem.question import Floor
from rankproof.problem.space import Word
from rankproof.problem.target import Target

LARGEST_WIDTH = 12
FORMS = 6
"""Random linear forms that are tried beside the variables."""

DIGITS = 5
"""Of the value, rounded down."""


@dataclass(frozen=True)
class Found:
    """A witness and what it proves, before rounding."""

    value: float
    order: int
    rows: list[Word]
    columns: list[Word]
    over: tuple[int, ...]
    along: tuple[int, ...]
    polynomial: list[Fraction]
    power: int


def find(target: Target, units: str, floor: Floor, rng: np.random.Generator) -> Bound | None:
    """The best of a few choices of words and linear forms; None when none proves anything."""
    space = target.space
    if floor.loss != "size" or units != "tied" or len(space.factors) != 1 or space.form_degree < 3:
        return None
    if not 2 <= floor.width <= LARGEST_WIDTH:
        return None
    best: Found | None = None
    for found in _candidates(target, floor, rng):
        if best is None or found.value > best.value:
            best = found
    if best is None:
        return None
    value = _shortened(best.value)
    witness = {
        "order": best.order,
        "rows": [list(word) for word in best.rows],
        "columns": [list(word) for word in best.columns],
        "over": list(best.over),
        "along": list(best.along),
        "polynomial": [encode_scalar(QQ.reduce(c)) for c in best.polynomial],
        "power": best.power,
        "bound": encode_scalar(QQ.reduce(value)),
    }
    reason = f"operators that {floor.width} units would diagonalise have Jordan blocks of size {best.power}"
    return Bound(Claim(floor, units, CC, ">=", QQ.reduce(value)), "size-floor", witness, reason)  # type: ignore[arg-type]


def _shortened(value: float) -> Fraction:
    """A decimal below it, of a few digits."""
    unit = Fraction(10) ** (rounded_down(log10(value)) + 1 - DIGITS)
    return unit * rounded_down(Fraction(value * (1 - 1e-7)) / unit)


def _candidates(target: Target, floor: Floor, rng: np.random.Generator) -> Iterator[Found]:
    n, d = target.space.variables_count, target.space.form_degree
    entries = {word: Fraction(str(value)) / orderings(word) for word, value in target.entries}
    forms = [tuple(int(i == j) for j in range(n)) for i in range(n)]
    forms += [tuple(int(x) for x in rng.integers(-2, 3, n)) for _ in range(FORMS)]
    for order in range(1, d - 1):
        left, right = (list(combinations_with_replacement(range(n), k)) for k in (order, d - 1 - order))
        if min(len(left), len(right)) < floor.width:
            continue
        for over in forms:
            chosen = _pivots(_contracted(entries, left, right, over), floor.width)
            if chosen is None:
                continue
            rows, columns = [left[i] for i in chosen[0]], [right[j] for j in chosen[1]]
            matrix = _contracted(entries, rows, columns, over)
            inverted = inverse(matrix)
            for along in forms:
                if inverted is None or along == over:
                    continue
                other = product(_contracted(entries, rows, columns, along), inverted)
                measured = _measured(matrix, inverted, other, over, along, sqrt(floor.scale))
                if measured is not None:
                    yield Found(measured[0], order, rows, columns, over, along, *measured[1:])


def _contracted(
    entries: dict[Word, Fraction], rows: Sequence[Word], columns: Sequence[Word], form: Sequence[int]
) -> Matrix:
    zero = Fraction(0)
    return [
        [
            sum((x * entries.get(tuple(sorted((*u, *v, j))), zero) for j, x in enumerate(form) if x), zero)
            for v in columns
        ]
        for u in rows
    ]


def _pivots(matrix: Matrix, count: int) -> tuple[list[int], list[int]] | None:
    """Rows and columns of a part that is far from singular: the pivots of an elimination that takes the largest entry."""
    left: Any = np.array(matrix, dtype=float)
    size = float(np.abs(left).max())
    rows, columns = list[int](), list[int]()
    for _ in range(count):
        i, j = np.unravel_index(int(np.abs(left).argmax()), left.shape)
        if abs(left[i, j]) <= 1e-9 * size or size == 0:
            return None
        rows.append(int(i))
        columns.append(int(j))
        left = left - np.outer(left[:, j], left[i]) / left[i, j]
    return sorted(rows), sorted(columns)


def _measured(
    matrix: Matrix, inverted: Matrix, other: Matrix, over: Sequence[int], along: Sequence[int], error: float
) -> tuple[float, list[Fraction], int] | None:
    """What the inequality of the rule gives, with the polynomial and its power; None where it gives nothing."""
    polynomial = squarefree_characteristic(other)
    size = len(other)
    value: Matrix = [[Fraction(0)] * size for _ in range(size)]
    for c in reversed(polynomial):
        value = product(value, other)
        value = [[x + c * (i == j) for j, x in enumerate(row)] for i, row in enumerate(value)]
    if not any(x for row in value for x in row):
        return None  # diagonalisable
    power, before, last = 2, value, product(value, value)
    while any(x for row in last for x in row):
        power, before, last = power + 1, last, product(last, value)
    # Rational arithmetic on rounded norms: differences of powers would lose all digits in floating point.
    of_over, of_along = (Fraction(sqrt(sum(x * x for x in form)) * (1 + 1e-12)) for form in (over, along))
    of_h, of_inverse, of_m, of_value = (_norm(a) for a in (matrix, inverted, other, value))
    gap = Fraction(error * (1 + 1e-12))
    lost = of_inverse * of_over * gap
    if lost >= 1:
        return None
    moved = (of_along + of_m * of_over) * gap * of_inverse / (1 - lost)
    change = sum((abs(c) * ((of_m + moved) ** j - of_m**j) for j, c in enumerate(polynomial)), Fraction(0))
    entry = max(abs(x) for row in product(before, matrix) for x in row)
    gone = ((of_value + change) ** (power - 1) - of_value ** (power - 1)) * (of_h + of_over * gap)
    left = entry - gone - _norm(before) * of_over * gap
    if left <= 0:
        return None
    below = float((of_value + change) ** power - of_value**power) ** (1 - 1 / power)
    return float(left) / (float(of_over) * below), polynomial, power


def _norm(matrix: Matrix) -> Fraction:
    return Fraction(sqrt(sum(x * x for row in matrix for x in row)) * (1 + 1e-12))


METHOD = FloorMethod(
    name="sizes",
    rule="size-floor",
    summary="how large tied units are that come close to a form which so many of them only approach",
    units=("tied",),
    find=find,
)
