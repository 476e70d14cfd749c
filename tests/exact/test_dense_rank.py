"""Pivots of dense matrices modulo a prime, against python-flint."""

from __future__ import annotations

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rankproof.exact import dense_rank
from rankproof.exact.dense_rank import dense_pivots

LARGE = dense_rank.LARGEST_PRIME
Matrix = NDArray[np.int64]


def as_flint(matrix: Matrix, p: int) -> flint.nmod_mat:
    return flint.nmod_mat(*matrix.shape, [int(x) for x in matrix.ravel()], p)


def check(matrix: Matrix, p: int) -> int:
    """Rank, after the pivots have been compared with it."""
    rows, columns = dense_pivots(matrix, p)
    assert len(rows) == len(columns) == as_flint(matrix, p).rank()
    assert rows == sorted(set(rows))
    assert columns == sorted(set(columns))
    if rows:
        assert int(as_flint(matrix[np.ix_(rows, columns)], p).det()) != 0
    return len(rows)


def product(rng: np.random.Generator, height: int, width: int, rank: int, p: int) -> Matrix:
    left = as_flint(rng.integers(0, p, (height, rank)), p)
    right = as_flint(rng.integers(0, p, (rank, width)), p)
    return np.array([int(x) for x in (left * right).entries()], dtype=np.int64).reshape(height, width)


@given(
    st.sampled_from((2, 3, 5, 7, 101, LARGE)), st.integers(0, 40), st.integers(0, 40), st.integers(0, 2**32)
)
def test_pivots_are_as_many_as_the_rank(p: int, height: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    fill = rng.choice([0.05, 0.3, 1])
    check(rng.integers(0, p, (height, width)) * (rng.random((height, width)) < fill), p)


@pytest.mark.parametrize("p", [2, 7, LARGE])
@pytest.mark.parametrize(("height", "width", "rank"), [(250, 200, 70), (200, 330, 150), (90, 90, 89)])
def test_a_rank_below_full_is_found(p: int, height: int, width: int, rank: int) -> None:
    rng = np.random.default_rng(rank)
    assert check(product(rng, height, width, rank, p), p) <= rank


@pytest.mark.parametrize(("panel", "leaf", "inner"), [(192, 32, 1 << 14), (24, 5, 16), (8, 8, 1), (7, 3, 10)])
def test_blocking_and_reductions_change_nothing(
    panel: int, leaf: int, inner: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("PANEL", panel), ("LEAF", leaf), ("INNER", inner)):
        monkeypatch.setattr(dense_rank, name, value)
    rng = np.random.default_rng(panel)
    for rank in (5, 37, 60):
        assert check(product(rng, 60, 80, rank, LARGE), LARGE) == rank


def test_pivots_far_down_and_far_right_are_found() -> None:
    """Columns that vanish, rows that vanish on top, and columns that depend on earlier ones inside a leaf."""
    rng = np.random.default_rng(5)
    matrix = np.zeros((150, 140), dtype=np.int64)
    matrix[40:, 10:] = product(rng, 110, 130, 60, LARGE)
    matrix[:, 12] = matrix[:, 11]
    matrix[:, 90] = 3 * matrix[:, 91] % LARGE
    matrix[149] = 0
    matrix[149, 139] = 1
    assert check(matrix, LARGE) == 61
    order = rng.permutation(150)
    triangle = np.triu(rng.integers(1, LARGE, (150, 150)))[order]
    assert check(triangle, LARGE) == 150
    assert check(triangle[:, ::-1].copy(), LARGE) == 150


def test_the_longest_sums_of_the_largest_residues_are_exact() -> None:
    """Every number that occurs between two reductions is an integer that a double holds."""
    residue = LARGE // 2 + 4
    assert dense_rank.INNER * residue**2 + residue <= 2**53 - 2**20
    elimination = dense_rank._Elimination(np.zeros((2, 2)), LARGE)
    rng = np.random.default_rng(3)
    exact = [int(x) for x in rng.integers(-(2**53) + 2**20, 2**53 - 2**20, 3000, endpoint=True)]
    exact += [2**53 - 2**20, 2**20 - 2**53, LARGE * 2**32, LARGE * 2**32 + LARGE // 2, LARGE // 2 + 1, 0]
    cells = np.array([exact], dtype=np.float64)
    elimination._reduce(cells)
    for x, r in zip(exact, cells[0], strict=True):
        assert abs(r) <= residue
        assert (x - int(r)) % LARGE == 0


def test_a_matrix_without_cells_has_no_pivots() -> None:
    for shape in ((0, 0), (0, 5), (4, 0)):
        assert dense_pivots(np.zeros(shape, dtype=np.int64), 7) == ([], [])


def test_what_is_not_reduced_is_refused() -> None:
    with pytest.raises(ValueError, match="not a residue"):
        dense_pivots(np.array([[7]]), 7)
    with pytest.raises(ValueError, match="not between"):
        dense_pivots(np.array([[1]]), 2**31 - 1)
