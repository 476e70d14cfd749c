"""Spellings of names, numbers, bounds, sizes and durations."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rankproof.show.latex import escape
from rankproof.show.notation import LATEX, TEXT
from rankproof.show.quantities import interval, seconds_in_words, size_in_words


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("x", "x"),
        ("x1", "x_{1}"),
        ("x1_12", "x_{1,12}"),
        ("alpha", r"\alpha"),
        ("alpha2", r"\alpha_{2}"),
        ("speed", r"\mathrm{speed}"),
        ("top_speed", r"\mathrm{top\_speed}"),
        ("sqrt3", r"\sqrt{3}"),
        ("sqrtm5", r"\sqrt{-5}"),
        ("_x", r"\mathrm{\_x}"),
    ],
)
def test_a_name_in_latex(name: str, written: str) -> None:
    assert LATEX.name(name) == written


def test_a_sum_writes_signs_and_leaves_out_what_is_one_or_zero() -> None:
    terms = [(Fraction(-1), "x"), (Fraction(0), "y"), (Fraction(3, 2), "z"), (Fraction(-5), "")]
    assert TEXT.sum(terms) == "-x + 3/2*z - 5"
    assert LATEX.sum(terms) == r"-x + \tfrac{3}{2}\,z - 5"
    assert TEXT.sum([]) == "0"


def test_a_power_of_a_root_stands_outside_the_radical() -> None:
    assert LATEX.power(r"\sqrt{2}", 3) == r"{\sqrt{2}}^{3}"
    assert LATEX.power("x_{1}", 2) == "x_{1}^{2}"


def test_every_character_that_latex_reserves_is_escaped() -> None:
    escaped = escape("\\ ^ ~ & % $ # _ { } < > |")
    assert escaped == (
        r"\textbackslash{} \textasciicircum{} \textasciitilde{} \& \% \$ \# \_ \{ \} $<$ $>$ $|$"
    )


def test_a_bound_an_interval_and_a_value_are_told_apart() -> None:
    assert [interval(3, 3), interval(17, 18), interval(17, None), interval(0, 23)] == [
        "3",
        "17..18",
        ">= 17",
        "0..23",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 ms"), (0.9996, "1.0 s"), (59.9, "59.9 s"), (59.96, "1 min 0 s"), (61, "1 min 1 s")],
)
def test_a_duration_in_words(seconds: float, words: str) -> None:
    assert seconds_in_words(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"), [(999, "999 B"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (3_200_000_000, "3.2 GB")]
)
def test_a_size_in_words(count: int, words: str) -> None:
    assert size_in_words(count) == words
