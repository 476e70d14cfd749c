"""Multiplication in GF(p^n) by way of a subfield with more elements: evaluation and interpolation over the subfield.

References
----------
Chudnovsky, Chudnovsky, *Algebraic complexities and algebraic curves over finite fields*, Journal of Complexity 4 (1988).
"""

from __future__ import annotations

from itertools import product

from rankproof.exact.kronecker_form import Rows, inverse, minimal_chain, multiply, transpose
from rankproof.exact.polynomial_products import quotient_product
from rankproof.exact.tensor_sums import TensorSum, added, with_bases_changed
from rankproof.problem.field import Field, Scalar

Element = list[int]
"""Coefficients of a remainder."""

MAX_SUBFIELD = 32
"""Elements of the subfields that are tried."""


def tower_sum(f: tuple[Scalar, ...], ring: Field) -> TensorSum | None:
    r"""Units for K[x]/(f), f irreducible over K = GF(p), over a subfield with enough elements; None when there is none.

    Notes
    -----
    Let L be the subfield of p^a elements, n = a b and 2b - 1 <= p^a + 1. An element is a polynomial z of degree below b in
    theta with coefficients in L, and z w is the sum over the points s of L and infinity of z(s) w(s) times the value at theta of
    the Lagrange polynomial of s. Each product z(s) w(s) is one of L.

    Examples
    --------
    >>> from rankproof.problem.field import gf
    >>> len(tower_sum((1, 1, 0, 0, 0, 0, 1), gf(2)))
    15
    """
    p, n = ring.characteristic, len(f) - 1
    arithmetic = _Remainders([int(c) for c in f], p)  # type: ignore[arg-type]
    best: TensorSum | None = None
    for a in range(2, n):
        b = n // a
        if n % a == 0 and 2 * b - 1 <= p**a + 1 and p**a <= MAX_SUBFIELD:
            found = _over_subfield(arithmetic, a, b, ring)
            if best is None or len(found) < len(best):
                best = found
    return best


class _Remainders:
    """Arithmetic of GF(p)[x]/(f)."""

    def __init__(self, f: list[int], p: int) -> None:
        self.f, self.p, self.n = f, p, len(f) - 1

    def times(self, u: Element, v: Element) -> Element:
        total = [0] * (2 * self.n - 1)
        for i, x in enumerate(u):
            for j, y in enumerate(v):
                total[i + j] += x * y
        for k in range(2 * self.n - 2, self.n - 1, -1):
            for i, c in enumerate(self.f):
                total[k - self.n + i] -= total[k] * c if i < self.n else 0
            total[k] = 0
        return [c % self.p for c in total[: self.n]]

    def power(self, u: Element, exponent: int) -> Element:
        result = self.constant(1)
        while exponent:
            if exponent & 1:
                result = self.times(result, u)
            u, exponent = self.times(u, u), exponent >> 1
        return result

    def constant(self, c: int) -> Element:
        return [c % self.p, *[0] * (self.n - 1)]

    def minus(self, u: Element, v: Element) -> Element:
        return [(x - y) % self.p for x, y in zip(u, v, strict=True)]

    def matrix(self, u: Element) -> Rows:
        """Matrix of the multiplication by u."""
        columns: Rows = [list(self.times(u, [int(i == j) for i in range(self.n)])) for j in range(self.n)]
        return transpose(columns, self.n)


def _over_subfield(field: _Remainders, a: int, b: int, ring: Field) -> TensorSum:
    p, n = field.p, field.n
    generator = _subfield_generator(field, a, ring)
    powers = [field.power(generator, j) for j in range(a)]
    chain, g = minimal_chain(field.matrix(generator), list(field.constant(1)), ring)
    del chain
    small = quotient_product([(g, 1)], ring)
    # Coordinates over L: the element with coordinates (i, j) at 1 is generator^j theta^i, theta = x.
    theta = [int(k == 1) for k in range(n)]
    basis = [field.times(l, field.power(theta, i)) for i in range(b) for l in powers]
    coordinates = inverse(transpose([list(v) for v in basis], n), ring)
    elements = [
        [sum(c * l[k] for c, l in zip(choice, powers, strict=True)) % p for k in range(n)]
        for choice in product(range(p), repeat=a)
    ]
    points = elements[: 2 * b - 2]
    total: TensorSum | None = None
    for s in [*points, None]:
        into = _evaluation(field, s, powers, b, coordinates, ring)
        weight = _lagrange(field, s, points, theta)
        out = transpose([list(field.times(weight, l)) for l in powers], n)
        part = with_bases_changed(small, [transpose(into, n), transpose(into, n), out], ring)
        total = part if total is None else added(total, part)
    if total is None:
        raise ArithmeticError("there is at least one point")
    return total


def _subfield_generator(field: _Remainders, a: int, ring: Field) -> Element:
    """An element of degree a: a power of some element that lies in the subfield and in no smaller one."""
    step = (field.p**field.n - 1) // (field.p**a - 1)
    for digits in product(range(field.p), repeat=field.n):
        if any(digits):
            candidate = field.power(list(digits), step)
            if len(minimal_chain(field.matrix(candidate), list(field.constant(1)), ring)[0]) == a:
                return candidate
    raise ArithmeticError("every subfield has a generator, and norms reach all its elements")


def _evaluation(
    field: _Remainders, s: Element | None, powers: list[Element], b: int, coordinates: Rows, ring: Field
) -> Rows:
    """Matrix from an element to the coordinates in L of its value at s; at infinity the highest coefficient."""
    a = len(powers)
    if s is None:
        return coordinates[(b - 1) * a :]
    # Multiplication by s^i on L, in the basis of powers of the generator; L is the first block of coordinates.
    total: Rows = [[0] * field.n for _ in range(a)]
    for i in range(b):
        images = [field.times(field.power(s, i), l) for l in powers]
        columns = multiply(coordinates, transpose([list(v) for v in images], field.n), ring)[:a]
        part = multiply(columns, coordinates[i * a : i * a + a], ring)
        total = [
            [ring.reduce(x + y) for x, y in zip(r, t, strict=True)] for r, t in zip(total, part, strict=True)
        ]
    return total


def _lagrange(field: _Remainders, s: Element | None, points: list[Element], theta: Element) -> Element:
    """Value at theta of the polynomial of degree 2b - 2 that is 1 at s and 0 at the other points, infinity among them."""
    order = field.p**field.n
    value = field.constant(1)
    for t in points:
        if t != s:
            value = field.times(value, field.minus(theta, t))
            if s is not None:
                value = field.times(value, field.power(field.minus(s, t), order - 2))
    return value
