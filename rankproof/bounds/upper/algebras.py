"""Tensors that are algebras K[x]/(f) in other bases: products modulo the factors of f, and points that approach its roots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, family_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.exact.algebra_sums import algebra_sum, cyclic_algebra
from rankproof.exact.splitting_fields import real_field, splitting_field
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target

MAX_DIMENSION = 10


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Sums over the ring and, over RR and CC, over a number field with roots of f; exact and border."""
    ring = target.ring if field in (RR, CC) else field
    target = target.over(ring)
    n = target.space.factors[0][0]
    algebra = cyclic_algebra(target.as_dict(), n, ring)
    if algebra is None:
        return []
    rings = [ring]
    if ring == QQ and field in (RR, CC):
        f = algebra.polynomial
        wider = splitting_field(f) if field == CC else real_field(f)
        rings += [wider] if wider is not None and wider != QQ else []
    bounds: list[Bound] = []
    quantities: tuple[Quantity, ...] = ("rank", "border_rank")
    for quantity in quantities:
        for over in rings:
            most = best_known([*known, *bounds], Question("product", field, quantity), "<=", target)
            total = algebra_sum(algebra.over(over), over, border=quantity == "border_rank")
            if total is None or (most is not None and len(total) >= most):
                continue
            reason = f"an algebra K[x]/(f) with f of degree {n}: {len(total)} products"
            whole = target.over(over)
            if isinstance(total, BorderFamily):
                found = family_bound(whole, units, over, total.order, total.units, f"{reason} in eps")
            else:
                found = decomposition_bound(whole, units, over, total.units, reason)
            bounds.append(found)
    return bounds


def _works_over(target: Target, question: Question) -> Field | None:
    dims = [n for n, _ in target.space.factors]
    if len(dims) != 3 or len(set(dims)) != 1 or not 2 <= dims[0] <= MAX_DIMENSION:
        return None
    return question.field if question.field in (RR, CC) and target.ring == QQ else ring_of(target, question)


METHOD = Method(
    name="algebras",
    rule="decomposition",
    side="upper",
    summary="algebras K[x]/(f) in any bases: products modulo the factors of f, points near its roots",
    units=("product",),
    tier="A",
    fields="QQ, RR, CC, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
