"""Rule ``alder-strassen``: a tensor that is the product of an algebra, by its dimension and its maximal two-sided ideals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import limits
from ..binary import is_squarefree
from ..claims import AT_LEAST, RANK, Claim
from ..numberfield import count_factors_modulo, count_real_roots, is_squarefree_modulo, primitive_integers
from ..primes import is_prime
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Number, Ring, inverse, read_number
from ..targets import finite_field
from ..units import check_operations
from .binary_squares import check_local_field, read_root
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule

Vector = list[Any]
Products = list[list[Vector]]
"""Products of the basis elements of an algebra."""


@dataclass(frozen=True)
class Units:
    """Two units that make the tensor an algebra.

    ``factors`` are those of the first and of the second operand and of the product.
    """

    factors: list[int]
    left: Vector
    right: Vector


@dataclass(frozen=True)
class Algebra:
    """An algebra, a nilpotent ideal, and an element whose polynomial has few factors."""

    units: Units
    nilpotent: list[Vector]
    element: Vector | None
    place: int | None
    root: int | None


def read(witness: Any, context: Context) -> Algebra:
    order, left, right, nilpotent, element, place, root = keys(
        witness, context.witness(), ("factors", "left", "right", "nilpotent"), ("element", "place", "root")
    )
    units = read_units(order, left, right, context)
    if place is not MISSING and not is_prime(integer(place, context.witness("place"), 2, 10_000)):
        raise Unreadable("not-prime", context.witness("place"), f"{place} is not a prime")
    ideal = sequence(nilpotent, context.witness("nilpotent"), most=len(units.left))
    return Algebra(
        units,
        [read_vector(node, context.witness("nilpotent", i), context) for i, node in enumerate(ideal)],
        None if element is MISSING else read_vector(element, context.witness("element"), context),
        None if place is MISSING else place,
        read_root(root, context),
    )


def read_units(order: Any, left: Any, right: Any, context: Context) -> Units:
    """The members ``factors``, ``left`` and ``right`` of a witness about an N x N x N tensor."""
    factors = context.target.space.factors
    if len(factors) != 3 or len({n for n, _ in factors}) != 1:
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about N x N x N tensors")
    for i, factor in enumerate(sequence(order, context.witness("factors"), least=3, most=3)):
        if integer(factor, context.witness("factors", i), 0, 2) in order[:i]:
            raise Unreadable("repeated", context.witness("factors", i), f"factor {factor} stands twice")
    return Units(
        order,
        read_vector(left, context.witness("left"), context),
        read_vector(right, context.witness("right"), context),
    )


def read_vector(node: Any, here: str, context: Context) -> Vector:
    """Coordinates in the ring of the target, or in GF(p) for a claim over GF(p)."""
    n = context.target.space.factors[0][0]
    ring = finite_field(context.over) or context.target.ring
    return [read_number(x, f"{here}/{i}", ring) for i, x in enumerate(sequence(node, here, least=n, most=n))]


class Span:
    """Vectors in echelon form, each with the combination of the given ones that it is."""

    def __init__(self, ring: Ring, vectors: Sequence[Vector] = ()) -> None:
        self.ring = ring
        self.rows: dict[int, tuple[Vector, Vector]] = {}
        self.given = 0
        for vector in vectors:
            self.add(vector)

    def reduced(self, vector: Vector) -> tuple[Vector, Vector]:
        """The rest of a vector, and the combination of the given vectors that makes the difference."""
        rest, used = list(vector), [0] * self.given
        for pivot, (row, combination) in self.rows.items():
            factor = rest[pivot]
            if factor != 0:
                rest = self.less(rest, factor, row)
                used = self.less(used, -factor, combination + [0] * (self.given - len(combination)))
        return rest, used

    def add(self, vector: Vector) -> bool:
        """Whether the vector is independent of those before; it is added then."""
        rest, used = self.reduced(vector)
        pivot = next((i for i, x in enumerate(rest) if x != 0), None)
        if pivot is None:
            return False
        self.given += 1
        scale: Any = pow(rest[pivot], -1, self.ring.prime) if self.ring.prime else inverse(rest[pivot])
        zeros = [0] * len(rest)
        row = self.less(zeros, -scale, rest)
        self.rows[pivot] = row, self.less([0] * self.given, -scale, [*(-x for x in used), 1])
        return True

    def less(self, left: Vector, factor: Number, right: Vector) -> Vector:
        """left - factor * right."""
        return [self.ring.reduce(x - factor * y) for x, y in zip(left, right, strict=True)]


def derive(data: Algebra, context: Context) -> Claim:
    n = len(data.units.left)
    if data.element is None:
        ring = ring_of_lower_bound(context)
        if data.place is not None or data.root is not None:
            raise Rejected("place", context.witness(), "a place belongs to an element")
    else:
        ring = finite_field(context.over) or context.target.ring
        if ring.number_field is not None or context.over == "CC":
            raise field_refused(
                context, "RR, QQ, QQ(a) or GF(p) with an element, and for rational coefficients,"
            )
    products, one = algebra(data.units, context, ring)
    ideal = Span(ring)
    for i, vector in enumerate(data.nilpotent):
        if not ideal.add(vector):
            raise Rejected(
                "dependent", context.witness("nilpotent", i), "the vectors of the ideal are dependent"
            )
    check_nilpotent(data.nilpotent, ideal, products, context, ring)
    # The quotient by the ideal and all commutators.
    quotient = Span(ring, data.nilpotent)
    for i in range(n):
        for j in range(i):
            quotient.add(quotient.less(products[i][j], 1, products[j][i]))
    ideals = n - len(quotient.rows)
    if data.element is not None:
        check_central(data.element, ideal, products, context, ring)
        f = minimal_polynomial(data.element, one, quotient, products, ideals, context)
        ideals = number_of_factors(f, data, context)
    return Claim(RANK, "product", context.over, AT_LEAST, 2 * n - ideals)


def algebra(data: Units, context: Context, ring: Ring) -> tuple[Products, Vector]:
    """Products of the basis vectors of the third factor: of T(x, right) and T(left, y) it is T(x, y); and one."""
    n = len(data.left)
    # The associative law is checked for every three basis elements, by two products of vectors.
    check_operations(100 * n**5, limits.OPERATIONS, context.pointer)
    slices: list[list[Vector]] = [[[0] * n for _ in range(n)] for _ in range(n)]
    for word, value in context.target.over(ring).entries.items():
        i, j, k = (word[factor] for factor in data.factors)
        slices[i][j][k] = value

    def bilinear(x: Vector, y: Vector) -> Vector:
        total: Vector = [0] * n
        for i, a in enumerate(x):
            for j, b in enumerate(y) if a != 0 else ():
                if b != 0:
                    total = [ring.reduce(t + a * b * s) for t, s in zip(total, slices[i][j], strict=True)]
        return total

    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    first = Span(ring, [bilinear(e, data.right) for e in unit])
    second = Span(ring, [bilinear(data.left, e) for e in unit])
    for span, name in ((first, "right"), (second, "left")):
        if len(span.rows) < n:
            raise Rejected("singular", context.witness(name), "multiplication by the unit is not invertible")
    xs = [first.reduced(e)[1] for e in unit]
    ys = [second.reduced(e)[1] for e in unit]
    products = [[bilinear(x, y) for y in ys] for x in xs]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                left = multiplied(products[i][j], unit[k], products, ring)
                if left != multiplied(unit[i], products[j][k], products, ring):
                    message = f"the product of basis elements {i}, {j} and {k} depends on the brackets"
                    raise Rejected("not-associative", context.pointer, message)
    return products, bilinear(data.left, data.right)


def multiplied(x: Vector, y: Vector, products: Products, ring: Ring) -> Vector:
    total: Vector = [0] * len(x)
    for i, a in enumerate(x):
        for j, b in enumerate(y) if a != 0 else ():
            if b != 0:
                c = a * b
                total = [t + c * s for t, s in zip(total, products[i][j], strict=True)]
    return [ring.reduce(t) for t in total]


def check_nilpotent(
    vectors: list[Vector], ideal: Span, products: Products, context: Context, ring: Ring
) -> None:
    """The vectors span a two-sided ideal, some power of which is zero."""
    n = len(products)
    for i, vector in enumerate(vectors):
        for k in range(n):
            unit = [int(j == k) for j in range(n)]
            sides = (multiplied(vector, unit, products, ring), multiplied(unit, vector, products, ring))
            if any(any(x != 0 for x in ideal.reduced(side)[0]) for side in sides):
                raise Rejected("not-an-ideal", context.witness("nilpotent", i), "a multiple leaves the span")
    power = vectors
    while power:
        span = Span(ring, [multiplied(x, y, products, ring) for x in power for y in vectors])
        if len(span.rows) == len(power):
            raise Rejected(
                "not-nilpotent", context.witness("nilpotent"), "the powers of the ideal do not vanish"
            )
        power = [row for row, _ in span.rows.values()]


def check_central(element: Vector, ideal: Span, products: Products, context: Context, ring: Ring) -> None:
    n = len(element)
    for k in range(n):
        unit = [int(j == k) for j in range(n)]
        left, right = multiplied(element, unit, products, ring), multiplied(unit, element, products, ring)
        if any(x != 0 for x in ideal.reduced(ideal.less(left, 1, right))[0]):
            raise Rejected("not-central", context.witness("element"), "it does not commute modulo the ideal")


def minimal_polynomial(
    element: Vector, one: Vector, quotient: Span, products: Products, degree: int, context: Context
) -> list[Any]:
    """f, monic: 1, z, z^2, ... are a basis of the quotient by the ideal and all commutators, and f(z) is zero there."""
    powers, power = Span(quotient.ring), one
    for _ in range(degree):
        if not powers.add(quotient.reduced(power)[0]):
            raise Rejected(
                "not-generating", context.witness("element"), "its powers do not span the quotient"
            )
        power = multiplied(power, element, products, quotient.ring)
    relation = powers.reduced(quotient.reduced(power)[0])[1]
    return [*(quotient.ring.reduce(-x) for x in relation), 1]


def number_of_factors(f: list[Any], data: Algebra, context: Context) -> int:
    """Irreducible factors of f over the field of the claim, or at least as many."""
    here, over = context.witness("element"), context.over
    if (data.place is not None) != (over in context.rings):
        raise Rejected(
            "place", context.witness(), "a place is given exactly when the claim is over QQ or a number field"
        )
    if over == "RR":
        if not is_squarefree(f[::-1]):
            raise Rejected("repeated-root", here, "the polynomial of the element has a repeated root")
        bound = 1 + max(abs(Fraction(c)) for c in f)
        real = count_real_roots(f, -bound, bound)
        return real + (len(f) - 1 - real) // 2
    p = finite_field(over).prime if data.place is None else data.place  # type: ignore[union-attr]
    if data.place is not None:
        check_local_field(p, data.root, context)
    integers = primitive_integers(f)
    if integers[-1] % p == 0 or not is_squarefree_modulo(integers, p):
        raise Rejected("repeated-root", here, f"the polynomial of the element has a repeated root modulo {p}")
    return count_factors_modulo(integers, p)


RULE = Rule(read, derive)
