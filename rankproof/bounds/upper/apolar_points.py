"""Sums of powers at the common zeros of the operators that kill a form or map: as many as a catalecticant has rank, at best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rankproof.bounds.binary import quadratic_field
from rankproof.bounds.explicit import Vector, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolar_points import Points, Polynomial, powers_at_common_zeros
from rankproof.exact.apolarity import hilbert_function, residues
from rankproof.exact.eigenvalues import real_roots
from rankproof.exact.splitting_fields import roots
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, RR, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_ENTRIES = 5_000


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The sum of powers over the field, when it is shorter than what is known."""
    points = _points(target)
    if points is None:
        return []
    count = sum(len(p.polynomial) - 1 for p in points)
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    if most is not None and most <= count:
        return []
    ring = _ring(points, field)
    if ring is not None:
        found = [unit for p in points for unit in _units(p, ring)]
        reason = "" if ring == QQ else f"an explicit sum of {count} units over {ring}"
        return [decomposition_bound(target, units, ring, found, reason)]
    if field == CC or (
        field == RR and all(real_roots(p.polynomial) == len(p.polynomial) - 1 for p in points)
    ):
        return [_bound_by_conjugates(units, field, points, count)]
    return []


@lru_cache(maxsize=64)
def _points(target: Target) -> list[Points] | None:
    """Powers at common zeros of operators of an order from the middle on, as long as the catalecticants keep their rank."""
    d = target.space.form_degree
    forms, p = residues(target)
    ranks = hilbert_function(forms, d, p)
    middle = (d + 1) // 2
    for order in range(middle, d):
        if ranks[order] < ranks[middle]:
            break
        found = powers_at_common_zeros(target, order)
        if found is not None:
            return found
    return None


def _ring(points: Sequence[Points], field: Field) -> Field | None:
    """QQ, a quadratic field, or the field of the question, if all the points lie in it; None when there is none."""
    irrational = [p.polynomial for p in points if len(p.polynomial) > 2]
    if not irrational:
        return QQ
    if field.number_field is not None:
        return field if all(roots(f, field) is not None for f in irrational) else None
    if field == QQ or any(len(f) != 3 for f in irrational):
        return None
    c, b, _ = irrational[0]
    ring = quadratic_field(b * b - 4 * c)
    return ring if field.includes(ring) and all(roots(f, ring) is not None for f in irrational) else None


def _units(points: Points, ring: Field) -> list[ExactUnit]:
    found: list[ExactUnit] = []
    for root, _ in roots(points.polynomial, ring) or []:
        form: Vector = tuple(_value(c, root, ring) for c in points.form)
        found.append((form, tuple(_value(c, root, ring) for c in points.weights)))
    return found


def _value(polynomial: Polynomial, root: Scalar, ring: Field) -> Scalar:
    total: Scalar = 0
    for c in reversed(polynomial):
        total = ring.reduce(total * root + c)
    return total


def _bound_by_conjugates(units: str, field: Field, points: Sequence[Points], count: int) -> Bound:
    families = [
        {
            "polynomial": [encode_scalar(c) for c in p.polynomial],
            "unit": [[_coordinate(c) for c in p.form], [_coordinate(c) for c in p.weights]],
        }
        for p in points
    ]
    degree = max(len(p.polynomial) for p in points) - 1
    kind = "real roots" if field == RR else "roots"
    reason = f"{count} powers, at the {kind} of polynomials of degree up to {degree}"
    return Bound(Claim("rank", units, field, "<=", count), "conjugate-units", {"families": families}, reason)


def _coordinate(polynomial: Polynomial) -> object:
    if len(polynomial) <= 1:
        return encode_scalar(QQ.reduce(polynomial[0])) if polynomial else 0
    return [encode_scalar(QQ.reduce(c)) for c in polynomial]


def _works_over(target: Target, question: Question) -> Field | None:
    if (
        question.quantity != "rank"
        or question.field.characteristic
        or target.ring != QQ
        or target.space.form_degree < 3
        or target.space.variables_count < 3
        or len(target.entries) > MAX_ENTRIES
    ):
        return None
    return question.field


METHOD = Method(
    name="apolar_points",
    rule="conjugate-units",
    side="upper",
    summary="powers at the common zeros of the operators that kill a form or map",
    units=("tied",),
    tier="A",
    fields="QQ, QQ(a), RR, CC",
    works_over=_works_over,
    find=find,
)
