"""The spelling of numbers, units and targets: every value has one, and it reads back."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SQRT2, border_families, decompositions, exact_fields, scalars, targets

from rankproof.certificate.encoding import (
    decode_decomposition,
    decode_field,
    decode_number_field,
    decode_scalar,
    decode_target,
    encode_decomposition,
    encode_number_field,
    encode_scalar,
    encode_target,
    encode_unit,
    encode_units,
)
from rankproof.errors import FormatError, UsageError
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, gf
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

LARGE = 2**53


def through_json(value):
    return json.loads(json.dumps(value))


@given(st.data(), exact_fields)
def test_a_number_reads_back_as_itself(data, ring):
    x = data.draw(scalars(ring))
    back = decode_scalar(through_json(encode_scalar(x)), ring)
    assert back == x
    assert type(back) is type(x)


@given(st.fractions(), st.integers(-(2**80), 2**80))
def test_rationals_of_any_size_read_back(q, n):
    assert decode_scalar(through_json(encode_scalar(q))) == q
    assert decode_scalar(through_json(encode_scalar(n))) == n


@pytest.mark.parametrize(
    "x, encoded",
    [
        (0, 0),
        (-7, -7),
        (LARGE - 1, LARGE - 1),
        (LARGE, "9007199254740992"),
        (-LARGE, "-9007199254740992"),
        (Fraction(4, 2), 2),
        (Fraction(-1, 6), "-1/6"),
        (SQRT2.number_field.element([0, Fraction(1, 2)]), [0, "1/2"]),
        (SQRT2.number_field.element([LARGE, -1]), ["9007199254740992", -1]),
    ],
)
def test_every_value_has_one_spelling(x, encoded):
    assert encode_scalar(x) == encoded


@pytest.mark.parametrize(
    "value", [True, None, 0.5, "1_0", " 3", "+1", "03", "3/0", "-0", "1/-2", "x", [1], {}, ""]
)
def test_what_is_not_a_number_is_refused(value):
    with pytest.raises(FormatError, match="is not a number of QQ"):
        decode_scalar(value)


def test_a_number_with_too_many_digits_is_not_written():
    assert encode_scalar(10**4000 - 1) == "9" * 4000
    with pytest.raises(UsageError, match="more than 4000 digits"):
        encode_scalar(10**4000)


def test_a_coordinate_that_depends_on_eps_is_written_by_its_terms():
    unit = ((1, Laurent.power(1)), (Laurent.constant(Fraction(1, 2)), Laurent.from_mapping({-1: 2, 3: 1})))
    assert encode_unit(unit) == [[1, {"eps": [[1, 1]]}], ["1/2", {"eps": [[-1, 2], [3, 1]]}]]
    assert encode_units([unit, unit]) == [encode_unit(unit)] * 2


@given(decompositions())
def test_a_decomposition_reads_back_from_its_witness(pair):
    _, found = pair
    fields = [found.ring.number_field] if found.ring.number_field else []
    assert decode_decomposition(through_json(encode_decomposition(found)), found.units_model, fields) == found


@given(border_families())
def test_a_border_family_reads_back_from_its_witness(pair):
    space, family = pair
    fields = [family.ring.number_field] if family.ring.number_field else []
    back = decode_decomposition(through_json(encode_decomposition(family)), family.units_model, fields)
    # A coordinate that is constant in eps comes back as a number.
    assert back.order == family.order
    assert back.expand(space) == family.expand(space)
    assert encode_decomposition(back) == encode_decomposition(family)


@given(targets())
def test_a_target_reads_back_as_itself(target):
    fields = [target.ring.number_field] if target.ring.number_field else []
    back = decode_target(through_json(encode_target(target)), fields)
    assert back == target
    assert back.variables == target.variables


def test_a_named_target_is_written_by_its_name():
    assert encode_target(named("matmul", 2, 2, 3)) == {"name": "matmul", "parameters": [2, 2, 3]}
    assert encode_target(named("complex_product")) == {"name": "complex_product", "parameters": []}
    back = decode_target({"name": "det", "parameters": [3]})
    assert back == named("det", 3)
    assert back.name == ("det", (3,))


def test_a_reduction_of_a_named_target_and_a_borrowed_name_are_written_out():
    reduced = encode_target(named("det", 2).over(gf(7)))
    assert reduced["ring"] == "GF(7)"
    assert reduced["entries"] == [[[0, 3], 1], [[1, 2], 6]]
    borrowed = Target.from_entries(Space.tensor(2, 2, 2), {(0, 0, 0): 1}, name=("W", (3,)))
    assert "entries" in encode_target(borrowed)


@pytest.mark.parametrize(
    "field",
    [NumberField.sqrt(3), NumberField.sqrt(-1, "i"), NumberField.from_polynomial((-(2**61), 0, 0, 1), "t")],
)
def test_a_number_field_reads_back_as_itself(field):
    assert decode_number_field(through_json(encode_number_field(field))) == field
    assert decode_field(f"QQ({field.symbol})", [field]).number_field == field


def test_plain_fields_are_read_from_their_names():
    assert [decode_field(name) for name in ("QQ", "RR", "CC", "GF(7)")] == [QQ, RR, CC, gf(7)]
    for name in ("GF(4)", "GF(07)", "QQ(a)", "ZZ", ""):
        with pytest.raises(FormatError, match="is not QQ, RR, CC"):
            decode_field(name)


@pytest.mark.parametrize(
    "value, sentence",
    [
        ([], "expected an object with the key 'space'"),
        ({"space": [[2, 3]]}, "the key 'ring'"),
        ({"space": [[2]], "ring": "QQ", "entries": []}, "two values"),
        ({"space": [[2, 3]], "ring": "QQ", "entries": []}, "the target is zero"),
        ({"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 2], 1]]}, "does not belong"),
        ({"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, True], 1]]}, "expected an integer"),
        ({"space": [[2, 3]], "ring": "RR", "entries": [[[0, 0, 1], 1]]}, "RR is not a ring|not exact|RR"),
        ({"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 1], 0]]}, "zero"),
        ({"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 1], 1]], "variables": ["x"]}, "2 variables"),
        (
            {"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 1], 1]], "variables": "xy"},
            "expected a list",
        ),
        ({"name": "matmul", "parameters": [2]}, "takes 3 parameters"),
        ({"name": "nothing", "parameters": []}, "no target is named"),
        ({"name": "W"}, "the key 'parameters'"),
    ],
)
def test_what_is_no_target_is_refused_where_it_fails(value, sentence):
    with pytest.raises(FormatError, match=sentence):
        decode_target(value)


@pytest.mark.parametrize(
    "value, sentence",
    [
        ({"symbol": "a", "minimal_polynomial": [-4, 0, 1]}, "reducible"),
        ({"symbol": "a", "minimal_polynomial": ["1/2", 0, 1]}, "integers"),
        ({"symbol": "a", "minimal_polynomial": [-2, 0, 1], "real_root": [5, 6]}, "exactly one real root"),
        ({"symbol": "a", "minimal_polynomial": [-2, 0, 1], "real_root": [1]}, "two rationals"),
        ({"symbol": "A", "minimal_polynomial": [-2, 0, 1]}, "cannot name a root"),
        ({"symbol": "a"}, "minimal_polynomial"),
    ],
)
def test_what_is_no_number_field_is_refused(value, sentence):
    with pytest.raises(FormatError, match=sentence):
        decode_number_field(value)


def test_a_decomposition_may_not_depend_on_eps():
    moving = {"ring": "QQ", "units": [[[1, {"eps": [[1, 1]]}], [1]]]}
    with pytest.raises(FormatError, match="depends on eps, which needs the key order"):
        decode_decomposition(moving, "tied")
    assert isinstance(decode_decomposition({"ring": "QQ", "units": [[[1, 0], [1]]]}, "tied"), Decomposition)
    assert decode_decomposition(moving | {"order": 0}, "tied").order == 0


def test_a_field_that_is_not_declared_is_not_read():
    with pytest.raises(FormatError, match="declared"):
        decode_target({"space": [[2, 1]], "ring": Field.parse("QQ(i)").name, "entries": [[[0], [0, 1]]]})
