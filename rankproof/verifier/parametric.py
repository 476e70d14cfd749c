"""Matrices whose entries are polynomials in parameters: equations solved where they are linear, and rank at every point.

A polynomial is a dictionary from words of parameter numbers to rationals, as in ``forms``. A *branch* is the set of
points at which some polynomials are zero (``equations``) and some are not (``nonzero``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .forms import Polynomial, multiply, primitive
from .matrix import Work, blocks, rank_modulo
from .scalars import Rational

Row = dict[Any, Polynomial]
"""Entries by column, zero entries left out."""

PRIME = 2**31 - 1
"""For constant matrices. A rank modulo a prime is at most the rank, and only lower bounds are taken from it."""


def add(
    left: Mapping[Any, Polynomial],
    factor: Polynomial,
    right: Mapping[Any, Polynomial],
    work: Work,
    p: int = 0,
) -> Row:
    """The row left + factor * right; modulo p when p is not 0."""
    result = dict(left)
    for column, entry in right.items():
        work.spend(100 * len(factor) * len(entry))
        term = scaled(entry, factor[()]) if len(factor) == 1 and () in factor else multiply(factor, entry)
        known = result.pop(column, None)
        total = term if known is None else plus(known, term)
        if p:
            total = {word: y for word, x in total.items() if (y := x % p)}  # type: ignore[operator]
        if total:
            result[column] = total
    return result


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for word, value in right.items():
        total[word] = total.get(word, 0) + value
    return {word: value for word, value in total.items() if value != 0}


def scaled(polynomial: Polynomial, factor: Any) -> Polynomial:
    return {word: value * factor for word, value in polynomial.items()}


def ratio(x: Any, y: Any) -> Rational:
    """x / y, an integer when it is one: integers are much faster than fractions."""
    z = Fraction(x) / y
    return z.numerator if z.denominator == 1 else z


def constant(polynomial: Polynomial) -> bool:
    return all(not word for word in polynomial)


def variables(polynomials: Sequence[Polynomial]) -> set[int]:
    return {letter for polynomial in polynomials for word in polynomial for letter in word}


def quotient(left: Polynomial, right: Polynomial) -> Polynomial | None:
    """left / right when the division leaves nothing; by leading terms, higher degrees and larger words first."""
    result: Polynomial = {}
    lead = max(right, key=_order)
    while left:
        word = max(left, key=_order)
        rest: list[int] = list(word)
        for letter in lead:
            if letter not in rest:
                return None
            rest.remove(letter)
        term: Polynomial = {tuple(rest): ratio(left[word], right[lead])}
        result |= term
        left = plus(left, scaled(multiply(term, right), -1))
    return result


def _order(word: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(word), word


def without_factors(polynomial: Polynomial, nonzero: Sequence[Polynomial]) -> Polynomial:
    """What is left after division by the polynomials known not to vanish, as often as they divide."""
    for factor in nonzero:
        while polynomial and (divided := quotient(polynomial, factor)) is not None:
            polynomial = divided
    return polynomial


Branch = tuple[list[Row], list[Polynomial], list[Polynomial]]


def solved(
    rows: list[Row], equations: list[Polynomial], nonzero: list[Polynomial], work: Work
) -> Branch | None:
    """Rows, equations and inequations after every equation c * t + h with a constant c, and h free of t, has been used.

    The first such equation is used first, for its smallest parameter t. None when the branch is seen to be empty.
    """
    while True:
        if not all(nonzero):
            return None
        nonzero = [f for f in nonzero if not constant(f)]
        equations = [left for e in equations if (left := without_factors(e, nonzero))]
        if any(constant(e) for e in equations):
            return None
        found = next(((e, t) for e in equations for t in sorted(variables([e])) if _is_linear(e, t)), None)
        if found is None:
            return rows, equations, nonzero
        equation, t = found
        value: Polynomial = {w: -ratio(x, equation[t,]) for w, x in equation.items() if w != (t,)}
        rows = [{c: y for c, x in row.items() if (y := substituted(x, t, value, work))} for row in rows]
        equations = [substituted(e, t, value, work) for e in equations]
        nonzero = [substituted(f, t, value, work) for f in nonzero]


def _is_linear(equation: Polynomial, t: int) -> bool:
    return (t,) in equation and all(t not in word or word == (t,) for word in equation)


def substituted(polynomial: Polynomial, t: int, value: Polynomial, work: Work) -> Polynomial:
    """The polynomial with ``value`` for the parameter t."""
    result = {word: x for word, x in polynomial.items() if t not in word}
    for word, x in polynomial.items():
        if t in word:
            term: Polynomial = {tuple(letter for letter in word if letter != t): x}
            for _ in range(word.count(t)):
                work.spend(100 * len(term) * len(value))
                term = multiply(term, value)
            result = plus(result, term)
    return result


def rank_at_every_point(
    rows: Sequence[Row], nonzero: Sequence[Polynomial], work: Work, p: int = 0
) -> int:
    """A lower bound for the rank that holds at every point where the polynomials ``nonzero`` do not vanish.

    Blocks without parameters have a rank modulo a prime. In the others only pivots are used that vanish nowhere on the
    branch: constants and products of polynomials of ``nonzero``, with exact arithmetic; what is left counts for nothing.
    With p not 0 everything is over GF(p), entries reduced, and ``nonzero`` is empty.
    """
    rank = 0
    constants: list[dict[Any, Any]] = []
    for block in blocks(rows):  # type: ignore[arg-type]
        left: list[Row] = [block[i] for i in sorted(block)]  # type: ignore[misc]
        if all(constant(x) for row in left for x in row.values()):
            constants += [{c: x[()] for c, x in row.items()} for row in left]
        else:
            rank += _rank_by_units(left, nonzero, work, p)
    return rank + (rank_modulo(constants, p, work) if p else constant_rank(constants, work))


def constant_rank(rows: Sequence[Mapping[Any, Any]], work: Work) -> int:
    """Lower bound for the rank of a rational matrix, from a prime."""
    reduced: list[dict[Any, int]] = []
    for row in rows:
        integers: Any = row if all(type(x) is int for x in row.values()) else primitive(dict(row))
        reduced.append({c: y for c, x in integers.items() if (y := x % PRIME)})
    return rank_modulo(reduced, PRIME, work)


def _rank_by_units(rows: list[Row], nonzero: Sequence[Polynomial], work: Work, p: int) -> int:
    rank = 0
    while (found := _unit(rows, nonzero)) is not None:
        i, column = found
        pivot = rows.pop(i)
        unit = pivot[column]
        rank += 1
        for j, row in enumerate(rows):
            if column in row:
                # unit * row - entry * pivot: an invertible operation wherever the unit does not vanish.
                if not constant(unit):
                    row = add({}, unit, row, work)
                    factor = scaled(rows[j][column], -1)
                else:
                    inverse = pow(unit[()], -1, p) if p else ratio(1, unit[()])  # type: ignore[arg-type]
                    factor = scaled(row[column], -inverse)
                rows[j] = add(row, factor, pivot, work, p)
    return rank


def _unit(rows: Sequence[Row], nonzero: Sequence[Polynomial]) -> tuple[int, Any] | None:
    """Place of an entry that vanishes nowhere on the branch: a constant if there is one.

    Of several, the one with the fewest terms, in the shortest row, in the first row, in the least column.
    """
    places = sorted((len(x), len(row), i, column) for i, row in enumerate(rows) for column, x in row.items())
    for divisors in ((), nonzero):
        for _, _, i, column in places:
            if constant(without_factors(rows[i][column], divisors)):
                return i, column
    return None
