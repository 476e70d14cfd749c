"""A product of linear forms is one split unit, and one untied, mixed or tied unit when few of them are different."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, dense
from rankproof.bounds.method import Bound, Budget, Method, ring_of
from rankproof.exact.linear_factors import linear_factors
from rankproof.exact.matrix_factorisation import rank_factorisation
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_ENTRIES = 2_000
"""Factoring a form with more terms can take long and cannot be interrupted."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """One unit for every independent form, when all of them are products of linear forms of the right shape."""
    target = target.over(field)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    if len(target.entries) > MAX_ENTRIES:
        budget.remark(f"{len(target.entries)} terms are not factored")
        return []
    rows: dict[int, dict[Word, Scalar]] = {}
    for word, c in target.entries:
        rows.setdefault(word[d] if m > 1 else 0, {})[word[:d]] = c
    found: list[ExactUnit] = []
    for w, form in rank_factorisation(rows, field):
        factors = linear_factors(form, n, field)
        unit = None if factors is None else _unit(units, d, factors[1])
        if factors is None or unit is None:
            return []
        found.append((*unit, tuple(field.reduce(factors[0] * x) for x in dense(w, m))))
    return [decomposition_bound(target, units, field, found)]


def _unit(
    units: str, d: int, factors: Sequence[tuple[tuple[Scalar, ...], int]]
) -> list[tuple[Scalar, ...]] | None:
    """Forms of the unit that a product of linear forms is; None when it is no such unit."""
    if units == "split":
        return [form for form, multiplicity in factors for _ in range(multiplicity)]
    if len(factors) == 1:
        form = factors[0][0]
        return [form] if units == "tied" else [form, form]
    k = 1 if units == "untied" else 0 if units == "tied" else int(units.partition(":")[2])
    if k == 0 or len(factors) > 2 or factors[1][1] != k:
        return None
    return [factors[0][0], factors[1][0]]


def _works_over(target: Target, question: Question) -> Field | None:
    ring = ring_of(target, question)
    return None if ring is None or ring.number_field or target.space.form_degree < 2 else ring


METHOD = Method(
    name="factors",
    rule="decomposition",
    side="upper",
    summary="products of linear forms are single units",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="QQ (so RR, CC), GF(p)",
    works_over=_works_over,
    find=find,
)
