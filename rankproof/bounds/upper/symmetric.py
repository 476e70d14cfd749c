"""Symmetric tensors: a sum of powers of linear forms is a sum of products of equal vectors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial, prod

import numpy as np

from rankproof.bounds.explicit import (
    decomposition_bound,
    explicit_decompositions,
    explicit_families,
    family_bound,
)
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper import (
    complex_monomials,
    detectors,
    exchange,
    monomial_family,
    monomials,
    orbits,
    plane_cubics,
    tangent_family,
)
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit
from rankproof.problem.field import CC, QQ, RR, Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

MAX_ORDER = 8
MAX_ENTRIES = 3_000

METHODS: tuple[Method, ...] = (
    monomials.METHOD,
    complex_monomials.METHOD,
    plane_cubics.METHOD,
    orbits.METHOD,
    exchange.METHOD,
    detectors.METHOD,
    tangent_family.METHOD,
    monomial_family.METHOD,
)
"""What finds powers of linear forms, for rank and border rank."""

SHARE = 0.3
"""Part of the time left that the search for powers may take."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest sums of powers found for the form, exact and border, where they are shorter than what is known."""
    form = form_of(target)
    if form is None:
        return []
    part = budget.share(SHARE * budget.left())
    found: list[Bound] = []
    for quantity in ("rank", "border_rank"):
        question = Question("tied", field, quantity)
        for method in METHODS:
            over = method.field_for(form, question)
            if over is not None and not part.exhausted():
                found += method.find(form, "tied", over, part.share(part.left()), rng, tuple(found))
    bounds: list[Bound] = []
    exact = min(explicit_decompositions(found), key=len, default=None)
    most = best_known(known, Question("product", field, "rank"), "<=", target)
    if exact is not None and (most is None or len(exact) < most):
        bounds.append(_exact_bound(target, units, exact))
    most = best_known([*known, *bounds], Question("product", field, "border_rank"), "<=", target)
    family = min(explicit_families(found), key=len, default=None)
    if family is not None and (most is None or len(family) < most):
        bounds.append(_family_bound(target, units, family))
    return bounds


def form_of(target: Target) -> Target | None:
    """The form F with the same value as a symmetric tensor at (x, ..., x); None when the tensor is not symmetric.

    If F is the sum of w_i l_i^d, and d! is not zero in the field, the tensor is the sum of the w_i l_i (x) ... (x) l_i.
    """
    d = len(target.space.factors)
    if len({n for n, _ in target.space.factors}) > 1 or d > MAX_ORDER or len(target.entries) > MAX_ENTRIES:
        return None
    coefficients = target.as_dict()
    entries: dict[Word, Scalar] = {}
    for word, c in target.entries:
        base = tuple(sorted(word))
        if coefficients.get(base) != c:
            return None
        orbit = factorial(d) // prod(factorial(base.count(i)) for i in set(base))
        entries[base] = target.ring.reduce(orbit * c)
        # Every permutation of a word has its coefficient: they are counted, or looked up where there are few.
        if word == base and any(coefficients.get(w) != c for w in set(permutations(base))):
            return None
    return Target.from_entries(Space.form(target.space.factors[0][0], d), entries, target.ring)


def _exact_bound(target: Target, units: str, powers: Decomposition) -> Bound:
    d = len(target.space.factors)
    ring = powers.ring
    products = [(*[a] * (d - 1), tuple(ring.reduce(w * x) for x in a)) for a, (w,) in powers.units]
    reason = f"a symmetric tensor: {len(products)} powers of linear forms"
    return decomposition_bound(target.over(ring), units, ring, products, reason)


def _family_bound(target: Target, units: str, powers: BorderFamily) -> Bound:
    d = len(target.space.factors)
    products: list[FamilyUnit] = []
    for a, (w,) in powers.units:
        last = [(as_laurent(w) * as_laurent(x)).over(powers.ring) for x in a]
        products.append((*[a] * (d - 1), tuple(map(_plain, last))))
    reason = f"a symmetric tensor: {len(products)} powers of linear forms in eps"
    return family_bound(target.over(powers.ring), units, powers.ring, powers.order, products, reason)


def _plain(x: Laurent) -> Scalar | Laurent:
    return x.coefficient(0) if x.is_constant else x


def _works_over(target: Target, question: Question) -> Field | None:
    d = len(target.space.factors)
    if d < 3 or 0 < question.field.characteristic <= d:
        return None
    return question.field if question.field in (RR, CC) and target.ring == QQ else ring_of(target, question)


METHOD = Method(
    name="symmetric",
    rule="decomposition",
    side="upper",
    summary="symmetric tensors: powers of linear forms",
    units=("product",),
    tier="A",
    fields="QQ, RR, CC, QQ(a), GF(p) with p > order",
    works_over=_works_over,
    find=find,
)
