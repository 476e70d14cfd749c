"""Tensors that are direct sums, Kronecker products or outer products of smaller ones in the bases they are given in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from rankproof.problem.field import Field, Scalar
from rankproof.problem.space import Word

Tensor = Mapping[Word, Scalar]

MAX_DIVISORS = 200
"""Ways to factor the dimensions that are tried."""


@dataclass(frozen=True)
class Block:
    """A summand: its coefficients, and for every factor the coordinates of the whole that its own are."""

    tensor: dict[Word, Scalar]
    places: tuple[tuple[int, ...], ...]

    @property
    def dims(self) -> tuple[int, ...]:
        """Dimensions of the summand."""
        return tuple(map(len, self.places))


def summands(tensor: Tensor) -> list[Block]:
    """The blocks of a direct sum: words that share an index are in one block, and unused indices are left out.

    Examples
    --------
    >>> [block.places for block in summands({(0, 2): 1, (1, 1): 1, (1, 3): 1})]
    [((0,), (2,)), ((1,), (1, 3))]
    """
    parent: dict[tuple[int, int], tuple[int, int]] = {}

    def root(x: tuple[int, int]) -> tuple[int, int]:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for word in tensor:
        first, *others = enumerate(word)
        for other in others:
            parent[root(other)] = root(first)
    groups: dict[tuple[int, int], list[Word]] = {}
    for word in tensor:
        groups.setdefault(root((0, word[0])), []).append(word)
    blocks: list[Block] = []
    for words in groups.values():
        places = tuple(tuple(sorted(set(column))) for column in zip(*words, strict=True))
        number = [{i: k for k, i in enumerate(place)} for place in places]
        own = {tuple(number[s][i] for s, i in enumerate(word)): tensor[word] for word in words}
        blocks.append(Block(own, places))
    return blocks


@dataclass(frozen=True)
class Pair:
    """Two tensors whose product is the whole: a Kronecker product with these dimensions, or an outer product."""

    left: dict[Word, Scalar]
    right: dict[Word, Scalar]
    left_dims: tuple[int, ...]
    right_dims: tuple[int, ...]


def kronecker_factors(tensor: Tensor, dims: Sequence[int], ring: Field) -> Pair | None:
    """The first way to write a tensor as a Kronecker product of two that are not of dimensions 1; None when there is none.

    Coordinate i*n + j of a factor is the pair (i, j), where n is the dimension on the right.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> kronecker_factors({(0, 2): 1, (1, 3): 1, (2, 0): 2, (3, 1): 2}, (4, 4), QQ).left
    {(0, 1): 1, (1, 0): 2}
    """
    if prod(dims) == 1 or sum(n > 1 for n in dims) < 2:
        return None
    choices = [[d for d in range(1, n + 1) if n % d == 0] for n in dims]
    if prod(map(len, choices)) > MAX_DIVISORS:
        return None
    for right in product(*choices):
        left = tuple(n // r for n, r in zip(dims, right, strict=True))
        if any(sum(n > 1 for n in part) < 2 for part in (left, right)):
            continue

        def split(word: Word, sizes: tuple[int, ...] = right) -> tuple[Word, Word]:
            pairs = [divmod(i, n) for i, n in zip(word, sizes, strict=True)]
            return tuple(i for i, _ in pairs), tuple(j for _, j in pairs)

        found = _factored({split(word): c for word, c in tensor.items()}, ring)
        if found is not None:
            return Pair(*found, left, right)
    return None


def outer_factors(tensor: Tensor, dims: Sequence[int], ring: Field) -> Iterator[tuple[tuple[int, ...], Pair]]:
    """Ways to write a tensor as an outer product, with the factors on the left; the rest is on the right.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> [left for left, _ in outer_factors({(0, 0, 1): 1, (0, 1, 1): 1}, (1, 2, 2), QQ)]
    [(0,), (0, 1), (0, 2)]
    """
    k = len(dims)
    for size in range(1, k):
        for others in combinations(range(1, k), size - 1):
            left = (0, *others)
            right = tuple(s for s in range(k) if s not in left)

            def split(word: Word, a: tuple[int, ...] = left, b: tuple[int, ...] = right) -> tuple[Word, Word]:
                return tuple(word[s] for s in a), tuple(word[s] for s in b)

            found = _factored({split(word): c for word, c in tensor.items()}, ring)
            if found is not None:
                pair = Pair(*found, tuple(dims[s] for s in left), tuple(dims[s] for s in right))
                yield left, pair


def _factored(
    matrix: Mapping[tuple[Word, Word], Scalar], ring: Field
) -> tuple[dict[Word, Scalar], dict[Word, Scalar]] | None:
    """A matrix of rank one as column times row; None when its rank is larger."""
    (row, column), pivot = next(iter(matrix.items()))
    inverse = ring.inverse(pivot)
    left = {u: ring.reduce(c * inverse) for (u, v), c in matrix.items() if v == column}
    right = {v: c for (u, v), c in matrix.items() if u == row}
    if len(left) * len(right) != len(matrix):
        return None
    if any(ring.reduce(left.get(u, 0) * right.get(v, 0)) != c for (u, v), c in matrix.items()):
        return None
    return left, right
