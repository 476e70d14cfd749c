"""Floors from the singular values of a flattening: what a matrix of low rank leaves over (Eckart and Young)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

import numpy as np

from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.spectrum import Spectrum, tail
from rankproof.problem.field import CC, QQ
from rankproof.problem.question import Floor
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

MAX_ROWS = 80
"""Rows of the Gram matrix: the verifier diagonalises it exactly, once a threshold."""

MAX_ENTRIES = 400_000

DIGITS = 8
"""Decimals of an irrational eigenvalue."""

Rows = Mapping[Word, Mapping[Word, Fraction]]
Weights = tuple[Mapping[Word, Fraction], Mapping[Word, Fraction]]


@dataclass(frozen=True)
class Shape:
    """A flattening, and the largest rank that it has on one unit."""

    orders: tuple[int, ...]
    divisor: int


def find(target: Target, units: str, floor: Floor, rng: np.random.Generator | None = None) -> Bound | None:
    """The best of all flattenings; None when none leaves anything over. Nothing is chosen at random."""
    factor = constant(floor, target.space)
    if factor is None:
        return None
    best: tuple[float, Shape] | None = None
    for shape in shapes(target.space, units):
        rows = flattened(target, shape.orders)
        columns = {v for row in rows.values() for v in row}
        if len(rows) * len(columns) > MAX_ENTRIES or min(len(rows), len(columns)) > MAX_ROWS:
            continue
        value = _estimate(rows, shape, target.space, shape.divisor * floor.width)
        if value > (0 if best is None else best[0] * (1 + 1e-9)):
            # The shorter side is that of the rows, which the verifier multiplies with each other.
            turned = tuple(p - o for o, (_, p) in zip(shape.orders, target.space.factors, strict=True))
            best = value, shape if len(rows) <= len(columns) else Shape(turned, shape.divisor)
    return None if best is None else bound_of(target, units, floor, best[1])


def constant(floor: Floor, space: Space) -> Fraction | None:
    """What a form costs at least, divided by its squared Bombieri norm; None where that depends on the monomial."""
    n, d = space.factors[0]
    if floor.loss == "frobenius":
        return Fraction(1)
    scale = factorial(d) * floor.scale**d
    if floor.loss == "gaussian":
        return scale
    return scale / prod(n + 2 * j for j in range(d)) if floor.loss == "sphere" else None


def shapes(space: Space, units: str) -> Iterator[Shape]:
    """All flattenings up to transposition."""
    if units == "product":
        for orders in product((0, 1), repeat=len(space.factors)):
            if orders[0] and not all(orders):
                yield Shape(orders, 1)
        return
    d = space.factors[0][1]
    if len(space.factors) == 2:
        yield Shape((0, 1), 1)
        for s in range(1, d):
            yield Shape((s, 0), flattening_rank(units, d, s))
    else:
        for s in range(1, d // 2 + 1):
            yield Shape((s,), flattening_rank(units, d, s))


def flattening_rank(units: str, d: int, s: int) -> int:
    """Largest rank of the flattening of order s on one unit."""
    if units == "split":
        return comb(d, s)
    if units in ("tied", "untied"):
        return 1 if units == "tied" else 2
    return min(s, d - s, int(units.partition(":")[2])) + 1


def flattened(target: Target, orders: tuple[int, ...]) -> Rows:
    """The flattening of the symmetric tensor of the target: coefficients over numbers of orderings."""
    rows: dict[Word, dict[Word, Fraction]] = {}
    for word, value in target.entries:
        pieces: list[Word] = []
        start = 0
        for _, power in target.space.factors:
            pieces.append(word[start : start + power])
            start += power
        entry = Fraction(value) / prod(map(orderings, pieces))  # type: ignore[arg-type]
        for u, v in _splits(pieces, orders):
            rows.setdefault(u, {})[v] = entry
    return rows


def orderings(word: Word) -> int:
    """Number of orderings of the letters of a word."""
    return factorial(len(word)) // prod(factorial(word.count(x)) for x in set(word))


def _splits(pieces: list[Word], orders: tuple[int, ...]) -> Iterator[tuple[Word, Word]]:
    choices: list[list[tuple[Word, Word]]] = []
    for piece, order in zip(pieces, orders, strict=True):
        letters = sorted(set(piece))
        found: list[tuple[Word, Word]] = []
        for u in combinations_with_replacement(letters, order):
            if all(u.count(x) <= piece.count(x) for x in letters):
                found.append((u, tuple(x for x in letters for _ in range(piece.count(x) - u.count(x)))))
        choices.append(found)
    for chosen in product(*choices):
        yield sum((u for u, _ in chosen), ()), sum((v for _, v in chosen), ())


def cut(word: Word, orders: tuple[int, ...]) -> int:
    """Number of orderings of the letters of a word of one side, factor by factor."""
    start, count = 0, 1
    for order in orders:
        count *= orderings(word[start : start + order])
        start += order
    return count


def _estimate(rows: Rows, shape: Shape, space: Space, skipped: int) -> float:
    """The squares of the singular values after the first ones, in floating point; 0 when they are noise."""
    others = tuple(power - order for order, (_, power) in zip(shape.orders, space.factors, strict=True))
    place = {v: k for k, v in enumerate(sorted({v for row in rows.values() for v in row}))}
    matrix = np.zeros((len(rows), len(place)))
    for i, (u, row) in enumerate(rows.items()):
        for v, x in row.items():
            matrix[i, place[v]] = float(x) * (cut(u, shape.orders) * cut(v, others)) ** 0.5
    squares = np.linalg.svd(matrix, compute_uv=False) ** 2
    value = float(squares[skipped:].sum())
    return value if value > 1e-12 * float(squares.sum()) else 0.0


def bound_of(
    target: Target, units: str, floor: Floor, shape: Shape, weights: Weights | None = None
) -> Bound | None:
    """The bound of one flattening, exactly as the verifier will derive it.

    Parameters
    ----------
    target, units, floor
        What is asked.
    shape
        The flattening.
    weights
        Positive weights of words of its rows and columns, the others weighing nothing; None for numbers of orderings, where
        the loss is a multiple of the Bombieri norm.
    """
    rows = flattened(target, shape.orders)
    others = tuple(p - o for o, (_, p) in zip(shape.orders, target.space.factors, strict=True))
    if weights is None:
        factor = constant(floor, target.space) or Fraction(0)
        heights = {u: Fraction(cut(u, shape.orders)) for u in rows}
        widths = {v: factor * cut(v, others) for row in rows.values() for v in row}
    else:
        heights, widths = weights
    names = [u for u in sorted(rows) if u in heights]
    scaling = [heights[u] for u in names]
    gram = _gram([{v: x for v, x in rows[u].items() if v in widths} for u in names], widths)
    total = sum(
        (x * row.get(i, Fraction(0)) for i, (x, row) in enumerate(zip(scaling, gram, strict=True))),
        Fraction(0),
    )
    spectrum = Spectrum(gram, scaling)
    skipped = shape.divisor * floor.width
    value, thresholds = cheapest(spectrum, skipped, total)
    if value <= 0:
        return None
    witness: dict[str, Any] = {
        "orders": list(shape.orders),
        "thresholds": [encode_scalar(c) for c in thresholds],
    }
    if weights is not None:
        for name, side, given in (("rows", shape.orders, heights), ("columns", others, widths)):
            words = _words(target.space, side)
            witness[name] = [encode_scalar(QQ.reduce(given.get(word, Fraction(0)))) for word in words]
    claim = Claim(floor, units, CC, ">=", value)
    what = f"singular values after the first {skipped} of the {'' if weights is None else 'weighted '}flattening of orders"
    return Bound(claim, "floor", witness, f"{what} {', '.join(map(str, shape.orders))}")


def _words(space: Space, orders: tuple[int, ...]) -> Iterator[Word]:
    """The words of one side, in lexicographic order."""
    pieces = [
        combinations_with_replacement(range(n), order)
        for (n, _), order in zip(space.factors, orders, strict=True)
    ]
    for chosen in product(*pieces):
        yield sum(chosen, ())


def cheapest(spectrum: Spectrum, skipped: int, total: Fraction) -> tuple[Fraction, list[Fraction]]:
    """What is proved, and the thresholds: near the eigenvalues that count, or near the others, whichever says more."""
    size = len(spectrum.values)
    below = spectrum.levels(skipped, size, DIGITS, above=False)
    above = spectrum.levels(0, min(skipped, size), DIGITS, above=True)
    found = [(tail(spectrum, skipped, total, levels), levels) for levels in (below, above)]
    exact = max(value for value, _ in found)
    # Rounding costs less than it would to count at twice as many thresholds.
    near = [pair for pair in found if pair[0] >= exact * (1 - Fraction(1, 10**6))]
    rational = [pair for pair in near if pair[0].denominator < 10**6]
    return min(rational or near, key=lambda pair: (len(pair[1]), pair[0].denominator))


def _gram(rows: list[Mapping[Word, Fraction]], weight: Mapping[Word, Fraction]) -> list[dict[int, Fraction]]:
    users: dict[Word, list[int]] = {}
    for i, row in enumerate(rows):
        for v in row:
            users.setdefault(v, []).append(i)
    gram: list[dict[int, Fraction]] = [{} for _ in rows]
    for v, using in users.items():
        for i in using:
            for j in using:
                gram[i][j] = gram[i].get(j, Fraction(0)) + weight[v] * rows[i][v] * rows[j][v]
    return gram


METHOD = FloorMethod(
    name="flattening",
    rule="floor",
    summary="singular values of a flattening that so few units cannot have",
    units=("tied", "untied", "mixed:k", "split", "product"),
    find=find,
)
