"""Rational quadratic forms that are products of two rational linear forms."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint

from rankproof.exact.polynomial_factors import irreducible_factors

Linear = dict[int, Fraction]


def linear_factors_of_quadric(
    quadric: Mapping[tuple[int, ...], Fraction], n: int
) -> tuple[Fraction, Linear, Linear] | None:
    """Scale and two linear forms with quadric = scale * left * right over the rationals; None when it is no product.

    The two forms are equal when the quadric is a multiple of a square.

    Examples
    --------
    >>> linear_factors_of_quadric({(0, 0): Fraction(2), (1, 1): Fraction(-2)}, 2)
    (Fraction(2, 1), {0: Fraction(1, 1), 1: Fraction(-1, 1)}, {0: Fraction(1, 1), 1: Fraction(1, 1)})
    """
    ring = flint.fmpq_mpoly_ctx.get([f"x{i}" for i in range(n)], flint.Ordering.lex)
    terms = {}
    for word, value in quadric.items():
        exponents = tuple(word.count(i) for i in range(n))
        terms[exponents] = flint.fmpq(value.numerator, value.denominator)
    found = irreducible_factors(ring.from_dict(terms))
    if found is None:
        return None
    content, factors = found
    forms = [form for form, multiplicity in factors for _ in range(multiplicity)]
    if len(forms) != 2:
        return None
    left, right = (_linear(form) for form in forms)
    return Fraction(int(content.p), int(content.q)), left, right


def _linear(form: flint.fmpq_mpoly) -> Linear:
    return {
        exponents.index(1): Fraction(int(value.p), int(value.q))
        for exponents, value in sorted(form.to_dict().items(), reverse=True)
    }
