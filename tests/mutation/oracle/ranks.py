"""Lower bounds from exact ranks of flattenings: rank of the target over the largest rank of a generic unit.

Over a field of characteristic 0 the derivatives are sympy's; over GF(p) the Hasse derivatives are computed over the
integers and divided by factorials. What one unit may have is measured on random units modulo a large prime: the rank of
a generic unit is the largest there is, and no specialisation, in no characteristic, can exceed it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

from sympy import GF, ZZ
from sympy.polys.matrices import DomainMatrix

from .problem import Problem, domain, polynomial_ring

LARGE = 2**61 - 1
MOST_ORDERS = 40
MOST_FORMS = 6


def flattening_bounds(
    problem: Problem, units: Sequence[str], ring: str, wanted: Iterable[tuple[int, ...]]
) -> dict[str, int]:
    """For every kind of units the best bound from the flattenings of some orders: all of them when they are few."""
    p = domain(ring, problem.fields).characteristic()
    f = problem.polynomial(ring)
    if p:
        f = f.set_ring(f.ring.clone(domain=ZZ))
    powers = [d for _, d in problem.factors]
    every = 1
    for d in powers:
        every *= d + 1
    orders = set(map(tuple, wanted))
    if every <= MOST_ORDERS:
        orders |= set(product(*(range(d + 1) for d in powers)))
    best = dict.fromkeys(units, 0)
    for chosen in orders:
        if any(chosen) and list(chosen) != powers:
            rank = _rank(f, problem.used, chosen, ring, problem)
            for name in units:
                best[name] = max(best[name], -(-rank // largest(tuple(problem.factors), name, chosen)))
    return best


def _rank(f: Any, used: Sequence[Sequence[int]], orders: Sequence[int], ring: str, problem: Problem) -> int:
    K = domain(ring, problem.fields)
    # The smaller side is the one of which derivatives are taken.
    other = [d - s for (_, d), s in zip(problem.factors, orders, strict=True)]
    sides = [
        prod(_monomials(len(group), s) for group, s in zip(used, side, strict=True))
        for side in (orders, other)
    ]
    if sides[1] < sides[0]:
        orders = other
    rows = [_derivative(f, exponents, bool(K.characteristic())) for exponents in _exponents(used, orders)]
    rows = [row for row in rows if row]
    columns = {monomial: k for k, monomial in enumerate({m for row in rows for m in row})}
    if not rows:
        return 0
    sparse = {
        i: {columns[m]: K.convert(c) for m, c in row.items() if K.convert(c)} for i, row in enumerate(rows)
    }
    return DomainMatrix({i: row for i, row in sparse.items() if row}, (len(rows), len(columns)), K).rank()


def _monomials(n: int, d: int) -> int:
    return factorial(n + d - 1) // factorial(d) // factorial(n - 1)


def _exponents(used: Sequence[Sequence[int]], orders: Sequence[int]) -> Iterable[tuple[int, ...]]:
    groups = []
    for group, s in zip(used, orders, strict=True):
        chosen = combinations_with_replacement(range(len(group)), s)
        groups.append([[word.count(i) for i in range(len(group))] for word in chosen])
    for parts in product(*groups):
        yield tuple(e for part in parts for e in part)


def _derivative(f: Any, exponents: Sequence[int], hasse: bool) -> Any:
    for generator, e in zip(f.ring.gens, exponents, strict=True):
        for _ in range(e):
            f = f.diff(generator)
    if hasse:
        f = f.quo_ground(prod(map(factorial, exponents)))
    return f


Wedge = tuple[int, int, tuple[tuple[int, ...], ...] | None]
"""A factor that gives up a letter, the degree of the exterior power it is wedged onto, and its projection, or None."""
Shape = tuple[tuple[Wedge, ...], tuple[int, ...]]
"""A Koszul flattening: its wedges, and the orders of the letters that are left."""


def koszul_shape(witness: Mapping[str, Any]) -> Shape:
    """The Koszul flattening of a witness."""
    wedges = []
    for part in (witness, *witness.get("more", ())):
        rows = part.get("projection")
        wedges.append((part["factor"], part["wedge"], None if rows is None else tuple(map(tuple, rows))))
    return tuple(wedges), tuple(witness["orders"])


def koszul_bound(problem: Problem, units: str, ring: str, shape: Shape) -> int:
    """Rank of a Koszul flattening of the target, over that of a generic unit in all variables."""
    used = [list(range(n)) for n, _ in problem.factors]
    K = domain(ring, problem.fields)
    f = problem.polynomial(ring, used)
    if K.characteristic():
        f = f.set_ring(f.ring.clone(domain=ZZ))
    rank = _koszul_rank(f, used, shape, K)
    return -(-rank // max(1, _largest_koszul(tuple(problem.factors), units, shape)))


@cache
def _largest_koszul(factors: tuple[tuple[int, int], ...], units: str, shape: Shape) -> int:
    rng = random.Random(repr((factors, units, shape[1])))
    K = GF(LARGE, symmetric=False)
    used = [list(range(n)) for n, _ in factors]
    R = polynomial_ring(K, used)
    starts = [sum(map(len, used[:i])) for i in range(len(used))]

    def linear(i: int) -> Any:
        return sum((K(rng.randrange(1, LARGE)) * R.gens[starts[i] + x] for x in used[i]), R.zero)

    unit = R.one
    if units == "product":
        for i in range(len(factors)):
            unit *= linear(i)
    else:
        for power in powers_of(units, factors[0][1]):
            form = linear(0)
            for _ in range(power):
                unit *= form
        if len(factors) == 2:
            unit *= linear(1)
    return _koszul_rank(unit, used, shape, K)


def _koszul_rank(f: Any, used: Sequence[Sequence[int]], shape: Shape, K: Any) -> int:
    wedges, orders = shape
    starts = [sum(map(len, used[:i])) for i in range(len(used))]
    hasse = bool(K.characteristic()) and f.ring.domain == ZZ
    rows: dict[Any, dict[Any, Any]] = {}
    for letters in product(*(range(len(used[factor])) for factor, _, _ in wedges)):
        slope = f
        for x, (factor, _, _) in zip(letters, wedges, strict=True):
            slope = slope.diff(f.ring.gens[starts[factor] + x])
        choices = [_wedged(x, wedge, len(used[wedge[0]])) for x, wedge in zip(letters, wedges, strict=True)]
        for exponents in _exponents(used, orders) if slope else ():
            block = _derivative(slope, exponents, hasse).terms()
            for choice in product(*choices) if block else ():
                row = rows.setdefault((tuple(subset for subset, _, _ in choice), exponents), {})
                for monomial, c in block:
                    key = tuple(larger for _, larger, _ in choice), monomial
                    scale = K.convert(prod(value for _, _, value in choice))
                    row[key] = row.get(key, K.zero) + K.convert(c) * scale
    columns = {key: k for k, key in enumerate({key for row in rows.values() for key in row})}
    sparse = [{columns[key]: c for key, c in row.items() if c} for row in rows.values()]
    filled = dict(enumerate(row for row in sparse if row))
    return DomainMatrix(filled, (len(filled), len(columns)), K).rank() if filled else 0


def _wedged(x: int, wedge: Wedge, n: int) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Where the exterior product with the image of a letter is not zero: subset, larger subset, value."""
    _, power, projection = wedge
    image = [int(i == x) for i in range(n)] if projection is None else [row[x] for row in projection]
    return [
        (subset, tuple(sorted((*subset, i))), scale * (-1) ** sum(j < i for j in subset))
        for subset in combinations(range(len(image)), power)
        for i, scale in enumerate(image)
        if scale and i not in subset
    ]


@cache
def largest(factors: tuple[tuple[int, int], ...], units: str, orders: tuple[int, ...]) -> int:
    """Rank of the flattening of a generic unit."""
    if units == "product":
        return 1
    if units == "split" and factors[0][1] > MOST_FORMS:
        # The derivatives of order s of a product of d forms are sums of products of d - s of them.
        return comb(factors[0][1], orders[0])
    rng = random.Random(repr((factors, units, orders)))
    d = factors[0][1]
    # Coordinates may be chosen so that the forms of a unit involve no more variables than there are forms.
    n = min(factors[0][0], len(powers_of(units, d)))
    m = min(factors[1][0], 2) if len(factors) == 2 else 1
    K = GF(LARGE, symmetric=False)
    small = Problem(((n, d), (m, 1)) if len(factors) == 2 else ((n, d),), "QQ", {}, {})
    used = [list(range(size)) for size, _ in small.factors]
    R = polynomial_ring(K, used)
    ranks = []
    for _ in range(2):
        unit = R.one
        for power in powers_of(units, d):
            form = sum((K(rng.randrange(1, LARGE)) * x for x in R.gens[:n]), R.zero)
            for _ in range(power):
                unit *= form
        if len(factors) == 2:
            unit *= sum((K(rng.randrange(LARGE)) * y for y in R.gens[n:]), R.zero)
        ranks.append(_generic_rank(unit, used, orders, K))
    return max(ranks)


def _generic_rank(unit: Any, used: Sequence[Sequence[int]], orders: Sequence[int], K: Any) -> int:
    rows = [_derivative(unit, exponents, False) for exponents in _exponents(used, orders)]
    columns = {monomial: k for k, monomial in enumerate({m for row in rows for m in row})}
    sparse = {i: {columns[m]: c for m, c in row.items()} for i, row in enumerate(rows) if row}
    return DomainMatrix(sparse, (len(rows), len(columns)), K).rank()


def powers_of(units: str, d: int) -> list[int]:
    """Exponents of the linear forms of a unit."""
    if units.startswith("mixed:"):
        k = int(units[6:])
        return [d - k, k]
    return {"tied": [d], "untied": [d - 1, 1], "split": [1] * d}[units]
