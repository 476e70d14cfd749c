"""Arguments of the rule ``binary`` about the coefficients and the roots of an apolar form of one degree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, lcm
from typing import Any

from .. import limits
from ..binary import Form, check_sizes, coefficients, kernel, moments, total
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..forms import Polynomial, check_no_common_zero, exact_rank, multiply
from ..numberfield import derivative, value
from ..primes import is_prime
from ..quadratic import anisotropic_dimension, diagonalise_exact
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Undecided, Unreadable
from ..scalars import Rational, inverse, normal
from ..targets import factor_dimension, factor_words
from ..units import check_operations
from .over import field_refused
from .rule import Context

# Embeddings of a number field into the p-adic numbers


def read_root(node: Any, context: Context) -> int | None:
    return None if node is MISSING else integer(node, context.witness("root"), 0, 2**53 - 1)


def check_local_field(prime: int, root: int | None, context: Context) -> None:
    """Refuse unless the field of the claim is QQ, or a number field that the root embeds into QQ_p (Hensel's lemma)."""
    ring = context.rings.get(context.over)
    field = None if ring is None else ring.number_field
    if context.over != "QQ" and field is None:
        raise field_refused(context, "QQ and the declared number fields")
    if (field is None) != (root is None):
        raise Rejected("root", context.witness(), "a root is given exactly when the claim is over a number field")
    if field is None or root is None:
        return
    f = field.minimal_polynomial
    at_root, slope = int(value(f, root)), int(value(derivative(f), root))
    # A double root modulo p is no root in the p-adic integers: QQ(sqrt(5)) is not part of QQ_2.
    if slope == 0 or (at_root and valuation(at_root, prime) <= 2 * valuation(slope, prime)):
        message = f"{root} does not determine a root of the minimal polynomial in the {prime}-adic integers"
        raise Rejected("root", context.witness("root"), message)


def valuation(x: int, p: int) -> int:
    """Exponent of p in a non-zero integer."""
    exponent = 0
    while x % p == 0:
        x //= p
        exponent += 1
    return exponent


# The quadrics h^2 o F = 0 in the coefficients of h


@dataclass(frozen=True)
class Squares:
    degree: int
    macaulay: int
    prime: int


def read_squares(witness: Any, context: Context) -> Squares:
    _, degree, macaulay, prime = keys(witness, context.witness(), ("argument", "degree", "macaulay", "prime"))
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    integer(macaulay, context.witness("macaulay"), 2, limits.DEGREE)
    if not is_prime(integer(prime, context.witness("prime"), 2, 2**31 - 1)):
        raise Unreadable("not-prime", context.witness("prime"), f"{prime} is not a prime")
    return Squares(degree, macaulay, prime)


def derive_squares(squares: Squares, context: Context) -> Claim:
    """The quadrics have no common zero."""
    w = squares.degree
    forms = quadrics(w, context)
    n = w + 1
    rows = factor_dimension(n, max(squares.macaulay - 2, 0)) * len(forms)
    check_operations(rows * n * n, limits.OPERATIONS, context.witness("macaulay"))
    check_no_common_zero(
        forms, [2] * len(forms), n, squares.macaulay, squares.prime, context.witness("macaulay")
    )
    return Claim(BORDER, "untied", "CC", AT_LEAST, w + 1)


def quadrics(w: int, context: Context) -> list[Polynomial]:
    """The coefficients of h^2 o F, integral, as quadratic forms in the coefficients h_0, ..., h_w."""
    if context.over != "CC":
        raise field_refused(context, "CC")
    if context.units.name != "untied":
        raise Rejected("hypothesis", context.pointer, "this argument is about untied units")
    d = context.target.space.form_degree
    if 2 * w > d:
        raise Rejected("hypothesis", context.witness("degree"), f"2 * {w} exceeds the degree {d} of the target")
    scale = lcm(*(x.denominator for x in context.target.entries.values()))  # type: ignore[union-attr]
    form = [int(x * scale) for x in moments(coefficients(context.target))]
    result: list[Polynomial] = []
    for k in range(d - 2 * w + 1):
        quadric: Polynomial = {}
        for i in range(w + 1):
            for j in range(i, w + 1):
                c = form[k + i + j] * (1 if i == j else 2)
                if c:
                    quadric[i, j] = c
        result.append(quadric)
    return [q for q in result if q]


@dataclass(frozen=True)
class DistinctSquares:
    degree: int
    power: int


def read_distinct(witness: Any, context: Context) -> DistinctSquares:
    _, degree, power = keys(witness, context.witness(), ("argument", "degree", "power"))
    integer(degree, context.witness("degree"), 2, limits.DEGREE)
    integer(power, context.witness("power"), 1, limits.DEGREE)
    return DistinctSquares(degree, power)


MOST_DISCRIMINANT = 5
"""Degree up to which the discriminant is expanded; the next one is a sum of 246 terms of degree 10."""


def derive_distinct(squares: DistinctSquares, context: Context) -> Claim:
    """A power of the discriminant of h lies in the ideal of the quadrics: h has a repeated root."""
    w = squares.degree
    if w > MOST_DISCRIMINANT:
        raise Undecided("limit-degree", context.witness("degree"), f"degree {w}; at most {MOST_DISCRIMINANT}")
    forms = quadrics(w, context)
    n, degree = w + 1, squares.power * (2 * w - 2)
    if degree > limits.DEGREE or factor_dimension(n, degree) > limits.DIMENSION:
        raise Undecided("limit-dimension", context.witness("power"), f"forms of degree {degree} in {n} variables")
    element: Polynomial = {(): 1}
    for _ in range(squares.power):
        element = multiply(element, discriminant(w))
    rows = [
        dict(multiply(form, {multiplier: 1})) for form in forms for multiplier in factor_words(n, degree - 2)
    ]
    # The rank grows exactly when the element is no combination of the others; over the rationals, not modulo a prime.
    if exact_rank(rows) != exact_rank([*rows, dict(element)]):
        message = "this power of the discriminant is not in the ideal of the quadrics"
        raise Rejected("not-in-ideal", context.witness("power"), message)
    return Claim(RANK, "untied", "CC", AT_LEAST, w + 1)


def discriminant(w: int) -> Polynomial:
    """Discriminant of h_0 X^w + ... + h_w Y^w up to a factor: the resultant of the two partial derivatives."""
    by_x: list[Polynomial] = [{(j,): w - j} for j in range(w)]
    by_y: list[Polynomial] = [{(j,): j} for j in range(1, w + 1)]
    size = 2 * w - 2
    sylvester: list[dict[int, Polynomial]] = []
    for row in (by_x, by_y):
        sylvester += [{shift + j: entry for j, entry in enumerate(row)} for shift in range(w - 1)]
    # Minors of the first rows by their columns: Laplace's expansion, row by row.
    minors: dict[frozenset[int], Polynomial] = {frozenset(): {(): 1}}
    for row in sylvester:
        larger: dict[frozenset[int], Polynomial] = {}
        for columns, minor in minors.items():
            for column, entry in row.items():
                if column in columns:
                    continue
                odd = sum(c > column for c in columns) % 2
                target = larger.setdefault(columns | {column}, {})
                for word, x in multiply(minor, entry).items():
                    target[word] = target.get(word, 0) + (-x if odd else x)
        minors = {columns: {w: x for w, x in minor.items() if x != 0} for columns, minor in larger.items()}
    return minors[frozenset(range(size))]


# A quadratic condition on the roots of h


@dataclass(frozen=True)
class Anisotropic:
    degree: int
    point: tuple[int, int]
    place: int | None
    root: int | None


def read_anisotropic(witness: Any, context: Context) -> Anisotropic:
    _, degree, node, place, root = keys(
        witness, context.witness(), ("argument", "degree", "point"), ("place", "root")
    )
    integer(degree, context.witness("degree"), 2, limits.DEGREE)
    values = sequence(node, context.witness("point"), least=2, most=2)
    x, y = (integer(v, context.witness("point", i), -(2**53) + 1, 2**53 - 1) for i, v in enumerate(values))
    if not x and not y:
        raise Unreadable("out-of-range", context.witness("point"), "the point is not zero")
    if place is not MISSING and not is_prime(integer(place, context.witness("place"), 2, 2**53 - 1)):
        raise Unreadable("not-prime", context.witness("place"), f"{place} is not a prime")
    return Anisotropic(degree, (x, y), None if place is MISSING else place, read_root(root, context))


def derive_anisotropic(data: Anisotropic, context: Context) -> Claim:
    """The conditions on the first two symmetric functions of the roots have no solution with distinct roots."""
    tied = context.units.name == "tied"
    if not tied and context.units.name != "untied":
        raise Rejected("hypothesis", context.pointer, "this argument is about tied and untied units")
    if data.place is None:
        if context.over != "RR":
            raise field_refused(context, "RR, or QQ or a number field at a place,")
    else:
        check_local_field(data.place, data.root, context)
    w, d = data.degree, context.target.space.form_degree
    m = w if tied else 2 * w
    if m > d:
        raise Rejected("hypothesis", context.witness("degree"), f"{m} exceeds the degree {d} of the target")
    form = moments(in_coordinates(coefficients(context.target), data.point))
    check_sizes(form, d, context.witness("point"))
    constant, linear, quadratic = conditions(form, m)
    if quadratic is None or (tied and linear is None):
        raise Rejected("hypothesis", context.witness("point"), "too few conditions on the roots; one may be at infinity")
    if constant or roots_coincide(quadratic, linear, w, tied, data.place):
        return Claim(RANK, context.units.name, context.over, AT_LEAST, w + 1)
    raise Rejected("isotropic", context.witness(), "the condition on the roots may have a solution with distinct roots")


def in_coordinates(form: Form, point: tuple[int, int]) -> Form:
    """The form in coordinates (u, v) with u = point[0] x + point[1] y, and v = y, or x if point[0] = 0."""
    a, b = point
    d = len(form) - 1
    if a == 0:
        # y = u / b, x = v.
        return [normal(form[d - j] * Fraction(1, b) ** (d - j)) for j in range(d + 1)]
    # x = (u - b v) / a, y = v.
    result: Form = [0] * (d + 1)
    for j, c in enumerate(form):
        for i in range(d - j + 1):
            result[j + i] = result[j + i] + c * comb(d - j, i) * Fraction(1, a) ** (d - j) * (-b) ** i
    return [normal(x) for x in result]


def conditions(form: Form, m: int) -> tuple[bool, Form | None, Form | None]:
    """What the form says about an operator f of degree m that kills it, through its first three coefficients only.

    Combinations c0 f0 + c1 f1 + c2 f2 = 0 of the equations f o F = 0: whether f0 = 0 is one of them; one with c1 not
    zero and c2 = 0, if there is any; one with c2 not zero, if there is any.
    """
    rows = [form[k : k + m + 1] for k in range(len(form) - m)]
    tails = [[row[j] for row in rows] for j in range(3, m + 1)]
    found: list[Form] = []
    for combination in kernel(tails, len(rows)):
        found.append([total([x * row[j] for x, row in zip(combination, rows, strict=True)]) for j in range(3)])
    constant = False
    linear: Form | None = None
    quadratic: Form | None = None
    # Elimination from the back.
    for place in (2, 1, 0):
        pivot = next((c for c in found if c[place] != 0), None)
        if pivot is None:
            continue
        scale: Any = inverse(pivot[place])
        found = [[total([x, -(y * c[place] * scale)]) for x, y in zip(c, pivot, strict=True)] for c in found]
        if place == 2:
            quadratic = pivot
        elif place == 1:
            linear = pivot
        else:
            constant = True
    return constant, linear, quadratic


def roots_coincide(quadratic: Form, linear: Form | None, w: int, tied: bool, place: int | None) -> bool:
    """Whether every h = prod (U - r_i V) over the local field that meets the two conditions has w equal roots.

    Homogenised by r_0, the conditions are a quadratic form in r_0, ..., r_w and a hyperplane. If the form is
    anisotropic on the hyperplane modulo its radical, only vectors of the radical meet them.
    """
    size = w + 1
    # The first coefficients of h are 1, -e_1, e_2; those of h^2 are 1, -2 e_1, e_1^2 + 2 e_2.
    c0, c1, c2 = quadratic
    square, pair, mixed = (0, c2, -c1) if tied else (c2, 4 * c2, -2 * c1)
    # Twice the quadratic form as a symmetric matrix.
    matrix: list[Form] = [[2 * square if i == j else pair for j in range(size)] for i in range(size)]
    matrix[0] = [2 * c0, *[mixed] * w]
    for row in matrix[1:]:
        row[0] = mixed
    basis = kernel([], size)
    if linear is not None:
        basis = kernel([[linear[0], *[-linear[1] if tied else -2 * linear[1]] * w]], size)
    images = [[total([x * y for x, y in zip(row, vector, strict=True)]) for row in matrix] for vector in basis]
    gram = [[total([x * y for x, y in zip(image, vector, strict=True)]) for vector in basis] for image in images]
    diagonal: list[Rational] = diagonalise_exact(gram)  # type: ignore[assignment]
    if place is None:
        anisotropic = all(x > 0 for x in diagonal) or all(x < 0 for x in diagonal)
    else:
        anisotropic = anisotropic_dimension(diagonal, place) == len(diagonal)
    for combination in kernel(gram, len(basis)):
        roots = [
            total([x * vector[i] for x, vector in zip(combination, basis, strict=True)]) for i in range(1, size)
        ]
        if any(a != b for a, b in pairwise(roots)):
            return False
    return anisotropic
