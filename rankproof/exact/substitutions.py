"""Targets after substitution: contractions by covectors with parameters, evaluated modulo a large prime, and their minors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, isqrt

import flint
import numpy as np

from rankproof.exact.apolarity import LARGE_PRIME, derivative, derivatives
from rankproof.exact.flattening import residue
from rankproof.problem.space import Word
from rankproof.problem.target import Target

P = LARGE_PRIME
Vector = tuple[int, ...]
Entries = dict[Word, int]
"""Coefficients modulo the prime."""

Factors = tuple[tuple[int, int], ...]
Matrix = dict[tuple[Word, Word], int]
"""Entries modulo the prime, by row and column word."""

Place = tuple[tuple[Word, ...], tuple[Word, ...]]
"""Rows and columns of a minor."""

SAMPLES = 12
MAX_COMBINED = 80
"""Minors that are combined."""


@dataclass(frozen=True)
class Elimination:
    """A covector and those that are added to it with parameters, on one factor."""

    factor: int
    chosen: Vector
    added: tuple[Vector, ...]

    def covector(self, values: Sequence[int]) -> Vector:
        """The combination at values of the parameters."""
        rows = zip(values, self.added, strict=True)
        return tuple(
            map(sum, zip(self.chosen, *([v * x for x in vector] for v, vector in rows), strict=True))
        )


@dataclass(frozen=True)
class Minor:
    """Row words and column words, and the rational number that the determinant is multiplied by."""

    rows: tuple[Word, ...]
    columns: tuple[Word, ...]
    multiplier: int | Fraction


def entries_of(target: Target) -> Entries:
    """The coefficients of a rational target modulo the prime."""
    return {word: r for word, value in target.entries if (r := residue(value, P, None))}


def contracted(entries: Entries, factors: Factors, factor: int, covector: Vector) -> tuple[Entries, Factors]:
    """The derivative in a factor by a covector, and the factors that are left."""
    start = sum(power for _, power in factors[:factor])
    n, power = factors[factor]
    result: Entries = {}
    for word, value in entries.items():
        piece = word[start : start + power]
        for letter in set(piece):
            left = derivative(piece, (letter,))
            if covector[letter] and left is not None:
                key = word[:start] + left[0] + word[start + power :]
                result[key] = (result.get(key, 0) + value * covector[letter] * left[1]) % P
    rest = (*factors[:factor], (n, power - 1), *factors[factor + 1 :])
    return {word: x for word, x in result.items() if x}, rest


def flattened(entries: Entries, factors: Factors, orders: Sequence[int]) -> Matrix:
    """Entries of the flattening by row and column word: derivatives without the factorials of Hasse derivatives."""
    matrix: Matrix = {}
    for word, value in entries.items():
        start, parts = 0, [((), (), 1)]
        for (_, power), order in zip(factors, orders, strict=True):
            piece = word[start : start + power]
            start += power
            splits = [(u, v, times // _factorials(u)) for u, v, times in derivatives(piece, order)]
            parts = [(r + u, c + v, w * t) for (r, c, w), (u, v, t) in product(parts, splits)]
        for u, v, times in parts:
            matrix[u, v] = value * times % P
    return matrix


def _factorials(word: Word) -> int:
    result = 1
    for k, letter in enumerate(word):
        result *= word[: k + 1].count(letter)
    return result


def rank(matrix: Matrix) -> int:
    """Rank modulo the prime."""
    rows = {u: i for i, u in enumerate(sorted({u for u, _ in matrix}))}
    columns = {v: j for j, v in enumerate(sorted({v for _, v in matrix}))}
    return _dense(matrix, rows, columns).rank() if matrix else 0


def _dense(matrix: Matrix, rows: dict[Word, int], columns: dict[Word, int]) -> flint.nmod_mat:
    cells = [0] * (len(rows) * len(columns))
    for (u, v), x in matrix.items():
        if u in rows and v in columns:
            cells[rows[u] * len(columns) + columns[v]] = x
    return flint.nmod_mat(len(rows), len(columns), cells, P)


def small_vectors(n: int) -> Iterator[Vector]:
    """Vectors with small entries up to sign, all of them when n is small, and otherwise those with few entries."""
    entries = {1: (0, 1), 2: range(-3, 4), 3: range(-2, 3)}.get(n, (0, 1, -1))
    if n <= 5:
        for vector in product(entries, repeat=n):
            if next((x for x in vector if x), 0) > 0:
                yield vector
        return
    for size in (1, 2):
        for places in combinations(range(n), size):
            for sign in (1, -1) if size == 2 else (1,):
                yield tuple((1 if i == places[0] else sign) if i in places else 0 for i in range(n))


def hyperplane(
    vectors: Iterable[Vector], places: Sequence[int], avoided: int, n: int
) -> tuple[Vector, ...] | None:
    """A basis of a space that contains the vectors and that, with one coordinate, makes up the span of some coordinates.

    None when the vectors span that coordinate.
    """
    unit = {i: tuple(int(k == i) for k in range(n)) for i in places}
    basis: list[Vector] = []
    for vector in sorted(vectors, key=lambda v: sum(map(abs, v))):
        if _rank_of([*basis, vector]) > len(basis):
            basis.append(vector)
    if _rank_of([*basis, unit[avoided]]) == len(basis):
        return None
    for i in places:
        if _rank_of([*basis, unit[avoided], unit[i]]) == len(basis) + 2:
            basis.append(unit[i])
    return tuple(basis)


def _rank_of(vectors: Sequence[Vector]) -> int:
    return flint.fmpz_mat([list(v) for v in vectors]).rank()


def parameter_values(count: int, rng: np.random.Generator, samples: int) -> list[list[int]]:
    """Values of parameters: none, one at a time, small ones and random ones."""
    values = [[0] * count]
    values += [[x if i == k else 0 for i in range(count)] for k in range(count) for x in (1, -1)]
    values += rng.integers(-2, 3, (6, count)).tolist()
    return values + rng.integers(0, 2**60, (samples, count)).tolist()


def constant_combination(
    draw: Callable[[int], Sequence[Matrix]], size: int, most: int, rng: np.random.Generator
) -> list[Minor] | None:
    """Minors of a size whose combination has the same value, not 0, for all parameters; None when none is found.

    One minor if there is one; otherwise the multipliers solve a linear system. ``draw`` gives so many values of one
    matrix of polynomials at different parameters.
    """
    matrices = draw(SAMPLES)
    rows = sorted({u for matrix in matrices for u, _ in matrix})
    columns = sorted({v for matrix in matrices for _, v in matrix})
    if size > min(len(rows), len(columns)):
        return None
    if comb(len(rows), size) * comb(len(columns), size) <= most:
        places = list(product(combinations(rows, size), combinations(columns, size)))
    else:
        tried = (_pivots(matrices[k % len(matrices)], rows, columns, size, rng) for k in range(most))
        places = [place for place in dict.fromkeys(tried) if place[0]]
    kept: list[Place] = []
    for place in places:
        found = _values(matrices, place)
        if found[0] and len(set(found)) == 1:
            return [Minor(*place, 1)]
        if any(found):
            kept.append(place)
    if not kept or len(kept) > MAX_COMBINED:
        return None
    matrices = draw(len(kept) + 5)
    return _solved([_values(matrices, place) for place in kept], kept, len(matrices))


def _values(matrices: Sequence[Matrix], place: Place) -> list[int]:
    """The values of a minor."""
    return [int(_dense(matrix, _numbered(place[0]), _numbered(place[1])).det()) for matrix in matrices]


def _pivots(
    matrix: Matrix, rows: list[Word], columns: list[Word], size: int, rng: np.random.Generator
) -> Place:
    """Rows and columns of a minor that is not 0, in a random order of preference; empty when there is none."""
    mixed = [columns[int(j)] for j in rng.permutation(len(columns))]
    turned = [rows[int(i)] for i in rng.permutation(len(rows))]
    chosen: list[list[Word]] = []
    for first, second in ((turned, mixed), (mixed, turned)):
        flipped = first is mixed
        table = {(v, u): x for (u, v), x in matrix.items()} if flipped else matrix
        reduced, found = _dense(table, _numbered(first), _numbered(second)).rref()
        if found < size:
            return (), ()
        pivots = [next(j for j in range(len(second)) if int(reduced[i, j])) for i in range(size)]
        chosen.append(sorted(second[j] for j in pivots))
    return tuple(chosen[1]), tuple(chosen[0])


def _numbered(words: Sequence[Word]) -> dict[Word, int]:
    return {word: i for i, word in enumerate(words)}


def _solved(values: list[list[int]], places: list[Place], count: int) -> list[Minor] | None:
    """Multipliers c_k with sum_k c_k values[k] = 1 everywhere, as rationals with small terms."""
    system = flint.nmod_mat(
        count, len(values) + 1, [x for row in zip(*values, [1] * count, strict=True) for x in row], P
    )
    reduced, found = system.rref()
    minors: list[Minor] = []
    for i in range(found):
        pivot = next(j for j in range(len(values) + 1) if int(reduced[i, j]))
        if pivot == len(values):
            return None
        multiplier = _rational(int(reduced[i, len(values)]))
        if multiplier is None:
            return None
        if multiplier:
            minors.append(Minor(*places[pivot], multiplier))
    return minors


def _rational(x: int) -> Fraction | None:
    """The fraction with small terms that is x modulo the prime, if there is one."""
    bound = isqrt(P // 2)
    r0, r1, t0, t1 = P, x, 0, 1
    while r1 > bound:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    if not t1 or abs(t1) > 10**6 or abs(r1) > 10**6:
        return None
    return Fraction(r1, t1)
