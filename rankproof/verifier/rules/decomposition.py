"""Rule ``decomposition``: a list of units whose sum is the target bounds the rank from above."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_MOST, RANK, Claim
from ..reading import keys, limited, sequence
from ..refusal import Rejected
from ..scalars import SAFE, Coordinate, Number, Ring, read_number
from ..targets import Word, quoted, read_ring
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule

ReadCoordinate = Callable[[Any, str, Ring], Coordinate]


@dataclass(frozen=True)
class Sum:
    """Units with coordinates in a ring."""

    ring: Ring
    units: list[list[list[Any]]]


def read(witness: Any, context: Context) -> Sum:
    ring, units = keys(witness, context.witness(), ("ring", "units"))
    return read_sum(ring, units, context, read_number)


def read_sum(ring_node: Any, units_node: Any, context: Context, coordinate: ReadCoordinate) -> Sum:
    """Units of the model of the claim, every vector of exactly the length that the space asks for."""
    ring = read_ring(ring_node, context.witness("ring"), context.rings)
    nodes = limited(units_node, context.witness("units"), limits.UNITS, "limit-units")
    lengths = context.units.lengths(context.target.space)
    known: dict[str, Coordinate] = {}

    def read_one(node: Any, pointer: str) -> Coordinate:
        # A few quotients such as "1/2" are read again and again.
        if type(node) is not str:
            return coordinate(node, pointer, ring)
        if node not in known:
            known[node] = coordinate(node, pointer, ring)
        return known[node]

    units: list[list[list[Any]]] = []
    for i, node in enumerate(nodes):
        vectors = sequence(node, context.witness("units", i), least=len(lengths), most=len(lengths))
        unit: list[list[Any]] = []
        for j, (vector, length) in enumerate(zip(vectors, lengths, strict=True)):
            here = context.witness("units", i, j)
            values = sequence(vector, here, least=length, most=length)
            # Small integers are nearly all coordinates there are: the common case is kept short.
            plain = not ring.prime and set(map(type, values)) == {int} and -SAFE < min(values) <= max(values) < SAFE
            unit.append(values if plain else [read_one(x, f"{here}/{k}") for k, x in enumerate(values)])
        units.append(unit)
    return Sum(ring, units)


def compared(sum_: Sum, context: Context) -> Iterator[tuple[Word, Any, Number]]:
    """Word, coefficient of the sum, coefficient of the target: wherever one of the two may differ from zero."""
    target = context.target.over(sum_.ring)
    operations = sum(context.units.operations(unit) for unit in sum_.units)
    check_operations(operations, limits.OPERATIONS, context.witness("units"))
    missing = dict(target.entries)
    for word, value in context.units.sum(sum_.units, target.space):
        yield word, value, missing.pop(word, 0)
    for word in sorted(missing):
        yield word, 0, missing[word]


def check_sum(sum_: Sum, context: Context) -> None:
    """Refuse unless the sum of the units is the target."""
    for word, value, wanted in compared(sum_, context):
        if value == wanted:
            continue
        # Over GF(p) the sum is computed in the integers and reduced here.
        difference = sum_.ring.reduce(value - wanted)
        if difference != 0:
            message = f"the sum misses the target by {quoted(difference)} at {context.target.place(word)}"
            raise Rejected("sum-misses-target", context.witness("units"), message)


def check_field(sum_: Sum, context: Context) -> None:
    if context.over != sum_.ring.name:
        raise field_refused(context, f"{sum_.ring.name}, the ring of its units,")


def derive(sum_: Sum, context: Context) -> Claim:
    check_field(sum_, context)
    check_sum(sum_, context)
    return Claim(RANK, context.units.name, sum_.ring.name, AT_MOST, len(sum_.units))


RULE = Rule(read, derive)
