"""Ranks from below by dropping slices, whatever multiples of them are subtracted from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, isqrt, prod
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import lower_so_far, upper_so_far
from rankproof.bounds.recognition import Likeness, likeness
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.slice_drops import Residue, Vector
from rankproof.problem.field import QQ, Field
from rankproof.problem.library import named
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SECONDS = 3.0
MAX_ENTRIES = 400
"""Of a tensor that is searched; matrix products are recognised beyond it by their names."""

MAX_SETS = 60
"""Sets of kept slices of one factor that are tried."""

MAX_PARAMETERS = 60


@dataclass(frozen=True)
class Drop:
    """Combinations of the slices of a factor."""

    factor: int
    dropped: tuple[Vector, ...]
    kept: tuple[Vector, ...]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """A plan for a matrix product, if the tensor is one; else the best plan that drops slices of the given bases."""
    p = field.characteristic
    target = target.over(field) if p else target
    best = lower_so_far(known, units, field, "rank", target)
    upper = upper_so_far(known, units, field, target)
    whole = Residue.of(target, p)
    found: list[Bound] = []
    part = budget.share(SECONDS)
    plans = (
        matrix_product_plans(target) if any(matrix_shapes(target)) else coordinate_plans(target, whole, part)
    )
    for drops, rows in plans:
        ceiling = sum(len(drop.dropped) for drop in drops) + ceiling_of(target, drops, rows)
        if ceiling <= best:
            continue
        if part.exhausted() or (upper is not None and best >= upper):
            break
        value = value_of(whole, drops, rows, best)
        if value > best:
            best = value
            found = [_bound(units, field, drops, rows, value)]
    return found


def value_of(whole: Residue, drops: Sequence[Drop], rows: Sequence[int], best: int) -> int:
    """The bound of a plan; 0 when a dropped slice is not seen to be independent, or when it cannot be better."""
    left: Residue | None = whole
    dropped = sum(len(drop.dropped) for drop in drops)
    for drop in drops:
        left = left.drop(drop.factor, drop.dropped, drop.kept) if left is not None else None
    if left is None or dropped + left.rank_at_zero(rows) <= best:
        return 0
    return dropped + left.flattening_rank(rows)


def ceiling_of(target: Target, drops: Sequence[Drop], rows: Sequence[int]) -> int:
    """The smaller side of the last flattening."""
    sizes = [n for n, _ in target.space.factors]
    for drop in drops:
        sizes[drop.factor] = len(drop.kept)
    sides = [prod(n for f, n in enumerate(sizes) if (f in rows) == inside) for inside in (True, False)]
    return min(sides)


# Products of matrices


def matrix_shapes(target: Target) -> Iterator[tuple[int, int, int]]:
    """Shapes (n, m, p) of matrix products with as many entries, those with the best bounds first."""
    dims = [n for n, _ in target.space.factors]
    if len(dims) != 3:
        return
    shapes: set[tuple[int, int, int]] = set()
    for a, b, c in permutations(dims):
        n, m, p = isqrt(a * c // b), isqrt(a * b // c), isqrt(b * c // a)
        if (n * m, m * p, n * p) == (a, b, c) and len(target.entries) == n * m * p:
            shapes |= {(n, m, p), (m, p, n), (p, n, m), (n, p, m), (p, m, n), (m, n, p)}
    yield from sorted(shapes, key=lambda s: (-((s[1] - 1) * (s[2] + 1) + s[0] * s[2]), s))


def matrix_product_plans(target: Target) -> Iterator[tuple[tuple[Drop, ...], tuple[int, ...]]]:
    """The plan of the rule's page for the first shape that the tensor has."""
    for shape in matrix_shapes(target):
        like = _likeness(target, shape)
        if like is not None and min(shape) > 1:
            yield _matrix_product(*shape, like)
            return


def _likeness(target: Target, shape: tuple[int, int, int]) -> Likeness | None:
    model = named("matmul", *shape)
    dims = [n for n, _ in target.space.factors]
    if target.space == model.space and target.as_dict() == model.as_dict():
        places = tuple(tuple(range(n)) for n in dims)
        return Likeness((0, 1, 2), places, tuple((1,) * n for n in dims), tuple(dims))
    if len(target.entries) > MAX_ENTRIES:
        return None
    return likeness(model.over(target.ring).as_dict(), target.as_dict(), dims, target.ring)


def _matrix_product(n: int, m: int, p: int, like: Likeness) -> tuple[tuple[Drop, ...], tuple[int, ...]]:
    last = m - 1
    rest = [i * m + j for i in range(1, n) for j in range(m)]
    kept = [last, *rest]
    number = {index: k for k, index in enumerate(kept)}
    elements: list[Vector] = [{0: {(): 1}}]
    for i in range(1, n):
        # e_i rho + e_1 sigma, with rho = (-t_0, ..., -t_(m-2), 1)
        elements.append(
            {number[i * m + last]: {(): 1}} | {number[i * m + j]: {(j,): -1} for j in range(last)}
        )
    factors = [like.factors.index(f) for f in range(3)]

    def placed(f: int, vector: Vector) -> Vector:
        # Slice i of the model is slice places[i] of the tensor over its scale.
        places, scales = like.places[factors[f]], like.scales[factors[f]]
        return {
            places[i]: {
                w: QQ.reduce(x * QQ.inverse(scales[i])) if scales[i] != 1 else x for w, x in f_.items()
            }
            for i, f_ in vector.items()
        }

    unit: Any = {(): 1}
    killed = [{j * p + k: unit, last * p + k: {(j,): 1}} for j in range(last) for k in range(p)]
    # The parameters t_j belong to the scaled slices too: the same combination is kept and dropped.
    drops = (
        Drop(
            factors[0],
            tuple(placed(0, {j: unit}) for j in range(last)),
            tuple(placed(0, {j: unit}) for j in kept),
        ),
        Drop(
            factors[1],
            tuple(placed(1, v) for v in killed),
            tuple(placed(1, {last * p + k: unit}) for k in range(p)),
        ),
        Drop(factors[0], (), tuple(elements)),
    )
    return drops, (factors[2],)


# Coordinates


def coordinate_plans(
    target: Target, whole: Residue, budget: Budget
) -> Iterator[tuple[tuple[Drop, ...], tuple[int, ...]]]:
    """Slices of the given bases: all but a few of one factor, and one after the other of factors with two."""
    if len(target.entries) > MAX_ENTRIES:
        return
    factors = range(len(target.space.factors))
    sizes = [n for n, _ in target.space.factors]
    used = [sorted({word[f] for word in whole.entries}) for f in factors]
    for f in sorted(factors, key=lambda f: -sizes[f]):
        for k in range(1, min(4, len(used[f]))):
            if k * (len(used[f]) - k) > MAX_PARAMETERS or comb(len(used[f]), k) > MAX_SETS:
                continue
            for kept in combinations(used[f], k):
                drop = _coordinates(f, kept, used[f])
                for rows in _row_sides(len(sizes)):
                    yield (drop,), rows
    if len(sizes) > 3:
        yield from _in_turn(used, budget)


def _in_turn(
    used: Sequence[Sequence[int]], budget: Budget
) -> Iterator[tuple[tuple[Drop, ...], tuple[int, ...]]]:
    """One slice kept of each of some factors with two slices, in the order of the factors."""
    pairs = [f for f, letters in enumerate(used) if len(letters) == 2]
    for count in range(len(used) - 2, 0, -1):
        for chosen in combinations(pairs, count):
            for code in range(2**count):
                if budget.exhausted():
                    return
                drops = tuple(
                    _coordinates(f, (used[f][code >> i & 1],), used[f]) for i, f in enumerate(chosen)
                )
                others = [f for f in range(len(used)) if f not in chosen]
                for size in range(1, len(others)):
                    for rows in combinations(others, size):
                        yield drops, rows


def _coordinates(factor: int, kept: Sequence[int], used: Sequence[int]) -> Drop:
    unit: Any = {(): 1}
    dropped = tuple({i: unit} for i in used if i not in kept)
    return Drop(factor, dropped, tuple({i: unit} for i in kept))


def _row_sides(order: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, order // 2 + 1):
        yield from combinations(range(order), size)


def _bound(units: str, field: Field, drops: Sequence[Drop], rows: Sequence[int], value: int) -> Bound:
    witness: dict[str, Any] = {
        "drops": [
            {
                "factor": drop.factor,
                "dropped": [_written(vector) for vector in drop.dropped],
                "kept": [_written(vector) for vector in drop.kept],
            }
            for drop in drops
        ],
        "rows": list(rows),
    }
    count = sum(len(drop.dropped) for drop in drops)
    reason = f"{count} slices dropped, and rank {value - count} left for all multiples of them"
    return Bound(Claim("rank", units, field, ">=", value), "dropped-slices", witness, reason)


def _written(vector: Vector) -> Any:
    if len(vector) == 1:
        ((index, polynomial),) = vector.items()
        if polynomial == {(): 1}:
            return index
    return [
        [i, [[list(word), encode_scalar(x)] for word, x in sorted(polynomial.items())]]
        for i, polynomial in sorted(vector.items())
    ]


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "rank" or target.ring.number_field is not None or len(target.space.factors) < 3:
        return None
    return complex_or_finite(target, question)


METHOD = Method(
    name="dropped_slices",
    rule="dropped-slices",
    side="lower",
    summary="slices that some units are needed for, and the rank of what is left for all parameters",
    units=("product",),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=_works_over,
    find=find,
)
