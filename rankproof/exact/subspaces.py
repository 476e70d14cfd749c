"""Rank-one matrices over a small field that span a subspace around given ones: short bilinear algorithms by random completion.

A tensor has rank at most r if the space T of its slices lies in a space W of dimension r that is spanned by matrices of rank one.
Such a W is T with r - dim T of its rank-one matrices: these are chosen at random, the last one among all at once.

References
----------
Barbulescu, Detrey, Estibals, Zimmermann, *Finding optimal formulae for bilinear maps*, WAIFI 2012.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Residues = np.ndarray
Choices = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class Completion:
    """A pool of vectors over GF(p), and a space that is to be contained in the span of few of them.

    Parameters
    ----------
    pool
        The vectors, one a row, with entries in 0..p-1; none is zero and no two are proportional.
    space
        Rows that span the space.
    p
        A prime below 256.
    """

    def __init__(self, pool: Residues, space: Residues, p: int) -> None:
        self.p = p
        self.pool = pool.astype(np.int64)
        rest, rows = self.pool.copy(), space.astype(np.int64) % p
        self.dimension = 0
        while (live := np.flatnonzero(rows.any(axis=1))).size:
            row = rows[live[0]].copy()
            rest, rows = self._eliminated(rest, row), self._eliminated(rows, row)
            self.dimension += 1
        self._rest = rest
        self.codimension = _rank(rest, p)
        """Dimension of what the pool and the space span, modulo the space."""
        self._packed = self._bits() if p == 2 and self.codimension < 64 else None
        self.spans = _rank(self.pool, p) == self.codimension + self.dimension

    def _bits(self) -> np.ndarray:
        """The rests of the pool as words: as many independent coordinates as the rests have."""
        words = np.zeros(len(self._rest), dtype=np.uint64)
        left = self._rest.T.copy()
        for bit in range(self.codimension):
            column = left[np.flatnonzero(left.any(axis=1))[0]].copy()
            words |= column.astype(np.uint64) << np.uint64(bit)
            left = self._eliminated(left, column)
        return words

    def search(
        self, r: int, rng: np.random.Generator, stop: Callable[[], bool], tries: int
    ) -> list[int] | None:
        """Places in the pool of at most r independent vectors whose span contains the space; None when none were met."""
        more = r - self.dimension
        if not self.spans or more < 0:
            return None
        if more >= self.codimension:
            return self._spanning(np.arange(len(self.pool)), self.dimension + self.codimension)
        if more == 0:
            return self._spanning(np.flatnonzero(~self._rest.any(axis=1)), r)
        for _ in range(tries):
            if stop():
                return None
            found = self._attempt(more, r, rng)
            if found is not None:
                return found
        return None

    def _attempt(self, more: int, r: int, rng: np.random.Generator) -> list[int] | None:
        inside, outside, group, counts = (
            self._choices(more, rng)
            if self._packed is None
            else self._packed_choices(self._packed, more, rng)
        )
        # Vectors with proportional rests come in together when one of them is the last choice.
        for g in np.flatnonzero(counts + len(inside) >= r):
            found = self._spanning(np.concatenate([inside, outside[group == g]]), r)
            if found is not None:
                return found
        return None

    def _choices(self, more: int, rng: np.random.Generator) -> Choices:
        """After random choices but the last: what is in their span, what is not, its groups and their sizes."""
        rest = self._rest
        for _ in range(more - 1):
            live = np.flatnonzero(rest.any(axis=1))
            if not live.size:
                break
            rest = self._eliminated(rest, rest[live[rng.integers(live.size)]].copy())
        zero = ~rest.any(axis=1)
        outside = np.flatnonzero(~zero)
        _, group, counts = np.unique(
            self._normalised(rest[outside]), axis=0, return_inverse=True, return_counts=True
        )
        return np.flatnonzero(zero), outside, group.ravel(), counts

    def _packed_choices(self, rest: np.ndarray, more: int, rng: np.random.Generator) -> Choices:
        """The same modulo 2, with the coordinates of a vector as the bits of a word."""
        for _ in range(more - 1):
            live = np.flatnonzero(rest)
            if not live.size:
                break
            row = rest[live[rng.integers(live.size)]]
            lowest = row & (~row + np.uint64(1))
            rest = np.where(rest & lowest, rest ^ row, rest)
        outside = np.flatnonzero(rest)
        _, group, counts = np.unique(rest[outside], return_inverse=True, return_counts=True)
        return np.flatnonzero(rest == 0), outside, group, counts

    def _spanning(self, members: np.ndarray, r: int) -> list[int] | None:
        """A basis among members of the pool whose span has dimension r; None when it is smaller."""
        rest = self.pool[members].copy()
        basis: list[int] = []
        for k, member in enumerate(members):
            if rest[k].any():
                basis.append(int(member))
                rest = self._eliminated(rest, rest[k].copy())
        return basis if len(basis) == r else None

    def _eliminated(self, matrix: Residues, row: Residues) -> Residues:
        """The matrix minus multiples of a row, such that the column of its first entry is zero."""
        column = int(np.flatnonzero(row)[0])
        row = row * pow(int(row[column]), -1, self.p) % self.p
        return (matrix - np.outer(matrix[:, column], row)) % self.p

    def _normalised(self, matrix: Residues) -> Residues:
        first = (matrix != 0).argmax(axis=1)
        lead = matrix[np.arange(len(matrix)), first]
        inverses = np.array([0, *(pow(x, -1, self.p) for x in range(1, self.p))])
        return (matrix * inverses[lead][:, None] % self.p).astype(np.uint8)


def _rank(matrix: Residues, p: int) -> int:
    rows = matrix.copy()
    rank = 0
    while (live := np.flatnonzero(rows.any(axis=1))).size:
        row = rows[live[0]]
        column = int(np.flatnonzero(row)[0])
        row = row * pow(int(row[column]), -1, p) % p
        rows = (rows - np.outer(rows[:, column], row)) % p
        rank += 1
    return rank
