"""Tensors over small fields: rank-one matrices that span a space around the slices, by random completion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from rankproof.bounds.explicit import Vector, decomposition_bound, dense
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.linear_systems import solve
from rankproof.exact.subspaces import Completion
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_POOL = 2_500
"""Matrices of rank one among which the units are looked for."""

LARGEST_PRIME = 5

SHARE = 0.4
"""Part of the time left that the search in one direction may take."""

TRIES = 100_000

Pair = tuple[tuple[int, ...], tuple[int, ...]]
Column = dict[tuple[int, int], Scalar]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Ever shorter decompositions than what is known, until the time is spent."""
    target = target.over(field)
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    best: list[ExactUnit] = []
    # Small pools, which symmetric slices have, are searched many times faster.
    for axis, pairs, completion in sorted(_systems(target, field), key=lambda system: len(system[1])):
        part = budget.share(SHARE * budget.left())
        while (aim := len(target.entries) if most is None else most - 1) >= least:
            chosen = completion.search(aim, rng, part.exhausted, TRIES)
            if chosen is None:
                break
            best = _units(target, axis, [pairs[k] for k in chosen], field)
            most = len(best)
    return [decomposition_bound(target, units, field, best)] if best else []


def _systems(target: Target, field: Field) -> Iterator[tuple[int, list[Pair], Completion]]:
    """For slices in every direction: the direction, pairs of vectors, and the pool of their products."""
    p = field.characteristic
    dims = [n for n, _ in target.space.factors]
    for axis in range(3):
        rows, columns = (dims[s] for s in range(3) if s != axis)
        slices = np.zeros((dims[axis], rows, columns), dtype=np.int64)
        for word, c in target.entries:
            i, j = (word[s] for s in range(3) if s != axis)
            slices[word[axis], i, j] = int(c)  # type: ignore[arg-type]
        symmetric = rows == columns and bool((slices == slices.transpose(0, 2, 1)).all())
        count = (p**rows - 1) // (p - 1)
        if symmetric and count <= MAX_POOL:
            pairs = [(v, v) for v in _directions(rows, p)]
        elif count * (p**columns - 1) // (p - 1) <= MAX_POOL:
            pairs = [(u, v) for u in _directions(rows, p) for v in _directions(columns, p)]
        else:
            continue
        pool = np.array([np.outer(u, v).ravel() % p for u, v in pairs], dtype=np.int64)
        yield axis, pairs, Completion(pool, slices.reshape(dims[axis], -1), p)


def _directions(n: int, p: int) -> list[tuple[int, ...]]:
    """Vectors over GF(p) whose first entry that is not zero is 1."""
    return [v for v in product(range(p), repeat=n) if next((x for x in v if x), 0) == 1]


def _units(target: Target, axis: int, pairs: Sequence[Pair], field: Field) -> list[ExactUnit]:
    """The slices as combinations of the products."""
    n = target.space.factors[axis][0]
    others = [s for s in range(3) if s != axis]
    sides: list[Column] = [{} for _ in range(n)]
    for word, c in target.entries:
        sides[word[axis]][word[others[0]], word[others[1]]] = c
    columns = [
        {(i, j): field.reduce(x * y) for i, x in enumerate(u) for j, y in enumerate(v) if x and y}
        for u, v in pairs
    ]
    solutions = solve(columns, sides, field)
    found: list[ExactUnit] = []
    for k, (u, v) in enumerate(pairs):
        free = dense({i: solution[k] for i, solution in enumerate(solutions or []) if solution[k]}, n)
        if any(free):
            vectors: list[Vector] = [u, v]
            vectors.insert(axis, free)
            found.append(tuple(vectors))
    return found


def _works_over(target: Target, question: Question) -> Field | None:
    p = question.field.characteristic
    fits = question.quantity == "rank" and len(target.space.factors) == 3 and 0 < p <= LARGEST_PRIME
    return question.field if fits else None


METHOD = Method(
    name="completions",
    rule="decomposition",
    side="upper",
    summary="small tensors over small fields: rank-one matrices that span a space around the slices",
    units=("product",),
    tier="A",
    fields="GF(2), GF(3), GF(5)",
    works_over=_works_over,
    find=find,
)
