"""Koszul flattenings: matrices of a target, wedged with some of its letters, whose rank bounds its border rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb, inf, prod
from typing import Any

from rankproof.exact.flattening import Orders, residue, splitting_count, splittings, word_count
from rankproof.exact.rank_mod_p import ModularRank, TooLong, connected_blocks, rank_mod_p
from rankproof.problem.target import Target

Projection = tuple[tuple[int, ...], ...]
"""Rows of an integer matrix, one column for every letter of a factor."""

Powers = Sequence[tuple[int, int]]
"""Dimensions and exterior powers."""

Tensors = dict[int, dict[int, dict[tuple[int, ...], int]]]
"""By numbers of row and column word: the tensor of the letters given up, in the coordinates of their images."""

Part = tuple[tuple[tuple[int, tuple[tuple[tuple[int, ...], Any], ...]], ...], ...]
"""A matrix of tensors: for every row its entries, each the number of a column and coordinates."""


@dataclass(frozen=True)
class Wedge:
    """One exterior power, onto which a letter of the target is wedged.

    Attributes
    ----------
    factor
        The factor of the space that gives up the letter.
    power
        The exterior power on the row side.
    projection
        Where the letter goes before it is wedged; None for the identity.
    """

    factor: int
    power: int
    projection: Projection | None = None

    def dimension(self, target: Target) -> int:
        """Dimension of the space whose exterior powers are taken."""
        return target.space.factors[self.factor][0] if self.projection is None else len(self.projection)


@dataclass(frozen=True)
class Shape:
    """Which Koszul flattening.

    Attributes
    ----------
    wedges
        The exterior powers.
    orders
        For every factor, how many of the letters that are left go to the row side.
    """

    wedges: tuple[Wedge, ...]
    orders: Orders

    @classmethod
    def single(cls, factor: int, power: int, orders: Orders, projection: Projection | None = None) -> Shape:
        """The shape with one exterior power."""
        return cls((Wedge(factor, power, projection),), orders)

    def opposite(self, target: Target) -> Orders:
        """How many letters of every factor go to the column side."""
        return opposite(target, [wedge.factor for wedge in self.wedges], self.orders)

    def powers(self, target: Target) -> Powers:
        """For every wedge the dimension and the exterior power."""
        return [(wedge.dimension(target), wedge.power) for wedge in self.wedges]

    def share(self, target: Target) -> int:
        """Rank of the product of the wedge maps of general vectors: what a power of a linear form has."""
        return prod(comb(wedge.dimension(target) - 1, wedge.power) for wedge in self.wedges)


def opposite(target: Target, wedged: Sequence[int], orders: Orders) -> Orders:
    """How many letters of every factor are left, where the factors `wedged` gave up one each, and `orders` were taken."""
    powers = [d - wedged.count(i) for i, (_, d) in enumerate(target.space.factors)]
    return tuple(d - s for d, s in zip(powers, orders, strict=True))


def koszul(target: Target, shape: Shape, p: int, root: int | None = None) -> dict[int, dict[int, int]]:
    r"""Matrix of a Koszul flattening modulo a prime.

    Parameters
    ----------
    target
        Over QQ, QQ(a) or the field with p elements.
    shape
        Which flattening.
    p
        The prime; it divides no denominator of the target.
    root
        For a target over QQ(a): the root of the minimal polynomial modulo p to which a is sent.

    Returns
    -------
    dict
        The non-zero entries by row and column.

    Notes
    -----
    The target becomes a matrix of tensors: row u and column v hold the sum, over one letter x for every wedge, of the tensor
    product of the images of the letters times the coefficient of u v in the derivative of the target by the letters. A
    product of vectors stands for the tensor product of the matrices of the wedge products with them, from one
    exterior power to the next. On a power of a linear form, or a product of vectors, all parts have small rank:
    C(a-1, power) for the wedge product in dimension a, and 1 for the matrix [1]_.

    References
    ----------
    .. [1] Landsberg, Ottaviani, *New lower bounds for the border rank of matrix multiplication*, Theory of Computing 11 (2015).

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> shape = Shape.single(0, 0, (1,))
    >>> koszul(read_targets("x*y*z")[0], shape, 7) == {0: {5: 1, 7: 1}, 1: {2: 1, 6: 1}, 2: {1: 1, 3: 1}}
    True
    """
    pairs = list(zip(target.space.factors, shape.orders, shape.opposite(target), strict=True))
    row_count = prod(word_count(n, s) for (n, _), s, _ in pairs)
    column_count = prod(word_count(n, s) for (n, _), _, s in pairs)
    tensors = _tensors(target, shape, p, root)
    return _wedged(tensors, (row_count, column_count), shape.powers(target), p)


def _wedged(tensors: Tensors, size: tuple[int, int], powers: Powers, p: int) -> dict[int, dict[int, int]]:
    """The matrix of the wedge products with tensors that are the entries of a matrix of the given size."""
    places: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    rows: dict[int, dict[int, int]] = {}
    for u, row in tensors.items():
        for v, tensor in row.items():
            for indices, x in tensor.items():
                if indices not in places:
                    places[indices] = _places(indices, powers)
                for subset, larger, sign in places[indices]:
                    cells = rows.setdefault(subset * size[0] + u, {})
                    cells[larger * size[1] + v] = x if sign > 0 else p - x
    return rows


def _parts(tensors: Mapping[Any, Mapping[Any, Mapping[tuple[int, ...], Any]]]) -> Counter[Part]:
    """The parts linked by no common row or column, each with the number of its copies up to the names of rows and columns."""
    found: Counter[Part] = Counter()
    for block in connected_blocks(tensors):
        names: dict[Any, int] = {}
        found[
            tuple(
                tuple(
                    (names.setdefault(v, len(names)), tuple(tensor.items())) for v, tensor in block[u].items()
                )
                for u in sorted(block)
            )
        ] += 1
    return found


def _tensors(target: Target, shape: Shape, p: int, root: int | None) -> Tensors:
    """What stands in the rows and columns of the words, before it is wedged."""
    factors = target.space.factors
    starts = [sum(d for _, d in factors[:i]) for i in range(len(factors))]
    row_sizes = [word_count(n, s) for (n, _), s in zip(factors, shape.orders, strict=True)]
    column_sizes = [word_count(n, s) for (n, _), s in zip(factors, shape.opposite(target), strict=True)]
    images = [
        [_image(wedge.projection, x, p) for x in range(factors[wedge.factor][0])] for wedge in shape.wedges
    ]
    found: Tensors = {}
    for word, coefficient in target.entries:
        value = residue(coefficient, p, root)
        pieces = [word[start : start + d] for start, (_, d) in zip(starts, factors, strict=True)]
        for letters, left, times in _given_up(pieces, shape.wedges):
            ways = [
                splittings(piece, s, n) for piece, s, (n, _) in zip(left, shape.orders, factors, strict=True)
            ]
            image = _product_image([image[x] for image, x in zip(images, letters, strict=True)])
            for choice in product(*ways):
                i, j, weight = 0, 0, value * times
                for (u, v, binomial), row_size, column_size in zip(
                    choice, row_sizes, column_sizes, strict=True
                ):
                    i, j, weight = i * row_size + u, j * column_size + v, weight * binomial % p
                tensor = found.setdefault(i, {}).setdefault(j, {})
                for indices, x in image:
                    tensor[indices] = (tensor.get(indices, 0) + weight * x) % p
    return {u: kept for u, row in found.items() if (kept := _without_zeros(row))}


def _without_zeros(row: dict[int, dict[tuple[int, ...], int]]) -> dict[int, dict[tuple[int, ...], int]]:
    """The entries that are not zero, with their coordinates that are not zero."""
    cleared = {v: {i: x for i, x in tensor.items() if x} for v, tensor in row.items()}
    return {v: tensor for v, tensor in cleared.items() if tensor}


def _given_up(
    pieces: list[tuple[int, ...]], wedges: tuple[Wedge, ...]
) -> list[tuple[tuple[int, ...], list[tuple[int, ...]], int]]:
    """The ways to take one letter for every wedge out of a word: letters, rest of the word, multiplicity."""
    found: list[tuple[tuple[int, ...], list[tuple[int, ...]], int]] = [((), pieces, 1)]
    for wedge in wedges:
        step: list[tuple[tuple[int, ...], list[tuple[int, ...]], int]] = []
        for letters, left, times in found:
            given = left[wedge.factor]
            for x in dict.fromkeys(given):
                place = given.index(x)
                rest = list(left)
                rest[wedge.factor] = given[:place] + given[place + 1 :]
                step.append(((*letters, x), rest, times * given.count(x)))
        found = step
    return found


def _product_image(images: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[tuple[int, ...], int]]:
    """The tensor product of vectors, with its non-zero coordinates by their indices."""
    return [(tuple(k for k, _ in choice), prod(x for _, x in choice)) for choice in product(*images)]


def _places(indices: tuple[int, ...], powers: Powers) -> list[tuple[int, int, int]]:
    """Row, column and sign of what basis vectors fill in the tensor product of the wedge maps (dimension, power)."""
    found = [(0, 0, 1)]
    for k, (a, power) in zip(indices, powers, strict=True):
        height, width, moves = comb(a, power), comb(a, power + 1), _wedge_table(a, power)[k]
        found = [
            (i * height + subset, j * width + larger, sign * more)
            for i, j, sign in found
            for subset, larger, more in moves
        ]
    return found


def _image(projection: Projection | None, x: int, p: int) -> list[tuple[int, int]]:
    if projection is None:
        return [(x, 1)]
    return [(k, row[x] % p) for k, row in enumerate(projection) if row[x] % p]


@lru_cache(maxsize=32)
def _wedge_table(a: int, size: int) -> list[list[tuple[int, int, int]]]:
    """For every e_i: number of a set without i, number of the set with i, and sign of sorting i into it."""
    numbers = {larger: k for k, larger in enumerate(combinations(range(a), size + 1))}
    table: list[list[tuple[int, int, int]]] = [[] for _ in range(a)]
    for k, subset in enumerate(combinations(range(a), size)):
        for i in set(range(a)).difference(subset):
            larger = tuple(sorted((*subset, i)))
            table[i].append((k, numbers[larger], 1 if larger.index(i) % 2 == 0 else -1))
    return table


def koszul_places(target: Target, shape: Shape) -> int:
    """At most how many places are filled to find the rank, counted without building the matrix."""
    widths = [
        [
            1 if wedge.projection is None else sum(1 for row in wedge.projection if row[x])
            for x in range(target.space.factors[wedge.factor][0])
        ]
        for wedge in shape.wedges
    ]
    given_up = _letters_given_up(target, tuple(wedge.factor for wedge in shape.wedges), shape.orders)
    total = sum(
        count * prod(width[x] for width, x in zip(widths, letters, strict=True))
        for letters, count in given_up.items()
    )
    return total * shape.share(target)


@lru_cache(maxsize=256)
def _letters_given_up(target: Target, wedged: tuple[int, ...], orders: Orders) -> Counter[tuple[int, ...]]:
    """How often which letters are wedged; for a tensor only in one of the parts that are copies of one another."""
    factors = target.space.factors
    found: Counter[tuple[int, ...]] = Counter()
    if target.space.is_tensor:
        tensors: dict[tuple[int, ...], dict[tuple[int, ...], dict[tuple[int, ...], Any]]] = {}
        for word, coefficient in target.entries:
            u = tuple(x for x, s in zip(word, orders, strict=True) if s)
            v = tuple(x for i, x in enumerate(word) if not orders[i] and i not in wedged)
            letters = tuple(word[i] for i in wedged)
            tensors.setdefault(u, {}).setdefault(v, {})[letters] = coefficient
        for part in _parts(tensors):
            found.update(letters for row in part for _, tensor in row for letters, _ in tensor)
        return found
    starts = [sum(d for _, d in factors[:i]) for i in range(len(factors))]
    wedges = tuple(Wedge(i, 0) for i in wedged)
    for word, _ in target.entries:
        pieces = [word[start : start + d] for start, (_, d) in zip(starts, factors, strict=True)]
        for letters, left, _ in _given_up(pieces, wedges):
            found[letters] += prod(splitting_count(piece, s) for piece, s in zip(left, orders, strict=True))
    return found


@lru_cache(maxsize=512)
def koszul_rank(
    target: Target, shape: Shape, p: int, root: int | None = None, most: float = inf
) -> ModularRank | None:
    """Rank of a Koszul flattening modulo p, block by block, remembered; of parts that are copies of one another one is built.

    Parameters
    ----------
    target, shape, p, root
        As for `koszul`.
    most
        Multiplications, counted as in the result, at which to give up and return None.
    """
    powers = shape.powers(target)
    rank = operations = 0
    for part, copies in _parts(_tensors(target, shape, p, root)).items():
        tensors = {u: {v: dict(tensor) for v, tensor in row} for u, row in enumerate(part)}
        width = 1 + max(v for row in part for v, _ in row)
        try:
            found = rank_mod_p(_wedged(tensors, (len(part), width), powers, p), p, most=most - operations)
        except TooLong:
            return None
        rank += copies * found.rank
        operations += found.operations
    return ModularRank(rank, operations=operations)
