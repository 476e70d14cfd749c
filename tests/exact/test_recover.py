"""Exact decompositions from floating-point ones."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from flint import acb
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.exact.recognise import (
    integer_relation,
    minimal_polynomial,
    number_field,
    recognise_in,
    recognise_rational,
)
from rankproof.exact.recover import recover
from rankproof.exact.refine import refine
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space


def target(text):
    return read_targets(text)[0]


def test_rounded_coordinates_are_checked_exactly():
    xy = [[[1, 1], [0.25]], [[1, -1], [-0.25 + 1e-9]]]
    found = recover(target("x*y"), "tied", xy)
    assert found.decomposition is not None and not found.decomposition.residual(target("x*y"))
    assert found.tried[-1].endswith("exact")


def test_floats_that_sum_to_another_target_recover_nothing():
    found = recover(target("x*y"), "tied", [[[1, 1], [0.25]], [[1, 2], [-0.5]]])
    assert found.decomposition is None and len(found.tried) == 3


def test_units_that_vanish_are_left_out():
    found = recover(target("(x + y)**2"), "tied", [[[1, 1], [1.0]], [[1, 0], [1e-12]], [[0, 0], [3]]])
    assert found.decomposition is not None and len(found.decomposition) == 1
    assert recover(target("x*y"), "tied", [[[0, 0], [1]]]).tried == ["all units vanish"]


def test_weights_of_large_height_come_from_a_linear_system():
    forms = [(1, 0), (1, 1), (1, -1), (1, 2), (2, 1)]
    weights = [Fraction(17, 1_000_003), Fraction(5, 77), Fraction(-3, 99_991), Fraction(1, 2), Fraction(9, 7)]
    exact = Decomposition.of("tied", [(a, (w,)) for a, w in zip(forms, weights, strict=True)])
    quartic = exact.target(Space.form(2, 4))
    found = recover(quartic, "tied", [[a, [float(w)]] for a, w in zip(forms, weights, strict=True)])
    assert found.decomposition == exact
    assert "linear system" in found.tried[-1]


def test_a_square_root_is_recognised_when_the_reals_are_asked_for():
    form = target("2*x**4 + 24*x**2*y**2 + 8*y**4")
    units = [[[1, 2**0.5], [1]], [[1, -(2**0.5)], [1]]]
    assert recover(form, "tied", units).decomposition is None
    found = recover(form, "tied", units, over=RR).decomposition
    assert found is not None and found.ring.number_field is not None
    assert str(found.ring) == "QQ(sqrt2)" and found.ring.number_field.real_root is not None


def test_a_cubic_field_is_recognised_with_its_real_root():
    root = 2 ** (1 / 3)
    # The trace of (x + t*y)^3 over the conjugates of t is rational; its real part alone is not, so take a product form.
    exact = Decomposition.of("tied", [((1, 0), (1,)), ((0, 1), (2,))])
    cubic = exact.target(Space.form(2, 3))
    # x^3 + 2 y^3 = x^3 + (t*y)^3 with t^3 = 2.
    found = recover(cubic, "tied", [[[1, 0], [1]], [[0, root], [1]]], held=_held_but((1, 0, 1)), over=RR)
    assert found.decomposition is not None and found.decomposition.ring.number_field is not None
    assert found.decomposition.ring.number_field.minimal_polynomial == (-2, 0, 0, 1)


def _held_but(place):
    return [[[(s, v, i) != place for i in range(n)] for v, n in ((0, 2), (1, 1))] for s in range(2)]


def test_complex_coordinates_are_recognised_over_the_complex_numbers_only():
    omega = complex(-0.5, 3**0.5 / 2)
    # Sum of w^k (x + w^k y)^4 over the cube roots of unity is 18 x^2 y^2.
    units = [[[1, omega**k], [omega**k / 18]] for k in range(3)]
    form = target("x**2*y**2")
    assert recover(form, "tied", units, over=RR).tried == ["the coordinates are not real"]
    found = recover(form, "tied", units, over=CC).decomposition
    assert found is not None and str(found.ring) == "QQ(sqrtm3)"


def test_gaussian_coordinates_are_rounded():
    # (x + i y)^2 + (x - i y)^2 = 2 x^2 - 2 y^2
    units = [[[1, 1j], [1]], [[1, -1j], [1]]]
    found = recover(target("2*x**2 - 2*y**2"), "tied", units, over=CC).decomposition
    assert found is not None and str(found.ring) == "QQ(i)"


def test_a_target_with_irrational_coefficients_keeps_its_field():
    t = target("x**2 + sqrt(2)*y**2")
    found = recover(t, "tied", [[[1, 0], [1]], [[0, 1], [2**0.5]]]).decomposition
    assert found is not None and found.ring == t.ring


def test_newtons_method_gives_digits_of_isolated_solutions_only():
    form = target("2*x**4 + 24*x**2*y**2 + 8*y**4")
    units = [[[1, 1.4142135], [1]], [[1, -1.4142135], [1]]]
    refined = refine(form, "tied", units, [(0, 0, 1), (1, 0, 1)], 60)
    assert refined is not None
    with flint.ctx.workprec(300):
        assert abs(refined[0][0][1] ** 2 - 2) < flint.arb(10) ** -58
    everything = [(s, v, i) for s in range(2) for v, n in ((0, 2), (1, 1)) for i in range(n)]
    assert refine(form, "tied", units, everything, 60) is None
    assert refine(target("x**4 + y**4 + x*y**3"), "tied", units, [(0, 0, 1), (1, 0, 1)], 60) is None


@settings(max_examples=30)
@given(st.fractions(max_denominator=10**9, min_value=-100, max_value=100))
def test_rationals_of_small_height_are_recognised_from_their_digits(x):
    with flint.ctx.workprec(300):
        assert recognise_rational(acb(flint.fmpq(x.numerator, x.denominator)), 60) == x


def test_transcendental_numbers_are_not_recognised():
    with flint.ctx.workprec(300):
        assert recognise_rational(acb.pi(), 60) is None
        assert minimal_polynomial(acb.pi(), 60) is None
        assert integer_relation([acb(1), acb.pi(), acb.pi() ** 2], 60) is None


@pytest.mark.parametrize(
    "polynomial", [(-2, 0, 1), (1, 1, 3), (-2, 0, 0, 1), (-1, -1, 0, 0, 0, 1), (7, 0, 6, 5)]
)
def test_minimal_polynomials_and_elements_of_their_fields_are_recognised(polynomial):
    with flint.ctx.workprec(400):
        z = max(flint.fmpz_poly(list(polynomial)).complex_roots(), key=lambda r: float(r[0].real))[0]
        assert minimal_polynomial(z, 80) == polynomial
        is_real = z.imag == 0
        field, generator = number_field(z, polynomial, real=is_real)
        assert (field.real_root is not None) == bool(is_real)
        element = recognise_in((z * z - 5) / 3, field, generator, 80)
        again = recognise_in(z, field, generator, 80)
        assert element is not None and again is not None and (again * again - 5) * Fraction(1, 3) == element


def test_recovery_searches_over_the_rationals_unless_told_otherwise():
    assert recover(target("x*y"), "split", [[[1, 0], [0, 1], [1]]]).decomposition.ring == QQ
