"""Solutions of linear systems modulo a prime that use few groups of unknowns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import flint
import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.int64]


class SolutionSpace:
    """All solutions X of A X = B modulo p, as X0 + K Y with free Y, to be narrowed down group by group.

    Parameters
    ----------
    matrix
        A, entries in 0..p-1, shape (equations, unknowns).
    sides
        B, shape (equations, number of right sides).
    p
        A prime below 2^31, so that products of residues stay in 64 bits.

    Attributes
    ----------
    particular
        One solution X0, shape (unknowns, right sides), or None when there is none.
    kernel
        K, shape (unknowns, dimension of the solutions of A X = 0).
    """

    def __init__(self, matrix: Residues, sides: Residues, p: int) -> None:
        self.p = p
        equations, unknowns = matrix.shape
        whole = np.concatenate([matrix, sides], axis=1)
        reduced, rank = flint.nmod_mat(equations, whole.shape[1], whole.ravel().tolist(), p).rref()
        rows = np.array([int(x) for x in reduced.entries()], dtype=np.int64).reshape(whole.shape)[:rank]
        pivots = [int(np.argmax(row != 0)) for row in rows]
        self.particular: Residues | None = None
        self.kernel = np.zeros((unknowns, 0), dtype=np.int64)
        if rank and pivots[-1] >= unknowns:
            return
        free = np.setdiff1d(np.arange(unknowns), pivots)
        self.particular = np.zeros((unknowns, sides.shape[1]), dtype=np.int64)
        self.particular[pivots] = rows[:, unknowns:]
        self.kernel = np.zeros((unknowns, len(free)), dtype=np.int64)
        self.kernel[pivots] = -rows[:, free] % p
        self.kernel[free, np.arange(len(free))] = 1

    def copy(self) -> SolutionSpace:
        """The same solutions, to be narrowed down separately."""
        twin = object.__new__(SolutionSpace)
        twin.p, twin.kernel = self.p, self.kernel
        twin.particular = self.particular
        return twin

    def forbid(self, unknowns: Sequence[int]) -> bool:
        """Keep the solutions in which these unknowns are zero; say whether any are left, and change nothing if not."""
        if self.particular is None:
            return False
        p, kernel, particular = self.p, self.kernel, self.particular
        for i in unknowns:
            row = kernel[i]
            used = np.flatnonzero(row)
            if len(used) == 0:
                if particular[i].any():
                    return False
                continue
            pivot = used[0]
            column = kernel[:, pivot] * pow(int(row[pivot]), -1, p) % p
            # Y is moved so that unknown i vanishes: a column operation on K and a shift of X0.
            particular = (particular - column[:, None] * particular[i][None, :]) % p
            rest = np.delete(kernel, pivot, axis=1)
            kernel = (rest - column[:, None] * rest[i][None, :]) % p
        self.kernel, self.particular = kernel, particular
        return True


def few_groups(space: SolutionSpace, groups: Sequence[Sequence[int]], order: Iterable[int]) -> list[int]:
    """Groups that suffice for a solution: in the given order every group is left out that can be.

    Parameters
    ----------
    space
        The solutions; it is not changed.
    groups
        Lists of unknowns.
    order
        In which order to try to leave groups out.

    Returns
    -------
    list
        The groups that are left; none of them can be left out any more.
    """
    narrowed = space.copy()
    kept = set(range(len(groups)))
    for g in order:
        if narrowed.forbid(groups[g]):
            kept.discard(g)
    return sorted(kept)
