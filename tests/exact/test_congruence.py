"""Diagonal forms, signatures and radicals over the rationals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from rankproof.exact.congruence import diagonalise, fraction, nondegenerate_part, rational_rows, signature

scalars = st.one_of(st.integers(-9, 9), st.just(0), st.fractions(-5, 5, max_denominator=12))


@st.composite
def symmetric_matrices(draw: st.DrawFn) -> list[list[Fraction]]:
    n = draw(st.integers(0, 6))
    G = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            G[i][j] = G[j][i] = Fraction(draw(scalars))
    return G


@given(symmetric_matrices())
def test_the_weighted_squares_add_up_to_the_form(G: list[list[Fraction]]) -> None:
    weights, forms = diagonalise(G)
    n = len(G)
    assert all(weights)
    assert all(d.denominator == 1 for d in weights)
    for i in range(n):
        for j in range(n):
            assert sum(d * l[i] * l[j] for d, l in zip(weights, forms, strict=True)) == G[i][j]
    assert len(weights) == (fmpq_mat(rational_rows(G)).rref()[1] if n else 0)


@given(symmetric_matrices())
def test_the_signature_counts_signs_of_eigenvalues(G: list[list[Fraction]]) -> None:
    p, q = signature(G)
    minus = [[-x for x in row] for row in G]
    assert signature(minus) == (q, p)
    assert p + q == len(diagonalise(G)[0])


def test_known_signatures() -> None:
    # diag(3, 2, -1) in another basis, and the form of a Minkowski space.
    assert signature([[3, 3, 0], [3, 5, 1], [0, 1, -1 + Fraction(1, 2)]]) == (2, 1)
    assert signature([[0, 1], [1, 0]]) == (1, 1)
    assert signature([]) == (0, 0)
    assert signature([[0]]) == (0, 0)


def test_squares_are_absorbed_in_the_linear_forms() -> None:
    weights, forms = diagonalise([[72, 0], [0, Fraction(-3, 4)]])
    assert dict(zip(weights, map(tuple, forms), strict=True)) == {2: (6, 0), -3: (0, Fraction(1, 2))}


@given(symmetric_matrices())
def test_the_radical_and_the_rest_make_up_the_space(G: list[list[Fraction]]) -> None:
    part = nondegenerate_part(G)
    n, rank = len(G), len(part.support)
    assert len(part.radical) == n - rank
    for v in part.radical:
        assert all(sum(x * fraction(y) for x, y in zip(row, v, strict=True)) == 0 for row in G)
    for i in range(n):
        for j in range(n):
            value = sum(
                fraction(part.forms[k][i] * part.matrix[k][m] * part.forms[m][j])
                for k in range(rank)
                for m in range(rank)
            )
            assert value == G[i][j]


def test_matrices_that_give_no_quadratic_form_are_refused() -> None:
    with pytest.raises(ValueError, match="symmetric"):
        diagonalise([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="square"):
        diagonalise([[1, 2]])
    with pytest.raises(ValueError, match="exact"):
        diagonalise([[0.5]])  # type: ignore[list-item]
