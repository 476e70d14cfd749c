"""Units without their weights, chosen from a pool so that their span contains all outputs, or all slices of a tensor.

Whatever is spanned is a linear combination: the weights, and for tensors the vectors of the last axis, come from exact linear
algebra. With one output this is a poor search, with several it finds short bilinear and quadratic algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from rankproof.bounds.explicit import Vector, decomposition_bound, dense
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.pools import moment_forms, structured_forms
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.linear_systems import solve
from rankproof.exact.spanning import Pool
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

MAX_COLUMNS = 2_000
"""Vectors in a pool."""

MAX_ROWS = 400
"""Coordinates of these vectors."""

SHARE = 0.08
"""Part of the time left that the search may take."""

RESTARTS = 30

Column = dict[Word, Scalar]
Forms = tuple[Vector, ...]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest decomposition found, if it is shorter than what is known."""
    target = target.over(field)
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    part = budget.share(SHARE * budget.left())
    best: list[ExactUnit] = []
    systems = _systems(target, units, field)
    pools = [(system, _pool(*system[2:], *good_prime(target, field))) for system in systems]
    for _ in range(RESTARTS):
        for (axis, choices, columns, sides), pool in pools:
            chosen = pool.grow(rng, len(columns) if most is None else most - 1, part.exhausted)
            if chosen is None:
                continue
            found = _solved(chosen, axis, choices, columns, sides, field)
            if found and (most is None or len(found) < most):
                best, most = found, len(found)
        if part.exhausted() or (most is not None and most <= least):
            break
    return [decomposition_bound(target, units, field, best)] if best else []


def _systems(
    target: Target, units: str, ring: Field
) -> list[tuple[int, list[Forms], list[Column], list[Column]]]:
    """Free vector of the units, choices for the others, what these multiply out to, and what is to be spanned."""
    if units != "product":
        n, d = target.space.variables_count, target.space.form_degree
        form, model = Space.form(n, d), unit_model(units)
        choices = list(_form_choices(target, units, ring))
        columns = [model.expand(form, (*forms, (1,)), ring) for forms in choices]
        return [(-1, choices, columns, [f.as_dict() if f else {} for f in target.outputs_list()])]
    systems = []
    order = len(target.space.factors)
    for axis in range(order):
        sides: list[Column] = [{} for _ in range(target.space.factors[axis][0])]
        for word, c in target.entries:
            sides[word[axis]][(*word[:axis], *word[axis + 1 :])] = c
        choices = _vector_choices(target, [k for k in range(order) if k != axis], ring)
        columns = [_outer(vectors, ring) for vectors in choices]
        systems.append((axis, choices, columns, sides))
    return systems


def _form_choices(target: Target, units: str, ring: Field) -> Iterator[Forms]:
    n, d = target.space.variables_count, target.space.form_degree
    used = sorted({x for word, _ in target.entries for x in word[:d]})
    forms = structured_forms(used, n, ring)
    if units == "tied":
        for a in forms[:MAX_COLUMNS]:
            yield (a,)
        return
    forms = forms[: int((2 * MAX_COLUMNS) ** 0.5) if d == 2 else int(MAX_COLUMNS**0.5)]
    for i, a in enumerate(forms):
        for b in forms[i:] if d == 2 else forms:
            yield a, b


def _vector_choices(target: Target, axes: Sequence[int], ring: Field) -> list[Forms]:
    pools: list[list[Vector]] = []
    for k in axes:
        used = sorted({word[k] for word, _ in target.entries})
        n = target.space.factors[k][0]
        pools.append(list(dict.fromkeys([*structured_forms(used, n, ring), *moment_forms(used, n, ring)])))
    # The longest pools lose their last, least simple vectors first.
    while prod(map(len, pools)) > MAX_COLUMNS:
        max(pools, key=len).pop()
    return list(product(*pools))


def _outer(vectors: Forms, ring: Field) -> Column:
    partial: Column = {(): 1}
    for v in vectors:
        partial = {
            (*word, i): ring.reduce(c * x) for word, c in partial.items() for i, x in enumerate(v) if x
        }
    return partial


def _pool(columns: Sequence[Column], sides: Sequence[Column], p: int, root: int | None) -> Pool:
    place = {word: k for k, word in enumerate(sorted({word for c in [*columns, *sides] for word in c}))}
    matrices = []
    for vectors in (columns, sides):
        matrix = np.zeros((len(place), len(vectors)), dtype=np.int64)
        for j, vector in enumerate(vectors):
            for word, x in vector.items():
                matrix[place[word], j] = residue(x, p, root)
        matrices.append(matrix)
    return Pool(matrices[0], matrices[1], p)


def _solved(
    chosen: Sequence[int],
    axis: int,
    choices: Sequence[Forms],
    columns: Sequence[Column],
    sides: Sequence[Column],
    ring: Field,
) -> list[ExactUnit]:
    solutions = solve([columns[k] for k in chosen], sides, ring)
    if solutions is None:
        return []
    found: list[ExactUnit] = []
    for place, k in enumerate(chosen):
        free = dense({i: x for i, solution in enumerate(solutions) if (x := solution[place])}, len(sides))
        if any(free):
            vectors = list(choices[k])
            vectors.insert(axis if axis >= 0 else len(vectors), free)
            found.append(tuple(vectors))
    return found


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    if question.units == "product":
        dims = sorted(n for n, _ in space.factors)
        fits = len(dims) > 2 and prod(dims[1:]) <= MAX_ROWS and max(dims) <= 8
    else:
        fits = space.outputs > 1 and space.form_degree > 1 and space.dimension <= MAX_ROWS * space.outputs
    return ring_of(target, question) if fits else None


METHOD = Method(
    name="spans",
    rule="decomposition",
    side="upper",
    summary="units from a pool whose span contains all outputs or slices",
    units=("tied", "untied", "product"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
