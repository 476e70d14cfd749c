"""What is known about tensors of order 3 and cubic forms without any certificate: ranks by search, and theorems.

Over a finite field the ranks of all tensors of a small shape are found by breadth-first search from zero. Elsewhere there
are upper bounds: ranks of slices, algorithms of the literature for named products, and over CC the rank of a general
tensor or form, which no border rank exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy.polys.matrices import DomainMatrix

from .problem import Problem, domain, number

MOST_TENSORS = 2**18
"""Tensors of one shape whose ranks are searched for."""

Fact = tuple[str, str, str, str, int]
"""``<=`` or ``>=``, quantity, units, field, bound."""

GENERAL_CUBIC = {1: 1, 2: 2, 3: 4, 4: 5}
"""Cubes whose sums are dense among the cubic forms in so many variables (Alexander and Hirschowitz 1995)."""


def tensor_facts(
    problem: Problem, fields: list[str], name: tuple[str, tuple[int, ...]] | None
) -> Iterator[Fact]:
    """Bounds for tensors of order 3 and for tied sums of cubic forms and maps of quadrics."""
    if problem.is_tensor and len(problem.factors) == 3:
        for field in fields:
            ring = problem.ring if field in ("CC", "RR") else field
            if ring in ("CC", "RR", *problem.fields):
                continue
            cells = _cells(problem, ring)
            if not cells:
                continue
            yield "<=", "rank", "product", field, _by_slices(cells, ring, problem)
            if field.startswith("GF("):
                yield from _searched(cells, field)
            if field == "CC" and (general := _general(cells, ring, problem)):
                yield "<=", "border_rank", "product", field, general
            if name is not None:
                yield from _named(name, field)
    elif problem.is_polynomial and "CC" in fields and problem.ring == "QQ":
        yield from _forms(problem)


def _cells(problem: Problem, ring: str) -> dict[tuple[int, ...], Any]:
    """Non-zero entries, the indices that occur numbered from 0."""
    K = domain(ring, problem.fields)
    values = {word: number(x, K) for word, x in problem.entries.items()}
    values = {word: x for word, x in values.items() if x}
    places = [{i: k for k, i in enumerate(sorted({word[factor] for word in values}))} for factor in range(3)]
    return {tuple(p[i] for p, i in zip(places, word, strict=True)): x for word, x in values.items()}


def _shape(cells: dict[tuple[int, ...], Any]) -> tuple[int, ...]:
    return tuple(1 + max(word[factor] for word in cells) for factor in range(3))


def _rank(rows: dict[Any, dict[Any, Any]], K: Any) -> int:
    columns = {key: k for k, key in enumerate({key for row in rows.values() for key in row})}
    sparse = {i: {columns[key]: x for key, x in row.items()} for i, row in enumerate(rows.values())}
    return int(DomainMatrix(sparse, (len(rows), len(columns)), K).rank())


def _by_slices(cells: dict[tuple[int, ...], Any], ring: str, problem: Problem) -> int:
    """A sum of tensors of rank one for every slice along one factor, as many as its rank."""
    K = domain(ring, problem.fields)
    totals = []
    for factor in range(3):
        slices: dict[int, dict[Any, dict[Any, Any]]] = {}
        for word, x in cells.items():
            i, (j, k) = word[factor], word[:factor] + word[factor + 1 :]
            slices.setdefault(i, {}).setdefault(j, {})[k] = x
        totals.append(sum(_rank(rows, K) for rows in slices.values()))
    return min(totals)


def _general(cells: dict[tuple[int, ...], Any], ring: str, problem: Problem) -> int | None:
    """Rank of a general tensor with the same ranks of flattenings, for shapes where it is known."""
    K = domain(ring, problem.fields)
    sizes = []
    for factor in range(3):
        rows: dict[Any, dict[Any, Any]] = {}
        for word, x in cells.items():
            rows.setdefault(word[factor], {})[word[:factor] + word[factor + 1 :]] = x
        sizes.append(_rank(rows, K))
    a, b, c = sorted(sizes)
    if a == 1:
        return b
    if a == 2:
        # Kronecker; Ja'Ja' 1979.
        return min(c, 2 * b)
    # Strassen 1983.
    return 5 if (a, b, c) == (3, 3, 3) else min(a * b, a * c, b * c)


def _searched(cells: dict[tuple[int, ...], Any], field: str) -> Iterator[Fact]:
    p, shape = int(field[3:-1]), _shape(cells)
    if p ** prod(shape) > MOST_TENSORS:
        return
    place = sum(int(x) * p ** int(np.ravel_multi_index(word, shape)) for word, x in cells.items())
    rank = int(all_ranks(shape, p)[place])
    yield "<=", "rank", "product", field, rank
    yield ">=", "rank", "product", field, rank


@cache
def all_ranks(shape: tuple[int, ...], p: int) -> NDArray[np.int8]:
    """Ranks of all tensors, numbered by their entries as digits to the base p."""
    size = prod(shape)
    powers = p ** np.arange(size)
    singles = set()
    for vectors in product(*(product(range(p), repeat=n) for n in shape)):
        entries = np.einsum("i,j,k->ijk", *map(np.array, vectors)).ravel() % p
        singles.add(tuple(entries.tolist()))
    singles.discard((0,) * size)
    every = np.arange(p**size)
    digits = every[:, None] // powers % p if p > 2 else None
    ranks = np.full(p**size, -1, dtype=np.int8)
    ranks[0], steps, last = 0, 0, every[:1]
    while len(last):
        steps += 1
        fresh = np.zeros(len(ranks), dtype=bool)
        for single in singles:
            if digits is None:
                fresh[last ^ int(np.dot(single, powers))] = True
            else:
                fresh[(digits[last] + np.array(single)) % p @ powers] = True
        fresh &= ranks < 0
        ranks[fresh] = steps
        last = every[fresh]
    return ranks


def _named(name: tuple[str, tuple[int, ...]], field: str) -> Iterator[Fact]:
    """Algorithms of the literature, which hold over every field unless it has too few elements."""
    kind, parameters = name
    if kind == "matmul":
        shape = tuple(sorted(parameters))
        yield "<=", "rank", "product", field, _matmul(shape)
        if shape == (2, 2, 3) and field == "CC":
            # Bini, Capovani, Lotti, Romani 1979.
            yield "<=", "border_rank", "product", field, 10
    if kind == "polymul":
        n, m = parameters
        points = int(field[3:-1]) + 1 if field.startswith("GF(") else n + m
        yield "<=", "rank", "product", field, n + m - 1 if points >= n + m - 1 else _karatsuba(max(n, m))


def _matmul(shape: tuple[int, ...]) -> int:
    """Strassen's algorithm for blocks of two rows and columns, and the definition for the rest."""
    n, m, p = (x // 2 for x in shape)
    whole = prod(shape)
    return min(whole, whole - 8 * n * m * p + 7 * n * m * p)


def _karatsuba(n: int) -> int:
    """Products for two polynomials with n coefficients each; three coefficients are taken two at a time."""
    if n in (1, 3):
        return (0, 1, 0, 6)[n]
    low = n // 2
    return _karatsuba(low) + 2 * _karatsuba(n - low)


def _forms(problem: Problem) -> Iterator[Fact]:
    """Cubic forms in few variables; maps of quadrics, output by output."""
    f = problem.polynomial("QQ")
    variables = len(problem.used[0])
    if problem.is_form and problem.degree == 3:
        rows = {i: dict(f.diff(x).terms()) for i, x in enumerate(f.ring.gens)}
        essential = _rank({i: row for i, row in rows.items() if row}, f.ring.domain)
        if essential in GENERAL_CUBIC:
            yield "<=", "border_rank", "tied", "CC", GENERAL_CUBIC[essential]
    if problem.degree == 2:
        outputs: dict[Any, dict[int, dict[int, Any]]] = {}
        for exponents, x in f.terms():
            i, j = [k for k, e in enumerate(exponents[:variables]) for _ in range(e)]
            rows = outputs.setdefault(exponents[variables:], {})
            for a, b in ((i, j), (j, i)):
                rows.setdefault(a, {})[b] = rows.get(a, {}).get(b, 0) + x
        yield "<=", "rank", "tied", "CC", sum(_rank(rows, f.ring.domain) for rows in outputs.values())
