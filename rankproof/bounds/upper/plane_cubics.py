"""Plane cubics as sums of four cubes: two pairs of lines among the apolar conics meet in four points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd

import numpy as np

from rankproof.bounds.explicit import MergedUnits, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.apolarity import killing_operators
from rankproof.exact.conics import (
    Gram,
    Line,
    determinant,
    line_pair,
    meeting_points,
    points_on_lines,
    with_square_roots,
)
from rankproof.exact.linear_systems import solve
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

SIZE = 4
"""Coefficients of the combinations of apolar conics that are tried."""

LINES_SIZE = 3
"""Coefficients of the combinations with which rational lines are intersected."""

MAX_LINES = 6
"""Pairs of rational lines that are intersected with conics."""

SHARE = 0.06
"""Part of the time left that the search may take."""

MAX_PAIRS = 20
"""Pairs of lines that are intersected with each other."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Four cubes over the simplest field inside the one asked for, if that improves what is known."""
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    if most is not None and most <= 4:
        return []
    conics = killing_operators(target, 2)
    if len(conics) != 3:
        return []
    part = budget.share(SHARE * budget.left())
    # An operator with coefficient c at X_i X_j, i != j, has c/2 twice in its Gram matrix.
    grams = [
        [
            [Fraction(c.get((min(i, j), max(i, j)), 0)) / (1 if i == j else 2) for j in range(3)]
            for i in range(3)
        ]  # type: ignore[arg-type]
        for c in conics
    ]
    pairs = sorted(_line_pairs(grams, part), key=lambda pair: (pair[0] != 1, abs(pair[0]), pair[0] < 0))
    for first, second in combinations(pairs[:MAX_PAIRS], 2):
        if part.exhausted():
            break
        if _fits((first[0], second[0]), field):
            found = meeting_points(first, second)
            if found is not None and (result := _units(target, *found)):
                return [decomposition_bound(target, units, found[0], result)]
    for gram in _combinations(grams, LINES_SIZE):
        for first in pairs[:MAX_LINES]:
            if part.exhausted():
                return []
            meeting = points_on_lines(first, gram)
            if meeting is None or not _fits(meeting[:2], field):
                continue
            points = meeting[2]()
            made = with_square_roots(*meeting[:2])
            if points and made and (result := _units(target, made[0], points)):
                return [decomposition_bound(target, units, made[0], result)]
    return []


def _fits(roots: tuple[int, int], field: Field) -> bool:
    """Whether the field contains the square roots of two squarefree integers."""
    if field == CC:
        return True
    return min(roots) > 0 if field == RR else roots == (1, 1)


def _combinations(grams: Sequence[Gram], size: int) -> Iterator[Gram]:
    """Small combinations of the conics up to scale, simple ones first."""
    points = sorted(
        (p for p in product(range(-size, size + 1), repeat=3) if any(p) and gcd(*p) == 1 and _first(p) > 0),
        key=lambda p: (sum(map(abs, p)), p),
    )
    for p in points:
        yield [
            [sum((x * g[i][j] for x, g in zip(p, grams, strict=True)), Fraction(0)) for j in range(3)]
            for i in range(3)
        ]


def _line_pairs(grams: Sequence[Gram], budget: Budget) -> Iterator[tuple[int, Line, Line]]:
    """Pairs of lines among small combinations of the conics, simple combinations first."""
    for gram in _combinations(grams, SIZE):
        if budget.exhausted():
            return
        if determinant(gram) == 0 and (pair := line_pair(gram)) is not None:
            yield pair


def _first(p: Sequence[int]) -> int:
    return next(x for x in p if x)


def _units(target: Target, ring: Field, points: Sequence[Line]) -> list[ExactUnit]:
    model = unit_model("tied")
    columns = [model.expand(target.space, (p, (1,)), ring) for p in points]
    solutions = solve(columns, [target.as_dict()], ring)
    if solutions is None:
        return []
    merged = MergedUnits(ring, (3,), 1)
    for p, w in zip(points, solutions[0], strict=True):
        merged.add((p,), (w,))
    return merged.units()


def _works_over(target: Target, question: Question) -> Field | None:
    space, field = target.space, question.field
    fits = target.ring == QQ and space.outputs == 1 and space.form_degree == 3 and space.variables_count == 3
    if not fits or field.characteristic or question.quantity != "rank":
        return None
    return field if field in (RR, CC) else QQ


METHOD = Method(
    name="plane_cubics",
    rule="decomposition",
    side="upper",
    summary="plane cubics as four cubes where two apolar pairs of lines meet",
    units=("tied",),
    tier="A",
    fields="QQ, RR, CC",
    works_over=_works_over,
    find=find,
)
