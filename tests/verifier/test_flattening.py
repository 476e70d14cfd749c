"""Flattenings entry by entry against sympy, and what one unit can contribute against random units."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from types import MappingProxyType

import pytest
import sympy

from rankproof.verifier.matrix import rank_modulo
from rankproof.verifier.rules.flattening import Recipe, flattening, flattening_divisor, selected, side, ways
from rankproof.verifier.rules.rule import Context
from rankproof.verifier.scalars import QQ
from rankproof.verifier.targets import Space, Target, factor_words
from rankproof.verifier.units import read_units

P = 2147483647
Word = tuple[int, ...]


def context(
    factors: tuple[tuple[int, int], ...], units: str = "tied", entries: dict[Word, int] | None = None
) -> Context:
    space = Space(factors)
    word = (0,) * sum(power for _, power in factors)
    target = Target(space, QQ, entries or {word: 1})
    return Context(
        target, read_units(units, "", space), "CC", ">=", MappingProxyType({"QQ": QQ}), (), "/steps/0"
    )


def words(factors: tuple[tuple[int, int], ...], orders: list[int]) -> list[Word]:
    """Words of one side, in lexicographic order."""
    parts = [combinations_with_replacement(range(n), s) for (n, _), s in zip(factors, orders, strict=True)]
    return [tuple(x for part in choice for x in part) for choice in product(*map(list, parts))]


def hasse(
    factors: tuple[tuple[int, int], ...], entries: dict[Word, int], orders: list[int]
) -> list[list[int]]:
    """The matrix of docs/format.md, from derivatives by sympy divided by factorials."""
    symbols = [sympy.symbols(f"x{i}_0:{n}") for i, (n, _) in enumerate(factors)]

    def monomial(word: Word, powers: list[int]) -> sympy.Expr:
        letters = iter(word)
        return sympy.prod(symbols[i][next(letters)] for i, power in enumerate(powers) for _ in range(power))

    degrees = [power for _, power in factors]
    form = sum(c * monomial(word, degrees) for word, c in entries.items())
    columns = words(factors, [d - s for d, s in zip(degrees, orders, strict=True)])
    generators = [x for group in symbols for x in group]
    rows = []
    for row in words(factors, orders):
        letters = iter(row)
        chosen = [symbols[i][next(letters)] for i, s in enumerate(orders) for _ in range(s)]
        derivative = sympy.diff(form, *chosen) if chosen else form
        scale = prod(factorial(chosen.count(x)) for x in set(chosen))
        poly = sympy.Poly(derivative / scale, *generators)
        complement = [d - s for d, s in zip(degrees, orders, strict=True)]
        rows.append([int(poly.coeff_monomial(monomial(column, complement))) for column in columns])
    return rows


def dense(
    factors: tuple[tuple[int, int], ...], entries: dict[Word, int], orders: list[int]
) -> list[list[int]]:
    """The matrix of the verifier, before reduction."""
    degrees = [power for _, power in factors]
    rows = {word: k for k, word in enumerate(words(factors, orders))}
    columns = {
        word: k
        for k, word in enumerate(words(factors, [d - s for d, s in zip(degrees, orders, strict=True)]))
    }
    matrix = [[0] * len(columns) for _ in rows]
    for word, value in entries.items():
        for row, column, times in ways(Space(factors).split(word), orders):
            assert matrix[rows[row]][columns[column]] == 0, "one entry comes from one word"
            matrix[rows[row]][columns[column]] = value * times
    return matrix


SPACES = [
    ((2, 3),),
    ((3, 2),),
    ((2, 5),),
    ((3, 4),),
    ((2, 3), (2, 1)),
    ((3, 2), (3, 1)),
    ((2, 1), (3, 1), (2, 1)),
    ((2, 2), (2, 2)),
]


def random_entries(
    rng: random.Random, factors: tuple[tuple[int, int], ...], share: float = 0.6
) -> dict[Word, int]:
    every = words(factors, [power for _, power in factors])
    entries = {word: rng.choice([-3, -2, -1, 1, 2, 5]) for word in every if rng.random() < share}
    return entries or {every[0]: 1}


@pytest.mark.parametrize("factors", SPACES, ids=str)
def test_entries_are_hasse_derivatives(factors: tuple[tuple[int, int], ...]) -> None:
    rng = random.Random(repr(factors))
    for orders in product(*(range(power + 1) for _, power in factors)):
        entries = random_entries(rng, factors)
        assert dense(factors, entries, list(orders)) == hasse(factors, entries, list(orders))


def rational_rank(matrix: list[list[int]]) -> int:
    rows = [[Fraction(x) for x in row] for row in matrix]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


def rank_by_the_verifier(
    factors: tuple[tuple[int, int], ...],
    entries: dict[Word, int],
    orders: list[int],
    p: int,
    rows: list[int] | None = None,
    columns: list[int] | None = None,
) -> int:
    reduced = {word: c % p for word, c in entries.items() if c % p}
    recipe = Recipe(orders, p, None, rows, columns)
    return rank_modulo(flattening(reduced, recipe, Space(factors), context(factors_for_units(factors))), p)


def factors_for_units(factors: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """A space on which some units exist; the matrix does not look at them."""
    return factors if len(factors) == 1 else ((2, 2),)


@pytest.mark.parametrize("factors", SPACES, ids=str)
def test_ranks_and_ranks_of_minors_are_those_over_the_rationals(factors: tuple[tuple[int, int], ...]) -> None:
    rng = random.Random(repr(factors))
    for orders in product(*(range(power + 1) for _, power in factors)):
        entries = random_entries(rng, factors, 0.3)
        matrix = dense(factors, entries, list(orders))
        assert rank_by_the_verifier(factors, entries, list(orders), P) == rational_rank(matrix)
        # A rank modulo a small prime is never larger.
        assert rank_by_the_verifier(factors, entries, list(orders), 2) <= rational_rank(matrix)
        rows = sorted(rng.sample(range(len(matrix)), max(1, len(matrix) // 2)))
        columns = sorted(rng.sample(range(len(matrix[0])), max(1, len(matrix[0]) // 2)))
        minor = [[matrix[i][j] for j in columns] for i in rows]
        assert rank_by_the_verifier(factors, entries, list(orders), P, rows, columns) == rational_rank(minor)


def test_sides_are_counted_and_numbered_in_lexicographic_order() -> None:
    for factors in (((3, 4),), ((2, 3), (3, 1))):
        for orders in product(*(range(power + 1) for _, power in factors)):
            chosen = words(factors, list(orders))
            assert chosen == sorted(chosen)
            assert side(context(factors), list(orders)) == len(chosen)
            for index, word in enumerate(chosen):
                assert selected(Space(factors), list(orders), [index]) == {word}
    assert list(factor_words(3, 2)) == words(((3, 2),), [2])


# What one unit can contribute


def random_unit(
    rng: random.Random, factors: tuple[tuple[int, int], ...], units: str, p: int
) -> dict[Word, int]:
    """Coefficients modulo p of a random unit; degenerate ones are drawn often."""
    model = context(factors, units).units
    degenerate = rng.random() < 0.3

    def coordinate() -> int:
        return 0 if degenerate and rng.random() < 0.5 else rng.randrange(p)

    vectors = [[coordinate() for _ in range(n)] for n in model.lengths(Space(factors))]
    if rng.random() < 0.2:
        # Forms that coincide.
        for vector in vectors[1:-1]:
            vector[:] = vectors[0]
    return {word: c % p for word, c in model.sum([vectors], Space(factors)) if c % p}


MODELS = [
    (((3, 2),), "tied"),
    (((3, 2),), "untied"),
    (((2, 3),), "tied"),
    (((3, 3),), "untied"),
    (((3, 3),), "split"),
    (((2, 4),), "mixed:1"),
    (((3, 4),), "mixed:2"),
    (((4, 4),), "split"),
    (((2, 5),), "mixed:2"),
    (((2, 6),), "mixed:3"),
    (((2, 6),), "mixed:2"),
    (((3, 5),), "untied"),
    (((2, 3), (2, 1)), "untied"),
    (((3, 3), (2, 1)), "split"),
    (((2, 4), (3, 1)), "mixed:2"),
    (((3, 1), (2, 1)), "untied"),
    (((3, 2), (2, 1)), "tied"),
    (((2, 1), (3, 1), (2, 1)), "product"),
    (((2, 1), (2, 1), (2, 1), (2, 1)), "product"),
]


@pytest.mark.parametrize(("factors", "units"), MODELS, ids=str)
@pytest.mark.parametrize("p", [P, 2, 3, 5])
def test_the_divisor_is_never_exceeded_by_a_unit_and_is_attained(
    factors: tuple[tuple[int, int], ...], units: str, p: int
) -> None:
    rng = random.Random(repr((factors, units, p)))
    powers = [power for _, power in factors]
    for orders in product(*(range(power + 1) for power in powers)):
        if not any(orders) or list(orders) == powers:
            continue
        divisor = flattening_divisor(context(factors, units), list(orders))
        largest = 0
        for _ in range(25):
            unit = random_unit(rng, factors, units, p)
            largest = max(largest, rank_by_the_verifier(factors, unit, list(orders), p))
            assert largest <= divisor, (unit, orders)
        if p == P and factors[0][0] >= len(context(factors, units).units.powers):
            assert largest == divisor, orders


@pytest.mark.parametrize(
    ("units", "degree", "order", "divisor"),
    [
        ("tied", 6, 3, 1),
        ("untied", 6, 1, 2),
        ("untied", 6, 5, 2),
        ("mixed:1", 6, 3, 2),
        ("mixed:2", 6, 1, 2),
        ("mixed:2", 6, 3, 3),
        ("mixed:3", 6, 3, 4),
        ("mixed:3", 6, 2, 3),
        ("mixed:3", 6, 5, 2),
        ("split", 6, 3, 20),
        ("split", 6, 1, 6),
    ],
)
def test_the_table_of_divisors(units: str, degree: int, order: int, divisor: int) -> None:
    assert flattening_divisor(context(((3, degree),), units), [order]) == divisor
    # Outputs on one side do not help, and a form that stands alone on its side is one row.
    assert flattening_divisor(context(((3, degree), (2, 1)), units), [order, 0]) == divisor
    assert flattening_divisor(context(((3, degree), (2, 1)), units), [0, 1]) == 1
    assert flattening_divisor(context(((3, degree), (2, 1)), units), [degree, 0]) == 1
