"""Small rational matrices as lists: products, inverses, and the polynomial that vanishes once at every eigenvalue."""

from __future__ import annotations

from fractions import Fraction

import flint

Matrix = list[list[Fraction]]


def product(a: Matrix, b: Matrix) -> Matrix:
    """The product of two matrices."""
    return _rows(_flint(a) * _flint(b))


def inverse(matrix: Matrix) -> Matrix | None:
    """The inverse of a square matrix; None if it is singular.

    Examples
    --------
    >>> inverse([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
    [[Fraction(1, 1), Fraction(-1, 1)], [Fraction(-1, 1), Fraction(2, 1)]]
    """
    converted = _flint(matrix)
    return None if converted.det() == 0 else _rows(converted.inv())


def squarefree_characteristic(matrix: Matrix) -> list[Fraction]:
    """The monic polynomial with the eigenvalues as its simple roots, in ascending order.

    The matrix is diagonalisable over the complex numbers if and only if the value of the polynomial at it is 0; otherwise
    that value is nilpotent.

    Examples
    --------
    >>> squarefree_characteristic([[Fraction(3), Fraction(1)], [Fraction(0), Fraction(3)]])
    [Fraction(-3, 1), Fraction(1, 1)]
    """
    f = _flint(matrix).charpoly()
    g = f // f.gcd(f.derivative())
    leading = g.coeffs()[-1]
    return [_fraction(c / leading) for c in g.coeffs()]


def _flint(matrix: Matrix) -> flint.fmpq_mat:
    return flint.fmpq_mat([[flint.fmpq(x.numerator, x.denominator) for x in row] for row in matrix])


def _rows(matrix: flint.fmpq_mat) -> Matrix:
    return [[_fraction(x) for x in row] for row in matrix.tolist()]


def _fraction(x: flint.fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))
