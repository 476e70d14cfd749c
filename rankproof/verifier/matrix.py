"""Rank of a sparse matrix modulo a prime.

Three passes, none of which can change the rank: the matrix falls into blocks that share no column; in a block, pivots
that change few entries are eliminated on sparse rows; what is left, once that takes longer, is eliminated on rows packed into
one long integer each.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

from . import limits
from .refusal import Undecided

SparseRow = dict[Any, int]
"""Entries in 1..p-1 by column; a column may be named by anything."""

Entry = TypeVar("Entry")

CHEAP = 10
"""Entries that a pivot may change on sparse rows, however small the matrix."""

CELLS_A_CHANGE = 40
"""Cells of packed rows that are eliminated in the time of one change on sparse rows."""

SLOT = 64
"""Bits of a packed entry: room for products of two residues below 2^31, and for some sums of them."""


class Work:
    """Counts multiplications; beyond the declared limit the answer is undecided."""

    def __init__(self) -> None:
        self.done = 0

    def spend(self, operations: int) -> None:
        self.done += operations
        if self.done > limits.OPERATIONS:
            raise Undecided("limit-operations", "", f"the elimination exceeds {limits.OPERATIONS} operations")


def rank_modulo(rows: Sequence[SparseRow], p: int, work: Work | None = None) -> int:
    """Rank over GF(p) of a matrix given by rows ``{column: entry}`` with entries in 1..p-1.

    A rule that computes many ranks hands over one count of its work.
    """
    work = work or Work()
    rank = 0
    for block in blocks(rows):
        rank += eliminate_sparse(block, p, work)
        rank += dense_rank(list(block.values()), p, work)
    return rank


def blocks(rows: Sequence[dict[Any, Entry]]) -> list[dict[int, dict[Any, Entry]]]:
    """Copies of the rows by their numbers, in classes linked by common columns."""
    users: dict[Any, list[int]] = {}
    for i, row in enumerate(rows):
        for column in row:
            users.setdefault(column, []).append(i)
    found: list[dict[int, dict[Any, Entry]]] = []
    seen = [False] * len(rows)
    for start in range(len(rows)):
        if seen[start]:
            continue
        seen[start] = True
        block: dict[int, dict[Any, Entry]] = {}
        pending = [start]
        while pending:
            i = pending.pop()
            block[i] = dict(rows[i])
            for column in rows[i]:
                for other in users.pop(column, ()):
                    if not seen[other]:
                        seen[other] = True
                        pending.append(other)
        found.append(block)
    return found


def eliminate_sparse(rows: dict[int, SparseRow], p: int, work: Work) -> int:
    """Eliminate pivots while they change few entries, and return their number; the other rows stay in ``rows``.

    The pivot is in the shortest row, there in the column that the fewest rows use.
    """
    users: dict[Any, set[int]] = {}
    for i, row in rows.items():
        for column in row:
            users.setdefault(column, set()).add(i)
    queue = [(len(row), i) for i, row in rows.items()]
    heapify(queue)
    rank = 0
    while queue:
        length, i = heappop(queue)
        if i not in rows or len(rows[i]) != length:
            continue  # the row has changed since it was queued, and was queued again
        if not length:
            del rows[i]
            continue
        column = min(rows[i], key=lambda c: len(users[c]))
        if (length - 1) * (len(users[column]) - 1) > CHEAP + len(rows) * len(users) // CELLS_A_CHANGE:
            break
        pivot = rows.pop(i)
        for c in pivot:
            users[c].discard(i)
        rank += 1
        scale = p - pow(pivot.pop(column), -1, p)
        for j in users.pop(column):
            row = rows[j]
            work.spend(length)
            factor = row.pop(column) * scale % p
            for c, x in pivot.items():
                y = (row.get(c, 0) + factor * x) % p
                if not y:
                    del row[c]
                    users[c].discard(j)
                    continue
                if c not in row:
                    users[c].add(j)
                row[c] = y
            heappush(queue, (len(row), j))
        for c in pivot:
            if not users[c]:
                del users[c]
    return rank


def dense_rank(rows: Sequence[SparseRow], p: int, work: Work) -> int:
    """Rank by elimination on packed rows: entry k of a row stands in bits ``SLOT * k`` of one integer.

    A multiple of a whole pivot row is added with one multiplication of a long integer. Entries are reduced modulo p
    when all pivots have been added, and before a slot could overflow.
    """
    columns = {column: k for k, column in enumerate(dict.fromkeys(c for row in rows for c in row))}
    width, mask = len(columns), (1 << SLOT) - 1
    layout = struct.Struct(f"<{width}Q")
    # A residue and so many products of two residues fit into a slot.
    room = (mask - (p - 1)) // (p - 1) ** 2

    def pack(cells: Sequence[int]) -> int:
        return int.from_bytes(layout.pack(*cells), "little")

    def unpack(packed: int) -> list[int]:
        return [x % p for x in layout.unpack(packed.to_bytes(layout.size, "little"))]

    pivots: list[tuple[int, int]] = []
    for row in sorted(rows, key=len):
        cells = [0] * width
        for column, x in row.items():
            cells[columns[column]] = x
        packed, added = pack(cells), 0
        # A pivot row is zero in the columns of the pivots before it, so that one pass in this order clears them all.
        for place, pivot in pivots:
            x = (packed >> place & mask) % p
            if x:
                if added == room:
                    packed, added = pack(unpack(packed)), 0
                packed += (p - x) * pivot
                added += 1
        work.spend((len(pivots) + 1) * width)
        cells = unpack(packed)
        # The last of its cells: the integers of later pivots, and the shifts to the places of earlier ones, are shorter.
        last = next((k for k in reversed(range(width)) if cells[k]), None)
        if last is not None:
            scale = pow(cells[last], -1, p)
            pivots.append((SLOT * last, pack([x * scale % p for x in cells])))
            if len(pivots) == width:
                break
    return len(pivots)
