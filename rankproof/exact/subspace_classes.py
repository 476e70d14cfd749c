"""Subspaces of a space of matrices over GF(p), in classes under its symmetries, and how many of each lie in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rankproof.exact.grassmannians import Subspaces, all_subspaces, orbits, points
from rankproof.exact.matrix_spaces import MatrixMap, identity_map, inverse

Residues = NDArray[np.int64]
Symmetry = tuple[MatrixMap, Residues]
"""A map of matrices, and how it acts on coordinates: v -> v * action."""

_GENERATORS = 3
"""Random words that stand for all symmetries, when they have the same orbits."""

_TRIALS = 5


class SubspaceClasses:
    """The non-zero subspaces of a space of matrices, up to symmetry.

    Parameters
    ----------
    space
        Independent matrices, shape (count, rows, columns).
    p
        A prime.
    symmetries
        Maps that take the space to itself, with their actions.
    rng
        For the choice of generators.

    Attributes
    ----------
    generators
        Symmetries with the same orbits as all of them.
    dimensions
        Dimension of the subspaces of every class; classes of smaller dimension come first, the whole space is the last.
    representatives
        Reduced echelon basis of one subspace of every class.
    counts
        How many subspaces of class j a subspace of class i contains: entry (i, j).
    """

    def __init__(
        self, space: Residues, p: int, symmetries: Sequence[Symmetry], rng: np.random.Generator
    ) -> None:
        self.space, self.p = space, p
        self.generators = _few(symmetries, len(space), p, rng)
        self._inverses = [inverse_of(generator, p) for generator in self.generators]
        m = len(space)
        self.tables = {k: Subspaces(m, p, k) for k in range(1, m + 1)}
        self._images: dict[int, list[NDArray[np.int32]]] = {}
        self._labels: dict[int, NDArray[np.int64]] = {}
        self.dimensions: list[int] = []
        self.representatives: list[Residues] = []
        for k, table in self.tables.items():
            self._images[k] = [table.images(action) for _, action in self.generators]
            least = orbits(self._images[k], len(table))
            places, labels = np.unique(least, return_inverse=True)
            self._labels[k] = labels + len(self.dimensions)
            self.dimensions += [k] * len(places)
            self.representatives += [table.bases[place].astype(np.int64) for place in places]
        self._hyperplanes: dict[int, NDArray[np.int64]] = {}
        self.counts = self._counted()
        self._reached: dict[int, tuple[NDArray[np.int32], NDArray[np.int8]]] = {}

    def __len__(self) -> int:
        return len(self.dimensions)

    def classes_of(self, bases: Residues) -> NDArray[np.int64]:
        """Classes of subspaces of one dimension, given by bases of shape (count, dimension, size of the space)."""
        k = bases.shape[1]
        return self._labels[k][self.tables[k].places(bases)]

    def inside(self, number: int, dimension: int) -> tuple[Residues, NDArray[np.int64]]:
        """All subspaces of one dimension of a representative, in its own coordinates, and their classes."""
        basis = self.representatives[number]
        local = all_subspaces(len(basis), self.p, dimension)
        return local, self.classes_of(local.astype(np.int64) @ basis % self.p)

    def hyperplanes(self, number: int) -> NDArray[np.int64]:
        """Classes of the largest proper subspaces of a representative, in the order of the points that vanish on them."""
        if number not in self._hyperplanes:
            basis = self.representatives[number]
            self._hyperplanes[number] = self.classes_of(_annihilated(len(basis), self.p) @ basis % self.p)
        return self._hyperplanes[number]

    def _counted(self) -> NDArray[np.int64]:
        total, place = len(self), np.array(self.dimensions)
        counts = np.eye(total)
        for k in range(2, len(self.space) + 1):
            level, below = np.flatnonzero(place == k), np.flatnonzero(place == k - 1)
            steps = np.zeros((len(level), len(below)))
            for row, number in zip(steps, level.tolist(), strict=True):
                np.add.at(row, self.hyperplanes(number) - below[0], 1)
            # A subspace of codimension e lies in so many hyperplanes. Numbers are small enough to be exact.
            lies = np.array([(self.p ** (k - d) - 1) // (self.p - 1) for d in place[: level[0]].tolist()])
            counts[level, : level[0]] = steps @ counts[below, : level[0]] / lies
        return counts.astype(np.int64)

    def carried(self, number: int, basis: Residues) -> Symmetry:
        """A symmetry that takes the representative of a class to another subspace of the class."""
        k = self.dimensions[number]
        (place,) = self.tables[k].places(basis[None])
        return self._along(number, int(place))

    def _path(self, number: int, place: int) -> list[int]:
        """Generators that lead from the representative of a class to a place, the last one first."""
        before, by = self._arrows(self.dimensions[number])
        path: list[int] = []
        while by[place] >= 0:
            path.append(int(by[place]))
            place = int(before[place])
        return path

    def _along(self, number: int, place: int) -> Symmetry:
        symmetry = self.identity()
        for generator in reversed(self._path(number, place)):
            symmetry = then(symmetry, self.generators[generator], self.p)
        return symmetry

    def _back(self, number: int, place: int) -> Symmetry:
        symmetry = self.identity()
        for generator in self._path(number, place):
            symmetry = then(symmetry, self._inverses[generator], self.p)
        return symmetry

    def identity(self) -> Symmetry:
        """The symmetry that moves nothing."""
        return identity_map(*self.space.shape[1:]), np.eye(len(self.space), dtype=np.int64)

    def _arrows(self, k: int) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """From where, and by which generator, every subspace is reached first: a forest, -1 at the representatives."""
        if k not in self._reached:
            before = np.full(len(self.tables[k]), -1, dtype=np.int32)
            by = np.full(len(before), -1, dtype=np.int8)
            bases = [b for b, d in zip(self.representatives, self.dimensions, strict=True) if d == k]
            last = self.tables[k].places(np.array(bases))
            fresh = np.ones(len(before), dtype=bool)
            fresh[last] = False
            while len(last):
                reached = []
                for generator, image in enumerate(self._images[k]):
                    after = image[last]
                    new = fresh[after]
                    reached.append(after[new])
                    fresh[reached[-1]] = False
                    before[reached[-1]], by[reached[-1]] = last[new], generator
                last = np.concatenate(reached) if reached else last[:0]
            self._reached[k] = before, by
        return self._reached[k]

    def stabilisers(self, number: int, rng: np.random.Generator, stop: Callable[[], bool]) -> list[Symmetry]:
        """Symmetries that fix a representative: all generators, or products of two ways to one subspace."""
        if self.dimensions[number] == len(self.space):
            return list(self.generators)
        k = self.dimensions[number]
        places = np.flatnonzero(self._labels[k] == number)
        found: dict[bytes, Symmetry] = {self.identity()[1].tobytes(): self.identity()}
        for _ in range(40 if self.generators else 0):
            if stop():
                break
            place = int(places[rng.integers(len(places))])
            generator = int(rng.integers(len(self.generators)))
            there = then(self._along(number, place), self.generators[generator], self.p)
            loop = then(there, self._back(number, int(self._images[k][generator][place])), self.p)
            found.setdefault(loop[1].tobytes(), loop)
        return list(found.values())[1:]


def then(first: Symmetry, second: Symmetry, p: int) -> Symmetry:
    """First one symmetry, then another."""
    return second[0].after(first[0], p), first[1] @ second[1] % p


def inverse_of(symmetry: Symmetry, p: int) -> Symmetry:
    """The symmetry that undoes another."""
    return symmetry[0].inverse(p), inverse(symmetry[1], p)


@cache
def _annihilated(k: int, p: int) -> Residues:
    """For every point of the dual space a basis of the hyperplane on which it vanishes."""
    found = []
    for point in points(k, p):
        place = int(np.flatnonzero(point)[0])
        basis = np.delete(np.eye(k, dtype=np.int64), place, axis=0)
        basis[:, place] = -np.delete(point, place) % p
        found.append(basis)
    return np.array(found)


def _few(symmetries: Sequence[Symmetry], m: int, p: int, rng: np.random.Generator) -> list[Symmetry]:
    """Some random words in the symmetries, if lines and hyperplanes have the same orbits under them; else all."""
    every = list(symmetries)
    if len(every) <= _GENERATORS:
        return every
    tables = [Subspaces(m, p, k) for k in {1, m - 1, min(2, m)} - {0}]

    def sizes(group: Sequence[Symmetry]) -> list[int]:
        return [len(np.unique(orbits([t.images(a) for _, a in group], len(t)))) for t in tables]

    wanted = sizes(every)
    for _ in range(_TRIALS):
        words = []
        for _ in range(_GENERATORS):
            word = every[int(rng.integers(len(every)))]
            for _ in range(4 * len(every)):
                word = then(word, every[int(rng.integers(len(every)))], p)
            words.append(word)
        if sizes(words) == wanted:
            return words
    return every
