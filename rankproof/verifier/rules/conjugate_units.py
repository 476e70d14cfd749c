"""Rule ``conjugate-units``: units at all the roots of polynomials, whose sum is computed as a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_MOST, RANK, Claim
from ..numberfield import NumberField, count_real_roots
from ..reading import keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Algebraic, Number, Rational, Ring, read_number, read_rational
from ..targets import Word, quoted
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule

MOST_ROOTS = 64


@dataclass(frozen=True)
class Family:
    """A unit with coordinates in QQ[t]/(f): one unit for every root of f."""

    algebra: NumberField
    unit: list[list[Number]]


def read(witness: Any, context: Context) -> list[Family]:
    (nodes,) = keys(witness, context.witness(), ("families",))
    nodes = sequence(nodes, context.witness("families"), least=1)
    return [_read_family(node, context, k) for k, node in enumerate(nodes)]


def _read_family(node: Any, context: Context, k: int) -> Family:
    polynomial, unit = keys(node, context.witness("families", k), ("polynomial", "unit"))
    here = context.witness("families", k, "polynomial")
    f: list[int] = []
    for i, x in enumerate(sequence(polynomial, here, least=2, most=MOST_ROOTS + 1)):
        c = read_rational(x, f"{here}/{i}")
        if not isinstance(c, int):
            raise Unreadable("wrong-type", f"{here}/{i}", "the coefficients are integers")
        f.append(c)
    if f[-1] != 1:
        raise Unreadable("not-monic", here, "the leading coefficient is 1")
    # Nothing here divides in the algebra: that the polynomial may have factors does no harm.
    algebra = NumberField("t", tuple(f), None)
    ring = Ring("QQ[t]", number_field=algebra)
    lengths = context.units.lengths(context.target.space)
    here = context.witness("families", k, "unit")
    vectors = sequence(unit, here, least=len(lengths), most=len(lengths))
    return Family(
        algebra,
        [
            [
                read_number(x, f"{here}/{j}/{i}", ring)
                for i, x in enumerate(sequence(vector, f"{here}/{j}", least=length, most=length))
            ]
            for j, (vector, length) in enumerate(zip(vectors, lengths, strict=True))
        ],
    )


def derive(families: list[Family], context: Context) -> Claim:
    if context.target.ring != QQ or context.over not in ("CC", "RR"):
        raise field_refused(context, "CC or RR, with rational coefficients,")
    operations = sum(context.units.operations(family.unit) for family in families)
    check_operations(operations, limits.OPERATIONS, context.witness("families"))
    if context.over == "RR":
        for k, family in enumerate(families):
            check_real_roots(family.algebra.minimal_polynomial, context.witness("families", k, "polynomial"))
    rest: dict[Word, Rational] = dict(context.target.entries)  # type: ignore[arg-type]
    for family in families:
        sums = power_sums(family.algebra.minimal_polynomial)
        for word, value in context.units.sum([family.unit], context.target.space):
            rest[word] = rest.get(word, 0) - trace(value, sums)
    word = min((word for word, value in rest.items() if value != 0), default=None)
    if word is not None:
        message = f"the sum misses the target by {quoted(-rest[word])} at {context.target.place(word)}"
        raise Rejected("sum-misses-target", context.witness("families"), message)
    count = sum(family.algebra.degree for family in families)
    return Claim(RANK, context.units.name, context.over, AT_MOST, count)


def check_real_roots(f: tuple[int, ...], pointer: str) -> None:
    """Refuse a polynomial that has not as many different real roots as its degree says."""
    words = 1 + len(f) * max(abs(c).bit_length() for c in f) // 64
    check_operations(len(f) ** 3 * words**2, limits.OPERATIONS, pointer)
    # No root lies beyond Cauchy's bound.
    bound = 1 + max(abs(c) for c in f)
    if count_real_roots(f, -bound, bound) != len(f) - 1:
        raise Rejected("non-real-root", pointer, "not all roots are real and different")


def power_sums(f: tuple[int, ...]) -> list[int]:
    """Sums of the k-th powers of the roots of a monic polynomial, for k below its degree: Newton's identities."""
    n = len(f) - 1
    sums = [n]
    for k in range(1, n):
        sums.append(-k * f[n - k] - sum(f[n - i] * sums[k - i] for i in range(1, k)))
    return sums


def trace(value: Number, sums: list[int]) -> Rational:
    """The sum of an element of QQ[t]/(f) over all roots of f, a repeated one counted as often as it is repeated."""
    if isinstance(value, Algebraic):
        return sum(c * s for c, s in zip(value.coefficients, sums, strict=False))
    return value * sums[0]


RULE = Rule(read, derive)
