"""Forms whose decompositions nobody could write down are proved to have them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rankproof as rp
from rankproof.bounds.explicit import near_bound, unit_powers
from rankproof.cli import main
from rankproof.exact.contraction import contraction
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.parse import read_targets

TERNARY_CUBIC = "2*x**3 + 3*x**2*y - 5*x*y**2 + 7*y**3 - x*z**2 + 11*y*z**2 + 13*z**3 - 2*x*y*z"


def test_a_general_ternary_cubic_is_a_sum_of_four_real_cubes() -> None:
    answer = rp.certify(TERNARY_CUBIC, units="tied", field="RR")
    assert (answer.lower, answer.upper) == (4, 4)
    [rank] = [a for a in answer.answers if a.field == RR and a.quantity == "rank"]
    assert rank.upper_rule == "real-solution"


def test_nothing_is_said_over_the_rationals() -> None:
    target = read_targets("x**2")[0]
    assert near_bound(target, "tied", QQ, [[[1.0], [1.0]]]) is None


def test_the_search_writes_a_certificate_of_a_complex_solution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "x**5 - x**4*y + 3*x**3*y**2 + x**2*y**3 - 7*x*y**4 + 2*y**5"
    path = tmp_path / "quintic.json"
    command = ["search", text, "--units", "tied", "--width", "3", "--field", "CC", "--json", "-o", str(path)]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["verified"]
    steps = json.loads(path.read_bytes())["steps"]
    assert [s["claim"]["over"] for s in steps if s["rule"] == "real-solution"] == ["CC"]


@pytest.mark.parametrize(("value", "real"), [(2, True), (-2, False)])
def test_a_square_root_is_real_or_not(value: int, real: bool) -> None:
    target = read_targets(f"{value}*x**2")[0]
    for y in (1.4142135, -1.4142135, 0.9, 1e-3):
        found = contraction(target, (2,), [[[y], [1.0]]])
        assert found is None or real
    assert (contraction(target, (2,), [[[1.4142135 + 0j], [1.0 + 0j]]]) is not None) == real
    assert (contraction(target, (2,), [[[1.4142135j], [1.0 + 0j]]]) is not None) == (not real)


def test_a_family_of_decompositions_with_a_singular_derivative_is_left_alone() -> None:
    # The product of 2x2 matrices has 64 equations and 84 coordinates, and the derivative has rank 61.
    target = read_targets("matmul(2,2,2)")[0]
    strassen = rp.certify(target, field="QQ").certificate
    units = next(s.witness["units"] for s in strassen.steps if s.rule == "decomposition")
    floats = [[[float(Fraction(x)) for x in v] for v in unit] for unit in units]
    assert near_bound(target, "product", RR, floats) is None


def test_too_few_coordinates_are_left_alone() -> None:
    target = read_targets("x**3 + y**3 + z**3")[0]
    rng = np.random.default_rng(0)
    units = [[rng.standard_normal(3).tolist(), [1.0]] for _ in range(3)]
    assert near_bound(target, "tied", RR, units) is None


@pytest.mark.parametrize(
    ("units", "powers"), [("tied", (4,)), ("untied", (3, 1)), ("mixed:2", (2, 2)), ("split", (1, 1, 1, 1))]
)
def test_the_exponents_of_a_unit(units: str, powers: tuple[int, ...]) -> None:
    assert unit_powers(units, 4) == powers


def test_complex_units_over_the_complex_numbers() -> None:
    target = read_targets("x**2 + y**2")[0]
    # One product (x + iy)(x - iy): three equations, five coordinates.
    found = near_bound(target, "untied", CC, [[[1 + 0j, 1j], [1 + 0j, -1j], [1 + 0j]]])
    assert found is not None
    assert found.claim.value == 1
