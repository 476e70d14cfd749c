"""Exact eliminations count what long numbers cost, and give up."""

from __future__ import annotations

import pytest

from rankproof.verifier import limits
from rankproof.verifier.forms import exact_rank
from rankproof.verifier.quadratic import diagonalise_exact
from rankproof.verifier.refusal import Undecided


def star(n: int, digits: int) -> list[list[int]]:
    """A quadric whose elimination makes numbers as long as all its coefficients together."""
    matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        matrix[i][i] = 10**digits + 2 * i + 1
        matrix[i][0] = matrix[0][i] = 10**digits + i + 3
    return matrix


def test_diagonalising_long_numbers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPERATIONS", 20_000)
    assert len(diagonalise_exact(star(10, 10))) == 10
    with pytest.raises(Undecided) as refused:
        diagonalise_exact(star(10, 1000))
    assert refused.value.code == "limit-operations"


def test_the_rank_of_long_rows_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPERATIONS", 20_000)
    short, long = ([dict(enumerate(row)) for row in star(10, digits)] for digits in (10, 1000))
    assert exact_rank(short) == 10
    with pytest.raises(Undecided) as refused:
        exact_rank(long)
    assert refused.value.code == "limit-operations"
