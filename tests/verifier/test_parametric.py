"""Matrices with parameters: what is said about their rank holds at every point of the branch."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.verifier.matrix import Work
from rankproof.verifier.parametric import PRIME, quotient, rank_at_every_point, solved, substituted

T0, T1, ONE = {(0,): 1}, {(1,): 1}, {(): 1}

polynomials = st.dictionaries(
    st.sampled_from([(), (0,), (1,), (0, 0), (0, 1), (1, 1)]), st.integers(-2, 2).filter(bool), max_size=3
)
nonzero_polynomials = polynomials.filter(bool)


def at(polynomial: dict, point: tuple) -> Fraction:
    total = Fraction(0)
    for word, value in polynomial.items():
        term = Fraction(value)
        for letter in word:
            term *= point[letter]
        total += term
    return total


def rank(matrix: list[list[Fraction]]) -> int:
    rows, found = [list(row) for row in matrix], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        found += 1
        rows = [
            [x - row[column] / pivot[column] * y for x, y in zip(row, pivot, strict=True)] for row in rows
        ]
    return found


def dense(rows: list[dict], columns: int, point: tuple) -> list[list[Fraction]]:
    return [[at(row.get(c, {}), point) for c in range(columns)] for row in rows]


@given(
    st.lists(st.dictionaries(st.integers(0, 3), nonzero_polynomials, max_size=3), min_size=1, max_size=4),
    st.lists(nonzero_polynomials.filter(lambda f: any(f)), max_size=2),
)
def test_the_rank_is_at_least_what_is_said_at_every_point_of_the_branch(rows: list, nonzero: list) -> None:
    said = rank_at_every_point(rows, nonzero, Work())
    for point in product((-2, -1, 0, 1, Fraction(1, 2)), repeat=2):
        if all(at(f, point) for f in nonzero):
            assert rank(dense(rows, 4, point)) >= said


@given(nonzero_polynomials, nonzero_polynomials)
def test_a_quotient_times_the_divisor_is_the_dividend(left: dict, right: dict) -> None:
    found = quotient(left, right)
    if found is not None:
        for point in product((-1, 2, 3), repeat=2):
            assert at(found, point) * at(right, point) == at(left, point)


@given(polynomials, polynomials)
def test_a_substitution_is_an_evaluation(polynomial: dict, value: dict) -> None:
    value = {word: x for word, x in value.items() if 0 not in word}
    found = substituted(polynomial, 0, value, Work())
    for y in (-2, 0, 3):
        assert at(found, (5, y)) == at(polynomial, (at(value, (5, y)), y))


def test_one_plus_a_multiple_of_the_prime_is_no_pivot() -> None:
    assert rank_at_every_point([{0: {(): 1, (0,): PRIME}}], [], Work()) == 0


def test_a_parameter_is_a_pivot_only_where_it_is_assumed_not_to_vanish() -> None:
    rows = [{0: T0, 1: ONE}, {1: T0}]
    assert rank_at_every_point(rows, [], Work()) == 1
    assert rank_at_every_point(rows, [T0], Work()) == 2


def test_a_product_of_two_factors_that_do_not_vanish_is_a_pivot() -> None:
    assert rank_at_every_point([{0: {(0, 1): -3}}], [T0, T1], Work()) == 1
    assert rank_at_every_point([{0: {(0, 1): -3}}], [T0], Work()) == 0


def test_linear_equations_are_used_and_a_constant_ends_the_branch() -> None:
    rows, equations, nonzero = solved([{0: T0, 1: T1}], [{(0,): 2, (1,): -1}], [T1], Work()) or ([], [], [])
    assert (rows, equations, nonzero) == ([{0: {(1,): Fraction(1, 2)}, 1: T1}], [], [T1])
    assert solved([], [T0, {(0,): 1, (): 1}], [], Work()) is None


def test_an_equation_is_divided_by_what_does_not_vanish() -> None:
    assert solved([{0: T1}], [{(0, 0, 1): 1}], [T0], Work()) == ([{}], [], [T0])
    assert solved([], [{(0, 0): 5}], [T0], Work()) is None


def test_a_factor_that_becomes_zero_ends_the_branch() -> None:
    assert solved([], [T0], [T0], Work()) is None
    assert solved([], [T0], [{(0,): 1, (1,): 1}, T1], Work()) == ([], [], [T1, T1])


@pytest.mark.parametrize("k", [1, 2])
def test_nonlinear_equations_stay(k: int) -> None:
    assert solved([], [{(0, 1): k, (): 1}], [], Work()) == ([], [{(0, 1): k, (): 1}], [])
