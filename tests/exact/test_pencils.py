"""Kronecker's form of pencils, the fields of their roots, and the sums made from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.exact.kronecker_form import PencilBlock, identity, kronecker_form, multiply, transpose
from rankproof.exact.pencil_sums import pencil_sum
from rankproof.exact.splitting_fields import factors, real_field, roots, splitting_field
from rankproof.problem.field import QQ, RR, gf
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def companion(f):
    d = len(f) - 1
    return [[int(i == j + 1) - (f[i] if j == d - 1 else 0) for j in range(d)] for i in range(d)]


def normal(block: PencilBlock):
    """The matrices A', B' of a block."""
    d = block.size
    if block.kind == "J":
        C = companion(block.polynomial)
        return [[int(i == j) - block.shift * C[i][j] for j in range(d)] for i in range(d)], C
    A = [[int(j == i + 1) for j in range(d + 1)] for i in range(d)]
    B = [[-int(j == i) for j in range(d + 1)] for i in range(d)]
    return (A, B) if block.kind == "L" else (transpose(A, d + 1), transpose(B, d + 1))


def reassembled(blocks, m, n, ring):
    total = [[[0] * n for _ in range(m)] for _ in range(2)]
    for block in blocks:
        for which, M in enumerate(normal(block)):
            if M and M[0]:
                part = multiply(multiply(block.P, M, ring), transpose(block.Q, len(M[0])), ring)
                for i in range(m):
                    for j in range(n):
                        total[which][i][j] = ring.reduce(total[which][i][j] + part[i][j])
    return total


def tensor(A, B, ring):
    entries = {
        (k, i, j): x for k, M in enumerate((A, B)) for i, row in enumerate(M) for j, x in enumerate(row)
    }
    return Target.from_entries(Space.tensor(2, len(A), len(A[0])), entries, ring)


@st.composite
def pencils(draw, ring):
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entry = st.sampled_from([0, 0, 1, -1]).map(ring.reduce)
    rows = st.lists(st.lists(entry, min_size=n, max_size=n), min_size=m, max_size=m)
    return draw(rows), draw(rows)


@pytest.mark.parametrize("ring", [QQ, gf(2), gf(5)], ids=str)
def test_the_blocks_of_a_pencil_add_up_to_it(ring):
    @given(pencils(ring))
    def check(pencil):
        A, B = pencil
        blocks = kronecker_form(A, B, ring)
        # Over GF(2) a regular pencil may be singular at all three points of the line.
        assert blocks is not None or ring == gf(2)
        if blocks is not None:
            assert reassembled(blocks, len(A), len(A[0]), ring) == [A, B]
            polynomials = [b.polynomial for b in blocks if b.kind == "J"]
            assert [len(f) for f in polynomials] == sorted((len(f) for f in polynomials), reverse=True)

    check()


@pytest.mark.parametrize("ring", [QQ, gf(2), gf(5)], ids=str)
def test_sums_for_pencils_are_exact_and_families_have_them_as_limits(ring):
    @given(pencils(ring))
    def check(pencil):
        A, B = pencil
        if not any(x for M in pencil for row in M for x in row):
            return
        exact, family = pencil_sum(A, B, ring), pencil_sum(A, B, ring, border=True)
        if exact is None or family is None:
            assert ring == gf(2)
            return
        assert exact.residual(tensor(A, B, ring)) == {}
        assert family.residual(tensor(A, B, ring)) == {}
        assert len(family) <= len(exact)

    check()


def diagonal(*blocks):
    """Block diagonal matrix; a block is a matrix of any shape."""
    n = sum(len(b[0]) for b in blocks)
    rows, start = [], 0
    for block in blocks:
        rows += [[0] * start + list(row) + [0] * (n - start - len(block[0])) for row in block]
        start += len(block[0])
    return rows


L1, L1T = ([[0, 1]], [[-1, 0]]), ([[0], [1]], [[-1], [0]])
J2 = [[0, 1], [0, 0]]
ROTATION = [[0, -1], [1, 0]]


@pytest.mark.parametrize(
    ("A", "B", "rank", "border"),
    [
        # JaJa, Optimal evaluation of pairs of bilinear forms, SIAM Journal on Computing 8 (1979).
        (identity(2), J2, 3, 2),
        (identity(3), diagonal(J2, [[1]]), 4, 3),
        (identity(4), diagonal(J2, J2), 6, 4),
        (identity(4), diagonal(ROTATION, ROTATION), 6, 6),
        (identity(4), diagonal(ROTATION, [[0, -2], [2, 0]]), 5, 5),
        (diagonal(L1[0], L1[0]), diagonal(L1[1], L1[1]), 4, 4),
        (diagonal(L1[0], L1T[0]), diagonal(L1[1], L1T[1]), 4, 3),
        (diagonal(L1[0], identity(2)), diagonal(L1[1], J2), 5, 4),
    ],
)
def test_pencils_over_the_rationals_have_the_length_of_jajas_formula(A, B, rank, border):
    assert len(pencil_sum(A, B, QQ)) == rank
    assert len(pencil_sum(A, B, QQ, border=True)) == border


def test_over_small_fields_pencils_need_more_than_the_formula():
    # Over GF(2) the companion matrix of x^3 + x + 1 with the identity has rank 5, where the formula says 4.
    assert len(pencil_sum(identity(3), companion((1, 1, 0, 1)), gf(2))) == 5
    assert len(pencil_sum(identity(2), companion((1, 1, 1)), gf(2))) == 3
    assert len(pencil_sum(identity(3), companion((1, 1, 0, 1)), gf(5))) == 4


@pytest.mark.parametrize(
    ("f", "degree"),
    [((1, 0, 1), 2), ((-2, 0, 0, 1), 6), ((4, 0, 5, 0, 1), 2), ((6, 0, -5, 0, 1), 4), ((-1, 0, 1), 1)],
)
def test_a_polynomial_falls_into_linear_factors_over_its_splitting_field(f, degree):
    ring = splitting_field(f)
    assert (ring.number_field.degree if ring.number_field else 1) == degree
    found = roots(f, ring)
    assert sum(e for _, e in found) == len(f) - 1
    for root, _ in found:
        value = 0
        for c in reversed(f):
            value = ring.reduce(value * root + c)
        assert value == 0


def test_fields_of_real_roots_are_real():
    assert real_field((-2, 0, 0, 1)).number_field.real_root is not None
    assert RR.includes(real_field((-2, 0, 1)))
    assert real_field((1, 0, 1)) is None
    assert real_field((-1, 0, 1)) is None


def test_factors_are_found_over_finite_fields_and_number_fields():
    assert factors((1, 0, 0, 0, 1), gf(2)) == [((1, 1), 4)]
    assert len(factors((-1, 0, 0, 0, 1), splitting_field((1, 0, 1)))) == 4
    assert roots((1, 0, 1), QQ) is None
