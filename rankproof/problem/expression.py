"""Syntax trees of polynomials, with bounds on what they expand to.

Every constructor bounds degree, number of terms and size of coefficients from the bounds of its operands, and refuses a
tree that would expand to something too large: the decision falls before anything is multiplied out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt, lcm, log2, prod
from typing import Literal

from rankproof.errors import TargetError
from rankproof.problem.space import MAX_DEGREE

MAX_TERMS = 200_000
MAX_BITS = 20_000
# Products of two terms in the whole expansion: some ten seconds.
MAX_WORK = 20_000_000


@dataclass(frozen=True)
class Node:
    """A subexpression with bounds on what it expands to.

    Parameters
    ----------
    kind
        What it is. Whatever has a rational value is a constant.
    parts
        Operands: terms of a sum, factors of a product, the base of a power.
    value
        Constant, name of a variable, radicand of a root, or exponent.
    names
        Variables below it.
    degree, terms, bits
        At most what the expanded polynomial has: degree, number of terms, bits of a numerator.
    work
        At most so many products of two terms are needed to expand it.
    denominator
        A common denominator of the coefficients of the expanded polynomial.
    roots
        Radicands of the square roots below it.
    """

    kind: Literal["constant", "variable", "root", "sum", "product", "power"]
    parts: tuple[Node, ...] = ()
    value: Fraction | str | int = 0
    names: frozenset[str] = frozenset()
    degree: int = 0
    terms: int = 1
    bits: float = 1
    denominator: int = 1
    roots: frozenset[Fraction] = frozenset()
    work: int = 0

    @property
    def rational(self) -> Fraction | None:
        """Value of a constant; None for everything else."""
        return Fraction(self.value) if self.kind == "constant" else None


def constant(value: Fraction) -> Node:
    """A rational number."""
    return Node("constant", value=value, bits=value.numerator.bit_length() + 1, denominator=value.denominator)


def variable(name: str) -> Node:
    """A variable; TargetError when the name is not one."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,31}", name):
        raise TargetError(
            f"{name!r} cannot name a variable; start with a letter and use at most 32 letters, digits and _"
        )
    return Node("variable", value=name, names=frozenset([name]), degree=1)


def root(radicand: Fraction) -> Node:
    """Square root of a rational number."""
    if radicand.numerator.bit_length() + radicand.denominator.bit_length() > 100:
        raise TargetError(
            f"sqrt({radicand}) is too large; square roots are taken of numbers up to about 30 digits"
        )
    if (value := rational_root(radicand)) is not None:
        return constant(value)
    return Node("root", value=radicand, roots=frozenset([radicand]), bits=100)


def add(terms: Sequence[Node]) -> Node:
    """Sum of at least one term."""
    if len(terms) == 1:
        return terms[0]
    denominator = 1
    for t in terms:
        denominator = lcm(denominator, t.denominator)
        _check_bits(denominator.bit_length())
    # Over the common denominator a numerator grows by what its own denominator lacks.
    lacking = max(t.bits - t.denominator.bit_length() for t in terms)
    bits = lacking + denominator.bit_length() + log2(len(terms)) + 1
    value = _sum_of_constants(terms)
    degree = max(t.degree for t in terms)
    return _inner("sum", terms, sum(t.terms for t in terms), degree, bits, denominator, value, 0)


def multiply(factors: Sequence[Node]) -> Node:
    """Product of at least one factor, multiplied out short factors first."""
    if len(factors) == 1:
        return factors[0]
    factors = sorted(factors, key=lambda f: f.terms)
    degree = sum(f.degree for f in factors)
    most = _monomials(factors, degree)
    terms, bits, denominator, work = 1, 0.0, 1, 0
    for f in factors:
        work += terms * f.terms
        terms = min(terms * f.terms, most)
        bits += f.bits + log2(f.terms)
        denominator *= f.denominator
        _check_bits(max(bits, denominator.bit_length()))
    values = [f.rational for f in factors]
    value = prod(v for v in values if v is not None) if None not in values else None
    return _inner("product", factors, terms, degree, bits, denominator, value, work)


def power(base: Node, exponent: int) -> Node:
    """Power of a subexpression, 0 <= exponent <= MAX_DEGREE, multiplied out one factor after the other."""
    degree = exponent * base.degree
    terms = min(comb(base.terms + exponent - 1, exponent), _monomials([base], degree))
    bits = exponent * (base.bits + log2(base.terms)) + 1
    _check_bits(max(bits, exponent * base.denominator.bit_length()))
    value = None if base.rational is None else base.rational**exponent
    work = exponent * terms * base.terms
    return _inner("power", (base,), terms, degree, bits, base.denominator**exponent, value, work, exponent)


def reciprocal(node: Node, at: int) -> Node:
    """1 / node for a rational number; `at` is its place in the text, for the message."""
    value = node.rational
    if value is None:
        raise TargetError(
            f"the divisor at position {at + 1} is not a rational number; divide by numbers only, as in x/2,"
            " and write sqrt(3)/3 for 1/sqrt(3)"
        )
    if not value:
        raise TargetError(f"division by zero at position {at + 1}; divide by a number that is not zero")
    return constant(1 / value)


def rational_root(q: Fraction) -> Fraction | None:
    """Square root of a rational when it is rational, else None."""
    if q < 0:
        return None
    n, d = isqrt(q.numerator), isqrt(q.denominator)
    return Fraction(n, d) if n * n == q.numerator and d * d == q.denominator else None


def _sum_of_constants(terms: Sequence[Node]) -> Fraction | None:
    total = Fraction(0)
    for t in terms:
        if t.rational is None:
            return None
        total += t.rational
    return total


def _inner(
    kind: Literal["sum", "product", "power"],
    parts: Sequence[Node],
    terms: int,
    degree: int,
    bits: float,
    denominator: int,
    value: Fraction | int | None,
    work: int,
    exponent: int = 0,
) -> Node:
    """Inner node, refused when its bounds are too large, or the constant that it is."""
    names = frozenset[str]().union(*(p.names for p in parts))
    if degree > MAX_DEGREE:
        raise TargetError(f"the degree reaches {degree}; at most {MAX_DEGREE} is handled")
    terms = min(terms, _monomials(parts, degree))
    work += sum(p.work for p in parts)
    check_size(terms, work)
    _check_bits(bits)
    if value is not None:
        return constant(Fraction(value))
    roots = frozenset[Fraction]().union(*(p.roots for p in parts))
    return Node(kind, tuple(parts), exponent, names, degree, terms, bits, denominator, roots, work)


def check_size(terms: int, work: int) -> None:
    """Refuse an expansion with too many terms, or too many products on the way to it."""
    if terms > MAX_TERMS:
        raise TargetError(f"expanded, this may have {terms} terms; at most {MAX_TERMS} are handled")
    if work > MAX_WORK:
        raise TargetError(
            f"expanding this may take {work} products of terms; at most {MAX_WORK} are done, so write it more expanded"
        )


def _monomials(parts: Sequence[Node], degree: int) -> int:
    """Number of monomials of at most this degree in the variables of the parts."""
    n = len(frozenset[str]().union(*(p.names for p in parts)))
    # A degree beyond the limit is refused by itself; its count is not needed.
    return comb(n + min(degree, MAX_DEGREE), n)


def _check_bits(bits: float) -> None:
    if bits > MAX_BITS:
        raise TargetError(f"a coefficient may reach {int(bits)} bits; at most {MAX_BITS} are handled")
