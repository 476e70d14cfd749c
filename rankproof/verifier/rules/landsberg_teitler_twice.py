"""Rule ``landsberg-teitler-twice``: a catalecticant, and the loci of multiple points on both of its sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..claims import AT_LEAST, RANK, Claim
from ..forms import derivatives, exact_rank
from ..reading import keys, sequence
from ..refusal import Rejected
from .landsberg_teitler import Family, check_hypotheses, dimension_of, read_family, read_numbers
from .rule import Context, Rule


@dataclass(frozen=True)
class BothSides:
    """Families of points of multiplicity above s and above d - s; only one when both are the same."""

    order: int
    families: list[Family]
    prime: int
    macaulay: int | None


def read(witness: Any, context: Context) -> BothSides:
    order, nodes, prime, macaulay = keys(
        witness, context.witness(), ("order", "families", "prime"), ("macaulay",)
    )
    order, prime, macaulay = read_numbers(order, prime, macaulay, context)
    families: list[Family] = []
    for i, node in enumerate(sequence(nodes, context.witness("families"), least=1, most=2)):
        here = context.witness("families", i)
        values = keys(node, here, ("parameters", "degree", "family", "point"))
        families.append(read_family(values, here, context))
    return BothSides(order, families, prime, macaulay)


def derive(data: BothSides, context: Context) -> Claim:
    length = check_hypotheses(data.order, data.prime, data.macaulay, context)
    _, d = context.target.space.factors[0]
    orders = [data.order, d - data.order]
    if len(data.families) == 1 and orders[0] != orders[1]:
        raise Rejected(
            "hypothesis", context.witness("families"), "one family serves both sides only if 2 s = d"
        )
    dimensions = [
        dimension_of(family, s, data.prime, context) for family, s in zip(data.families, orders, strict=False)
    ]
    rank = exact_rank(derivatives([dict(context.target.entries)], data.order))
    total = rank + dimensions[0] + dimensions[-1]
    return Claim(RANK, context.units.name, "CC", AT_LEAST, -(-total // length))


RULE = Rule(read, derive)
