"""Common values of two binary forms."""

from __future__ import annotations

import random

import pytest

from rankproof.exact.common_value import common_value
from rankproof.exact.factoring import BudgetSpent, Effort, prime_divisors
from rankproof.exact.hilbert import REAL, hilbert_symbol, witt_index_rational


def is_value(t: int, form: tuple[int, int]) -> bool:
    """Whether a x^2 + b y^2 = t has a rational solution: Serre, A Course in Arithmetic, Ch. IV, Corollary of Theorem 6."""
    a, b = form
    places = [REAL, *prime_divisors([2, t, a, b], Effort(5))]
    return all(hilbert_symbol(t, -a * b, v) == hilbert_symbol(a, b, v) for v in places)


def quadruples(size: int, number: int) -> list[list[int]]:
    rng = random.Random(size)
    found: list[list[int]] = []
    while len(found) < number:
        diagonal = [rng.choice((-1, 1)) * rng.randrange(2, size) for _ in range(4)]
        if witt_index_rational(diagonal).index == 1:
            found.append(diagonal)
    return found


@pytest.mark.parametrize("size", [20, 10**4, 10**9, 10**18])
def test_the_value_is_represented_by_both_forms(size: int) -> None:
    for a, b, c, d in quadruples(size, 8):
        primes = prime_divisors([a, b, c, d], Effort(5))
        t, divisors = common_value((a, b), (-c, -d), primes, Effort(10))
        assert is_value(t, (a, b))
        assert is_value(t, (-c, -d))
        assert divisors == prime_divisors([t], Effort(5))


def test_many_primes_are_handled_with_an_arithmetic_progression() -> None:
    # 24 odd primes: a search among all primes would meet the conditions once in 2^20.
    a, b = 3 * 7 * 13 * 19 * 29 * 37 * 43, 5 * 11 * 17 * 23 * 31 * 41
    c, d = 47 * 59 * 67 * 73 * 83 * 97, -53 * 61 * 71 * 79 * 89
    primes = prime_divisors([a, b, c, d], Effort(5))
    assert len(primes) == 24
    t, _ = common_value((a, b), (-c, -d), primes, Effort(10))
    assert is_value(t, (a, b))
    assert is_value(t, (-c, -d))


def test_the_search_stops_when_the_time_is_spent() -> None:
    with pytest.raises(BudgetSpent):
        common_value((1, 1), (3, 7), [3, 7], Effort(0))
