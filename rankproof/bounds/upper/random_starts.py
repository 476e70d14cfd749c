"""Numerical search for shorter sums of units than are known, with exact recovery.

Widths are tried from just below what is known: a width that floating point reaches from a few random starts is halved
towards the lower bound, and the smallest one reached is recovered exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, near_bound
from rankproof.bounds.method import Belief, Bound, Budget, Method, best_known
from rankproof.bounds.numerical import Result, field_of_search, search
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

SHARE = 0.25
"""Part of the time left that one search may take."""

STARTS = 24
"""Random starts a width; a width that none of them reaches is taken for too small."""

MAX_SIZE = 1_000
"""Coordinates of all units together: a start with more takes longer than this search should."""

MAX_ENTRIES = 20_000
"""Coefficients of the target."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest decomposition that was reached and recovered, if it is shorter than what is known."""
    # Over the reals a rational sum is as good as any; the rationals are asked about alone when the reals are settled.
    for over in dict.fromkeys((field, target.ring)):
        question = Question(units, over, "rank")
        least = best_known(known, question, ">=", target) or 1
        most = best_known(known, question, "<=", target)
        if most is not None and most > least:
            return _shorter(target, units, over, least, most, budget, rng)
    return []


def _shorter(
    target: Target, units: str, field: Field, least: int, most: int, budget: Budget, rng: np.random.Generator
) -> list[Bound]:
    """The shortest decomposition below a number of units that is reached and recovered."""
    vectors = sum(unit_model(units).vector_lengths(target.space))
    if (most - 1) * vectors > MAX_SIZE or target.space.dimension > MAX_ENTRIES:
        budget.remark(f"{most - 1} units have too many coordinates for a numerical search here")
        return []
    part = budget.share(SHARE * budget.left())
    seed = int(rng.integers(2**63))
    reached = _least_reached(target, units, field, least, most, seed, part)
    if reached is None or reached.factors is None:
        return []
    # A solution of generic type is proved to exist at once; an exact one is worth looking for all the same.
    near = near_bound(target, units, field, reached.factors.units())
    width = reached.width
    while width < most and not part.exhausted():
        result = search(target, units, width, field, seed=seed, restarts=STARTS, seconds=part.left())
        if result.decomposition is not None:
            exact = decomposition_bound(target, units, result.decomposition.ring, result.decomposition.units)
            return [exact] if near is None or width == reached.width else [near, exact]
        if near is not None:
            break
        _note(result, units, field, budget)
        width += 1
    return [] if near is None else [near]


def _least_reached(
    target: Target, units: str, field: Field, least: int, most: int, seed: int, budget: Budget
) -> Result | None:
    """A search of the smallest width that floating point reaches, by bisection; None when it is not below what is known."""
    low, high = least - 1, most
    reached: Result | None = None
    while high - low > 1 and not budget.exhausted():
        # First just below what is known: mostly that is out of reach already.
        width = most - 1 if high == most else (low + high) // 2
        result = search(
            target, units, width, field, seed=seed, restarts=STARTS, seconds=budget.left(), exactly=False
        )
        _note(result, units, field, budget)
        if result.successes:
            high, reached = width, result
            continue
        low = width
        if high == most:
            return None
    return reached


def _note(result: Result, units: str, field: Field, budget: Budget) -> None:
    if result.costs:
        starts = len(result.costs)
        budget.believe(Belief(units, field, result.width, starts, result.successes, result.residual))


def _works_over(target: Target, question: Question) -> Field | None:
    return field_of_search(target, question.field)


METHOD = Method(
    name="random_starts",
    rule="decomposition",
    side="upper",
    summary="random starts in floating point, rounded and checked exactly",
    units=("product", "tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="QQ, QQ(a), RR, CC",
    works_over=_works_over,
    find=find,
)
