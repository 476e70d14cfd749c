"""Exact numbers behind decimals: rationals by continued fractions, algebraic numbers by lattice reduction.

A recognised number is a guess with overwhelming evidence, and no proof: whoever uses it checks what it is used for. All of this
works at flint's present precision, which must exceed the digits that are asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from flint import acb, arb, fmpz_mat, fmpz_poly

from rankproof.errors import UsageError
from rankproof.problem.field import NumberField, Scalar
from rankproof.problem.univariate import evaluate, real_roots_between

MAX_DEGREE = 6
"""Greatest degree of a number field that is looked for."""


def as_fraction(z: acb) -> Fraction:
    """Real part of the midpoint, exactly."""
    return _exact(z.real.mid())


def recognise_rational(z: acb, digits: int) -> Fraction | None:
    """The rational number of small height that agrees with the real part of z to the given number of decimal digits.

    Examples
    --------
    >>> recognise_rational(acb(1) / 7, 14)
    Fraction(1, 7)
    """
    value = as_fraction(z)
    found = value.limit_denominator(10 ** (digits // 3))
    # A rational of this height agrees with a random number to two thirds of the digits, and not to all.
    return found if abs(found - value) < Fraction(1, 10 ** (digits - 3)) else None


def minimal_polynomial(z: acb, digits: int) -> tuple[int, ...] | None:
    """Irreducible integer polynomial of degree 2 to `MAX_DEGREE` that vanishes at z to the given number of digits.

    Returns
    -------
    tuple or None
        Coefficients in ascending order; None when none of small height is found.
    """
    for degree in range(2, MAX_DEGREE + 1):
        powers = [acb(1)]
        for _ in range(degree):
            powers.append(powers[-1] * z)
        relation = integer_relation(powers, digits)
        if relation is None:
            continue
        for factor, _ in fmpz_poly(relation).factor()[1]:
            if factor.degree() >= 2 and abs(factor(z)) < arb(10) ** (10 - digits):
                return tuple(int(c) for c in factor.coeffs())
    return None


def integer_relation(numbers: Sequence[acb], digits: int) -> list[int] | None:
    """Small integers c with sum of c[k] * numbers[k] zero to the given number of digits; None when there are none."""
    scale = 10**digits
    rows = []
    for k, z in enumerate(numbers):
        unit = [int(i == k) for i in range(len(numbers))]
        rows.append([*unit, _rounded(z.real.mid(), scale), _rounded(z.imag.mid(), scale)])
    shortest = [int(x) for x in fmpz_mat(rows).lll().tolist()[0]]
    *relation, real, imaginary = shortest
    # Numbers without a relation have one with about digits / (how many numbers) digits in every coefficient.
    if not any(relation) or max(map(abs, relation)) > 10 ** (digits // (2 * len(numbers))):
        return None
    return relation if max(abs(real), abs(imaginary)) < 10**6 * max(map(abs, relation)) else None


def number_field(z: acb, polynomial: Sequence[int], *, real: bool) -> tuple[NumberField, acb]:
    """The number field of a root z of an irreducible polynomial, and the value of its generator.

    Quadratic fields are written with a square root; others by a multiple of z that is an algebraic integer.

    Raises
    ------
    UsageError
        If the polynomial does not define a field.
    """
    if len(polynomial) == 3:
        c, b, a = polynomial
        D = _squarefree_part(b * b - 4 * a * c)
        symbol = "i" if D == -1 else f"sqrt{D}" if D > 0 else f"sqrtm{-D}"
        return NumberField.sqrt(D, symbol), acb(D).sqrt()
    lead, n = polynomial[-1], len(polynomial) - 1
    monic = [c * lead ** (n - 1 - k) for k, c in enumerate(polynomial[:-1])]
    monic, divisor = _smaller(monic)
    generator = z * lead / divisor
    return NumberField("a", (*monic, 1), _interval(generator, (*monic, 1)) if real else None), generator


def recognise_in(z: acb, field: NumberField, generator: acb, digits: int) -> Scalar | None:
    """The element of a number field with small coordinates that agrees with z; None when there is none."""
    powers = [acb(1)]
    for _ in range(field.degree - 1):
        powers.append(powers[-1] * generator)
    relation = integer_relation([z, *powers], digits)
    if relation is None or relation[0] == 0:
        return None
    return field.element(Fraction(-c, relation[0]) for c in relation[1:])


def _smaller(monic: Sequence[int]) -> tuple[list[int], int]:
    """Coefficients, without the leading 1, of the monic polynomial of a root divided by the largest possible integer."""
    coefficients, divisor, n = list(monic), 1, len(monic)
    for p in range(2, 1000):
        while all(c % p ** (n - k) == 0 for k, c in enumerate(coefficients)):
            coefficients = [c // p ** (n - k) for k, c in enumerate(coefficients)]
            divisor *= p
    return coefficients, divisor


def _interval(z: acb, polynomial: Sequence[int]) -> tuple[Fraction, Fraction]:
    """The shortest-written interval around a real root that holds no other one."""
    value = as_fraction(z)
    for bits in range(64):
        low = Fraction(floor(value * 2**bits), 2**bits)
        high = low + Fraction(1, 2**bits)
        no_end = evaluate(polynomial, low) and evaluate(polynomial, high)
        if no_end and real_roots_between(polynomial, low, high) == 1:
            return low, high
    raise UsageError("two real roots of the polynomial agree to 64 bits")


def _squarefree_part(D: int) -> int:
    sign, rest, result = (1 if D > 0 else -1), abs(D), 1
    p = 2
    while p * p <= rest and p < 10**6:
        power = 0
        while rest % p == 0:
            rest, power = rest // p, power + 1
        result *= p ** (power % 2)
        p += 1
    result *= rest
    if result * sign == 1:
        raise UsageError(f"{D} is a square, so that its root is rational")
    return sign * result


def _rounded(x: object, scale: int) -> int:
    value = _exact(x) * scale
    return round(value)


def _exact(x: object) -> Fraction:
    mantissa, exponent = x.man_exp()  # type: ignore[attr-defined]
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


__all__ = [
    "as_fraction",
    "integer_relation",
    "minimal_polynomial",
    "number_field",
    "recognise_in",
    "recognise_rational",
]
