"""Rule ``hessian-at-a-zero``: a form whose second derivatives have rank 3 at one of its zeros is no product of linear forms."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from ..claims import AT_LEAST, BORDER, Claim
from ..forms import check_pairs, remove
from ..matrix import rank_modulo
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..targets import Word
from .flattening import read_prime, reduced
from .over import ring_of_lower_bound
from .rule import Context, Rule


@dataclass(frozen=True)
class Zero:
    """A point modulo the prime."""

    point: list[int]
    prime: int
    root: int | None


def read(witness: Any, context: Context) -> Zero:
    point, prime, root = keys(witness, context.witness(), ("point", "prime"), ("root",))
    if context.units.name != "split":
        raise Unreadable(
            "units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about split units"
        )
    prime, root = read_prime(prime, root, context)
    n = context.target.space.variables
    for i, value in enumerate(sequence(point, context.witness("point"), least=n, most=n)):
        integer(value, context.witness("point", i), 0, prime - 1)
    return Zero(point, prime, root)


def derive(zero: Zero, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    p, space = zero.prime, context.target.space
    if ring.prime and ring.prime != p:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    if len(space.factors) != 1:
        raise Rejected("hypothesis", context.pointer, "the rule is about one form")
    form = reduced(context.target.over(ring), p, zero.root, context)
    check_pairs(len(form) * space.variables**2)
    if value_at(form, (), zero):
        raise Rejected("not-a-zero", context.witness("point"), f"the form is not 0 at the point modulo {p}")
    n = range(space.variables)
    hessian = [{j: x for j in n if (x := value_at(form, (i, j), zero))} for i in n]
    if rank_modulo(hessian, p) < 3:
        raise Rejected(
            "rank", context.witness("point"), "the second derivatives have rank at most 2 at the point"
        )
    return Claim(BORDER, "split", context.over, AT_LEAST, 2)


def value_at(form: dict[Word, int], letters: Word, zero: Zero) -> int:
    """The derivative of the form by the letters, at the point."""
    total = 0
    for word, value in form.items():
        quotient = remove(word, tuple(sorted(letters)))
        if quotient is not None:
            rest, times = quotient
            total += value * times * prod(zero.point[i] for i in rest)
    return total % zero.prime


RULE = Rule(read, derive)
