"""Sums of units, what they leave over, and limits of border families."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import border_families, decompositions

from rankproof.errors import TargetError, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field, gf
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
