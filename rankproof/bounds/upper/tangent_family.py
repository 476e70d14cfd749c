"""Border tied width from an untied decomposition: a^(d-1) b is the derivative of (a + eps*b)^d / d at eps = 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import Vector, dense, direction, family_bound, known_decompositions
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper import detectors, monomials
from rankproof.exact.matrix_factorisation import rank_factorisation
from rankproof.problem.decomposition import Decomposition, FamilyUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.question import Question
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """A border family, when it is shorter than all that is known about the border tied width."""
    target = target.over(field)
    best = best_known(known, Question("tied", field, "border_rank"), "<=", target)
    sources = known_decompositions(known, "untied", field)
    # Where untied units are asked about, their methods have run already.
    if not sources and not any(bound.claim.units == "untied" for bound in known):
        found: list[Bound] = []
        for method in (monomials.METHOD, detectors.METHOD):
            found += method.find(target, "untied", field, budget, rng, found)
        sources = known_decompositions(found, "untied", field)
    families = [(source, _family(target, source, field)) for source in sources]
    if not families:
        return []
    source, family = min(families, key=lambda pair: len(pair[1]))
    if best is not None and best <= len(family):
        return []
    reason = f"{len(family)} units in eps, from {len(source)} untied unit{'s' * (len(source) > 1)}"
    return [family_bound(target, "tied", field, 1, family, reason)]


def _family(target: Target, source: Decomposition, ring: Field) -> list[FamilyUnit]:
    """Units whose sum is eps * target + higher terms.

    All untied units with one detector a are a^(d-1) times a matrix B of values and outputs. Modulo a, B is a sum of b (x) w as
    short as its rank; every such term costs (a + eps*b)^d, and one power of a serves them all.
    """
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    dth = ring.inverse(d)
    units: list[FamilyUnit] = []
    for a, matrix in _values(source, d, ring).items():
        i0 = next(i for i, x in enumerate(a) if x)
        along = {j: ring.reduce(x * ring.inverse(a[i0])) for j, x in matrix.get(i0, {}).items()}
        rest: dict[int, dict[int, Scalar]] = {}
        for i in range(n):
            row = {
                j: y
                for j in range(m)
                if (y := ring.reduce(matrix.get(i, {}).get(j, 0) - a[i] * along.get(j, 0)))
            }
            if row:
                rest[i] = row
        # eps * along at a^d, less what the powers below bring with them.
        power: list[Laurent] = [Laurent.power(1, along.get(j, 0)) for j in range(m)]
        for b, w in rank_factorisation(rest, ring):
            moved = tuple(
                Laurent.from_mapping({0: x, 1: y}) if y else x for x, y in zip(a, dense(b, n), strict=True)
            )
            weights = tuple(ring.reduce(x * dth) for x in dense(w, m))
            units.append((moved, weights))
            power = [(x - y).over(ring) for x, y in zip(power, weights, strict=True)]
        if any(power):
            units.append((a, tuple(x.coefficient(0) if x.is_constant else x for x in power)))
    return units


def _values(source: Decomposition, d: int, ring: Field) -> dict[Vector, dict[int, dict[int, Scalar]]]:
    """For every detector, up to scale, the matrix of its values and outputs."""
    found: dict[Vector, dict[int, dict[int, Scalar]]] = {}
    for a, b, w in source.units:
        if not any(a):
            continue
        vector, c = direction(a, ring)
        matrix = found.setdefault(vector, {})
        scale = ring.reduce(c ** (d - 1))
        for i, x in enumerate(b):
            for j, y in enumerate(w):
                if x and y:
                    row = matrix.setdefault(i, {})
                    row[j] = ring.reduce(row.get(j, 0) + scale * x * y)
    return found


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "border_rank" or target.space.form_degree < 2:
        return None
    p = question.field.characteristic
    return ring_of(target, question) if p == 0 or p > target.space.form_degree else None


METHOD = Method(
    name="tangent_family",
    rule="border-family",
    side="upper",
    summary="border tied width at most twice an untied decomposition",
    units=("tied",),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p) with p > degree",
    works_over=_works_over,
    find=find,
)
