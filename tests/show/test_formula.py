"""Formulas say what the units are: their text is evaluated and compared with the units multiplied out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import border_families, decompositions

from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, NumberField, gf, number
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.formula import border_family, decomposition, variable_names
from rankproof.show.notation import LATEX, TEXT


def a_target(space: Space) -> Target:
    """Some target in the space, for the names of its variables."""
    return Target.from_entries(space, {next(iter(space.words())): 1})


def evaluate(text: str, values: Mapping[str, object]) -> object:
    """Value of a formula as Python reads it, with exact numbers and with ``[u, v]`` for u*o0 + v*o1."""

    def outputs(match: re.Match[str]) -> str:
        return "(" + " + ".join(f"({entry})*o{k}" for k, entry in enumerate(match[1].split(", "))) + ")"

    text = re.sub(r"\[([^\]]*)\]", outputs, text)
    # Exponents stay integers; every other number becomes exact.
    text = re.sub(r"(?<![\w*])(\d+)|(?<=[^*]\*)(\d+)(?!\d)", lambda m: f"Fraction({m[1] or m[2]})", text)
    return eval(text, {"Fraction": Fraction, "__builtins__": {}}, dict(values))


def expected(expansion: Mapping, space: Space, names: list[str], values: Mapping[str, object]) -> object:
    """Value of an expansion at the point, coefficient by coefficient."""
    total: object = 0
    for word, c in expansion.items():
        value: object = 0
        for e, x in c.terms if isinstance(c, Laurent) else ((0, c),):
            value = value + x * values["eps"] ** e
        for name in names_of(word, space, names):
            value = value * values[name]
        total = total + value
    return total


def names_of(word: tuple[int, ...], space: Space, names: list[list[str]]) -> list[str]:
    """The coordinates that a word multiplies; the last letter of a map is its output."""
    if len(names) == len(space.factors) > 1 and space.is_tensor:
        return [factor[i] for factor, i in zip(names, word, strict=True)]
    d = space.form_degree
    return [names[0][i] for i in word[:d]] + [f"o{k}" for k in word[d:]]


def point(draw: st.DrawFn, names: list[list[str]], outputs: int, found: Decomposition | BorderFamily) -> dict:
    everything = [name for factor in names for name in factor] + [f"o{k}" for k in range(outputs)]
    values: dict[str, object] = {name: Fraction(draw(st.integers(-7, 7))) for name in everything}
    values["eps"] = Fraction(draw(st.sampled_from([2, 3, -5])))
    if found.ring.number_field is not None:
        values[found.ring.number_field.symbol] = found.ring.number_field.generator()
    return values


@given(st.data())
@settings(max_examples=150)
def test_the_text_of_a_decomposition_has_the_value_of_its_units(data: st.DataObject) -> None:
    space, found = data.draw(decompositions())
    target = a_target(space)
    names = [list(factor) for factor in variable_names(target, found.units_model)]
    values = point(data.draw, names, space.outputs if space.is_polynomial else 0, found)
    got = evaluate(decomposition(target, found, "f", TEXT).right(), values)
    difference = got - expected(found.expand(space), space, names, values)
    p = found.ring.characteristic
    assert (difference % p if p else difference) == 0


@given(st.data())
@settings(max_examples=100)
def test_the_text_of_a_border_family_has_the_value_of_its_units(data: st.DataObject) -> None:
    space, found = data.draw(border_families())
    target = a_target(space)
    names = [list(factor) for factor in variable_names(target, found.units_model)]
    values = point(data.draw, names, space.outputs if space.is_polynomial else 0, found)
    if found.ring.characteristic:
        values["eps"] = Fraction(1)  # powers of eps stay integers, so that the difference can be reduced
    got = evaluate(border_family(target, found, "f", TEXT).right(), values)
    difference = got - expected(found.expand(space), space, names, values)
    p = found.ring.characteristic
    assert (difference % p if p else difference) == 0


def test_the_right_hand_side_of_a_decomposition_of_a_form_reads_back_as_the_form() -> None:
    (target,) = read_targets("x**2*y")
    found = Decomposition.of(
        "tied", [[[1, 1], [Fraction(1, 6)]], [[1, -1], [Fraction(-1, 6)]], [[0, 1], [Fraction(-1, 3)]]]
    )
    identity = decomposition(target, found, "x**2*y", TEXT)
    assert identity.line() == "x**2*y = 1/6*(x + y)**3 - 1/6*(x - y)**3 - 1/3*y**3"
    assert read_targets(identity.right()) == [target]


@pytest.mark.parametrize(
    ("model", "units", "written"),
    [
        ("tied", [[[2, 0], [1]]], "8*x**3"),
        ("tied", [[[-1, -1], [1]]], "-(x + y)**3"),
        ("untied", [[[1, 0], [0, 1], [3]]], "3*x**2*y"),
        ("untied", [[[1, 1], [2, 2], [1]]], "2*(x + y)**3"),
        ("split", [[[1, 0], [0, 1], [1, -1], [Fraction(1, 2)]]], "1/2*x*y*(x - y)"),
        ("tied", [[[0, 0], [1]]], "(0)**3"),
    ],
)
def test_rational_factors_are_pulled_out_and_equal_forms_merged(model, units, written) -> None:
    (target,) = read_targets("x**2*y + y**3")
    assert decomposition(target, Decomposition.of(model, units), "f", TEXT).right() == written


def test_residues_modulo_p_are_written_as_they_are() -> None:
    (target,) = read_targets("x*y")
    found = Decomposition.of("tied", [[[2, 4], [3]]], gf(7))
    assert decomposition(target, found, "f", TEXT).right() == "3*(2*x + 4*y)**2"


def test_algebraic_coordinates_are_sums_in_the_generator() -> None:
    field = NumberField.sqrt(3, "sqrt3")
    a = field.generator()
    (target,) = read_targets("x**2 + y**2")
    found = Decomposition.of("tied", [[[1, 1 + a], [a / 2]]], number(field))
    assert decomposition(target, found, "f", TEXT).right() == "1/2*sqrt3*(x + (1 + sqrt3)*y)**2"
    assert decomposition(target, found, "f", LATEX).right() == (
        r"\tfrac{1}{2}\,\sqrt{3}\,(x + (1 + \sqrt{3})\,y)^{2}"
    )


def test_the_outputs_of_a_map_are_a_vector_of_weights() -> None:
    (target,) = read_targets("x**2; x*y")
    found = Decomposition.of("untied", [[[1, 0], [1, 0], [2, 0]], [[1, 0], [0, 1], [0, 1]]])
    assert decomposition(target, found, "f", TEXT).right() == "2*[1, 0]*x**2 + [0, 1]*x*y"


def test_a_matrix_product_names_the_entries_of_its_matrices() -> None:
    target = named("matmul", 1, 2, 1)
    found = Decomposition.of("product", [[[1, 0], [1, 0], [1]], [[0, 1], [0, 1], [1]]])
    assert decomposition(target, found, "f", TEXT).right() == "a11*b11*c11 + a12*b21*c11"
    assert r"a_{11} \otimes b_{11} \otimes c_{11}" in decomposition(target, found, "f", LATEX).right()


def test_a_border_family_says_at_which_power_of_eps_the_target_stands() -> None:
    eps = Laurent.power(1)
    (target,) = read_targets("x**2*y")
    third = Fraction(1, 3)
    found = BorderFamily("tied", QQ, 1, (((1, eps), (third,)), ((1, 0), (-third,))))
    assert border_family(target, found, "x**2*y", TEXT).line() == (
        "eps*x**2*y + O(eps**2) = 1/3*(x + eps*y)**3 - 1/3*x**3"
    )
    assert border_family(target, found, "x + y", TEXT).left == "eps*(x + y) + O(eps**2)"


def test_every_unit_has_its_own_line_with_its_sign() -> None:
    (target,) = read_targets("x*y")
    found = Decomposition.of("tied", [[[1, 1], [Fraction(1, 4)]], [[1, -1], [Fraction(-1, 4)]]])
    assert decomposition(target, found, "x*y", TEXT).lines() == ["  1/4*(x + y)**2", "- 1/4*(x - y)**2"]
