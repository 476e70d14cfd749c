"""Products of division algebras that do not commute: twice the dimension."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from rankproof.bounds.lower.alder_strassen import structure
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.algebras import Algebra
from rankproof.exact.congruence import signature
from rankproof.exact.linear_systems import as_fraction
from rankproof.problem.field import QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

DIMENSION = 4
"""Over the reals the quaternions are the only such algebra (Frobenius)."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Eight, if the tensor is the product of the quaternions in some bases."""
    if [n for n, _ in target.space.factors] != [DIMENSION] * 3:
        return []
    if lower_so_far(known, units, field, "rank", target) >= 2 * DIMENSION:
        return []
    found = structure(target)
    if found is None or found.nilpotent or not any(any(vector) for vector in found.algebra.commutators()):
        return []
    trace = _trace(found.algebra)
    norm = _norm(found.algebra, trace)
    if norm is None or signature(norm) != (DIMENSION, 0):
        return []
    witness = {
        "factors": list(found.algebra.factors),
        "left": [encode_scalar(x) for x in found.algebra.left],
        "right": [encode_scalar(x) for x in found.algebra.right],
        "trace": [encode_scalar(QQ.reduce(t)) for t in trace],
    }
    reason = f"a division algebra of dimension {DIMENSION} that does not commute"
    return [Bound(Claim("rank", units, RR, ">=", 2 * DIMENSION), "division-algebra", witness, reason)]


def _trace(algebra: Algebra) -> list[Fraction]:
    """The linear form with x x = t(x) x - N(x): half the trace of the multiplication by x."""
    n = algebra.dimension
    return [sum((as_fraction(algebra.products[i][k][k]) for k in range(n)), Fraction(0)) / 2 for i in range(n)]


def _norm(algebra: Algebra, trace: Sequence[Fraction]) -> list[list[Fraction]] | None:
    """Twice the form N with x (t(x) - x) = N(x); None when some x (t(x) - x) is no multiple of one."""
    n = algebra.dimension
    one = [as_fraction(x) for x in algebra.one]
    place = next(k for k, x in enumerate(one) if x)
    form: list[list[Fraction]] = []
    for i in range(n):
        form.append([])
        for j in range(n):
            pairs = zip(algebra.products[i][j], algebra.products[j][i], strict=True)
            value = [-as_fraction(x) - as_fraction(y) for x, y in pairs]
            value[i] += trace[j]
            value[j] += trace[i]
            scale = value[place] / one[place]
            if value != [scale * x for x in one]:
                return None
            form[i].append(scale)
    return form


def _works_over(target: Target, question: Question) -> Field | None:
    asked = question.quantity == "rank" and target.ring == QQ
    return RR if asked and RR.includes(question.field) else None


METHOD = Method(
    name="division_algebra",
    rule="division-algebra",
    side="lower",
    summary="products of division algebras that do not commute (quaternions): twice the dimension",
    units=("product",),
    tier="A",
    fields="QQ, RR",
    works_over=_works_over,
    find=find,
)
