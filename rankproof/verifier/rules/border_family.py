"""Rule ``border-family``: units with coordinates in K[eps, 1/eps] whose sum is eps^h times the target and higher terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_MOST, BORDER, Claim
from ..reading import integer, keys
from ..refusal import Rejected, Undecided
from ..scalars import laurent_terms, read_coordinate
from ..targets import quoted
from .decomposition import Sum, check_field, compared, read_sum
from .rule import Context, Rule


@dataclass(frozen=True)
class Family:
    units: Sum
    order: int


def read(witness: Any, context: Context) -> Family:
    ring, order, units = keys(witness, context.witness(), ("ring", "order", "units"))
    integer(order, context.witness("order"), -(2**53), 2**53)
    if abs(order) > limits.EXPONENT:
        raise Undecided("limit-exponent", context.witness("order"), f"order {order}; at most {limits.EXPONENT}")
    return Family(read_sum(ring, units, context, read_coordinate), order)


def derive(family: Family, context: Context) -> Claim:
    ring, h = family.units.ring, family.order
    here = context.witness("units")
    check_field(family.units, context)
    missed = ""
    for word, value, wanted in compared(family.units, context):
        terms = laurent_terms(value)
        for exponent in sorted(terms):
            coefficient = ring.reduce(terms[exponent])
            if exponent < h and coefficient != 0:
                term = f"{quoted(coefficient)}*eps^{exponent}"
                message = f"the sum has the term {term}, below eps^{h}, at {context.target.place(word)}"
                raise Rejected("family-diverges", here, message)
        difference = ring.reduce(terms.get(h, 0) - wanted)
        if difference != 0 and not missed:
            missed = f"the coefficient of eps^{h} misses the target by {quoted(difference)}"
            missed += f" at {context.target.place(word)}"
    if missed:
        raise Rejected("family-misses-target", here, missed)
    return Claim(BORDER, context.units.name, ring.name, AT_MOST, len(family.units.units))


RULE = Rule(read, derive)
