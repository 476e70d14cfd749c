"""Certified floors: the values of the page, the command, and networks that try to get below."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

import rankproof as rp
from rankproof.bounds.floor.weighted import cost
from rankproof.cli import main
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Floor
from rankproof.problem.space import Space
from tests.floor_attack import attack, problem, trained

QUARTIC = "x**4+2*y**4-z**4+3*x**2*y*z+u*v**3-2*x*y*u*v+z**2*u**2"

# Target, units, width, loss, floor, and whether the best networks reach it.
TABLE = [
    ("x*y", "tied", 1, "gaussian", Fraction(1, 2), True),
    ("x*y*z", "tied", 1, "gaussian", Fraction(2, 3), False),
    ("x*y*z", "untied", 1, "gaussian", Fraction(1, 3), False),
    ("x**2*y", "tied", 1, "gaussian", Fraction(2, 3), False),
    ("(x**2+y**2)**2", "tied", 2, "gaussian", Fraction(32, 3), False),
    ("3*x**2+2*y**2-z**2", "tied", 1, "frobenius", Fraction(5), True),
    ("3*x**2+2*y**2-z**2", "tied", 2, "frobenius", Fraction(1), True),
    ("3*x**2+2*y**2-z**2", "untied", 1, "frobenius", Fraction(4), True),
    ("x**2-y**2; 2*x*y", "tied", 1, "gaussian", None, False),
    # One variable on the rows, the other on the columns: x*y costs 4/9, both squares 4/45, so that p q <= 4/45 and the two
    # singular values are equal, of square 4/45 * 1/4.
    ("x*y", "tied", 1, "uniform", Fraction(1, 45), False),
    # Three rows x, y, z, three columns xy, xz, yz of weight q: x*x*y costs 9 * 4/45 * 1/3 = 4/15 and contains one pair, x*y*z
    # costs 36/27 and contains three, so q = 4/15; three singular values of square q/36.
    ("x*y*z", "tied", 1, "uniform", Fraction(2, 135), False),
    ("x*y*z", "untied", 1, "uniform", Fraction(1, 135), False),
    # Without y the mean square of y^2 - 1/3 is left.
    ("x**2+y**2", "tied", 1, "uniform", Fraction(4, 45), True),
    ("x**2-y**2; 2*x*y", "tied", 1, "uniform", Fraction(8, 45), False),
    # x and z against w and y: the matrix diag(2, 1), of which one singular value is left.
    ("x*y+2*z*w", "tied", 1, "rademacher", Fraction(1), False),
    ("x*y; z*w", "tied", 1, "rademacher", Fraction(1), True),
    # The Gaussian floor 1/2 over n (n + 2) = 8.
    ("x*y", "tied", 1, "sphere", Fraction(1, 16), False),
    (QUARTIC, "tied", 1, "gaussian", None, False),
    (QUARTIC, "tied", 3, "gaussian", None, False),
    (QUARTIC, "untied", 2, "gaussian", None, False),
]


@pytest.mark.parametrize("text, units, width, loss, expected, tight", TABLE)
def test_no_network_gets_below_a_floor(
    text: str, units: str, width: int, loss: str, expected: Fraction | None, tight: bool
) -> None:
    found = rp.floor(text, units=units, width=width, loss=loss)
    assert found.value > 0
    if expected is not None:
        # Irrational eigenvalues are rounded downwards.
        assert 0 <= expected - found.value <= expected / 10**6
    (target,) = read_targets(text)
    best = trained(target, units, width, loss, 3, np.random.default_rng(0))
    assert best >= float(found.value) * (1 - 1e-9)
    if tight:
        assert best <= float(found.value) * (1 + 1e-5)


def test_the_command_writes_a_certificate_and_says_when_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["floor", "x*y*z", "--width", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["schema"], said["floor"], said["certificate"]) == (
        "rankproof/floor/1",
        "2/3",
        "xyz-floor.json",
    )
    assert main(["verify", "xyz-floor.json"]) == 0
    assert "tied gaussian floor at width 1 of x*y*z >= 2/3 over RR" in capsys.readouterr().out
    assert main(["floor", "x*y", "--width", "1", "--scale", "1/4", "--no-write"]) == 0
    assert ">= 1/32" in capsys.readouterr().out
    # Two tied units are exact, and for x**2*y they come arbitrarily close.
    assert main(["floor", "x*y", "--width", "2"]) == 4
    assert main(["floor", "x**2*y", "--width", "2"]) == 4
    assert main(["floor", "x*y", "--width", "1", "--loss", "l1"]) == 2
    assert main(["floor", "x**2+y", "--width", "1"]) == 2
    assert main(["floor", "x*y", "--width", "-1"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["xyz-floor.json"]


def test_costs_on_the_cube_are_mean_squares_of_legendre_polynomials() -> None:
    x = sympy.Symbol("x")
    space = Space.form(2, 4)
    for word in space.words():
        exponents = [word.count(i) for i in range(2)]
        square = sympy.Integer(1)
        for e in exponents:
            monic = sympy.Poly(sympy.legendre(e, x), x).monic().as_expr() if e else sympy.Integer(1)
            square *= sympy.integrate(monic**2, (x, -1, 1)) / 2
        wanted = sympy.multinomial_coefficients(2, 4)[tuple(exponents)] ** 2 * square
        assert cost(Floor("uniform", 1), space, word) == Fraction(str(wanted))
        assert cost(Floor("uniform", 1, Fraction(1, 2)), space, word) == Fraction(str(wanted)) / 16


def test_weights_prove_more_than_numbers_of_orderings() -> None:
    """x^2 y with weights 1/2, 1 on x, y and 9, 18 on xx, xy: the costs 6, 18, 18 of x^3, x^2 y, x y^2 are 9/2, 18, 18.

    Both singular values have the square 1, and no weights leave more: they sum to 1/9 of what x^2 y costs.
    """
    plain, sharp = (rp.floor("x**2*y", width=1, sharper=sharper) for sharper in (False, True))
    assert plain.value == Fraction(2, 3)
    assert Fraction(99999, 100000) < sharp.value <= 1
    assert rp.verify(sharp.certificate).ok
    (target,) = read_targets("x**2*y")
    best = trained(target, "tied", 1, "gaussian", 6, np.random.default_rng(0))
    assert best == pytest.approx(10 / 9, rel=1e-6)
    # Where symmetry makes all weights equal nothing is gained, and nothing is lost.
    assert rp.floor("x*y*z", width=1, sharper=True).value == Fraction(2, 3)


def test_floors_at_the_corners_of_a_cube_find_the_variables_to_part() -> None:
    # Ten pairs: beyond the number of variables of which all partitions are looked at.
    text = "+".join(f"{k + 1}*a{k}*b{k}" for k in range(5))
    found = rp.floor(text, width=2, loss="rademacher")
    assert found.value == 1 + 4 + 9
    assert rp.floor(text, units="untied", width=2, loss="rademacher").value == 1


@pytest.mark.parametrize(
    "text, loss, words",
    [
        ("x**2", "rademacher", "the floor is 0, since at the corners of a cube every term with a square"),
        ("x*y", "rademacher", "rademacher inputs see"),
        ("x**2", "uniform", "for the loss uniform as for any other"),
    ],
)
def test_the_message_says_why_there_is_no_floor(
    text: str, loss: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["floor", text, "--width", "1", "--loss", loss]) == 4
    said = capsys.readouterr().err
    assert words in said
    assert ("rankproof certify" in said) == (loss != "rademacher")


def test_derivatives_of_the_attack() -> None:
    rng = np.random.default_rng(5)
    (target,) = read_targets("x**3*y-y**4; x*y**3")
    for units in ("tied", "untied", "mixed:2", "split"):
        task = problem(target, units, "uniform")
        point = rng.normal(size=2 * task.size)
        _, slope = task.residual(point)
        for k in range(len(point)):
            step = 1e-6 * np.eye(len(point))[k]
            change = (task.residual(point + step)[0] - task.residual(point - step)[0]) / 2e-6
            assert np.allclose(change, slope[:, k], atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_random_networks_stay_above_random_floors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rounds = [attack(rng, 2) for _ in range(3)]
    assert any(found.floor for found in rounds)
    assert not [str(found) for found in rounds if found.floor and found.below]


@pytest.mark.slow
def test_many_random_networks_stay_above_random_floors() -> None:
    rng = np.random.default_rng(2026)
    rounds = [attack(rng, 5) for _ in range(300)]
    assert sum(found.floor > 0 for found in rounds) > 100
    assert not [str(found) for found in rounds if found.floor and found.below]
