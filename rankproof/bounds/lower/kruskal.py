"""Sums that have been found, shown to be as short as possible: by the independence of their vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import prod

import numpy as np

from rankproof.bounds.explicit import explicit_decompositions
from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_decomposition
from rankproof.exact.flattening import denominators_of, prime_with_root, residue
from rankproof.exact.k_rank import Residues, k_rank
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

Partition = tuple[tuple[int, ...], ...]

MOST_UNITS = 200
MOST_ORDER = 7
"""Of a tensor; one of order 7 has 877 partitions of its factors."""

MOST_CELLS = 100_000
"""Coordinates of the vectors of one group of modes."""

MOST_STEPS = 50_000_000
"""Coordinates that the verifier changes for one group: a few seconds, and within its limits."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound that the shortest sums of such units give, if it is better than what is known."""
    best = lower_so_far(known, units, field, "rank", target)
    found: list[Bound] = []
    # A number field that neither the target nor a claim names would not be declared in the certificate.
    rings = (field,) if field.characteristic else (QQ, target.ring)
    sums = [s for s in explicit_decompositions(known) if s.units_model == units and s.ring in rings]
    for sum_ in sorted(sums, key=len):
        if budget.exhausted() or len(sum_) <= best or len(sum_) > MOST_UNITS:
            continue
        bound = _bound(sum_, target, field, best, budget)
        if bound is not None:
            best = int(bound.claim.value)
            found.append(bound)
    return found


def _bound(sum_: Decomposition, target: Target, field: Field, best: int, budget: Budget) -> Bound | None:
    """The best bound above `best` over all groupings of the modes of one sum."""
    r = len(sum_)
    copies, p, root = _modes(sum_, target)
    order = len(copies[0])

    @cache
    def vectors(group: tuple[int, ...]) -> Residues:
        rows = np.ones((r, 1), dtype=np.int64)
        for mode in group:
            factor = np.array([unit[mode] for unit in copies], dtype=np.int64)
            rows = (rows[:, :, None] * factor[:, None, :] % p).reshape(r, -1)
        return rows

    @cache
    def rank(group: tuple[int, ...]) -> int:
        cells = vectors(group).size
        most = MOST_STEPS // cells
        return k_rank(np.unique(vectors(group), axis=1), p, most_nodes=min(50_000, most))

    sizes = [len(vector) for vector in copies[0]]
    chosen: Partition = ()
    score = (best, True)
    for partition in _partitions(sum_.units_model, order):
        dimensions = [prod(sizes[mode] for mode in group) for group in partition]
        if budget.exhausted() or max(dimensions) * r > MOST_CELLS:
            continue
        if _score(r, [min(r, n) for n in dimensions]) <= score:
            continue
        # Of equal ones the first, which needs the smallest groups.
        reached = _score(r, [rank(group) for group in partition])
        if reached > score:
            score, chosen = reached, partition
        if score == (r, True):
            break
    if not chosen:
        return None
    value, unique = score
    witness = encode_decomposition(sum_)
    witness["groups"] = [{"modes": list(group), "rank": rank(group)} for group in chosen]
    witness["prime"] = p
    if root is not None:
        witness["root"] = root
    ranks = ", ".join(str(rank(group)) for group in chosen)
    reason = f"any {ranks} of the vectors of {r} units are independent"
    if unique:
        reason += ", so that no other sum is as short"
    return Bound(Claim("rank", sum_.units_model, field, ">=", value), "kruskal", witness, reason)


def _score(r: int, ranks: Sequence[int]) -> tuple[int, bool]:
    """The bound that ranks of the groups give, and whether the sum is the only one of its length."""
    total = sum(k - 1 for k in ranks)
    return min(r, total + 2 - r), total >= 2 * r - 1


def _modes(sum_: Decomposition, target: Target) -> tuple[list[list[list[int]]], int, int | None]:
    """The vectors of every unit as a tensor modulo a prime; the prime; the image of the generator of a number field."""
    numbers = [x for unit in sum_.units for vector in unit for x in vector]
    root: int | None = None
    if sum_.ring.characteristic:
        p = sum_.ring.characteristic
    else:
        p, root = prime_with_root(sum_.ring.number_field, {q for x in numbers for q in denominators_of(x)})
    reduced = [[[residue(x, p, root) for x in vector] for vector in unit] for unit in sum_.units]
    if sum_.units_model == "tied":
        reduced = [[form] * target.space.form_degree + [weights] for form, weights in reduced]
    return reduced, p, root


def _partitions(units: str, order: int) -> Iterator[Partition]:
    """Partitions of the modes into groups; for tied units one of each kind, the modes of the form being alike."""
    if units == "product":
        if order <= MOST_ORDER:
            yield from sorted(
                _set_partitions(tuple(range(order))), key=lambda p: (max(map(len, p)), -len(p), p)
            )
        return
    for parts in sorted(_number_partitions(order - 1), key=lambda parts: (max(parts), parts)):
        ends = [sum(parts[: i + 1]) for i in range(len(parts))]
        groups = [tuple(range(end - size, end)) for end, size in zip(ends, parts, strict=True)]
        for i in range(len(groups)):
            if i == 0 or parts[i] != parts[i - 1]:
                yield tuple(group + (order - 1,) * (i == j) for j, group in enumerate(groups))
        yield (*groups, (order - 1,))


def _set_partitions(modes: tuple[int, ...]) -> Iterator[Partition]:
    if not modes:
        yield ()
        return
    first, rest = modes[0], modes[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(mode for mode in rest if mode not in others)
            for partition in _set_partitions(left):
                yield ((first, *others), *partition)


def _number_partitions(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
        return
    for part in range(min(n, most or n), 0, -1):
        for rest in _number_partitions(n - part, part):
            yield (part, *rest)


def _works_over(target: Target, question: Question) -> Field | None:
    field = complex_or_finite(target, question)
    if field is None or question.quantity != "rank":
        return None
    powers = question.units == "tied"
    return None if powers and 0 < field.characteristic <= target.space.form_degree else field


METHOD = Method(
    name="kruskal",
    rule="kruskal",
    side="lower",
    summary="sums already found, by the independence of their vectors",
    units=("product", "tied"),
    tier="A",
    fields="CC (so RR, QQ, number fields); GF(p)",
    works_over=_works_over,
    find=find,
    looks_at="sums",
)
