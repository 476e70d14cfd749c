"""Laurent polynomials in eps."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from strategies import SQRT2, laurents, scalars

from rankproof.problem.field import QQ, gf
from rankproof.problem.laurent import Laurent, as_laurent

eps = sympy.Symbol("eps")


def as_sympy(x: Laurent):
    return sum((sympy.Rational(c) * eps**e for e, c in x.terms), sympy.Integer(0))


@given(laurents(QQ), laurents(QQ))
def test_laurent_polynomials_compute_like_sympy_expressions(x, y):
    assert sympy.expand(as_sympy(x + y) - as_sympy(x) - as_sympy(y)) == 0
    assert sympy.expand(as_sympy(x - y) - as_sympy(x) + as_sympy(y)) == 0
    assert sympy.expand(as_sympy(x * y) - as_sympy(x) * as_sympy(y)) == 0


@given(laurents(QQ))
def test_a_laurent_polynomial_is_written_so_that_sympy_reads_it(x):
    assert sympy.expand(sympy.sympify(str(x), locals={"eps": eps}) - as_sympy(x)) == 0


@given(laurents(SQRT2), scalars(SQRT2))
def test_scalars_are_constant_laurent_polynomials(x, c):
    assert x * c == c * x == x * as_laurent(c)
    assert x + c == c + x == x + Laurent.constant(c)
    assert c - x == -(x - c)
    assert as_laurent(c).is_constant


@given(st.dictionaries(st.integers(-3, 3), st.integers(-9, 9)))
def test_only_coefficients_that_are_not_zero_are_kept(coefficients):
    x = Laurent.from_mapping(coefficients)
    assert bool(x) == any(coefficients.values())
    assert all(x.coefficient(e) == c for e, c in coefficients.items())
    assert [e for e, _ in x.terms] == sorted(e for e, c in coefficients.items() if c)


def test_reduction_modulo_p_may_make_a_polynomial_constant():
    x = Laurent.from_mapping({0: Fraction(1, 2), 1: 3})
    assert x.over(gf(3)) == Laurent.constant(2)
    assert not x.is_constant


@pytest.mark.parametrize(
    "x, text",
    [
        (Laurent(()), "0"),
        (Laurent.power(1), "eps"),
        (Laurent.power(-2, Fraction(-1, 3)), "-1/3*eps**-2"),
        (1 - Laurent.power(1) * SQRT2.number_field.element([0, -1]), "1 + (sqrt2)*eps"),
    ],
)
def test_a_laurent_polynomial_is_one_readable_line(x, text):
    assert str(x) == text
