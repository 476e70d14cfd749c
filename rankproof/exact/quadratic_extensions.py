"""Rational quadratic forms over a quadratic field: planes that become hyperbolic when the square root of D is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from flint import fmpq_mat

from rankproof.exact.congruence import diagonalise, fraction, rational
from rankproof.exact.factoring import BudgetSpent, Effort, square_part
from rankproof.exact.isotropy import isotropic_vector

LinearForm = list[Fraction]
Square = tuple[Fraction, LinearForm]
Plane = tuple[Fraction, LinearForm, LinearForm]
"""c, l, m for c (l^2 - D m^2)."""

Vector = list[Fraction]
MAX_TRIED = 400
"""Short vectors that are looked at for one plane."""


def split_over_root(squares: Sequence[Square], D: int, seconds: float) -> tuple[list[Plane], list[Square]]:
    """Split planes c (l^2 - D m^2) off a sum of weighted squares of independent forms, as many as are found.

    Parameters
    ----------
    squares
        Pairs (c, l) with integral c: the form is the sum of the c l^2. It should have no rational zeros.
    D
        A squarefree integer other than 1.
    seconds
        Time for looking for zeros.

    Examples
    --------
    >>> planes, rest = split_over_root([(Fraction(1), [1, 0, 0]), (Fraction(1), [0, 1, 0]), (Fraction(-3), [0, 0, 1])], 3, 1.0)
    >>> [(str(c), list(map(str, l)), list(map(str, m))) for c, l, m in planes], len(rest)
    ([('1', ['1', '0', '0'], ['0', '0', '1'])], 1)
    """
    effort = Effort(seconds)
    planes: list[Plane] = []
    rest = [(Fraction(c), list(map(Fraction, l))) for c, l in squares]
    while len(rest) > 1 and effort.left():
        weights = [c for c, _ in rest]
        if D > 0 and len({c > 0 for c in weights}) == 1:
            break
        found = _pair(weights, D, effort)
        if found is None:
            break
        v, u = found
        c = _value(weights, v)
        l, m = (_dual(rest, weights, w) for w in (v, u))
        planes.append((c, l, m))
        rest = _without(rest, [(c, l), (-c * D, m)])
    return planes, rest


def _pair(weights: Sequence[Fraction], D: int, effort: Effort) -> tuple[Vector, Vector] | None:
    """Orthogonal vectors v, u with q(u) = -D q(v), for q the sum of the weights times squares."""
    k = len(weights)
    for i, j in combinations(range(k), 2):
        # d_j t^2 = -D d_i
        root = _square_root(-D * weights[i] / weights[j])
        if root is not None:
            return [Fraction(x == i) for x in range(k)], [root * (x == j) for x in range(k)]
    for tried, v in enumerate(_short_vectors(k)):
        value = _value(weights, v)
        if tried == MAX_TRIED or not effort.left():
            break
        if value:
            u = _orthogonal_with_value(weights, v, -D * value, effort)
            if u is not None:
                return v, u
    return None


def _orthogonal_with_value(
    weights: Sequence[Fraction], v: Vector, value: Fraction, effort: Effort
) -> Vector | None:
    """A vector orthogonal to v at which the form has a value; the form has no zeros."""
    k = len(weights)
    pivot = next(i for i in range(k) if v[i])
    basis: list[Vector] = []
    for i in range(k):
        if i != pivot:
            w = [Fraction(x == i) for x in range(k)]
            w[pivot] = -weights[i] * v[i] / (weights[pivot] * v[pivot])
            basis.append(w)
    gram = [[sum(d * x * y for d, x, y in zip(weights, a, b, strict=True)) for b in basis] for a in basis]
    diagonal, forms = diagonalise(gram)
    extra, scale = square_part(int(-value.numerator * value.denominator))
    try:
        zero = isotropic_vector([*map(int, diagonal), extra], min(0.2, effort.left()))
    except BudgetSpent:
        return None
    if zero is None or not zero[-1]:
        return None
    # The last square is extra * (scale / denominator * s)^2 = -value s^2, with s = 1 after scaling.
    factor = Fraction(scale, value.denominator) / zero[-1]
    coordinates = fmpq_mat([[rational(x) for x in row] for row in forms]).solve(
        fmpq_mat([[rational(Fraction(x) * factor)] for x in zero[:-1]])
    )
    return [
        sum((fraction(coordinates[i, 0]) * basis[i][x] for i in range(k - 1)), Fraction(0)) for x in range(k)
    ]


def _dual(squares: Sequence[Square], weights: Sequence[Fraction], v: Vector) -> LinearForm:
    """The linear form x -> b(x, v) / q(v)."""
    value = _value(weights, v)
    n = len(squares[0][1])
    return [
        sum((c * y * l[i] for (c, l), y in zip(squares, v, strict=True)), Fraction(0)) / value
        for i in range(n)
    ]


def _without(squares: Sequence[Square], taken: Sequence[Square]) -> list[Square]:
    """The rest of a sum of squares as a sum of squares again."""
    n = len(squares[0][1])
    signed = [*squares, *((-c, l) for c, l in taken)]
    matrix = [[sum((c * l[i] * l[j] for c, l in signed), Fraction(0)) for j in range(n)] for i in range(n)]
    return list(zip(*diagonalise(matrix), strict=True))


def _value(weights: Sequence[Fraction], v: Vector) -> Fraction:
    return sum((d * x * x for d, x in zip(weights, v, strict=True)), Fraction(0))


def _square_root(x: Fraction) -> Fraction | None:
    if x <= 0:
        return None
    rest, root = square_part(x.numerator * x.denominator)
    return Fraction(root, x.denominator) if rest == 1 else None


def _short_vectors(k: int) -> Iterator[Vector]:
    """Integer vectors up to sign, those with small entries first."""
    for size in range(1, 8):
        for v in product(range(-size, size + 1), repeat=k):
            if max(map(abs, v)) == size and next(x for x in v if x) > 0:
                yield [Fraction(x) for x in v]
