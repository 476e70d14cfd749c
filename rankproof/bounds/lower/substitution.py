"""Ranks from below by substitution: units killed by combinations of slices or derivatives, and the rank of what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np

from rankproof.bounds.lower.flattening import unit_rank
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import complex_only, lower_so_far, upper_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.flattening import word_count
from rankproof.exact.substitutions import (
    Elimination,
    Entries,
    Factors,
    Matrix,
    Minor,
    Vector,
    constant_combination,
    contracted,
    entries_of,
    flattened,
    hyperplane,
    parameter_values,
    rank,
    small_vectors,
)
from rankproof.problem.field import QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SECONDS = 2.0
MAX_RANK = 9
"""Size of the minors, which the verifier expands."""

MAX_MINORS = 300
MAX_ENTRIES = 3000
MAX_DIMENSION = 12
"""Of a factor that is contracted."""

MAX_SUBSETS = 40
"""Sets of coordinates of a factor that are looked at."""


@dataclass(frozen=True)
class Plan:
    """Steps, the flattening of what they leave, its rank at all parameters tried, and the bound that follows."""

    steps: tuple[Elimination, ...]
    orders: tuple[int, ...]
    rank: int
    value: int


class Search:
    """The plans for one target and one kind of units, and what shows them."""

    def __init__(self, target: Target, units: str, budget: Budget, rng: np.random.Generator) -> None:
        self.target, self.units, self.budget, self.rng = target, units, budget, rng
        self.factors: Factors = target.space.factors
        self.entries = entries_of(target)

    def plans(self, best: int) -> Iterator[Plan]:
        """All plans that may give more than is known, for every way to choose factors."""
        for chosen in self._choices():
            if max(self.factors[factor][0] for factor in chosen) > MAX_DIMENSION:
                continue
            rest = list(self.factors)
            for factor in chosen:
                rest[factor] = rest[factor][0], rest[factor][1] - 1
            for orders in _orders(rest):
                other = [power - s for (_, power), s in zip(rest, orders, strict=True)]
                most = min(
                    prod(word_count(n, s) for (n, _), s in zip(rest, side, strict=True))
                    for side in (orders, other)
                )
                count = sum(self.factors[factor][0] - 1 for factor in chosen)
                if count - (-min(most, MAX_RANK) // self.divisor(orders)) > best:
                    yield from self._plans_for(chosen, orders)

    def _choices(self) -> Iterator[tuple[int, ...]]:
        """Factors in the order in which they are contracted."""
        if self.units == "product":
            for size in range(1, len(self.factors) - 1):
                yield from combinations(range(len(self.factors)), size)
        elif len(self.factors) == 2:
            yield (1,)
        if self.units == "tied":
            power = self.factors[0][1]
            for size in range(1, power - 1 + (len(self.factors) == 2)):
                yield (0,) * size

    def _plans_for(self, chosen: tuple[int, ...], orders: tuple[int, ...]) -> Iterator[Plan]:
        if len(set(chosen)) > 1:
            sizes = [self.factors[f][0] for f in chosen]
            if max(sizes) ** len(sizes) <= MAX_SUBSETS:
                for places in product(*map(range, sizes)):
                    if self.budget.exhausted():
                        return
                    steps = [_coordinates(f, g, n) for f, g, n in zip(chosen, places, sizes, strict=True)]
                    yield from self._plan(tuple(steps), orders)
            return
        factor = chosen[0]
        n = self.factors[factor][0]
        ranks: dict[Vector, int] = {}
        for vector in small_vectors(n):
            if self.budget.exhausted():
                return
            ranks[vector] = self._rank_at(((factor, vector),) * len(chosen), orders)
        for places in _subsets(n):
            inside = {v: r for v, r in ranks.items() if all(i in places or not x for i, x in enumerate(v))}
            for step in _eliminations(factor, n, places, inside):
                if self.budget.exhausted():
                    return
                yield from self._plan((step,) * len(chosen), orders)

    def _rank_at(self, covectors: Sequence[tuple[int, Vector]], orders: tuple[int, ...]) -> int:
        entries, factors = self.entries, self.factors
        for factor, vector in covectors:
            entries, factors = contracted(entries, factors, factor, vector)
        return rank(flattened(entries, factors, orders))

    def _plan(self, steps: tuple[Elimination, ...], orders: tuple[int, ...]) -> Iterator[Plan]:
        count = sum(len(step.added) for step in steps)
        least = None
        for values in parameter_values(count, self.rng, 3):
            here = rank(flattened(*self.after(steps, values), orders))
            least = here if least is None else min(least, here)
        if least:
            yield Plan(steps, orders, least, self.value(steps, orders, least))

    def value(self, steps: Sequence[Elimination], orders: tuple[int, ...], size: int) -> int:
        """The bound that follows from a rank of what the steps leave."""
        return sum(len(step.added) for step in steps) - (-size // self.divisor(orders))

    def divisor(self, orders: tuple[int, ...]) -> int:
        """Largest rank of the flattening of what is left on one unit."""
        if self.units in ("tied", "product"):
            return 1
        return unit_rank(self.units, self.target, (orders[0], 0))

    def after(self, steps: Sequence[Elimination], values: Sequence[int]) -> tuple[Entries, Factors]:
        """What the steps leave, at values of the parameters."""
        entries, factors = self.entries, self.factors
        for step in steps:
            here, values = values[: len(step.added)], values[len(step.added) :]
            entries, factors = contracted(entries, factors, step.factor, step.covector(here))
        return entries, factors

    def shown(self, plan: Plan) -> tuple[list[list[Minor]], list[Minor]] | None:
        """Minors of every step, and of the flattening; None when no constant combination is found."""
        of_steps: list[list[Minor]] = []
        for k, step in enumerate(plan.steps):

            def rows(count: int, k: int = k, step: Elimination = step) -> list[Matrix]:
                earlier = plan.steps[:k]
                parameters = sum(len(before.added) for before in earlier)
                found: list[Matrix] = []
                for values in self.rng.integers(0, 2**60, (count, parameters)).tolist():
                    entries, factors = self.after(earlier, values)
                    matrix: Matrix = {}
                    for number, vector in enumerate(step.added):
                        derived, _ = contracted(entries, factors, step.factor, vector)
                        matrix |= {((number,), word): x for word, x in derived.items()}
                    found.append(matrix)
                return found

            minors = constant_combination(rows, len(step.added), MAX_MINORS, self.rng)
            if minors is None:
                return None
            of_steps.append(minors)

        def leaf(count: int) -> list[Matrix]:
            parameters = sum(len(step.added) for step in plan.steps)
            drawn = self.rng.integers(0, 2**60, (count, parameters)).tolist()
            return [flattened(*self.after(plan.steps, values), plan.orders) for values in drawn]

        minors = constant_combination(leaf, plan.rank, MAX_MINORS, self.rng)
        return None if minors is None else (of_steps, minors)


def _orders(factors: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Orders of flattenings, the most balanced ones first, each up to transposition."""
    powers = [power for _, power in factors]
    choices = product(*(range(power + 1) for power in powers))
    for orders in sorted(choices, key=lambda s: abs(2 * sum(s) - sum(powers))):
        other = tuple(power - s for power, s in zip(powers, orders, strict=True))
        if any(orders) and any(other) and orders >= other:
            yield orders


def _subsets(n: int) -> list[tuple[int, ...]]:
    """Sets of coordinates, all of them first."""
    return [s for size in range(n, 1, -1) for s in combinations(range(n), size)][:MAX_SUBSETS]


def _coordinates(factor: int, chosen: int, n: int) -> Elimination:
    unit = [tuple(int(k == i) for k in range(n)) for i in range(n)]
    return Elimination(factor, unit[chosen], tuple(v for i, v in enumerate(unit) if i != chosen))


def _eliminations(
    factor: int, n: int, places: tuple[int, ...], ranks: dict[Vector, int]
) -> Iterator[Elimination]:
    """Covectors of low rank are added, so that the sum with a coordinate outside of their span has a high rank."""
    for avoided in places:
        unit = tuple(int(k == avoided) for k in range(n))
        for size in range(ranks.get(unit, 0), 0, -1):
            added = hyperplane((v for v, r in ranks.items() if r < size), places, avoided, n)
            if added is not None:
                yield Elimination(factor, unit, added)
                break


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over the plans, those with the largest bounds first."""
    if len(target.entries) > MAX_ENTRIES:
        budget.remark("the target has too many entries")
        return []
    best = lower_so_far(known, units, field, "rank", target)
    upper = upper_so_far(known, units, field, target)
    part = budget.share(SECONDS)
    search = Search(target, units, part.share(SECONDS / 2), rng)
    # The rank may be smaller at parameters that were not tried.
    plans = [
        Plan(plan.steps, plan.orders, size, search.value(plan.steps, plan.orders, size))
        for plan in search.plans(best)
        for size in range(min(plan.rank, MAX_RANK), 0, -1)
    ]
    plans = [plan for plan in plans if best < plan.value <= (plan.value if upper is None else upper)]
    for plan in sorted(plans, key=lambda plan: (-plan.value, len(plan.steps), plan.rank)):
        if part.exhausted():
            budget.remark("out of time before every substitution was tried")
            break
        found = search.shown(plan)
        if found is not None:
            claim = Claim("rank", units, field, ">=", plan.value)
            return [Bound(claim, "substitution", _witness(plan, *found), _reason(plan))]
    return []


def _witness(plan: Plan, of_steps: list[list[Minor]], minors: list[Minor]) -> dict[str, Any]:
    steps = [
        {
            "factor": step.factor,
            "chosen": _encoded(step.chosen),
            "added": [_encoded(vector) for vector in step.added],
            "minors": [_minor(minor) for minor in shown],
        }
        for step, shown in zip(plan.steps, of_steps, strict=True)
    ]
    return {
        "steps": steps,
        "orders": list(plan.orders),
        "rank": plan.rank,
        "minors": [_minor(minor) for minor in minors],
    }


def _encoded(vector: Vector) -> list[Any]:
    return [[[i], x] for i, x in enumerate(vector) if x]


def _minor(minor: Minor) -> dict[str, Any]:
    return {
        "rows": [list(word) for word in minor.rows],
        "columns": [list(word) for word in minor.columns],
        "multiplier": [[[], encode_scalar(minor.multiplier)]],
    }


def _reason(plan: Plan) -> str:
    counts = " + ".join(str(len(step.added)) for step in plan.steps)
    return f"{counts} units are killed by substitution, and what is left has a flattening of rank {plan.rank} or more"


def _works_over(target: Target, question: Question) -> Field | None:
    return complex_only(target, question) if target.ring == QQ else None


METHOD = Method(
    name="substitution",
    rule="substitution",
    side="lower",
    summary="units killed by combinations of slices or derivatives, and the rank of what is left",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=_works_over,
    find=find,
)
