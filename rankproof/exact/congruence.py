r"""Diagonal form of a quadratic form over the rationals or a prime field of odd characteristic.

A form is its symmetric matrix: q(x) = sum of G[i][j] x_i x_j.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from rankproof.exact.factoring import square_part

Matrix = Sequence[Sequence[int | Fraction]]
LinearForm = list[Fraction]


def diagonalise(matrix: Matrix) -> tuple[list[Fraction], list[LinearForm]]:
    r"""Write a rational quadratic form as a weighted sum of squares of independent linear forms.

    Parameters
    ----------
    matrix
        Symmetric, shape (n, n).

    Returns
    -------
    tuple
        Weights d_1..d_r, none zero, and the coefficients of linear forms l_1..l_r with q = sum of d_i l_i^2, where r is the
        rank. The weights are integers, squarefree as far as cheap factoring sees.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.

    Notes
    -----
    Lagrange's reduction; the pivot of least height comes first, to keep the numbers small.

    Examples
    --------
    >>> diagonalise([[1, 1], [1, 3]])
    ([Fraction(1, 1), Fraction(2, 1)], [[Fraction(1, 1), Fraction(1, 1)], [Fraction(0, 1), Fraction(1, 1)]])
    """
    weights, forms = rational_lagrange(rational_rows(matrix))
    diagonal: list[Fraction] = []
    basis: list[LinearForm] = []
    for d, l in zip(weights, forms, strict=True):
        weight, s = square_part(int(d.p) * int(d.q))
        factor = fmpq(s, d.q)
        diagonal.append(Fraction(weight))
        basis.append([fraction(factor * c) for c in l])
    return diagonal, basis


def signature(matrix: Matrix) -> tuple[int, int]:
    """Numbers of positive and of negative squares of a rational quadratic form.

    Examples
    --------
    >>> signature([[0, 1, 0], [1, 0, 0], [0, 0, 5]])
    (2, 1)
    """
    weights, _ = rational_lagrange(rational_rows(matrix))
    positive = sum(d > 0 for d in weights)
    return positive, len(weights) - positive


def lagrange(
    matrix: list[list[Any]],
    reduce: Callable[[Any], Any],
    invert: Callable[[Any], Any],
    preference: Callable[[list[list[Any]], int], Any],
) -> tuple[list[Any], list[list[Any]]]:
    """Lagrange's reduction to a sum of squares, over any field of characteristic other than 2.

    Parameters
    ----------
    matrix
        Symmetric, with reduced entries; it is left alone.
    reduce, invert
        Normal form of a field element, and the inverse of a non-zero one.
    preference
        Key of a pivot, from what is left of the matrix and an index; the least one is taken.

    Returns
    -------
    tuple
        Non-zero weights d_i and rows l_i with matrix = sum of d_i l_i^T l_i.
    """
    G = [list(row) for row in matrix]
    weights: list[Any] = []
    forms: list[list[Any]] = []
    while (pivot := _pivot(G, preference)) is not None:
        i, j = pivot
        # B(u, .) for u = e_i, or u = e_i + e_j when the diagonal is zero; then q - B(u, .)^2 / q(u) has u in its radical.
        polar = list(G[i]) if i == j else [reduce(x + y) for x, y in zip(G[i], G[j], strict=True)]
        d = G[i][i] if i == j else reduce(G[i][j] + G[i][j])
        inverse = invert(d)
        weights.append(d)
        forms.append([reduce(inverse * x) for x in polar])
        support = [k for k, x in enumerate(polar) if x]
        for k in support:
            row, factor = G[k], forms[-1][k]
            for m in support:
                row[m] = reduce(row[m] - factor * polar[m])
    return weights, forms


def _pivot(G: list[list[Any]], preference: Callable[[list[list[Any]], int], Any]) -> tuple[int, int] | None:
    n = len(G)
    diagonal = [i for i in range(n) if G[i][i]]
    if diagonal:
        i = min(diagonal, key=lambda i: preference(G, i))
        return i, i
    return next(((i, j) for i in range(n) for j in range(i) if G[i][j]), None)


def rational_lagrange(
    matrix: list[list[fmpq]], in_order: bool = False
) -> tuple[list[fmpq], list[list[fmpq]]]:
    """Lagrange's reduction over the rationals; pivots of small height first, or in the order of the variables."""
    preference = _position if in_order else _height
    return lagrange(matrix, lambda x: x, lambda x: 1 / x, preference)


def _position(_: list[list[fmpq]], i: int) -> int:
    return i


def _height(G: list[list[fmpq]], i: int) -> tuple[int, int]:
    return abs(int(G[i][i].p)) * int(G[i][i].q), sum(map(bool, G[i]))


def rational_rows(matrix: Matrix) -> list[list[fmpq]]:
    """Rows of a symmetric matrix as FLINT rationals.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.
    """
    n = len(matrix)
    if any(len(row) != n for row in matrix):
        raise ValueError("a quadratic form is given by a square matrix; the rows have other lengths")
    for i in range(n):
        for j in range(i):
            if matrix[i][j] != matrix[j][i]:
                raise ValueError(
                    f"a quadratic form is given by a symmetric matrix, but the entries ({i}, {j}) and ({j}, {i}) differ:"
                    f" {matrix[i][j]} and {matrix[j][i]}; put half of the coefficient of the product in both"
                )
    return [[rational(x) for x in row] for row in matrix]


@dataclass(frozen=True)
class NondegeneratePart:
    """A quadratic form q on n variables, as a non-degenerate form on some of them.

    Attributes
    ----------
    matrix
        Matrix of q on the coordinate space of the support: a non-singular principal submatrix.
    support
        Indices of its variables.
    forms
        One linear form in all variables for each variable of the support, such that q(x) = q(forms of x).
    radical
        Basis of the vectors orthogonal to everything.
    """

    matrix: list[list[fmpq]]
    support: list[int]
    forms: list[list[fmpq]]
    radical: list[list[fmpq]]

    def lift(self, v: Sequence[fmpq]) -> list[fmpq]:
        """A vector of the coordinate space of the support as a vector of the whole space."""
        values = dict(zip(self.support, v, strict=True))
        return [values.get(i, fmpq(0)) for i in range(len(self.support) + len(self.radical))]


def nondegenerate_part(matrix: Matrix) -> NondegeneratePart:
    """Split the radical off a rational quadratic form.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.
    """
    rows = rational_rows(matrix)
    n = len(rows)
    if not n:
        return NondegeneratePart([], [], [], [])
    echelon, rank = fmpq_mat(rows).rref()
    # Independent columns of a symmetric matrix cut out a non-singular principal submatrix.
    support = [next(j for j in range(n) if echelon[i, j]) for i in range(rank)]
    part = [[rows[i][j] for j in support] for i in support]
    # The reduced rows are the forms, because they are 1 and 0 on the support.
    forms = echelon.tolist()[:rank]
    radical: list[list[fmpq]] = []
    for free in sorted(set(range(n)) - set(support)):
        radical.append([fmpq(int(j == free)) for j in range(n)])
        for form, j in zip(forms, support, strict=True):
            radical[-1][j] = -form[free]
    return NondegeneratePart(part, support, forms, radical)


def rational(x: int | Fraction) -> fmpq:
    """A FLINT rational; floats and other inexact numbers are refused."""
    if not isinstance(x, int | Fraction):
        raise ValueError(f"{x!r} is not an exact rational; give int or Fraction entries")
    return fmpq(x.numerator, x.denominator)


def fraction(x: fmpq) -> Fraction:
    """A FLINT rational as a Fraction."""
    return Fraction(int(x.p), int(x.q))
