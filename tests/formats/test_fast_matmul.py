"""The fast-matmul text format: its coefficients, its blocks and its refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from formats.small_schemes import BINI, as_text, strassen
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import FormatError
from rankproof.formats import Source, fast_matmul
from rankproof.formats.fast_matmul import coefficient
from rankproof.problem.laurent import Laurent

eps = Laurent.power(1)


@pytest.mark.parametrize(
    "word, value",
    [
        ("0", 0),
        ("-0", 0),
        ("17", 17),
        ("-1/2", Fraction(-1, 2)),
        ("4/2", 2),
        ("x", eps),
        ("-x", -eps),
        ("xi", Laurent.power(-1)),
        ("x2", Laurent.power(2)),
        ("x2i", Laurent.power(-2)),
        ("2x3", Laurent.power(3, 2)),
        ("-2x2", Laurent.power(2, -2)),
        ("75/32xi", Laurent.power(-1, Fraction(75, 32))),
        ("-1/8x2i", Laurent.power(-2, Fraction(-1, 8))),
        ("(1+-x3)", 1 - Laurent.power(3)),
        ("(1-x3)", 1 - Laurent.power(3)),
        ("(x+x2)", eps + Laurent.power(2)),
        ("(-x2+-x3)", -Laurent.power(2) - Laurent.power(3)),
        ("(1/10x+-x2)", Laurent.power(1, Fraction(1, 10)) - Laurent.power(2)),
        ("(x+-x)", 0),
        ("(x+1-x)", 1),
        ("x10", Laurent.power(10)),
    ],
)
def test_coefficients(word: str, value: object) -> None:
    assert coefficient(word) == value
    assert type(coefficient(word)) is type(value)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "-",
        "+",
        "()",
        "(1",
        "1)",
        "nan",
        "inf",
        "0.5",
        "1e3",
        "1/0",
        "1/",
        "/2",
        "y",
        "2*x",
        "x^2",
        "x**2",
        "ix",
        "xx",
        "1+",
    ]
    + ["(1+)", "--1", "x99999", "(1,2)", "1_000", "٣", "x²", "9" * 5000],
)
def test_what_is_not_a_coefficient(word: str) -> None:
    assert coefficient(word) is None


@given(st.text(alphabet="0123456789x i/+-()", max_size=12))
def test_every_word_is_a_coefficient_or_none(word: str) -> None:
    assert coefficient(word) is None or isinstance(coefficient(word), int | Fraction | Laurent)


def test_comments_split_blocks_and_columns_are_products() -> None:
    text = "# one\n# two\n" + as_text(strassen()) + "\n# end\n#\n"
    (scheme,) = fast_matmul.read(Source("strassen", text.encode()))
    assert scheme.label == "strassen"
    assert scheme.key is None
    assert scheme.terms == 7
    assert scheme.factors[1].vectors[2] == ((1, 1), (3, -1))
    assert not scheme.is_family


def test_a_family_is_one_because_of_its_coefficients() -> None:
    (scheme,) = fast_matmul.read(Source("any name", BINI.encode()))
    assert scheme.is_family
    assert scheme.is_integral
    assert scheme.factors[2].vectors[0] == ((1, Laurent.power(-1)),)


def test_comments_may_hold_any_bytes_and_rows_may_not() -> None:
    text = as_text(strassen()).encode()
    assert fast_matmul.read(Source("f", b"# Sch\xf6nhage\n" + text))[0].terms == 7
    with pytest.raises(FormatError, match="is not a coefficient"):
        fast_matmul.read(Source("f", b"# \n\xf6" + text))


def test_a_row_that_is_too_long_is_named_with_its_block() -> None:
    lines = as_text(strassen()).splitlines()
    lines[6] += " 1"
    with pytest.raises(FormatError, match="block 2, row 2 has 8 entries and block 1, row 1 has 7"):
        fast_matmul.read(Source("f", "\n".join(lines).encode()))


def test_a_word_that_is_no_coefficient_is_named_with_its_place() -> None:
    text = as_text(strassen()).replace("#\n", "# V\n", 1).replace("# V\n1", "# V\nNaN", 1)
    with pytest.raises(
        FormatError, match=r"f: block 2, row 1 \(line 6\): 'NaN' is not a coefficient; write an integer"
    ):
        fast_matmul.read(Source("f", text.encode()))


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_other_than_three_blocks_are_refused(count: int) -> None:
    block = "1 0\n0 1\n"
    with pytest.raises(FormatError, match=rf"f has {count} blocks? of rows"):
        fast_matmul.read(Source("f", "#\n".join([block] * count).encode()))


def test_a_file_of_comments_is_refused() -> None:
    with pytest.raises(FormatError, match="no rows"):
        fast_matmul.read(Source("f", b"# nothing\n"))
