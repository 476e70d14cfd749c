"""Polynomial maps over CC: units with Gaussian coefficients whose span contains all outputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rankproof.bounds.explicit import Vector, coordinate_vector, decomposition_bound, direction
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.linear_systems import solve
from rankproof.exact.roots_of_unity import cyclotomic
from rankproof.exact.spanning import Pool
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

MAX_COLUMNS = 700
"""Units in the pool."""

MAX_ROWS = 120
"""Monomials of a form."""

SHARE = 0.02
"""Part of the time left that the search may take."""

RESTARTS = 12

Column = dict[Word, Scalar]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest decomposition found over QQ(i), if it is shorter than what is known."""
    ring = cyclotomic(4)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    question = Question(units, field, "rank")
    least = max(best_known(known, question, ">=", target) or 1, 1)
    most = best_known(known, question, "<=", target)
    if most is not None and most <= least:
        return []
    part = budget.share(SHARE * budget.left())
    form, model = Space.form(n, d), unit_model(units)
    choices = _choices(n, units, ring)
    if len(choices) > MAX_COLUMNS:
        budget.remark(f"{len(choices)} units with Gaussian coefficients are too many")
        return []
    columns: list[Column] = [model.expand(form, (*forms, (1,)), ring) for forms in choices]
    sides: list[Column] = [f.as_dict() if f else {} for f in target.outputs_list()]
    pool = Pool(*_residues(columns, sides, *good_prime(target.over(ring), ring)))
    best: list[ExactUnit] = []
    for _ in range(RESTARTS):
        chosen = pool.grow(rng, len(columns) if most is None else most - 1, part.exhausted)
        if chosen is not None and (solutions := solve([columns[k] for k in chosen], sides, ring)) is not None:
            found: list[ExactUnit] = []
            for place, k in enumerate(chosen):
                weights = tuple(solutions[j][place] for j in range(m))
                if any(weights):
                    found.append((*choices[k], weights))
            if most is None or len(found) < most:
                best, most = found, len(found)
        if part.exhausted() or (most is not None and most <= least):
            break
    return [decomposition_bound(target, units, ring, best)] if best else []


def _choices(n: int, units: str, ring: Field) -> list[tuple[Vector, ...]]:
    """Coordinates, and sums of two of them with a power of i, as powers or as products of two."""
    i = ring.number_field.generator() if ring.number_field else 1
    forms: list[Vector] = [coordinate_vector(k, n) for k in range(n)]
    for j, k in combinations(range(n), 2):
        for factor in (1, -1, i, -i):
            form: list[Scalar] = [0] * n
            form[j], form[k] = 1, factor
            forms.append(direction(form, ring)[0])
    if units == "tied":
        return [(a,) for a in forms]
    return [(a, b) for place, a in enumerate(forms) for b in forms[place:]]


def _residues(
    columns: Sequence[Column], sides: Sequence[Column], p: int, root: int | None
) -> tuple[np.ndarray, np.ndarray, int]:
    place = {word: k for k, word in enumerate(sorted({word for c in [*columns, *sides] for word in c}))}
    matrices: list[np.ndarray] = []
    for vectors in (columns, sides):
        matrix = np.zeros((len(place), len(vectors)), dtype=np.int64)
        for j, vector in enumerate(vectors):
            for word, x in vector.items():
                matrix[place[word], j] = residue(x, p, root)
        matrices.append(matrix)
    return matrices[0], matrices[1], p


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    fits = target.ring == QQ and space.outputs > 1 and space.form_degree == 2
    if (
        not fits
        or question.field != CC
        or question.quantity != "rank"
        or space.dimension > MAX_ROWS * space.outputs
    ):
        return None
    return CC


METHOD = Method(
    name="gaussian_spans",
    rule="decomposition",
    side="upper",
    summary="quadratic maps: units with Gaussian coefficients whose span contains all outputs",
    units=("tied", "untied"),
    tier="A",
    fields="CC",
    works_over=_works_over,
    find=find,
)
