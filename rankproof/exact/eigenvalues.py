"""Polynomials in one variable over QQ and GF(p) by their roots: factors, and fields in which there is no root."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import flint

from rankproof.exact.binary_conditions import local_root
from rankproof.problem.field import Field
from rankproof.problem.univariate import is_prime, real_roots_between

Integers = tuple[int, ...]
"""Coefficients in ascending order, coprime; over GF(p) residues, the last of them 1."""

PLACES = 300
"""Primes below this are tried: an irreducible polynomial has no root modulo a positive share of all primes."""


def factors(f: Sequence[int | Fraction], p: int = 0) -> list[tuple[Integers, int]]:
    """Irreducible factors over QQ, or over GF(p), with multiplicities.

    Examples
    --------
    >>> factors([0, 0, -2, 0, 1]), factors([1, 0, 1], 5)
    ([((0, 1), 2), ((-2, 0, 1), 1)], [((2, 1), 1), ((3, 1), 1)])
    """
    if p:
        found = flint.nmod_poly([int(c) % p for c in f], p).factor()[1]
        return sorted((tuple(int(c) for c in g.coeffs()), e) for g, e in found)
    scale = lcm(*(Fraction(c).denominator for c in f))
    integers = [int(c * scale) for c in f]
    content = gcd(*integers)
    found = flint.fmpz_poly([c // content for c in integers]).factor()[1]
    return sorted(
        ((tuple(int(c) for c in g.coeffs()), e) for g, e in found), key=lambda pair: (len(pair[0]), pair)
    )


def real_roots(f: Integers) -> int:
    """Number of distinct real roots of a polynomial that is not constant."""
    bound = 2 + max(abs(Fraction(c, f[-1])) for c in f)
    return real_roots_between(f, -bound, bound)


@lru_cache(maxsize=4096)
def place_without_root(f: Integers, field: Field) -> tuple[int, int | None] | None:
    """A prime modulo which the form that f stands for has no root, with the root that puts QQ(a) into the p-adic numbers.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> place_without_root((-2, 0, 0, 1), QQ), place_without_root((-4, 0, 1), QQ)
    ((7, None), None)
    """
    for p in filter(is_prime, range(2, PLACES)):
        if f[-1] % p == 0 or any(
            g.degree() == 1 for g, _ in flint.nmod_poly([c % p for c in f], p).factor()[1]
        ):
            continue
        if field.number_field is None:
            return p, None
        if (root := local_root(field.number_field.minimal_polynomial, p)) is not None:
            return p, root
    return None


@lru_cache(maxsize=4096)
def place_with_few_factors(f: Integers, field: Field) -> tuple[int, int, int | None] | None:
    """Number of factors modulo a prime where f keeps its degree and has no repeated root; the prime; the root of the field.

    The factors over QQ, or over QQ(a), are at most as many. None when no small prime will do.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> place_with_few_factors((-1, 0, 0, 0, 0, 0, 0, 1), QQ)
    (2, 3, None)
    """
    best: tuple[int, int, int | None] | None = None
    for p in filter(is_prime, range(2, PLACES)):
        if f[-1] % p == 0:
            continue
        found = flint.nmod_poly([c % p for c in f], p).factor()[1]
        if any(e > 1 for _, e in found) or (best is not None and len(found) >= best[0]):
            continue
        if field.number_field is None:
            best = len(found), p, None
        elif (root := local_root(field.number_field.minimal_polynomial, p)) is not None:
            best = len(found), p, root
    return best
