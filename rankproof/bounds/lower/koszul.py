"""Ranks of Koszul flattenings, divided by the largest rank of one unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np

from rankproof.bounds.lower.flattening import MAX_ENTRIES, unit_rank
from rankproof.bounds.method import Bound, Budget, Method, best_known, complex_or_finite
from rankproof.certificate.claim import Claim, implied
from rankproof.exact.flattening import Orders, flattening_entries, flattening_rank, good_prime, word_count
from rankproof.exact.gradings import weight_classes
from rankproof.exact.koszul import Projection, Shape, TooLong, koszul_places, koszul_rank
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SHARE = 0.4
"""Part of the time left that this method may use, the check of its certificate included."""

MAX_DIMENSION = 21
"""Largest dimension of the space whose exterior powers are taken."""

MAX_SIDE = 2_000_000
"""Rows or columns that the certificate format allows."""

MAX_PLACES = 1_000_000
"""Places filled; more are not built in reasonable time."""

OPERATIONS_PER_SECOND = 150_000_000
"""Multiplications of the verifier's elimination on packed rows."""

PLACES_PER_SECOND = 200_000
"""Places of the matrix that prover and verifier together fill."""

SPARSE_GAIN = 30
"""How many times less work a graded block is than a dense one of its size, at best."""

MAX_OPERATIONS = 800_000_000
"""Multiplications that the certificate format allows, with a margin: the verifier counts in its own order."""


@dataclass(frozen=True)
class Candidate:
    """A shape, the units it speaks about with their largest rank, and the best value it could give."""

    units: str
    share: int
    ceiling: int
    shape: Shape
    graded: bool
    places: int
    dense: int

    @property
    def cost(self) -> float:
        """Expected work, in places filled; how much elimination a graded matrix needs shows when it is built."""
        return self.places if self.graded else self.places + self.dense / 1000


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over the shapes whose best possible value improves what is known, cheapest first."""
    target = target.over(field) if field.characteristic else target
    prime, root = good_prime(target, field)
    question = Question(units, field, "border_rank")
    budget = budget.share(SHARE * budget.left())
    best = best_known(known, question, ">=", target) or 0
    upper = best_known(known, question, "<=", target)
    found: Bound | None = None

    def improves(candidate: Candidate) -> bool:
        value = implied(_claim(candidate, field, candidate.ceiling), question, target)
        return value is not None and value > best and (upper is None or upper > best)

    candidates = [c for c in _candidates(target, units, field) if improves(c)]
    for candidate in sorted(candidates, key=lambda c: c.cost):
        if not improves(candidate):
            continue
        allowed = _operations_allowed(candidate, budget)
        if allowed <= 0:
            budget.remark("out of time before every Koszul flattening was tried")
            break
        most = SPARSE_GAIN * allowed if candidate.graded else allowed
        if not candidate.graded and candidate.dense > most:
            continue
        rank = koszul_rank(target, candidate.shape, prime, root, most)
        if isinstance(rank, TooLong) or rank.operations > allowed:
            continue
        claim = _claim(candidate, field, -(-rank.rank // candidate.share))
        value = implied(claim, question, target)
        if value is not None and value > best:
            best = value
            found = _bound(candidate, claim, rank.rank, prime, root)
    return [found] if found else []


def _claim(candidate: Candidate, field: Field, value: int) -> Claim:
    return Claim("border_rank", candidate.units, field, ">=", value)


def _operations_allowed(candidate: Candidate, budget: Budget) -> int:
    seconds = budget.left() - candidate.places / PLACES_PER_SECOND
    return min(MAX_OPERATIONS, int(seconds * OPERATIONS_PER_SECOND))


def _candidates(target: Target, units: str, field: Field) -> Iterator[Candidate]:
    """All shapes that fit the limits, with every projection worth trying."""
    for factor, (n, power) in enumerate(target.space.factors):
        about = _units_spoken_of(target, units, field, factor)
        if about is None or n < 3:
            continue
        essential = _side_rank(target, _one_letter(target, factor), field)
        projections: dict[int, list[tuple[Projection | None, bool]]] = {}
        for orders in _orders(target, factor):
            opposite = Shape(factor, 1, orders).opposite(target)
            sides = _side_rank(target, orders, field), _side_rank(target, opposite, field)
            unit = unit_rank(about, target, orders) if factor == 1 and about != "product" else 1
            for a in range(3, min(essential, MAX_DIMENSION) + 1):
                wedge = _best_wedge(target, factor, orders, a, sides)
                if wedge is None:
                    continue
                size, share = _size(sides, a, wedge), unit * comb(a - 1, wedge)
                for projection, graded in projections.setdefault(a, _projections(target, factor, a)):
                    shape = Shape(factor, wedge, orders, projection)
                    places = koszul_places(target, shape)
                    if places <= MAX_PLACES:
                        dense = min(size) ** 2 * max(size) // 2
                        yield Candidate(about, share, -(-min(size) // share), shape, graded, places, dense)


def _units_spoken_of(target: Target, units: str, field: Field, factor: int) -> str | None:
    """The units in the claim; None when the rule says nothing.

    With the wedge in the variables that is always tied: a bound for the other units is the tied one divided by their border
    tied width, which is what follows from the tied bound anyway, where the characteristic allows it.
    """
    if units == "product" or factor == 1:
        return units
    degree = target.space.form_degree
    if units == "tied" or not 0 < field.characteristic <= degree:
        return "tied"
    return None


def _one_letter(target: Target, factor: int) -> Orders:
    return tuple(int(i == factor) for i in range(len(target.space.factors)))


def _orders(target: Target, factor: int) -> Iterator[Orders]:
    powers = [d - (i == factor) for i, (_, d) in enumerate(target.space.factors)]
    for number in range(prod(d + 1 for d in powers)):
        orders: list[int] = []
        for d in powers:
            number, s = divmod(number, d + 1)
            orders.append(s)
        yield tuple(orders)


def _side_rank(target: Target, orders: Orders, field: Field) -> int:
    """Rank of the flattening that separates one side from everything else: a bound on what the side contributes."""
    powers = [d for _, d in target.space.factors]
    opposite = tuple(d - s for d, s in zip(powers, orders, strict=True))
    if not any(orders) or not any(opposite):
        return 1
    orders = min(orders, opposite)
    if flattening_entries(target, orders) > MAX_ENTRIES:
        pairs = list(zip(target.space.factors, orders, strict=True))
        rows = prod(word_count(n, s) for (n, _), s in pairs)
        return min(rows, prod(word_count(n, d - s) for (n, d), s in pairs))
    prime, root = good_prime(target, field)
    return flattening_rank(target, orders, prime, root).rank


def _size(sides: tuple[int, int], a: int, wedge: int) -> tuple[int, int]:
    return sides[0] * comb(a, wedge), sides[1] * comb(a, wedge + 1)


def _best_wedge(target: Target, factor: int, orders: Orders, a: int, sides: tuple[int, int]) -> int | None:
    """The exterior power with the highest possible bound, among those that fit and have no transpose before them."""
    best: tuple[int, int] | None = None
    shape = Shape(factor, 1, orders)
    opposite = shape.opposite(target)
    factors = target.space.factors
    rows = prod(word_count(n, s) for (n, _), s in zip(factors, orders, strict=True))
    columns = prod(word_count(n, s) for (n, _), s in zip(factors, opposite, strict=True))
    for wedge in range(1, (a - 1) // 2 + 1):
        if 2 * wedge == a - 1 and orders > opposite:
            continue
        if max(rows * comb(a, wedge), columns * comb(a, wedge + 1)) > MAX_SIDE:
            break
        ceiling = -(-min(_size(sides, a, wedge)) // comb(a - 1, wedge))
        if best is None or ceiling > best[0]:
            best = ceiling, wedge
    return best[1] if best else None


def _projections(target: Target, factor: int, a: int) -> list[tuple[Projection | None, bool]]:
    """Projections to dimension a, and whether they keep the gradings of the target or some of them."""
    n = target.space.factors[factor][0]
    found: list[tuple[Projection | None, bool]] = []
    if a == n:
        found.append((None, True))
    for width in range(2, n):
        # Letters that are the entries of a matrix, put together by diagonals.
        if n % width == 0 and n // width + width - 1 == a:
            found.append((_grouped([x // width + x % width for x in range(n)], a), True))
    for classes in weight_classes(target, factor):
        if max(classes) + 1 == a < n:
            found.append((_grouped(classes, a), True))
    if a < n:
        found.append((_grouped([x if x < a else -1 for x in range(n)], a), True))
        # The same for all kinds of units, so that their ranks are remembered.
        generator = np.random.default_rng([factor, n, a])
        entries = generator.integers(-3, 4, size=(a, n))
        found.append((tuple(tuple(map(int, row)) for row in entries), False))
    unique: dict[Projection | None, bool] = {}
    for projection, graded in found:
        unique.setdefault(projection, graded)
    return list(unique.items())


def _grouped(classes: Sequence[int], a: int) -> Projection:
    return tuple(tuple(int(number == k) for number in classes) for k in range(a))


def _bound(candidate: Candidate, claim: Claim, rank: int, prime: int, root: int | None) -> Bound:
    shape = candidate.shape
    witness: dict[str, Any] = {
        "factor": shape.factor,
        "wedge": shape.wedge,
        "orders": list(shape.orders),
        "prime": prime,
    }
    if shape.projection is not None:
        witness["projection"] = [list(row) for row in shape.projection]
    if root is not None:
        witness["root"] = root
    reason = f"Koszul flattening has rank {rank}, at most {candidate.share} a unit"
    return Bound(claim, "koszul", witness, reason)


METHOD = Method(
    name="koszul",
    rule="koszul",
    side="lower",
    summary="rank of a Koszul flattening over the largest rank of one unit",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=complex_or_finite,
    find=find,
)
