"""Fields a question is asked over, number fields, and the exact numbers we compute with.

`Field` is where units have their coordinates: QQ, RR, CC, GF(p) or a number field. Only QQ, GF(p) and number fields are
rings that we compute in; RR and CC appear in questions and claims.
"""

from __future__ import annotations

import numbers
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from rankproof.errors import TargetError, UsageError
from rankproof.problem.univariate import (
    evaluate,
    inverse_modulo,
    is_irreducible,
    is_prime,
    is_squarefree,
    largest_real_root,
    real_roots_between,
)

MAX_PRIME = 2**31
MAX_FIELD_DEGREE = 24
_SYMBOL = re.compile(r"[a-z][a-z0-9_]{0,15}")


@dataclass(frozen=True)
class NumberField:
    """The field QQ(a), where a is a root of an irreducible polynomial.

    Parameters
    ----------
    symbol
        Name of the root: a lower-case letter, then at most 15 lower-case letters, digits or underscores.
    minimal_polynomial
        Integer coefficients in ascending order, monic, of degree 2 to 24, irreducible over the rationals.
    real_root
        Rationals l < u with exactly one real root between them: the real embedding. None when no real root is chosen.

    Raises
    ------
    UsageError
        If one of these conditions fails.

    Examples
    --------
    >>> a = NumberField.sqrt(3).generator()
    >>> a * a, (1 + a) * (1 - a)
    (3, -2)
    """

    symbol: str
    minimal_polynomial: tuple[int, ...]
    real_root: tuple[Fraction, Fraction] | None = None

    def __post_init__(self) -> None:
        if not _SYMBOL.fullmatch(self.symbol):
            raise UsageError(
                f"{self.symbol!r} cannot name a root; use a lower-case letter followed by at most 15 lower-case"
                " letters, digits or underscores, such as a or sqrt3"
            )
        _check_minimal_polynomial(self.minimal_polynomial)
        if self.real_root is not None:
            l, u = self.real_root
            f = self.minimal_polynomial
            isolates = l < u and evaluate(f, l) and evaluate(f, u) and real_roots_between(f, l, u) == 1
            if not isolates:
                raise UsageError(
                    f"the interval ({l}, {u}) does not hold exactly one real root of {_show_polynomial(f, self.symbol)};"
                    " give rational ends l < u that isolate one root, or no interval"
                )

    @property
    def degree(self) -> int:
        """Degree of QQ(a) over QQ."""
        return len(self.minimal_polynomial) - 1

    def generator(self) -> Algebraic:
        """The root a itself."""
        return Algebraic(self, (Fraction(0), Fraction(1)))

    def element(self, coordinates: Iterable[int | Fraction]) -> Scalar:
        """Element c0 + c1*a + c2*a^2 + ...; a plain rational when only c0 is left.

        Any number of coordinates is accepted: higher powers of a are reduced by the minimal polynomial.
        """
        c = [Fraction(x) for x in coordinates]
        n = self.degree
        for top in range(len(c) - 1, n - 1, -1):
            lead = c.pop()
            if lead:
                for k in range(n):
                    c[top - n + k] -= lead * self.minimal_polynomial[k]
        while len(c) > 1 and not c[-1]:
            c.pop()
        if len(c) <= 1:
            return rational(c[0]) if c else 0
        return Algebraic(self, tuple(c))

    @classmethod
    def sqrt(cls, D: int, symbol: str = "a") -> NumberField:
        """Field QQ(sqrt(D)) for an integer D that is not a square; the real embedding takes the positive root."""
        if D >= 0 and isqrt(D) ** 2 == D:
            raise UsageError(f"sqrt({D}) = {isqrt(D)} is rational; it needs no number field, use QQ")
        real_root = (Fraction(isqrt(D)), Fraction(isqrt(D) + 1)) if D > 0 else None
        return cls(symbol, (-D, 0, 1), real_root)

    @classmethod
    def from_polynomial(cls, coefficients: Iterable[int], symbol: str = "a") -> NumberField:
        """Field of a root of a monic irreducible polynomial; the real embedding, if any, takes the largest real root."""
        f = tuple(coefficients)
        _check_minimal_polynomial(f)
        return cls(symbol, f, largest_real_root(f))

    def __str__(self) -> str:
        return f"QQ({self.symbol})"


@dataclass(frozen=True)
class Algebraic:
    """An element of a number field that is not rational: its coordinates on 1, a, a^2, ..., the last one not zero.

    Build elements with `NumberField.element` or by arithmetic; both return a plain int or Fraction when the result is rational.
    """

    field: NumberField
    coefficients: tuple[Fraction, ...]

    def __add__(self, other: Scalar) -> Scalar:
        c = self._coordinates(other)
        if c is None:
            return NotImplemented
        n = max(len(self.coefficients), len(c))
        a, b = (x + (Fraction(0),) * (n - len(x)) for x in (self.coefficients, c))
        return self.field.element(map(operator.add, a, b))

    def __mul__(self, other: Scalar) -> Scalar:
        c = self._coordinates(other)
        if c is None:
            return NotImplemented
        product = [Fraction(0)] * (len(self.coefficients) + len(c) - 1)
        for i, x in enumerate(self.coefficients):
            for j, y in enumerate(c):
                product[i + j] += x * y
        return self.field.element(product)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Algebraic:
        return Algebraic(self.field, tuple(-c for c in self.coefficients))

    def __sub__(self, other: Scalar) -> Scalar:
        return self + (-other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self + other

    def inverse(self) -> Algebraic:
        """Multiplicative inverse; it always exists."""
        inverse = self.field.element(inverse_modulo(self.coefficients, self.field.minimal_polynomial))
        # The inverse of an irrational number is irrational.
        return inverse if isinstance(inverse, Algebraic) else Algebraic(self.field, (Fraction(inverse),))

    def __truediv__(self, other: Scalar) -> Scalar:
        return self * (other.inverse() if isinstance(other, Algebraic) else 1 / Fraction(other))

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return self.inverse() * other

    def __pow__(self, exponent: int) -> Scalar:
        power: Scalar = 1
        square: Scalar = self if exponent >= 0 else self.inverse()
        exponent = abs(exponent)
        while exponent:
            if exponent & 1:
                power = power * square
            square = square * square
            exponent >>= 1
        return power

    def __str__(self) -> str:
        return _show_polynomial(self.coefficients, self.field.symbol)

    def _coordinates(self, other: object) -> tuple[Fraction, ...] | None:
        if isinstance(other, Algebraic):
            if other.field != self.field:
                raise UsageError(
                    f"a number of {self.field} meets a number of another field {other.field};"
                    " write both in one field that contains them"
                )
            return other.coefficients
        return (Fraction(other),) if isinstance(other, int | Fraction) else None


Scalar = int | Fraction | Algebraic


def rational(x: Fraction) -> int | Fraction:
    """Normal form of a rational: an int when it is an integer."""
    return x.numerator if x.denominator == 1 else x


@dataclass(frozen=True)
class Field:
    """A field that questions are asked over; the exact ones (`is_exact`) are also rings to compute in.

    Parameters
    ----------
    name
        ``QQ``, ``RR``, ``CC``, ``GF(p)`` or ``QQ(a)``.
    characteristic
        0 or the prime p.
    number_field
        The number field of ``QQ(a)``, else None.

    Examples
    --------
    >>> CC.includes(RR), RR.includes(Field.parse("QQ(i)")), gf(7).reduce(Fraction(1, 2))
    (True, False, 4)
    """

    name: str
    characteristic: int = 0
    number_field: NumberField | None = None

    @property
    def is_exact(self) -> bool:
        """Whether elements have an exact form here: true for QQ, GF(p) and number fields."""
        return self.name not in ("RR", "CC")

    def includes(self, other: Field) -> bool:
        """Whether `other` is a subfield: QQ < RR < CC, QQ < QQ(a) < CC, and QQ(a) < RR when a real root is chosen."""
        if self == other:
            return True
        if self.characteristic or other.characteristic:
            return False
        if other.name == "QQ" or self.name == "CC":
            return True
        return (
            self.name == "RR" and other.number_field is not None and other.number_field.real_root is not None
        )

    def reduce(self, x: Scalar) -> Scalar:
        """Normal form of x in this exact field: an int when integral, in 0..p-1 over GF(p).

        Raises
        ------
        TargetError
            If x is not an exact number of this field, or p divides its denominator.
        """
        p = self.characteristic
        if type(x) is int:
            return x % p if p else x
        if isinstance(x, Fraction):
            if not p:
                return rational(x)
            if x.denominator % p == 0:
                raise TargetError(
                    f"{x} has no value modulo {p} because {p} divides its denominator; use another prime"
                )
            return x.numerator * pow(x.denominator, -1, p) % p
        if isinstance(x, Algebraic):
            if x.field == self.number_field:
                return x
            raise TargetError(f"{x} lies in {x.field}, not in {self}; compute over {x.field} instead")
        if isinstance(x, numbers.Rational) and not isinstance(x, numbers.Integral):
            # Rationals of other libraries: sympy's, gmpy2's.
            return self.reduce(Fraction(int(x.numerator), int(x.denominator)))
        return self.reduce(_exact_integer(x))

    def inverse(self, x: Scalar) -> Scalar:
        """Inverse of a non-zero element of this exact field, in normal form."""
        x = self.reduce(x)
        if not x:
            raise ZeroDivisionError(f"0 has no inverse in {self}")
        if self.characteristic:
            return pow(x, -1, self.characteristic) if isinstance(x, int) else x
        return x.inverse() if isinstance(x, Algebraic) else rational(1 / Fraction(x))

    @classmethod
    def parse(cls, text: str) -> Field:
        """Field written as ``QQ``, ``RR``, ``CC``, ``GF(7)``, ``QQ(i)``, ``QQ(sqrt(3))`` or ``QQ(t**3-2)``.

        Raises
        ------
        UsageError
            If the text is none of these.
        """
        word = text.replace(" ", "")
        if word in _NAMED:
            return _NAMED[word]
        if match := re.fullmatch(r"GF\((\d{1,20})\)", word):
            return gf(int(match[1]))
        if match := re.fullmatch(r"QQ\((.+)\)", word):
            return number(_parse_number_field(match[1]))
        raise UsageError(
            f"{text!r} is not a field; write QQ, RR, CC, GF(p) for a prime p, or a number field such as QQ(i),"
            " QQ(sqrt(3)) or QQ(t**3-2)"
        )

    def __str__(self) -> str:
        return self.name


QQ = Field("QQ")
RR = Field("RR")
CC = Field("CC")
_NAMED = {"QQ": QQ, "RR": RR, "CC": CC}


def gf(p: int) -> Field:
    """Field with p elements, p a prime below 2^31."""
    if not is_prime(p):
        raise UsageError(
            f"GF({p}) is not available: {p} is not a prime, and only the fields with a prime number of elements are"
            " implemented; write GF(2), GF(3), GF(5), ..."
        )
    if p >= MAX_PRIME:
        raise UsageError(f"GF({p}) is too large; use a prime below 2^31")
    return Field(f"GF({p})", p)


def number(field: NumberField) -> Field:
    """A number field as a `Field`."""
    return Field(str(field), 0, field)


@lru_cache(maxsize=256)
def _check_minimal_polynomial(f: tuple[int, ...]) -> None:
    if not 2 <= len(f) - 1 <= MAX_FIELD_DEGREE or f[-1] != 1:
        raise UsageError(
            f"the coefficients {list(f)} do not give a number field: the polynomial must be monic of degree 2 to"
            f" {MAX_FIELD_DEGREE}, lowest coefficient first"
        )
    if not is_squarefree(f) or not is_irreducible(f):
        raise UsageError(
            f"{_show_polynomial(f, 't')} is reducible over the rationals and defines no field; give an irreducible factor"
        )


def _parse_number_field(word: str) -> NumberField:
    """Number field from what stands between the parentheses of ``QQ(...)``, without spaces."""
    if word == "i":
        return NumberField.sqrt(-1, "i")
    if match := re.fullmatch(r"sqrt\(?(-?\d{1,15})\)?", word):
        D = int(match[1])
        return NumberField.sqrt(D, f"sqrt{D}" if D >= 0 else f"sqrtm{-D}")
    coefficients: dict[int, int] = {}
    symbols: set[str] = set()
    for sign, term in re.findall(r"([+-]?)([^+-]+)", word):
        match = re.fullmatch(r"(?:(\d{1,15})\*)?([a-z][a-z0-9_]*)(?:\*\*(\d{1,2}))?|(\d{1,15})", term)
        if not match:
            raise UsageError(
                f"QQ({word}) is not a number field: cannot read {term!r}; write a square root as in QQ(sqrt(3)) or a"
                " monic irreducible polynomial in one variable as in QQ(t**3-2)"
            )
        symbols |= {match[2]} - {None}
        exponent = int(match[3] or 1) if match[2] else 0
        value = int(match[4] or match[1] or 1)
        coefficients[exponent] = coefficients.get(exponent, 0) + (-value if sign == "-" else value)
    if len(symbols) != 1:
        raise UsageError(
            f"QQ({word}) is not a number field: the polynomial must have one variable, as in QQ(t**3-2)"
        )
    return NumberField.from_polynomial(
        (coefficients.get(k, 0) for k in range(max(coefficients) + 1)), symbols.pop()
    )


def _exact_integer(x: object) -> int:
    """An integer of another library as an int; anything inexact is refused."""
    if isinstance(x, float):
        raise TargetError(
            f"{x!r} is a float; write an exact rational such as {Fraction(str(x)) if x == x else '1/2'}"
        )
    try:
        if not isinstance(x, bool):
            return operator.index(x)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise TargetError(f"{x!r} is not an exact number; use int, Fraction or an element of a number field")


def _show_polynomial(f: Iterable[int | Fraction], symbol: str) -> str:
    """Polynomial in one variable, lowest power first, as a person types it."""
    text = ""
    for k, c in enumerate(f):
        if not c:
            continue
        power = "" if k == 0 else symbol if k == 1 else f"{symbol}**{k}"
        size = power if abs(c) == 1 and power else f"{abs(c)}*{power}" if power else str(abs(c))
        text += (" - " if c < 0 else " + ") + size
    return (text[3:] if text.startswith(" + ") else "-" + text[3:]) if text else "0"
