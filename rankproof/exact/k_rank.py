"""Kruskal's rank of a list of vectors modulo a prime: the largest k such that any k of them are independent."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.int64]


def k_rank(vectors: Residues, p: int, most_nodes: int = 50_000) -> int:
    """The largest k such that every k of the vectors are linearly independent modulo a prime.

    Parameters
    ----------
    vectors
        One a row, entries in 0..p-1.
    p
        A prime below 2^31.
    most_nodes
        Eliminations that one size of sets may need; larger sizes are left out, and the answer may then be too small.

    Examples
    --------
    >>> k_rank(np.array([[1, 0], [0, 1], [1, 1]]), 7), k_rank(np.array([[1, 0], [0, 1], [2, 0]]), 7)
    (2, 1)
    """
    count = len(vectors)
    columns = _independent_columns(vectors, p)
    k = len(columns)
    while k > 1 and comb(count, k - 1) > most_nodes:
        k -= 1
    # A dependent set that is met bounds the size at once, so that few sizes are tried.
    rows = vectors[:, columns]
    while k and (size := _dependent_set(rows, k, p)):
        k = size - 1
    return k


def _independent_columns(matrix: Residues, p: int) -> list[int]:
    """Columns that are a basis of the space of columns: in them the rows have the same linear relations."""
    rest, found = matrix % p, []
    for _ in range(len(matrix)):
        place = np.argwhere(rest)
        if not len(place):
            break
        row, column = (int(x) for x in place[0])
        found.append(column)
        rest = _eliminated(rest, row, column, p)
    return sorted(found)


def _eliminated(matrix: Residues, row: int, column: int, p: int) -> Residues:
    """Subtract multiples of one row from all, itself included, so that the column becomes zero."""
    pivot = matrix[row] * pow(int(matrix[row, column]), -1, p) % p
    return (matrix - matrix[:, column : column + 1] * pivot) % p


def _dependent_set(rows: Residues, count: int, p: int) -> int:
    """Size, at most `count`, of some dependent set of rows; 0 if any `count` of them are independent."""
    if count == 0:
        return 0
    nonzero = rows.any(axis=1)
    if not nonzero.all():
        return 1
    if count > 1:
        for i in range(len(rows) - count + 1):
            column = int(rows[i].argmax())
            size = _dependent_set(_eliminated(rows[i:], 0, column, p)[1:], count - 1, p)
            if size:
                return size + 1
    return 0
