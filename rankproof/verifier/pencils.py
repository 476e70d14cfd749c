"""Pencils of real quadratic forms B_1 + t B_2: least inertia over all combinations of the two forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from .numberfield import count_real_roots, derivative, divide, value
from .quadratic import Matrix, diagonalise_exact
from .refusal import Rejected
from .scalars import Rational, sign

Inertia = tuple[int, int]
"""Lower bounds for the numbers of positive and of negative squares."""


def combination(first: Matrix, second: Matrix, t: Rational) -> Matrix:
    return [[x + t * y for x, y in zip(u, v, strict=True)] for u, v in zip(first, second, strict=True)]


def inertia(matrix: Matrix) -> Inertia:
    """Numbers of positive and negative squares, exactly."""
    diagonal = diagonalise_exact(matrix)
    positive = sum(sign(x) > 0 for x in diagonal)
    return positive, len(diagonal) - positive


def determinant(matrix: Matrix) -> Rational:
    """Determinant of a rational matrix, by elimination."""
    work = [[Fraction(x) for x in row] for row in matrix]
    result = Fraction(1)
    for column in range(len(work)):
        pivot = next((i for i in range(column, len(work)) if work[i][column]), None)
        if pivot is None:
            return 0
        if pivot != column:
            work[column], work[pivot] = work[pivot], work[column]
            result = -result
        head = work[column]
        result *= head[column]
        for i in range(column + 1, len(work)):
            factor = work[i][column] / head[column]
            if factor:
                work[i] = [x - factor * y for x, y in zip(work[i], head, strict=True)]
    return result


def determinant_polynomial(first: Matrix, second: Matrix) -> list[Rational]:
    """Coefficients of det(B_1 + t B_2) in ascending order, without trailing zeros (Newton interpolation)."""
    size = len(first)
    differences = [Fraction(determinant(combination(first, second, t))) for t in range(size + 1)]
    for order in range(1, size + 1):
        for i in range(size, order - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / order
    result: list[Rational] = []
    for node in range(size, -1, -1):
        # Horner's rule on the Newton form: result * (t - node) + differences[node]
        shifted: list[Rational] = [0, *result]
        for i, c in enumerate(result):
            shifted[i] -= node * c
        shifted[0] += differences[node]
        result = shifted
    while result and result[-1] == 0:
        result.pop()
    return result


def greatest_common_divisor(f: Sequence[Rational], g: Sequence[Rational]) -> list[Rational]:
    a, b = list(f), list(g)
    while b:
        a, b = b, divide(a, b)[1]
    return a


def inertias(
    first: Matrix, second: Matrix, points: Sequence[Rational], pointer: str
) -> Iterable[tuple[Inertia, int]]:
    """(inertia, rank) of the combinations s B_1 + t B_2, (s, t) real and not zero: lower bounds that cover all of them.

    Between two roots of the determinant the inertia is constant. At a root of multiplicity mu at most mu eigenvalues
    vanish and the others keep the sign that they have on either side.
    """
    size = len(first)
    f = determinant_polynomial(first, second)
    if not f:
        raise Rejected("singular-pencil", pointer, "the determinant of the pencil vanishes identically")
    if any(value(f, t) == 0 for t in points):
        raise Rejected("root-at-point", pointer, "the determinant vanishes at one of the points")
    at_infinity = inertia(second)
    yield at_infinity, sum(at_infinity)
    found = [inertia(combination(first, second, t)) for t in points]
    yield from ((pair, size) for pair in found)
    # Cauchy's bound: all roots lie strictly between -bound and bound.
    bound = 1 + max(abs(Fraction(c) / f[-1]) for c in f)
    ends = [min(-bound, points[0] - 1), *points, max(bound, points[-1] + 1)]
    chain: list[list[Rational]] = [f]
    while len(chain[-1]) > 1:
        # A root of multiplicity mu of f is a root of exactly mu polynomials of this chain.
        chain.append(greatest_common_divisor(chain[-1], derivative(chain[-1])))
    for i, (low, high) in enumerate(zip(ends, ends[1:], strict=False)):
        roots = count_real_roots(f, low, high)
        # Beyond the outermost points no inertia is known: a root there would leave its far side uncovered.
        allowed = 0 if i in (0, len(points)) else 1
        if roots > allowed:
            message = f"{roots} real roots lie in one of the intervals between the points, {allowed} allowed"
            raise Rejected("not-separated", pointer, message)
        if roots == 1:
            multiplicity = sum(count_real_roots(g, low, high) for g in chain if len(g) > 1)
            positive, negative = (max(pair) for pair in zip(found[i - 1], found[i], strict=True))
            yield (max(positive - multiplicity, 0), max(negative - multiplicity, 0)), max(size - multiplicity, 0)
