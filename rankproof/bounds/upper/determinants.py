"""The determinant of 3 x 3 matrices as a sum of 18 cubes, over fields with a third root of unity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from rankproof.bounds.explicit import Vector, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.recognition import likeness
from rankproof.exact.multilinear import as_tensor, variable_groups
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, Field, Scalar
from rankproof.problem.library import named
from rankproof.problem.question import Question
from rankproof.problem.target import Target

COUNT = 18


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    r"""The sum of 18 cubes, when that is shorter than what is known.

    Notes
    -----
    With w a primitive third root of unity, and the rows, columns and exponents modulo 3,

    .. math:: \tfrac{162}{w - w^2} \det(x) = \sum_{a, b} \Bigl(\sum_{i, j} w^{ij + ai + bj} x_{ij}\Bigr)^3
              - \sum_{a, b} \Bigl(\sum_{i, j} w^{-ij + ai + bj} x_{ij}\Bigr)^3.

    Summing over a and b leaves the monomials on the lines of the plane over the field with three elements, and cubes. On
    the lines in the direction of the rows or columns, and on cubes, both sums have the same coefficient; on the six lines that
    are permutations the quadratic form ij sums to 1 or 2, by the sign of the permutation, and the coefficients are conjugate.
    That 18 cubes suffice is due to [1]_.

    References
    ----------
    .. [1] Conner, Gesmundo, Landsberg, Ventura, *Rank and border rank of Kronecker powers of tensors and Strassen's laser
       method*, computational complexity 31 (2022).
    """
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    if most is not None and most <= COUNT:
        return []
    ring = cyclotomic(3) if field == CC else field
    roots = [w for w in roots_of_unity(3, ring) if w != 1] if _has_roots(ring) else []
    entries = _matrix(target.over(ring), ring)
    if not roots or entries is None:
        return []
    w = roots[0]
    powers = [ring.reduce(1), w, ring.reduce(w * w)]
    scale = ring.reduce((w - powers[2]) * ring.inverse(162))
    found: list[ExactUnit] = []
    for a, b, sign in product(range(3), range(3), (1, -1)):
        form: list[Scalar] = [0] * target.space.variables_count
        for i, j in product(range(3), repeat=2):
            variable, c = entries[i][j]
            form[variable] = ring.reduce(c * powers[(sign * i * j + a * i + b * j) % 3])
        vector: Vector = tuple(form)
        found.append((vector, (ring.reduce(sign * scale),)))
    return [decomposition_bound(target, units, ring, found, f"a determinant: {COUNT} cubes over {ring}")]


def _has_roots(ring: Field) -> bool:
    p = ring.characteristic
    if p:
        return p > 3 and p % 3 == 1
    return ring.number_field is not None and len(roots_of_unity(3, ring)) == 3


def _matrix(target: Target, ring: Field) -> list[list[tuple[int, Scalar]]] | None:
    """For every entry of the matrix its variable and a factor; None when the form is no determinant of variables."""
    groups = variable_groups([word for word, _ in target.entries], 3)
    if groups is None or [len(g) for g in groups] != [3, 3, 3]:
        return None
    tensor = as_tensor(target.as_dict(), 3, groups)
    like = likeness(named("det_tensor", 3).as_dict(), tensor, (3, 3, 3), ring)
    if like is None:
        return None
    # A row of the matrix is a factor of the tensor; the order of the rows changes the sign at most.
    rows = [
        [(groups[s][k], c) for k, c in zip(like.places[s], like.scales[s], strict=True)] for s in range(3)
    ]
    return [rows[like.factors.index(i)] for i in range(3)]


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "rank" or target.space.factors != ((9, 3),) or len(target.entries) != 6:
        return None
    return CC if question.field == CC and target.ring == QQ else _in_question(target, question)


def _in_question(target: Target, question: Question) -> Field | None:
    field = question.field if question.field.number_field else ring_of(target, question)
    return field if field is not None and _has_roots(field) else None


METHOD = Method(
    name="determinants",
    rule="decomposition",
    side="upper",
    summary="the determinant of 3 x 3 matrices as 18 cubes",
    units=("tied",),
    tier="A",
    fields="CC, number fields and GF(p) with third roots of unity",
    works_over=_works_over,
    find=find,
)
