"""Which matrices of rank one, added to a space over GF(p), make one that is spanned by matrices of rank one.

A space of matrices lies in the span of r matrices of rank one exactly when so many of them, r less its dimension, can be added.

References
----------
Barbulescu, Detrey, Estibals, Zimmermann, *Finding optimal formulae for bilinear maps*, WAIFI 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from rankproof.exact.grassmannians import points, rref
from rankproof.exact.matrix_spaces import rank

Residues = NDArray[np.int64]

_MAX_BITS = 60
"""Of a vector modulo the space, written as one integer."""


class OutOfTime(Exception):
    """The search was stopped before its end."""


class Singles:
    """All matrices of rank one, up to scale, modulo a space of matrices.

    Parameters
    ----------
    space
        Independent matrices without superfluous rows and columns, shape (count, rows, columns).
    p
        A prime.

    Attributes
    ----------
    dimension
        Of the space.
    directions
        Number of lines modulo the space on which these matrices lie.
    """

    def __init__(self, space: Residues, p: int) -> None:
        self.p = p
        self.dimension, rows, columns = space.shape
        left, right = points(rows, p), points(columns, p)
        self.matrices = (left[:, None, :, None] * right[None, :, None, :] % p).reshape(-1, rows * columns)
        basis = rref(space.reshape(1, self.dimension, -1), p)[0]
        pivots = (basis != 0).argmax(axis=1)
        rest = (self.matrices - self.matrices[:, pivots] @ basis) % p
        rest = np.delete(rest, pivots, axis=1)
        self.codimension = rest.shape[1]
        self._digits = p ** np.arange(rest.shape[1], dtype=np.int64)
        heads = (
            rest[np.arange(len(rest)), (rest != 0).argmax(axis=1)]
            if rest.shape[1]
            else np.zeros(len(rest), int)
        )
        inverses = np.array([0, *(pow(x, -1, p) for x in range(1, p))])
        rest = rest * inverses[heads][:, None] % p
        codes, first, self._class, sizes = np.unique(
            rest @ self._digits, return_index=True, return_inverse=True, return_counts=True
        )
        zero = int(codes[0] == 0)
        self._codes, self._sizes = codes[zero:], sizes[zero:]
        self._zero = zero
        self._rests = rest[first[zero:]]
        self.inside = np.flatnonzero(self._class == 0) if zero else np.zeros(0, dtype=np.int64)
        self.directions = len(self._codes)

    @staticmethod
    def fit(space: Residues, p: int) -> bool:
        """Whether vectors modulo a space can be written as integers of a machine."""
        count, rows, columns = space.shape
        return (rows * columns - count) * p.bit_length() <= _MAX_BITS

    def choices(self, added: int) -> int:
        """How many sets of lines there are."""
        return comb(self.directions, added)

    def spanning(self, added: int, stop: Callable[[], bool]) -> list[int] | None:
        """Matrices of rank one that span the space and so many more, tried exhaustively.

        Parameters
        ----------
        added
            Number of matrices added, at most the codimension.
        stop
            Asked now and then whether to give up.

        Returns
        -------
        list or None
            Places of ``dimension + added`` independent matrices; None when there are none.

        Raises
        ------
        OutOfTime
            If stopped.
        """
        full = self.dimension + added
        if added == 0:
            return self._basis(self.inside, full)
        return self._extended(
            0, np.zeros((1, self.codimension), dtype=np.int64), len(self.inside), added, full, stop
        )

    def _extended(
        self, start: int, subspace: Residues, inside: int, left: int, full: int, stop: Callable[[], bool]
    ) -> list[int] | None:
        if stop():
            raise OutOfTime
        if left == 1:
            return self._last(start, subspace, inside, full)
        taken = set((subspace @ self._digits).tolist())
        for place in range(start, self.directions):
            if int(self._codes[place]) in taken:
                continue
            layer = (subspace + self._rests[place]) % self.p
            gained = int(self._sizes_of(layer).sum())
            multiples = [(subspace + c * self._rests[place]) % self.p for c in range(self.p)]
            found = self._extended(place + 1, np.vstack(multiples), inside + gained, left - 1, full, stop)
            if found is not None:
                return found
        return None

    def _last(self, start: int, subspace: Residues, inside: int, full: int) -> list[int] | None:
        """All directions at once: how many matrices of rank one each brings in."""
        totals = np.full(self.directions - start, inside)
        for vector in subspace:
            totals += self._sizes_of((self._rests[start:] + vector) % self.p)
        for place in np.flatnonzero(totals >= full) + start:
            larger = np.vstack([(subspace + c * self._rests[place]) % self.p for c in range(self.p)])
            if len(np.unique(larger @ self._digits)) < len(larger):
                continue
            found = self._basis(self._members(larger), full)
            if found is not None:
                return found
        return None

    def _places(self, rests: Residues) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Places of the lines of vectors, and which of them there are."""
        heads = rests[np.arange(len(rests)), (rests != 0).argmax(axis=1)]
        if self.p > 2:
            inverses = np.array([0, *(pow(x, -1, self.p) for x in range(1, self.p))])
            rests = rests * inverses[heads][:, None] % self.p
        codes = rests @ self._digits
        places = np.minimum(np.searchsorted(self._codes, codes), self.directions - 1)
        return places, self._codes[places] == codes

    def _sizes_of(self, rests: Residues) -> NDArray[np.int64]:
        places, there = self._places(rests)
        return np.where(there, self._sizes[places], 0)

    def _members(self, subspace: Residues) -> NDArray[np.int64]:
        """Places of all matrices of rank one in the space and a subspace of what it is taken modulo."""
        places, there = self._places(subspace)
        return np.concatenate([self.inside, np.flatnonzero(np.isin(self._class, places[there] + self._zero))])

    def _basis(self, members: NDArray[np.int64], full: int) -> list[int] | None:
        """Independent ones among matrices, if they have the full rank."""
        if len(members) < full:
            return None
        reduced = rref(self.matrices[members].T[None], self.p)[0]
        pivots = (reduced != 0).argmax(axis=1)[reduced.any(axis=1)]
        return members[pivots].tolist() if len(pivots) == full else None


def simple_rank(space: Residues, p: int) -> int:
    """Number of independent matrices."""
    return rank(space.reshape(len(space), -1), p)
