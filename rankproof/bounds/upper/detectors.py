"""Forms chosen first, everything else by exact linear algebra, and then as few forms as possible.

With fixed linear forms a_1, ..., a_w a sum of w_i a_i^d is linear in the weights, and a sum of a_i^(d-1) b_i is linear in the
values b_i: the target has untied width at most w exactly when it lies in the ideal of the a_i^(d-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from rankproof.bounds.explicit import Detectors, MergedUnits, Vector, decomposition_bound, known_forms
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.pools import generic_tied_rank, random_forms, structured_forms, ternary_cubic_detectors
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.linear_systems import solve
from rankproof.exact.sparse_solutions import SolutionSpace, few_groups, solution_space
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

MAX_UNKNOWNS = 1_500
"""Unknowns of a system; pools are cut to this size."""

MAX_CELLS = 1_000_000
"""Equations times unknowns of a system."""

SHARE = 0.15
"""Part of the time left that a search for fewer forms may take."""

MAX_EQUATIONS = 600
"""Equations of a system: an exact solution has about as many digits in every number."""

MAX_GENERAL = 200
"""The same with general detectors, where nothing is sparse."""

ORDERS = 8
"""Orders in which forms are tried to be left out; the first one is fixed, the others are random."""

Column = dict[Word, Scalar]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest decomposition over all pools of forms, if it is shorter than what is known."""
    target = target.over(field)
    if target.space.form_degree < 2:
        return []
    part = budget.share(SHARE * budget.left())
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    best: list[ExactUnit] = []
    for pool in _pools(target, units, field, rng, known, part):
        found = _from_pool(target, units, field, pool, part, rng, least)
        if found and (most is None or len(found) < most):
            best, most = found, len(found)
        if most is not None and most <= least:
            break
        if part.exhausted():
            budget.remark("out of time before every choice of forms was tried")
            break
    return [decomposition_bound(target, units, field, best)] if best else []


def _pools(
    target: Target, units: str, ring: Field, rng: np.random.Generator, known: Sequence[Bound], budget: Budget
) -> Iterator[list[Vector]]:
    n, d = target.space.variables_count, target.space.form_degree
    variables = sorted({x for word, _ in target.entries for x in word[:d]})
    structured = structured_forms(variables, n, ring)
    yield structured
    if extra := [form for form in known_forms(known, units, ring) if form not in structured]:
        yield [*structured[: len(variables)], *extra]
    if units == "tied" or target.space.outputs > 1:
        return
    if (
        d == 3
        and len(variables) == 3
        and target.ring == QQ
        and (found := ternary_cubic_detectors(target, variables))
    ):
        yield found
    if comb(len(variables) + d - 1, d) > MAX_GENERAL:
        budget.remark(
            f"no general detectors: forms of degree {d} in {len(variables)} variables have too many terms"
        )
        return
    g = generic_tied_rank(len(variables), d)
    for _ in range(3):
        # General detectors of this number span everything in characteristic 0; special ones may not.
        yield random_forms(g, variables, n, ring, rng)


def _from_pool(
    target: Target,
    units: str,
    ring: Field,
    pool: list[Vector],
    budget: Budget,
    rng: np.random.Generator,
    least: int,
) -> list[ExactUnit]:
    """Units with forms from the pool, as few as the search finds; empty when the pool does not suffice."""
    n, d = target.space.variables_count, target.space.form_degree
    per_form = 1 if units == "tied" else n
    pool = pool[: MAX_UNKNOWNS // per_form]
    if comb(n + d - 1, d) * per_form * len(pool) > MAX_CELLS:
        budget.remark(f"{len(pool)} forms in {n} variables of degree {d} make too large a system")
        return []
    columns = [unit_columns(a, units, n, d, ring) for a in pool]
    flat = [column for group in columns for column in group]
    sides = [f.as_dict() if f else {} for f in target.outputs_list()]
    p, root = good_prime(target, ring)
    space = _solutions(flat, sides, p, root) if len({w for c in flat for w in c}) <= MAX_EQUATIONS else None
    if space is None:
        return []
    groups, start = [], 0
    for group in columns:
        groups.append(range(start, start + len(group)))
        start += len(group)
    best: list[int] = []
    for order in _orders(pool, rng):
        kept = few_groups(space, groups, order, budget.exhausted)
        if not best or len(kept) < len(best):
            best = kept
        if len(best) <= least or budget.exhausted():
            break
    return solved_units(best, pool, columns, sides, units, n, d, ring)


def _orders(pool: list[Vector], rng: np.random.Generator) -> Iterator[list[int]]:
    complexity = [sum(abs(int(x)) if isinstance(x, int) else 9 for x in form) for form in pool]
    yield sorted(range(len(pool)), key=lambda k: -complexity[k])
    for k in range(1, ORDERS):
        noise = rng.random(len(pool)) * (2 if k % 2 else 20)
        yield sorted(range(len(pool)), key=lambda i: -complexity[i] - noise[i])


def unit_columns(a: Vector, units: str, n: int, d: int, ring: Field) -> list[Column]:
    """a^d for tied units; a^(d-1) x_1, ..., a^(d-1) x_n for untied ones."""
    space = Space.form(n, d)
    model = unit_model("tied" if units == "tied" else "untied")
    if units == "tied":
        return [model.expand(space, (a, (1,)), ring)]
    return [model.expand(space, (a, tuple(int(i == j) for i in range(n)), (1,)), ring) for j in range(n)]


def _solutions(
    columns: Sequence[Column], sides: Sequence[Column], p: int, root: int | None
) -> SolutionSpace | None:
    words = sorted({word for column in [*columns, *sides] for word in column})
    place = {word: k for k, word in enumerate(words)}
    matrices = []
    for vectors in (columns, sides):
        matrix = np.zeros((len(words), len(vectors)), dtype=np.int64)
        for j, vector in enumerate(vectors):
            for word, x in vector.items():
                matrix[place[word], j] = residue(x, p, root)
        matrices.append(matrix)
    return solution_space(matrices[0], matrices[1], p)


def solved_units(
    chosen: Sequence[int],
    pool: list[Vector],
    columns: list[list[Column]],
    sides: Sequence[Column],
    units: str,
    n: int,
    d: int,
    ring: Field,
) -> list[ExactUnit]:
    """Units with the chosen forms, by an exact solution; empty when the forms do not suffice."""
    solutions = solve([column for k in chosen for column in columns[k]], sides, ring)
    if solutions is None:
        return []
    m = len(sides)
    if units == "tied":
        merged = MergedUnits(ring, (d,), m)
        for place, k in enumerate(chosen):
            merged.add((pool[k],), [solution[place] for solution in solutions])
        return merged.units()
    detectors = Detectors(ring, d)
    for place, k in enumerate(chosen):
        for i, solution in enumerate(solutions):
            b = solution[place * n : (place + 1) * n]
            detectors.add(pool[k], b, [int(j == i) for j in range(m)])
    return detectors.units(n, m)


METHOD = Method(
    name="detectors",
    rule="decomposition",
    side="upper",
    summary="powers or detectors chosen from a pool, the rest by exact linear algebra",
    units=("tied", "untied"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=ring_of,
    find=find,
)
