"""What a person tries first: one variable, degree one, long numbers, many terms, high degrees; all answered, and right."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.bounds.binary import analysed, tied_operator
from rankproof.bounds.method import Budget
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.parse import read_targets
from rankproof.prove import Proof, certify

LONG = "1" + "234567890" * 11
"""A number of 100 digits."""


def ask(text: str, budget: float = 3, **options: object) -> Proof:
    proof = certify(read_targets(text)[0], budget=budget, **options)  # type: ignore[arg-type]
    assert proof.verdict.word == "VERIFIED"
    return proof


def intervals(proof: Proof) -> dict[tuple[str, str, str], tuple[int, int | None]]:
    return {(a.units, a.field.name, a.quantity): (a.lower, a.upper) for a in proof.answers}


@pytest.mark.parametrize(
    "text", ["x", "x**5", "x**64", "x+2*y-3*z", "(x+y)**30", f"{LONG}*x**3", f"x**3/{LONG}", "-x**2"]
)
def test_one_power_is_one_unit(text: str) -> None:
    assert set(intervals(ask(text)).values()) == {(1, 1)}


def test_linear_maps_have_the_rank_of_their_matrix() -> None:
    assert set(intervals(ask("x; y; x+y")).values()) == {(2, 2)}
    assert set(intervals(ask("x+y; 2*x+2*y")).values()) == {(1, 1)}


def test_coefficients_of_a_hundred_digits() -> None:
    found = intervals(ask(f"{LONG}*x**3 + {LONG}*y**3 + x**2*y"))
    assert found["tied", "QQ", "rank"] == (3, 3)
    assert found["tied", "RR", "rank"] == found["tied", "CC", "rank"] == (2, 2)
    found = intervals(ask(f"x**2*y/{LONG} + {LONG}*z**3", units=("tied",), fields=(QQ,)))
    assert found["tied", "QQ", "rank"] == (4, 4)
    found = intervals(ask(f"{LONG}*x**2 - y**2/{LONG}", units=("untied",)))
    assert found["untied", "QQ", "rank"] == (1, 1)


GENERAL = " + ".join(f"{(7 * i) % 11 - 5 or 1}*x**{30 - i}*y**{i}" for i in range(31))


@pytest.mark.parametrize(
    ("text", "field", "lower", "upper"),
    [
        ("x**15*y**15", CC, 16, 16),
        ("x**15*y**15", RR, 30, 30),
        (GENERAL, CC, 16, 16),
    ],
)
def test_binary_forms_of_degree_thirty(text: str, field: Field, lower: int, upper: int) -> None:
    proof = ask(text, 1.5, units=("tied",), fields=(field,), border=False)
    assert intervals(proof) == {("tied", field.name, "rank"): (lower, upper)}


def test_over_the_rationals_the_degree_is_enough() -> None:
    operator = tied_operator(analysed(read_targets(GENERAL)[0]), 30, QQ, Budget(20), np.random.default_rng(0))
    assert operator is not None
    assert len(set(operator.factors)) == 30


def test_thirty_terms_in_six_variables() -> None:
    terms = (f"{(7 * i) % 11 - 5 or 1}*x{i % 6}*x{(i * i + 1) % 6}*x{(3 * i + 2) % 6}" for i in range(30))
    found = intervals(ask(" + ".join(terms), units=("untied",), fields=(RR,)))
    lower, upper = found["untied", "RR", "rank"]
    assert 3 <= lower <= (upper or 0) <= 5
