"""Laurent polynomials in eps: the coordinates of border units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rankproof.problem.field import Field, Scalar


@dataclass(frozen=True)
class Laurent:
    """A Laurent polynomial in eps: pairs (exponent, coefficient), exponents increasing, coefficients not zero.

    Examples
    --------
    >>> eps = Laurent.power(1)
    >>> print((1 + eps) * (1 - eps) * Laurent.power(-1, 3))
    3*eps**-1 - 3*eps
    """

    terms: tuple[tuple[int, Scalar], ...]

    @classmethod
    def from_mapping(cls, coefficients: Mapping[int, Scalar]) -> Laurent:
        """Laurent polynomial with the given coefficient at each exponent."""
        return cls(tuple((e, c) for e, c in sorted(coefficients.items()) if c))

    @classmethod
    def constant(cls, x: Scalar) -> Laurent:
        """A scalar, constant in eps."""
        return cls(((0, x),) if x else ())

    @classmethod
    def power(cls, exponent: int, coefficient: Scalar = 1) -> Laurent:
        """The term coefficient * eps^exponent."""
        return cls.from_mapping({exponent: coefficient})

    @property
    def is_constant(self) -> bool:
        """Whether eps does not occur."""
        return all(e == 0 for e, _ in self.terms)

    def coefficient(self, exponent: int) -> Scalar:
        """Coefficient at eps^exponent."""
        return next((c for e, c in self.terms if e == exponent), 0)

    def over(self, ring: Field) -> Laurent:
        """The same polynomial with coefficients in normal form over an exact field."""
        return Laurent.from_mapping({e: ring.reduce(c) for e, c in self.terms})

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Laurent | Scalar) -> Laurent:
        total = dict(self.terms)
        for e, c in as_laurent(other).terms:
            total[e] = total.get(e, 0) + c
        return Laurent.from_mapping(total)

    def __mul__(self, other: Laurent | Scalar) -> Laurent:
        total: dict[int, Scalar] = {}
        for e, c in self.terms:
            for e2, c2 in as_laurent(other).terms:
                total[e + e2] = total.get(e + e2, 0) + c * c2
        return Laurent.from_mapping(total)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Laurent:
        return Laurent(tuple((e, -c) for e, c in self.terms))

    def __sub__(self, other: Laurent | Scalar) -> Laurent:
        return self + (-other)

    def __rsub__(self, other: Laurent | Scalar) -> Laurent:
        return -self + other

    def __str__(self) -> str:
        text = ""
        for e, c in self.terms:
            power = "" if e == 0 else "eps" if e == 1 else f"eps**{e}"
            size = str(c) if isinstance(c, int | Fraction) else f"({c})"
            negative = size.startswith("-")
            size = size.removeprefix("-")
            factor = power if power and size == "1" else f"{size}*{power}" if power else size
            text += (" - " if negative else " + ") + factor
        return (text[3:] if text.startswith(" + ") else "-" + text[3:]) if text else "0"


def as_laurent(x: Laurent | Scalar) -> Laurent:
    """A coordinate as a Laurent polynomial."""
    return x if isinstance(x, Laurent) else Laurent.constant(x)
