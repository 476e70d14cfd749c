"""Isotropic vectors among the short combinations of a basis."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import gcd, isqrt

import numpy as np
from flint import fmpz_mat

Vector = list[int]

_SAFE = 2**31
"""Values of the form stay below this bound, so that 64-bit discriminants are exact. Were they larger, an isotropic vector among
the few combinations tried would be a coincidence."""

_WINDOW = 8
"""In more variables, so many basis vectors at a time are combined."""


def isotropic_basis_vectors(gram: fmpz_mat) -> list[Vector]:
    """Coordinates of basis vectors that span a totally isotropic subspace, taken in turn while they do.

    Examples
    --------
    >>> isotropic_basis_vectors(fmpz_mat([[1, 2, 0], [2, 0, 0], [0, 0, 0]]))
    [[0, 1, 0], [0, 0, 1]]
    """
    n = gram.nrows()
    chosen: list[int] = []
    for i in range(n):
        if not gram[i, i] and not any(gram[i, j] for j in chosen):
            chosen.append(i)
    return [[int(i == j) for j in range(n)] for i in chosen]


def sparse_isotropic_vector(gram: fmpz_mat) -> Vector | None:
    """An isotropic basis vector, or an isotropic combination of two; these cases are decided.

    Examples
    --------
    >>> sparse_isotropic_vector(fmpz_mat([[1, 0], [0, -4]])), sparse_isotropic_vector(fmpz_mat([[1, 0], [0, -3]]))
    ([2, 1], None)
    """
    for v in isotropic_basis_vectors(gram):
        return v
    G = [[int(x) for x in row] for row in gram.tolist()]
    n = len(G)
    for i, j in combinations(range(n), 2):
        root = _square_root(G[i][j] ** 2 - G[i][i] * G[j][j])
        if root is not None:
            x, y = root - G[i][j], G[i][i]
            common = gcd(x, y)
            v = [0] * n
            v[i], v[j] = x // common, y // common
            return v
    return None


def short_isotropic_vector(gram: fmpz_mat, limit: int) -> Vector | None:
    """An isotropic combination of basis vectors whose coefficients, but for the last, are small.

    Parameters
    ----------
    gram
        Symmetric, shape (n, n).
    limit
        Number of combinations tried; the last coefficient is the solution of a quadratic equation.

    Examples
    --------
    >>> short_isotropic_vector(fmpz_mat([[1, 0, 0], [0, 2, 0], [0, 0, -3]]), 100)
    [1, 1, 1]
    """
    n = gram.nrows()
    G = [[int(x) for x in row] for row in gram.tolist()]
    for first in range(0, max(1, n - _WINDOW + 1), _WINDOW // 2):
        window = range(first, min(n, first + _WINDOW))
        v = _in_box([[G[i][j] for j in window] for i in window], limit)
        if v is not None:
            return [0] * first + v + [0] * (n - window.stop)
    return None


def _in_box(G: list[Vector], limit: int) -> Vector | None:
    n = len(G)
    largest = max(abs(x) for row in G for x in row)
    a = G[-1][-1]
    for bound, vectors in _boxes(n - 1, limit):
        # No value of the form or of a polar form exceeds (n bound)^2 times the largest entry.
        if largest * (n * bound) ** 2 >= _SAFE:
            return None
        c = ((vectors @ np.array([row[:-1] for row in G[:-1]])) * vectors).sum(axis=1)
        b = vectors @ np.array(G[-1][:-1])
        found = np.flatnonzero(_are_squares(b * b - a * c))
        if len(found):
            k = found[0]
            return _with_last(vectors[k].tolist(), a, int(b[k]), int(c[k]))
    return None


def _are_squares(m: np.ndarray) -> np.ndarray:
    """Which 64-bit integers, below 2^62 in absolute value, are squares."""
    # The root of a square below 2^62 is below 2^31, and the nearest double to it rounds to it.
    root = np.rint(np.sqrt(np.maximum(m, 0).astype(np.float64))).astype(np.int64)
    return root * root == m


def _boxes(n: int, limit: int) -> Iterator[tuple[int, np.ndarray]]:
    """Non-zero integer vectors up to sign, by increasing largest coordinate."""
    bound = 1
    while (2 * bound + 1) ** n <= 2 * limit:
        grid = np.indices((2 * bound + 1,) * n).reshape(n, -1).T - bound
        # The second half is the first with all signs changed; the middle is zero.
        half = grid[: len(grid) // 2]
        yield bound, half[np.abs(half).max(axis=1) == bound]
        bound += 1


def _with_last(x: Vector, a: int, b: int, c: int) -> Vector:
    """The vector x with a last coordinate z such that a z^2 + 2 b z + c = 0, cleared of its denominator."""
    root = isqrt(b * b - a * c)
    numerator, denominator = min(
        [(root - b, a), (-root - b, a)] if a else [(-c, 2 * b)] if b else [(0, 1)],
        key=lambda z: abs(z[1] // gcd(*z)) if z[0] else 1,
    )
    common = gcd(numerator, denominator)
    numerator, denominator = numerator // common, denominator // common
    v = [denominator * y for y in x] + [numerator]
    content = gcd(*v)
    return [y // content for y in v]


def _square_root(m: int) -> int | None:
    root = isqrt(m) if m >= 0 else -1
    return root if root * root == m else None
