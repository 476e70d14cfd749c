"""Fields, number fields and their elements."""

from __future__ import annotations

from fractions import Fraction
from math import nan

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import CUBE_ROOT, EXACT_FIELDS, SQRT2, exact_fields, scalars

from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field, NumberField, gf, number

SQRT_MINUS_1 = Field.parse("QQ(i)")


def as_sympy(x, root):
    """A number of a number field as a sympy number."""
    coefficients = x.coefficients if isinstance(x, Algebraic) else (x,)
    return sum((sympy.Rational(c) * root**k for k, c in enumerate(coefficients)), sympy.Integer(0))


@given(st.data(), exact_fields)
def test_exact_numbers_form_a_field(data, ring):
    x, y, z = (data.draw(scalars(ring)) for _ in range(3))
    assert ring.reduce(x + y) == ring.reduce(y + x)
    assert ring.reduce((x * y) * z) == ring.reduce(x * (y * z))
    assert ring.reduce(x * (y + z)) == ring.reduce(x * y + x * z)
    assert ring.reduce(x - x) == 0
    if x:
        assert ring.reduce(x * ring.inverse(x)) == 1


@given(st.data())
def test_elements_of_a_number_field_compute_like_sympy_numbers(data):
    x, y = (data.draw(scalars(CUBE_ROOT)) for _ in range(2))
    root = sympy.cbrt(2)
    assert sympy.expand(as_sympy(x, root) * as_sympy(y, root) - as_sympy(x * y, root)) == 0
    assert sympy.expand(as_sympy(x, root) - as_sympy(y, root) - as_sympy(x - y, root)) == 0


@given(st.data())
def test_a_result_that_is_rational_is_an_int_or_a_fraction(data):
    x = data.draw(scalars(SQRT2))
    a = SQRT2.number_field.generator()
    conjugate = (
        x
        if not isinstance(x, Algebraic)
        else SQRT2.number_field.element([x.coefficients[0], -x.coefficients[1]])
    )
    assert isinstance(x * conjugate, int | Fraction)
    assert type(a * a) is int
    assert a * a == 2


def test_the_golden_ratio_satisfies_its_equation():
    phi = NumberField.from_polynomial((-1, -1, 1), "phi").generator()
    assert phi * phi == phi + 1
    assert 1 / phi == phi - 1
    assert phi**-3 * phi**3 == 1
    assert phi**10 == 55 * phi + 34
    assert str(2 * phi - Fraction(1, 2)) == "-1/2 + 2*phi"


def test_an_irrational_number_equals_no_rational_and_hashes_by_value():
    a = NumberField.sqrt(2).generator()
    assert a != 1
    assert a + 1 == 1 + a
    assert len({a + 1, 1 + a, a}) == 2


def test_numbers_of_two_fields_do_not_add():
    with pytest.raises(UsageError, match="another field"):
        NumberField.sqrt(2).generator() + NumberField.sqrt(3).generator()


@pytest.mark.parametrize(
    "smaller, larger",
    [
        (QQ, RR),
        (QQ, CC),
        (RR, CC),
        (QQ, SQRT2),
        (SQRT2, RR),
        (SQRT2, CC),
        (SQRT_MINUS_1, CC),
        (gf(7), gf(7)),
        (RR, RR),
    ],
    ids=str,
)
def test_a_field_includes_its_subfields(smaller, larger):
    assert larger.includes(smaller)
    assert smaller == larger or not smaller.includes(larger)


@pytest.mark.parametrize(
    "one, other",
    [(gf(7), QQ), (gf(7), CC), (gf(5), gf(7)), (SQRT_MINUS_1, RR), (SQRT2, CUBE_ROOT)],
    ids=str,
)
def test_finite_fields_and_other_number_fields_and_imaginary_ones_stand_apart(one, other):
    assert not one.includes(other)
    assert not other.includes(one)


@pytest.mark.parametrize("p", [2, 3, 7, 101])
def test_a_fraction_reduces_modulo_p_to_its_quotient(p):
    field = gf(p)
    for n in range(-5, 6):
        for d in range(1, 6):
            if d % p:
                assert field.reduce(Fraction(n, d)) * d % p == n % p


def test_a_denominator_divisible_by_p_has_no_value():
    with pytest.raises(TargetError, match="7 divides its denominator; use another prime"):
        gf(7).reduce(Fraction(1, 14))


@pytest.mark.parametrize("x", [0.5, nan, True, "1", None, 1j])
@pytest.mark.parametrize("ring", EXACT_FIELDS, ids=str)
def test_what_is_not_exact_is_refused(ring, x):
    with pytest.raises(TargetError):
        ring.reduce(x)


def test_a_float_is_answered_with_the_rational_to_write():
    with pytest.raises(TargetError, match="0.25 is a float; write an exact rational such as 1/4"):
        QQ.reduce(0.25)


@pytest.mark.parametrize(
    "text, characteristic, polynomial",
    [
        ("QQ", 0, None),
        ("GF(7)", 7, None),
        (" GF( 2147483647 ) ", 2147483647, None),
        ("QQ(i)", 0, (1, 0, 1)),
        ("QQ(sqrt(3))", 0, (-3, 0, 1)),
        ("QQ(sqrt3)", 0, (-3, 0, 1)),
        ("QQ(sqrt(-3))", 0, (3, 0, 1)),
        ("QQ(t**3-2)", 0, (-2, 0, 0, 1)),
        ("QQ(-2 + t**3 + 2*t)", 0, (-2, 2, 0, 1)),
    ],
)
def test_a_field_is_read_from_its_name(text, characteristic, polynomial):
    field = Field.parse(text)
    assert field.characteristic == characteristic
    assert (field.number_field and field.number_field.minimal_polynomial) == polynomial


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("GF(4)", "4 is not a prime"),
        ("GF(1)", "1 is not a prime"),
        ("GF(2147483659)", "below 2\\^31"),
        ("QQ(sqrt(9))", "sqrt\\(9\\) = 3 is rational"),
        ("QQ(t**2-1)", "reducible"),
        ("QQ(t**4+4)", "reducible"),
        ("QQ(t**2+2*t+1)", "reducible"),
        ("QQ(2*t**2-3)", "monic"),
        ("QQ(t-3)", "degree 2"),
        ("QQ(t**25-2)", "degree 2"),
        ("QQ(t**2-u)", "one variable"),
        ("QQ(5)", "one variable"),
        ("QQ(sin(t))", "cannot read"),
        ("ZZ", "not a field"),
        ("", "not a field"),
    ],
)
def test_a_text_that_names_no_field_is_refused_with_the_repair(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        Field.parse(text)


def test_a_square_root_of_a_positive_number_is_embedded_at_its_positive_root():
    l, u = NumberField.sqrt(7).real_root
    assert 0 < l < u
    assert l * l < 7 < u * u
    assert NumberField.sqrt(-7).real_root is None


@pytest.mark.parametrize("interval", [(-2, 2), (2, 3), (Fraction(3, 2), 1), (5, 9)])
def test_an_interval_that_does_not_isolate_one_root_is_refused(interval):
    with pytest.raises(UsageError, match="exactly one real root"):
        NumberField("a", (-2, 0, 1), interval)


@pytest.mark.parametrize("symbol", ["A", "", "2a", "a" * 17, "a-b", "é"])
def test_a_symbol_outside_the_format_is_refused(symbol):
    with pytest.raises(UsageError, match="cannot name a root"):
        NumberField(symbol, (-2, 0, 1))


def test_RR_and_CC_are_asked_about_and_not_computed_in():
    assert not RR.is_exact
    assert not CC.is_exact
    assert all(field.is_exact for field in EXACT_FIELDS)


@given(st.data(), exact_fields)
def test_zero_has_no_inverse_and_the_inverse_is_in_normal_form(data, ring):
    with pytest.raises(ZeroDivisionError):
        ring.inverse(0)
    x = data.draw(scalars(ring))
    assume(x)
    assert ring.reduce(ring.inverse(x)) == ring.inverse(x)


def test_a_number_field_knows_its_degree_and_name():
    field = number(NumberField.from_polynomial((-10, 0, 0, 0, 1), "r"))
    assert field.number_field.degree == 4
    assert str(field) == "QQ(r)"
