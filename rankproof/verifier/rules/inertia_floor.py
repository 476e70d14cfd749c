"""Rule ``inertia-floor``: no sum of so few real units comes closer to a quadratic form, by counting its eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import limits
from ..claims import AT_LEAST, Claim
from ..losses import constant
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Rational, read_rational
from ..units import check_operations
from .floor import floor_of
from .inertia import NotDominant, nearly_diagonal
from .rule import Context, Rule


@dataclass(frozen=True)
class Level:
    """A positive threshold, and the order in which the variables are made orthogonal."""

    threshold: Rational
    order: tuple[int, ...]


def read(witness: Any, context: Context) -> tuple[list[Level], list[Level], int]:
    """Levels for the positive and for the negative eigenvalues, and the bits of the vectors."""
    above, below, bits = keys(witness, context.witness(), ("above", "below", "bits"))
    levels = [_read_levels(node, side, context) for node, side in ((above, "above"), (below, "below"))]
    return levels[0], levels[1], integer(bits, context.witness("bits"), 8, 1024)


def _read_levels(node: Any, side: str, context: Context) -> list[Level]:
    n = context.target.space.variables
    levels: list[Level] = []
    for k, entry in enumerate(sequence(node, context.witness(side), least=1)):
        here = context.witness(side, k)
        threshold, order = keys(entry, here, ("threshold", "order"))
        value = read_rational(threshold, f"{here}/threshold")
        if value <= 0:
            raise Unreadable("out-of-range", f"{here}/threshold", "a threshold is positive")
        for place, x in enumerate(sequence(order, f"{here}/order", least=n, most=n)):
            integer(x, f"{here}/order/{place}", 0, n - 1)
        if len(set(order)) != n:
            raise Unreadable("repeated", f"{here}/order", "a variable stands twice")
        levels.append(Level(value, tuple(order)))
    return levels


def derive(levels: tuple[list[Level], list[Level], int], context: Context) -> Claim:
    above, below, bits = levels
    floor, space = floor_of(context, ("RR",)), context.target.space
    if len(space.factors) != 1 or space.form_degree != 2:
        raise Rejected("hypothesis", context.pointer, "the rule is about one form of degree 2")
    factor = constant(floor, space)
    if factor is None:
        raise Rejected("hypothesis", context.pointer, f"the rule says nothing about the loss {floor.loss}")
    n, count = space.variables, len(above) + len(below)
    check_operations(count * n**3 * (1 + bits // 32) // 8, limits.OPERATIONS, context.pointer)
    largest = min(floor.width, n)
    tops = _tops(above, 1, "above", largest, bits, context) + _tops(below, -1, "below", largest, bits, context)
    if context.units.name == "tied":
        tops = sorted(tops)[-largest:] if largest else []
    entries = context.target.entries.items()
    norm = sum(Fraction(x) ** 2 / (1 if i == j else 2) for (i, j), x in entries)  # type: ignore[arg-type]
    value = factor * max(Fraction(0), norm - sum(x**2 for x in tops))
    return Claim(floor, context.units.name, context.over, AT_LEAST, value.numerator if value.denominator == 1 else value)


def _tops(levels: list[Level], sign: int, side: str, largest: int, bits: int, context: Context) -> list[Fraction]:
    """Numbers that the first eigenvalues of sign * S, so many of them and the largest first, do not exceed."""
    counts: list[tuple[int, Fraction]] = []
    for k, level in enumerate(levels):
        try:
            diagonal = nearly_diagonal(context.target, level.order, bits, sign, level.threshold)
        except NotDominant as found:
            place = context.witness(side, k, "order", found.args[0])
            raise Rejected("not-dominant", place, "the vectors are not orthogonal enough") from None
        # The signature of sign * S - threshold: so many eigenvalues are larger than the threshold, the others smaller.
        counts.append((sum(x > 0 for x in diagonal), Fraction(level.threshold)))
    tops: list[Fraction] = []
    for i in range(largest):
        known = [threshold for count, threshold in counts if count <= i]
        if not known:
            raise Rejected("hypothesis", context.witness(side), f"no threshold exceeds eigenvalue {i + 1} of this side")
        tops.append(min(known))
    return tops


RULE = Rule(read, derive)
