"""Statements in words: what a verdict prints, and that an expectation is met by the statement it spells and by no other."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest
import sympy
from corpus.judging import accepted
from corpus.recipes.building import certificate, form, forms, named, number_field, step, tensor, written
from hypothesis import given
from hypothesis import strategies as st

from rankproof.verifier import BadExpectation, verify_bytes


def nonzero(
    target: Any, conclusion: list[str], units: str = "tied", fields: list[Any] | None = None
) -> bytes:
    """A certificate that the target is not zero."""
    steps = [step("nonzero", f"{units} border_rank CC >= 1")]
    return written(certificate(target, steps, conclusion, fields or ()))


ROOT_2 = number_field("a", -2, 0, 1, root=["1/2", 2])
CUBE = number_field("theta", 5, -1, 0, 1)


@pytest.mark.parametrize(
    ("data", "statements"),
    [
        (
            accepted("kernel/several-answers"),
            [
                "tied width of x**2*y in 2..3 over QQ, CC; border width = 2 over CC, QQ",
                "untied width of x**2*y = 1 over RR; border width = 1 over CC",
                "split width of x**2*y = 1 over QQ",
            ],
        ),
        (
            nonzero(named("matmul", 2, 2, 3), ["product border_rank CC 1.."], "product"),
            ["product border width of matmul(2,2,3) >= 1 over CC"],
        ),
        (
            nonzero(named("complex_product"), ["product rank RR 1.."], "product"),
            ["product width of complex_product >= 1 over RR"],
        ),
        (
            nonzero(tensor((2, 3), {(0, 0): 1}), ["product rank QQ 1.."], "product"),
            ["product width of x1; 0; 0 >= 1 over QQ"],
        ),
        (
            nonzero(tensor((2, 3, 2), {(0, 0, 0): 1}), ["product rank QQ 1.."], "product"),
            ["product width of a target in K^2 x K^3 x K^2 with 1 entries >= 1 over QQ"],
        ),
        (
            nonzero(forms("xy", [{"xx": "-1/2", "yy": -1}, {"xy": 3}]), ["tied rank QQ 1.."]),
            ["tied width of -1/2*x**2 - y**2; 3*x*y >= 1 over QQ"],
        ),
        (
            nonzero(
                form("xy", {"xx": [0, 1], "xy": [1, "-1/2"], "yy": 2}, "QQ(a)"),
                ["tied rank QQ(a) 1..", "tied rank RR 1.."],
                "tied",
                [ROOT_2],
            ),
            [
                "tied width of (a)*x**2 + (1 + -1/2*a)*x*y + 2*y**2 >= 1 over QQ(a), RR, "
                "where a**2 - 2 = 0 and 1/2 < a < 2"
            ],
        ),
        (
            nonzero(
                form("x", {"xx": 1}),
                ["tied rank QQ(theta) 1..", "tied rank QQ(a) 1..", "untied rank CC 1.."],
                "tied",
                [ROOT_2, CUBE],
            ),
            [
                "tied width of x**2 >= 1 over QQ(theta), QQ(a), where a**2 - 2 = 0 and 1/2 < a < 2, "
                "where theta**3 - theta + 5 = 0",
                "untied width of x**2 >= 1 over CC",
            ],
        ),
        (
            nonzero({"space": [[30, 2]], "ring": "QQ", "entries": [[[0, 29], 1]]}, ["tied rank CC 1.."]),
            ["tied width of x1*x30 >= 1 over CC"],
        ),
        (
            nonzero(form("abcdefghij", {x + x: 1 for x in "abcdefghij"}), ["tied rank CC 1.."]),
            ["tied width of a target in S^2(K^10) with 10 entries >= 1 over CC"],
        ),
        (
            nonzero(form("x", {"xx": "1" + "0" * 70}), ["tied rank CC 1.."]),
            ["tied width of a target in S^2(K^1) with 1 entries >= 1 over CC"],
        ),
    ],
)
def test_statements_read_as_sentences(data: bytes, statements: list[str]) -> None:
    assert list(verify_bytes(data).statements) == statements


def test_every_line_about_a_number_field_says_what_its_generator_is() -> None:
    for path in (
        "decomposition/complex-product-over-qq-i",
        "quadric/positive-root-over-rr",
        "kernel/fields-of-a-rational-target",
    ):
        tree = json.loads(accepted(path))
        for line in verify_bytes(accepted(path)).statements:
            for field in tree["number_fields"]:
                symbol = field["symbol"]
                if f"QQ({symbol})" in line or tree["target"].get("ring") == f"QQ({symbol})":
                    assert f", where {symbol}**" in line


# Expectations

MONOMIALS = ["".join(word) for word in combinations_with_replacement("xyz", 3)]
coefficients = st.fractions(-5, 5, max_denominator=6).filter(bool)
cubics = st.dictionaries(st.sampled_from(MONOMIALS), coefficients, min_size=1, max_size=6)


def spelled(value: Fraction) -> Any:
    return value.numerator if value.denominator == 1 else str(value)


def expression(terms: dict[str, Fraction]) -> sympy.Expr:
    rational = {m: sympy.Rational(c.numerator, c.denominator) for m, c in terms.items()}
    return sum(c * sympy.prod(map(sympy.Symbol, m)) for m, c in rational.items())


def expected(text: str, data: bytes) -> str:
    return verify_bytes(data, expect=f"tied width of {text} >= 1 over CC").word


@given(cubics, st.integers(0, 3))
def test_an_expectation_is_met_however_the_polynomial_is_written(
    terms: dict[str, Fraction], form_of: int
) -> None:
    data = nonzero(form("xyz", {m: spelled(c) for m, c in terms.items()}), ["tied rank CC 1.."])
    f = expression(terms)
    way = [sympy.expand, sympy.factor, sympy.horner, lambda g: sympy.expand(g / 2) * 2][form_of]
    assert expected(str(way(f)), data) == "VERIFIED"


@given(cubics, cubics)
def test_an_expectation_of_another_polynomial_is_not_met(
    terms: dict[str, Fraction], others: dict[str, Fraction]
) -> None:
    data = nonzero(form("xyz", {m: spelled(c) for m, c in terms.items()}), ["tied rank CC 1.."])
    assert expected(str(expression(others)), data) == ("VERIFIED" if terms == others else "REJECTED")


@given(st.text(alphabet="xyz123+-*/() .,;=<>^", max_size=20))
def test_any_text_for_a_target_is_met_unmet_or_a_usage_error(text: str) -> None:
    try:
        word = expected(text, accepted("nonzero/x2y"))
    except BadExpectation:
        return
    assert word in ("VERIFIED", "REJECTED")
    if word == "VERIFIED":
        x, y = sympy.symbols("x y")
        assert sympy.expand(sympy.sympify(text) - x**2 * y) == 0


@given(st.text(max_size=40))
def test_any_expectation_is_met_unmet_or_a_usage_error(text: str) -> None:
    try:
        verdict = verify_bytes(accepted("nonzero/x2y"), expect=text)
    except BadExpectation:
        return
    assert verdict.word == "REJECTED"


def test_statements_of_one_bound_can_be_expected_as_they_are_printed() -> None:
    for path in (
        "nonzero/x2y",
        "decomposition/complex-square",
        "decomposition/strassen",
        "flattening/a-cubic-untied",
    ):
        data = accepted(path)
        tree = json.loads(data)
        tree["conclusion"] = tree["conclusion"][:1]
        (line,) = verify_bytes(json.dumps(tree).encode()).statements
        if "0.." in line:
            line = line.replace("in 0..", "<= ")
        assert verify_bytes(json.dumps(tree).encode(), expect=line).word == "VERIFIED", line


def test_the_field_of_an_expectation_is_told_from_another_with_the_same_symbol() -> None:
    data = accepted("decomposition/complex-product-over-qq-i")
    statement = "product width of complex_product <= 2 over QQ(i), where i**2 + 1 = 0"
    assert verify_bytes(data, expect=statement).ok
    for other in ("i**2 - 2 = 0", "i**2 + 1", "j**2 + 1 = 0", "i**2 + 1 = 0 and 1 < i < 2"):
        verdict = verify_bytes(data, expect=statement.replace("i**2 + 1 = 0", other))
        assert (verdict.word, verdict.code) == ("REJECTED", "expectation")


def test_a_refused_file_is_refused_whatever_is_expected() -> None:
    tree = json.loads(accepted("nonzero/x2y"))
    tree["steps"][0]["claim"]["value"] = 2
    verdict = verify_bytes(json.dumps(tree).encode(), expect="tied width of x**2*y >= 1 over CC")
    assert verdict.code == "claim-differs"
