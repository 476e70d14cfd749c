"""Rule ``flattening``: the rank of a flattening, divided by the largest rank it has on one unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..contractions import read_orders
from ..matrix import rank_modulo
from ..numberfield import value as polynomial_value
from ..primes import is_prime
from ..reading import MISSING, increasing, integer, keys
from ..refusal import Rejected, Undecided, Unreadable
from ..scalars import Algebraic, Number, Ring
from ..targets import Space, Target, Word, factor_dimension, factor_words
from ..units import check_operations
from .over import ring_of_lower_bound
from .rule import Context, Rule


@dataclass(frozen=True)
class Recipe:
    """``orders`` of the factors on the row side; the prime; the image of the generator; a submatrix, or None."""

    orders: list[int]
    prime: int
    root: int | None
    rows: list[int] | None
    columns: list[int] | None


def read(witness: Any, context: Context) -> Recipe:
    orders, prime, root, rows, columns = keys(
        witness, context.witness(), ("orders", "prime"), ("root", "rows", "columns")
    )
    factors = context.target.space.factors
    read_orders(orders, factors, context.witness("orders"))
    prime, root = read_prime(prime, root, context)
    if (rows is MISSING) != (columns is MISSING):
        raise Unreadable("missing-key", context.witness(), "rows and columns come together")
    if rows is not MISSING:
        complement = [power - order for order, (_, power) in zip(orders, factors, strict=True)]
        increasing(rows, context.witness("rows"), 0, side(context, orders) - 1, shortest=1)
        increasing(columns, context.witness("columns"), 0, side(context, complement) - 1, shortest=1)
    return Recipe(
        orders, prime, root, None if rows is MISSING else rows, None if columns is MISSING else columns
    )


def read_prime(prime: Any, root: Any, context: Context) -> tuple[int, int | None]:
    """The prime of a witness and, if it is there, the image of the generator of the number field."""
    if not is_prime(integer(prime, context.witness("prime"), 2, 2**31 - 1)):
        raise Unreadable("not-prime", context.witness("prime"), f"{prime} is not a prime")
    return prime, None if root is MISSING else integer(root, context.witness("root"), 0, prime - 1)


def side(context: Context, orders: list[int]) -> int:
    """Number of rows (or columns); beyond the declared limit nothing is built."""
    size = 1
    for order, (dimension, _) in zip(orders, context.target.space.factors, strict=True):
        size *= factor_dimension(dimension, order)
    if size > limits.FLATTENING_SIDE:
        raise Undecided("limit-flattening", context.witness("orders"), f"{size} rows or columns")
    return size


def derive(recipe: Recipe, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    if ring.prime and ring.prime != recipe.prime:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    target = context.target.over(ring)
    entries = reduced(target, recipe.prime, recipe.root, context)
    divisor = flattening_divisor(context, recipe.orders)
    side(context, recipe.orders)
    side(context, [power - order for order, (_, power) in zip(recipe.orders, target.space.factors, strict=True)])
    matrix = flattening(entries, recipe, target.space, context)
    rank = rank_modulo(matrix, recipe.prime)
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, -(-rank // divisor))


def reduced(target: Target, p: int, root: int | None, context: Context) -> dict[Word, int]:
    """Coefficients of the target modulo the prime, zeros left out."""
    images = image_modulo(target.entries, target.ring, p, root, context)
    return {word: int(x) for word, x in images.items() if x}  # type: ignore[arg-type]


def image_modulo(
    entries: Mapping[Word, Number], ring: Ring, p: int, root: int | None, context: Context
) -> dict[Word, Number]:
    """Images under a ring homomorphism to GF(p), which cannot raise the rank of a matrix."""
    field = ring.number_field
    if (field is None) != (root is None):
        raise Rejected("root", context.witness(), "a root is given exactly when the target's ring is a number field")
    if field is not None and root is not None and polynomial_value(field.minimal_polynomial, root) % p:
        raise Rejected("root", context.witness("root"), f"{root} is no root of the minimal polynomial modulo {p}")
    modulo_p = Ring(f"GF({p})", prime=p)

    def image(value: Number) -> Number:
        if not isinstance(value, Algebraic):
            return modulo_p.reduce(value, context.witness("prime"))
        result: Any = 0
        for coefficient in reversed(value.coefficients):
            result = (result * root + modulo_p.reduce(coefficient, context.witness("prime"))) % p
        return result

    return {word: image(value) for word, value in entries.items()}


def flattening_divisor(context: Context, orders: list[int]) -> int:
    """Largest rank of this flattening on one unit, over every field and every extension (table of the rule's page)."""
    if not context.units.powers:
        return 1
    s, d = orders[0], context.target.space.form_degree
    if s in (0, d):
        # The form stands on one side, the outputs on the other: a unit is a product w * (form).
        return 1
    name = context.units.name
    if name == "tied":
        return 1
    if name == "untied":
        return 2
    if name == "split":
        return comb(d, s)
    return min(s, d - s, context.units.powers[1]) + 1  # mixed:k


def flattening(entries: dict[Word, int], recipe: Recipe, space: Space, context: Context) -> list[dict[int, int]]:
    """Rows of the (sub)matrix: row word u, column word v, entry c(u+v) times the binomials C(u+v, u)."""
    p = recipe.prime
    row_of = None if recipe.rows is None else selected(space, recipe.orders, recipe.rows)
    complement = [power - order for order, (_, power) in zip(recipe.orders, space.factors, strict=True)]
    column_of = None if recipe.columns is None else selected(space, complement, recipe.columns)
    rows: dict[Word, dict[int, int]] = {}
    columns: dict[Word, int] = {}
    total = sum(number_of_ways(word, space) for word in entries)
    check_operations(total, limits.OPERATIONS, context.witness("orders"))
    for word, value in entries.items():
        for row, column, multiplicity in ways(space.split(word), recipe.orders):
            if (row_of is not None and row not in row_of) or (column_of is not None and column not in column_of):
                continue
            entry = value * multiplicity % p
            if entry:
                rows.setdefault(row, {})[columns.setdefault(column, len(columns))] = entry
    return [rows[row] for row in sorted(rows)]


def selected(space: Space, orders: list[int], indices: list[int]) -> set[Word]:
    """The words of one side with the given numbers."""
    words: list[Word] = [()]
    for (dimension, _), order in zip(space.factors, orders, strict=True):
        words = [word + more for word in words for more in factor_words(dimension, order)]
    return {words[index] for index in indices}


def ways(pieces: list[Word], orders: list[int]) -> list[tuple[Word, Word, int]]:
    """All (u, v, multiplicity) with u+v the given word and u of the given orders.

    The multiplicity is the product of the binomials C(u_x + v_x, u_x) over all variables x.
    """
    result: list[tuple[Word, Word, int]] = [((), (), 1)]
    for piece, order in zip(pieces, orders, strict=True):
        splits = sub_multisets(sorted(set(piece)), piece, order)
        result = [(row + u, column + v, count * times) for row, column, count in result for u, v, times in splits]
    return result


def sub_multisets(variables: list[int], piece: Word, order: int) -> list[tuple[Word, Word, int]]:
    """The ways to put ``order`` letters of a word on one side and the rest on the other, with binomials."""
    partial: list[tuple[Word, Word, int]] = [((), (), 1)]
    for variable in variables:
        e = piece.count(variable)
        partial = [
            (u + (variable,) * k, v + (variable,) * (e - k), times * comb(e, k))
            for u, v, times in partial
            for k in range(min(e, order - len(u)) + 1)
        ]
    return [(u, v, times) for u, v, times in partial if len(u) == order]


def number_of_ways(word: Word, space: Space) -> int:
    """Upper bound for the number of ways, from the exponents alone."""
    pieces = space.split(word)
    return prod(piece.count(variable) + 1 for piece in pieces for variable in set(piece))


RULE = Rule(read, derive)
