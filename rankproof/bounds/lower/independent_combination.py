"""Ranks from below by contractions whose combination, of low rank, kills no unit over the field of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from rankproof.bounds.lower.flattening import unit_rank
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import encode_form, lower_so_far, upper_so_far
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import words
from rankproof.exact.contractions import (
    Matrix,
    Polynomial,
    annihilating_covectors,
    combined,
    critical_polynomials,
    generic_rank,
    monic,
    rank_at_root,
    ranks,
    slices,
)
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.univariate import real_roots_between

SECONDS = 1.5
MAX_COVECTORS = 12
"""Coordinates of a factor that are contracted together."""

MAX_PAIRS = 30
MAX_DEGREE = 8
"""Degree of the number b."""


@dataclass(frozen=True)
class Slot:
    """A factor, the degree of the covectors on it, the flattening of what is left, and its matrices."""

    factor: int
    degree: int
    orders: tuple[int, ...]
    matrices: list[Matrix]
    divisor: int


@dataclass(frozen=True)
class Found:
    """Coefficients of the covectors on the monomials of the slot; the number b, or None for an indeterminate."""

    excess: int
    covectors: Sequence[Sequence[int | Fraction]]
    polynomial: Polynomial | None


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over all factors and flattenings, and over coordinates and pairs of covectors."""
    best = lower_so_far(known, units, field, "rank", target)
    upper = upper_so_far(known, units, field, target)
    part = budget.share(SECONDS)
    bounds: list[Bound] = []
    for slot in _slots(target, units):
        # With full ranks and a combination of rank 1 this is the most there is.
        if -(-(sum(ranks(slot.matrices)) - 1) // slot.divisor) <= best:
            continue
        for found in _combinations(slot, field, rng):
            if part.exhausted():
                budget.remark("out of time before every pair of contractions was tried")
                return bounds
            value = -(-found.excess // slot.divisor)
            if value > best:
                best = value
                bounds = [Bound(Claim("rank", units, field, ">=", best), *_written(slot, found, target))]
            if upper is not None and best >= upper:
                return bounds
    return bounds


def _slots(target: Target, units: str) -> Iterator[Slot]:
    factors = target.space.factors
    for factor, (n, power) in enumerate(factors):
        if units not in ("tied", "product") and factor != 1:
            continue
        for degree in range(1, power + 1):
            rest = [d - degree if i == factor else d for i, (_, d) in enumerate(factors)]
            if len(words(n, degree)) > MAX_COVECTORS:
                continue
            choices = product(*(range(d + 1) for d in rest))
            seen: set[tuple[int, ...]] = set()
            for orders in sorted(choices, key=lambda s: abs(2 * sum(s) - sum(rest))):
                other = tuple(d - s for d, s in zip(rest, orders, strict=True))
                if other in seen or not any(orders) or not any(other):
                    continue
                seen.add(orders)
                matrices = slices(target, factor, degree, orders)
                if matrices and any(any(m.entries()) for m in matrices):
                    divisor = 1 if units in ("tied", "product") else unit_rank(units, target, (orders[0], 0))
                    yield Slot(factor, degree, orders, matrices, divisor)


def _combinations(slot: Slot, field: Field, rng: np.random.Generator) -> Iterator[Found]:
    q = len(slot.matrices)
    unit = [[int(i == j) for i in range(q)] for j in range(q)]
    if field == CC:
        chosen = [list(range(q)), *(list(pair) for pair in combinations(range(q), 2))][:MAX_PAIRS]
        for places in chosen:
            parts = [slot.matrices[j] for j in places]
            if len(places) > 1:
                yield Found(sum(ranks(parts)) - generic_rank(parts, rng), [unit[j] for j in places], None)
        return
    for first, second in _pairs(q, rng):
        pair = [combined(slot.matrices, first), combined(slot.matrices, second)]
        for polynomial in critical_polynomials(pair[0], pair[1], rng):
            if len(polynomial) - 1 > MAX_DEGREE or (field == RR and _all_real(polynomial)):
                continue
            exact, lead = monic(polynomial)
            # c b is integral: the second covector is divided by c.
            scaled: list[int | Fraction] = [Fraction(x, lead) for x in second]
            parts = [pair[0], combined(slot.matrices, scaled)]
            yield Found(sum(ranks(parts)) - rank_at_root(parts, exact), [first, scaled], exact)
            if field == QQ and q > 2 and len(exact) > 3:
                wider = annihilating_covectors(slot.matrices, parts[0], parts[1], exact)
                if wider is not None and all(any(v) for v in wider):
                    parts = [combined(slot.matrices, v) for v in wider]
                    yield Found(sum(ranks(parts)) - rank_at_root(parts, exact), wider, exact)


def _pairs(q: int, rng: np.random.Generator) -> Iterator[tuple[list[int | Fraction], list[int | Fraction]]]:
    """Pairs of coordinates, then of small random covectors."""
    made = 0
    for i, j in combinations(range(q), 2):
        if made < MAX_PAIRS:
            made += 1
            yield [int(k == i) for k in range(q)], [int(k == j) for k in range(q)]
    for _ in range(6 if q > 2 else 0):
        first, second = rng.integers(-2, 3, (2, q)).tolist()
        if any(first) and any(second):
            yield first, second


def _all_real(polynomial: Polynomial) -> bool:
    bound = 2 + max(abs(c) for c in polynomial)
    return real_roots_between(polynomial, -bound, bound) == len(polynomial) - 1


def _written(slot: Slot, found: Found, target: Target) -> tuple[str, dict[str, Any], str]:
    """Rule, witness and reason."""
    n, _ = target.space.factors[slot.factor]
    monomials = words(n, slot.degree)
    witness: dict[str, Any] = {
        "factor": slot.factor,
        "degree": slot.degree,
        "covectors": [
            encode_form({w: x for w, x in zip(monomials, v, strict=True) if x}) for v in found.covectors
        ],
        "orders": list(slot.orders),
    }
    if found.polynomial is not None:
        witness["minimal_polynomial"] = list(found.polynomial)
    what = (
        "a generic combination" if found.polynomial is None else "a combination with irrational coefficients"
    )
    share = f", {slot.divisor} a unit" if slot.divisor > 1 else ""
    reason = f"{len(found.covectors)} contractions, of which {what} has low rank: {found.excess}{share}"
    return "independent-combination", witness, reason


def _works_over(target: Target, question: Question) -> Field | None:
    return question.field if target.ring == QQ and question.field in (CC, RR, QQ) else None


METHOD = Method(
    name="independent_combination",
    rule="independent-combination",
    side="lower",
    summary="contractions, one combination of which has low rank and kills no unit",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="QQ, RR, CC",
    works_over=_works_over,
    find=find,
)
