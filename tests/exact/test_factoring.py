"""Factoring within a time limit."""

from __future__ import annotations

from math import gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.exact.factoring import (
    BudgetSpent,
    Effort,
    coprime_base,
    factor_cheaply,
    factor_within,
    prime_divisors,
    square_part,
)

P, Q = 10**39 + 3, 10**40 + 121
"""Primes whose product takes minutes."""

numbers = st.integers(1, 10**12)


@given(numbers)
def test_the_product_of_the_factors_is_the_number(m: int) -> None:
    exponents, unknown = factor_within(m, Effort(1))
    assert unknown == 1
    assert prod(p**e for p, e in exponents.items()) == m


def test_what_cannot_be_taken_apart_in_time_is_handed_back() -> None:
    assert factor_within(12 * P * Q, Effort(0.2)) == ({2: 2, 3: 1}, P * Q)
    assert factor_cheaply(12 * P * Q) == ({2: 2, 3: 1}, P * Q)
    with pytest.raises(BudgetSpent, match="80 digits"):
        prime_divisors([P * Q], Effort(0.2))


def test_a_large_prime_met_once_is_known_later() -> None:
    effort = Effort(0.2)
    factor_within(P, effort)
    assert factor_within(P * Q, effort) == ({P: 1, Q: 1}, 1)


def test_powers_of_a_large_prime_are_recognised() -> None:
    assert factor_within(P**4, Effort(0)) == ({P: 4}, 1)


def test_common_factors_of_two_numbers_need_no_search() -> None:
    R = 10**38 + 133
    assert prime_divisors([P * Q, Q * R], Effort(0.2)) == sorted([P, Q, R])


@given(st.lists(numbers, max_size=5))
def test_a_coprime_base_is_coprime_and_generates(given_numbers: list[int]) -> None:
    base = coprime_base(given_numbers)
    assert all(gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for m in given_numbers:
        for b in base:
            while m % b == 0:
                m //= b
        assert m == 1


@given(st.integers(-(10**12), 10**12).filter(bool))
def test_the_square_part_leaves_a_squarefree_number(m: int) -> None:
    c, s = square_part(m)
    assert c * s * s == m
    assert all(e == 1 for e in factor_within(abs(c), Effort(1))[0].values())


def test_zero_is_not_factored() -> None:
    with pytest.raises(ValueError, match="positive"):
        factor_within(0, Effort(1))
