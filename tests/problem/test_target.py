"""Targets: normal form, change of ring, and how they are written."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from external import atlas
from hypothesis import given
from hypothesis import strategies as st
from strategies import SQRT2, mixed_spaces, polynomial_spaces, targets

from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import QQ, RR, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target, latex, render


def read(text, **options):
    (target,) = read_targets(text, **options)
    return target


@given(targets(polynomial_spaces()))
def test_a_written_polynomial_reads_back_as_the_same_target(target):
    ring = None if target.ring == QQ else target.ring
    back = read(render(target), ring=ring, variables=target.variable_names())
    # A rational target over a number field reads back over QQ.
    assert back.space == target.space
    assert back.entries == target.entries


@given(targets())
def test_a_target_is_in_one_line_and_has_latex(target):
    assert "\n" not in repr(target)
    assert target._repr_latex_().startswith("$")
    assert latex(target).count("{") == latex(target).count("}")


@given(targets())
def test_coefficients_are_found_by_word(target):
    stored = dict(target.entries)
    assert all(target.coefficient(word) == stored.get(word, 0) for word in target.space.words())


@given(targets(ring=QQ), st.sampled_from([2, 3, 5, 101]))
def test_reduction_modulo_p_reduces_every_coefficient(target, p):
    coefficients = [Fraction(c) for _, c in target.entries]
    if any(c.denominator % p == 0 for c in coefficients):
        with pytest.raises(TargetError, match="divides its denominator"):
            target.over(gf(p))
    elif all(c.numerator % p == 0 for c in coefficients):
        with pytest.raises(TargetError, match="vanishes"):
            target.over(gf(p))
    else:
        reduced = target.over(gf(p))
        assert all((Fraction(target.coefficient(w)) - c).numerator % p == 0 for w, c in reduced.entries)


@given(targets(polynomial_spaces(outputs=3)))
def test_the_outputs_of_a_map_make_it_up(target):
    forms = target.outputs_list()
    assert len(forms) == target.space.outputs
    if len(forms) > 1:
        joined = {(*w, j): c for j, f in enumerate(forms) if f for w, c in f.entries}
        assert joined == target.as_dict()


def test_zero_coefficients_are_dropped_and_words_sorted():
    target = Target.from_entries(Space.form(2, 2), {(1, 1): 0, (0, 1): Fraction(4, 2), (0, 0): 1})
    assert target.entries == (((0, 0), 1), ((0, 1), 2))


def test_targets_are_equal_by_their_mathematics_not_their_names():
    named, plain = (
        read("matmul(2,2,2)"),
        Target.from_entries(read("matmul(2,2,2)").space, read("matmul(2,2,2)").as_dict()),
    )
    assert named == plain
    assert named.name == ("matmul", (2, 2, 2))
    assert plain.name is None
    assert read("x*y") == read("u*v")


@pytest.mark.parametrize(
    "make, error, sentence",
    [
        (lambda: Target.from_entries(Space.form(2, 2), {}), TargetError, "the target is zero"),
        (
            lambda: Target.from_entries(Space.form(2, 2), {(0, 1): 7}, gf(7)),
            TargetError,
            "the target is zero",
        ),
        (lambda: Target.from_entries(Space.form(2, 2), {(1, 0): 1}), TargetError, "does not belong"),
        (lambda: Target.from_entries(Space.form(2, 2), {(0, 0): 1}, RR), UsageError, "not a ring"),
        (lambda: Target(Space.form(2, 2), (((0, 1), 1), ((0, 0), 1))), TargetError, "sort the entries"),
        (lambda: Target(Space.form(2, 2), (((0, 1), 0),)), TargetError, "zero or not in normal form"),
        (lambda: Target(Space.form(2, 2), (((0, 1), 9),), gf(7)), TargetError, "not in normal form"),
        (lambda: Target.from_entries(Space.form(2, 2), {(0, 1): 0.5}), TargetError, "0.5 is a float"),
        (lambda: Target(Space.form(2, 2), (((0, 0), 1),), QQ, ("x",)), UsageError, "1 names .* 2 variables"),
        (lambda: Target(Space.form(2, 2), (((0, 0), 1),), QQ, ("x", "x")), UsageError, "not distinct"),
        (lambda: Target(Space.form(1, 2), (((0, 0), 1),), QQ, ("x y",)), UsageError, "cannot name"),
        (lambda: Target(Space.tensor(1, 1, 1), (((0, 0, 0), 1),), QQ, ("x",)), UsageError, "without them"),
    ],
)
def test_what_is_no_target_is_refused(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_a_number_field_target_is_read_over_no_other_field():
    target = read("sqrt(2)*x**2")
    assert target.ring == SQRT2
    assert target.over(SQRT2) is target
    with pytest.raises(TargetError, match="cannot be read over QQ"):
        target.over(QQ)
    with pytest.raises(TargetError, match="cannot be read over"):
        read("x", ring=gf(7)).over(QQ)
    assert read("x*y").over(SQRT2).ring == SQRT2


@pytest.mark.parametrize(
    "text, written, tex",
    [
        ("y*x**2", "x**2*y", "x^{2} y"),
        ("-x + 1/2*y", "-x + 1/2*y", r"-x + \frac{1}{2} y"),
        ("x10*x2", "x2*x10", "x_{2} x_{10}"),
        ("x1_2**2; x1_1*x1_2", "x1_2**2; x1_1*x1_2", r"\left(x_{1,2}^{2},\; x_{1,1} x_{1,2}\right)"),
        ("(1 - sqrt(3))*alpha", "(1 - sqrt3)*alpha", r"\left(1 - \mathrm{sqrt}_{3}\right) \mathrm{alpha}"),
        ("W(3)", "a0*b0*c1 + a0*b1*c0 + a1*b0*c0", None),
        ("x; 0*x", "x; 0", r"\left(x,\; 0\right)"),
    ],
)
def test_a_target_is_written_as_a_person_writes_it(text, written, tex):
    assert render(read(text)) == written
    assert tex is None or latex(read(text)) == tex


def test_a_large_tensor_is_described_by_its_shape():
    target = Target.from_array(np.ones((3, 3, 3), dtype=int))
    assert target.text == "3x3x3 tensor with 27 entries"
    assert repr(target) == "Target('3x3x3 tensor with 27 entries' over QQ: 3x3x3 tensor, 27 entries)"


@given(targets(mixed_spaces()))
def test_a_target_of_two_symmetric_factors_is_written_in_two_sets_of_letters(target):
    assert "a" in render(target)
    assert "b" in render(target)


# Arrays.


@given(st.lists(st.integers(-4, 4), min_size=12, max_size=12).filter(any), st.integers(1, 9))
def test_an_integer_array_over_a_common_denominator_is_a_tensor(numbers, denominator):
    array = np.array(numbers).reshape(2, 3, 2)
    target = Target.from_array(array, denominators=denominator)
    assert target.space == Space.tensor(2, 3, 2)
    for word in np.ndindex(array.shape):
        assert target.coefficient(word) == Fraction(int(array[word]), denominator)


def test_arrays_of_fractions_and_of_small_integer_types_are_exact():
    assert Target.from_array([[Fraction(1, 3), 0], [0, 1]]).coefficient((0, 0)) == Fraction(1, 3)
    assert Target.from_array(np.full((2, 2, 2), 200, dtype=np.uint8)).coefficient((1, 1, 1)) == 200
    assert Target.from_array(np.full((2, 2), -9, dtype=np.int8), ring=gf(7)).coefficient((0, 0)) == 5
    assert Target.from_array(np.ones((2, 3, 4), dtype=bool)).coefficient((1, 2, 3)) == 1
    assert Target.from_array(np.full((1, 2), 2**64 - 1, dtype=np.uint64)).coefficient((0, 1)) == 2**64 - 1
    root = SQRT2.number_field.generator()
    assert Target.from_array([[root, 0], [0, 1]], ring=SQRT2).coefficient((0, 0)) == root


def test_a_column_is_a_vector():
    assert Target.from_array([[1], [2]]).space == Space.tensor(2)


@pytest.mark.parametrize(
    "array, sentence",
    [
        ([[0.5, 1.0]], "not exact; scale to integers"),
        ([[1j, 1.0]], "not exact; scale to integers"),
        ([[float("nan"), 1.0]], "NaN or an infinity"),
        ([[1.0, float("inf")]], "NaN or an infinity"),
        (np.array([[Fraction(1, 2), 0.5]], dtype=object), "0.5 is a float"),
        (np.array(3), "not a tensor"),
        (np.zeros((2, 0), dtype=int), "not a tensor"),
        (np.zeros((2, 2), dtype=int), "the target is zero"),
    ],
)
def test_an_array_that_is_no_exact_tensor_is_refused(array, sentence):
    with pytest.raises(TargetError, match=sentence):
        Target.from_array(array)
    with pytest.raises(UsageError, match="positive"):
        Target.from_array([[1]], denominators=0)


# sympy.


def test_sympy_expressions_are_read_exactly():
    x, y, x10 = sympy.symbols("x y x10")
    assert Target.from_sympy((x + y) ** 3 / 3) == read("1/3*(x + y)**3")
    assert Target.from_sympy([x**2 - y**2, 2 * x * y]) == read("x**2 - y**2; 2*x*y")
    assert Target.from_sympy(x * y, variables=[y, x10, x]).variables == ("y", "x10", "x")
    assert Target.from_sympy(sympy.sqrt(12) * x**2 + sympy.sqrt(3) / 3 * y**2).ring == Field.parse(
        "QQ(sqrt(3))"
    )
    assert Target.from_sympy(sympy.I * x * y).ring == Field.parse("QQ(i)")


@pytest.mark.parametrize(
    "expression, sentence",
    [
        (lambda x: 0.5 * x, "is a float"),
        (lambda x: x**2 + x, "parts of degree 2, 1"),
        (lambda x: sympy.sin(x), "not a function"),
        (lambda x: sympy.pi * x, "pi is not an algebraic number"),
        (lambda x: 1 / x, "exponent|divisor"),
        (lambda x: x - x, "zero"),
    ],
)
def test_a_sympy_expression_that_is_no_exact_form_is_refused(expression, sentence):
    with pytest.raises(TargetError, match=sentence):
        Target.from_sympy(expression(sympy.Symbol("x")))


@pytest.mark.external
def test_every_tensor_of_the_atlas_is_a_target():
    tensors = [e["target"] for e in atlas()["entries"] if e["target"]["type"] == "tensor"]
    assert len(tensors) > 50
    for entry in tensors:
        target = Target.from_entries(
            Space.tensor(*entry["shape"]), {tuple(word): value for *word, value in entry["entries"]}
        )
        assert len(target.entries) == entry["nnz"]
