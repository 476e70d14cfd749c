"""A form with a linear factor l: a sum of powers for the rest, times l, is a sum of untied units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rankproof.bounds.explicit import Detectors, decomposition_bound, explicit_decompositions
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.upper import complex_monomials, monomials, quadric_decomposition
from rankproof.bounds.upper.factors import MAX_ENTRIES
from rankproof.exact.linear_factors import divided_by_linear_factors
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target

TIED = (quadric_decomposition.METHOD, monomials.METHOD, complex_monomials.METHOD)
"""Methods for the sum of powers."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest sum over all linear factors, when it is shorter than what is known."""
    if len(target.entries) > MAX_ENTRIES:
        return []
    n, d = target.space.variables_count, target.space.form_degree
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    best: list[Bound] = []
    for factor, rest in divided_by_linear_factors(target.as_dict(), n):
        quotient = Target.from_entries(Space.form(n, d - 1), rest, QQ)
        for powers in _powers(quotient, field, budget, rng):
            if most is not None and len(powers) >= most:
                continue
            detectors = Detectors(powers.ring, d)
            for a, w in powers.units:
                detectors.add(a, factor, w)
            found = detectors.units(n, 1)
            best = [decomposition_bound(target, units, powers.ring, found)]
            most = len(found)
    return best


def _powers(
    target: Target, field: Field, budget: Budget, rng: np.random.Generator
) -> Iterator[Decomposition]:
    found: list[Bound] = []
    question = Question("tied", field, "rank")
    for method in TIED:
        over = method.field_for(target, question)
        if over is not None:
            found += method.find(target, "tied", over, budget, rng, found)
    yield from explicit_decompositions(found)


def _works_over(target: Target, question: Question) -> Field | None:
    fits = target.ring == QQ and target.space.outputs == 1 and target.space.form_degree > 2
    if not fits or question.field.characteristic or question.quantity != "rank":
        return None
    return CC if question.field == CC else QQ


METHOD = Method(
    name="linear_factor",
    rule="decomposition",
    side="upper",
    summary="a linear factor times a sum of powers",
    units=("untied",),
    tier="A",
    fields="QQ (so RR), CC",
    works_over=_works_over,
    find=find,
)
