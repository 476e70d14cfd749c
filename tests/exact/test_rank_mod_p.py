"""Ranks modulo a prime: against products of known rank, and the submatrices that show them."""

from __future__ import annotations

import random

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.exact.rank_mod_p import TooLong, connected_blocks, rank_mod_p

primes = st.sampled_from((2, 3, 7, 1048573, 2**31 - 1))


@st.composite
def sparse_matrices(draw: st.DrawFn) -> tuple[dict[int, dict[int, int]], int]:
    p = draw(primes)
    cells = st.dictionaries(
        st.tuples(st.integers(0, 11), st.integers(0, 14)), st.integers(1, p - 1), max_size=50
    )
    rows: dict[int, dict[int, int]] = {}
    for (i, j), x in draw(cells).items():
        rows.setdefault(i, {})[j] = x
    return rows, p


def dense(rows: dict[int, dict[int, int]], names: tuple[list[int], list[int]], p: int) -> flint.nmod_mat:
    i, j = names
    return flint.nmod_mat(len(i), len(j), [rows.get(r, {}).get(c, 0) for r in i for c in j], p)


@given(sparse_matrices())
def test_the_rank_is_that_of_the_dense_matrix(matrix: tuple[dict[int, dict[int, int]], int]) -> None:
    rows, p = matrix
    assert rank_mod_p(rows, p).rank == dense(rows, (list(range(12)), list(range(15))), p).rank()


@given(sparse_matrices())
def test_the_named_submatrix_is_non_singular_and_as_large_as_the_rank(
    matrix: tuple[dict[int, dict[int, int]], int],
) -> None:
    rows, p = matrix
    found = rank_mod_p(rows, p, pivots=True)
    assert len(found.rows) == len(found.columns) == found.rank == rank_mod_p(rows, p).rank
    assert list(found.rows) == sorted(set(found.rows))
    assert list(found.columns) == sorted(set(found.columns))
    if found.rank:
        assert int(dense(rows, (list(found.rows), list(found.columns)), p).det()) != 0


@pytest.mark.parametrize("fill", [0.004, 0.03, 0.3])
def test_sparse_elimination_and_dense_code_agree_on_large_matrices_of_known_rank(fill: float) -> None:
    rng, p, rank = random.Random(1), 1048573, 60
    left = [[rng.randrange(p) if rng.random() < 30 * fill else 0 for _ in range(rank)] for _ in range(170)]
    right = [[rng.randrange(p) if rng.random() < fill else 0 for _ in range(220)] for _ in range(rank)]
    product = flint.nmod_mat(left, p) * flint.nmod_mat(right, p)
    rows = {i: {j: x for j in range(220) if (x := int(product[i, j]))} for i in range(170)}
    found = rank_mod_p(rows, p, pivots=True)
    assert found.rank == product.rank() <= rank
    assert int(dense(rows, (list(found.rows), list(found.columns)), p).det()) != 0


@pytest.mark.parametrize("p", [1048573, 2**31 - 1])
def test_large_dense_remains_have_the_pivots_of_the_whole(p: int) -> None:
    """Floating-point products up to a prime of 20 bits, python-flint beyond; rows and columns have gaps in their names."""
    rng, n, rank = random.Random(p), 150, 130
    left = flint.nmod_mat(n, rank, [rng.randrange(p) for _ in range(n * rank)], p)
    right = flint.nmod_mat(rank, n, [rng.randrange(p) for _ in range(n * rank)], p)
    product = left * right
    rows = {3 * i: {5 * j + 1: x for j in range(n) if (x := int(product[i, j]))} for i in range(n)}
    found = rank_mod_p(rows, p, pivots=True)
    assert found.rank == rank == rank_mod_p(rows, p).rank
    assert int(dense(rows, (list(found.rows), list(found.columns)), p).det()) != 0


@pytest.mark.parametrize("fill", [0.03, 1])
def test_an_elimination_that_takes_too_long_is_given_up(fill: float) -> None:
    rng, n, p = random.Random(2), 130, 101
    rows = {i: {j: rng.randrange(1, p) for j in range(n) if j == i or rng.random() < fill} for i in range(n)}
    operations = rank_mod_p(rows, p).operations
    assert rank_mod_p(rows, p, most=2 * operations).operations == operations
    with pytest.raises(TooLong):
        rank_mod_p(rows, p, most=operations // 2)


def test_the_blocks_of_a_direct_sum_are_found() -> None:
    rows = {0: {0: 1}, 1: {5: 1, 6: 1}, 2: {0: 2, 1: 1}, 3: {6: 3}, 4: {}}
    assert sorted(sorted(block) for block in connected_blocks(rows)) == [[0, 2], [1, 3]]


def test_an_empty_matrix_has_rank_zero() -> None:
    assert rank_mod_p({}, 7, pivots=True).rank == 0
    assert rank_mod_p({3: {}}, 7).rank == 0
