"""Koszul flattenings: matrices of a target, wedged with one of its letters, whose rank bounds its border rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod

from rankproof.exact.flattening import Orders, residue, splitting_count, splittings, word_count
from rankproof.exact.rank_mod_p import ModularRank, connected_blocks, rank_mod_p
from rankproof.problem.target import Target

Projection = tuple[tuple[int, ...], ...]
"""Rows of an integer matrix, one column for every letter of a factor."""


@dataclass(frozen=True)
class Shape:
    """Which Koszul flattening.

    Attributes
    ----------
    factor
        The factor of the space that gives up a letter.
    wedge
        Exterior power on the row side.
    orders
        For every factor, how many of the letters that are left go to the row side.
    projection
        Where the letter goes before it is wedged; None for the identity.
    """

    factor: int
    wedge: int
    orders: Orders
    projection: Projection | None = None

    def dimension(self, target: Target) -> int:
        """Dimension of the space whose exterior powers are taken."""
        return target.space.factors[self.factor][0] if self.projection is None else len(self.projection)

    def opposite(self, target: Target) -> Orders:
        """How many letters of every factor go to the column side."""
        powers = [d - (i == self.factor) for i, (_, d) in enumerate(target.space.factors)]
        return tuple(d - s for d, s in zip(powers, self.orders, strict=True))


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
    The target becomes a matrix of vectors: row u and column v hold the sum over the letters x of the image of x times the
    coefficient of u v in the derivative of the target by x. A vector e stands for the matrix of the wedge product
    with e, from the exterior power `wedge` to the next. On a power of a linear form, or a product of vectors, both parts
    have small rank: C(a-1, wedge) for the wedge product in dimension a, and 1 for the matrix [1]_.

    References
    ----------
    .. [1] Landsberg, Ottaviani, *New lower bounds for the border rank of matrix multiplication*, Theory of Computing 11 (2015).

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> koszul(read_targets("x*y*z")[0], Shape(0, 0, (1,)), 7) == {0: {5: 1, 7: 1}, 1: {2: 1, 6: 1}, 2: {1: 1, 3: 1}}
    True
    """
    a = shape.dimension(target)
    wedge = _wedge_table(a, shape.wedge)
    pairs = list(zip(target.space.factors, shape.orders, shape.opposite(target), strict=True))
    row_count = prod(word_count(n, s) for (n, _), s, _ in pairs)
    column_count = prod(word_count(n, s) for (n, _), _, s in pairs)
    rows: dict[int, dict[int, int]] = {}
    for (u, v), vector in _vectors(target, shape, p, root).items():
        for i, x in vector.items():
            for subset, larger, sign in wedge[i] if x else ():
                rows.setdefault(subset * row_count + u, {})[larger * column_count + v] = (
                    x if sign > 0 else p - x
                )
    return rows


def _vectors(target: Target, shape: Shape, p: int, root: int | None) -> dict[tuple[int, int], dict[int, int]]:
    """Vectors in the exterior space by numbers of row and column word."""
    factors = target.space.factors
    starts = [sum(d for _, d in factors[:i]) for i in range(len(factors))]
    columns = target.space.factors[shape.factor][0]
    images = [_image(shape.projection, x, p) for x in range(columns)]
    opposite = shape.opposite(target)
    row_sizes = [word_count(n, s) for (n, _), s in zip(factors, shape.orders, strict=True)]
    column_sizes = [word_count(n, s) for (n, _), s in zip(factors, opposite, strict=True)]
    found: dict[tuple[int, int], dict[int, int]] = {}
    for word, coefficient in target.entries:
        value = residue(coefficient, p, root)
        pieces = [word[start : start + d] for start, (_, d) in zip(starts, factors, strict=True)]
        ways = [
            splittings(piece, s, n) if i != shape.factor else []
            for i, (piece, s, (n, _)) in enumerate(zip(pieces, shape.orders, factors, strict=True))
        ]
        given = pieces[shape.factor]
        for x in dict.fromkeys(given):
            place = given.index(x)
            rest = given[:place] + given[place + 1 :]
            ways[shape.factor] = splittings(rest, shape.orders[shape.factor], columns)
            for choice in product(*ways):
                i = j = 0
                weight = value * given.count(x)
                for (u, v, binomial), row_size, column_size in zip(
                    choice, row_sizes, column_sizes, strict=True
                ):
                    i, j, weight = i * row_size + u, j * column_size + v, weight * binomial % p
                vector = found.setdefault((i, j), {})
                for k, y in images[x]:
                    vector[k] = (vector.get(k, 0) + weight * y) % p
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
    """At most how many places the matrix fills, counted without building it."""
    a = shape.dimension(target)
    images = [
        1 if shape.projection is None else sum(1 for row in shape.projection if row[x])
        for x in range(target.space.factors[shape.factor][0])
    ]
    total = 0
    for word, _ in target.entries:
        ways, given, start = 1, word, 0
        for i, ((_, d), s) in enumerate(zip(target.space.factors, shape.orders, strict=True)):
            piece = word[start : start + d]
            start += d
            if i == shape.factor:
                given = piece
            else:
                ways *= splitting_count(piece, s)
        for x in dict.fromkeys(given):
            place = given.index(x)
            rest = given[:place] + given[place + 1 :]
            total += ways * images[x] * splitting_count(rest, shape.orders[shape.factor])
    return total * comb(a - 1, shape.wedge)


@dataclass(frozen=True)
class TooLong:
    """An elimination that was not begun.

    Attributes
    ----------
    operations
        How many multiplications it would take.
    """

    operations: int


@lru_cache(maxsize=512)
def koszul_rank(
    target: Target, shape: Shape, p: int, root: int | None = None, most: int | None = None
) -> ModularRank | TooLong:
    """Rank of a Koszul flattening modulo p, block by block, remembered.

    Parameters
    ----------
    target, shape, p, root
        As for `koszul`.
    most
        Multiplications that may be spent: blocks whose dense elimination takes more in all are left alone.
    """
    blocks = connected_blocks(koszul(target, shape, p, root))
    if most is not None:
        operations = sum(_dense_operations(block) for block in blocks)
        if operations > most:
            return TooLong(operations)
    ranks = [rank_mod_p(block, p) for block in blocks]
    return ModularRank(
        sum(found.rank for found in ranks), operations=sum(found.operations for found in ranks)
    )


def _dense_operations(block: dict[int, dict[int, int]]) -> int:
    height = len(block)
    width = len({j for row in block.values() for j in row}) if height > 1 else 1
    return min(height, width) ** 2 * max(height, width) // 2
