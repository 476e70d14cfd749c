"""The losses of which floors are proved: how much a difference of coefficients costs (docs/rules/floor.md)."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

from .claims import Floor
from .scalars import Rational
from .targets import Space, Word

LOSSES = ("frobenius", "gaussian", "sphere", "uniform", "rademacher", "size")


def multiplicity(word: Word) -> int:
    """Number of orderings of a monomial: d! over the factorials of its exponents."""
    return factorial(len(word)) // prod(factorial(word.count(x)) for x in set(word))


def constant(floor: Floor, space: Space) -> Rational | None:
    """C such that a form h of degree d costs at least C times its squared Bombieri norm; None for a product of intervals.

    For ``frobenius`` and ``gaussian`` the cost is equal to that once the terms of lower degree are the best possible.
    """
    n, d = space.variables, space.form_degree
    if floor.loss == "frobenius":
        return 1
    if floor.loss == "gaussian":
        return factorial(d) * floor.scale**d
    if floor.loss == "sphere":
        return Fraction(factorial(d), prod(n + 2 * j for j in range(d))) * floor.scale**d
    return None


def cost(floor: Floor, space: Space, word: Word) -> Rational:
    """K such that a form h costs at least the sum of K t^2 over its monomials, t the coefficient over the multiplicity."""
    factor, count = constant(floor, space), multiplicity(word)
    if factor is not None:
        return factor * count
    squares = _uniform if floor.loss == "uniform" else _rademacher
    return floor.scale ** len(word) * count**2 * prod(squares(word.count(x)) for x in set(word))


def _uniform(a: int) -> Fraction:
    """Mean square on [-1, 1] of the monic Legendre polynomial of degree a."""
    return Fraction(4**a * factorial(a) ** 4, factorial(2 * a) ** 2 * (2 * a + 1))


def _rademacher(a: int) -> int:
    """Mean square on {-1, 1} of what x^a adds to the polynomials of lower degree: x^2 is the constant 1."""
    return 1 if a <= 1 else 0
