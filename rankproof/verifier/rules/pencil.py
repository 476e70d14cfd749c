"""Rule ``pencil``: two slices of the target at a point outside the field, or at a point that is counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import limits
from ..binary import is_squarefree
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..forms import exact_rank
from ..matrix import rank_modulo
from ..numberfield import (
    count_real_roots,
    has_root_modulo,
    is_irreducible,
    is_squarefree_modulo,
    primitive_integers,
)
from ..primes import is_prime
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Number, Rational, Ring, read_rational
from ..targets import Word, finite_field
from ..units import check_operations
from .binary_squares import check_local_field, read_root
from .flattening import number_of_ways, ways
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule

Pencil = dict[tuple[Word, Word], tuple[Number, Number]]
"""Entries of the two slices by row and column."""

Rows = dict[Any, dict[Any, Number]]


@dataclass(frozen=True)
class Recipe:
    """A letter of ``factor`` is replaced by its two images; the rest is split by ``orders``; f is in ascending order."""

    factor: int
    orders: list[int]
    slices: list[list[int]]
    argument: str
    f: list[Rational]
    place: int | None
    root: int | None


def read(witness: Any, context: Context) -> Recipe:
    factor, orders, argument, f_node, slices, place, root = keys(
        witness,
        context.witness(),
        ("factor", "orders", "argument", "polynomial"),
        ("slices", "place", "root"),
    )
    if context.units.name not in ("product", "tied"):
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about product and tied units")
    if argument not in ("outside", "border", "double"):
        raise Unreadable(
            "unknown-argument", context.witness("argument"), "the argument is outside, border or double"
        )
    factors = context.target.space.factors
    factor = integer(factor, context.witness("factor"), 0, len(factors) - 1)
    sequence(orders, context.witness("orders"), least=len(factors), most=len(factors))
    for i, (order, (_, power)) in enumerate(zip(orders, factors, strict=True)):
        integer(order, context.witness("orders", i), 0, power - (i == factor))
    n = factors[factor][0]
    if slices is MISSING:
        if n != 2:
            raise Unreadable(
                "missing-key", context.witness(), f"two slices are chosen from a factor of dimension {n}"
            )
        slices = [[1, 0], [0, 1]]
    for i, row in enumerate(sequence(slices, context.witness("slices"), least=2, most=2)):
        here = context.witness("slices", i)
        for j, x in enumerate(sequence(row, here, least=n, most=n)):
            integer(x, f"{here}/{j}", -(2**53) + 1, 2**53 - 1)
    nodes = sequence(f_node, context.witness("polynomial"), least=2, most=limits.FIELD_DEGREE + 1)
    f = [read_rational(node, context.witness("polynomial", i)) for i, node in enumerate(nodes)]
    if f[-1] == 0:
        raise Unreadable(
            "trailing-zero", context.witness("polynomial"), "the leading coefficient is not zero"
        )
    if place is not MISSING and not is_prime(integer(place, context.witness("place"), 2, 2**31 - 1)):
        raise Unreadable("not-prime", context.witness("place"), f"{place} is not a prime")
    return Recipe(
        factor,
        orders,
        slices,
        argument,
        f,
        None if place is MISSING else place,
        read_root(root, context),
    )


def derive(recipe: Recipe, context: Context) -> Claim:
    double = recipe.argument == "double"
    ring = check_double(recipe, context) if double else check_outside(recipe, context)
    pencil = two_slices(recipe, context, ring)
    rows: Rows = {}
    columns: Rows = {}
    for (u, v), pair in pencil.items():
        for i, x in enumerate(pair):
            rows.setdefault(u, {})[i, v] = x
            columns.setdefault(v, {})[i, u] = x
    m, n = rank(rows, ring), rank(columns, ring)
    total = rank_at(pencil, recipe.f, ring)
    if double:
        total = rank_at(pencil, square(recipe.f), ring) - total
    # The total is a sum over the roots of f: for some root the number is at most the mean.
    at = total // (len(recipe.f) - 1)
    if recipe.argument != "border":
        return Claim(RANK, context.units.name, context.over, AT_LEAST, m + n - at)
    first = rank({u: {c: x for c, x in row.items() if not c[0]} for u, row in rows.items()}, ring)
    if not m == n == first > at:
        message = (
            f"ranks {m} and {n}, first slice {first}, at a root {at}: not regular and singular at the root"
        )
        raise Rejected("hypothesis", context.pointer, message)
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, m + 1)


# The point: a root of f


def check_double(recipe: Recipe, context: Context) -> Ring:
    """Over CC or GF(p): f has no repeated root."""
    ring = ring_of_lower_bound(context)
    if recipe.place is not None or recipe.root is not None:
        raise Rejected("place", context.witness(), "the argument double needs neither place nor root")
    f = over(recipe, ring, context)
    if not (is_squarefree_modulo(f, ring.prime) if ring.prime else is_squarefree(f[::-1])):
        raise Rejected("repeated-root", context.witness("polynomial"), "the polynomial has a repeated root")
    return ring


def check_outside(recipe: Recipe, context: Context) -> Ring:
    """Over RR, QQ, QQ(a) or GF(p): no root of f lies in the field, or f is irreducible and has a root outside RR."""
    ring, pointer = context.target.ring, context.witness("polynomial")
    # The rings at hand are QQ and the declared number fields.
    if (recipe.place is not None) != (context.over in context.rings):
        raise Rejected(
            "place", context.witness(), "a place is given exactly when the claim is over QQ or a number field"
        )
    if recipe.place is not None:
        check_local_field(recipe.place, recipe.root, context)
        if has_root_modulo(primitive_integers(recipe.f), recipe.place):
            raise Rejected(
                "has-root", pointer, f"the polynomial has a root modulo {recipe.place}, or at infinity"
            )
        return ring
    if recipe.root is not None:
        raise Rejected(
            "root", context.witness("root"), "a root is given exactly when the claim is over a number field"
        )
    if finite_field(context.over) is not None:
        ring = ring_of_lower_bound(context)
        if has_root_modulo(over(recipe, ring, context), ring.prime):
            raise Rejected("has-root", pointer, f"the polynomial has a root in {ring.name}")
        return ring
    if context.over != "RR":
        raise field_refused(context, "RR, QQ, QQ(a) or GF(p)")
    # Cauchy's bound: all real roots lie strictly between -bound and bound.
    bound = 1 + max(abs(Fraction(c) / recipe.f[-1]) for c in recipe.f)
    real = count_real_roots(recipe.f, -bound, bound)
    if real and (real == len(recipe.f) - 1 or ring != QQ or not irreducible(recipe.f, pointer)):
        raise Rejected("has-root", pointer, f"the polynomial has {real} real roots")
    return ring


def irreducible(f: Sequence[Rational], pointer: str) -> bool:
    """Whether f, of degree at least 2, is irreducible over QQ: so is the monic polynomial of multiples of its roots."""
    *rest, lead = integers = primitive_integers(f)
    degree = len(rest)
    # Factors are lifted to a modulus of so many digits, one digit at a time.
    bits = degree * max(c.bit_length() for c in integers)
    check_operations(degree**2 * bits**2, limits.OPERATIONS, pointer)
    return is_irreducible([c * lead ** (degree - 1 - i) for i, c in enumerate(rest)] + [1], pointer)


def over(recipe: Recipe, ring: Ring, context: Context) -> list[int]:
    """f over GF(p), of the same degree; f itself in characteristic 0."""
    f: list[Any] = [ring.reduce(c, context.witness("polynomial")) for c in recipe.f]
    if f[-1] == 0:
        raise Rejected("denominator", context.witness("polynomial"), f"the degree falls modulo {ring.prime}")
    return f


# The pencil


def two_slices(recipe: Recipe, context: Context, ring: Ring) -> Pencil:
    """The pairs of entries: rows and columns are words, as for a flattening of the derivatives by letters of the factor."""
    target = context.target.over(ring)
    places = sum(number_of_ways(word, target.space) for word in target.entries)
    # The companion matrix of the square of f makes so many entries out of one.
    check_operations(400 * len(recipe.f) * places, limits.OPERATIONS, context.witness())
    pencil: Pencil = {}
    for word, value in target.entries.items():
        pieces = target.space.split(word)
        piece = pieces[recipe.factor]
        for letter in set(piece):
            position = piece.index(letter)
            pieces[recipe.factor] = piece[:position] + piece[position + 1 :]
            for u, v, times in ways(pieces, recipe.orders):
                scale = value * (times * piece.count(letter))
                a, b = pencil.get((u, v), (0, 0))
                pencil[u, v] = a + scale * recipe.slices[0][letter], b + scale * recipe.slices[1][letter]
    return pencil


def rank_at(pencil: Pencil, f: Sequence[Rational], ring: Ring) -> int:
    """Rank of b - x a over K[x]/(f), as a matrix over K: x is the companion matrix of f."""
    *rest, lead = (ring.reduce(c) for c in f)
    degree = len(rest)
    inverse: Any = pow(lead, -1, ring.prime) if ring.prime else Fraction(1) / lead  # type: ignore[arg-type, operator]
    # x times x^i is x^(i+1), and x^degree is minus the rest of f over its leading coefficient.
    images: list[dict[int, Any]] = [{i + 1: 1} for i in range(degree - 1)]
    images.append({j: -c * inverse for j, c in enumerate(rest)})
    rows: Rows = {}
    for (u, v), (a, b) in pencil.items():
        for i, image in enumerate(images):
            row = rows.setdefault((u, i), {})
            row[v, i] = row.get((v, i), 0) + b
            for j, c in image.items():
                row[v, j] = row.get((v, j), 0) - a * c
    return rank(rows, ring)


def rank(rows: Rows, ring: Ring) -> int:
    """Exact rank over the ring."""
    kept: list[dict[Any, Any]] = []
    for row in rows.values():
        reduced: dict[Any, Any] = {column: ring.reduce(x) for column, x in row.items()}
        kept.append({column: x for column, x in reduced.items() if x != 0})
    return rank_modulo(kept, ring.prime) if ring.prime else exact_rank(kept)


def square(f: Sequence[Rational]) -> list[Rational]:
    product: list[Rational] = [0] * (2 * len(f) - 1)
    for i, x in enumerate(f):
        for j, y in enumerate(f):
            product[i + j] += x * y
    return product


RULE = Rule(read, derive)
