"""Pencils of rational quadratic forms B_1 + t B_2: their determinant, its real roots, and their least inertia."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

from rankproof.exact.congruence import signature
from rankproof.problem.univariate import derivative, divide, evaluate, real_roots_between

Matrix = Sequence[Sequence[int | Fraction]]
Polynomial = list[Fraction]


def combination(first: Matrix, second: Matrix, t: int | Fraction) -> list[list[Fraction]]:
    """B_1 + t B_2."""
    return [
        [Fraction(x) + t * y for x, y in zip(u, v, strict=True)] for u, v in zip(first, second, strict=True)
    ]


def determinant_polynomial(first: Matrix, second: Matrix) -> Polynomial:
    """Coefficients of det(B_1 + t B_2) in ascending order, without leading zeros; empty when it vanishes identically."""
    size = len(first)
    nodes = range(size + 1)
    values = [_flint(combination(first, second, t)).det() for t in nodes]
    vandermonde = flint.fmpq_mat(size + 1, size + 1, [t**j for t in nodes for j in nodes])
    solution = vandermonde.solve(flint.fmpq_mat(size + 1, 1, values))
    f = [Fraction(int(solution[j, 0].p), int(solution[j, 0].q)) for j in nodes]
    while f and not f[-1]:
        f.pop()
    return f


def _flint(matrix: Matrix) -> flint.fmpq_mat:
    entries = [flint.fmpq(Fraction(x).numerator, Fraction(x).denominator) for row in matrix for x in row]
    return flint.fmpq_mat(len(matrix), len(matrix), entries)


def separating_points(f: Polynomial) -> list[Fraction]:
    """Rational points, not roots of f, with all real roots between the outermost and at most one between two neighbours."""
    bound = Fraction(2)
    while bound <= 1 + max(abs(c / f[-1]) for c in f):
        bound *= 2
    if _roots(f, -bound, bound) == 0:
        return [next(Fraction(t) for t in range(len(f) + 1) if evaluate(f, t))]
    points = _bisected(f, -bound, bound)
    # Drop what separates nothing.
    kept = [points[0]]
    for point, following in zip(points[1:], [*points[2:], None], strict=True):
        if following is None or _roots(f, kept[-1], following) > 1:
            kept.append(point)
    return kept


def _bisected(f: Polynomial, low: Fraction, high: Fraction) -> list[Fraction]:
    if _roots(f, low, high) <= 1:
        return [low, high]
    # 1/2, 1/3, 2/5, 3/7, ... of the way: f has finitely many roots.
    ways = (Fraction(j, 2 * j + 1) if j else Fraction(1, 2) for j in range(len(f) + 1))
    middle = next(x for way in ways if evaluate(f, x := low + way * (high - low)))
    return [*_bisected(f, low, middle)[:-1], *_bisected(f, middle, high)]


def inertias(first: Matrix, second: Matrix, points: Sequence[Fraction]) -> list[tuple[int, int, int]]:
    """(positive, negative, rank), each from below, for all combinations of the two forms; empty for a singular pencil."""
    size = len(first)
    f = determinant_polynomial(first, second)
    if not f:
        return []
    at = [signature(combination(first, second, t)) for t in points]
    infinity = signature(second)
    result = [(*infinity, sum(infinity)), *((p, n, size) for p, n in at)]
    chain = [f]
    while len(chain[-1]) > 1:
        chain.append(_gcd(chain[-1], derivative(chain[-1])))
    for k in range(len(points) - 1):
        low, high = points[k], points[k + 1]
        if _roots(f, low, high):
            lost = sum(_roots(g, low, high) for g in chain if len(g) > 1)
            positive, negative = (max(pair) - lost for pair in zip(at[k], at[k + 1], strict=True))
            result.append((max(positive, 0), max(negative, 0), max(size - lost, 0)))
    return result


def _roots(f: Polynomial, low: Fraction, high: Fraction) -> int:
    return real_roots_between(f, low, high) if len(f) > 1 else 0


def _gcd(f: Polynomial, g: Polynomial) -> Polynomial:
    while g:
        f, g = g, divide(f, g)[1]
    return f
