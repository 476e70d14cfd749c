"""Quadratic forms over the rationals as products of linear forms."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.exact.hilbert import REAL, anisotropic_dimension, witt_index_rational
from rankproof.exact.quadrics import (
    Products,
    Splitting,
    diagonalise,
    hyperbolic_splitting,
    products,
    signature,
)
from rankproof.problem.field import QQ, RR, gf

Matrix = list[list[Fraction]]


def expand(products: Products, n: int) -> dict[tuple[int, int], Fraction]:
    total: dict[tuple[int, int], Fraction] = {}
    for c, a, b in products.terms:
        for i in range(n):
            for j in range(n):
                word = (min(i, j), max(i, j))
                total[word] = total.get(word, Fraction(0)) + c * a[i] * b[j]
    return {word: c for word, c in total.items() if c}


def matrix_of(splitting: Splitting, n: int) -> Matrix:
    G = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            G[i][j] += sum(c * (a[i] * b[j] + a[j] * b[i]) / 2 for c, a, b in splitting.planes)
            G[i][j] += sum(c * l[i] * l[j] for c, l in splitting.squares)
    return G


def coefficients_of(G: Matrix) -> dict[tuple[int, int], Fraction]:
    n = len(G)
    return {(i, j): G[i][j] * (1 if i == j else 2) for i in range(n) for j in range(i, n) if G[i][j]}


def symmetric(n: int, entry) -> Matrix:
    G = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            G[i][j] = G[j][i] = Fraction(entry(i, j))
    return G


def of_squares(weights: list[int], forms: list[list[int]], n: int) -> Matrix:
    return symmetric(n, lambda i, j: sum(d * l[i] * l[j] for d, l in zip(weights, forms, strict=True)))


@pytest.mark.parametrize(
    ("q", "n", "width"),
    [
        ({(0, 0): 1, (1, 1): -2}, 2, 2),
        ({(0, 0): 1, (1, 1): 1, (2, 2): -3}, 3, 3),
        ({(0, 0): 1, (1, 1): 1, (2, 2): -2}, 3, 2),
        ({(0, 0): 1, (1, 1): 1, (2, 2): 1, (3, 3): -7}, 4, 4),
        ({(0, 0): 1, (1, 1): 1, (2, 2): 1, (3, 3): 1, (4, 4): -7}, 5, 4),
        ({(i, i + 5): 1 for i in range(5)}, 10, 5),
        ({(0, 0): 1, (0, 1): 2, (1, 1): 1}, 4, 1),
        ({(0, 1): Fraction(3, 7)}, 2, 1),
        ({}, 3, 0),
        ({}, 0, 0),
    ],
)
def test_known_widths_over_the_rationals(q: dict, n: int, width: int) -> None:
    found = products(q, n, QQ)
    assert found.optimal
    assert len(found.terms) == width
    assert expand(found, n) == q


def test_products_of_easy_forms_are_the_obvious_ones() -> None:
    assert products({(0, 0): 1, (1, 1): -1}, 2, QQ).terms == ((1, [1, -1], [1, 1]),)
    assert products({(0, 1): 1, (2, 3): 1}, 4, QQ).terms == (
        (1, [0, 1, 0, 0], [1, 0, 0, 0]),
        (1, [0, 0, 0, 1], [0, 0, 1, 0]),
    )


def check(G: Matrix, budget: float = 10.0) -> Splitting:
    """Both forms of the answer are exact, and the bound on the Witt index is right."""
    n = len(G)
    splitting = hyperbolic_splitting(G, budget)
    assert matrix_of(splitting, n) == G
    p, q = signature(G)
    assert 2 * len(splitting.planes) + len(splitting.squares) == p + q
    found = products(coefficients_of(G), n, QQ, budget)
    assert expand(found, n) == coefficients_of(G)
    assert len(found.terms) == len(splitting.planes) + len(splitting.squares)
    weights, _ = diagonalise(G)
    for witt in (splitting.witt, found.witt):
        assert witt is not None
        assert anisotropic_dimension(weights, witt.place) == p + q - 2 * witt.index
    return splitting


@settings(deadline=None)
@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_random_forms_with_small_coefficients_are_split_as_far_as_possible(
    n: int, random: random.Random
) -> None:
    assert check(symmetric(n, lambda i, j: random.randint(-5, 5))).optimal


@pytest.mark.parametrize("size", [1, 60, 10**4])
def test_forms_of_every_signature_in_up_to_eight_variables(size: int) -> None:
    rng = random.Random(size)
    for n in range(2, 9):
        for p in range(0, n + 1, 1 if size == 1 else 3):
            diagonal = [rng.randint(1, size) * (1 if i < p else -1) for i in range(n)]
            shears = [[rng.randint(-1, 1) if j > i else int(i == j) for j in range(n)] for i in range(n)]
            splitting = check(of_squares(diagonal, shears, n))
            assert splitting.optimal
            assert len(splitting.planes) == witt_index_rational(diagonal).index


def test_degenerate_forms_are_split_on_their_nondegenerate_part() -> None:
    rng = random.Random(9)
    for rank in (1, 2, 3, 4):
        forms = [[rng.randint(-4, 4) for _ in range(7)] for _ in range(rank)]
        weights = [(-1) ** k * rng.randint(1, 9) for k in range(rank)]
        assert check(of_squares(weights, forms, 7)).optimal


def test_small_forms_in_many_variables_have_small_products() -> None:
    rng = random.Random(16)
    G = symmetric(16, lambda i, j: rng.randint(-3, 3))
    found = products(coefficients_of(G), 16, QQ)
    assert found.optimal
    assert expand(found, 16) == coefficients_of(G)
    assert max(abs(x) for _, a, b in found.terms for x in (*a, *b)) < 10**6


def test_what_cannot_be_decided_in_time_leaves_a_sum_that_is_not_called_optimal() -> None:
    # Anisotropic at two primes of 40 digits, and nowhere else.
    hard = (10**39 + 3) * (10**40 + 139)
    G = [[Fraction(0)] * 3 for _ in range(3)]
    G[0][0], G[1][1], G[2][2] = Fraction(1), Fraction(1), Fraction(-hard)
    splitting = check(G, 0.3)
    assert not splitting.optimal
    assert splitting.squares


def test_over_gf_p_the_answer_is_optimal() -> None:
    assert products({(0, 0): 1, (1, 1): 1}, 2, gf(5)) == Products(((1, [1, 2], [1, 3]),), True)
    assert len(products({(0, 0): 1, (1, 1): 1}, 2, gf(3)).terms) == 2
    assert len(products({(0, 1): 1}, 2, gf(2)).terms) == 1


def test_other_fields_and_impossible_indices_are_refused() -> None:
    with pytest.raises(UsageError, match="RR"):
        products({(0, 0): 1}, 1, RR)
    with pytest.raises(ValueError, match="no index"):
        products({(1, 0): 1}, 2, QQ)
    with pytest.raises(ValueError, match="symmetric"):
        hyperbolic_splitting([[0, 1], [2, 0]])


def test_definite_forms_have_the_real_place_as_witness() -> None:
    found = products({(i, i): i + 1 for i in range(6)}, 6, QQ)
    assert found.witt is not None
    assert (found.witt.index, found.witt.place) == (0, REAL)
    assert len(found.terms) == 6
