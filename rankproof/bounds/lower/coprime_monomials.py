"""Tied rank of a sum of monomials without common variables, by a published theorem."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.certificate.claim import Claim
from rankproof.problem.field import CC, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The sum over the monomials of the product of e + 1 over all exponents e but the smallest.

    References
    ----------
    Carlini, Catalisano, Geramita, *The solution to the Waring problem for monomials and the sum of coprime monomials*, Journal
    of Algebra 370 (2012).
    """
    value = 0
    for word, _ in target.entries:
        exponents = sorted(word.count(x) for x in set(word))
        value += prod(e + 1 for e in exponents[1:])
    what = "monomial" if len(target.entries) == 1 else "sum of coprime monomials"
    return [Bound(Claim("rank", "tied", CC, ">=", value), "coprime-monomials", {}, f"{what} (theorem)")]


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    if question.field.characteristic or target.ring.characteristic or question.quantity != "rank":
        return None
    if len(space.factors) != 1 or space.form_degree < 2:
        return None
    variables = [x for word, _ in target.entries for x in set(word)]
    return CC if len(variables) == len(set(variables)) else None


METHOD = Method(
    name="coprime_monomials",
    rule="coprime-monomials",
    side="lower",
    summary="tied rank of a sum of monomials without common variables",
    units=("tied",),
    tier="B",
    fields="CC (so RR, QQ)",
    works_over=_works_over,
    find=find,
)
