"""Quadratic forms: exact diagonalisation, local invariants over the p-adic numbers, and forms over GF(p).

References: Serre, *A Course in Arithmetic* (1973), chapters III and IV, for Hilbert symbols and the classification
over QQ_p; Arf 1941 for characteristic 2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import limits
from .refusal import Undecided
from .scalars import Number, Rational, inverse, normal, words

Matrix = list[list[Any]]


def diagonalise(matrix: Matrix, reciprocal: Callable[[Any], Any], reduce: Callable[[Any], Any]) -> list[Any]:
    """Non-zero diagonal of a form congruent to a symmetric matrix over a field of characteristic not 2.

    ``reduce`` brings a value to normal form and ``reciprocal`` inverts a non-zero one. Symmetric elimination: a
    diagonal pivot when there is one; otherwise x_i is replaced by x_i + x_j, which makes 2 a_ij the pivot.
    """
    work = [list(row) for row in matrix]
    diagonal: list[Any] = []
    while work:
        n = len(work)
        pivot = next((i for i in range(n) if work[i][i] != 0), None)
        if pivot is None:
            pair = next(((i, j) for i in range(n) for j in range(i) if work[i][j] != 0), None)
            if pair is None:
                break
            pivot, j = pair
            work[pivot] = [reduce(x + y) for x, y in zip(work[pivot], work[j], strict=True)]
            for row in work:
                row[pivot] = reduce(row[pivot] + row[j])
        head = work[pivot]
        diagonal.append(head[pivot])
        scale = reciprocal(head[pivot])
        rest = [i for i in range(n) if i != pivot]
        factors = {i: reduce(work[i][pivot] * scale) for i in rest}
        work = [[reduce(work[i][j] - factors[i] * head[j]) for j in rest] for i in rest]
    return diagonal


def diagonalise_exact(matrix: Matrix) -> list[Number]:
    """Diagonal over QQ or a number field; undecided when the numbers grow too long."""
    spent = 0

    def reduce(x: Number) -> Number:
        nonlocal spent
        # Bringing a fraction to lowest terms takes time quadratic in its length.
        spent += 10 + words(x) ** 2 // 5
        if spent > limits.OPERATIONS:
            raise Undecided("limit-operations", "", f"the elimination exceeds {limits.OPERATIONS} operations")
        return normal(x) if isinstance(x, (int, Fraction)) else x

    return diagonalise(matrix, inverse, reduce)


def diagonalise_modulo(matrix: Matrix, p: int) -> list[int]:
    """Diagonal over GF(p), p odd."""
    return diagonalise(matrix, lambda x: pow(x, -1, p), lambda x: x % p)


def hilbert_symbol(a: int, b: int, p: int) -> int:
    """(a, b)_p for non-zero integers and a prime p: 1 when a x^2 + b y^2 = z^2 has a non-trivial solution in QQ_p."""
    (alpha, u), (beta, v) = _valuation(a, p), _valuation(b, p)
    if p == 2:
        exponent = _epsilon(u) * _epsilon(v) + alpha * _omega(v) + beta * _omega(u)
        return -1 if exponent % 2 else 1
    sign = -1 if alpha * beta % 2 and p % 4 == 3 else 1
    if beta % 2:
        sign *= _legendre(u, p)
    if alpha % 2:
        sign *= _legendre(v, p)
    return sign


def anisotropic_dimension(diagonal: list[Rational], p: int) -> int:
    """Dimension of the anisotropic kernel over QQ_p of a non-degenerate diagonal form.

    Hyperbolic planes are split off while the form is isotropic. Splitting one off changes (dimension, discriminant,
    Hasse invariant) from (n, d, c) to (n-2, -d, c (-1, -d)).
    """
    entries = [_square_class(x) for x in diagonal]
    n = len(entries)
    d = 1
    c = 1
    for x in entries:
        # c = product over i < j of (a_i, a_j)
        c *= hilbert_symbol(d, x, p)
        d = _square_class(d * x)
    while n >= 2 and _is_isotropic(n, d, c, p):
        n, d, c = n - 2, -d, c * hilbert_symbol(-1, -d, p)
    return n


def _is_isotropic(n: int, d: int, c: int, p: int) -> bool:
    if n == 2:
        return _is_square(-d, p)
    if n == 3:
        return c == hilbert_symbol(-1, -d, p)
    if n == 4:
        return not _is_square(d, p) or c == hilbert_symbol(-1, -1, p)
    return True


def _square_class(x: Rational) -> int:
    return x if isinstance(x, int) else x.numerator * x.denominator


def _valuation(a: int, p: int) -> tuple[int, int]:
    exponent = 0
    while a % p == 0:
        a //= p
        exponent += 1
    return exponent, a


def _epsilon(u: int) -> int:
    return (u - 1) // 2 % 2


def _omega(u: int) -> int:
    return (u * u - 1) // 8 % 2


def _legendre(u: int, p: int) -> int:
    return 1 if pow(u, (p - 1) // 2, p) == 1 else -1


def _is_square(a: int, p: int) -> bool:
    exponent, u = _valuation(a, p)
    return exponent % 2 == 0 and (u % 8 == 1 if p == 2 else _legendre(u, p) == 1)


def untied_width_odd(diagonal: list[int], p: int) -> int:
    """Rank minus Witt index of a non-degenerate diagonal form over GF(p), p odd."""
    rho = len(diagonal)
    if rho % 2:
        return (rho + 1) // 2
    discriminant = (-1) ** (rho // 2)
    for x in diagonal:
        discriminant = discriminant * x % p
    return rho // 2 if _legendre(discriminant % p, p) == 1 or rho == 0 else rho // 2 + 1


def untied_width_characteristic_two(coefficients: dict[tuple[int, int], int], n: int) -> int:
    """Least codimension of a subspace of GF(2)^n on which a quadratic form vanishes.

    ``coefficients[i, j]`` with i <= j. Pairs (e, f) with polar value 1 are split off; when no pair is left the rest is
    the radical of the polar form, where the quadratic form is additive: a sum of squares of coordinates. With m pairs
    the answer is m + 1 if the form is not zero on the radical, else m plus the Arf invariant.
    """
    vectors = [1 << i for i in range(n)]

    def form(x: int) -> int:
        return sum(c for (i, j), c in coefficients.items() if x >> i & 1 and x >> j & 1) % 2

    def polar(x: int, y: int) -> int:
        return (form(x ^ y) + form(x) + form(y)) % 2

    pairs = 0
    arf = 0
    radical: list[int] = []
    while vectors:
        e = vectors.pop()
        partner = next((i for i, y in enumerate(vectors) if polar(e, y)), None)
        if partner is None:
            radical.append(e)
            continue
        f = vectors.pop(partner)
        pairs += 1
        arf ^= form(e) & form(f)
        # Make the others orthogonal to the pair.
        vectors = [y ^ (f if polar(e, y) else 0) ^ (e if polar(f, y) else 0) for y in vectors]
    if any(form(x) for x in radical):
        return pairs + 1
    return pairs + arf
