"""Planes of rational quadratic forms that split over a quadratic field."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rankproof.exact.quadratic_extensions import split_over_root


def matrix_of(terms: list[tuple[Fraction, list, list]], n: int) -> list[list[Fraction]]:
    return [[sum((c * l[i] * m[j] for c, l, m in terms), Fraction(0)) for j in range(n)] for i in range(n)]


@pytest.mark.parametrize(
    ("weights", "D", "planes"),
    [
        ((1, 1, -3), 3, 1),
        ((1, 1, 1, 1), -1, 2),
        ((1, 1, 1, 1, 1, 1, 1), -1, 3),
        ((1, 1, 1), -2, 1),
        ((1, 1, 1), -6, 1),
        ((1, 3, -7), 21, 1),
        # Definite over a real field; and the quaternions do not split there.
        ((1, 1, 1), 2, 0),
        ((1, 1), -3, 0),
    ],
)
def test_a_form_is_the_sum_of_its_planes_and_squares(weights: tuple[int, ...], D: int, planes: int) -> None:
    n = len(weights)
    squares = [(Fraction(c), [Fraction(i == k) for i in range(n)]) for k, c in enumerate(weights)]
    found, rest = split_over_root(squares, D, 0.5)
    assert len(found) == planes
    assert len(rest) == n - 2 * planes
    terms = (
        [(c, l, l) for c, l, _ in found]
        + [(-c * D, m, m) for c, _, m in found]
        + [(c, l, l) for c, l in rest]
    )
    assert matrix_of(terms, n) == matrix_of([(c, l, l) for c, l in squares], n)
