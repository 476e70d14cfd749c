"""Rank of a dense matrix modulo a prime at the speed of floating-point matrix products, and pivots that show it.

Residues are kept as integers in doubles. Rows are eliminated in the order of Crout: a panel of columns, then a
panel of rows, each brought up to date by one long matrix product and reduced once; nothing right of or below them is touched.

The matrix products are exact. Residues are centred, of absolute value at most p/2 + 4 (see `_reduce`), so that for p < 2^20 a
product of two is at most (2^19 + 4)^2 < 2^38 + 2^23, and a sum of at most `INNER` = 2^14 products and one more residue
stays below 2^53 - 2^20. All partial sums, in whatever order, with fused operations or without, are then integers
that a double holds exactly: nothing is rounded, and the result is that of integer arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LARGEST_PRIME = 1048573
"""The largest prime below 2^20; the argument above needs p < 2^20."""

INNER = 1 << 14
"""Longest sum of products between two reductions."""

PANEL = 256
"""Columns brought up to date at once."""

LEAF = 32
"""Columns of a panel that are eliminated at once, through the inverse of a square block of this size."""

CHUNK = 1 << 16
"""Cells reduced at once: as many as stay in the cache for the passes."""

Cells = NDArray[np.float64]


def dense_pivots(matrix: NDArray[np.int64], p: int) -> tuple[list[int], list[int]]:
    """Rows and columns of a largest non-singular submatrix modulo a prime.

    Parameters
    ----------
    matrix
        Residues: integers of absolute value below p. It is left as it is.
    p
        A prime, at most 1048573.

    Returns
    -------
    tuple
        Increasing indices of the rows and of the columns, as many as the rank.

    Notes
    -----
    Elimination in blocks with delayed updates [1]_; that of exact linear algebra over word-size primes by floating-point matrix
    products is due to [2]_.

    References
    ----------
    .. [1] Jeannerod, Pernet, Storjohann, *Rank-profile revealing Gaussian elimination and the CUP matrix decomposition*,
       Journal of Symbolic Computation 56 (2013).
    .. [2] Dumas, Giorgi, Pernet, *Dense linear algebra over word-size prime fields: the FFLAS and FFPACK packages*,
       ACM Transactions on Mathematical Software 35 (2008).

    Examples
    --------
    >>> dense_pivots(np.array([[0, 2, 4], [0, 1, 2], [3, 0, 1]]), 5)
    ([0, 2], [0, 1])
    """
    if not 2 <= p <= LARGEST_PRIME:
        raise ValueError(f"the prime {p} is not between 2 and {LARGEST_PRIME}")
    if matrix.size and max(int(matrix.max()), -int(matrix.min())) >= p:
        raise ValueError(f"an entry is not a residue modulo {p}; reduce the matrix first")
    height, width = matrix.shape
    # Fewer columns are fewer panels; a wide matrix is read by columns.
    turned = width > height
    elimination = _Elimination(np.array(matrix.T if turned else matrix, dtype=np.float64, order="C"), p)
    rows, columns = elimination.run()
    return (columns, rows) if turned else (rows, columns)


@dataclass
class _Group:
    """Pivots found together: rows start..end-1, which do not change one another."""

    start: int
    end: int


class _Elimination:
    """The state of an elimination.

    The first `rank` rows are the pivot rows. The other rows have, in the first `rank` columns, the multiples of the pivot rows
    that are still to be subtracted from what is right of the current panel. These columns are free: a pivot column is
    never needed again, and no more pivots are found than columns were seen.
    """

    def __init__(self, cells: Cells, p: int) -> None:
        self.cells = cells
        self.p = p
        self.height, self.width = cells.shape
        self.rank = 0
        self.order = np.arange(self.height)
        self.columns: list[int] = []
        self.scratch = np.empty(max(CHUNK, self.width))
        self.product = np.empty(max(self.height, self.width) * PANEL)

    def run(self) -> tuple[list[int], list[int]]:
        self._reduce(self.cells)
        for first in range(0, self.width, PANEL):
            last = min(first + PANEL, self.width)
            before = self.rank
            self._update(before, slice(before, self.height), slice(first, last), 0)
            groups = self._panel(first, last)
            if self.rank == self.height:
                break
            right = slice(last, self.width)
            self._update(before, slice(before, self.rank), right, 0)
            self._update_one_by_other(groups, right)
        return sorted(map(int, self.order[: self.rank])), sorted(self.columns)

    def _panel(self, first: int, last: int) -> list[_Group]:
        """Eliminate the columns first..last-1, which are up to date with the pivots before the panel."""
        before = self.rank
        groups: list[_Group] = []
        for left in range(first, last, LEAF):
            if self.rank == self.height:
                break
            right = min(left + LEAF, last)
            self._update_one_by_other(groups, slice(left, right))
            self._update(self.rank, slice(self.rank, self.height), slice(left, right), before)
            groups += self._leaf(left, right)
        return groups

    def _update(self, rank: int, rows: slice, columns: slice, since: int) -> None:
        """Subtract the multiples of the pivot rows since..rank-1."""
        if since == rank:
            return
        part = self.cells[rows, columns]
        for start in range(since, rank, INNER):
            end = min(start + INNER, rank)
            product = self.product[: part.size].reshape(part.shape)
            np.matmul(self.cells[rows, start:end], self.cells[start:end, columns], out=product)
            self._reduce(part, product)

    def _update_one_by_other(self, groups: list[_Group], columns: slice) -> None:
        """Bring the pivot rows of a panel up to date with one another."""
        for group in groups[1:]:
            self._update(group.start, slice(group.start, group.end), columns, groups[0].start)

    def _leaf(self, left: int, right: int) -> list[_Group]:
        """Eliminate a few columns that are up to date."""
        cells, groups = self.cells, []
        # The columns not eliminated yet are moved to the right end of the leaf; these are their names.
        names = np.arange(left, right)
        rows_tried = LEAF
        while len(names) and self.rank < self.height:
            top, rest = self.rank, slice(right - len(names), right)
            if rows_tried == LEAF:
                # Mostly the rows on top will do; they are looked at before all others are.
                candidates = np.arange(top, min(top + rows_tried, self.height))
            else:
                candidates = top + np.flatnonzero(cells[top:, rest].any(axis=1))[: len(names) + 4]
                if not len(candidates):
                    break
            rows_tried = 0
            rows, columns, inverse = _small_inverse(cells[candidates, rest], self.p)
            if not rows:
                continue
            end = self.rank = top + len(rows)
            self._move_up(candidates[rows], top)
            block = cells[end:, rest]
            # The inverse is moved to the columns, not the columns to the inverse: they are many times as long.
            spread = np.zeros((len(names), len(rows)))
            spread[columns] = inverse
            factors = self.product[: len(block) * len(rows)].reshape(len(block), len(rows))
            np.matmul(block, spread, out=factors)
            self._reduce(factors)
            self.columns += map(int, names[columns])
            groups.append(_Group(top, end))
            others = np.delete(np.arange(len(names)), columns)
            names = names[others]
            if len(names):
                part = block[:, others] - factors @ cells[top:end, rest][:, others]
                self._reduce(part)
                cells[end:, right - len(names) : right] = part
            # At most as many pivots as columns were seen, so that this overwrites nothing that is needed.
            cells[end:, top:end] = factors
        return groups

    def _move_up(self, rows: NDArray[np.intp], top: int) -> None:
        """Exchange rows so that these ones, in this order, follow the pivot rows."""
        places = np.arange(top, top + len(rows))
        if np.array_equal(rows, places):
            return
        chosen = set(map(int, rows))
        displaced = [int(i) for i in places if int(i) not in chosen]
        sources = np.array([*map(int, rows), *displaced])
        targets = np.array([*map(int, places), *(int(i) for i in rows if int(i) >= top + len(rows))])
        self.cells[targets] = self.cells[sources]
        self.order[targets] = self.order[sources]

    def _reduce(self, cells: Cells, less: Cells | None = None) -> None:
        """Replace integers of absolute value at most 2^53 - 2^20 by residues of absolute value at most p/2 + 4.

        With `less`, subtract it first.

        The quotient x/p is computed with two roundings of relative size 2^-53; before it is rounded to an integer q it is off
        by less than 2^-51 |x|/p. So |x - q p| < p/2 + 2^-51 |x| < p/2 + 4, and q p is an integer below 2^53, which is exact.
        A multiple of p becomes 0: for p > 8 there is no other in this range, and for smaller primes all integers that
        occur stay below 2^21, so that |x - q p| < p/2 + 2^-30.
        """
        p, inverse = float(self.p), 1.0 / self.p
        step = max(1, CHUNK // cells.shape[1]) if cells.size else 1
        for start in range(0, len(cells), step):
            part = cells[start : start + step]
            quotient = self.scratch[: part.size].reshape(part.shape)
            if less is not None:
                np.subtract(part, less[start : start + step], out=part)
            np.multiply(part, inverse, out=quotient)
            np.rint(quotient, out=quotient)
            np.multiply(quotient, p, out=quotient)
            np.subtract(part, quotient, out=part)


def _small_inverse(block: Cells, p: int) -> tuple[list[int], list[int], Cells]:
    """Rows and columns of a largest non-singular square in a small block, and its inverse in centred residues."""
    height, width = block.shape
    # Gauss-Jordan on the block with an identity beside it, which records the row operations.
    work = np.zeros((height, width + height), dtype=np.int64)
    work[:, :width] = block
    work[:, width:] = np.eye(height, dtype=np.int64)
    rows: list[int] = []
    columns: list[int] = []
    for i in range(height):
        # Products of residues below 2^20 are subtracted without reducing them: at most 2^45 for a block of 32 rows.
        row = work[i] % p
        column = int((row[:width] != 0).argmax())
        if not row[column]:
            work[i] = 0
            continue
        row = row * pow(int(row[column]), -1, p) % p
        factors = work[:, column] % p
        factors[i] = 0
        work -= factors[:, None] * row
        work[i] = row
        rows.append(i)
        columns.append(column)
        if len(rows) == width:
            break
    places = np.array(rows, dtype=np.intp)
    inverse = work[np.ix_(places, width + places)] % p
    inverse[inverse > p // 2] -= p
    return rows, columns, inverse.astype(np.float64)
