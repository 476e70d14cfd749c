"""Rank of a matrix modulo a word-size prime, and a submatrix that shows it.

Flattenings are mostly sparse and often fall into blocks. Blocks are split off first; inside a block, pivots with little fill are
eliminated on dictionaries until what is left is dense: small remains are left to python-flint, large ones to `dense_pivots`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf
from typing import TypeVar

import flint
import numpy as np

from rankproof.exact.dense_rank import LARGEST_PRIME, dense_pivots

Row = TypeVar("Row", bound=Hashable)
Column = TypeVar("Column", bound=Hashable)
Entry = TypeVar("Entry")

SparseRows = Mapping[int, Mapping[int, int]]
"""Non-zero entries by row, then by column, reduced modulo the prime."""

_DENSE_CELLS = 10_000
"""Blocks of at most this many cells go straight to the dense code: below it nothing sparse is faster."""

_FREE_FILL = 100
"""Multiplications on dictionaries in the time that the dense code takes for one pivot, however small the matrix."""

_CELLS_A_FILL = 4000
"""Cells of a dense matrix that a pivot changes in the time of one multiplication on dictionaries."""

SPARSE_WEIGHT = 20
"""Multiplications on packed rows in the time of one on sparse rows, in the verifier."""

_LARGE_SIDE = 120
"""Smaller side from which floating-point matrix products are faster than python-flint."""


@dataclass(frozen=True)
class ModularRank:
    """A rank modulo a prime.

    Attributes
    ----------
    rank
        The rank.
    rows, columns
        Increasing indices of a non-singular submatrix of that size, when asked for; otherwise empty.
    operations
        Roughly what the verifier will have to do: multiplications on packed rows. One on sparse rows takes as long as
        `SPARSE_WEIGHT` of them.
    """

    rank: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    operations: int = field(default=0, compare=False, repr=False)


class TooLong(Exception):
    """An elimination that was given up because it takes more multiplications than were allowed."""


def rank_mod_p(rows: SparseRows, p: int, *, pivots: bool = False, most: float = inf) -> ModularRank:
    """Rank of a sparse matrix over the field with p elements.

    Parameters
    ----------
    rows
        The non-zero entries in 1..p-1, by row and column. Rows without entries may be left out.
    p
        A prime below 2^31.
    pivots
        Whether to find the rows and columns of a non-singular submatrix of full rank as well.
    most
        Multiplications, counted as in the result, at which to give up.

    Returns
    -------
    ModularRank
        The rank, with the submatrix when asked for.

    Raises
    ------
    TooLong
        If more than `most` multiplications are needed.

    Examples
    --------
    >>> rank_mod_p({0: {0: 1, 1: 2}, 1: {0: 2, 1: 4}, 5: {7: 1}}, 5, pivots=True)
    ModularRank(rank=2, rows=(0, 5), columns=(0, 7))
    """
    rank, operations = 0, 0
    pivot_rows: list[int] = []
    pivot_columns: list[int] = []
    for block in connected_blocks(rows):
        found = _block_rank(block, p, pivots, most - operations)
        rank += found.rank
        operations += found.operations
        pivot_rows += found.rows
        pivot_columns += found.columns
    return ModularRank(rank, tuple(sorted(pivot_rows)), tuple(sorted(pivot_columns)), operations)


def connected_blocks(rows: Mapping[Row, Mapping[Column, Entry]]) -> list[dict[Row, dict[Column, Entry]]]:
    """Blocks of a matrix: the classes of rows linked by common columns, each with copies of its rows."""
    members: dict[Column, list[Row]] = {}
    for i, row in rows.items():
        for j in row:
            members.setdefault(j, []).append(i)
    blocks: list[dict[Row, dict[Column, Entry]]] = []
    seen: set[Row] = set()
    for start in rows:
        if start in seen or not rows[start]:
            continue
        seen.add(start)
        block: dict[Row, dict[Column, Entry]] = {}
        pending = [start]
        while pending:
            i = pending.pop()
            block[i] = dict(rows[i])
            for j in block[i]:
                # A column is followed once: its list is emptied when its rows have been reached.
                for other in members[j]:
                    if other not in seen:
                        seen.add(other)
                        pending.append(other)
                members[j] = []
        blocks.append(block)
    return blocks


def _block_rank(block: dict[int, dict[int, int]], p: int, pivots: bool, most: float) -> ModularRank:
    if len(block) == 1:
        ((i, row),) = block.items()
        return ModularRank(1, (i,), (next(iter(row)),)) if pivots else ModularRank(1)
    columns = {j for row in block.values() for j in row}
    if len(block) * len(columns) <= _DENSE_CELLS:
        return _dense_rank(block, p, pivots, most)
    return _sparse_rank(block, p, pivots, most)


def _dense_rank(block: Mapping[int, Mapping[int, int]], p: int, pivots: bool, most: float) -> ModularRank:
    names = sorted(block)
    columns = sorted({j for row in block.values() for j in row})
    position = {j: k for k, j in enumerate(columns)}
    width = len(columns)
    if min(len(names), width) * len(names) * width // 3 > most:
        raise TooLong
    if min(len(names), width) >= _LARGE_SIDE and p <= LARGEST_PRIME:
        residues = np.zeros((len(names), width), dtype=np.int64)
        for k, i in enumerate(names):
            residues[k, [position[j] for j in block[i]]] = list(block[i].values())
        chosen_rows, chosen_columns = dense_pivots(residues, p)
        rank = len(chosen_rows)
        found = tuple(names[k] for k in chosen_rows), tuple(columns[k] for k in chosen_columns)
        return ModularRank(rank, *(found if pivots else ()), operations=rank * residues.size // 3)
    cells = [0] * (len(names) * width)
    for k, i in enumerate(names):
        for j, value in block[i].items():
            cells[k * width + position[j]] = value
    matrix = flint.nmod_mat(len(names), width, cells, p)
    if not pivots:
        rank = matrix.rank()
        return ModularRank(rank, operations=rank * len(cells) // 3)
    chosen = _pivot_columns(matrix)
    # A basis of the rows and a basis of the columns always meet in a non-singular submatrix; the row basis
    # is found in the pivot columns alone, which is the smaller matrix.
    part = flint.nmod_mat(
        len(chosen), len(names), [cells[k * width + c] for c in chosen for k in range(len(names))], p
    )
    kept = _pivot_columns(part)
    shown = tuple(names[k] for k in kept), tuple(columns[c] for c in chosen)
    return ModularRank(len(chosen), *shown, len(chosen) * len(cells) // 3)


def _pivot_columns(matrix: flint.nmod_mat) -> list[int]:
    reduced, rank = matrix.rref()
    chosen: list[int] = []
    column = 0
    for i in range(rank):
        while not int(reduced[i, column]):
            column += 1
        chosen.append(column)
        column += 1
    return chosen


def _sparse_rank(rows: dict[int, dict[int, int]], p: int, pivots: bool, most: float) -> ModularRank:
    """Eliminate pivots of low fill in place, then hand the rest to the dense code."""
    members: dict[int, set[int]] = {}
    for i, row in rows.items():
        for j in row:
            members.setdefault(j, set()).add(i)
    rank, operations = 0, 0
    pivot_rows: list[int] = []
    pivot_columns: list[int] = []
    queue = [(len(row), i) for i, row in rows.items()]
    heapify(queue)
    while queue:
        length, i = heappop(queue)
        row = rows.get(i)
        if row is None or len(row) != length:
            # An outdated place in the queue: the row is gone, or was queued again when it changed.
            continue
        column = min(row, key=lambda j: (len(members[j]), j))
        if length * len(members[column]) > _FREE_FILL + len(rows) * len(members) // _CELLS_A_FILL:
            break
        pivot_rows.append(i)
        pivot_columns.append(column)
        rank += 1
        del rows[i]
        for j in row:
            members[j].discard(i)
        inverse = pow(row[column], -1, p)
        users = members.pop(column)
        operations += SPARSE_WEIGHT * len(row) * len(users)
        if operations > most:
            raise TooLong
        for other in users:
            target = rows[other]
            factor = -target.pop(column) * inverse % p
            for j, value in row.items():
                if j == column:
                    continue
                total = (target.get(j, 0) + factor * value) % p
                if total:
                    if j not in target:
                        members[j].add(other)
                    target[j] = total
                elif j in target:
                    del target[j]
                    members[j].discard(other)
            if target:
                heappush(queue, (len(target), other))
            else:
                del rows[other]
        for j in row:
            if j != column and not members[j]:
                del members[j]
    if rows:
        found = _dense_rank(rows, p, pivots, most - operations)
        rank += found.rank
        operations += found.operations
        pivot_rows += found.rows
        pivot_columns += found.columns
    if not pivots:
        return ModularRank(rank, operations=operations)
    return ModularRank(rank, tuple(pivot_rows), tuple(pivot_columns), operations)
