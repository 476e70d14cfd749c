"""Rule ``coprime-monomials``: tied rank over CC of a sum of monomials without common variables (a named theorem)."""

from __future__ import annotations

from math import prod
from typing import Any

from ..claims import AT_LEAST, RANK, Claim
from ..reading import keys
from ..refusal import Rejected
from .over import field_refused
from .rule import Context, Rule

THEOREM = "Carlini-Catalisano-Geramita 2012"


def read(witness: Any, context: Context) -> None:
    keys(witness, context.witness(), ())


def derive(_: None, context: Context) -> Claim:
    target, here = context.target, context.pointer
    if context.over != "CC" or target.ring.prime:
        raise field_refused(context, "CC")
    if len(target.space.factors) != 1 or target.space.form_degree < 2:
        raise Rejected("hypothesis", here, "the theorem is about one form of degree at least 2")
    if context.units.name != "tied":
        raise Rejected("hypothesis", here, "the theorem is about tied units")
    seen: set[int] = set()
    rank = 0
    for word in target.words():
        variables = set(word)
        if variables & seen:
            raise Rejected("hypothesis", here, "two monomials share a variable")
        seen |= variables
        exponents = sorted(word.count(variable) for variable in variables)
        rank += prod(exponent + 1 for exponent in exponents[1:])
    return Claim(RANK, "tied", "CC", AT_LEAST, rank)


RULE = Rule(read, derive, theorems=(THEOREM,))
