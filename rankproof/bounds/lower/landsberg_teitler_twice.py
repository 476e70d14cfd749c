"""Ranks from below by a catalecticant and families of multiple points on both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.lower.landsberg_teitler import (
    Family,
    encode_family,
    families,
    hypothesis,
    works_over,
)
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import is_affordable, lower_so_far, scheme_length
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import hilbert_function, residues
from rankproof.problem.field import Field
from rankproof.problem.target import Target

SECONDS = 2.0


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over the largest families of every order."""
    n, d = target.space.variables_count, target.space.form_degree
    length = scheme_length(units)
    if not is_affordable(target) or d < 2 * length:
        return []
    best = lower_so_far(known, units, field, "rank", target)
    forms, p = residues(target)
    ranks = hilbert_function(forms, d, p)
    part = budget.share(SECONDS)
    checked: dict[str, int] | None = None
    found: list[Bound] = []
    for order in range(d // 2, length - 1, -1):
        # A family has dimension n - 1 at most: all points would be singular.
        if -(-(ranks[order] + 2 * (n - 1)) // length) <= best:
            continue
        checked = checked or hypothesis(target, units, field)
        if checked is None:
            return []
        chosen = [_largest(target, s, part, rng) for s in ([order, d - order] if 2 * order < d else [order])]
        value = -(-(ranks[order] + sum(f.dimension for f in (chosen[0], chosen[-1]) if f)) // length)
        if None in chosen or value <= best:
            continue
        best = value
        kept = [family for family in chosen if family is not None]
        witness = {"order": order, "families": [encode_family(family) for family in kept], **checked}
        dimensions = f"{kept[0].dimension} and {kept[-1].dimension}"
        share = f", {length} a unit" if length > 1 else ""
        reason = (
            f"catalecticant of order {order} has rank {ranks[order]}, and families of dimensions {dimensions} of multiple"
            f" points on its two sides{share}"
        )
        found = [Bound(Claim("rank", units, field, ">=", value), "landsberg-teitler-twice", witness, reason)]
    if part.exhausted():
        budget.remark("out of time before every family was tried")
    return found


def _largest(target: Target, order: int, budget: Budget, rng: np.random.Generator) -> Family | None:
    return max(families(target, order, rng, budget), key=lambda family: family.dimension, default=None)


METHOD = Method(
    name="landsberg_teitler_twice",
    rule="landsberg-teitler-twice",
    side="lower",
    summary="rank of a catalecticant plus the dimensions of families of multiple points on both of its sides",
    units=("tied", "untied", "mixed:k"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=works_over,
    find=find,
)
