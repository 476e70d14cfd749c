"""Symmetric sums of powers: whole orbits of linear forms with equal weights, as few and as small ones as possible.

A target that signed permutations of the variables preserve lies in the span of some powers exactly when it is a combination
of orbit sums. There are few orbits, so that large pools of forms become small linear systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.explicit import MergedUnits, Vector, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.few_columns import cheapest_columns
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.linear_systems import solve
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity
from rankproof.exact.sign_symmetries import SignedPermutation, generators
from rankproof.exact.sparse_solutions import few_groups, solution_space
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, Scalar, number
from rankproof.problem.question import Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

MAX_POOL = 25_000
"""Forms in a pool, before symmetry."""

MAX_ORBITS = 400
"""Orbits in a linear system."""

MAX_CELLS = 3_000_000
"""Monomials times forms."""

MAX_ALGEBRAIC_POOL = 2_500
"""Forms in a pool over a number field."""

MAX_SEARCHED = 150
"""Orbits among which combinations of at most four are searched exhaustively."""

ORDERS = 12
"""Orders in which orbits are tried to be left out; the first one is by size, the others are disturbed."""

SHARE = 0.1
"""Part of the time left that the search may take."""


@dataclass(frozen=True)
class Orbit:
    """Forms, each with the weight it has when the first one has weight 1."""

    forms: tuple[tuple[Vector, Scalar], ...]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The shortest symmetric sum over all pools, if it is shorter than what is known."""
    n = target.space.variables_count
    symmetries = generators(target.as_dict(), n)
    if all(g.images == tuple(range(n)) for g in symmetries):
        return []
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    part = budget.share(SHARE * budget.left())
    best: list[Bound] = []
    for ring, values, group in _pools(n, field, symmetries):
        if most is not None and most <= least:
            break
        if part.exhausted():
            budget.remark("out of time before every pool of orbits was tried")
            break
        found = _from_pool(target, ring, values, group, least, most, part, rng)
        if found and (most is None or len(found) < most):
            best, most = [decomposition_bound(target, units, ring, found)], len(found)
    return best


def _pools(
    n: int, field: Field, symmetries: Sequence[SignedPermutation]
) -> Iterator[tuple[Field, list[Sequence[Scalar]], Sequence[SignedPermutation]]]:
    """Ring, values of the coefficients variable by variable, and generators of the group that makes orbits."""
    if field == QQ:
        small: tuple[Scalar, ...] = (0, 1, -1)
        large: tuple[Scalar, ...] = (0, 1, -1, 2, -2)
        signs: tuple[Scalar, ...] = (1, -1)
        yield QQ, [signs] * n, symmetries
        yield QQ, [small] * n, symmetries
        # One variable of every orbit of variables may stand apart.
        for i in _representatives(n, symmetries):
            values: list[Sequence[Scalar]] = [(*large, 3, -3) if j == i else small for j in range(n)]
            yield QQ, values, [g for g in symmetries if g.fixes(i)]
        if 5**n <= MAX_POOL:
            yield QQ, [large] * n, symmetries
        return
    if field == CC:
        for order in (4, 3, 8, 5):
            ring = cyclotomic(order)
            yield ring, [(0, *roots_of_unity(order if order % 2 == 0 else 2 * order, ring))] * n, symmetries
    for D in (5, 2, 3):
        ring = number(NumberField.sqrt(D, f"sqrt{D}"))
        root = ring.number_field.generator() if ring.number_field else 0
        x = (1 + root) * ring.inverse(2) if D == 5 else root
        for group in (symmetries, _even(symmetries)):
            yield ring, [(0, 1, -1, x, -x)] * n, group


def _even(symmetries: Sequence[SignedPermutation]) -> list[SignedPermutation]:
    """Sign changes, and products of two generators that move variables."""
    moving = [g for g in symmetries if not all(map(g.fixes, range(len(g.images))))]
    pairs = [_product(g, h) for g in moving for h in moving if g is not h]
    return [g for g in symmetries if g not in moving] + pairs


def _product(g: SignedPermutation, h: SignedPermutation) -> SignedPermutation:
    images = tuple(h.images[i] for i in g.images)
    signs = tuple(s * h.signs[i] for s, i in zip(g.signs, g.images, strict=True))
    return SignedPermutation(images, signs, g.character * h.character)


def _representatives(n: int, symmetries: Sequence[SignedPermutation]) -> list[int]:
    seen: set[int] = set()
    found: list[int] = []
    for i in range(n):
        if i in seen:
            continue
        found.append(i)
        waiting = [i]
        while waiting:
            j = waiting.pop()
            if j not in seen:
                seen.add(j)
                waiting += [g.images[j] for g in symmetries]
    return found


def _from_pool(
    target: Target,
    ring: Field,
    values: list[Sequence[Scalar]],
    group: Sequence[SignedPermutation],
    least: int,
    most: int | None,
    budget: Budget,
    rng: np.random.Generator,
) -> list[ExactUnit]:
    n, d = target.space.variables_count, target.space.form_degree
    size = prod(map(len, values))
    if (
        size > (MAX_POOL if ring == QQ else MAX_ALGEBRAIC_POOL)
        or size * target.space.dimension > 2 * MAX_CELLS * n
    ):
        return []
    orbits = _orbits(values, group, d, ring, budget)
    limit = MAX_CELLS // target.space.dimension
    orbits = [o for o in orbits if most is None or len(o.forms) < most]
    orbits.sort(key=lambda o: len(o.forms))
    while orbits and (len(orbits) > MAX_ORBITS or sum(len(o.forms) for o in orbits) > limit):
        orbits.pop()
    if not orbits:
        return []
    p, root = good_prime(target.over(ring), ring)
    columns, sides = _system(orbits, target, p, root)
    space = solution_space(columns, sides, p)
    if space is None:
        return []
    sizes = [len(o.forms) for o in orbits]
    best: list[int] = []
    if len(orbits) <= MAX_SEARCHED:
        limit = most or sum(sizes)
        best = cheapest_columns(columns, sides[:, 0], sizes, p, limit, rng, budget.exhausted) or []
    for order in range(ORDERS):
        if best and (_total(orbits, best) <= least or budget.exhausted()):
            break
        noise = rng.random(len(orbits)) * (0.5 * (order % 8))
        sequence = sorted(range(len(orbits)), key=lambda k: -len(orbits[k].forms) * (1 + noise[k]))
        kept = few_groups(space, [[k] for k in range(len(orbits))], sequence)
        if not best or _total(orbits, kept) < _total(orbits, best):
            best = kept
    return _solved([orbits[k] for k in best], target, ring)


def _total(orbits: Sequence[Orbit], chosen: Sequence[int]) -> int:
    return sum(len(orbits[k].forms) for k in chosen)


def _orbits(
    values: list[Sequence[Scalar]], group: Sequence[SignedPermutation], d: int, ring: Field, budget: Budget
) -> list[Orbit]:
    """Orbits of all forms with the given coefficients, up to scale, whose sums do not cancel."""
    seen: set[Vector] = set()
    found: list[Orbit] = []
    for count, point in enumerate(product(*values)):
        if count % 256 == 0 and budget.exhausted():
            break
        if not any(point) or point in seen:
            continue
        start, _ = _normal(point, ring)
        if start != point:
            # A multiple of a form in the pool; its orbit is found from that form.
            continue
        weights: dict[Vector, Scalar] = {start: 1}
        waiting, cancels = [start], False
        while waiting:
            form = waiting.pop()
            for g in group:
                moved: list[Scalar] = [0] * len(form)
                for i, x in enumerate(form):
                    moved[g.images[i]] = x if g.signs[i] > 0 else -x
                image, c = _normal(moved, ring)
                weight = ring.reduce(weights[form] * g.character * c**d)
                if image not in weights:
                    weights[image] = weight
                    waiting.append(image)
                elif weights[image] != weight:
                    cancels = True
        seen.update(weights)
        if not cancels:
            found.append(Orbit(tuple(weights.items())))
    return found


def _normal(point: Sequence[Scalar], ring: Field) -> tuple[Vector, Scalar]:
    """Representative with first non-zero coefficient positive, or 1 over a number field, and the factor."""
    first = next(x for x in point if x)
    if ring == QQ:
        c = 1 if first > 0 else -1  # type: ignore[operator]
        return tuple(c * x for x in point), c
    if first == 1:
        return tuple(point), 1
    if first == -1:
        return tuple(-x if x else 0 for x in point), -1
    inverse = ring.inverse(first)
    return tuple(ring.reduce(x * inverse) if x else 0 for x in point), first


def _system(
    orbits: Sequence[Orbit], target: Target, p: int, root: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    words = list(target.space.words())
    forms = np.array(
        [[residue(x, p, root) for x in form] for o in orbits for form, _ in o.forms], dtype=np.int64
    )
    weights = np.array([residue(w, p, root) for o in orbits for _, w in o.forms], dtype=np.int64)
    starts = np.cumsum([0, *(len(o.forms) for o in orbits)])[:-1]
    columns = np.zeros((len(words), len(orbits)), dtype=np.int64)
    for k, word in enumerate(words):
        row = weights * (_multinomial(word) % p) % p
        for i in word:
            row = row * forms[:, i] % p
        columns[k] = np.add.reduceat(row, starts) % p
    sides = np.array([[residue(target.as_dict().get(word, 0), p, root)] for word in words], dtype=np.int64)
    # Symmetric rows repeat; each is needed once.
    whole = np.unique(np.concatenate([columns, sides], axis=1), axis=0)
    return whole[:, :-1], whole[:, -1:]


def _multinomial(word: Word) -> int:
    return factorial(len(word)) // prod(factorial(word.count(i)) for i in set(word))


def _solved(chosen: Sequence[Orbit], target: Target, ring: Field) -> list[ExactUnit]:
    d = target.space.form_degree
    model, space = unit_model("tied"), Space.form(target.space.variables_count, d)
    columns: list[dict[Word, Scalar]] = []
    for orbit in chosen:
        total: dict[Word, Scalar] = {}
        for form, w in orbit.forms:
            for word, x in model.expand(space, (form, (w,)), ring).items():
                total[word] = total.get(word, 0) + x
        columns.append({word: y for word, x in total.items() if (y := ring.reduce(x))})
    solutions = solve(columns, [target.as_dict()], ring)
    if solutions is None:
        return []
    merged = MergedUnits(ring, (d,), 1)
    for orbit, weight in zip(chosen, solutions[0], strict=True):
        if weight:
            for form, w in orbit.forms:
                merged.add((form,), (w,), weight)
    return merged.units()


def _works_over(target: Target, question: Question) -> Field | None:
    space, field = target.space, question.field
    fits = target.ring == QQ and space.outputs == 1 and space.form_degree > 2 and space.variables_count > 2
    if not fits or field.characteristic or question.quantity != "rank":
        return None
    return field if field in (RR, CC) else QQ


METHOD = Method(
    name="orbits",
    rule="decomposition",
    side="upper",
    summary="symmetric forms: orbits of powers with equal weights",
    units=("tied",),
    tier="A",
    fields="QQ, RR, CC",
    works_over=_works_over,
    find=find,
)
