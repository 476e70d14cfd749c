"""Sums of units, what they leave over, and limits of border families."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import border_families, decompositions

from rankproof.errors import TargetError, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field, NumberField, gf, number
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space

eps = Laurent.power(1)

# V. Strassen, Gaussian elimination is not optimal, Numer. Math. 13 (1969): seven products (A), (B) and their place in C.
STRASSEN = [
    ((1, 0, 0, 1), (1, 0, 0, 1), (1, 0, 0, 1)),
    ((0, 0, 1, 1), (1, 0, 0, 0), (0, 0, 1, -1)),
    ((1, 0, 0, 0), (0, 1, 0, -1), (0, 1, 0, 1)),
    ((0, 0, 0, 1), (-1, 0, 1, 0), (1, 0, 1, 0)),
    ((1, 1, 0, 0), (0, 0, 0, 1), (-1, 1, 0, 0)),
    ((-1, 0, 1, 0), (1, 1, 0, 0), (0, 0, 0, 1)),
    ((0, 1, 0, -1), (0, 0, 1, 1), (1, 0, 0, 0)),
]


def read(text, **options):
    return read_targets(text, **options)[0]


@given(decompositions())
def test_a_sum_of_units_leaves_nothing_over_of_its_own_target(pair):
    space, found = pair
    if found.expand(space):
        assert found.residual(found.target(space)) == {}


@given(decompositions(width=4))
def test_dropping_units_leaves_over_what_they_expand_to(pair):
    space, found = pair
    head = Decomposition(found.units_model, found.ring, found.units[:1])
    tail = Decomposition(found.units_model, found.ring, found.units[1:])
    if found.expand(space):
        assert head.residual(found.target(space)) == tail.expand(space)


@pytest.mark.parametrize("ring", [QQ, gf(2), gf(7)], ids=str)
def test_strassen_multiplies_two_by_two_matrices_with_seven_products(ring):
    found = Decomposition.of("product", STRASSEN, ring)
    assert len(found) == 7
    assert found.residual(named("matmul", 2, 2, 2)) == {}
    spoilt = Decomposition("product", ring, found.units[1:])
    assert spoilt.residual(named("matmul", 2, 2, 2)) == Decomposition.of(
        "product", STRASSEN[:1], ring
    ).expand(Space.tensor(4, 4, 4))


def test_a_decomposition_over_the_rationals_with_denominator_p_is_none_over_GF_p():
    half = Fraction(1, 4)
    xy = Decomposition.of("tied", [((1, 1), (half,)), ((1, -1), (-half,))])
    assert xy.residual(read("x*y")) == {}
    with pytest.raises(TargetError, match="2 divides its denominator"):
        Decomposition.of("tied", xy.units, gf(2))


def test_three_cubes_over_a_cyclic_cubic_field_sum_to_a_rational_form():
    # The trace of t*(x + t*y)**3 over the roots of a cubic is rational; one root alone is not.
    field = Field.parse("QQ(t**3-2)")
    t = field.number_field.generator()
    one = Decomposition.of("tied", [((1, t), (t,))], field)
    assert one.expand(Space.form(2, 3)) == {
        (0, 0, 0): t,
        (0, 0, 1): 3 * t * t,
        (0, 1, 1): 6,
        (1, 1, 1): 2 * t,
    }
    with pytest.raises(TargetError, match="cannot be read over"):
        one.residual(read("x**3", ring=gf(5)))


@given(border_families())
def test_a_border_family_leaves_nothing_over_of_its_own_limit(pair):
    space, family = pair
    total = family.expand(space)
    lowest = min((c.terms[0][0] for c in total.values()), default=None)
    if lowest is None:
        return
    shifted = BorderFamily(family.units_model, family.ring, lowest, family.units)
    assert shifted.residual(shifted.limit(space)) == {}
    late = BorderFamily(family.units_model, family.ring, lowest + 1, family.units)
    with pytest.raises(UsageError, match=f"no limit at eps\\^{lowest + 1}"):
        late.limit(space)
    assert late.residual(shifted.limit(space)) != {}


@given(decompositions(), st.integers(-2, 2))
def test_a_decomposition_is_a_border_family_that_does_not_move(pair, order):
    space, found = pair
    family = BorderFamily(found.units_model, found.ring, 0, found.units)
    assert {w: c.coefficient(0) for w, c in family.expand(space).items()} == found.expand(space)


def test_the_difference_quotient_of_two_cubes_tends_to_the_tangent():
    # ((x + eps*y)**3 - x**3)/(3*eps) -> x**2*y: border rank 2, rank 3.
    family = BorderFamily("tied", QQ, 1, (((1, eps), (Fraction(1, 3),)), ((1, 0), (Fraction(-1, 3),))))
    assert family.residual(read("x**2*y")) == {}
    assert family.limit(Space.form(2, 3)) == read("x**2*y")
    assert family.residual(read("x**2*y + y**3")) == {(1, 1, 1): -eps}


def test_two_products_tend_to_the_W_tensor():
    # The same with three different factors: W has rank 3 and border rank 2.
    family = BorderFamily("product", QQ, 1, (((1, eps), (1, eps), (1, eps)), ((-1, 0), (1, 0), (1, 0))))
    assert family.residual(named("W", 3)) == {}
    assert family.limit(Space.tensor(2, 2, 2)) == named("W", 3)


def test_a_unit_of_the_wrong_shape_is_refused():
    with pytest.raises(UsageError, match=r"lengths \[2, 1\] .* lengths \[3, 1\] were given"):
        Decomposition("tied", QQ, (((1, 0, 0), (1,)),)).expand(Space.form(2, 3))
    with pytest.raises(UsageError, match="not a kind of unit"):
        Decomposition.of("waring", [])


# Factor matrices


@given(decompositions())
def test_factor_matrices_hold_the_units_exactly(pair):
    _, found = pair
    matrices = found.to_numpy()
    again = Decomposition.from_numpy(*matrices, units_model=found.units_model, ring=found.ring)
    assert again == found
    for matrix, vectors in zip(matrices, zip(*found.units, strict=True), strict=True):
        assert matrix.shape == (len(vectors[0]), len(found))
        assert matrix.dtype in (np.int64, object)
        assert not any(isinstance(x, float) for x in matrix.ravel().tolist())


def test_strassen_s_factor_matrices_multiply_matrices():
    U, V, W = Decomposition.of("product", STRASSEN).to_numpy()
    A, B = np.arange(4).reshape(2, 2), np.array([[5, -2], [7, 3]])
    assert U.dtype == V.dtype == W.dtype == np.int64
    assert np.array_equal(W @ ((U.T @ A.ravel()) * (V.T @ B.ravel())), (A @ B).ravel())


def test_large_and_irrational_entries_are_objects():
    root = NumberField.sqrt(3).generator()
    found = Decomposition("product", number(root.field), (((2**63, 1), (root,), (Fraction(1, 2),)),))
    U, V, W = found.to_numpy()
    assert (U.dtype, V.dtype, W.dtype) == (object, object, object)
    assert (U[0, 0], V[0, 0], W[0, 0]) == (2**63, root, Fraction(1, 2))


def test_a_family_has_laurent_entries():
    family = BorderFamily("tied", QQ, 1, (((1, eps), (1,)), ((1, 0), (-1,))))
    form, weight = family.to_numpy()
    assert form[1, 0] == eps
    assert weight.tolist() == [[1, -1]]


def test_floats_and_unequal_matrices_are_no_factors():
    with pytest.raises(UsageError, match="float64 entries, which are not exact"):
        Decomposition.from_numpy(np.ones((2, 2)), np.ones((2, 2), int))
    with pytest.raises(UsageError, match=r"shapes \(2, 2\), \(2, 3\)"):
        Decomposition.from_numpy(np.ones((2, 2), int), np.ones((2, 3), int))
    with pytest.raises(TargetError):
        Decomposition.from_numpy(np.array([[0.5]], dtype=object))


def test_strassen_s_scheme_takes_eighteen_additions():
    strassen = Decomposition.of("product", STRASSEN)
    assert strassen.additions() == 18
    # One product of one entry by one entry in one result adds nothing; its double adds once.
    one = Decomposition.of("product", [((1, 0), (0, 1), (1, 0))])
    assert one.additions() == 0
    assert Decomposition.of("product", [((1, 2), (0, 1), (1, 0))] * 2).additions() == 3
    with pytest.raises(UsageError, match="products of vectors"):
        Decomposition.of("tied", [[[1, 1], [1]]]).additions()
