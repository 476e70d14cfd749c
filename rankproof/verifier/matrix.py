"""Rank of a sparse matrix modulo a prime."""

from __future__ import annotations

from . import limits
from .refusal import Undecided


def rank_modulo(rows: list[dict[int, int]], p: int) -> int:
    """Rank over GF(p) of a matrix given by rows ``{column: entry}`` with entries in 1..p-1.

    Gaussian elimination. Rows are taken shortest first and pivots in the column that the fewest rows use: both keep
    the fill low and cannot change the rank. Operations are counted; beyond the declared limit the answer is undecided.
    """
    uses: dict[int, int] = {}
    for row in rows:
        for column in row:
            uses[column] = uses.get(column, 0) + 1
    pivots: dict[int, dict[int, int]] = {}
    operations = 0
    for row in sorted(rows, key=len):
        work = dict(row)
        # Pivot rows are not reduced against each other, so a step can bring back other pivot columns.
        while True:
            column = next((c for c in work if c in pivots), None)
            if column is None:
                break
            pivot = pivots[column]
            factor = p - work[column]
            for c, x in pivot.items():
                y = (work.get(c, 0) + factor * x) % p
                if y:
                    work[c] = y
                else:
                    work.pop(c, None)
            operations += len(pivot) + 1
            if operations > limits.OPERATIONS:
                raise Undecided("limit-operations", "", f"the elimination exceeds {limits.OPERATIONS} operations")
        if work:
            column = min(work, key=lambda c: (uses.get(c, 0), c))
            scale = pow(work[column], -1, p)
            pivots[column] = {c: x * scale % p for c, x in work.items()}
    return len(pivots)
