"""Koszul flattenings worth trying: which letters are wedged, in which dimension, onto which exterior power."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import numpy as np

from rankproof.bounds.lower.flattening import MAX_DENSE, MAX_ENTRIES, unit_rank
from rankproof.exact.flattening import (
    Orders,
    flattening_entries,
    flattening_rank,
    flattening_shape,
    good_prime,
    word_count,
)
from rankproof.exact.gradings import weight_classes
from rankproof.exact.koszul import Projection, Shape, Wedge, koszul_places, opposite
from rankproof.problem.field import Field
from rankproof.problem.target import Target

MAX_DIMENSION = 21
"""Largest dimension of the space whose exterior powers are taken."""

MAX_SIDE = 2_000_000
"""Rows or columns that the certificate format allows."""

MAX_PLACES = 2_000_000
"""Places filled; more are not built in reasonable time."""

MAX_WEDGES = 3
"""Letters wedged at the same time."""

OFF_CENTRE = 4
"""Twice the distance of an exterior power from the middle, at most, when several are taken."""

MAX_COMPARED = 20_000
"""Terms of a target whose factors are exchanged to see whether they are alike."""

MANY_FACTORS = 6
"""With more factors than this too many pairs of them would be tried."""

Improves = Callable[[str, int], bool]
"""Whether a lower bound for units of this name would improve what is known."""


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


def candidates(target: Target, units: str, field: Field, improves: Improves) -> Iterator[Candidate]:
    """All shapes that fit the limits and could improve what is known, with every projection worth trying."""
    yield from _with_one_wedge(target, units, field, improves)
    for count in range(2, min(MAX_WEDGES, target.space.degree - 2) + 1):
        yield from _with_several_wedges(target, units, field, count, improves)


def _with_one_wedge(target: Target, units: str, field: Field, improves: Improves) -> Iterator[Candidate]:
    alike = _alike(target)
    for factor, (n, _) in enumerate(target.space.factors):
        about = _units_spoken_of(target, units, field, [factor])
        if about is None or n < 3:
            continue
        essential = _side_rank(target, _one_letter(target, factor), field)
        projections: dict[int, list[tuple[Projection | None, str]]] = {}
        for orders in _orders(target, [factor], alike):
            sides = _sides(target, [factor], orders, field)
            unit = unit_rank(about, target, orders) if factor == 1 and about != "product" else 1
            highest = 0
            for a in range(3, min(essential, MAX_DIMENSION) + 1):
                best = _best_powers(target, [factor], orders, [a], sides, alike)
                # The upper half of the powers are transposes, of the opposite orders.
                first = orders <= opposite(target, [factor], orders)
                powers = [q for (q,) in best if 2 * q < a - 1 or (2 * q == a - 1 and first)]
                if not powers:
                    continue
                ceiling = -(-_ceiling(sides, [a], powers[:1]) // unit)
                # A smaller dimension with the same ceiling is as good; the whole space needs no projection.
                if (ceiling <= highest and a < n) or not improves(about, ceiling):
                    continue
                highest = max(highest, ceiling)
                if a not in projections:
                    projections[a] = _projections(target, factor, a)
                for projection, kind in projections[a]:
                    shape = Shape.single(factor, powers[0], orders, projection)
                    yield from _candidate(target, about, unit, ceiling, shape, kind)


def _with_several_wedges(
    target: Target, units: str, field: Field, count: int, improves: Improves
) -> Iterator[Candidate]:
    """The same projection for all letters of one factor; both sides of the matrix keep some letters."""
    factors = target.space.factors
    if len(factors) > MANY_FACTORS:
        return
    alike = _alike(target)
    for wedged in combinations_with_replacement(range(len(factors)), count):
        about = _units_spoken_of(target, units, field, wedged)
        if about is None or any(
            n < 3 or wedged.count(i) > d for i, (n, d) in enumerate(factors) if i in wedged
        ):
            continue
        for projections, kind in _joint_projections(target, wedged):
            dimensions = [
                factors[i][0] if rows is None else len(rows)
                for i, rows in zip(wedged, projections, strict=True)
            ]
            for orders in _orders(target, wedged, alike):
                other = opposite(target, wedged, orders)
                if orders > other or not any(orders) or not any(other):
                    continue
                sides = _sides(target, wedged, orders, field)
                best = _best_powers(target, wedged, orders, dimensions, sides, alike)
                for powers in best[:2]:
                    ceiling = _ceiling(sides, dimensions, powers)
                    if improves(about, ceiling):
                        wedges = map(Wedge, wedged, powers, projections)
                        yield from _candidate(target, about, 1, ceiling, Shape(tuple(wedges), orders), kind)


def _candidate(
    target: Target, about: str, unit: int, ceiling: int, shape: Shape, kind: str
) -> Iterator[Candidate]:
    places = koszul_places(target, shape)
    if places <= MAX_PLACES:
        height, width = _size(target, shape)
        dense = min(height, width) ** 2 * max(height, width) // 2
        yield Candidate(about, unit * shape.share(target), ceiling, shape, kind, places, dense)


def _units_spoken_of(target: Target, units: str, field: Field, wedged: Sequence[int]) -> str | None:
    """The units in the claim; None when the rule says nothing.

    With a wedge in the variables that is always tied: a bound for the other units is the tied one divided by their border
    tied width, which is what follows from the tied bound anyway, where the characteristic allows it.
    """
    if units == "product" or 0 not in wedged:
        return units
    degree = target.space.form_degree
    if units == "tied" or not 0 < field.characteristic <= degree:
        return "tied"
    return None


def _one_letter(target: Target, factor: int) -> Orders:
    return tuple(int(i == factor) for i in range(len(target.space.factors)))


def _orders(target: Target, wedged: Sequence[int], alike: Sequence[int]) -> Iterator[Orders]:
    """All orders of the letters that are left, one of those that a symmetry of the target exchanges."""
    given = [list(wedged).count(i) for i in range(len(alike))]
    powers = [d - c for (_, d), c in zip(target.space.factors, given, strict=True)]
    for orders in product(*(range(d + 1) for d in powers)):
        roles: dict[int, list[tuple[int, int]]] = {}
        for name, c, s in zip(alike, given, orders, strict=True):
            roles.setdefault(name, []).append((-c, s))
        if all(found == sorted(found) for found in roles.values()):
            yield orders


def _alike(target: Target) -> list[int]:
    """For every factor the first one with which it can be exchanged: the target stays, or changes its sign."""
    space, entries = target.space, target.as_dict()
    first = list(range(len(space.factors)))
    if not space.is_tensor or len(entries) > MAX_COMPARED:
        return first
    for i, j in combinations(range(len(first)), 2):
        if first[j] != j or first[i] != i or space.factors[i] != space.factors[j]:
            continue
        swapped = {(*w[:i], w[j], *w[i + 1 : j], w[i], *w[j + 1 :]): c for w, c in entries.items()}
        if swapped.keys() == entries.keys() and (
            swapped == entries or all(swapped[w] == -c for w, c in entries.items())
        ):
            first[j] = i
    return first


def _sides(target: Target, wedged: Sequence[int], orders: Orders, field: Field) -> tuple[int, int]:
    """At most what the letters that are not wedged contribute to the rank, on either side."""
    other = opposite(target, wedged, orders)
    return _side_rank(target, orders, field), _side_rank(target, other, field)


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


def _size(target: Target, shape: Shape) -> tuple[int, int]:
    """Rows and columns."""
    dimensions = [wedge.dimension(target) for wedge in shape.wedges]
    powers = [wedge.power for wedge in shape.wedges]
    return _sizes(target, shape.orders, shape.opposite(target), dimensions, powers)


def _sizes(
    target: Target, orders: Orders, other: Orders, dimensions: Sequence[int], powers: Sequence[int]
) -> tuple[int, int]:
    factors = target.space.factors
    rows = prod(word_count(n, s) for (n, _), s in zip(factors, orders, strict=True))
    columns = prod(word_count(n, s) for (n, _), s in zip(factors, other, strict=True))
    for a, q in zip(dimensions, powers, strict=True):
        rows, columns = rows * comb(a, q), columns * comb(a, q + 1)
    return rows, columns


def _ceiling(sides: tuple[int, int], dimensions: Sequence[int], powers: Sequence[int]) -> int:
    """The best bound that the sizes allow: C(a, q) / C(a-1, q) = a / (a-q) on the one side, a / (q+1) on the other."""
    whole = prod(dimensions)
    rows = prod(a - q for a, q in zip(dimensions, powers, strict=True))
    columns = prod(q + 1 for q in powers)
    return min(-(-sides[0] * whole // rows), -(-sides[1] * whole // columns))


def _best_powers(
    target: Target,
    wedged: Sequence[int],
    orders: Orders,
    dimensions: Sequence[int],
    sides: tuple[int, int],
    alike: Sequence[int],
) -> list[tuple[int, ...]]:
    """Exterior powers that fit the limits, the most promising first; of powers of factors that are alike those in order."""
    other = opposite(target, wedged, orders)
    found: list[tuple[int, int, tuple[int, ...]]] = []
    # The powers 0 and a-1 only move a letter to one side; of several powers far from the middle the ceiling is not met.
    off = OFF_CENTRE if len(dimensions) > 1 else max(dimensions)
    ranges = [range(max(1, (a - off) // 2), min(a - 2, (a - 1 + off) // 2) + 1) for a in dimensions]

    def pairs(powers: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
        return zip(wedged, wedged[1:], powers, powers[1:], strict=False)

    for powers in product(*ranges):
        if any(q > r for i, j, q, r in pairs(powers) if alike[i] == alike[j]):
            continue
        if max(_sizes(target, orders, other, dimensions, powers)) <= MAX_SIDE:
            share = prod(comb(a - 1, q) for a, q in zip(dimensions, powers, strict=True))
            found.append((-_ceiling(sides, dimensions, powers), share, powers))
    return [powers for _, _, powers in sorted(found)]


def _joint_projections(
    target: Target, wedged: Sequence[int]
) -> Iterator[tuple[list[Projection | None], str]]:
    """Projections of one kind for all wedges: none at all, or diagonals."""
    factors = target.space.factors
    if all(factors[i][0] <= MAX_DIMENSION for i in wedged):
        yield [None] * len(wedged), "identity"
    diagonals = [_most_square_diagonals(factors[i][0]) for i in wedged]
    if all(diagonals):
        yield diagonals, "diagonals"


def _most_square_diagonals(n: int) -> Projection | None:
    """Letters that could be the entries of a matrix, as square as possible, put together by diagonals."""
    width = max((width for width in range(2, n) if n % width == 0 and width * width <= n), default=None)
    return None if width is None else _diagonals(n, n // width)


def _projections(target: Target, factor: int, a: int) -> list[tuple[Projection | None, str]]:
    """Projections to dimension a with their kinds; all but random ones keep gradings that the target has."""
    n = target.space.factors[factor][0]
    if a == n:
        return [(None, "identity")]
    found: list[tuple[Projection | None, str]] = []
    for width in range(2, n):
        # Letters that are the entries of a matrix, put together by diagonals.
        if n % width == 0 and n // width + width - 1 == a:
            found.append((_diagonals(n, width), "diagonals"))
    if not found:
        graded = [classes for classes in weight_classes(target, factor) if max(classes) + 1 == a]
        found += [(_grouped(classes, a), "weights") for classes in graded]
        found.append((_grouped([x if x < a else -1 for x in range(n)], a), "coordinates"))
    # The same for all kinds of units, so that their ranks are remembered.
    entries = np.random.default_rng([factor, n, a]).integers(-3, 4, size=(a, n))
    found.append((tuple(tuple(map(int, row)) for row in entries), "random"))
    return found


def _diagonals(n: int, width: int) -> Projection:
    return _grouped([x // width + x % width for x in range(n)], n // width + width - 1)


def _grouped(classes: Sequence[int], a: int) -> Projection:
    return tuple(tuple(int(number == k) for number in classes) for k in range(a))
