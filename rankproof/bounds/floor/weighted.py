"""Floors from flattenings with weights: for the cube, where the cost of a coefficient depends on its monomial, and sharper.

Where the cost is that of the Bombieri norm the numbers of orderings are weights that spend everything. Others may leave
more over: two variables that do not do the same work in the target need not weigh the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.floor.flattening import (
    MAX_ROWS,
    Shape,
    bound_of,
    constant,
    cut,
    flattened,
    orderings,
    shapes,
)
from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.method import Bound
from rankproof.numeric.weighting import remainder, sharpest
from rankproof.problem.question import Floor
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

MAX_ENTRIES = 12_000
"""Of the matrix: every step of the search has a singular value decomposition."""

STARTS = 4
DENOMINATORS = (12, 1000, 10**5)
"""Weights are rounded to such denominators, relative to the largest: the first that loses next to nothing is taken."""


@dataclass(frozen=True)
class Weighted:
    """A flattening with its words and weights, and what it leaves over in floating point."""

    value: float
    shape: Shape
    rows: dict[Word, Fraction]
    columns: dict[Word, Fraction]


def find(target: Target, units: str, floor: Floor, rng: np.random.Generator) -> Bound | None:
    """The best flattening with the best weights found; None when none leaves anything over."""
    if not target.space.is_polynomial or units == "product" or floor.loss in ("rademacher", "size"):
        return None
    found: list[Weighted] = []
    for shape in shapes(target.space, units):
        weighted = _weighted(target, shape, floor, rng)
        if weighted is not None:
            found.append(weighted)
    if not found:
        return None
    best = max(found, key=lambda one: one.value)
    return bound_of(target, units, floor, best.shape, (best.rows, best.columns))


def cost(floor: Floor, space: Space, word: Word) -> Fraction:
    """What a monomial costs, as a multiple of the square of its coefficient over its number of orderings."""
    count, factor = orderings(word), constant(floor, space)
    if factor is not None:
        return factor * count
    return floor.scale ** len(word) * count**2 * prod(_legendre(word.count(x)) for x in set(word))


def _legendre(e: int) -> Fraction:
    """Mean square on [-1, 1] of the monic Legendre polynomial of degree e."""
    return Fraction(4**e * factorial(e) ** 4, factorial(2 * e) ** 2 * (2 * e + 1))


def _weighted(target: Target, shape: Shape, floor: Floor, rng: np.random.Generator) -> Weighted | None:
    space = target.space
    rows = flattened(target, shape.orders)
    names = sorted(rows), sorted({v for row in rows.values() for v in row})
    skipped = shape.divisor * floor.width
    small, large = min(map(len, names)), max(map(len, names))
    if small <= skipped or small > MAX_ROWS or small * large > MAX_ENTRIES:
        return None
    if len(names[0]) > len(names[1]):  # the verifier multiplies the rows with each other
        turned = tuple(p - o for o, (_, p) in zip(shape.orders, space.factors, strict=True))
        shape, names = Shape(turned, shape.divisor), (names[1], names[0])
        rows = flattened(target, turned)
    place = {v: k for k, v in enumerate(names[1])}
    matrix = np.zeros((len(names[0]), len(place)))
    for i, u in enumerate(names[0]):
        for v, x in rows[u].items():
            matrix[i, place[v]] = float(x)
    classes, costs = _classes(names, shape, floor, space)
    others = tuple(p - o for o, (_, p) in zip(shape.orders, space.factors, strict=True))
    start = (
        np.array([float(cut(u, shape.orders)) for u in names[0]]),
        np.array([float(cut(v, others)) for v in names[1]]),
    )
    value, p, q = sharpest(matrix, classes, np.array([float(x) for x in costs]), skipped, start, STARTS, rng)
    if value <= 1e-9 * sum(float(x) ** 2 for row in rows.values() for x in row.values()) * float(min(costs)):
        return None
    return _rounded(matrix, classes, costs, skipped, names, shape, (value, p, q))


def _classes(
    names: tuple[list[Word], list[Word]], shape: Shape, floor: Floor, space: Space
) -> tuple[NDArray[np.int64], list[Fraction]]:
    """For every pair of words the number of its monomial and output, and what these cost."""
    order, d = shape.orders[0], space.form_degree
    known: dict[Word, int] = {}
    costs: list[Fraction] = []
    table = np.zeros((len(names[0]), len(names[1])), dtype=np.int64)
    for i, u in enumerate(names[0]):
        for j, v in enumerate(names[1]):
            form = tuple(sorted(u[:order] + v[: d - order]))
            word = form + u[order:] + v[d - order :]
            if word not in known:
                known[word] = len(costs)
                costs.append(cost(floor, space, form))
            table[i, j] = known[word]
    return table, costs


def _rounded(
    matrix: NDArray[np.float64],
    classes: NDArray[np.int64],
    costs: list[Fraction],
    skipped: int,
    names: tuple[list[Word], list[Word]],
    shape: Shape,
    found: tuple[float, Any, Any],
) -> Weighted | None:
    """Rational weights that spend no more than there is, exactly."""
    wanted, p, q = found
    best: Weighted | None = None
    for most in DENOMINATORS:
        rows = [Fraction(float(x)).limit_denominator(most) for x in p]
        columns = [Fraction(float(x)).limit_denominator(most) for x in q]
        factor = _affordable(rows, columns, classes, costs)
        left = remainder(matrix, np.array(rows, dtype=float), np.array(columns, dtype=float), skipped)
        value = left * float(factor)
        if best is None or value > best.value:
            best = Weighted(
                value,
                shape,
                {u: x for u, x in zip(names[0], rows, strict=True) if x},
                {v: factor * x for v, x in zip(names[1], columns, strict=True) if x},
            )
        if value >= wanted * (1 - 1e-5):
            break
    return best


def _affordable(
    rows: list[Fraction], columns: list[Fraction], classes: NDArray[np.int64], costs: list[Fraction]
) -> Fraction:
    spent = [Fraction(0)] * len(costs)
    for x, line in zip(rows, classes.tolist(), strict=True):
        for y, k in zip(columns, line, strict=True):
            spent[k] += x * y
    most = min(costs[k] / x for k, x in enumerate(spent) if x)
    if most.denominator < 10**6:
        return most
    # A shorter factor below it: the digits lost are those that rounding the weights has already cost.
    unit = Fraction(10) ** (len(str(int(1 / most))) + 8)
    return Fraction(int(most * unit)) / unit


METHOD = FloorMethod(
    name="weighted",
    rule="floor",
    summary="singular values of a flattening with weights that are searched for; the cube, and sharper floors",
    units=("tied", "untied", "mixed:k", "split"),
    find=find,
    sharper=True,
)
