"""Rule ``border-family``: units with coordinates in K[eps, 1/eps] whose sum is eps^h times the target and higher terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_MOST, BORDER, Claim
from ..reading import integer, keys
from ..refusal import Rejected, Undecided
from ..scalars import laurent_terms, read_coordinate
from ..targets import written
from .decomposition import Sum, expand, read_sum
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
    target, total = expand(family.units, context)
    ring, h = family.units.ring, family.order
    here = context.witness("units")
    for word in sorted(total.keys() | target.entries.keys()):
        terms = laurent_terms(total.get(word, 0))
        for exponent in sorted(terms):
            if exponent < h and ring.reduce(terms[exponent]) != 0:
                message = f"the sum has the term {written(ring.reduce(terms[exponent]))}*eps^{exponent}, below eps^{h}, "
                raise Rejected("family-diverges", here, message + f"at {target.place(word)}")
        difference = ring.reduce(terms.get(h, 0) - target.entries.get(word, 0))
        if difference != 0:
            message = f"the coefficient of eps^{h} misses the target by {written(difference)} at {target.place(word)}"
            raise Rejected("family-misses-target", here, message)
    return Claim(BORDER, context.units.name, ring.name, AT_MOST, len(family.units.units))


RULE = Rule(read, derive)
