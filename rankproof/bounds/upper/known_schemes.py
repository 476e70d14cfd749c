"""Tensors that are, up to their bases, ones with schemes of their own: matrix and polynomial products and a few more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.schemes.matching import known_sums
from rankproof.exact.roots_of_unity import cyclotomic
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """A known scheme, if it is shorter than what is known."""
    # Over CC the schemes with Gaussian coefficients are of interest, where there is none over the rationals.
    ring = cyclotomic(4) if field == CC else field
    target = target.over(ring)
    most = best_known(known, Question("product", field, "rank"), "<=", target)
    best: list[Bound] = []
    for name, found in known_sums(target, ring, lambda model: model.scheme):
        if (most is None or len(found) < most) and isinstance(found, Decomposition):
            most = len(found)
            best = [decomposition_bound(target, units, ring, found.units, f"{name} in {len(found)} products")]
    return best


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "rank" or len(target.space.factors) < 3:
        return None
    return CC if question.field == CC and target.ring == QQ else ring_of(target, question)


METHOD = Method(
    name="known_schemes",
    rule="decomposition",
    side="upper",
    summary="matrix products, polynomial products and other tensors with known schemes",
    units=("product",),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
