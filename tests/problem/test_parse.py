"""Text to targets, against sympy and the atlas."""

from __future__ import annotations

import re

import pytest
import sympy
from external import atlas, atlas_file
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import RankproofError, TargetError, UsageError
from rankproof.problem.field import QQ, RR, Field, gf
from rankproof.problem.parse import natural_key, read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import render

ATLAS = (
    [] if atlas_file() is None else [e["id"] for e in atlas()["entries"] if e["target"]["type"] != "tensor"]
)


def read(text, **options):
    (target,) = read_targets(text, **options)
    return target


def sympy_part(expressions, names, degree):
    """Coefficients by word of the part of one degree, computed by sympy."""
    entries = {}
    for j, expression in enumerate(expressions):
        for exponents, c in sympy.Poly(expression, *names, domain="QQ").terms():
            if sum(exponents) == degree and c:
                word = tuple(i for i, e in enumerate(exponents) for _ in range(e))
                entries[(*word, j) if len(expressions) > 1 else word] = (
                    QQ.reduce(c.numerator) * 1 if c.q == 1 else c
                )
    return entries


def same(entries, expected):
    return entries.keys() == expected.keys() and all(
        sympy.Rational(entries[w]) == expected[w] for w in entries
    )


# Random polynomial texts, built so that sympy reads the same characters.
atoms = st.one_of(
    st.sampled_from(["x", "y", "z"]),
    st.integers(0, 9).map(str),
    st.sampled_from(["1/2", "2/3", "(x - y)", "(1+z)"]),
)


def combine(inner):
    return st.one_of(
        st.builds("{}*{}".format, inner, inner),
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} - {})".format, inner, inner),
        st.builds("({})**{}".format, inner, st.integers(0, 3)),
        st.builds("-{}".format, inner).map("({})".format),
        st.builds("({})/{}".format, inner, st.integers(1, 5)),
    )


@given(st.recursive(atoms, combine, max_leaves=6))
def test_every_part_of_a_polynomial_is_the_one_that_sympy_expands(text):
    names = sympy.symbols("x y z")
    expected = sympy.Poly(sympy.sympify(text, rational=True), *names, domain="QQ")
    degrees = sorted({sum(m) for m, c in expected.terms() if c and sum(m)}, reverse=True)
    if not degrees:
        with pytest.raises(TargetError, match="zero|constant"):
            read_targets(text, variables=("x", "y", "z"))
        return
    found = read_targets(text, variables=("x", "y", "z"))
    assert [t.space.form_degree for t in found] == degrees
    for target, degree in zip(found, degrees, strict=True):
        assert same(target.as_dict(), sympy_part([expected.as_expr()], names, degree))


@given(st.recursive(atoms, combine, max_leaves=6))
def test_the_homogenisation_at_h_equal_to_one_is_the_polynomial(text):
    x, y, z, h = sympy.symbols("x y z h")
    polynomial = sympy.Poly(sympy.sympify(text, rational=True), x, y, z, domain="QQ")
    if polynomial.total_degree() < 1:
        return
    target = read(text, affine=True, variables=("x", "y", "z"))
    assert target.variables == ("h", "x", "y", "z")
    assert target.space.form_degree == polynomial.total_degree()
    back = sympy.sympify(render(target), rational=True, locals={"h": h})
    assert sympy.expand(back.subs(h, 1) - polynomial.as_expr()) == 0


@pytest.mark.external
@pytest.mark.parametrize("name", ATLAS)
def test_every_polynomial_of_the_atlas_reads_as_sympy_expands_it(name):
    known = next(e for e in atlas()["entries"] if e["id"] == name)
    expressions = known["target"].get("exprs") or [known["target"]["expr"]]
    names = known["target"]["vars"]
    target = read("; ".join(expressions), variables=names)
    dims = known["dims"]
    assert target.space == Space.map(dims["n_vars"], dims["degree"], dims.get("n_outputs", 1))
    symbols = sympy.symbols(names)
    expected = [
        sympy.sympify(e, rational=True, locals=dict(zip(names, symbols, strict=True))) for e in expressions
    ]
    assert same(target.as_dict(), sympy_part(expected, symbols, dims["degree"]))
    assert read("; ".join(expressions)).variables == tuple(sorted(names, key=natural_key))


def test_variables_are_sorted_with_numbers_by_value():
    assert read("x10*x9*y*x1*a*x2").variables == ("a", "x1", "x2", "x9", "x10", "y")
    assert read("x1_10*x1_2").variables == ("x1_2", "x1_10")


def test_an_inhomogeneous_polynomial_falls_into_its_parts_of_positive_degree():
    parts = read_targets("x**3 + 2*x*y + 5*y - 7")
    assert [render(t) for t in parts] == ["x**3", "2*x*y", "5*y"]
    assert all(t.variables == ("x", "y") for t in parts)


def test_the_new_variable_of_a_homogenisation_takes_a_free_name_and_stands_first():
    assert read("h**2 + h1", affine=True).variables == ("h2", "h", "h1")
    assert render(read("x**2 + x + 3; x", affine=True)) == "3*h**2 + h*x + x**2; h*x"


def test_what_a_person_typed_is_what_the_target_is_called():
    assert read("(x + y)**2\n  * x").text == "(x + y)**2 * x"
    assert read_targets("x**2 +  x")[0].text == "x**2"


def test_signs_powers_and_quotients_bind_as_in_python():
    assert render(read("-x**2")) == "-x**2"
    assert render(read("- - +x")) == "x"
    assert render(read("2**3*x/3/2 - 1/3*x")) == "x"
    assert render(read("x*-y")) == "-x*y"
    assert render(read("(x)**0*y")) == "y"


# Rings.


def test_square_roots_open_the_field_they_live_in():
    target = read("sqrt(3)*x**2 - sqrt(12)*x*y + sqrt(1/3)*y**2 + sqrt(9)*y*x")
    a = target.ring.number_field.generator()
    assert target.ring.number_field.minimal_polynomial == (-3, 0, 1)
    assert dict(target.entries) == {(0, 0): a, (0, 1): 3 - 2 * a, (1, 1): a / 3}
    assert read("sqrt(-4)*x").ring == Field.parse("QQ(i)")
    assert read("sqrt(-6)*x*y").ring == Field.parse("QQ(sqrt(-6))")
    assert read("sqrt(3)**2*x").ring == QQ
    assert read("sqrt(123456789012345678901234567891)*x").ring.name == "QQ(a)"


def test_the_symbol_of_an_inferred_field_is_no_variable_of_the_text():
    target = read("sqrt(-1)*i*x + a*x")
    assert target.variables == ("a", "i", "x")
    assert target.ring.name == "QQ(a0)"
    assert dict(target.entries) == {(0, 2): 1, (1, 2): target.ring.number_field.generator()}


def test_the_symbol_of_a_number_field_is_a_number_in_it():
    ring = Field.parse("QQ(t**3-2)")
    target = read("t*x**2 + t**3*y**2 + (t - 1)*x*y", ring=ring)
    t = ring.number_field.generator()
    assert target.variables == ("x", "y")
    assert dict(target.entries) == {(0, 0): t, (0, 1): t - 1, (1, 1): 2}
    assert read("t*x").variables == ("t", "x")
    assert read("i*x + y", ring=Field.parse("QQ(i)")).ring.name == "QQ(i)"


def test_rational_coefficients_stay_rational_when_a_number_field_is_offered():
    ring = Field.parse("QQ(sqrt(2))")
    assert read("x*y", ring=ring).ring == QQ
    assert read("matmul(2,2,2)", ring=ring).ring == QQ


def test_GF_p_reduces_the_coefficients():
    assert dict(read("1/2*x*y + 7*x**2 - y**2", ring=gf(7)).entries) == {(0, 1): 4, (1, 1): 6}
    assert read("det(2)", ring=gf(2)).coefficient((1, 2)) == 1
    with pytest.raises(TargetError, match="zero over GF\\(7\\)"):
        read("7*x", ring=gf(7))
    with pytest.raises(TargetError, match="2 divides its denominator"):
        read("1/2*x", ring=gf(2))


def test_RR_is_no_ring_to_read_in():
    with pytest.raises(UsageError, match="not a ring for coefficients"):
        read("x", ring=RR)


# Named targets.


def test_a_named_target_is_called_by_its_name():
    target = read(" matmul( 2, 2,3 ) ")
    assert target.name == ("matmul", (2, 2, 3))
    assert target.text == "matmul(2,2,3)"
    assert read("complex_product").name == ("complex_product", ())
    assert read("complex_product()").name == ("complex_product", ())


def test_a_name_that_needs_parameters_is_a_variable_without_them():
    assert render(read("W**2 + W*det")) == "W**2 + W*det"


# Refusals.


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("0.5", "0.5 is a float; write an exact rational such as 1/2"),
        ("x + .25*y", ".25 is a float; write an exact rational such as 1/4"),
        ("1e3*x", "1e3 is a float; write an exact rational such as"),
        ("x^2*y", "write x**2 for x^2"),
        ("x²", "the character '²' at position 2 has no meaning"),
        ("x@y", "the character '@'"),
        ("__import__('os')", "the character"),
        ("x.real", "the character '.'"),
        ("x[0]", "the character '['"),
        ("sin(x)", "'sin' is not a function here"),
        ("x(y+1)", "a product is written x*(...)"),
        ("2x", "write 2*x for 2x"),
        ("x y", "write x*y for x y"),
        ("2 (x)", "write 2*(...) for 2 (...)"),
        ("(x)(y)", "write (...)*(...) for (...)(...)"),
        ("(x", "the parenthesis at position 1 is not closed; add )"),
        ("(x y)", "write x*y for x y"),
        ("x)", "')' at position 2 has no place there"),
        ("x,y", "',' at position 2 has no place there"),
        ("x +", "ends where a number"),
        ("*x", "'*' at position 1 stands where"),
        ("x;;y", "';' at position 3 stands where"),
        ("x**y", "exponent at position 4 is not a whole number"),
        ("x**-1", "exponent at position 4 is not a whole number"),
        ("x**(2)", "exponent at position 4 is not a whole number"),
        ("x**0.5", "exponent at position 4 is not a whole number"),
        ("x**", "exponent at position 4 is not a whole number"),
        ("x**2**3", "write (x**2)**3 for x**2**3"),
        ("x**65", "powers go up to 64"),
        ("x**999999999999999999", "powers go up to 64"),
        ("1/x", "the divisor at position 3 is not a rational number"),
        ("x/(y-y)", "the divisor at position 3 is not a rational number"),
        ("x/sqrt(3)", "write sqrt(3)/3 for 1/sqrt(3)"),
        ("x/0", "division by zero at position 3"),
        ("x/(1-1)", "division by zero at position 3"),
        ("", "the text is empty"),
        ("  \n", "the text is empty"),
        ("x-x", "x-x is zero"),
        ("0", "0 is zero"),
        ("3/4", "3/4 is constant"),
        ("1; 2", "constant"),
        ("(x+y)**60*(x-y)**5", "the degree reaches 65"),
        ("(a+b+c+d+e+f+g+h)**20", "888030 terms"),
        ("(((10**60)**60)**60)*x", "bits"),
        ("(x/10**60)**60 + (y/7**60)**60", "bits"),
        ("9" * 1001 + "*x", "1001 digits"),
        ("(" * 51 + "x" + ")" * 51, "nested more than 50 deep"),
        ("sqrt(" * 51 + "2" + ")" * 51, "nested more than 50 deep"),
        ("sqrt(x)*y", "sqrt takes a rational number"),
        ("sqrt(sqrt(2))*y", "sqrt takes a rational number"),
        ("sqrt(2)*x + sqrt(3)*y", "do not lie in one field"),
        ("det(3) + x", "stands alone"),
        ("matmul(2,2)", "takes 3 parameters, not 2"),
        ("matmul(n,m,p)", "the parameters are whole numbers"),
        ("matmul(2,-2,2)", "the parameters are whole numbers"),
        ("_x", "cannot name a variable"),
        ("x" * 33, "cannot name a variable"),
        ("+".join(f"x{i}" for i in range(4097)), "variables"),
        (";".join(["x"] * 4097), "outputs"),
    ],
)
def test_a_text_that_is_no_target_is_refused_with_the_repair(text, sentence):
    with pytest.raises(TargetError, match=re.escape(sentence)):
        read_targets(text)


def test_a_number_outside_the_ring_is_refused():
    with pytest.raises(TargetError, match="is not written in QQ\\(t\\)"):
        read("sqrt(3)*x", ring=Field.parse("QQ(t**3-2)"))
    with pytest.raises(TargetError, match="is not written in GF\\(7\\)"):
        read("sqrt(3)*x", ring=gf(7))
    with pytest.raises(TargetError, match="z occur but are not among x, y"):
        read("x*z", variables=("x", "y"))
    with pytest.raises(UsageError, match="homogeneous"):
        read("det(3)", affine=True)


@given(st.text(alphabet="xyz0129+-*/()^;,. \n\tsqrt$²é", max_size=30))
def test_any_text_is_a_target_or_refused_in_one_sentence(text):
    try:
        targets = read_targets(text)
    except RankproofError as error:
        targets, sentence = [], str(error)
    else:
        sentence = "read"
    assert sentence
    assert all(t.entries for t in targets)


def test_long_sums_and_large_powers_are_read_in_a_moment():
    text = "+".join(f"x{i}*x{i + 1}" for i in range(4000))
    assert len(read(text).entries) == 4000
    assert len(read("(a+b+c+d+e+f)**12").entries) == 6188
    with pytest.raises(TargetError, match="products of terms"):
        read("(1+a+b+c+d)**18*(1-a+b+c+d)**18")
