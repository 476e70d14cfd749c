"""Dense rank modulo a prime, against LAPACK's LU decomposition and python-flint."""

from __future__ import annotations

from collections.abc import Iterator

import flint
import numpy as np
from scipy.linalg import lapack

from benchmarks.measure import Row, row, side_by_side
from rankproof.exact.dense_rank import LARGEST_PRIME, dense_pivots

SUITE = "dense"
LARGEST_FLINT = 2000
"""Beyond this, converting the matrix for python-flint takes longer than anything measured here."""


def rows(quick: bool) -> Iterator[Row]:
    """Random square matrices; rank with pivots, from a numpy array to lists of indices."""
    for n in (150, 300) if quick else (100, 200, 500, 1000, 2000, 4000):
        rng = np.random.default_rng(n)
        matrix = rng.integers(0, LARGEST_PRIME, (n, n))
        copy = np.asfortranarray(matrix, dtype=np.float64)
        times = 3 if n >= 2000 else 5

        def ours(matrix: np.ndarray = matrix) -> None:
            if len(dense_pivots(matrix, LARGEST_PRIME)[0]) < len(matrix) - 1:
                raise ArithmeticError("a random matrix has lost its rank")

        def lu(copy: np.ndarray = copy) -> None:
            lapack.dgetrf(copy)

        seconds, theirs = side_by_side(ours, lu, times)
        most = {2000: 2.0, 4000: 1.5}.get(n)
        yield row(SUITE, f"rank of {n} x {n}", n, seconds, "LAPACK LU", theirs, most_ratio=most)
        if n <= LARGEST_FLINT:
            converted = flint.nmod_mat(n, n, matrix.ravel().tolist(), LARGEST_PRIME)
            seconds, theirs = side_by_side(ours, converted.rank, times)
            most = 1 / 2.5 if n >= 1000 else None
            yield row(
                SUITE, f"rank of {n} x {n}", n, seconds, "python-flint nmod_mat", theirs, most_ratio=most
            )
