"""Lower bounds on the widths of all subspaces of a space of matrices over GF(p), each from those of smaller ones.

The theorem is on the page of the rule ``cover``: weights on subspaces, no more than 1 on those where any given linear
function does not vanish, add up to a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from rankproof.exact.grassmannians import points, ranks
from rankproof.exact.matrix_spaces import combinations_of, concise, product_slices
from rankproof.exact.subspace_classes import SubspaceClasses, Symmetry
from rankproof.numeric.linear_programs import packing

Residues = NDArray[np.int64]

DENOMINATORS = (1, 12, 60, 840, 27_720, 10**6)
"""Weights found in floating point are rounded to fractions with denominators up to these, the shortest that do."""

_MARGIN = 1e-6
"""Of a value in floating point; what it suggests is decided by exact weights."""


@dataclass(frozen=True)
class Products:
    """Slices of rank one across the space: axis 1 or 2, and their coefficients."""

    axis: int
    vectors: Residues

    def classes(self) -> set[int]:
        """Other classes that the bound rests upon."""
        return set()


@dataclass(frozen=True)
class Weights:
    """Weights of classes of subspaces, the same for every subspace of a class."""

    weights: dict[int, Fraction]

    def classes(self) -> set[int]:
        """Other classes that the bound rests upon."""
        return set(self.weights)


Leaf = list[tuple[Residues, Fraction]]
"""Subspaces, by reduced bases in the coordinates of the whole, with weights."""


@dataclass(frozen=True)
class Trees:
    """For every orbit of points a tree of cases in preorder: a point is a branch.

    The symmetries are those under which the points have these orbits; the demands are the bounds of the classes of the
    subspaces with weights.
    """

    symmetries: list[Symmetry]
    cases: list[tuple[Residues, list[Residues | Leaf]]]
    demands: dict[int, int]

    def classes(self) -> set[int]:
        """Other classes that the bound rests upon."""
        return set(self.demands)

    def length(self) -> int:
        """Subspaces with weights, in all leaves."""
        return sum(len(entry) for _, tree in self.cases for entry in tree if isinstance(entry, list))


@dataclass(frozen=True)
class Simple:
    """Ranks of flattenings, or the average rank."""

    def classes(self) -> set[int]:
        """Other classes that the bound rests upon."""
        return set()


Why = Simple | Products | Weights | Trees


Snapshot = list[tuple[int, Why]]
"""Bounds of all classes, with reasons."""


class Covers:
    """Bounds on the widths of all classes of subspaces.

    Parameters
    ----------
    classes
        The classes.
    stop
        Asked before every class whether time is over; later classes keep their simple bounds.

    Attributes
    ----------
    bounds
        A lower bound for every class.
    reasons
        Why, for every class.
    """

    def __init__(self, classes: SubspaceClasses, stop: Callable[[], bool]) -> None:
        self.classes, self.p = classes, classes.p
        every = points(len(classes.space), self.p)
        self._rank_of_line = ranks(combinations_of(every, classes.space, self.p), self.p)
        self._line = {tuple(point): i for i, point in enumerate(every.tolist())}
        self.bounds: list[int] = []
        self.reasons: list[Why] = []
        self._floors: Snapshot = []
        self._critical: list[bool] = []
        for number in range(len(classes)):
            self.bounds.append(self._simple(number))
            self.reasons.append(Simple())
            self._critical.append(True)
            if classes.dimensions[number] > 1 and not stop():
                self._products(number)
            self._floors.append((self.bounds[number], self.reasons[number]))
            if classes.dimensions[number] > 1 and not stop():
                self.cover(number)
            self._mark(number)

    def is_critical(self, number: int) -> bool:
        """Whether a class has a better bound than its proper subspaces; the others are of no use in a cover."""
        return self._critical[number]

    def set(self, number: int, bound: int, why: Why) -> None:
        """Use another bound if it is better."""
        if bound > self.bounds[number]:
            self.bounds[number], self.reasons[number] = bound, why
            self._mark(number)

    def suppose(self, number: int, bound: int) -> None:
        """Change a bound without a reason, to see what would follow."""
        self.bounds[number] = bound
        self._mark(number)

    def snapshot(self) -> Snapshot:
        """All bounds with their reasons."""
        return list(zip(self.bounds, self.reasons, strict=True))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to earlier bounds."""
        for number, (bound, why) in enumerate(snapshot):
            self.bounds[number], self.reasons[number] = bound, why
        for number in range(len(snapshot)):
            self._mark(number)

    def rebuild(self, trees: Mapping[int, tuple[int, Trees]], first: int) -> None:
        """Bounds from the given trees alone, for one class and all of larger dimension.

        Parameters
        ----------
        trees
            The bounds that they prove; one whose demands are no longer met is left out.
        first
            The class; only trees of its dimension and above may differ from what there was.
        """
        for number in range(len(self.classes)):
            if number != first and self.classes.dimensions[number] <= self.classes.dimensions[first]:
                continue
            self.bounds[number], self.reasons[number] = self._floors[number]
            if number in trees:
                bound, why = trees[number]
                if all(self.bounds[j] >= demand for j, demand in why.demands.items()):
                    self.set(number, bound, why)
            self._mark(number)
            self.cover(number)

    def cover_above(self, dimension: int) -> None:
        """Look for better weights for all classes of larger dimension."""
        for number, d in enumerate(self.classes.dimensions):
            if d > dimension:
                self._mark(number)
                self.cover(number)

    def _mark(self, number: int) -> None:
        inside = self.classes.hyperplanes(number).tolist() if self.classes.dimensions[number] > 1 else []
        self._critical[number] = self.bounds[number] > max((self.bounds[h] for h in set(inside)), default=0)

    def _simple(self, number: int) -> int:
        basis = self.classes.representatives[number]
        k = len(basis)
        lines = points(k, self.p) @ basis % self.p
        total = sum(self._rank_of_line[self._line[tuple(line)]] for line in lines.tolist())
        _, rows, columns = concise(combinations_of(basis, self.classes.space, self.p), self.p).shape
        return max(k, rows, columns, -(-int(total) // self.p ** (k - 1)))

    def _products(self, number: int) -> None:
        space = combinations_of(self.classes.representatives[number], self.classes.space, self.p)
        for axis in (1, 2):
            found = product_slices(space, axis, self.p)
            if found is not None:
                self.set(number, found[1], Products(axis, found[0]))

    def cover(self, number: int) -> None:
        """Use the best weights on smaller subspaces, if they improve the bound of a class."""
        if self.classes.dimensions[number] == 1:
            return
        counts, own = self.classes.counts, self.classes.counts[number]
        hyperplanes = np.unique(self.classes.hyperplanes(number))
        used = [j for j in np.flatnonzero(own).tolist() if j != number and self._critical[j]]
        loads = own[used] - counts[hyperplanes][:, used]
        gains = own[used] * np.array([self.bounds[j] for j in used])
        solved = packing(gains.astype(float), loads.astype(float), np.ones(len(hyperplanes)))
        if solved is None or solved.value <= self.bounds[number] + _MARGIN:
            return
        exact = rounded(solved.weights, loads, gains, ceil(solved.value - _MARGIN))
        if exact is not None:
            value = ceil(sum(int(gain) * y for gain, y in zip(gains, exact, strict=True)))
            self.set(number, value, Weights({j: y for j, y in zip(used, exact, strict=True) if y}))


def rounded(
    weights: Sequence[float] | NDArray[np.float64], loads: Residues, gains: Residues, wanted: int
) -> list[Fraction] | None:
    """Exact weights near the given ones, with all loads at most 1, for a total above ``wanted - 1``.

    Parameters
    ----------
    weights
        One number a column.
    loads
        Integers, shape (rows, columns).
    gains
        Integers, one a column.
    wanted
        What the total, rounded up, has to be.

    Examples
    --------
    >>> rounded([0.4999999, 0.5, 0.5000001], 1 - np.eye(3, dtype=int), np.array([1, 1, 1]), 2)
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]
    """
    for most in DENOMINATORS:
        exact = [Fraction(max(0.0, float(w))).limit_denominator(most) for w in weights]
        used = [k for k, y in enumerate(exact) if y]
        heaviest = max((sum(int(row[k]) * exact[k] for k in used) for row in loads), default=Fraction(0))
        if heaviest > 1:
            exact = [y / heaviest for y in exact]
        if sum(int(gains[k]) * exact[k] for k in used) > wanted - 1:
            return exact
    return None
