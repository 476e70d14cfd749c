"""Shorter border families than are known, along the paths of a fading regularisation, made exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.degeneration import degenerate
from rankproof.bounds.explicit import family_bound
from rankproof.bounds.method import Belief, Bound, Budget, Method, best_known
from rankproof.bounds.numerical import field_of_search
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

SHARE = 0.8
"""Part of the time left that all searches may take together."""

PATHS = 24
"""Starting points for each number of units."""

MAX_SIZE = 300
"""Coordinates of all units together: a path with more takes longer than this search should."""

MAX_ENTRIES = 2_000
"""Coefficients of the target."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest family that is found, if it is shorter than what is known."""
    question = Question(units, field, "border_rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    if most is None or most <= least:
        return []
    coordinates = sum(unit_model(units).vector_lengths(target.space))
    if (most - 1) * coordinates > MAX_SIZE or target.space.dimension > MAX_ENTRIES:
        budget.remark(f"{most - 1} units have too many coordinates for paths of fading regularisation here")
        return []
    part = budget.share(SHARE * budget.left())
    seed = int(rng.integers(2**63))
    # From below: the fewer units, the fewer families there are of them, and the sooner one is recognised.
    for width in range(least, most):
        if part.exhausted():
            break
        found = degenerate(target, units, width, field, seed=seed, paths=PATHS, seconds=part.left() / 2)
        family = found.family
        if family is not None:
            reason = f"{len(family)} units in eps, along a path of fading regularisation"
            return [family_bound(target, units, family.ring, family.order, family.units, reason)]
        seen = found.evidence
        if seen.verdict != "plateau" or len(seen.paths) == PATHS:
            reached = 0 if seen.verdict == "plateau" else seen.agreeing
            residual = seen.best.residuals[-1]
            budget.believe(Belief(units, field, width, len(seen.paths), reached, residual, "border_rank"))
    return []


def _works_over(target: Target, question: Question) -> Field | None:
    return field_of_search(target, question.field) if question.quantity == "border_rank" else None


METHOD = Method(
    name="degenerations",
    rule="border-family",
    side="upper",
    summary="border families along paths of fading regularisation, rounded and checked exactly",
    units=("product", "tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="QQ, QQ(a), RR, CC",
    works_over=_works_over,
    find=find,
)
