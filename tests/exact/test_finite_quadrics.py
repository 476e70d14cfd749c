"""Quadratic forms over prime fields: fewest products, against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.exact.finite_quadrics import (
    diagonalise_mod,
    isotropic_vector_mod,
    kernel_mod,
    products_mod,
    sqrt_mod,
)

Coefficients = dict[tuple[int, int], int]


def words(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i, n)]


def expand(products: list[tuple[int, list[int], list[int]]], n: int, p: int) -> Coefficients:
    total = dict.fromkeys(words(n), 0)
    for c, a, b in products:
        for i, j in product(range(n), repeat=2):
            word = (min(i, j), max(i, j))
            total[word] = (total[word] + c * a[i] * b[j]) % p
    return {word: c for word, c in total.items() if c}


def widths(n: int, p: int) -> dict[tuple[int, ...], int]:
    """The least number of products of every quadratic form in n variables, by adding products to what is reached."""
    vectors = list(product(range(p), repeat=n))
    powers = p ** np.arange(len(words(n)))

    def code(a: tuple[int, ...], b: tuple[int, ...]) -> list[int]:
        return [(a[i] * b[j] + (a[j] * b[i] if i != j else 0)) % p for i, j in words(n)]

    units = np.unique([code(a, b) for a in vectors for b in vectors], axis=0)
    width = np.full(p ** len(words(n)), -1)
    frontier, w = np.zeros((1, len(words(n))), dtype=int), 0
    width[0] = 0
    while len(frontier):
        w += 1
        reached = []
        for unit in units:
            sums = (frontier + unit) % p
            codes, first = np.unique(sums @ powers, return_index=True)
            new = width[codes] < 0
            width[codes[new]] = w
            reached.append(sums[first[new]])
        frontier = np.concatenate(reached)
    return {form: int(width[int(np.dot(form, powers))]) for form in product(range(p), repeat=len(words(n)))}


@pytest.mark.parametrize(("n", "p"), [(1, 2), (2, 2), (3, 2), (4, 2), (1, 3), (2, 3), (3, 3), (1, 5), (2, 5)])
def test_the_number_of_products_is_the_least_for_every_form(n: int, p: int) -> None:
    for form, width in widths(n, p).items():
        q = {word: c for word, c in zip(words(n), form, strict=True) if c}
        found = products_mod(q, n, p)
        assert expand(found, n, p) == q
        assert len(found) == width


def vanishes_on_codimension(q: Coefficients, n: int, p: int, codimension: int) -> bool:
    """Whether q vanishes on the space that some `codimension` linear forms cut out."""
    points = np.array(list(product(range(p), repeat=n)))
    zero = (
        sum((c * points[:, i] * points[:, j] for (i, j), c in q.items()), np.zeros(len(points), dtype=int))
        % p
        == 0
    )
    forms = [np.array(a) for a in product(range(p), repeat=n) if next((x for x in a if x), 0) == 1]
    hyperplanes = [points @ a % p == 0 for a in forms]

    def search(inside: np.ndarray, left: int) -> bool:
        if zero[inside].all():
            return True
        return left > 0 and any(search(inside & h, left - 1) for h in hyperplanes if not h[inside].all())

    return search(np.ones(len(points), dtype=bool), codimension)


@st.composite
def forms_in_four_variables(draw: st.DrawFn) -> tuple[Coefficients, int]:
    p = draw(st.sampled_from((3, 5)))
    return {word: c for word in words(4) if (c := draw(st.integers(0, p - 1)))}, p


@settings(deadline=None)
@given(forms_in_four_variables())
def test_in_four_variables_no_smaller_codimension_makes_the_form_vanish(
    case: tuple[Coefficients, int],
) -> None:
    q, p = case
    found = products_mod(q, 4, p)
    assert expand(found, 4, p) == q
    # The theorem: width w means that the form vanishes on a subspace of codimension w, and on none of codimension w - 1.
    assert vanishes_on_codimension(q, 4, p, len(found))
    assert not found or not vanishes_on_codimension(q, 4, p, len(found) - 1)


@pytest.mark.parametrize(
    ("q", "n", "p", "width"),
    [
        ({(0, 0): 1, (1, 1): 1}, 2, 3, 2),
        ({(0, 0): 1, (1, 1): 1}, 2, 5, 1),
        ({(0, 0): 1, (1, 1): 1, (2, 2): 1}, 3, 3, 2),
        ({(0, 0): 1, (1, 1): 1, (2, 2): 1, (3, 3): 2}, 4, 3, 3),
        # A square on the radical of the polar form: m + 1, whatever an Arf invariant of the rest would be.
        ({(0, 0): 1, (0, 1): 1, (1, 1): 1, (0, 2): 1}, 3, 2, 2),
        ({(0, 0): 1, (0, 1): 1, (1, 1): 1, (2, 2): 1}, 3, 2, 2),
        ({(0, 0): 1, (0, 1): 1, (1, 1): 1}, 2, 2, 2),
        ({(0, 1): 1}, 2, 2, 1),
        ({}, 3, 2, 0),
        ({}, 3, 7, 0),
    ],
)
def test_known_widths(q: Coefficients, n: int, p: int, width: int) -> None:
    assert len(products_mod(q, n, p)) == width


@pytest.mark.parametrize("p", [2, 3, 7, 2**31 - 1])
def test_many_variables_and_large_primes(p: int) -> None:
    rng = np.random.default_rng(5)
    n = 20
    q = {word: int(c) for word in words(n) if (c := rng.integers(0, p))}
    found = products_mod(q, n, p)
    assert expand(found, n, p) == q
    assert len(found) in (10, 11)


@given(st.integers(1, 5), st.sampled_from((3, 5, 11, 101)), st.randoms(use_true_random=False))
def test_the_diagonal_form_gives_the_matrix_back(n: int, p: int, random) -> None:
    matrix = [[0] * n for _ in range(n)]
    for i, j in words(n):
        matrix[i][j] = matrix[j][i] = random.randrange(p)
    weights, forms = diagonalise_mod(matrix, p)
    for i, j in product(range(n), repeat=2):
        assert sum(d * l[i] * l[j] for d, l in zip(weights, forms, strict=True)) % p == matrix[i][j]
    assert len(weights) == n - len(kernel_mod(matrix, n, p))
    v = isotropic_vector_mod(matrix, p)
    if v is None:
        assert n <= 2
        assert len(weights) == n
    else:
        assert any(v)
        assert sum(matrix[i][j] * v[i] * v[j] for i, j in product(range(n), repeat=2)) % p == 0


def test_square_roots_modulo_a_prime() -> None:
    for p in (3, 5, 7, 13):
        squares = {x * x % p for x in range(p)}
        for u in range(p):
            root = sqrt_mod(u, p)
            assert (root is not None) == (u in squares)
            assert root is None or root * root % p == u


def test_denominators_are_inverted_or_refused() -> None:
    assert expand(products_mod({(0, 1): Fraction(1, 2)}, 2, 5), 2, 5) == {(0, 1): 3}
    with pytest.raises(ValueError, match="5 divides its denominator"):
        products_mod({(0, 1): Fraction(1, 5)}, 2, 5)
    with pytest.raises(ValueError, match="products_mod"):
        diagonalise_mod([[1]], 2)
