"""Kruskal's bound: what it proves, that the verifier agrees, and exhaustive attacks over small fields."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from rankproof.bounds.explicit import decomposition_bound
from rankproof.bounds.lower.kruskal import find
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.document import Certificate
from rankproof.exact.flattening import residue
from rankproof.exact.k_rank import k_rank
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, Field, gf
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.prove import certify
from rankproof.verifier import verify_bytes

Units = tuple[tuple[tuple[int, ...], ...], ...]


def bounds_of(space: Space, model: str, units: Units, ring: Field = QQ) -> tuple[Bound, list[Bound]]:
    """The bound of a sum, and what its independence says about it."""
    target = Decomposition(model, ring, units).target(space)
    above = decomposition_bound(target, model, ring, units)
    field = ring if ring.characteristic else CC
    return above, find(target, model, field, Budget(20), np.random.default_rng(0), [above])


def products(dimensions: tuple[int, ...], count: int, high: int = 9) -> Units:
    rng = np.random.default_rng([*dimensions, count])
    return tuple(
        tuple(tuple(int(x) for x in rng.integers(-high, high + 1, n)) for n in dimensions)
        for _ in range(count)
    )


def powers(n: int, outputs: int, count: int) -> Units:
    rng = np.random.default_rng([n, outputs, count])
    weights = rng.integers(1, 9, (count, outputs))
    forms = rng.integers(-99, 100, (count, n))
    return tuple((tuple(map(int, form)), tuple(map(int, w))) for form, w in zip(forms, weights, strict=True))


@pytest.mark.parametrize(
    ("space", "model", "units", "value", "unique"),
    [
        # Kruskal: k = n, n, n and 3 n >= 2 r + 2; for the bound alone one less is enough.
        (Space.tensor(4, 4, 4), "product", products((4, 4, 4), 5), 5, True),
        (Space.tensor(5, 5, 5), "product", products((5, 5, 5), 7), 7, False),
        (Space.tensor(5, 5, 5), "product", products((5, 5, 5), 8), 6, False),
        (Space.tensor(8, 8, 8), "product", products((8, 8, 8), 11), 11, True),
        # Reshaped: two groups of two factors, or one of two and two of one.
        (Space.tensor(3, 3, 3, 3), "product", products((3, 3, 3, 3), 7), 7, False),
        (Space.tensor(*(2,) * 6), "product", products((2,) * 6, 4), 4, True),
        # Sums of powers: 2 + 2 + 1 copies of the form, with the weights in one of the groups.
        (Space.form(3, 5), "tied", powers(3, 1, 6), 6, True),
        (Space.form(3, 5), "tied", powers(3, 1, 7), 7, False),
        (Space.form(4, 3), "tied", powers(4, 1, 5), 5, True),
        (Space.map(3, 3, 3), "tied", powers(3, 3, 6), 6, False),
        (Space.form(4, 5), "tied", powers(4, 1, 11), 11, True),
    ],
)
def test_a_sum_of_general_units_is_as_short_as_possible(
    space: Space, model: str, units: Units, value: int, unique: bool
) -> None:
    above, found = bounds_of(space, model, units)
    (bound,) = found
    assert bound.claim.value == value
    assert ("no other sum" in bound.reason) == unique
    target = Decomposition(model, QQ, units).target(space)
    data = Certificate.build(target, [above, bound], [Question(model, CC, "rank")], {}).to_bytes()
    assert verify_bytes(data).word == "VERIFIED"


def test_over_a_finite_field() -> None:
    units = (((1, 0), (1, 0), (1, 0)), ((0, 1), (0, 1), (0, 1)))
    _, found = bounds_of(Space.tensor(2, 2, 2), "product", units, gf(2))
    assert [(str(b.claim), b.witness["prime"]) for b in found] == [("product rank over GF(2) >= 2", 2)]


def test_a_sum_that_is_too_long_says_less() -> None:
    # One product written as three: two of the vectors are parallel in the first factor.
    units = (
        ((1, 0), (1, 0), (1, 0)),
        ((-1, 0), (1, 0), (1, 1)),
        ((1, 0), (1, 0), (0, 1)),
        ((1, 1), (0, 1), (1, 2)),
    )
    _, found = bounds_of(Space.tensor(2, 2, 2), "product", units)
    assert found == []


def test_certify_uses_it_where_nothing_else_is_as_good() -> None:
    # Five factors of length 2: every flattening has rank 4 at most.
    units = products((2, 2, 2, 2, 3), 5)
    space = Space.tensor(2, 2, 2, 2, 3)
    target = Decomposition("product", QQ, units).target(space)
    given = [decomposition_bound(target, "product", QQ, units)]
    proof = certify(target, fields=(CC,), border=False, budget=10, given=given)
    assert [(a.lower, a.upper) for a in proof.answers] == [(5, 5)]


# Exhaustive: every sum of few units, against ranks that breadth-first search finds.


def directions(n: int, p: int) -> list[tuple[int, ...]]:
    return [v for v in product(range(p), repeat=n) if next((x for x in v if x), 0) == 1]


def all_products(dimensions: tuple[int, ...], p: int) -> list[tuple[tuple[int, ...], ...]]:
    choices = product(*(directions(n, p) for n in dimensions))
    return [(tuple(c * x % p for x in first), *rest) for first, *rest in choices for c in range(1, p)]


def expanded(vectors: list[tuple[int, ...]], p: int) -> tuple[int, ...]:
    entries = np.ones(1, dtype=np.int64)
    for vector in vectors:
        entries = np.multiply.outer(entries, np.array(vector)).reshape(-1) % p
    return tuple(int(x) for x in entries)


def ranks_of_all(tensors: list[tuple[int, ...]], p: int, most: int) -> dict[tuple[int, ...], int]:
    ranks = {(0,) * len(tensors[0]): 0}
    last = list(ranks)
    for r in range(1, most + 1):
        sums = {tuple((x + y) % p for x, y in zip(a, b, strict=True)) for a in last for b in tensors}
        last = [t for t in sums if t not in ranks]
        ranks.update(dict.fromkeys(last, r))
    return ranks


def cases() -> Iterator[tuple[str, list[list[tuple[int, ...]]], int, int]]:
    yield "2 x 2 x 2 over GF(2)", [list(u) for u in all_products((2, 2, 2), 2)], 2, 3
    cubes = [(v, (c,)) for v in directions(2, 5) for c in range(1, 5)]
    yield "binary cubics over GF(5)", [[v] * 3 + [w] for v, w in cubes], 5, 3


@pytest.mark.parametrize(
    ("units", "p", "most"), [case[1:] for case in cases()], ids=[case[0] for case in cases()]
)
def test_no_sum_over_a_small_field_gets_more_than_its_rank(
    units: list[list[tuple[int, ...]]], p: int, most: int
) -> None:
    tensors = [expanded(vectors, p) for vectors in units]
    ranks = ranks_of_all(tensors, p, most)
    order = 3  # a weight has length 1 and changes no rank

    @cache
    def rank_of(vectors: tuple[tuple[int, ...], ...]) -> int:
        return k_rank(np.array(vectors), p)

    sums: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    tight, unique = 0, []
    for r in range(1, most + 1):
        for chosen in combinations_with_replacement(range(len(units)), r):
            total = tuple(sum(column) % p for column in zip(*(tensors[i] for i in chosen), strict=True))
            independent = [rank_of(tuple(sorted(units[i][mode] for i in chosen))) for mode in range(order)]
            excess = sum(k - 1 for k in independent)
            assert min(r, excess + 2 - r) <= ranks[total]
            tight += min(r, excess + 2 - r) == ranks[total]
            sums.setdefault((*total, r), set()).add(chosen)
            if excess >= 2 * r - 1:
                unique.append((*total, r))
    assert tight > 100
    assert unique
    assert all(len(sums[key]) == 1 for key in unique)


@pytest.mark.parametrize("p", [2, 3, 101])
def test_k_rank_is_what_its_definition_says(p: int) -> None:
    rng = np.random.default_rng(p)
    for _ in range(60):
        count, n = rng.integers(1, 7), rng.integers(1, 5)
        vectors = rng.integers(0, min(p, 4), (count, n)) % p
        sizes = [
            k
            for k in range(1, count + 1)
            if all(matrix_rank(vectors[list(rows)], p) == k for rows in combinations(range(count), k))
        ]
        assert k_rank(vectors, p) == max(sizes, default=0)


def matrix_rank(matrix: np.ndarray, p: int) -> int:
    rows, rank = [[residue(int(x), p, None) for x in row] for row in matrix], 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        scale = pow(rows[rank][column], -1, p)
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] * scale % p
            rows[i] = [(x - factor * y) % p for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank
