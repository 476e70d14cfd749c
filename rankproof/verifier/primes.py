"""Primality of integers below 2^64."""

from __future__ import annotations

# Strong pseudoprime tests to these bases decide every integer below 3.3 * 10^24 (Sorenson, Webster 2015).
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def is_prime(n: int) -> bool:
    """Whether n < 2^64 is prime (Miller-Rabin with bases that leave no exception in this range)."""
    if n < 2 or n >= 2**64:
        return False
    for p in _BASES:
        if n % p == 0:
            return n == p
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    return all(_is_strong_probable_prime(n, base, odd, twos) for base in _BASES)


def _is_strong_probable_prime(n: int, base: int, odd: int, twos: int) -> bool:
    x = pow(base, odd, n)
    if x in (1, n - 1):
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False
