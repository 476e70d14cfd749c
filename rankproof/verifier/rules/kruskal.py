"""Rule ``kruskal``: a sum of units whose vectors are independent, many at a time, has few units too many or none."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..reading import increasing, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import read_number
from ..units import check_operations
from .decomposition import Sum, check_sum, read_sum
from .flattening import image_modulo, read_prime
from .over import field_refused
from .rule import Context, Rule

STEP = 10
"""A step on a short row costs as much as so many operations of a long elimination."""


@dataclass(frozen=True)
class Groups:
    """Units, and a partition of their modes into groups: any ``rank`` of the vectors of a group are independent."""

    sum: Sum
    groups: list[list[int]]
    ranks: list[int]
    prime: int
    root: int | None


def read(witness: Any, context: Context) -> Groups:
    ring, units, nodes, prime, root = keys(
        witness, context.witness(), ("ring", "units", "groups", "prime"), ("root",)
    )
    if context.units.name not in ("product", "tied"):
        message = "the rule is about product units and tied units"
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", message)
    sum_ = read_sum(ring, units, context, read_number)
    order = len(modes(sum_.units[0], context))
    groups: list[list[int]] = []
    ranks: list[int] = []
    for i, node in enumerate(sequence(nodes, context.witness("groups"), least=1)):
        members, rank = keys(node, context.witness("groups", i), ("modes", "rank"))
        groups.append(increasing(members, context.witness("groups", i, "modes"), 0, order - 1, shortest=1))
        ranks.append(integer(rank, context.witness("groups", i, "rank"), 1, len(sum_.units)))
    if sorted(mode for group in groups for mode in group) != list(range(order)):
        message = f"every mode from 0 to {order - 1} stands in exactly one group"
        raise Unreadable("no-partition", context.witness("groups"), message)
    return Groups(sum_, groups, ranks, *read_prime(prime, root, context))


def modes(vectors: list[Any], context: Context) -> list[Any]:
    """The factors of a unit as a tensor: those of a tied unit are its form, d times, and the weights of the outputs."""
    return [vectors[0]] * sum(context.units.powers) + vectors[1:] if context.units.powers else vectors


def derive(witness: Groups, context: Context) -> Claim:
    ring, units, p = witness.sum.ring, witness.sum.units, witness.prime
    if context.over != (ring.name if ring.prime else "CC"):
        raise field_refused(context, "CC or GF(p), as the ring of its units says,")
    if ring.prime and ring.prime != p:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    if 0 < ring.prime <= context.target.space.form_degree:  # product units have degree 1
        raise Rejected("hypothesis", context.pointer, f"powers say nothing about tensors over {ring.name}")
    r = len(units)
    sizes = [len(vector) for vector in modes(units[0], context)]
    for i, (group, rank) in enumerate(zip(witness.groups, witness.ranks, strict=True)):
        cells = r * prod(sizes[mode] for mode in group)
        check_operations(STEP * cells * (1 + comb(r, rank - 1)), limits.OPERATIONS, context.witness("groups", i))
    check_sum(witness.sum, context)
    places = {(i, j, k): x for i, unit in enumerate(units) for j, v in enumerate(unit) for k, x in enumerate(v)}
    images = image_modulo(places, ring, p, witness.root, context)
    reduced = [
        modes([[images[i, j, k] for k in range(len(v))] for j, v in enumerate(unit)], context)
        for i, unit in enumerate(units)
    ]
    for i, (group, rank) in enumerate(zip(witness.groups, witness.ranks, strict=True)):
        rows = [[1]] * r
        for mode in group:
            rows = [[x * y % p for x in row for y in unit[mode]] for row, unit in zip(rows, reduced, strict=True)]
        if not all_independent(rows, rank, p):
            message = f"some {rank} of the vectors are dependent modulo {p}"
            raise Rejected("dependent", context.witness("groups", i), message)
    value = min(r, sum(rank - 1 for rank in witness.ranks) + 2 - r)
    return Claim(RANK, context.units.name, context.over, AT_LEAST, value)


def all_independent(rows: list[list[Any]], count: int, p: int) -> bool:
    """Whether any ``count`` of at least so many rows are linearly independent modulo p."""
    if count == 1:
        return all(map(any, rows))
    # The sets are sorted by their first row: the rows after it have to be independent modulo it.
    for i in range(len(rows) - count + 1):
        pivot = rows[i]
        column = next((c for c, x in enumerate(pivot) if x), None)
        if column is None:
            return False
        scale = pow(pivot[column], -1, p)
        after = [
            [(x - row[column] * scale * y) % p for x, y in zip(row, pivot, strict=True)] if row[column] else row
            for row in rows[i + 1 :]
        ]
        if not all_independent(after, count - 1, p):
            return False
    return True


RULE = Rule(read, derive)
