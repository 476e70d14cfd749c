"""Short bilinear algorithms for products of polynomials, exact and modulo a polynomial, over any exact field.

The tensors are those of ``polymul(n,m)``, with coefficients in ascending order, and of K[x]/(f) in the basis 1, x, x^2, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rankproof.errors import UsageError
from rankproof.exact.linear_systems import solve
from rankproof.exact.tensor_sums import Matrix, added, kronecker, placed, with_bases_changed
from rankproof.problem.decomposition import Decomposition, ExactUnit
from rankproof.problem.field import Field, Scalar

Polynomial = tuple[Scalar, ...]
"""Coefficients in ascending order, the last one not zero."""


@dataclass(frozen=True)
class Modulus:
    """A monic polynomial that products are computed modulo; ``at_infinity`` stands for the highest coefficients instead.

    Attributes
    ----------
    polynomial
        Power of an irreducible polynomial; x^w for the w highest coefficients.
    at_infinity
        Whether the coefficients are numbered from the highest one.
    """

    polynomial: Polynomial
    at_infinity: bool = False

    @property
    def degree(self) -> int:
        """Number of coefficients of a remainder."""
        return len(self.polynomial) - 1

    def remainders(self, count: int, ring: Field) -> list[list[Scalar]]:
        """Matrix of the map from the first ``count`` coefficients of a polynomial to those of its remainder."""
        columns: list[list[Scalar]] = []
        power: list[Scalar] = [1, *[0] * (self.degree - 1)]
        for _ in range(count):
            columns.append(power)
            # x times the remainder: the coefficient that leaves is replaced by means of the monic polynomial.
            top, power = power[-1], [0, *power[:-1]]
            power = [ring.reduce(c - top * g) for c, g in zip(power, self.polynomial, strict=False)]
        if self.at_infinity:
            columns.reverse()
        return [list(row) for row in zip(*columns, strict=True)]


@lru_cache(maxsize=256)
def polynomial_product(n: int, m: int, ring: Field) -> Decomposition:
    """Units for the product of polynomials with n and m coefficients.

    Over fields with at least n + m - 2 elements there are n + m - 1 units, by evaluation and interpolation (Karatsuba,
    Toom, Cook); over smaller ones the best of remainders modulo several polynomials, blocks and nested algorithms.

    Examples
    --------
    >>> from rankproof.problem.field import QQ, gf
    >>> len(polynomial_product(4, 4, QQ)), len(polynomial_product(4, 4, gf(2))), len(polynomial_product(3, 2, gf(2)))
    (7, 9, 5)
    """
    if n < m:
        return _swapped(polynomial_product(m, n, ring))
    way = _way(n, m, ring.characteristic)
    if way.kind == "points":
        moduli = [Modulus((0, 1), True), *(Modulus((ring.reduce(-x), 1)) for x in _points(n + m - 2, ring))]
        return by_remainders(n, m, n + m - 1, moduli, ring)
    if way.kind == "definition":
        return _definition(n, m, ring)
    if way.kind == "remainders":
        return by_remainders(n, m, n + m - 1, way.moduli, ring)
    if way.kind == "blocks":
        return _blocks(n, m, way.sizes[0], ring)
    return _nested(n, m, way.sizes[0], ring)


@lru_cache(maxsize=256)
def truncated_product(n: int, ring: Field) -> Decomposition:
    """Units for the product of polynomials modulo x^n.

    Examples
    --------
    >>> from rankproof.problem.field import QQ, gf
    >>> len(truncated_product(3, QQ)), len(truncated_product(3, gf(2))), len(truncated_product(4, gf(2)))
    (5, 5, 8)
    """
    length, k = _truncated_way(n, ring.characteristic)
    low = polynomial_product(k, k, ring)
    keep = [list(range(k)), list(range(k)), [i if i < n else -1 for i in range(2 * k - 1)]]
    total = _placed(low, keep, (n, n, n))
    if k < n:
        # f = f0 + x^k f1 with k >= n/2: modulo x^n there are f0 g0 and the two products x^k f1 g0 and x^k f0 g1.
        cross = truncated_product(n - k, ring)
        start, shifted = list(range(n - k)), list(range(k, n))
        total = _sum(total, _placed(cross, [shifted, start, shifted], (n, n, n)))
        total = _sum(total, _placed(cross, [start, shifted, shifted], (n, n, n)))
    if len(total) > length:
        raise UsageError(f"{len(total)} units instead of {length} for products modulo x^{n}")
    return total


def quotient_product(factors: Sequence[tuple[Polynomial, int]], ring: Field) -> Decomposition:
    """Units for K[x]/(f) in the basis 1, x, ..., by the remainders modulo the prime powers that divide f.

    Parameters
    ----------
    factors
        Monic pairwise coprime polynomials with exponents; f is the product of their powers.
    ring
        Exact field of the coefficients.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> len(quotient_product([((-1, 1), 1), ((1, 1), 1), ((1, 0, 1), 1)], QQ))
    5
    """
    return quotient_map(sum((len(f) - 1) * e for f, e in factors), factors, ring)


def quotient_map(n: int, factors: Sequence[tuple[Polynomial, int]], ring: Field) -> Decomposition:
    """Units for the product of a polynomial with n coefficients and an element of K[x]/(f), f as in `quotient_product`."""
    moduli = [Modulus(_power(f, e, ring)) for f, e in factors]
    m = sum(modulus.degree for modulus in moduli)
    powers = [len(f) == 2 for f, _ in factors]
    return by_remainders(n, m, m, moduli, ring, local=powers)


def by_remainders(
    n: int,
    m: int,
    count: int,
    moduli: Sequence[Modulus],
    ring: Field,
    local: Sequence[bool] | None = None,
) -> Decomposition:
    """Units for a product of polynomials with n and m coefficients from the products modulo coprime polynomials.

    Parameters
    ----------
    n, m
        Numbers of coefficients.
    count
        Number of coefficients of the result, at most the sum of the degrees. The result is the remainder modulo the
        product of all moduli when they have this degree, else the product itself.
    moduli
        Pairwise coprime.
    ring
        Exact field.
    local
        Which moduli are powers of a linear polynomial; found by itself for powers of x.
    """
    rows: list[list[Scalar]] = [row for modulus in moduli for row in modulus.remainders(count, ring)]
    sides = [{k: 1} for k in range(count)]
    columns = [{k: x for k, x in enumerate(row) if x} for row in rows]
    inverse = solve(columns, sides, ring)
    if inverse is None:
        raise UsageError(f"remainders modulo {len(moduli)} polynomials do not determine {count} coefficients")
    units: list[ExactUnit] = []
    start = 0
    for place, modulus in enumerate(moduli):
        own = [line[start : start + modulus.degree] for line in inverse]
        start += modulus.degree
        units += _by_remainder(n, m, modulus, own, bool(local and local[place]), ring)
    return Decomposition("product", ring, tuple(units))


def _by_remainder(
    n: int, m: int, modulus: Modulus, own: Matrix, is_local: bool, ring: Field
) -> list[ExactUnit]:
    """Units for own times the product modulo a polynomial."""
    d = modulus.degree
    f = modulus.polynomial
    if min(n, m) < d:
        # One of the polynomials is shorter than a remainder: the plain product is reduced.
        a, b = min(n, d), min(m, d)
        left = modulus.remainders(n, ring) if n > d else _from_the_end(n, modulus)
        right = modulus.remainders(m, ring) if m > d else _from_the_end(m, modulus)
        reduce = Modulus(f).remainders(a + b - 1, ring)
        return _pulled_back(
            polynomial_product(a, b, ring), left, right, _matrix_product(own, reduce, ring), ring
        )
    left, right = modulus.remainders(n, ring), modulus.remainders(m, ring)
    if all(not c for c in f[:-1]):
        return _pulled_back(truncated_product(d, ring), left, right, own, ring)
    if is_local and d > 1:
        # Modulo (x - a)^d: polynomials in y = x - a, modulo y^d.
        a = _multiple_root(f, ring)
        shift, unshift = _shift(a, d, ring), _shift(ring.reduce(-a), d, ring)
        matrices = (
            _matrix_product(shift, left, ring),
            _matrix_product(shift, right, ring),
            _matrix_product(own, unshift, ring),
        )
        return _pulled_back(truncated_product(d, ring), *matrices, ring)
    reduce = Modulus(f).remainders(2 * d - 1, ring)
    return _pulled_back(polynomial_product(d, d, ring), left, right, _matrix_product(own, reduce, ring), ring)


def _from_the_end(n: int, modulus: Modulus) -> Matrix:
    """The coefficients themselves, in the order that the modulus numbers them in."""
    rows = _identity(n)
    return rows[::-1] if modulus.at_infinity else rows


def _shift(a: Scalar, d: int, ring: Field) -> Matrix:
    """Matrix from the coefficients in x to those in y, x = y + a, of polynomials with d coefficients."""
    columns: list[list[Scalar]] = []
    power: list[Scalar] = [1, *[0] * (d - 1)]
    for _ in range(d):
        columns.append(power)
        power = [ring.reduce(a * c + (power[i - 1] if i else 0)) for i, c in enumerate(power)]
    return [list(row) for row in zip(*columns, strict=True)]


def _pulled_back(
    inner: Decomposition, left: Matrix, right: Matrix, back: Matrix, ring: Field
) -> list[ExactUnit]:
    """Units of (a, b) -> back(inner(left a, right b)); forms are pulled back by transposed matrices."""
    transposed = [list(map(list, zip(*matrix, strict=True))) for matrix in (left, right)]
    found = with_bases_changed(inner, [*transposed, back], ring)
    return [unit for unit in found.units if all(map(any, unit))]  # type: ignore[misc]


# How a product over a small field is made: the shortest of several ways, found by their lengths alone.


@dataclass(frozen=True)
class _Way:
    length: int
    kind: str
    moduli: tuple[Modulus, ...] = ()
    sizes: tuple[int, ...] = ()


@lru_cache(maxsize=4096)
def _way(n: int, m: int, p: int) -> _Way:
    """The shortest way to multiply polynomials with n >= m coefficients over GF(p), or over an infinite field for p = 0."""
    if m == 1:
        return _Way(n, "definition")
    if p == 0 or n + m - 2 <= p:
        return _Way(n + m - 1, "points")
    best = _Way(n * m, "definition")
    for a in range(1, n):
        length = _length(a, m, p) + _length(n - a, m, p)
        if length < best.length:
            best = _Way(length, "blocks", sizes=(a,))
    for block in range(2, n):
        length = _length(-(-n // block), -(-m // block), p) * _length(block, min(block, m), p)
        if length < best.length:
            best = _Way(length, "nested", sizes=(block,))
    found = _best_moduli(n, m, p, best.length)
    return found or best


def _length(n: int, m: int, p: int) -> int:
    return _way(max(n, m), min(n, m), p).length


@lru_cache(maxsize=4096)
def _truncated_way(n: int, p: int) -> tuple[int, int]:
    """Length of the shortest way to multiply modulo x^n, and where the polynomials are cut."""
    return min(
        (_length(k, k, p) + 2 * (_truncated_way(n - k, p)[0] if k < n else 0), k)
        for k in range((n + 1) // 2, n + 1)
    )


def _best_moduli(n: int, m: int, p: int, below: int) -> _Way | None:
    """Moduli of total degree n + m - 1 whose products cost least, if less than ``below``: a knapsack."""
    wanted = n + m - 1
    best: dict[int, tuple[int, tuple[Modulus, ...]]] = {0: (0, ())}
    for choices in _moduli_families(wanted, p):
        updated = dict(best)
        for degree, (cost, chosen) in best.items():
            for modulus in choices:
                total = min(wanted, degree + modulus.degree)
                more = cost + _modulus_cost(modulus, n, m, p)
                if more < below and (total not in updated or more < updated[total][0]):
                    updated[total] = more, (*chosen, modulus)
        best = updated
    if wanted not in best or best[wanted][0] >= below:
        return None
    return _Way(best[wanted][0], "remainders", moduli=best[wanted][1])


def _modulus_cost(modulus: Modulus, n: int, m: int, p: int) -> int:
    d = modulus.degree
    if min(n, m) >= d and all(not c for c in modulus.polynomial[:-1]):
        return _truncated_way(d, p)[0]
    return _length(min(n, d), min(m, d), p)


def _moduli_families(wanted: int, p: int) -> Iterator[list[Modulus]]:
    """Powers of one irreducible polynomial after the other, of degree below ``wanted``; the infinite point first."""
    top = max(1, min(wanted // 2, 8))
    for at_infinity in (True, False):
        yield [Modulus((*[0] * w, 1), at_infinity) for w in range(1, top + 1)]
    for a in range(1, p):
        yield [Modulus((p - a, 1))]
    for d in range(2, min(top, 4) + 1):
        for f in _irreducible(d, p):
            yield [Modulus(f)]


@lru_cache(maxsize=64)
def _irreducible(d: int, p: int) -> tuple[Polynomial, ...]:
    """Monic irreducible polynomials of degree d over GF(p), at most 12 of them."""
    lower = [f for e in range(1, d // 2 + 1) for f in ((*c, 1) for c in product(range(p), repeat=e))]
    found: list[Polynomial] = []
    for c in product(range(p), repeat=d):
        f = (*c, 1)
        if c[0] and not any(_divides(g, f, p) for g in lower):
            found.append(f)
            if len(found) == 12:
                break
    return tuple(found)


def _divides(g: Sequence[int], f: Sequence[int], p: int) -> bool:
    rest = list(f)
    for k in range(len(f) - len(g), -1, -1):
        top = rest[k + len(g) - 1]
        for i, c in enumerate(g):
            rest[k + i] = (rest[k + i] - top * c) % p
    return not any(rest)


# The ways themselves.


def _points(count: int, ring: Field) -> list[int]:
    """0, 1, -1, 2, -2, ...: different elements of the field."""
    if ring.characteristic:
        return list(range(count))
    return [(k + 1) // 2 * (1 if k % 2 else -1) for k in range(count)]


def _definition(n: int, m: int, ring: Field) -> Decomposition:
    def vector(i: int, length: int) -> tuple[int, ...]:
        return tuple(int(k == i) for k in range(length))

    units = [(vector(i, n), vector(j, m), vector(i + j, n + m - 1)) for i, j in product(range(n), range(m))]
    return Decomposition("product", ring, tuple(units))


def _swapped(found: Decomposition) -> Decomposition:
    return Decomposition("product", found.ring, tuple((v, u, w) for u, v, w in found.units))


def _blocks(n: int, m: int, a: int, ring: Field) -> Decomposition:
    dims = (n, m, n + m - 1)
    low = _placed(polynomial_product(a, m, ring), [range(a), range(m), range(a + m - 1)], dims)
    high = polynomial_product(n - a, m, ring)
    return _sum(low, _placed(high, [range(a, n), range(m), range(a, n + m - 1)], dims))


def _nested(n: int, m: int, block: int, ring: Field) -> Decomposition:
    """Polynomials in y = x^block with coefficients that are polynomials in x; the coefficients overlap in the result."""
    a, c, other = -(-n // block), -(-m // block), min(block, m)
    both = kronecker(polynomial_product(a, c, ring), polynomial_product(block, other, ring))
    places = (
        [block * k + i for k in range(a) for i in range(block)],
        [block * k + i for k in range(c) for i in range(other)],
        [block * k + i for k in range(a + c - 1) for i in range(block + other - 1)],
    )
    matrices = [_gathered(at, length) for at, length in zip(places, (n, m, n + m - 1), strict=True)]
    found = with_bases_changed(both, matrices, ring)
    return Decomposition("product", ring, tuple(u for u in found.units if all(map(any, u))))  # type: ignore[misc]


def _gathered(places: Sequence[int], length: int) -> Matrix:
    """Matrix that adds coordinate k to place ``places[k]``, where there is such a place."""
    return [[int(place == i) for place in places] for i in range(length)]


def _placed(found: Decomposition, places: Sequence[Sequence[int]], dims: Sequence[int]) -> Decomposition:
    moved = placed(found, places, dims)
    return Decomposition("product", found.ring, tuple(u for u in moved.units if all(map(any, u))))  # type: ignore[misc]


def _sum(left: Decomposition, right: Decomposition) -> Decomposition:
    return Decomposition("product", left.ring, added(left, right).units)  # type: ignore[arg-type]


def _power(f: Polynomial, e: int, ring: Field) -> Polynomial:
    total: Polynomial = (1,)
    for _ in range(e):
        new: list[Scalar] = [0] * (len(total) + len(f) - 1)
        for i, x in enumerate(total):
            for j, y in enumerate(f):
                new[i + j] = ring.reduce(new[i + j] + x * y)
        total = tuple(new)
    return total


def _multiple_root(f: Polynomial, ring: Field) -> Scalar:
    """The number a with f = (x - a)^d."""
    d = len(f) - 1
    p = ring.characteristic
    # f = x^d - d a x^(d-1) + ...; where p divides d, the polynomial is one in x^p and a^p = a over GF(p).
    while p and d % p == 0:
        f, d = f[::p], d // p
    return ring.reduce(-f[-2] * ring.inverse(d))


def _identity(n: int) -> list[list[Scalar]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def _matrix_product(a: Matrix, b: Matrix, ring: Field) -> list[list[Scalar]]:
    columns = list(zip(*b, strict=True))
    return [
        [ring.reduce(sum((x * y for x, y in zip(row, c, strict=True) if x and y), start=0)) for c in columns]
        for row in a
    ]
