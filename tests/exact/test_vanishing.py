"""Products from a subspace on which a form vanishes."""

from __future__ import annotations

import random
from fractions import Fraction

from flint import fmpz_mat

from rankproof.exact.vanishing import products_from_subspace, short_basis, short_dual_vectors


def expand(terms: list, n: int) -> list[list[Fraction]]:
    G = [[Fraction(0)] * n for _ in range(n)]
    for c, a, b in terms:
        for i in range(n):
            for j in range(n):
                G[i][j] += Fraction(c) * (a[i] * b[j] + a[j] * b[i]) / 2
    return G


def test_a_form_vanishing_on_a_subspace_has_as_many_products_as_the_codimension() -> None:
    rng = random.Random(1)
    for n, w in ((2, 1), (4, 2), (5, 3), (7, 4)):
        # a_1 b_1 + ... + a_w b_w vanishes where the a_i do.
        A = [[rng.randint(-3, 3) for _ in range(n)] for _ in range(w)]
        B = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(w)]
        form = expand([(Fraction(1, 3), a, b) for a, b in zip(A, B, strict=True)], n)
        kernel, nullity = fmpz_mat(A).nullspace()
        vectors = [[int(kernel[i, k]) for i in range(n)] for k in range(nullity)]
        terms = products_from_subspace(form, vectors)
        assert expand(terms, n) == form
        assert len(terms) <= w
        assert max(abs(x) for _, a, b in terms for x in (*a, *b)) < 1000


def test_without_a_subspace_there_is_a_product_for_each_variable() -> None:
    assert products_from_subspace([[1, Fraction(1, 2)], [Fraction(1, 2), 1]], []) == [
        (1, [1, 0], [1, 0]),
        (1, [0, 1], [1, 1]),
    ]


def test_a_form_that_vanishes_everywhere_has_no_products() -> None:
    assert products_from_subspace([[0]], [[1]]) == []
    assert products_from_subspace([[0]], []) == []


def test_dual_vectors_of_a_saturated_basis() -> None:
    rng = random.Random(2)
    for n, k in ((3, 1), (5, 2), (6, 6)):
        rows = [[rng.randint(-50, 50) for _ in range(n)] for _ in range(k)]
        A = short_basis(rows)
        U = short_dual_vectors(A)
        assert (A * U.transpose()).tolist() == [[int(i == j) for j in range(k)] for i in range(k)]


def test_a_square_with_an_odd_half_is_split() -> None:
    # 1/2 x^2 + x y = 1/2 x (x + 2 y): twice the form is integral, the form itself is not.
    matrix = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2), Fraction(0)]]
    ((c, a, b),) = products_from_subspace(matrix, [[0, 1]])
    assert [c * a[0] * b[0], c * (a[0] * b[1] + a[1] * b[0]), c * a[1] * b[1]] == [Fraction(1, 2), 1, 0]
