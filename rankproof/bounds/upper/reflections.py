"""Arrangements of a reflection group: the product of the roots as an alternating sum over an orbit of the group."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, prod

import numpy as np

from rankproof.bounds.explicit import Vector, decomposition_bound, direction
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.apolarity import killing_operators
from rankproof.exact.linear_factors import linear_factors
from rankproof.exact.reflections import ReflectionGroup, applied, reflection_group
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity, totient
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_ENTRIES = 2_000
MAX_ORBIT = 2_000
MAX_FIELD_DEGREE = 12


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    r"""The sum of sgn(w) (w l)^d over the group modulo the stabiliser of the line of l, when it is shorter than what is known.

    Notes
    -----
    The sum changes its sign under every reflection, so that every root divides it; there are d roots, and it is a multiple of
    their product. An eigenvector l of a Coxeter element is fixed up to scale by its powers only, and the orbit has
    as many lines as the order of the group divided by the Coxeter number [1]_.

    References
    ----------
    .. [1] Teitler, Woo, *Power sum decompositions of defining equations of reflection arrangements*, Journal of Algebraic
       Combinatorics 41 (2015).
    """
    n = target.space.variables_count
    factors = linear_factors(target.as_dict(), n, QQ)
    if factors is None or any(multiplicity > 1 for _, multiplicity in factors[1]) or len(factors[1]) < n:
        return []
    quadrics = killing_operators(target, 2)
    if len(quadrics) != 1:
        return []
    group = reflection_group([form for form, _ in factors[1]], quadrics[0])
    if group is None:
        return []
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    for ring, form in _starts(group, field):
        found = _alternating_sum(target, group, form, ring, budget)
        if found and (most is None or len(found) < most):
            reason = f"{len(found)} powers, an orbit of the group of {len(group.reflections)} reflections"
            return [decomposition_bound(target, units, ring, found, reason)]
    return []


def _starts(group: ReflectionGroup, field: Field) -> list[tuple[Field, Vector]]:
    """Forms with small orbits up to scale, the smallest orbit first."""
    found: list[tuple[Field, Vector]] = []
    ring = field
    if field == CC and 1 < totient(group.order) <= MAX_FIELD_DEGREE:
        ring = cyclotomic(group.order)
    roots = roots_of_unity(group.order, ring) if ring.is_exact and not ring.characteristic else ()
    if roots:
        n = len(group.coxeter)
        for k in range(n):
            form: list[Scalar] = [0] * n
            image: tuple[Scalar, ...] = tuple(int(i == k) for i in range(n))
            # The projection to the eigenspace of the first root.
            for root in roots:
                form = [ring.reduce(x + ring.inverse(root) * y) for x, y in zip(form, image, strict=True)]
                image = applied(group.coxeter, image)
            if any(form):
                found.append((ring, tuple(form)))
                break
    found.append((QQ, tuple(QQ.reduce(x) for x in group.regular_form())))
    return found


def _alternating_sum(
    target: Target, group: ReflectionGroup, form: Vector, ring: Field, budget: Budget
) -> list[ExactUnit]:
    """The orbit with weights, scaled to the target; empty when it is too large or the sum vanishes."""
    d = target.space.form_degree
    start, _ = direction(form, ring)
    weights: dict[Vector, Scalar] = {start: 1}
    pending = [start]
    while pending:
        vector = pending.pop()
        for reflection in group.simple:
            image, scale = direction(applied(reflection, vector), ring)
            weight = ring.reduce(-weights[vector] * scale**d)
            if image not in weights:
                weights[image] = weight
                pending.append(image)
                if len(weights) > MAX_ORBIT or budget.exhausted():
                    budget.remark("the orbit of the reflection group is too large")
                    return []
            elif weights[image] != weight:
                return []
    word, wanted = target.entries[0]
    times = factorial(d) // prod(factorial(word.count(i)) for i in set(word))
    value: Scalar = 0
    for vector, weight in weights.items():
        value = ring.reduce(value + weight * times * prod((vector[i] for i in word), start=1))
    if not value:
        return []
    factor = ring.reduce(wanted * ring.inverse(value))
    return [(vector, (ring.reduce(weight * factor),)) for vector, weight in weights.items()]


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    if (
        question.quantity != "rank"
        or question.field.characteristic
        or target.ring != QQ
        or len(space.factors) > 1
        or not 3 <= space.variables_count <= space.form_degree
        or len(target.entries) > MAX_ENTRIES
    ):
        return None
    return question.field if question.field == CC or question.field.number_field else QQ


METHOD = Method(
    name="reflections",
    rule="decomposition",
    side="upper",
    summary="products of the roots of a reflection group, as alternating sums over an orbit",
    units=("tied",),
    tier="A",
    fields="QQ (so RR), CC, QQ(a)",
    works_over=_works_over,
    find=find,
)
