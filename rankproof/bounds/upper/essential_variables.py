"""Targets that depend on fewer linear forms than variables: units are sought in the essential variables and pulled back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, explicit_decompositions
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper import (
    apolar_form,
    complex_monomials,
    detectors,
    exchange,
    factors,
    linear_factor,
    monomials,
    multilinear,
    orbits,
    quadric_decomposition,
    spans,
)
from rankproof.exact.matrix_factorisation import row_basis
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

METHODS = (
    factors.METHOD,
    quadric_decomposition.METHOD,
    monomials.METHOD,
    apolar_form.METHOD,
    complex_monomials.METHOD,
    multilinear.METHOD,
    linear_factor.METHOD,
    detectors.METHOD,
    spans.METHOD,
    orbits.METHOD,
    exchange.METHOD,
)
"""Methods for the target in its essential variables, cheapest first."""

SHARE = 0.3
"""Part of the time left that they may take together."""

MAX_ENTRIES = 5_000


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest decomposition in the essential variables, when there are fewer of them than variables."""
    ring = field if field.characteristic else target.ring
    target = target.over(ring)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    if len(target.entries) > MAX_ENTRIES or 0 < ring.characteristic <= d:
        return []
    forms = _essential_forms(target, ring)
    if len(forms) == n:
        return []
    place = {x: k for k, x in enumerate(forms)}
    entries = {
        (*(place[x] for x in word[:d]), *word[d:]): c
        for word, c in target.entries
        if all(x in place for x in word[:d])
    }
    reduced = Target.from_entries(Space.map(len(forms), d, m), entries, ring)
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    part = budget.share(SHARE * budget.left())
    found: list[Bound] = []
    best: list[Bound] = []
    for method in METHODS:
        over = method.field_for(reduced, question)
        if over is None or part.exhausted() or (most is not None and most <= least):
            continue
        fresh = method.find(reduced, units, over, part, rng, tuple(found))
        found += fresh
        for decomposition in explicit_decompositions(fresh):
            if most is None or len(decomposition) < most:
                pulled = [
                    _pulled_back(u, list(forms.values()), n, decomposition.ring) for u in decomposition.units
                ]
                best = [decomposition_bound(target, units, decomposition.ring, pulled)]
                most = len(decomposition)
    return best


def _essential_forms(target: Target, ring: Field) -> dict[int, Mapping[int, Scalar]]:
    """Some of the variables, each with the linear form that replaces it.

    The derivatives by these variables are a basis of all first derivatives. When the derivative by x_i is the sum of c_ri times
    that by x_r, the target is its restriction to the basis variables, with x_r replaced by the sum of c_ri x_i.
    """
    d = target.space.form_degree
    derivatives: dict[int, dict[Word, Scalar]] = {}
    for word, c in target.entries:
        for x in set(word[:d]):
            rest = list(word)
            rest.remove(x)
            derivatives.setdefault(x, {})[tuple(rest)] = ring.reduce(c * word[:d].count(x))
    return dict(row_basis(derivatives, sorted(derivatives), ring))


def _pulled_back(unit: ExactUnit, forms: Sequence[Mapping[int, Scalar]], n: int, ring: Field) -> ExactUnit:
    pulled: list[tuple[Scalar, ...]] = []
    for vector in unit[:-1]:
        total: list[Scalar] = [0] * n
        for x, form in zip(vector, forms, strict=True):
            for i, c in form.items():
                total[i] = ring.reduce(total[i] + x * c)
        pulled.append(tuple(total))
    return (*pulled, unit[-1])


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "rank" or target.space.form_degree < 2:
        return None
    ring = ring_of(target, question)
    fields = (method.works_over(target, question) for method in METHODS if _takes(method, question.units))
    wider = [f for f in fields if f is not None and not f.is_exact]
    return wider[0] if wider else ring


def _takes(method: Method, units: str) -> bool:
    return ("mixed:k" if units.startswith("mixed:") else units) in method.units


METHOD = Method(
    name="essential_variables",
    rule="decomposition",
    side="upper",
    summary="targets in fewer linear forms than variables: units in these forms",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="as the other methods",
    works_over=_works_over,
    find=find,
)
