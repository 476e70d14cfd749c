"""Rule ``koszul``: the rank of a Koszul flattening, divided by the largest rank it has on one unit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim, characteristic
from ..matrix import rank_modulo
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Undecided
from ..targets import Word, factor_dimension
from ..units import check_operations
from .flattening import flattening_divisor, number_of_ways, read_prime, reduced, ways
from .over import ring_of_lower_bound
from .rule import Context, Rule


@dataclass(frozen=True)
class Recipe:
    """One linear slot of factor ``factor`` is projected to K^a and wedged; the rest is split by ``orders``."""

    factor: int
    wedge: int
    orders: list[int]
    projection: list[list[int]] | None
    prime: int
    root: int | None

    def dimension(self, context: Context) -> int:
        """a, the dimension in which the exterior powers are taken."""
        return (
            context.target.space.factors[self.factor][0] if self.projection is None else len(self.projection)
        )


def read(witness: Any, context: Context) -> Recipe:
    factor, wedge, orders, prime, projection, root = keys(
        witness, context.witness(), ("factor", "wedge", "orders", "prime"), ("projection", "root")
    )
    factors = context.target.space.factors
    factor = integer(factor, context.witness("factor"), 0, len(factors) - 1)
    orders = sequence(orders, context.witness("orders"), least=len(factors), most=len(factors))
    for i, (order, (_, power)) in enumerate(zip(orders, factors, strict=True)):
        integer(order, context.witness("orders", i), 0, power - (i == factor))
    rows = None if projection is MISSING else _read_projection(projection, factors[factor][0], context)
    prime, root = read_prime(prime, root, context)
    recipe = Recipe(factor, wedge, orders, rows, prime, root)
    integer(wedge, context.witness("wedge"), 0, recipe.dimension(context) - 1)
    return recipe


def _read_projection(node: Any, dimension: int, context: Context) -> list[list[int]]:
    rows = sequence(node, context.witness("projection"), least=1, most=dimension)
    for i, row in enumerate(rows):
        here = context.witness("projection", i)
        for j, entry in enumerate(sequence(row, here, least=dimension, most=dimension)):
            integer(entry, f"{here}/{j}", -(2**53) + 1, 2**53 - 1)
    return rows


def derive(recipe: Recipe, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    if ring.prime and ring.prime != recipe.prime:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    divisor = largest_unit_rank(recipe, context)
    check_sizes(recipe, context)
    entries = reduced(context.target.over(ring), recipe.prime, recipe.root, context)
    rank = rank_modulo(koszul(entries, recipe, context), recipe.prime)
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, -(-rank // divisor))


def largest_unit_rank(recipe: Recipe, context: Context) -> int:
    """Table of the rule's page: C(a-1, q) times the number of terms that a unit contributes."""
    wedge = comb(recipe.dimension(context) - 1, recipe.wedge)
    name = context.units.name
    if name == "product" or name == "tied":
        return wedge
    if recipe.factor == 1:
        # The wedge is in the outputs: a unit is w times a form, flattened as in the rule ``flattening``.
        return wedge * flattening_divisor(context, recipe.orders)
    p, d = characteristic(context.over), context.target.space.form_degree
    if name == "split" or 0 < p <= d:
        message = f"no largest rank on {name} units is proved here" + (f" in characteristic {p}" if p else "")
        raise Rejected("hypothesis", context.pointer, message)
    # untied and mixed:k units have border tied width 2 and k + 1.
    return wedge * (context.units.powers[1] + 1)


def check_sizes(recipe: Recipe, context: Context) -> None:
    """Both sides of the matrix within the declared limit, before anything is built."""
    a, factors = recipe.dimension(context), context.target.space.factors
    rows, columns = comb(a, recipe.wedge), comb(a, recipe.wedge + 1)
    for i, (order, (n, power)) in enumerate(zip(recipe.orders, factors, strict=True)):
        rows *= factor_dimension(n, order)
        columns *= factor_dimension(n, power - (i == recipe.factor) - order)
    if max(rows, columns) > limits.KOSZUL_SIDE:
        raise Undecided("limit-koszul", context.witness(), f"{rows} rows and {columns} columns")


def koszul(entries: dict[Word, int], recipe: Recipe, context: Context) -> list[dict[Any, int]]:
    """Rows (subset of size p, word), columns (subset of size p+1, word); the subsets are numbered.

    A word of the target gives up one letter x of the chosen factor, with the multiplicity of x (a derivative); x is
    replaced by its image in K^a, which is wedged onto the subset; the other letters are split as in a flattening.
    """
    p, space, a = recipe.prime, context.target.space, recipe.dimension(context)
    images = [_image(recipe, letter, a) for letter in range(space.factors[recipe.factor][0])]
    places = sum(
        number_of_ways(word, space) * len(images[letter])
        for word in entries
        for letter in set(space.split(word)[recipe.factor])
    )
    # To fill a place of the matrix costs some hundred elementary operations.
    check_operations(100 * places * comb(a - 1, recipe.wedge), limits.OPERATIONS, context.witness())
    wedge = wedge_table(a, recipe.wedge)
    rows: dict[Any, dict[Any, int]] = {}
    for word, value in entries.items():
        pieces = space.split(word)
        piece = pieces[recipe.factor]
        for letter in sorted(set(piece)):
            pieces[recipe.factor] = _without(piece, letter)
            for u, v, times in ways(pieces, recipe.orders):
                for i, x in images[letter]:
                    entry = value * piece.count(letter) * times * x % p
                    for subset, larger, sign in wedge[i] if entry else ():
                        row = rows.setdefault((subset, u), {})
                        row[larger, v] = row.get((larger, v), 0) + sign * entry
    return [{column: x % p for column, x in row.items() if x % p} for row in rows.values()]


def wedge_table(a: int, size: int) -> list[list[tuple[int, int, int]]]:
    """For every i < a the triples (number of a set S of this size, number of S and i, sign): e_i wedge e_S."""
    number = {subset: k for k, subset in enumerate(combinations(range(a), size))}
    table: list[list[tuple[int, int, int]]] = [[] for _ in range(a)]
    for k, larger in enumerate(combinations(range(a), size + 1)):
        for place, i in enumerate(larger):
            subset = larger[:place] + larger[place + 1 :]
            table[i].append((number[subset], k, -1 if place % 2 else 1))
    return table


def _image(recipe: Recipe, letter: int, a: int) -> list[tuple[int, int]]:
    if recipe.projection is None:
        return [(letter, 1)]
    column = [(i, recipe.projection[i][letter] % recipe.prime) for i in range(a)]
    return [(i, x) for i, x in column if x]


def _without(piece: Word, letter: int) -> Word:
    position = piece.index(letter)
    return piece[:position] + piece[position + 1 :]


RULE = Rule(read, derive)
