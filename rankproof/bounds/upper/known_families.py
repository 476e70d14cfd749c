"""Tensors that are, up to their bases, ones with border families of their own: matrix products, W, Coppersmith-Winograd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import family_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.schemes.matching import known_sums
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """A known border family, if it is shorter than what is known."""
    target = target.over(field)
    most = best_known(known, Question("product", field, "border_rank"), "<=", target)
    best: list[Bound] = []
    for name, found in known_sums(target, field, lambda model: model.family):
        if (most is None or len(found) < most) and isinstance(found, BorderFamily):
            most = len(found)
            reason = f"{name}: {len(found)} products in eps"
            best = [family_bound(target, units, field, found.order, found.units, reason)]
    return best


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "border_rank" or len(target.space.factors) < 3:
        return None
    return ring_of(target, question)


METHOD = Method(
    name="known_families",
    rule="border-family",
    side="upper",
    summary="matrix products, W and Coppersmith-Winograd tensors with known border families",
    units=("product",),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
