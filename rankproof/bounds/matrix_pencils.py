"""Pairs of matrices that a target contains: two slices of one of its factors, with everything else split into two sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from rankproof.exact.flattening import Orders
from rankproof.exact.kronecker_form import PencilBlock, Rows, kronecker_form
from rankproof.problem.field import Field, Scalar
from rankproof.problem.target import Target

MAX_SIDE = 12
"""Rows and columns of a pencil: its canonical form is found by exact elimination."""

MAX_PAIRS = 12
"""Pairs of slices tried for a factor with more than two."""

Images = tuple[tuple[int, ...], tuple[int, ...]]
"""Two combinations of the slices of a factor."""


@dataclass(frozen=True)
class Choice:
    """A letter of ``factor`` is replaced by its two images, and the other letters are split by ``orders``."""

    factor: int
    orders: Orders
    images: Images


def choices(target: Target, rng: np.random.Generator) -> Iterator[Choice]:
    """Factors of dimension 2 first, then pairs of slices of the others."""
    factors = target.space.factors
    for factor in sorted(range(len(factors)), key=lambda f: factors[f][0]):
        powers = [d - (i == factor) for i, (_, d) in enumerate(factors)]
        sides = [
            orders
            for orders in product(*(range(d + 1) for d in powers))
            if any(orders) and orders != tuple(powers)
        ]
        # A side and its complement give transposed matrices.
        halves = [s for s in sides if s >= tuple(d - x for d, x in zip(powers, s, strict=True))]
        n = factors[factor][0]
        if n >= 2:
            for orders in halves:
                yield from (Choice(factor, orders, images) for images in _images(n, rng))


def _images(n: int, rng: np.random.Generator) -> Iterator[Images]:
    if n == 2:
        yield (1, 0), (0, 1)
        return
    pairs = list(combinations(range(n), 2))
    if len(pairs) > MAX_PAIRS:
        pairs = [pairs[int(k)] for k in sorted(rng.permutation(len(pairs))[:MAX_PAIRS])]
    for i, j in pairs:
        yield tuple(int(k == i) for k in range(n)), tuple(int(k == j) for k in range(n))
    for _ in range(2):
        drawn = rng.integers(-2, 3, size=(2, n))
        yield tuple(map(int, drawn[0])), tuple(map(int, drawn[1]))


@dataclass(frozen=True)
class CanonicalForm:
    """The blocks of Kronecker's form of A + tB; A + shift * B is invertible on the regular part."""

    blocks: tuple[PencilBlock, ...]

    @property
    def invariants(self) -> list[tuple[Scalar, ...]]:
        """The invariant polynomials, each divisible by the next one."""
        return [block.polynomial for block in self.blocks if block.kind == "J"]

    @property
    def shift(self) -> int:
        """A number that is no eigenvalue."""
        return next((int(block.shift) for block in self.blocks if block.kind == "J"), 0)  # type: ignore[arg-type]

    @property
    def base_rank(self) -> int:
        """Rank of the pencil when every invariant polynomial has distinct roots in the field."""
        return sum(block.size + (block.kind != "J") for block in self.blocks if block.size)


@lru_cache(maxsize=512)
def canonical_form(target: Target, ring: Field, choice: Choice) -> CanonicalForm | None:
    """Kronecker's form of the two slices; None when they are too large, vanish, or a small field stands in the way."""
    pair = slices(target.over(ring), choice)
    blocks = None if pair is None else kronecker_form(*pair, ring)
    return None if blocks is None else CanonicalForm(tuple(blocks))


def slices(target: Target, choice: Choice) -> tuple[Rows, Rows] | None:
    """The two matrices with the rows and columns that occur, in lexicographic order; every row for a tensor of order 3."""
    space, ring = target.space, target.ring
    entries: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Any]] = {}
    for word, value in target.entries:
        for letter, count, u, v, times in _splittings(word, space.factors, choice):
            pair = entries.setdefault((u, v), [0, 0])
            for s in (0, 1):
                pair[s] = ring.reduce(pair[s] + value * (count * times * choice.images[s][letter]))
    if len(space.factors) == 3 and space.is_tensor:
        sides = [[(k,) for k in range(n)] for i, (n, _) in enumerate(space.factors) if i != choice.factor]
        rows, columns = (
            sides if choice.orders[min(i for i in range(3) if i != choice.factor)] else sides[::-1]
        )
    else:
        rows, columns = sorted({u for u, _ in entries}), sorted({v for _, v in entries})
    if max(len(rows), len(columns)) > MAX_SIDE or not any(any(pair) for pair in entries.values()):
        return None
    pair = tuple([[entries.get((u, v), (0, 0))[s] for v in columns] for u in rows] for s in (0, 1))
    return pair[0], pair[1]


def _splittings(
    word: tuple[int, ...], factors: tuple[tuple[int, int], ...], choice: Choice
) -> Iterator[tuple[int, int, tuple[int, ...], tuple[int, ...], int]]:
    """(letter, its multiplicity, row word, column word, product of binomials)."""
    pieces: list[tuple[int, ...]] = []
    start = 0
    for _, d in factors:
        pieces.append(word[start : start + d])
        start += d
    piece = pieces[choice.factor]
    for letter in sorted(set(piece)):
        place = piece.index(letter)
        pieces[choice.factor] = piece[:place] + piece[place + 1 :]
        parts: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [((), (), 1)]
        for rest, s in zip(pieces, choice.orders, strict=True):
            parts = [
                (u + chosen, v + left, times * number)
                for u, v, times in parts
                for chosen, left, number in _halved(rest, s)
            ]
        for u, v, times in parts:
            yield letter, piece.count(letter), u, v, times


def _halved(piece: tuple[int, ...], s: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """The ways to take s letters of a word: the letters, those that are left, and the product of binomials."""
    parts: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [((), (), 1)]
    for letter in sorted(set(piece)):
        e = piece.count(letter)
        parts = [
            (chosen + (letter,) * k, left + (letter,) * (e - k), number * comb(e, k))
            for chosen, left, number in parts
            for k in range(min(e, s - len(chosen)) + 1)
        ]
    return (part for part in sorted(parts) if len(part[0]) == s)
