"""Exact numbers: rationals, elements of a number field, Laurent polynomials in eps.

Rationals are Python integers and Fractions, and so are elements of GF(p), which are reduced where they are
compared. The classes here only have the operations that the rules use; every operation returns a normal form, so
that a value is zero exactly when it equals 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Union

from . import limits
from .numberfield import NumberField, is_irreducible
from .reading import integer, keys, sequence, show
from .refusal import Rejected, Undecided, Unreadable

Rational = int | Fraction
Number = Union[int, Fraction, "Algebraic"]
Coordinate = Union[int, Fraction, "Algebraic", "Laurent"]

SAFE = 2**53
"""Integers of this absolute value and beyond are strings in a file: other languages read them as doubles."""

_INTEGER = re.compile(r"-?[1-9][0-9]*")
_FRACTION = re.compile(r"(-?[1-9][0-9]*)/([1-9][0-9]*)")


@dataclass(frozen=True, eq=False)
class Algebraic:
    """An irrational element of a number field: coordinates on 1, a, ..., the last of them not zero."""

    field: NumberField
    coefficients: tuple[Rational, ...]

    def __add__(self, other: Number) -> Number:
        if isinstance(other, Laurent):
            return NotImplemented
        left, right = self.coefficients, _coefficients(other)
        if len(left) < len(right):
            left, right = right, left
        return algebraic(self.field, [x + y for x, y in zip(left, right + (0,) * (len(left) - len(right)), strict=True)])

    __radd__ = __add__

    def __neg__(self) -> Number:
        return Algebraic(self.field, tuple(-x for x in self.coefficients))

    def __sub__(self, other: Number) -> Number:
        return self + (-other)

    def __rsub__(self, other: Number) -> Number:
        return other + (-self)

    def __mul__(self, other: Number) -> Number:
        if isinstance(other, Laurent):
            return NotImplemented
        right = _coefficients(other)
        product: list[Rational] = [0] * (len(self.coefficients) + len(right) - 1)
        for i, x in enumerate(self.coefficients):
            for j, y in enumerate(right):
                product[i + j] += x * y
        return algebraic(self.field, product)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algebraic) and self.coefficients == other.coefficients

    __hash__ = None  # type: ignore[assignment]

    def inverse(self) -> Number:
        """1 / self, by the extended Euclidean algorithm with the minimal polynomial."""
        return algebraic(self.field, self.field.inverse(list(self.coefficients)))

    def sign(self) -> int:
        """Sign at the declared real root."""
        return self.field.sign(list(self.coefficients))

    def __str__(self) -> str:
        powers = ("", self.field.symbol, *(f"{self.field.symbol}**{i}" for i in range(2, len(self.coefficients))))
        terms = [(c, power) for c, power in zip(self.coefficients, powers, strict=False) if c]
        return " + ".join(power if power and c == 1 else f"{c}*{power}" if power else str(c) for c, power in terms)


def _coefficients(value: Number) -> tuple[Rational, ...]:
    return value.coefficients if isinstance(value, Algebraic) else (value,)


def algebraic(field: NumberField, coefficients: list[Rational]) -> Number:
    """The element with these coordinates, reduced by the minimal polynomial; a rational when it is one."""
    reduced = field.reduce(coefficients)
    if len(reduced) <= 1:
        return reduced[0] if reduced else 0
    return Algebraic(field, tuple(reduced))


@dataclass(frozen=True, eq=False)
class Laurent:
    """A Laurent polynomial in eps: coefficient of each exponent, zero coefficients left out."""

    terms: dict[int, Number]

    def __add__(self, other: Coordinate) -> Laurent:
        terms = dict(self.terms)
        for exponent, value in _terms(other).items():
            total = terms.get(exponent, 0) + value
            if total == 0:
                terms.pop(exponent, None)
            else:
                terms[exponent] = total
        return Laurent(terms)

    __radd__ = __add__

    def __mul__(self, other: Coordinate) -> Laurent:
        terms: dict[int, Number] = {}
        for e, x in self.terms.items():
            for f, y in _terms(other).items():
                terms[e + f] = terms.get(e + f, 0) + x * y
        return Laurent({e: x for e, x in terms.items() if x != 0})

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Laurent, int, Fraction, Algebraic)):
            return self.terms == _terms(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _terms(value: Coordinate) -> dict[int, Number]:
    if isinstance(value, Laurent):
        return value.terms
    return {0: value} if value != 0 else {}


def laurent_terms(value: Coordinate) -> dict[int, Number]:
    """Coefficients by exponent; a constant has exponent 0 only."""
    return _terms(value)


def inverse(value: Number) -> Number:
    """1 / value in characteristic 0."""
    if isinstance(value, Algebraic):
        return value.inverse()
    return normal(Fraction(1) / value)


def normal(value: Rational) -> Rational:
    """An integer when the rational is one: integer arithmetic is an order of magnitude faster."""
    return value.numerator if value.denominator == 1 else value


def sign(value: Number) -> int:
    """-1, 0 or 1; an algebraic number is taken at the declared real root."""
    if isinstance(value, Algebraic):
        return value.sign()
    return (value > 0) - (value < 0)


def bit_length(value: Number) -> int:
    """Bits of numerators and denominators together."""
    parts = value.coefficients if isinstance(value, Algebraic) else (value,)
    return sum(x.numerator.bit_length() + x.denominator.bit_length() for x in parts)


def words(value: Number) -> int:
    """Words of 64 bits of numerators and denominators together: what a number costs in an exact elimination."""
    return bit_length(value) // 64


def read_rational(node: Any, pointer: str) -> Rational:
    """A rational in its one spelling (docs/format.md, Numbers)."""
    if type(node) is int:
        if not -SAFE < node < SAFE:
            raise Unreadable("bad-rational", pointer, f"{node} is 2^53 or beyond; write it as a string")
        return node
    if type(node) is not str:
        raise Unreadable("wrong-type", pointer, f"expected a rational number, found {show(node)}")
    if len(node) > 2 * limits.DIGITS + 2:
        raise Undecided("limit-digits", pointer, f"a number of {len(node)} characters")
    if _INTEGER.fullmatch(node):
        _check_digits(node, pointer)
        value = int(node)
        if -SAFE < value < SAFE:
            raise Unreadable("bad-rational", pointer, f"{show(node)} is written without quotes")
        return value
    match = _FRACTION.fullmatch(node)
    if match is None:
        raise Unreadable("bad-rational", pointer, f'{show(node)} is not a rational such as "-1/6"')
    _check_digits(match[1], pointer)
    _check_digits(match[2], pointer)
    numerator, denominator = int(match[1]), int(match[2])
    if denominator == 1 or gcd(numerator, denominator) != 1:
        raise Unreadable("not-lowest-terms", pointer, f"{show(node)} is not in lowest terms")
    return Fraction(numerator, denominator)


def _check_digits(literal: str, pointer: str) -> None:
    if len(literal.lstrip("-")) > limits.DIGITS:
        raise Undecided("limit-digits", pointer, f"a number of {len(literal)} digits; at most {limits.DIGITS}")


def read_number(node: Any, pointer: str, ring: Ring) -> Number:
    """A number of the ring: QQ, GF(p) or QQ(a)."""
    if ring.prime:
        return integer(node, pointer, 0, ring.prime - 1)
    if type(node) is list and ring.number_field is not None:
        field = ring.number_field
        values = sequence(node, pointer, least=2, most=field.degree)
        coefficients = [read_rational(value, f"{pointer}/{i}") for i, value in enumerate(values)]
        if coefficients[-1] == 0:
            raise Unreadable("trailing-zero", pointer, "the last coordinate of an algebraic number is not zero")
        return Algebraic(field, tuple(coefficients))
    return read_rational(node, pointer)


def read_minimal_polynomial(node: Any, pointer: str) -> tuple[int, ...]:
    """Coefficients in ascending order of a monic polynomial over the integers, irreducible over the rationals."""
    coefficients: list[int] = []
    for i, x in enumerate(sequence(node, pointer, least=3)):
        c = read_rational(x, f"{pointer}/{i}")
        if not isinstance(c, int):
            raise Unreadable("wrong-type", f"{pointer}/{i}", "the coefficients of a minimal polynomial are integers")
        coefficients.append(c)
    if len(coefficients) > limits.FIELD_DEGREE + 1:
        raise Undecided("limit-field-degree", pointer, f"degree {len(coefficients) - 1}; at most {limits.FIELD_DEGREE}")
    if max(abs(c) for c in coefficients) >= 10**100:
        raise Undecided("limit-digits", pointer, "coefficients of more than 100 digits")
    if coefficients[-1] != 1:
        raise Unreadable("not-monic", pointer, "the leading coefficient of a minimal polynomial is 1")
    if not is_irreducible(coefficients, pointer):
        raise Unreadable("reducible", pointer, "the polynomial is reducible over the rationals: it defines no field")
    return tuple(coefficients)


def read_coordinate(node: Any, pointer: str, ring: Ring) -> Coordinate:
    """A coordinate of a border unit: a number, or ``{"eps": [[exponent, number], ...]}``."""
    if not isinstance(node, dict):
        return read_number(node, pointer, ring)
    (pairs,) = keys(node, pointer, ("eps",))
    terms: dict[int, Number] = {}
    previous: int | None = None
    for position, pair in enumerate(sequence(pairs, f"{pointer}/eps", least=1)):
        here = f"{pointer}/eps/{position}"
        exponent, coefficient = sequence(pair, here, least=2, most=2)
        integer(exponent, f"{here}/0", -(2**53), 2**53)
        if abs(exponent) > limits.EXPONENT:
            raise Undecided("limit-exponent", f"{here}/0", f"exponent {exponent}; at most {limits.EXPONENT}")
        if previous is not None and exponent <= previous:
            code = "repeated" if exponent == previous else "unsorted"
            raise Unreadable(code, f"{here}/0", "exponents must increase")
        previous = exponent
        terms[exponent] = read_number(coefficient, f"{here}/1", ring)
        if terms[exponent] == 0:
            raise Unreadable("zero-entry", f"{here}/1", "zero coefficients are left out")
    if set(terms) == {0}:
        raise Unreadable("constant-family", pointer, "a coordinate constant in eps is written as a plain number")
    return Laurent(terms)


@dataclass(frozen=True)
class Ring:
    """Where coefficients live: QQ, GF(p) or a number field QQ(a); ``name`` is how a file writes it."""

    name: str
    prime: int = 0
    number_field: NumberField | None = None

    def reduce(self, value: Number, pointer: str = "/target") -> Number:
        """Normal form: for GF(p) the representative in 0..p-1 of an integer or of a fraction without p below."""
        if not self.prime:
            return value
        if isinstance(value, Algebraic):
            raise Rejected("ring", pointer, "an algebraic coefficient has no reduction modulo a prime")
        if isinstance(value, Fraction):
            if value.denominator % self.prime == 0:
                raise Rejected("denominator", pointer, f"{self.prime} divides a denominator of the target")
            return value.numerator * pow(value.denominator, -1, self.prime) % self.prime
        return value % self.prime


QQ = Ring("QQ")
