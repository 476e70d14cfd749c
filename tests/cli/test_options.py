"""Lists of names in options."""

from __future__ import annotations

import pytest

from rankproof.cli.options import read_fields, read_units, split_names
from rankproof.errors import UsageError


def test_commas_inside_parentheses_do_not_split() -> None:
    assert split_names("QQ, GF(7),QQ(sqrt(3)) ,f(1,2)", "--field") == ("QQ", "GF(7)", "QQ(sqrt(3))", "f(1,2)")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("QQ,,RR", "an empty name"),
        ("", "an empty name"),
        ("QQ,", "an empty name"),
        ("QQ(sqrt(3)", "parentheses"),
        ("QQ)", "parentheses"),
        (")(", "parentheses"),
        ("QQ,RR,QQ", "QQ is there twice"),
    ],
)
def test_a_broken_list_is_refused_with_its_reason(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        split_names(text, "--field")


def test_units_and_fields_are_read_and_nothing_stays_nothing() -> None:
    assert read_units(None) is None
    assert read_fields(None) is None
    assert read_units("tied,mixed:2") == ("tied", "mixed:2")
    fields = read_fields("QQ,GF(2),QQ(sqrt(3))")
    assert fields is not None
    assert [str(field) for field in fields] == ["QQ", "GF(2)", "QQ(sqrt3)"]


def test_an_unknown_kind_of_unit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="tied, untied, mixed:k"):
        read_units("tied,linear")


def test_a_field_that_is_not_prime_is_refused() -> None:
    with pytest.raises(UsageError, match="prime"):
        read_fields("GF(4)")
