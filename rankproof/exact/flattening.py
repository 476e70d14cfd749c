"""Flattenings: matrices of a target whose rank bounds its border rank from below."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import product
from math import comb, prod

import flint
import numpy as np

from rankproof.errors import TargetError
from rankproof.exact.catalecticant import catalecticant
from rankproof.exact.rank_mod_p import ModularRank, rank_mod_p
from rankproof.problem.field import Algebraic, Field, NumberField, Scalar
from rankproof.problem.target import Target
from rankproof.problem.univariate import is_prime

FIRST_PRIME = 1048573
"""The largest prime below 2^20: products of two residues stay exact in a double."""

_CELLS_A_PLACE = 500
"""Cells times letters that are filled in at once in the time that one place takes by itself."""

_MOST_CELLS = 50_000_000

_ENTRIES_OF_MANY = 4
"""A form that has one in so many of all monomials fills most places."""

Orders = tuple[int, ...]
Factors = tuple[tuple[int, int], ...]


def flattening(target: Target, orders: Orders, p: int, root: int | None = None) -> dict[int, dict[int, int]]:
    r"""Matrix of the Hasse derivatives of given orders, modulo a prime.

    Parameters
    ----------
    target
        Over QQ, QQ(a) or the field with p elements.
    orders
        For every factor of the space, with power d, an order s with 0 <= s <= d.
    p
        The prime; it divides no denominator of the target.
    root
        For a target over QQ(a): the root of the minimal polynomial modulo p to which a is sent.

    Returns
    -------
    dict
        The non-zero entries by row and column. Rows are the words with the powers `orders`, columns the words with
        the complementary powers, both numbered in lexicographic order from 0.

    Raises
    ------
    TargetError
        If the target has no value modulo p.

    Notes
    -----
    The entry at the words u and v is the coefficient of the monomial u*v times the product over the variables x of
    C(u_x + v_x, u_x). Row u is then the coefficient vector of a Hasse derivative of the target, so that the rank of
    the matrix is at most k times the border rank, where k is the greatest rank that one unit can have [1]_. This
    holds in every characteristic.

    References
    ----------
    .. [1] Landsberg, *Tensors: Geometry and Applications*, AMS (2012), section 3.4.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> flattening(read_targets("x**2*y")[0], (1,), 7) == {0: {1: 2}, 1: {0: 1}}
    True
    """
    factors = target.space.factors
    if _mostly_filled(target, orders, p):
        return _flattening_of_form(target, orders[0], p, root)
    left = tuple((n, s) for (n, _), s in zip(factors, orders, strict=True))
    right = tuple((n, d - s) for (n, d), s in zip(factors, orders, strict=True))
    row_sizes, column_sizes = [word_count(n, s) for n, s in left], [word_count(n, s) for n, s in right]
    rows: dict[int, dict[int, int]] = {}
    for word, coefficient in target.entries:
        value = residue(coefficient, p, root)
        if not value:
            continue
        parts = []
        start = 0
        for (n, d), s in zip(factors, orders, strict=True):
            parts.append(splittings(word[start : start + d], s, n))
            start += d
        for choice in product(*parts):
            i = j = 0
            weight = value
            for (u, v, binomial), row_size, column_size in zip(choice, row_sizes, column_sizes, strict=True):
                i = i * row_size + u
                j = j * column_size + v
                weight = weight * binomial % p
            if weight:
                rows.setdefault(i, {})[j] = weight
    return rows


def _mostly_filled(target: Target, orders: Orders, p: int) -> bool:
    """Whether to fill in all cells at once is less work than to fill in the places one by one."""
    if len(orders) > 1 or p >= 2**31:
        return False
    ((n, d),) = target.space.factors
    height, width = flattening_shape(target, orders)
    if _ENTRIES_OF_MANY * len(target.entries) >= word_count(n, d):
        # Most places need not be counted to see that they are many.
        return height * width * n <= _MOST_CELLS
    return height * width * n <= min(_CELLS_A_PLACE * flattening_entries(target, orders), _MOST_CELLS)


def _flattening_of_form(target: Target, s: int, p: int, root: int | None) -> dict[int, dict[int, int]]:
    ((n, d),) = target.space.factors
    coefficients = np.zeros(word_count(n, d), dtype=np.int64)
    for word, coefficient in target.entries:
        coefficients[_word_number(word, n)] = residue(coefficient, p, root)
    matrix = catalecticant(n, d, s, coefficients, p)
    rows: dict[int, dict[int, int]] = {}
    for i, row in enumerate(matrix):
        places = row.nonzero()[0]
        if len(places):
            rows[i] = dict(zip(places.tolist(), row[places].tolist(), strict=True))
    return rows


@lru_cache(maxsize=512)
def flattening_rank(
    target: Target, orders: Orders, p: int, root: int | None = None, pivots: bool = False
) -> ModularRank:
    """Rank modulo p of a flattening, remembered; with `pivots` also rows and columns that show it."""
    return rank_mod_p(flattening(target, orders, p, root), p, pivots=pivots)


def flattening_shape(target: Target, orders: Orders) -> tuple[int, int]:
    """Number of rows and columns of a flattening."""
    pairs = list(zip(target.space.factors, orders, strict=True))
    return prod(word_count(n, s) for (n, _), s in pairs), prod(word_count(n, d - s) for (n, d), s in pairs)


def flattening_entries(target: Target, orders: Orders) -> int:
    """Number of places that a flattening fills, counted without building it."""
    total = 0
    for word, _ in target.entries:
        places, start = 1, 0
        for (_, d), s in zip(target.space.factors, orders, strict=True):
            places *= splitting_count(word[start : start + d], s)
            start += d
        total += places
    return total


def all_orders(target: Target) -> list[Orders]:
    """Orders of all flattenings of a target, one of every pair of transposes."""
    powers = [d for _, d in target.space.factors]
    found = []
    for orders in product(*(range(d + 1) for d in powers)):
        opposite = tuple(d - s for d, s in zip(powers, orders, strict=True))
        if any(orders) and any(opposite) and orders <= opposite:
            found.append(orders)
    return found


def good_prime(target: Target, field: Field) -> tuple[int, int | None]:
    """A prime at which the target can be reduced, and for a target over QQ(a) a root of the minimal polynomial.

    Over GF(p) it is p. In characteristic 0 it is the largest prime up to 1048573 that divides no denominator and, for a number
    field, has a root of the minimal polynomial.
    """
    if field.characteristic:
        return field.characteristic, None
    denominators = {q for _, c in target.entries for q in denominators_of(c)}
    return prime_with_root(target.ring.number_field, denominators)


def prime_with_root(field: NumberField | None, denominators: Collection[int]) -> tuple[int, int | None]:
    """The largest prime up to 1048573 that divides no denominator, with a root of the minimal polynomial for a number field."""
    for p in range(FIRST_PRIME, 2, -2):
        if not is_prime(p) or any(q % p == 0 for q in denominators):
            continue
        if field is None:
            return p, None
        f = flint.nmod_poly(list(field.minimal_polynomial), p)
        linear = [g for g, _ in f.factor()[1] if g.degree() == 1]
        if linear:
            return p, min(int(-g[0] / g[1]) for g in linear)
    raise TargetError(
        "every prime up to 1048573 divides a denominator of the target; scale the target by an integer"
    )


def residue(x: Scalar, p: int, root: int | None) -> int:
    """Value of an exact number modulo p, an algebraic number a being sent to `root`."""
    if isinstance(x, Algebraic):
        if root is None:
            raise TargetError(f"{x} has a value modulo {p} only with a root of its minimal polynomial")
        value = 0
        for c in reversed(x.coefficients):
            value = (value * root + residue(c, p, None)) % p
        return value
    if isinstance(x, int):
        return x % p
    if x.denominator % p == 0:
        raise TargetError(
            f"{x} has no value modulo {p} because {p} divides its denominator; use another prime"
        )
    return x.numerator * pow(x.denominator, -1, p) % p


def denominators_of(x: Scalar) -> Iterator[int]:
    """Denominators of the coordinates of an exact number."""
    if isinstance(x, Algebraic):
        for c in x.coefficients:
            yield c.denominator
    else:
        yield x.denominator


def word_count(n: int, s: int) -> int:
    """Number of words of s letters out of n."""
    return comb(n + s - 1, s)


def _word_number(word: tuple[int, ...], n: int) -> int:
    """Place of a non-decreasing word among all of its length in n letters, in lexicographic order."""
    number, previous = 0, 0
    earlier = _earlier_words(n, len(word))
    for place, letter in enumerate(word):
        # Words that agree so far and go on with a letter from the last one to this one.
        k = len(word) - place
        number += earlier[k][letter] - earlier[k][previous]
        previous = letter
    return number


@lru_cache(maxsize=65536)
def splittings(word: tuple[int, ...], s: int, n: int) -> list[tuple[int, int, int]]:
    """All ways to split a word into parts of length s and len(word) - s: their numbers, and the binomial weight."""
    # Letters still to be taken on either side, the last letter taken there, the numbers so far (as in _word_number), the weight.
    partial = [(s, len(word) - s, 0, 0, 0, 0, 1)]
    earlier = _earlier_words(n, max(s, len(word) - s))
    for x in sorted(set(word)):
        c = word.count(x)
        weights = [comb(c, t) for t in range(c + 1)]
        step: list[tuple[int, int, int, int, int, int, int]] = []
        for left, right, a, b, u, v, weight in partial:
            # A word that goes on with x comes after those that go on with letters from the last one to x.
            with_u = u + earlier[left][x] - earlier[left][a]
            with_v = v + earlier[right][x] - earlier[right][b]
            for t in range(max(0, c - right), min(c, left) + 1):
                step.append(
                    (
                        left - t,
                        right - c + t,
                        x if t else a,
                        x if t < c else b,
                        with_u if t else u,
                        with_v if t < c else v,
                        weight * weights[t],
                    )
                )
        partial = step
    return [(u, v, weight) for _, _, _, _, u, v, weight in partial]


@lru_cache(maxsize=64)
def _earlier_words(n: int, longest: int) -> list[list[int]]:
    """For every length k and letter x: how many words of k letters begin with a letter before x."""
    return [[comb(n + k - 1, k) - comb(n - x + k - 1, k) for x in range(n)] for k in range(longest + 1)]


def splitting_count(word: tuple[int, ...], s: int) -> int:
    """Number of ways that `splittings` finds, without finding them."""
    return _sub_multisets(tuple(sorted(map(word.count, set(word)))), s)


@lru_cache(maxsize=65536)
def _sub_multisets(counts: tuple[int, ...], s: int) -> int:
    """Number of multisets of size s in the multiset with these multiplicities."""
    ways = [1] + [0] * s
    for c in counts:
        ways = [sum(ways[k - t] for t in range(min(c, k) + 1)) for k in range(s + 1)]
    return ways[s]
