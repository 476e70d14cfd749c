"""Sums of powers at the common zeros of the operators that kill a form or map, found by exact linear algebra."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd, lcm
from typing import Any

import flint

from rankproof.exact.apolarity import Form, killing_operators, words
from rankproof.exact.linear_systems import solve
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.field import QQ
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_POINTS = 64
"""Common zeros; the certificate format allows polynomials of this degree."""

MAX_COLUMNS = 1_000
"""Monomials of the degree in which multiplications are computed."""

MAX_ROWS = 20_000
"""Products of operators and monomials that are looked at in one degree."""

PRIME = 1_073_741_789
"""For the dimensions that are only looked at."""

_TRIALS = 6

Polynomial = tuple[Fraction, ...]
"""Coefficients in ascending order."""


@dataclass(frozen=True)
class Points:
    """Powers at the roots of one irreducible polynomial.

    Attributes
    ----------
    polynomial
        Monic, irreducible, with integer coefficients.
    form
        The coefficients of the linear form at a root t: polynomials in t of a degree below that of the polynomial.
    weights
        For every output the weight of its power at t.
    """

    polynomial: tuple[int, ...]
    form: tuple[Polynomial, ...]
    weights: tuple[Polynomial, ...]


def powers_at_common_zeros(target: Target, order: int) -> list[Points] | None:
    """The target as a sum of powers at common zeros of the operators of an order that kill it.

    Parameters
    ----------
    target
        A form or map over QQ of degree d.
    order
        Of the operators, 1 to d.

    Returns
    -------
    list or None
        Irreducible families of points, those of weight zero left out. None when the common zeros are not finitely many
        simple points, or the target is no sum of powers at them.

    Notes
    -----
    Functionals on the forms of degree t that vanish on all multiples of the operators are, for large t, combinations of the
    evaluations at the common zeros. Multiplication by a variable takes functionals of degree t + 1 to those of degree t; where
    the two spaces have one dimension, multiplication by a general linear form L is invertible, and the quotients are commuting
    matrices with the coordinates of the points, divided by L, for eigenvalues. If the characteristic polynomial of a general
    combination N has no repeated root, every one of them is a polynomial in N [1]_: the coordinates of the points
    are polynomials in the roots. The weights then solve a linear system over QQ, in which only traces occur.

    References
    ----------
    .. [1] Cox, Little, O'Shea, *Using Algebraic Geometry*, 2nd ed. (2005), chapter 2.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> [points.polynomial for points in powers_at_common_zeros(read_targets("x**3 + 2*y**3")[0], 2)]
    [(0, 1), (0, 1)]
    """
    operators = killing_operators(target, order)
    degree = _stable_degree(operators, order, target.space.variables_count)
    if degree is None:
        return None
    found = _zeros(operators, order, degree, target.space.variables_count)
    return None if found is None else _weighted(target, found)


def _stable_degree(operators: Sequence[Form], order: int, n: int) -> int | None:
    """Least degree in which the multiples of the operators have one codimension with those in the next, modulo a prime."""
    before: int | None = None
    # Of n - 1 general forms of degree e the codimension is constant from (n - 1)(e - 1) on.
    for degree in range(order, max(order, (n - 1) * (order - 1)) + 2):
        columns = comb(n + degree - 1, degree)
        if columns > MAX_COLUMNS or len(operators) * comb(n + degree - order - 1, degree - order) > MAX_ROWS:
            return None
        missing = columns - rank_mod_p(_multiples(operators, order, degree, n, PRIME), PRIME).rank
        if missing == before:
            return degree - 1
        if not 0 < missing <= MAX_POINTS:
            return None
        before = missing
    return None


def _multiples(
    operators: Sequence[Form], order: int, degree: int, n: int, p: int = 0
) -> dict[int, dict[int, int]]:
    """Rows: all products of degree ``degree`` of an operator and a monomial; columns: monomials by number."""
    place = _places(n, degree)
    rows: dict[int, dict[int, int]] = {}
    for operator in operators:
        for multiplier in words(n, degree - order):
            row = {
                place[tuple(sorted(w + multiplier))]: int(x) % p if p else int(x) for w, x in operator.items()
            }  # type: ignore[call-overload, arg-type]
            rows[len(rows)] = {j: x for j, x in row.items() if x}
    return {i: row for i, row in rows.items() if row}


@lru_cache(maxsize=64)
def _places(n: int, degree: int) -> dict[Word, int]:
    return {word: k for k, word in enumerate(words(n, degree))}


def _functionals(operators: Sequence[Form], order: int, degree: int, n: int) -> flint.fmpz_mat:
    """Columns: a basis of the functionals, by their values on monomials, that vanish on the multiples of the operators."""
    width = comb(n + degree - 1, degree)
    rows = _multiples(operators, order, degree, n)
    cells = [[row.get(j, 0) for j in range(width)] for row in rows.values()]
    kernel, nullity = flint.fmpz_mat(cells or [[0] * width]).nullspace()
    columns = flint.fmpz_mat([[int(kernel[i, j]) for i in range(width)] for j in range(nullity)]).lll()
    return columns.transpose()


Zero = tuple[tuple[int, ...], tuple[Polynomial, ...]]
"""A monic irreducible polynomial, and the coordinates of the points at its roots."""


def _zeros(operators: Sequence[Form], order: int, degree: int, n: int) -> list[Zero] | None:
    """The common zeros, by irreducible families; None when they are not simple."""
    small = _functionals(operators, order, degree, n)
    large = _functionals(operators, order, degree + 1, n)
    count = small.ncols()
    if count != large.ncols():
        return None
    place = _places(n, degree + 1)
    basis = flint.fmpq_mat(small)
    gram = (basis.transpose() * basis).inv() * basis.transpose()
    multiplications: list[flint.fmpq_mat] = []
    for i in range(n):
        rows = [place[tuple(sorted((*word, i)))] for word in words(n, degree)]
        moved = flint.fmpq_mat([[flint.fmpq(large[r, j]) for j in range(count)] for r in rows])
        multiplications.append(gram * moved)
    generator = random.Random(0)
    for _ in range(_TRIALS):
        whole = _combination(multiplications, generator)
        if whole.rank() < count:
            continue
        inverse = whole.inv()
        quotients = [inverse * m for m in multiplications]
        separating = _combination(quotients, generator)
        _, scale = separating.numer_denom()
        separating = separating * flint.fmpq(scale)
        found = _by_polynomials(separating, quotients)
        if found is not None:
            return found
    return None


def _combination(matrices: Sequence[flint.fmpq_mat], generator: random.Random) -> flint.fmpq_mat:
    total = matrices[0] * 0
    for m in matrices:
        total = total + m * flint.fmpq(generator.randint(-9, 9))
    return total


def _by_polynomials(separating: flint.fmpq_mat, quotients: Sequence[flint.fmpq_mat]) -> list[Zero] | None:
    """Every quotient as a polynomial in the separating matrix, modulo the factors of its characteristic polynomial."""
    count = separating.nrows()
    characteristic = separating.charpoly()
    if characteristic.gcd(characteristic.derivative()).degree() > 0:
        return None
    vector = flint.fmpq_mat(count, 1, [flint.fmpq(1 + (7 * i) % 5) for i in range(count)])
    krylov: list[flint.fmpq_mat] = []
    for _ in range(count):
        krylov.append(vector)
        vector = separating * vector
    matrix = flint.fmpq_mat(count, count, [krylov[j][i, 0] for i in range(count) for j in range(count)])
    if matrix.rank() < count:
        return None
    right = [q * krylov[0] for q in quotients]
    sides = flint.fmpq_mat(count, len(right), [column[i, 0] for i in range(count) for column in right])
    solution = matrix.solve(sides)
    found: list[Zero] = []
    for factor, _ in characteristic.numer().factor()[1]:
        f = flint.fmpq_poly(factor)
        coordinates = [
            flint.fmpq_poly([solution[k, i] for k in range(count)]) % f for i in range(len(quotients))
        ]
        found.append(_normal(f, coordinates))
    return sorted(found)


def _normal(f: flint.fmpq_poly, coordinates: Sequence[flint.fmpq_poly]) -> Zero:
    """A monic integer polynomial whose roots have a small common denominator, and coordinates without common factor.

    A rational point becomes the root 0 of t: its coordinates are numbers.
    """
    lists = [[Fraction(int(c.p), int(c.q)) for c in g.coeffs()] for g in coordinates]
    degree = f.degree()
    if degree == 1:
        polynomial: tuple[int, ...] = (0, 1)
    else:
        monic = [Fraction(int(c.p), int(c.q)) for c in (f / f.leading_coefficient()).coeffs()]
        polynomial = tuple(int(c) for c in monic)
    numbers = [x for g in lists for x in g if x]
    scale = Fraction(lcm(*(x.denominator for x in numbers)), 1)
    content = gcd(*(int(x * scale) for x in numbers))
    sign = 1 if numbers[0] > 0 else -1
    return polynomial, tuple(tuple(x * scale / content * sign for x in g) for g in lists)


def _weighted(target: Target, zeros: Sequence[Zero]) -> list[Points] | None:
    """Weights with which the powers at the zeros sum to the target; zeros of weight 0 are left out."""
    space = target.space
    d, m = space.form_degree, space.outputs
    sides: list[dict[Any, Any]] = [{} for _ in range(m)]
    for word, c in target.entries:
        sides[word[d] if len(word) > d else 0][word[:d]] = c
    columns: list[dict[Word, Fraction]] = []
    for polynomial, coordinates in zeros:
        columns += _power_columns(polynomial, coordinates, d)
    solutions = solve(columns, sides, QQ)
    if solutions is None:
        return None
    found: list[Points] = []
    start = 0
    for polynomial, coordinates in zeros:
        degree = len(polynomial) - 1
        weights = tuple(_stripped(solution[start : start + degree]) for solution in solutions)
        start += degree
        if any(weights):
            found.append(Points(polynomial, coordinates, weights))
    return found


def _power_columns(
    polynomial: tuple[int, ...], coordinates: Sequence[Polynomial], d: int
) -> list[dict[Word, Fraction]]:
    """For k below the degree: the sum over all roots t of t^k times the d-th power of the linear form, by monomials."""
    degree = len(polynomial) - 1
    f = flint.fmpq_poly(list(polynomial))
    forms = [flint.fmpq_poly([flint.fmpq(x.numerator, x.denominator) for x in g]) for g in coordinates]
    power: dict[Word, flint.fmpq_poly] = {(): flint.fmpq_poly([1])}
    for _ in range(d):
        grown: dict[Word, flint.fmpq_poly] = {}
        for word, value in power.items():
            for i, form in enumerate(forms):
                if form != 0:
                    key = tuple(sorted((*word, i)))
                    grown[key] = grown.get(key, flint.fmpq_poly()) + value * form % f
        power = grown
    traces = [_trace(flint.fmpq_poly([0] * k + [1]), f) for k in range(2 * degree)]
    columns: list[dict[Word, Fraction]] = []
    for k in range(degree):
        column: dict[Word, Fraction] = {}
        for word, value in power.items():
            total = sum((c * traces[k + j] for j, c in enumerate(value.coeffs())), flint.fmpq(0))
            if total:
                column[word] = Fraction(int(total.p), int(total.q))
        columns.append(column)
    return columns


def _trace(value: flint.fmpq_poly, f: flint.fmpq_poly) -> flint.fmpq:
    """Sum over all roots of f: the trace of multiplication by the element modulo f."""
    total, element = flint.fmpq(0), value % f
    for k in range(f.degree()):
        coefficients = element.coeffs()
        total += coefficients[k] if k < len(coefficients) else 0
        element = element * flint.fmpq_poly([0, 1]) % f
    return total


def _stripped(values: Sequence[Any]) -> Polynomial:
    kept = [Fraction(x) for x in values]
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
