"""Rule ``quadric``: tied and untied width of one quadratic form, by rank, signature and Witt index."""

from __future__ import annotations

from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..primes import is_prime
from ..quadratic import (
    anisotropic_dimension,
    diagonalise_exact,
    diagonalise_modulo,
    untied_width_characteristic_two,
    untied_width_odd,
)
from ..reading import MISSING, integer, keys
from ..refusal import Rejected, Unreadable
from ..scalars import Number, Rational, inverse, sign
from ..targets import Target
from ..units import check_operations
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule

PRODUCTS = ("untied", "split", "mixed:1")
"""For degree 2 each of these units is a product of two linear forms."""


def read(witness: Any, context: Context) -> int | None:
    (place,) = keys(witness, context.witness(), (), ("place",))
    if place is MISSING:
        return None
    if not is_prime(integer(place, context.witness("place"), 2, 2**53 - 1)):
        raise Unreadable("not-prime", context.witness("place"), f"{place} is not a prime")
    return place


def derive(place: int | None, context: Context) -> Claim:
    space, here = context.target.space, context.pointer
    if len(space.factors) != 1 or space.form_degree != 2:
        raise Rejected("hypothesis", here, "the rule is about one form of degree 2")
    if context.units.name != "tied" and context.units.name not in PRODUCTS:
        raise Rejected("hypothesis", here, f"the rule says nothing about {context.units.name} units")
    n = space.variables
    # Elimination is cubic; over GF(2) every pair of basis vectors evaluates the form.
    check_operations(n**4 if context.over == "GF(2)" else 10 * n**3, limits.OPERATIONS, here)
    width = exact_width(context) if place is None else width_at_place(place, context)
    # The locus of forms of at most this width is closed, so a lower bound holds for border rank.
    quantity = BORDER if context.relation == AT_LEAST else RANK
    return Claim(quantity, context.units.name, context.over, context.relation, width)


def exact_width(context: Context) -> int:
    """The width over CC, RR or GF(p)."""
    target, over = context.target, context.over
    tied = context.units.name == "tied"
    if over == "RR":
        diagonal = real_diagonal(target, context)
        positive = sum(sign(x) > 0 for x in diagonal)
        return len(diagonal) if tied else max(positive, len(diagonal) - positive)
    ring = ring_of_lower_bound(context)
    target = target.over(ring)
    if not ring.prime:
        rank = len(diagonalise_exact(symmetric_matrix(target)))
        return rank if tied else (rank + 1) // 2
    return width_over_finite_field(target, tied, context)


def real_diagonal(target: Target, context: Context) -> list[Number]:
    field = target.ring.number_field
    if target.ring.prime or (field is not None and field.real_root is None):
        raise field_refused(context, "the fields that contain the coefficients, or GF(p)")
    return diagonalise_exact(symmetric_matrix(target))


def symmetric_matrix(target: Target) -> list[list[Any]]:
    """The symmetric matrix of a form over a field of characteristic 0: half the coefficient off the diagonal."""
    n = target.space.variables
    half = inverse(2)
    matrix: list[list[Any]] = [[0] * n for _ in range(n)]
    for (i, j), value in target.entries.items():
        matrix[i][j] = matrix[j][i] = value if i == j else value * half
    return matrix


def width_over_finite_field(target: Target, tied: bool, context: Context) -> int:
    p, n = target.ring.prime, target.space.variables
    entries: dict[tuple[int, ...], int] = dict(target.entries)  # type: ignore[arg-type]
    if p == 2:
        if tied:
            message = "in characteristic 2 a sum of squares is a square; the rule is silent about tied units"
            raise Rejected("characteristic", context.pointer, message)
        return untied_width_characteristic_two({(i, j): c for (i, j), c in entries.items()}, n)
    half = pow(2, -1, p)
    matrix = [[0] * n for _ in range(n)]
    for (i, j), value in entries.items():
        matrix[i][j] = matrix[j][i] = value if i == j else value * half % p
    diagonal = diagonalise_modulo(matrix, p)
    return len(diagonal) if tied else untied_width_odd(diagonal, p)


def width_at_place(place: int, context: Context) -> int:
    """Untied width over QQ_p, which bounds the width over QQ from below: (rank + anisotropic dimension) / 2."""
    target = context.target
    if context.over != "QQ" or target.ring.name != "QQ":
        raise field_refused(context, "QQ at a place")
    if context.relation != AT_LEAST or context.units.name == "tied":
        raise Rejected("hypothesis", context.pointer, "a place bounds the width in products of two forms from below")
    rational: list[Rational] = diagonalise_exact(symmetric_matrix(target))  # type: ignore[assignment]
    return (len(rational) + anisotropic_dimension(rational, place)) // 2


RULE = Rule(read, derive)
