"""Ranks of Koszul flattenings, divided by the largest rank of one unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np

from rankproof.bounds.lower.flattening import MAX_DENSE, MAX_ENTRIES, unit_rank
from rankproof.bounds.method import Bound, Budget, Method, best_known, complex_or_finite
from rankproof.certificate.claim import Claim, implied
from rankproof.exact.flattening import (
    Orders,
    flattening_entries,
    flattening_rank,
    flattening_shape,
    good_prime,
    word_count,
)
from rankproof.exact.gradings import weight_classes
from rankproof.exact.koszul import Projection, Shape, TooLong, koszul_places, koszul_rank
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SHARE = 0.5
"""Part of the time left that this method may use, the check of its certificate included."""

PATIENCE = 2
"""Shapes of one split of the letters that may fall short before the split is given up."""

MAX_TERMS = 20_000
"""Terms of the target."""

MAX_DIMENSION = 21
"""Largest dimension of the space whose exterior powers are taken."""

MAX_SIDE = 2_000_000
"""Rows or columns that the certificate format allows."""

MAX_PLACES = 1_000_000
"""Places filled; more are not built in reasonable time."""

OPERATIONS_PER_SECOND = 150_000_000
"""Multiplications of the verifier's elimination on packed rows."""

PLACES_PER_SECOND = 300_000
"""Places of the matrix that prover and verifier together fill."""

SPARSE_GAIN = 60
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
    kind: str
    places: int
    dense: int

    @property
    def cost(self) -> float:
        """Expected work, in places filled; how much elimination a graded matrix needs shows when it is built."""
        if self.kind == "random":
            return self.places + self.dense / 1000
        # Diagonals of a matrix of letters are the most promising of all.
        return self.places / 10 if self.kind == "diagonals" else self.places


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over the shapes whose best possible value improves what is known, cheapest first."""
    if len(target.entries) > MAX_TERMS:
        budget.remark(f"the target has {len(target.entries)} terms; at most {MAX_TERMS} are wedged")
        return []
    target = target.over(field) if field.characteristic else target
    prime, root = good_prime(target, field)
    question = Question(units, field, "border_rank")
    budget = budget.share(SHARE * budget.left())
    best = best_known(known, question, ">=", target) or 0
    upper = best_known(known, question, "<=", target)
    found: Bound | None = None
    failures: Counter[tuple[int, Orders, bool]] = Counter()

    def improves(about: str, ceiling: int) -> bool:
        value = implied(Claim("border_rank", about, field, ">=", ceiling), question, target)
        return value is not None and value > best and (upper is None or upper > best)

    for candidate in sorted(_candidates(target, units, field, improves), key=lambda c: c.cost):
        # Letters that are dropped or put together may lose rank where a general projection does not.
        split = min(candidate.shape.orders, candidate.shape.opposite(target))
        group = candidate.shape.factor, split, candidate.kind in ("weights", "coordinates")
        if not improves(candidate.units, candidate.ceiling) or failures[group] >= PATIENCE:
            continue
        seconds = budget.left() - candidate.places / PLACES_PER_SECOND
        if seconds <= 0:
            budget.remark("out of time before every Koszul flattening was tried")
            break
        allowed = min(MAX_OPERATIONS, int(seconds * OPERATIONS_PER_SECOND))
        most = allowed if candidate.kind == "random" else SPARSE_GAIN * allowed
        rank = None
        if candidate.kind != "random" or candidate.dense <= most:
            rank = koszul_rank(target, candidate.shape, prime, root, most)
        if rank is None or isinstance(rank, TooLong) or rank.operations > allowed:
            failures[group] += 1
            continue
        claim = Claim("border_rank", candidate.units, field, ">=", -(-rank.rank // candidate.share))
        value = implied(claim, question, target)
        if value is None or value <= best:
            failures[group] += 1
            continue
        best, failures[group] = value, 0
        found = _bound(candidate, claim, rank.rank, prime, root)
    return [found] if found else []


def _candidates(
    target: Target, units: str, field: Field, improves: Callable[[str, int], bool]
) -> Iterator[Candidate]:
    """All shapes that fit the limits and could improve what is known, with every projection worth trying."""
    for factor, (n, _) in enumerate(target.space.factors):
        about = _units_spoken_of(target, units, field, factor)
        if about is None or n < 3:
            continue
        essential = _side_rank(target, _one_letter(target, factor), field)
        projections: dict[int, list[tuple[Projection | None, str]]] = {}
        for orders in _orders(target, factor):
            opposite = Shape(factor, 1, orders).opposite(target)
            sides = _side_rank(target, orders, field), _side_rank(target, opposite, field)
            unit = unit_rank(about, target, orders) if factor == 1 and about != "product" else 1
            highest = 0
            for a in range(3, min(essential, MAX_DIMENSION) + 1):
                wedge = _best_wedge(target, factor, orders, a, sides)
                if wedge is None:
                    continue
                size, share = _size(sides, a, wedge), unit * comb(a - 1, wedge)
                ceiling = -(-min(size) // share)
                # A smaller dimension with the same ceiling is as good; the whole space needs no projection.
                if (ceiling <= highest and a < n) or not improves(about, ceiling):
                    continue
                highest = max(highest, ceiling)
                if a not in projections:
                    projections[a] = _projections(target, factor, a)
                for projection, kind in projections[a]:
                    shape = Shape(factor, wedge, orders, projection)
                    places = koszul_places(target, shape)
                    if places <= MAX_PLACES:
                        dense = min(size) ** 2 * max(size) // 2
                        yield Candidate(about, share, ceiling, shape, kind, places, dense)


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
    smaller = min(flattening_shape(target, orders))
    if smaller > MAX_DENSE or flattening_entries(target, orders) > MAX_ENTRIES:
        return smaller
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


def _projections(target: Target, factor: int, a: int) -> list[tuple[Projection | None, str]]:
    """Projections to dimension a with their kinds; all but random ones keep gradings that the target has."""
    n = target.space.factors[factor][0]
    if a == n:
        return [(None, "identity")]
    found: list[tuple[Projection | None, str]] = []
    for width in range(2, n):
        # Letters that are the entries of a matrix, put together by diagonals.
        if n % width == 0 and n // width + width - 1 == a:
            found.append((_grouped([x // width + x % width for x in range(n)], a), "diagonals"))
    if not found:
        graded = [classes for classes in weight_classes(target, factor) if max(classes) + 1 == a]
        found += [(_grouped(classes, a), "weights") for classes in graded]
        found.append((_grouped([x if x < a else -1 for x in range(n)], a), "coordinates"))
    # The same for all kinds of units, so that their ranks are remembered.
    entries = np.random.default_rng([factor, n, a]).integers(-3, 4, size=(a, n))
    found.append((tuple(tuple(map(int, row)) for row in entries), "random"))
    return found


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
