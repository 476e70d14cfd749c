"""Moments of measures and the mean squares of polynomials."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.train.measures import LOSSES, factor, gram, moment, norm_squared


def mean_square(text: str, loss: str) -> Fraction:
    (target,) = read_targets(text)
    return norm_squared({word: Fraction(value) for word, value in target.entries}, target.space, loss, False)


@pytest.mark.parametrize(
    "text, loss, value",
    [
        ("x**2*y", "gaussian", 3),
        ("x*y*z", "gaussian", 1),
        ("x**2*y**2", "gaussian", 9),
        ("x**2-y**2; 2*x*y", "gaussian", 8),
        ("x**2", "uniform", Fraction(1, 5)),
        ("x**3*y", "rademacher", 1),
        ("x**2+y**2", "sphere", 1),
        ("x*y", "frobenius", Fraction(1, 2)),
        ("x*y*z", "frobenius", Fraction(1, 6)),
    ],
)
def test_the_mean_square_of_a_polynomial(text: str, loss: str, value: Fraction | int) -> None:
    assert mean_square(text, loss) == value


@pytest.mark.parametrize("loss", LOSSES)
def test_the_factor_of_the_moments_is_a_factor_also_where_they_are_singular(loss: str) -> None:
    space = Space.form(3, 4)
    lower = factor(space, loss, False)
    assert np.allclose(lower @ lower.T, np.array(gram(space, loss), dtype=float))


def test_the_uniform_moments_are_those_of_a_fine_grid() -> None:
    grid = (np.arange(200_000) + 0.5) / 100_000 - 1
    assert all(abs(float(moment("uniform", k)) - (grid**k).mean()) < 1e-6 for k in range(7))


def test_a_loss_that_has_no_place_for_biases_is_refused() -> None:
    with pytest.raises(UsageError, match="no place for biases"):
        gram(Space.form(2, 2), "sphere", constant=True)
