"""Spaces of matrices over GF(p): maps between them, and bounds on how many matrices of rank one span them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.exact.grassmannians import points, ranks, rref

Residues = NDArray[Any]
"""Entries in 0..p-1."""

_ALL_LEFTS = 20_000
"""All invertible matrices are tried on one side when there are at most so many."""

_CELLS = 4_000_000
"""Cells of the systems that are solved together."""

_MAX_SLICES = 2_000
"""Combinations of slices among which products are looked for."""

_SPARE = 24
"""Random combinations of equations beyond the number of unknowns."""

_PER_LEFT = 3
"""Right sides that are kept for one left side."""

_MIXTURES = 12
"""Random combinations of solutions in which an invertible one is looked for."""


@dataclass(frozen=True, eq=False)
class MatrixMap:
    """X -> left X right, or left X^t right.

    Attributes
    ----------
    left, right
        Matrices with entries in 0..p-1.
    transposes
        Whether X is transposed first.
    """

    left: Residues
    right: Residues
    transposes: bool = False

    def after(self, other: MatrixMap, p: int) -> MatrixMap:
        """First the other map, then this one."""
        inner, outer = other.left, other.right
        if self.transposes:
            inner, outer = other.right.T, other.left.T
        return MatrixMap(self.left @ inner % p, outer @ self.right % p, self.transposes != other.transposes)

    def inverse(self, p: int) -> MatrixMap:
        """The map that takes it back; both sides are invertible."""
        left, right = inverse(self.left, p), inverse(self.right, p)
        return MatrixMap(right.T, left.T, True) if self.transposes else MatrixMap(left, right)

    def __call__(self, space: Residues, p: int) -> Residues:
        """Images of matrices, shape (count, rows, columns)."""
        moved = space.transpose(0, 2, 1) if self.transposes else space
        return self.left @ moved % p @ self.right % p


def identity_map(rows: int, columns: int) -> MatrixMap:
    """X -> X."""
    return MatrixMap(np.eye(rows, dtype=np.int64), np.eye(columns, dtype=np.int64))


def inverse(matrix: Residues, p: int) -> Residues:
    """Inverse of an invertible matrix modulo p."""
    n = len(matrix)
    return rref(np.hstack([matrix, np.eye(n, dtype=np.int64)])[None], p)[0][:, n:]


def null_space(matrix: Residues, p: int) -> Residues:
    """Basis of the vectors v with matrix v = 0, as rows.

    Examples
    --------
    >>> null_space(np.array([[1, 1, 0], [0, 0, 1]]), 3).tolist()
    [[2, 1, 0]]
    """
    return _solutions(rref(matrix[None], p)[0], p)


def coordinates(vectors: Residues, basis: Residues, p: int) -> Residues | None:
    """Rows of the first matrix as combinations of the independent rows of the second; None if they are not."""
    size = len(basis)
    tracked = rref(np.hstack([basis, np.eye(size, dtype=np.int64)])[None], p)[0]
    pivots = (tracked != 0).argmax(axis=1)
    found = vectors[:, pivots] @ tracked[:, -size:] % p
    return found if (found @ basis % p == vectors).all() else None


def concise(space: Residues, p: int) -> Residues:
    """The space without superfluous rows and columns."""
    count, rows, columns = space.shape
    kept = rref(space.reshape(count * rows, columns)[None], p)[0]
    right = (kept != 0).argmax(axis=1)[kept.any(axis=1)]
    kept = rref(space.transpose(0, 2, 1).reshape(count * columns, rows)[None], p)[0]
    left = (kept != 0).argmax(axis=1)[kept.any(axis=1)]
    return space[:, left][:, :, right]


def symmetries(
    space: Residues, p: int, rng: np.random.Generator, stop: Callable[[], bool] = lambda: False
) -> list[tuple[MatrixMap, Residues]]:
    """Maps that take a space of matrices to itself, with the matrices by which they act on its basis.

    Parameters
    ----------
    space
        Independent matrices, shape (count, rows, columns).
    p
        A prime.
    rng
        Chooses among several possible right sides.
    stop
        Asked now and then whether to return what was found so far.

    Returns
    -------
    list
        Not always all: left sides are taken from `_lefts`, and every map that acts differently is listed once.
    """
    found: dict[bytes, tuple[MatrixMap, Residues]] = {}
    count, rows, columns = space.shape
    size = count * rows * columns * (columns * columns + count * count)
    step = max(1, _CELLS // size)
    trivial = np.eye(count, dtype=np.int64).tobytes()
    for lefts in _lefts(rows, p):
        for start in range(0, len(lefts), step):
            if stop():
                break
            part = np.array(lefts[start : start + step])
            for transposes in (False, True) if rows == columns else (False,):
                solutions = _right_sides(part, space, transposes, p, rng)
                for left, basis in zip(part, solutions, strict=True):
                    for right, action in _invertible(basis, columns, count, p, rng):
                        map_ = MatrixMap(left, right, transposes)
                        if (map_(space, p) == combinations_of(action, space, p)).all():
                            found.setdefault(action.tobytes(), (map_, action))
        if len(found.keys() - {trivial}) > 1:
            break
    found.pop(trivial, None)
    return list(found.values())


def _right_sides(
    lefts: Residues, space: Residues, transposes: bool, p: int, rng: np.random.Generator
) -> list[Residues]:
    """For every left side a basis of the right sides, and actions with their sign changed, that go with it."""
    count, rows, columns = space.shape
    moved = lefts[:, None] @ (space.transpose(0, 2, 1) if transposes else space) % p
    # One equation for every entry of every image.
    unknowns = columns * columns + count * count
    system = np.zeros((len(lefts), count, rows, columns, unknowns), dtype=np.int8 if p < 8 else np.int64)
    for j in range(columns):
        system[:, :, :, j, j : columns * columns : columns] = moved
    for i in range(count):
        start = columns * columns + count * i
        system[:, i, :, :, start : start + count] = space.transpose(1, 2, 0)
    system = system.reshape(len(lefts), -1, unknowns)
    if system.shape[1] > 2 * (unknowns + _SPARE):
        # So many random combinations of the equations have, as good as surely, the same solutions.
        mixing = rng.integers(0, p, (unknowns + _SPARE, system.shape[1])).astype(np.float32)
        system = (mixing @ system.astype(np.float32) % p).astype(system.dtype)
    reduced = rref(system, p)
    return [_solutions(matrix.astype(np.int64), p) for matrix in reduced]


def _solutions(reduced: Residues, p: int) -> Residues:
    """Basis of the solutions of a homogeneous system in reduced row echelon form."""
    rows = reduced[reduced.any(axis=1)]
    pivots = (rows != 0).argmax(axis=1)
    free = np.setdiff1d(np.arange(reduced.shape[1]), pivots)
    basis = np.zeros((len(free), reduced.shape[1]), dtype=np.int64)
    basis[range(len(free)), free] = 1
    basis[:, pivots] = -rows[:, free].T % p
    return basis


def _invertible(
    basis: Residues, columns: int, count: int, p: int, rng: np.random.Generator
) -> list[tuple[Residues, Residues]]:
    """Some solutions with an invertible right side and an invertible action."""
    if not len(basis):
        return []
    trials = np.vstack([basis, rng.integers(0, p, (_MIXTURES, len(basis))) @ basis % p])
    right = trials[:, : columns * columns].reshape(-1, columns, columns)
    action = -trials[:, columns * columns :].reshape(-1, count, count) % p
    good = np.flatnonzero((ranks(right, p) == columns) & (ranks(action, p) == count))
    return [(right[k], action[k]) for k in good[:_PER_LEFT]]


def _lefts(size: int, p: int) -> Iterator[list[Residues]]:
    """Left sides to try: all if they are few; else likely ones, and then elementary ones if these gave nothing."""
    order = 1
    for i in range(size):
        order *= p**size - p**i
    if order <= _ALL_LEFTS:
        entries = np.array(list(product(range(p), repeat=size * size)), dtype=np.int64)
        every = entries.reshape(-1, size, size)
        yield list(every[ranks(every, p) == size])
        return
    unit = np.eye(size, dtype=np.int64)
    # x -> 1/x, x -> x + 1 and x -> g x on polynomials.
    likely = [unit, unit[::-1], np.array([[comb(i, j) % p for j in range(size)] for i in range(size)])]
    likely += [np.diag([pow(g, i, p) for i in range(size)]) for g in range(2, p)]
    for small in [d for d in range(2, size) if size % d == 0]:
        other = np.eye(size // small, dtype=np.int64)
        for elementary in _elementary(small, p):
            likely += [np.kron(elementary, other), np.kron(other, elementary)]
    yield likely
    yield list(_elementary(size, p))


def _elementary(size: int, p: int) -> Iterator[Residues]:
    unit = np.eye(size, dtype=np.int64)
    for i, j in permutations(range(size), 2):
        changed = unit.copy()
        changed[i, j] = 1
        yield changed
    for i, g in product(range(size), range(2, p)):
        changed = unit.copy()
        changed[i, i] = g
        yield changed


def product_slices(space: Residues, axis: int, p: int) -> tuple[Residues, int] | None:
    """Independent slices of rank one across a space, and the bound they give.

    Parameters
    ----------
    space
        Shape (count, rows, columns).
    axis
        1 for slices by rows, 2 for slices by columns.
    p
        A prime.

    Returns
    -------
    tuple or None
        Coefficients of the slices, and the bound of section 4 of the page of the rule ``cover``; None without such slices.
    """
    slices = space.transpose(axis, 0, 3 - axis)
    size = len(slices)
    if p**size > _MAX_SLICES:
        return None
    flat = slices.reshape(size, -1)
    every = points(size, p)
    values = (every @ flat % p).reshape(len(every), *slices.shape[1:])
    single = every[ranks(values, p) == 1]
    # Slices that are equal are one product; then the rest is taken from the slices themselves.
    chosen: list[Residues] = []
    spanned = 0
    for vector in single:
        if spanned < rank(np.vstack([*chosen, vector]) @ flat % p, p):
            chosen.append(vector)
            spanned += 1
    if not chosen:
        return None
    vectors = np.array(chosen)
    return vectors, products_bound(slices, (vectors @ flat % p).reshape(-1, *slices.shape[1:]), p)


def products_bound(slices: Residues, products: Residues, p: int) -> int:
    """Number of products, and the least that the other slices need whatever multiples of products are added."""
    flat = products.reshape(len(products), -1)
    spanned, others = len(products), []
    for matrix in slices:
        larger = np.vstack([flat, matrix.reshape(1, -1)])
        if rank(larger, p) > spanned:
            flat, spanned = larger, spanned + 1
            others.append(matrix)
    if not others:
        return len(products)
    rest = np.array(others)
    sides = (products, rest), (products.transpose(0, 2, 1), rest.transpose(0, 2, 1))
    return len(products) + max(len(others), *(_rows_left(*side, p) for side in sides))


def _rows_left(products: Residues, others: Residues, p: int) -> int:
    width = products.shape[2]
    untouched = null_space(np.hstack(list(products)).T, p)
    kept = (untouched @ others % p).reshape(-1, width)
    taken = np.vstack([kept, products.reshape(-1, width)])
    return rank(kept, p) + rank(np.vstack([taken, others.reshape(-1, width)]), p) - rank(taken, p)


def rank(matrix: Residues, p: int) -> int:
    """Rank of one matrix modulo p."""
    return int(ranks(matrix[None], p)[0]) if matrix.size else 0


def combinations_of(coefficients: Sequence[Sequence[int]] | Residues, space: Residues, p: int) -> Residues:
    """Linear combinations of matrices, one a row of coefficients."""
    return np.tensordot(np.asarray(coefficients, dtype=np.int64), space, axes=(1, 0)) % p
