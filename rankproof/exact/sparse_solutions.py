"""Solutions of linear systems modulo a prime that use few groups of unknowns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.int64]
AnyResidues = NDArray[Any]

# One bit less than a double has: the entry that products are subtracted from takes part in the sum.
_EXACT_DOUBLE = 2**52


@dataclass(frozen=True)
class SolutionSpace:
    """All solutions X of A X = B modulo p, as X0 + K Y with free Y.

    Attributes
    ----------
    particular
        One solution X0, shape (unknowns, right sides).
    kernel
        K, shape (unknowns, dimension of the solutions of A X = 0).
    p
        The prime.
    """

    particular: Residues
    kernel: Residues
    p: int


def solution_space(matrix: Residues, sides: Residues, p: int) -> SolutionSpace | None:
    """All solutions of a linear system modulo p, or None when there is none.

    Parameters
    ----------
    matrix
        A, entries in 0..p-1, shape (equations, unknowns).
    sides
        B, shape (equations, right sides).
    p
        A prime below 2^31.
    """
    equations, unknowns = matrix.shape
    whole = np.concatenate([matrix, sides], axis=1)
    reduced, rank = flint.nmod_mat(equations, whole.shape[1], whole.ravel().tolist(), p).rref()
    rows = np.array([int(x) for x in reduced.entries()], dtype=np.int64).reshape(whole.shape)[:rank]
    pivots = [int(np.argmax(row != 0)) for row in rows]
    if rank and pivots[-1] >= unknowns:
        return None
    free = np.setdiff1d(np.arange(unknowns), pivots)
    particular = np.zeros((unknowns, sides.shape[1]), dtype=np.int64)
    particular[pivots] = rows[:, unknowns:]
    kernel = np.zeros((unknowns, len(free)), dtype=np.int64)
    kernel[pivots] = -rows[:, free] % p
    kernel[free, np.arange(len(free))] = 1
    return SolutionSpace(particular, kernel, p)


def few_groups(
    space: SolutionSpace,
    groups: Sequence[Sequence[int]],
    order: Iterable[int],
    stop: Callable[[], bool] = lambda: False,
) -> list[int]:
    """Groups that suffice for a solution: in the given order every group is left out that can be.

    Parameters
    ----------
    space
        The solutions.
    groups
        Lists of unknowns, which do not overlap.
    order
        In which order to try to leave groups out.
    stop
        Asked before every group; when it says so, no more groups are left out.

    Returns
    -------
    list
        The groups that are left; unless stopped, none of them can be left out any more.
    """
    order = list(order)
    p = space.p
    unknowns = [i for g in order for i in groups[g]]
    # K and X0 side by side: both change by the same column operations.
    rest = np.concatenate([space.kernel[unknowns], space.particular[unknowns]], axis=1)
    if max(len(group) for group in groups) * p * p < _EXACT_DOUBLE:
        rest = rest.astype(np.float64)
    dimension = space.kernel.shape[1]
    kept: list[int] = []
    for place, g in enumerate(order):
        if stop():
            return sorted([*kept, *order[place:]])
        # What is decided is not looked at again, so its rows are dropped.
        size = len(groups[g])
        block, rest = rest[:size].astype(np.int64), rest[size:]
        block, pivots = _echelon(block, p)
        if pivots and pivots[-1] >= dimension:
            kept.append(g)
            continue
        # The unknowns vanish when Y[pivots] = -block[:, sides] - block[:, others] Y[others].
        others = np.delete(np.arange(rest.shape[1]), pivots)
        rest = _subtract_product(rest[:, others], rest[:, pivots], block[:, others], p)
        dimension -= len(pivots)
    return sorted(kept)


def _echelon(block: Residues, p: int) -> tuple[Residues, list[int]]:
    """Reduced row echelon form of a matrix with few rows, without its zero rows, and the pivot columns."""
    block = block.copy()
    pivots: list[int] = []
    for place in range(len(block)):
        columns = np.flatnonzero(block[place:].any(axis=0))
        if len(columns) == 0:
            return block[:place], pivots
        column = int(columns[0])
        chosen = place + int(np.argmax(block[place:, column] != 0))
        block[[place, chosen]] = block[[chosen, place]]
        block[place] = block[place] * pow(int(block[place, column]), -1, p) % p
        others = block[:, column].copy()
        others[place] = 0
        block = (block - others[:, None] * block[place][None, :]) % p
        pivots.append(column)
    return block, pivots


def _subtract_product(matrix: AnyResidues, left: AnyResidues, right: Residues, p: int) -> AnyResidues:
    """matrix - left * right modulo p, in doubles when the matrices are doubles."""
    if matrix.dtype == np.float64:
        # Every entry is an integer below 2^53 in absolute value, so the sums are exact; the quotient may be off by one.
        difference = matrix - left @ right.astype(np.float64)
        difference -= np.floor(difference * (1.0 / p)) * p
        difference[difference < 0] += p
        difference[difference >= p] -= p
        return difference
    for k in range(left.shape[1]):
        matrix = (matrix - left[:, k, None] * right[k][None, :]) % p
    return matrix
