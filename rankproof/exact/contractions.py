"""Contractions of a target by covectors on one factor, and combinations of them by the powers of an algebraic number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

import flint
import numpy as np

from rankproof.exact.apolarity import LARGE_PRIME, derivative, kernel, words
from rankproof.exact.flattening import splittings, word_count
from rankproof.problem.target import Target

Matrix = flint.fmpq_mat
Polynomial = tuple[int, ...]
"""Integer coefficients in ascending order."""

MAX_CELLS = 4096
"""Cells of a slice: dense exact matrices."""


def slices(target: Target, factor: int, degree: int, orders: Sequence[int]) -> list[Matrix]:
    """For every monomial of a degree in a factor the flattening of the derivative by it; empty when they are too large."""
    factors = list(target.space.factors)
    n, power = factors[factor]
    factors[factor] = n, power - degree
    sides = [prod(word_count(m, s) for (m, _), s in zip(factors, orders, strict=True))]
    sides.append(prod(word_count(m, d - s) for (m, d), s in zip(factors, orders, strict=True)))
    if sides[0] * sides[1] > MAX_CELLS:
        return []
    operators = words(n, degree)
    cells = [[flint.fmpq(0)] * (sides[0] * sides[1]) for _ in operators]
    start = sum(d for _, d in target.space.factors[:factor])
    for word, value in target.entries:
        x = flint.fmpq(Fraction(value).numerator, Fraction(value).denominator)  # type: ignore[arg-type]
        for k, operator in enumerate(operators):
            left = derivative(word[start : start + power], operator)
            if left is not None:
                rest = word[:start] + left[0] + word[start + power :]
                for u, v, times in _places(rest, factors, orders):
                    cells[k][u * sides[1] + v] += x * (left[1] * times)
    return [flint.fmpq_mat(sides[0], sides[1], entries) for entries in cells]


def _places(
    word: Sequence[int], factors: Sequence[tuple[int, int]], orders: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Row, column and weight of every way to split a word."""
    found, start = [(0, 0, 1)], 0
    for (n, power), order in zip(factors, orders, strict=True):
        piece = tuple(word[start : start + power])
        start += power
        rows, columns = word_count(n, order), word_count(n, power - order)
        found = [
            (u * rows + i, v * columns + j, w * times)
            for (u, v, w), (i, j, times) in product(found, splittings(piece, order, n))
        ]
    return found


def ranks(matrices: Sequence[Matrix]) -> tuple[int, int]:
    """Ranks of the matrices side by side, and one below the other."""
    rows, columns, q = matrices[0].nrows(), matrices[0].ncols(), len(matrices)
    tables = [matrix.table() for matrix in matrices]
    beside = flint.fmpq_mat(rows, q * columns, [x for i in range(rows) for table in tables for x in table[i]])
    below = flint.fmpq_mat(q * rows, columns, [x for table in tables for row in table for x in row])
    return beside.rank(), below.rank()


def combined(matrices: Sequence[Matrix], coefficients: Sequence[int | Fraction]) -> Matrix:
    """A combination of matrices."""
    total = flint.fmpq_mat(matrices[0].nrows(), matrices[0].ncols())
    for matrix, c in zip(matrices, coefficients, strict=True):
        total += matrix * flint.fmpq(Fraction(c).numerator, Fraction(c).denominator)
    return total


def generic_rank(matrices: Sequence[Matrix], rng: np.random.Generator) -> int:
    """Rank of the sum of t^j times the j-th matrix at a random t, modulo a large prime."""
    p = LARGE_PRIME
    t = int(rng.integers(2, 2**60))
    rows, columns = matrices[0].nrows(), matrices[0].ncols()
    cells = [0] * (rows * columns)
    for j, matrix in enumerate(matrices):
        scale = pow(t, j, p)
        for k, x in enumerate(matrix.entries()):
            cells[k] += int(x.p) * pow(int(x.q), -1, p) * scale
    return flint.nmod_mat(rows, columns, cells, p).rank()


def critical_polynomials(first: Matrix, second: Matrix, rng: np.random.Generator) -> list[Polynomial]:
    """Irreducible polynomials of degree at least 2 at whose roots b the rank of first + b second drops."""
    size = generic_rank([first, second], rng)
    if not size:
        return []
    common = flint.fmpq_poly([])
    for _ in range(2):
        left = _random(size, first.nrows(), rng)
        right = _random(first.ncols(), size, rng)
        common = common.gcd(_determinant(left * first * right, left * second * right))
    integral = flint.fmpz_poly([int(c.p * (common.denom() // c.q)) for c in common.coeffs()])
    factors = integral.factor()[1] if integral.degree() > 0 else []
    return [tuple(int(c) for c in f.coeffs()) for f, _ in factors if f.degree() > 1]


def _random(rows: int, columns: int, rng: np.random.Generator) -> Matrix:
    if rows == columns:
        return flint.fmpq_mat(rows, rows, [int(i == j) for i in range(rows) for j in range(rows)])
    return flint.fmpq_mat(rows, columns, rng.integers(-9, 10, rows * columns).tolist())


def _determinant(first: Matrix, second: Matrix) -> flint.fmpq_poly:
    """det(first + t second), interpolated."""
    n = first.nrows()
    values = [(first + second * flint.fmpq(t)).det() for t in range(n + 1)]
    vandermonde = flint.fmpq_mat(n + 1, n + 1, [t**j for t in range(n + 1) for j in range(n + 1)])
    solution = vandermonde.solve(flint.fmpq_mat(n + 1, 1, values))
    return flint.fmpq_poly([solution[j, 0] for j in range(n + 1)])


def monic(polynomial: Polynomial) -> tuple[Polynomial, int]:
    """The minimal polynomial of c b, and c, for a root b of a polynomial with leading coefficient c."""
    lead, n = polynomial[-1], len(polynomial) - 1
    return tuple(x * lead ** (n - 1 - i) if i < n else 1 for i, x in enumerate(polynomial)), lead


def rank_at_root(matrices: Sequence[Matrix], polynomial: Polynomial) -> int:
    """Rank of the sum of b^j times the j-th matrix, b a root of a monic irreducible polynomial: modulo a large prime."""
    p, n = LARGE_PRIME, len(polynomial) - 1
    # b acts on QQ(b) by its companion matrix: the rank over QQ is n times the rank over QQ(b).
    companion = flint.nmod_mat(n, n, p)
    for i in range(n):
        companion[i, n - 1] = -polynomial[i] % p
        if i:
            companion[i, i - 1] = 1
    rows, columns = matrices[0].nrows(), matrices[0].ncols()
    cells = np.zeros((rows * n, columns * n), dtype=object)
    power = flint.nmod_mat(n, n, [int(i == j) for i in range(n) for j in range(n)], p)
    for matrix in matrices:
        block = np.array([[int(x) for x in row] for row in power.table()], dtype=object)
        values = [int(x.p) * pow(int(x.q), -1, p) for x in matrix.entries()]
        cells = (cells + np.kron(np.array(values, dtype=object).reshape(rows, columns), block)) % p
        power = power * companion
    return flint.nmod_mat(rows * n, columns * n, [int(x) for x in cells.ravel()], p).rank() // n


def annihilating_covectors(
    matrices: Sequence[Matrix], first: Matrix, second: Matrix, polynomial: Polynomial
) -> list[list[int]] | None:
    """Coefficients of λ_0, ..., λ_(n-1) with sum_i b^i λ_i T = 0 on the image of second^(-1) first + b, if it is unique.

    The polynomial is monic and b is its root. For the multiplication of an algebra the image is the sum of the other
    simple parts, and the combination has the rank of one of them.
    """
    size, n = first.nrows(), len(polynomial) - 1
    if size != first.ncols() or not second.det():
        return None
    quotient = second.inv() * first
    # Unknowns λ_ij for b^i and matrix j; the equations are the coordinates of a matrix with entries in QQ(b).
    columns: list[list[flint.fmpq]] = []
    for i in range(n):
        for matrix in matrices:
            product_ = matrix * quotient
            coordinates = [[flint.fmpq(0)] * (n + 1) for _ in range(size * size)]
            for k, (x, y) in enumerate(zip(product_.entries(), matrix.entries(), strict=True)):
                coordinates[k][i] += x
                coordinates[k][i + 1] += y
            for row in coordinates:
                top = row.pop()
                for k in range(n):
                    row[k] -= top * polynomial[k]
            columns.append([x for row in coordinates for x in row])
    rows = [
        {j: Fraction(int(column[k].p), int(column[k].q)) for j, column in enumerate(columns) if column[k]}
        for k in range(size * size * n)
    ]
    found = kernel([row for row in rows if row], len(columns))
    # A line over QQ(b) has dimension n over QQ.
    if len(found) != n:
        return None
    q = len(matrices)
    chosen = {j: sum(vector.get(j, 0) for vector in found) for j in range(len(columns))}
    return [[chosen[i * q + j] for j in range(q)] for i in range(n)]
