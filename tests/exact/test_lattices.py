"""Lattices in quadratic spaces."""

from __future__ import annotations

import random
from math import isqrt

import pytest
from flint import fmpq, fmpq_mat, fmpz_mat

from rankproof.exact.congruence import rational_lagrange
from rankproof.exact.factoring import Effort, factor_within, prime_divisors
from rankproof.exact.hilbert import anisotropic_dimension
from rankproof.exact.lattices import (
    Lattice,
    divide_out,
    enlarge,
    lattice,
    reduce_basis,
    to_unimodular_ternary,
)
from rankproof.exact.short_vectors import (
    isotropic_basis_vectors,
    short_isotropic_vector,
    sparse_isotropic_vector,
)


def random_lattice(rng: random.Random, n: int, size: int) -> Lattice:
    while True:
        G = [[fmpq(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                G[i][j] = G[j][i] = fmpq(rng.randint(-size, size))
        if fmpq_mat(G).det():
            return lattice(G)


def diagonal_lattice(*d: int) -> Lattice:
    n = len(d)
    return lattice([[fmpq(d[i]) if i == j else fmpq(0) for j in range(n)] for i in range(n)])


def value(gram: fmpz_mat, v: list[int]) -> int:
    return int((fmpz_mat([v]) * gram * fmpz_mat([v]).transpose())[0, 0])


def check_that_the_basis_has_the_gram_matrix(L: Lattice, space: Lattice) -> None:
    """The Gram matrix is that of the basis vectors in the space."""
    there = fmpq_mat(space.gram) * fmpq(space.scale.numerator, space.scale.denominator)
    here = fmpq_mat(L.gram) * fmpq(L.scale.numerator, L.scale.denominator)
    assert L.basis * there * L.basis.transpose() == here


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_reduction_keeps_the_lattice_and_shortens_its_basis(n: int) -> None:
    rng = random.Random(n)
    L = random_lattice(rng, n, 5)
    shears = fmpz_mat([[rng.randint(-99, 99) if j > i else int(i == j) for j in range(n)] for i in range(n)])
    skew = L.with_basis(fmpq_mat(shears))
    reduced = reduce_basis(skew)
    check_that_the_basis_has_the_gram_matrix(reduced, L)
    assert reduced.determinant == L.determinant
    assert max(map(abs, reduced.gram.entries())) <= 2**n * 5 * n


@pytest.mark.parametrize("p", [2, 3, 7])
def test_enlarging_leaves_at_most_the_square_of_the_prime(p: int) -> None:
    rng = random.Random(p)
    for n in (2, 3, 4, 6):
        L = random_lattice(rng, n, 4)
        stretched = L.with_basis(
            fmpq_mat([[fmpq(p ** rng.randint(0, 3) if i == j else 0) for j in range(n)] for i in range(n)])
        )
        larger = enlarge(stretched, [p])
        check_that_the_basis_has_the_gram_matrix(larger, L)
        exponents, _ = factor_within(abs(larger.determinant), Effort(1))
        assert exponents.get(p, 0) <= (1 if p == 2 else 2)


def test_a_ternary_form_has_a_unimodular_lattice_unless_it_is_anisotropic_somewhere() -> None:
    rng = random.Random(3)
    for _ in range(60):
        L = random_lattice(rng, 3, 20)
        found = to_unimodular_ternary(L, prime_divisors([L.determinant], Effort(1)))
        if isinstance(found, int):
            weights, _ = rational_lagrange([[fmpq(x) for x in row] for row in L.gram.tolist()])
            diagonal = [int(d.p) * int(d.q) for d in weights]
            assert anisotropic_dimension(diagonal, found) == 3
        else:
            assert abs(found.determinant) == 1
            check_that_the_basis_has_the_gram_matrix(found, L)


def test_dividing_out_an_isotropic_vector_leaves_the_form_of_the_rest() -> None:
    # x y + z^2 - 5 w^2, with x y written in a skew basis.
    L = lattice([[fmpq(x) for x in row] for row in ([0, 3, 0, 1], [3, 4, 1, 0], [0, 1, 1, 0], [1, 0, 0, -5])])
    v = [1, 0, 0, 0]
    M = divide_out(L, [v])
    check_that_the_basis_has_the_gram_matrix(M, L)
    polar = [int(x) for x in (fmpz_mat([v]) * L.gram).entries()]
    for row in M.basis.tolist():
        assert sum(x * y for x, y in zip(polar, row, strict=True)) == 0
    assert M.dimension == 2
    # The quotient and the whole differ by a hyperbolic plane, of determinant -1 up to squares.
    square = -L.determinant * M.determinant
    assert isqrt(square) ** 2 == square


def test_dividing_out_everything_leaves_nothing() -> None:
    L = diagonal_lattice(1, -1)
    assert divide_out(L, [[1, 1]]).dimension == 0


def test_short_isotropic_vectors_are_isotropic() -> None:
    rng = random.Random(4)
    hits = 0
    for n in (3, 4, 5, 8, 11):
        for _ in range(10):
            gram = random_lattice(rng, n, 6).gram
            v = sparse_isotropic_vector(gram) or short_isotropic_vector(gram, 5000)
            if v is not None:
                hits += 1
                assert any(v)
                assert value(gram, v) == 0
    assert hits > 25


def test_isotropic_basis_vectors_span_a_totally_isotropic_space() -> None:
    gram = fmpz_mat([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 1]])
    assert isotropic_basis_vectors(gram) == [[1, 0, 0, 0], [0, 0, 1, 0]]


def test_values_too_large_for_64_bits_are_not_searched() -> None:
    huge = 10**12
    gram = fmpz_mat([[huge, 0, 0], [0, huge + 1, 0], [0, 0, -2 * huge - 1]])
    assert short_isotropic_vector(gram, 5000) is None
