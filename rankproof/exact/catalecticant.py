"""Flattenings of forms with many terms, all cells at once."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def catalecticant(n: int, d: int, s: int, coefficients: Integers, p: int) -> Integers:
    """Matrix of the Hasse derivatives of order s of a form, modulo a prime.

    Parameters
    ----------
    n, d
        Number of variables, degree.
    s
        Order of the derivatives.
    coefficients
        Residues modulo p of the coefficients, for all words of d letters in lexicographic order.
    p
        A prime below 2^31.

    Returns
    -------
    ndarray
        Residues; rows for the words of s letters, columns for those of d - s letters, in lexicographic order.

    Examples
    --------
    >>> catalecticant(2, 3, 1, np.array([0, 1, 0, 0]), 7)
    array([[0, 2, 0],
           [1, 0, 0]])
    """
    left, right = _exponents(n, s), _exponents(n, d - s)
    # A binomial of two exponents is at most C(d, s) < 2^63, and so is the product over all variables.
    binomials = np.array([[comb(a + b, a) for b in range(d - s + 1)] for a in range(s + 1)])
    weights = np.ones((len(left), len(right)), dtype=np.int64)
    for x in range(n):
        weights *= binomials[left[:, x][:, None], right[:, x]]
    return coefficients[_numbers(n, d, left, right)] * (weights % p) % p


def _numbers(n: int, d: int, left: Integers, right: Integers) -> Integers:
    """Place of the union of two words among the words of d letters.

    Words that agree up to the letter y and have k letters after it: those that go on with y come first, and there
    are C(n - y + k - 2, k - 1) of them.
    """
    after_left = left.sum(axis=1, keepdims=True) - left.cumsum(axis=1)
    after_right = right.sum(axis=1, keepdims=True) - right.cumsum(axis=1)
    numbers = np.zeros((len(left), len(right)), dtype=np.int64)
    for y in range(n - 1):
        skipped = np.array([0, *(comb(n - y + k - 2, k - 1) for k in range(1, d + 1))])
        numbers += skipped[after_left[:, y][:, None] + after_right[:, y]]
    return numbers


@lru_cache(maxsize=64)
def _exponents(n: int, s: int) -> Integers:
    """Exponents of all words of s letters out of n, in lexicographic order."""
    if n == 1:
        return np.full((1, 1), s, dtype=np.int64)
    parts: list[Integers] = []
    for first in range(s, -1, -1):
        rest = _exponents(n - 1, s - first)
        parts.append(np.hstack([np.full((len(rest), 1), first, dtype=np.int64), rest]))
    return np.vstack(parts)
