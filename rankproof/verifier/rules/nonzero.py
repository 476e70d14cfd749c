"""Rule ``nonzero``: a target that is not zero needs at least one unit."""

from __future__ import annotations

from typing import Any

from ..claims import AT_LEAST, BORDER, Claim
from ..reading import keys
from .over import ring_of_lower_bound
from .rule import Context, Rule


def read(witness: Any, context: Context) -> None:
    keys(witness, context.witness(), ())


def derive(_: None, context: Context) -> Claim:
    # The limit of empty sums is zero, so the border rank is at least 1 too.
    context.target.over(ring_of_lower_bound(context))
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, 1)


RULE = Rule(read, derive)
