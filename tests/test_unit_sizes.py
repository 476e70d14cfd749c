"""How large units are that come close to a form which so many of them only approach: the rule, the command, an attack."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest

import rankproof as rp
from rankproof.cli import main
from rankproof.exact.squarefree import squarefree_characteristic
from rankproof.floors import certified_floor
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Floor
from tests.floor_attack import Problem, problem

# Forms of border width at most the given one, and more units needed: tangents, osculating curves, several points.
APPROACHED = [
    ("x**2*y", 2),
    ("x**3*y", 2),
    ("x**2*y + 2*y**2*x + y**3", 2),
    ("x*y**2 + x**2*z", 3),
    ("x**2*y + z**3", 3),
]


@cache
def size_at_least(text: str, width: int, exponent: int) -> Fraction:
    """The certified size within the distance 10^(-exponent/2)."""
    (target,) = read_targets(text)
    return certified_floor(target, "tied", Floor("size", width, Fraction(1, 10**exponent))).value


def iterates(task: Problem, start: np.ndarray, steps: int) -> Iterator[tuple[float, float]]:
    """Squared distance and total size of the units along a run of the method of Levenberg and Marquardt."""
    x, damping = start, 1e-2
    difference, slope = task.residual(x)
    value = float(difference @ difference)
    for _ in range(steps):
        step = np.linalg.solve(slope.T @ slope + damping * np.eye(len(x)), slope.T @ difference)
        new, new_slope = task.residual(x - step)
        reached = float(new @ new)
        if reached < value:
            x, difference, slope, value, damping = x - step, new, new_slope, reached, max(damping / 5, 1e-13)
            rows = x.reshape(-1, task.size)
            yield (
                value,
                float((np.linalg.norm(rows[:, : task.n], axis=1) ** task.d * np.abs(rows[:, -1])).sum()),
            )
        else:
            damping *= 4
            if damping > 1e9:
                return


def test_two_units_near_a_tangent_cancel() -> None:
    """Within e of x^2 y the family ((x + h y)^3 - (x - h y)^3) / (6 h), e = h^2 / 3, is at most 2.4 times as large as proved."""
    for exponent in (6, 8, 12):
        e = 10 ** (-exponent / 2)
        h = sqrt(3 * e)
        family = (1 + h * h) ** 1.5 / (3 * h)
        proved = float(size_at_least("x**2*y", 2, exponent))
        assert proved < family < 2.45 * proved
    # Like e^(-1/2), and like e^(-2/3) for a block of size 3.
    assert float(size_at_least("x**2*y", 2, 16) / size_at_least("x**2*y", 2, 12)) == pytest.approx(
        10, rel=1e-2
    )
    three = [size_at_least("x*y**2 + x**2*z", 3, exponent) for exponent in (18, 24)]
    assert float(three[1] / three[0]) == pytest.approx(100, rel=2e-2)


@pytest.mark.parametrize("text, width", APPROACHED)
def test_no_run_comes_close_with_smaller_units(text: str, width: int) -> None:
    (target,) = read_targets(text)
    task = problem(target, "tied", "frobenius")
    rng = np.random.default_rng(width)
    close = 0
    for k in range(4):
        start = rng.normal(size=task.size * width)
        if k % 2:  # units that are nearly parallel
            start = np.tile(rng.normal(size=task.size), width) + 0.1 * start
        for square, size in iterates(task, start, 80):
            exponent = min(int(-np.log10(max(square, 1e-300))), 16)
            if exponent >= 3:
                close += 1
                assert size >= float(size_at_least(text, width, exponent)) * (1 - 1e-9), (square, size)
    assert close > 0
    assert size_at_least(text, width, 8) > 0


@pytest.mark.parametrize(
    "text, width",
    [
        ("x**2*y", 2),
        ("x*y**2 + x**2*z", 3),
        # The third derivative of (a + h b + h^2 c + h^3 d)^4: a block of size 4.
        ("a**3*d + 3*a**2*b*c + a*b**3", 4),
    ],
)
def test_complex_units_on_a_curve_are_as_large(text: str, width: int) -> None:
    """Directions (1, h, h^2, ...) for random small complex h, a little disturbed, with the coefficients that fit best."""
    (target,) = read_targets(text)
    task = problem(target, "tied", "frobenius")
    rng = np.random.default_rng(3)
    wanted = task.root @ task.wanted[0].astype(complex)
    tried = 0
    for _ in range(300):
        near = 10 ** rng.uniform(-2.5, -0.7)
        parameters = near * (rng.normal(size=(width, 2)) @ (1, 1j))
        directions = np.array([[h**i for i in range(task.n)] for h in parameters])
        directions += near ** (width + 2) * rng.normal(size=directions.shape)
        fitted = task.root @ np.array([_power(task, direction) for direction in directions]).T
        c = np.linalg.lstsq(fitted, wanted, rcond=None)[0]
        square = float((np.abs(fitted @ c - wanted) ** 2).sum())
        size = float((np.abs(c) * np.linalg.norm(directions, axis=1) ** task.d).sum())
        exponent = min(int(-np.log10(square)), 16)
        if exponent >= 3:
            tried += 1
            assert size >= float(size_at_least(text, width, exponent))
    assert tried > 20
    assert size_at_least(text, width, 12) > 0


def _power(task: Problem, direction: np.ndarray) -> np.ndarray:
    """The coefficients of the power of a linear form."""
    value = np.ones(1, dtype=complex)
    for table in task.products:
        value = np.einsum("aib,b,i->a", table, value, direction)
    return value


def test_where_units_can_be_exact_nothing_is_claimed() -> None:
    # x^3 + y^3 is a sum of two units; x^2 y of three; x^2 y^2 of three over CC, whose operators are diagonalisable.
    assert size_at_least("x**3 + y**3", 2, 8) == 0
    assert size_at_least("x**2*y", 3, 8) == 0
    assert size_at_least("x**2*y**2", 3, 8) == 0
    # Too far away for the argument.
    assert size_at_least("x**2*y", 2, 1) == 0


def test_the_polynomial_with_simple_roots() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert squarefree_characteristic([[one, one, zero], [zero, one, zero], [zero, zero, zero]]) == [0, -1, 1]


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["floor", "x**2*y", "--width", "2", "--weights-at", "1/1000", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["loss"], said["error"], said["floor"]) == ("size", "1/1000", "12547/5000")
    assert rp.verify("x2y-floor.json").statements == (
        "tied size floor at width 2 and scale 1/1000000 of x**2*y >= 12547/5000 over RR",
    )
    assert main(["show", "x2y-floor.json"]) == 0
    assert "Jordan blocks of size 2" in " ".join(capsys.readouterr().out.split())
    assert main(["floor", "x**2*y", "--width", "3", "--weights-at", "1/1000"]) == 4
    assert "no operators were found" in capsys.readouterr().err
    assert main(["floor", "x**2*y", "--width", "2", "--weights-at", "0"]) == 2
    assert main(["floor", "x**2*y", "--width", "2", "--weights-at", "1/9", "--units", "untied"]) == 2
    assert main(["floor", "x**2*y", "--width", "2", "--weights-at", "1/9", "--loss", "gaussian"]) == 2
