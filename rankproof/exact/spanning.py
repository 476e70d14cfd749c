"""Few vectors of a pool whose span contains given vectors, modulo a prime."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.int64]


class Pool:
    """Vectors to choose from, and what they are modulo a growing subspace W.

    W starts as the span of the wanted vectors. When it contains enough pool vectors to be their span, those vectors span
    the wanted ones. Adding one pool vector g to W brings in all pool vectors that are proportional to g modulo W.

    Parameters
    ----------
    pool
        Columns to choose from, entries in 0..p-1.
    wanted
        Columns to be spanned.
    p
        A prime below 2^31.

    References
    ----------
    Barbulescu, Detrey, Estibals, Zimmermann, *Finding optimal formulae for bilinear maps*, WAIFI 2012: they search all
    subspaces W; here W grows greedily, with restarts.
    """

    def __init__(self, pool: Residues, wanted: Residues, p: int) -> None:
        self.p = p
        self._pool = pool
        start = _Echelon(p)
        quotient = pool
        for k in range(wanted.shape[1]):
            if (row := start.reduced(wanted[:, k])) is not None:
                pivot = start.add(row)
                quotient = _eliminated(quotient, row, pivot, p)
        self.wanted_dimension = start.dimension
        self._start = quotient

    def grow(self, rng: np.random.Generator, limit: int, stop: Callable[[], bool]) -> list[int] | None:
        """Columns whose span contains the wanted vectors, along one random greedy path.

        Parameters
        ----------
        rng
            Chooses among equally good steps.
        limit
            None is returned when more columns than this would be needed ...
        stop
            ... or when this says so, asked before every step.
        """
        quotient, members = self._start, _Echelon(self.p)
        chosen: list[int] = []
        dimension = self.wanted_dimension
        classes = self._classes(quotient)
        chosen += members.add_columns(self._pool, classes.pop(b"", []))
        while members.dimension < dimension:
            if dimension >= limit or not classes or stop():
                return None
            best = self._best_class(classes, members, dimension, rng)
            group = classes[best]
            column = quotient[:, group[0]]
            pivot = int(np.flatnonzero(column)[0])
            row = column * pow(int(column[pivot]), -1, self.p) % self.p
            quotient = _eliminated(quotient, row, pivot, self.p)
            dimension += 1
            chosen += members.add_columns(self._pool, group)
            classes = self._classes(quotient)
            classes.pop(b"", [])
        return sorted(chosen)

    def _best_class(
        self, classes: dict[bytes, list[int]], members: _Echelon, dimension: int, rng: np.random.Generator
    ) -> bytes:
        """A class that raises the span of the pool vectors in W most, at random among equals."""
        best, candidates = 0, []
        most = dimension + 1 - members.dimension
        for key, group in classes.items():
            # No class can raise the span by more than its size, nor beyond W.
            if len(group) < best:
                continue
            gain = members.gain(self._pool, group, most) if len(group) > 1 else 1
            if gain > best:
                best, candidates = gain, []
            if gain == best:
                candidates.append(key)
        return candidates[int(rng.integers(len(candidates)))]

    def _classes(self, quotient: Residues) -> dict[bytes, list[int]]:
        """Columns by direction modulo W; those inside W have the empty key."""
        nonzero = quotient != 0
        inside = ~nonzero.any(axis=0)
        first = nonzero.argmax(axis=0)
        heads = quotient[first, np.arange(quotient.shape[1])]
        values, places = np.unique(heads, return_inverse=True)
        inverses = np.array([pow(int(h), -1, self.p) if h else 0 for h in values], dtype=np.int64)[places]
        normal = np.ascontiguousarray((quotient * inverses % self.p).T)
        classes: dict[bytes, list[int]] = {}
        for k, row in enumerate(normal):
            classes.setdefault(b"" if inside[k] else row.tobytes(), []).append(k)
        return classes


class _Echelon:
    """A subspace by an echelon basis with leading ones."""

    def __init__(self, p: int) -> None:
        self.p = p
        self._rows: list[tuple[int, Residues]] = []

    @property
    def dimension(self) -> int:
        return len(self._rows)

    def reduced(self, vector: Residues) -> Residues | None:
        """The vector modulo the subspace, with a leading one; None when it lies inside."""
        for pivot, row in self._rows:
            if vector[pivot]:
                vector = (vector - vector[pivot] * row) % self.p
        places = np.flatnonzero(vector)
        if len(places) == 0:
            return None
        return vector * pow(int(vector[places[0]]), -1, self.p) % self.p

    def add(self, row: Residues) -> int:
        """Add a reduced vector; return its pivot."""
        pivot = int(np.flatnonzero(row)[0])
        self._rows.append((pivot, row))
        return pivot

    def add_columns(self, pool: Residues, columns: Iterable[int]) -> list[int]:
        """Add columns of a matrix; return those that were independent."""
        independent: list[int] = []
        for k in columns:
            if (row := self.reduced(pool[:, k])) is not None:
                self.add(row)
                independent.append(k)
        return independent

    def gain(self, pool: Residues, columns: Iterable[int], most: int) -> int:
        """By how much columns would raise the dimension; counting stops at `most`."""
        trial = _Echelon(self.p)
        trial._rows = list(self._rows)
        gained = 0
        for k in columns:
            if (row := trial.reduced(pool[:, k])) is not None:
                trial.add(row)
                gained += 1
                if gained == most:
                    break
        return gained


def _eliminated(matrix: Residues, row: Residues, pivot: int, p: int) -> Residues:
    """Columns of a matrix modulo a vector with a one at the pivot."""
    return (matrix - row[:, None] * matrix[pivot][None, :] % p) % p
