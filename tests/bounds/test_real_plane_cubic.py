"""The rule about five real cubes is attacked with sums of four: none of them may get the bound."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest

from rankproof.bounds.lower.real_plane_cubic import find
from rankproof.bounds.method import Budget
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, RR
from rankproof.problem.space import Space
from rankproof.problem.target import Target

CUBICS = Space.form(3, 3)
Terms = list[tuple[int, tuple[int, ...]]]


def proves_five(terms: Terms) -> bool:
    units = tuple((point, (weight,)) for weight, point in terms)
    entries = Decomposition("tied", QQ, units).expand(CUBICS)
    if not any(entries.values()):
        return False
    target = Target.from_entries(CUBICS, entries)
    return bool(find(target, "tied", RR, Budget(10), np.random.default_rng(0), []))


def moved(terms: Terms, matrix: np.ndarray) -> Terms:
    return [(weight, tuple(int(x) for x in matrix @ point)) for weight, point in terms]


def two_planes(first: int, second: int, a: int, b: int) -> Terms:
    """A line times a conic: 2 (c + e) x^3 + 6 c a^2 x y^2 + 6 e b^2 x z^2, as are all that the rule speaks about."""
    return [(first, (1, a, 0)), (first, (1, -a, 0)), (second, (1, 0, b)), (second, (1, 0, -b))]


def small_points() -> Iterator[Terms]:
    points = [p for p in product((-1, 0, 1), repeat=3) if next((x for x in p if x), 0) > 0]
    rng = np.random.default_rng(2)
    for four in list(combinations(points, 4))[::7]:
        yield [(int(rng.choice([-2, -1, 1, 2])), point) for point in four]


def lines_times_conics() -> Iterator[Terms]:
    rng = np.random.default_rng(3)
    for first, second in product((-3, -1, 1, 2, 3), repeat=2):
        for a, b in ((1, 1), (1, 2)):
            matrix = rng.integers(-2, 3, (3, 3))
            yield two_planes(first, second, a, b)
            yield moved(two_planes(first, second, a, b), matrix)


def random_and_degenerate() -> Iterator[Terms]:
    rng = np.random.default_rng(4)
    for case in range(150):
        points = rng.integers(-4, 5, (int(rng.integers(1, 5)), 3))
        if len(points) > 2 and case % 3 == 0:
            points[2] = points[0] + points[1]
        yield [(int(rng.choice([-2, -1, 1, 3])), tuple(int(x) for x in point)) for point in points]


@pytest.mark.parametrize("family", [small_points, lines_times_conics, random_and_degenerate])
def test_no_sum_of_four_real_cubes_needs_five(family) -> None:
    sums = list(family())
    assert len(sums) >= 100
    assert [terms for terms in sums if proves_five(terms)] == []


def test_the_same_test_notices_a_line_times_a_conic_that_needs_five() -> None:
    # x (y^2 + z^2) from five cubes: 6 x y^2 = (x + y)^3 + (x - y)^3 - 2 x^3, and so for z.
    five = [(1, (1, 1, 0)), (1, (1, -1, 0)), (1, (1, 0, 1)), (1, (1, 0, -1)), (-4, (1, 0, 0))]
    assert proves_five(five)
    assert proves_five(moved(five, np.array([[1, 2, 0], [0, 1, -1], [1, 0, 1]])))
