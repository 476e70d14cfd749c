"""Searches for solutions that use few unknowns, and for few vectors that span given ones."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.exact.spanning import Pool
from rankproof.exact.sparse_solutions import few_groups, solution_space


@pytest.mark.parametrize("p", [2, 5, 1048573, 2**31 - 1])
def test_all_solutions_are_described(p: int) -> None:
    rng = np.random.default_rng(0)
    matrix, x = rng.integers(0, p, (6, 15)), rng.integers(0, p, (15, 2))
    exact = np.vectorize(int, otypes=[object])
    sides = (exact(matrix) @ exact(x) % p).astype(np.int64)
    space = solution_space(matrix, sides, p)
    assert space is not None
    assert ((exact(matrix) @ exact(space.particular) - exact(sides)) % p == 0).all()
    assert (exact(matrix) @ exact(space.kernel) % p == 0).all()
    assert space.kernel.shape[1] >= 15 - 6


@pytest.mark.parametrize("p", [1048573, 2**31 - 1])
def test_a_solution_with_few_groups_is_found_when_the_others_can_go_first(p: int) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.integers(0, p, (12, 40))
    x = np.zeros((40, 1), dtype=np.int64)
    x[[4, 5, 20]] = rng.integers(1, p, (3, 1))
    exact = np.vectorize(int, otypes=[object])
    space = solution_space(matrix, (exact(matrix) @ exact(x) % p).astype(np.int64), p)
    groups = [range(4 * g, 4 * g + 4) for g in range(10)]
    assert space is not None
    assert few_groups(space, groups, [g for g in range(10) if g not in (1, 5)] + [1, 5]) == [1, 5]


def test_an_unsolvable_system_has_no_solution_space() -> None:
    assert solution_space(np.array([[1, 1], [2, 2]]), np.array([[1], [3]]), 7) is None


def test_a_stopped_search_keeps_what_it_has_not_looked_at() -> None:
    space = solution_space(np.array([[1, 1, 1]]), np.array([[1]]), 7)
    assert space is not None
    assert few_groups(space, [(0,), (1,), (2,)], [0, 1, 2], lambda: True) == [0, 1, 2]


def test_three_products_span_the_two_parts_of_a_complex_product() -> None:
    # Coordinates ac, ad, bc, bd; the pool has the products of a, b, a + b with c, d, c + d.
    forms = [(1, 0), (0, 1), (1, 1)]
    pool = np.array([[s * t for s in x for t in y] for x in forms for y in forms], dtype=np.int64).T
    wanted = np.array([[1, 0, 0, -1 % 7], [0, 1, 1, 0]], dtype=np.int64).T
    found = [Pool(pool, wanted, 7).grow(np.random.default_rng(seed), 4, lambda: False) for seed in range(10)]
    shortest = min((f for f in found if f is not None), key=len)
    assert len(shortest) == 3
    assert solution_space(pool[:, shortest], wanted, 7) is not None
