"""Rule ``independent-combination``: flattenings of several contractions, less that of a combination that kills no unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..contractions import contractions, lowered, read_orders
from ..forms import Polynomial, Row, check_pairs, exact_rank, read_form
from ..numberfield import NumberField, count_real_roots
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected
from ..scalars import QQ, Number, algebraic, read_minimal_polynomial
from ..targets import Space, Word
from ..units import check_operations
from .flattening import flattening_divisor, number_of_ways, ways
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Contractions:
    """Covectors of one degree on one factor, and the flattening of what they leave.

    ``field`` holds the number b whose powers combine the contractions; without it they are combined by the powers of an
    indeterminate.
    """

    factor: int
    degree: int
    covectors: list[Polynomial]
    orders: list[int]
    field: NumberField | None


def read(witness: Any, context: Context) -> Contractions:
    factor, degree, nodes, orders, polynomial = keys(
        witness, context.witness(), ("factor", "degree", "covectors", "orders"), ("minimal_polynomial",)
    )
    factors = context.target.space.factors
    n, power = factors[integer(factor, context.witness("factor"), 0, len(factors) - 1)]
    integer(degree, context.witness("degree"), 1, power)
    covectors = [
        read_form(node, context.witness("covectors", j), n, degree, QQ)
        for j, node in enumerate(sequence(nodes, context.witness("covectors"), least=1))
    ]
    read_orders(orders, lowered(factors, factor, degree), context.witness("orders"))
    field = None
    if polynomial is not MISSING:
        field = NumberField(
            "b", read_minimal_polynomial(polynomial, context.witness("minimal_polynomial")), None
        )
    return Contractions(factor, degree, covectors, orders, field)


def derive(data: Contractions, context: Context) -> Claim:
    check_hypotheses(data, context)
    slices = [flattened(contracted(covector, data, context), data, context) for covector in data.covectors]
    # One beside the other: columns (j, v). One below the other: rows (j, u).
    beside: dict[Any, Row] = {}
    for j, matrix in enumerate(slices):
        for u, row in matrix.items():
            beside.setdefault(u, {}).update({(j, v): x for v, x in row.items()})
    below = [row for matrix in slices for row in matrix.values()]
    combined = rank_of_combination(slices, data, context)
    divisor = 1 if context.units.name in ("tied", "product") else flattening_divisor(context, data.orders)
    excess = exact_rank(list(beside.values())) + exact_rank(below) - combined
    return Claim(RANK, context.units.name, context.over, AT_LEAST, -(-excess // divisor))


def check_hypotheses(data: Contractions, context: Context) -> None:
    """The powers of b are independent over the field of the claim, and a contraction of a unit is a multiple of one form."""
    over, count = context.over, len(data.covectors)
    if context.target.ring != QQ or over not in ("CC", "RR", "QQ"):
        raise field_refused(context, "CC, RR and QQ, and for coefficients in QQ,")
    if context.units.name not in ("tied", "product") and data.factor != 1:
        message = f"only the outputs of {context.units.name} units are contracted"
        raise Rejected("hypothesis", context.witness("factor"), message)
    here = context.witness("minimal_polynomial")
    if over == "CC":
        if data.field is not None:
            raise Rejected(
                "hypothesis",
                here,
                "over CC the powers of an indeterminate are independent, not those of a number",
            )
        return
    if data.field is None:
        raise Rejected(
            "hypothesis", context.witness(), f"over {over} a number b is needed, by its minimal polynomial"
        )
    if count > data.field.degree:
        message = f"{count} powers of a number of degree {data.field.degree} are dependent"
        raise Rejected("hypothesis", here, message)
    if over == "RR":
        f = data.field.minimal_polynomial
        bound = 1 + max(abs(c) for c in f)
        if count > 2 or count_real_roots(f, -bound, bound) == data.field.degree:
            raise Rejected(
                "hypothesis", here, "over RR two powers 1, b are independent, for b that is not real"
            )


def contracted(covector: Polynomial, data: Contractions, context: Context) -> Polynomial:
    """The covector applied to the factor of the target."""
    target, result = context.target, Polynomial()
    check_pairs(len(covector) * len(target.entries), context.witness("covectors"))
    for word, value in target.entries.items():
        for rest, c in contractions(word, target.space.factors, data.factor, covector):
            result[rest] = result.get(rest, 0) + c * value
    return {word: value for word, value in result.items() if value != 0}


def flattened(entries: Polynomial, data: Contractions, context: Context) -> dict[Word, Row]:
    """Rows of the flattening of a contraction, by their words."""
    space = Space(lowered(context.target.space.factors, data.factor, data.degree))
    total = sum(number_of_ways(word, space) for word in entries)
    check_operations(total, limits.OPERATIONS, context.witness("orders"))
    rows: dict[Word, Row] = {}
    for word, value in entries.items():
        for u, v, times in ways(space.split(word), data.orders):
            rows.setdefault(u, {})[v] = value * times
    return rows


def rank_of_combination(slices: Sequence[dict[Word, Row]], data: Contractions, context: Context) -> int:
    """Exact rank of the sum of b^j times the j-th matrix."""
    if data.field is not None:
        field = data.field
        return exact_rank(combination(slices, lambda j: algebraic(field, [*[0] * j, 1])))
    # A minor of size k is a polynomial in b of degree at most k (q - 1): the largest size at enough points is the rank.
    degree, side = (
        len(slices) - 1,
        min(len({u for s in slices for u in s}), len({v for s in slices for r in s.values() for v in r})),
    )
    size = sum(len(row) for matrix in slices for row in matrix.values())
    check_operations(10 * (degree * side + 1) * side * size, limits.OPERATIONS, context.witness("orders"))
    rank, t = 0, 0
    while rank < side and t <= degree * (rank + 1):
        point = t
        rank = max(rank, exact_rank(combination(slices, lambda j, point=point: point**j)))
        t += 1
    return rank


def combination(slices: Sequence[dict[Word, Row]], coefficient: Callable[[int], Number]) -> list[Row]:
    """Rows of the sum of the matrices, each times its coefficient."""
    rows: dict[Word, Row] = {}
    for j, matrix in enumerate(slices):
        c = coefficient(j)
        for u, row in matrix.items():
            total = rows.setdefault(u, {})
            for v, x in row.items():
                total[v] = total.get(v, 0) + c * x
    return [{v: x for v, x in row.items() if x != 0} for row in rows.values()]


RULE = Rule(read, derive)
