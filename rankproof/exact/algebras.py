"""Tensors that are the products of associative algebras: units, radicals, and quotients by commutators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rankproof.exact.row_reduction import Echelon, Vector, null_space
from rankproof.problem.field import Field
from rankproof.problem.target import Target

MAX_DIMENSION = 25
"""Of an algebra: the associative law is checked for all triples of basis elements."""

DRAWS = 4
"""Random units tried after the simple ones."""


@dataclass(frozen=True)
class Algebra:
    """An algebra on the space of the last of the factors: T(x, right) times T(left, y) is T(x, y).

    Attributes
    ----------
    ring
        Field of the structure constants.
    factors
        Factors of the tensor that hold the first operand, the second one, and the product.
    left, right
        In the spaces of the operands.
    products
        Products of basis vectors.
    one
        The unit.
    """

    ring: Field
    factors: tuple[int, int, int]
    left: tuple[int, ...]
    right: tuple[int, ...]
    products: list[list[Vector]]
    one: Vector

    @property
    def dimension(self) -> int:
        """Dimension over the field."""
        return len(self.one)

    def multiply(self, x: Sequence, y: Sequence) -> Vector:
        """Product of two elements."""
        total: Vector = [0] * self.dimension
        for i, a in enumerate(x):
            for j, b in enumerate(y) if a else ():
                if b:
                    c = a * b
                    total = [t + c * s if s else t for t, s in zip(total, self.products[i][j], strict=True)]
        return [self.ring.reduce(t) for t in total]

    def basis(self) -> list[Vector]:
        """The basis vectors."""
        n = self.dimension
        return [[int(i == j) for j in range(n)] for i in range(n)]

    def ideal(self, vectors: Sequence[Vector]) -> Echelon:
        """The two-sided ideal that vectors generate."""
        span = Echelon(self.ring, vectors)
        done = 0
        while done < len(span):
            x = span.given[done]
            done += 1
            for e in self.basis():
                span.add(self.multiply(x, e))
                span.add(self.multiply(e, x))
        return span

    def is_nilpotent(self, ideal: Echelon) -> bool:
        """Whether some power of an ideal is zero."""
        power = ideal
        while len(power):
            smaller = Echelon(self.ring, (self.multiply(x, y) for x in power.given for y in ideal.given))
            if len(smaller) == len(power):
                return False
            power = smaller
        return True

    def commutators(self) -> list[Vector]:
        """[e_i, e_j] for all pairs of basis vectors."""
        n = self.dimension
        return [
            [self.ring.reduce(a - b) for a, b in zip(self.products[i][j], self.products[j][i], strict=True)]
            for i in range(n)
            for j in range(i)
        ]

    def nilpotent_ideal(self) -> list[Vector]:
        """Basis of a large nilpotent ideal: the radical in characteristic 0, and over GF(p) when it contains all commutators."""
        if not self.ring.characteristic:
            # Dickson: the radical is the kernel of the form trace(L_x L_y).
            traces = [
                sum((self.products[i][j][j] for j in range(self.dimension)), start=0)
                for i in range(self.dimension)
            ]
            gram = [
                [sum((c * t for c, t in zip(product, traces, strict=True) if c), start=0) for product in row]
                for row in self.products
            ]
            return null_space(gram, self.dimension, self.ring)
        ideal = self.ideal(self.commutators())
        if not self.is_nilpotent(ideal):
            return []
        return self._nilpotent_modulo(ideal)

    def _nilpotent_modulo(self, ideal: Echelon) -> list[Vector]:
        """The elements that a power of the Frobenius map takes into an ideal with a commutative quotient."""
        p, q = self.ring.characteristic, 1
        images = self.basis()
        while q < self.dimension:
            images = [self.power(x, p) for x in images]
            q *= p
        rests = [ideal.rest(x) for x in images]
        # The map is linear over a field with p elements.
        return null_space(
            [[rest[k] for rest in rests] for k in range(self.dimension)], self.dimension, self.ring
        )

    def power(self, x: Vector, exponent: int) -> Vector:
        """x to a power, at least 1."""
        result = x
        for bit in bin(exponent)[3:]:
            result = self.multiply(result, result)
            if bit == "1":
                result = self.multiply(result, x)
        return result

    def central_modulo(self, ideal: Echelon) -> list[Vector]:
        """Basis of the elements that commute with everything modulo an ideal."""
        rows: list[Vector] = []
        n = self.dimension
        for j in range(n):
            differences = [
                ideal.rest([a - b for a, b in zip(self.products[i][j], self.products[j][i], strict=True)])
                for i in range(n)
            ]
            rows += [[difference[k] for difference in differences] for k in range(n)]
        return null_space(rows, n, self.ring)

    def polynomial_on(self, z: Vector, quotient: Echelon) -> list | None:
        """f, monic, ascending: 1, z, z^2, ... are a basis of the quotient by a span and f(z) = 0 there; else None."""
        powers, power = Echelon(self.ring), self.one
        for _ in range(self.dimension - len(quotient)):
            if not powers.add(quotient.rest(power)):
                return None
            power = self.multiply(power, z)
        relation = powers.coordinates(quotient.rest(power))
        return None if relation is None else [*(self.ring.reduce(-x) for x in relation), 1]


def algebra(target: Target, rng: np.random.Generator) -> Algebra | None:
    """The algebra of a tensor over the ring of its coefficients; None when it is not the product of one."""
    dims = {n for n, _ in target.space.factors}
    if len(target.space.factors) != 3 or len(dims) != 1 or max(dims) > MAX_DIMENSION:
        return None
    n = dims.pop()
    # Exchanging the operands gives the opposite algebra.
    for factors in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        found = _with_units(target, factors, n, rng)
        if found is not None:
            return found
    return None


def _with_units(
    target: Target, factors: tuple[int, int, int], n: int, rng: np.random.Generator
) -> Algebra | None:
    ring = target.ring
    slices: list[list[list[tuple[int, object]]]] = [[[] for _ in range(n)] for _ in range(n)]
    for word, value in target.entries:
        i, j, k = (word[factor] for factor in factors)
        slices[i][j].append((k, value))

    def bilinear(x: Sequence, y: Sequence) -> Vector:
        total: Vector = [0] * n
        for i, a in enumerate(x):
            for j, b in enumerate(y) if a else ():
                for k, c in slices[i][j] if b else ():
                    total[k] = total[k] + a * b * c  # type: ignore[operator]
        return [ring.reduce(t) for t in total]

    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    right = next(
        (v for v in _simple_vectors(n, rng) if len(Echelon(ring, (bilinear(e, v) for e in unit))) == n), None
    )
    left = next(
        (v for v in _simple_vectors(n, rng) if len(Echelon(ring, (bilinear(v, e) for e in unit))) == n), None
    )
    if left is None or right is None:
        return None
    first = Echelon(ring, (bilinear(e, right) for e in unit))
    second = Echelon(ring, (bilinear(left, e) for e in unit))
    xs, ys = [first.coordinates(e) for e in unit], [second.coordinates(e) for e in unit]
    products = [[bilinear(x, y) for y in ys if y is not None] for x in xs if x is not None]
    found = Algebra(ring, factors, tuple(left), tuple(right), products, bilinear(left, right))
    return found if _is_associative(found, rng) else None


def _simple_vectors(n: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Unit vectors, sums of basis vectors at equal distances (the identity of a matrix), and random small vectors."""
    for i in range(n):
        yield [int(k == i) for k in range(n)]
    for step in range(1, n):
        yield [int(k % step == 0) for k in range(n)]
    for _ in range(DRAWS):
        yield [int(x) for x in rng.integers(-2, 3, n)]
    for _ in range(DRAWS):
        yield [int(x) for x in rng.integers(-9, 10, n)]


def _is_associative(found: Algebra, rng: np.random.Generator) -> bool:
    """On random triples first, and then on all."""
    n = found.dimension
    for _ in range(3):
        x, y, z = ([int(c) for c in row] for row in rng.integers(-5, 6, (3, n)))
        if found.multiply(found.multiply(x, y), z) != found.multiply(x, found.multiply(y, z)):
            return False
    unit = found.basis()
    return all(
        found.multiply(found.products[i][j], unit[k]) == found.multiply(unit[i], found.products[j][k])
        for i in range(n)
        for j in range(n)
        for k in range(n)
    )
