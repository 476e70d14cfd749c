"""All subspaces of a small vector space over GF(p), in tables, and what linear maps do to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[Any]
"""Entries in 0..p-1, of a type in which p * p fits."""

_CHUNK = 1 << 20
"""Vectors of subspaces that are numbered together: arrays of a few megabytes."""


def rref(matrices: Residues, p: int) -> Residues:
    """Reduced row echelon forms of many matrices of one shape, rows of zeros last.

    Parameters
    ----------
    matrices
        Entries in 0..p-1, shape (count, rows, columns).
    p
        A prime.

    Examples
    --------
    >>> rref(np.array([[[0, 1], [1, 1]]]), 2)
    array([[[1, 0],
            [0, 1]]])
    """
    a = matrices.copy()
    count, rows, columns = a.shape
    place = np.arange(count)
    rank = np.zeros(count, dtype=np.int64)
    inverses = np.array([0, *(pow(x, -1, p) for x in range(1, p))], dtype=a.dtype)
    below = np.arange(rows)
    for c in range(columns):
        usable = (a[:, :, c] != 0) & (below >= rank[:, None])
        found = usable.any(axis=1)
        if not found.any():
            continue
        n, r = place[found], rank[found]
        pivot = usable[found].argmax(axis=1)
        row = a[n, pivot]
        a[n, pivot] = a[n, r]
        row = row * inverses[row[:, c]][:, None] % p
        # With the row itself put back afterwards, its own elimination does no harm.
        chosen = a[n]
        chosen = (chosen + (p - chosen[:, :, c, None]) * row[:, None, :]) % p
        chosen[np.arange(len(n)), r] = row
        a[n] = chosen
        rank[n] += 1
    return a


def ranks(matrices: Residues, p: int) -> NDArray[np.int64]:
    """Ranks of many matrices of one shape.

    Examples
    --------
    >>> ranks(np.array([[[0, 1], [1, 1]], [[2, 1], [1, 2]]]), 3)
    array([2, 1])
    """
    if matrices.shape[1] > matrices.shape[2]:
        matrices = matrices.transpose(0, 2, 1)
    return (rref(matrices, p) != 0).any(axis=2).sum(axis=1)


def points(dimension: int, p: int) -> Residues:
    """One vector on every line through the origin: the first coordinate that is not zero is 1.

    Examples
    --------
    >>> points(2, 3).tolist()
    [[1, 0], [1, 1], [1, 2], [0, 1]]
    """
    found = []
    for place in range(dimension):
        rest = vectors(dimension - place - 1, p)
        head = np.zeros((len(rest), place + 1), dtype=np.int64)
        head[:, place] = 1
        found.append(np.hstack([head, rest]))
    return np.vstack(found)


def vectors(dimension: int, p: int) -> Residues:
    """All vectors, in lexicographic order."""
    digits = p ** np.arange(dimension - 1, -1, -1, dtype=np.int64)
    return np.arange(p**dimension)[:, None] // digits % p


def subspace_count(dimension: int, p: int, size: int | None = None) -> int:
    """Number of subspaces of a vector space, of one dimension or of all.

    Examples
    --------
    >>> subspace_count(4, 2), subspace_count(4, 2, 2)
    (67, 35)
    """
    if size is None:
        return sum(subspace_count(dimension, p, k) for k in range(dimension + 1))
    upper = lower = 1
    for i in range(size):
        upper *= p ** (dimension - i) - 1
        lower *= p ** (i + 1) - 1
    return upper // lower


@cache
def all_subspaces(dimension: int, p: int, size: int) -> Residues:
    """Reduced echelon bases of all subspaces of one dimension, shape (count, size, dimension).

    Examples
    --------
    >>> all_subspaces(2, 2, 1).tolist()
    [[[1, 0]], [[1, 1]], [[0, 1]]]
    """
    parts = []
    for pivots in combinations(range(dimension), size):
        free = [(i, c) for i in range(size) for c in range(pivots[i] + 1, dimension) if c not in pivots]
        number = np.arange(p ** len(free), dtype=np.int32)
        part = np.zeros((len(number), size, dimension), dtype=np.int8)
        part[:, range(size), pivots] = 1
        for i, c in reversed(free):
            part[:, i, c] = number % p
            number //= p
        parts.append(part)
    return np.concatenate(parts)


class Subspaces:
    """The table of all subspaces of one dimension, and the place of a subspace in it.

    Parameters
    ----------
    dimension
        Dimension of the whole space.
    p
        A prime.
    size
        Dimension of the subspaces.

    Attributes
    ----------
    bases
        Reduced echelon bases, shape (count, size, dimension).
    """

    def __init__(self, dimension: int, p: int, size: int) -> None:
        self.p, self.size = p, size
        self.bases = all_subspaces(dimension, p, size)
        self._digits = p ** np.arange(dimension - 1, -1, -1, dtype=np.int64)
        self._vectors = vectors(dimension, p)
        # Every line has a random number, and a subspace the sum modulo 2^64 of those of its lines, in whatever basis it is
        # given. Two subspaces with one sum are noticed here.
        lines = points(dimension, p)
        numbers = np.random.default_rng(20).integers(0, 2**64, len(lines), dtype=np.uint64)
        self._numbers = np.zeros(len(self._vectors), dtype=np.uint64)
        for c in range(1, p):
            self._numbers[c * lines % p @ self._digits] = numbers
        sums = self._sums(self.bases, self._numbers)
        self._order = np.argsort(sums).astype(np.int32)
        self._sorted = sums[self._order]
        if (self._sorted[1:] == self._sorted[:-1]).any():
            raise ArithmeticError("two subspaces have one sum")

    def __len__(self) -> int:
        return len(self.bases)

    def _sums(self, bases: Residues, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Sums over the lines of subspaces, given by any bases."""
        total = np.zeros(len(bases), dtype=np.uint64)
        step = _CHUNK // self.p**self.size + 1
        for start in range(0, len(bases), step):
            codes = self._lines(bases[start : start + step])
            total[start : start + step] = numbers[codes].sum(axis=0, dtype=np.uint64)
        return total

    def _lines(self, bases: Residues) -> NDArray[np.int64]:
        """A vector on every line of subspaces, as the number whose digits to the base p it is; shape (lines, count)."""
        if self.p > 2:
            combined = points(self.size, self.p).astype(np.float64) @ bases % self.p
            return (combined @ self._digits).astype(np.int64).T
        rows = (bases @ self._digits).T
        codes = np.zeros((1, len(bases)), dtype=np.int64)
        for row in rows:
            codes = np.concatenate([codes, codes ^ row])
        return codes[1:]

    def places(self, bases: Residues) -> NDArray[np.int32]:
        """Places in the table of subspaces given by any bases, shape (count, size, dimension)."""
        return self._order[np.searchsorted(self._sorted, self._sums(bases, self._numbers))]

    def images(self, action: Residues) -> NDArray[np.int32]:
        """For every subspace the place of its image under v -> v * action, an invertible matrix."""
        sums = self._sums(self.bases, self._numbers[self._vectors @ action % self.p @ self._digits])
        # All subspaces are images, each once: sorted, the sums are those of the table.
        found = np.empty_like(self._order)
        found[np.argsort(sums)] = self._order
        return found


def orbits(images: Sequence[NDArray[Any]], count: int) -> NDArray[np.int64]:
    """The least place in the orbit of every place, under permutations given by their images.

    Examples
    --------
    >>> orbits([np.array([1, 2, 0, 4, 3])], 5).tolist()
    [0, 0, 0, 3, 3]
    """
    label = np.arange(count)
    while True:
        before = label.copy()
        for image in images:
            # Both ends of an arrow get the smaller label.
            smaller = np.minimum(label, label[image])
            label = smaller.copy()
            label[image] = np.minimum(label[image], smaller)
        label = label[label]
        if (label == before).all():
            return label
