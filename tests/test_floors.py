"""Certified floors: the values of the page, the command, and networks that try to get below."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import rankproof as rp
from rankproof.cli import main
from rankproof.problem.parse import read_targets
from rankproof.problem.target import Target

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
    (QUARTIC, "tied", 1, "gaussian", None, False),
    (QUARTIC, "tied", 3, "gaussian", None, False),
    (QUARTIC, "untied", 2, "gaussian", None, False),
]


def squared_norm(target: Target, units: str, loss: str):
    """The loss as a function of the coordinates of so many units: of the best network with this top part."""
    space = target.space
    n, d, m = space.variables_count, space.form_degree, space.outputs
    words = list(combinations_with_replacement(range(n), d))
    weight = np.array([factorial(d) / np.prod([factorial(w.count(i)) for i in range(n)]) for w in words])
    tensor = np.zeros((m, len(words)))
    for word, value in target.entries:
        form, output = word[:d], word[d] if len(word) > d else 0
        tensor[output, words.index(tuple(form))] = (
            float(Fraction(str(value))) / weight[words.index(tuple(form))]
        )
    factor = weight * (factorial(d) if loss == "gaussian" else 1)
    letters = np.array(words)

    def value(x: np.ndarray) -> float:
        units_ = x.reshape(-1, n * (1 if units == "tied" else 2) + m)
        total = np.zeros_like(tensor)
        for row in units_:
            a, w = row[:n], row[-m:]
            if units == "tied":
                form = np.prod(a[letters], axis=1)
            else:
                b = row[n : 2 * n]
                parts = [
                    np.prod(np.delete(a[letters], k, axis=1), axis=1) * b[letters[:, k]] for k in range(d)
                ]
                form = np.mean(parts, axis=0)
            total += np.outer(w, form)
        return float(((total - tensor) ** 2 @ factor).sum())

    return value, n * (1 if units == "tied" else 2) + m


def best_of(target: Target, units: str, width: int, loss: str, starts: int) -> Iterator[float]:
    value, size = squared_norm(target, units, loss)
    rng = np.random.default_rng(0)
    for _ in range(starts):
        yield minimize(value, rng.normal(size=size * width), method="BFGS", options={"maxiter": 300}).fun


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
    best = min(best_of(target, units, width, loss, 3))
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
