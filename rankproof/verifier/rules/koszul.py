"""Rule ``koszul``: the rank of a Koszul flattening, divided by the largest rank it has on one unit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim, characteristic
from ..matrix import Work, blocks, rank_modulo
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Undecided
from ..targets import Space, Word, factor_dimension
from ..units import check_operations
from .flattening import flattening_divisor, number_of_ways, read_prime, reduced, ways
from .over import ring_of_lower_bound
from .rule import Context, Rule


@dataclass(frozen=True)
class Wedge:
    """One letter of factor ``factor`` is mapped to K^dimension and wedged onto the exterior power ``power``."""

    factor: int
    power: int
    dimension: int
    projection: list[list[int]] | None


@dataclass(frozen=True)
class Recipe:
    """What becomes of the letters of a word: one for every wedge, the rest is split by ``orders``."""

    wedges: list[Wedge]
    orders: list[int]
    prime: int
    root: int | None

    def wedged(self, factor: int) -> int:
        """How many letters this factor gives up."""
        return sum(wedge.factor == factor for wedge in self.wedges)


def read(witness: Any, context: Context) -> Recipe:
    factor, power, orders, prime, projection, root, more = keys(
        witness, context.witness(), ("factor", "wedge", "orders", "prime"), ("projection", "root", "more")
    )
    wedges = [_read_wedge(factor, power, projection, context)]
    if more is not MISSING:
        for k, node in enumerate(sequence(more, context.witness("more"), least=1, most=limits.DEGREE - 1)):
            parts = keys(node, context.witness("more", k), ("factor", "wedge"), ("projection",))
            wedges.append(_read_wedge(*parts, context, "more", k))
    prime, root = read_prime(prime, root, context)
    recipe = Recipe(wedges, orders, prime, root)
    factors = context.target.space.factors
    sequence(orders, context.witness("orders"), least=len(factors), most=len(factors))
    for i, (order, (_, degree)) in enumerate(zip(orders, factors, strict=True)):
        integer(order, context.witness("orders", i), 0, degree - recipe.wedged(i))
    return recipe


def _read_wedge(factor: Any, power: Any, projection: Any, context: Context, *path: object) -> Wedge:
    factors = context.target.space.factors
    n, _ = factors[integer(factor, context.witness(*path, "factor"), 0, len(factors) - 1)]
    rows = None
    if projection is not MISSING:
        rows = _read_projection(projection, n, context.witness(*path, "projection"))
    dimension = n if rows is None else len(rows)
    return Wedge(factor, integer(power, context.witness(*path, "wedge"), 0, dimension - 1), dimension, rows)


def _read_projection(node: Any, n: int, pointer: str) -> list[list[int]]:
    rows = sequence(node, pointer, least=1, most=n)
    for i, row in enumerate(rows):
        for j, entry in enumerate(sequence(row, f"{pointer}/{i}", least=n, most=n)):
            integer(entry, f"{pointer}/{i}/{j}", -(2**53) + 1, 2**53 - 1)
    return rows


def derive(recipe: Recipe, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    if ring.prime and ring.prime != recipe.prime:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    divisor = largest_unit_rank(recipe, context)
    check_sizes(recipe, context)
    entries = reduced(context.target.over(ring), recipe.prime, recipe.root, context)
    found = parts(entries, recipe, context)
    maps, work = WedgeMaps(recipe.wedges), Work()
    rank = sum(
        times * rank_modulo(koszul(part, maps, recipe.prime), recipe.prime, work)
        for part, times in found.items()
    )
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, -(-rank // divisor))


def largest_unit_rank(recipe: Recipe, context: Context) -> int:
    """Table of the rule's page: the product of all C(a-1, q), times the number of terms that a unit contributes."""
    wedge = prod(comb(wedge.dimension - 1, wedge.power) for wedge in recipe.wedges)
    name = context.units.name
    if name == "product" or name == "tied":
        return wedge
    if not recipe.wedged(0):
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
    rows = prod(comb(wedge.dimension, wedge.power) for wedge in recipe.wedges)
    columns = prod(comb(wedge.dimension, wedge.power + 1) for wedge in recipe.wedges)
    for i, (order, (n, degree)) in enumerate(zip(recipe.orders, context.target.space.factors, strict=True)):
        rows *= factor_dimension(n, order)
        columns *= factor_dimension(n, degree - recipe.wedged(i) - order)
    if max(rows, columns) > limits.KOSZUL_SIDE:
        raise Undecided("limit-koszul", context.witness(), f"{rows} rows and {columns} columns")


Indices = tuple[int, ...]
"""One coordinate for every wedge: the tensor e_i (x) e_j (x) ..."""

Part = tuple[tuple[tuple[int, tuple[tuple[Indices, int], ...]], ...], ...]
"""A matrix of tensors: for every row its entries, each the number of the column and the coordinates that are not zero."""

Moves = list[tuple[int, int, int]]
"""Row number, column number and sign of the places of a product of wedge maps."""


def parts(entries: dict[Word, int], recipe: Recipe, context: Context) -> Counter[Part]:
    """The parts into which the matrix of the tensors that are wedged falls, and how often each occurs.

    A word of the target gives up one letter x for every wedge, with the multiplicity of x (a derivative); x is
    replaced by its image in K^a; the other letters are split as in a flattening. To number the columns of a part as they
    appear does not change a rank, and shows that parts are alike.
    """
    p, space = recipe.prime, context.target.space
    images = [_images(wedge, space.factors[wedge.factor][0], p) for wedge in recipe.wedges]
    check_operations(100 * _work(entries, recipe, images, space), limits.OPERATIONS, context.witness())
    rows: dict[Word, dict[Word, dict[Indices, int]]] = {}
    for word, value in entries.items():
        for letters, pieces, count in _given_up(space.split(word), recipe.wedges):
            image = _joint_image([of[x] for of, x in zip(images, letters, strict=True)])
            for u, v, times in ways(pieces, recipe.orders):
                cell = rows.setdefault(u, {}).setdefault(v, {})
                for indices, x in image:
                    cell[indices] = (cell.get(indices, 0) + value * count * times * x) % p
    tensors = [
        {v: tuple(sorted(item for item in t.items() if item[1])) for v, t in row.items()}
        for row in rows.values()
    ]
    found: Counter[Part] = Counter()
    for block in blocks([{v: tensor for v, tensor in row.items() if tensor} for row in tensors]):
        number: dict[Word, int] = {}
        found[
            tuple(
                tuple((number.setdefault(v, len(number)), t) for v, t in row.items())
                for row in block.values()
            )
        ] += 1
    share = prod(comb(wedge.dimension - 1, wedge.power) for wedge in recipe.wedges)
    filled = share * sum(len(tensor) for part in found for row in part for _, tensor in row)
    # To fill a place of the matrix costs some hundred elementary operations.
    check_operations(100 * filled, limits.OPERATIONS, context.witness())
    return found


def _images(wedge: Wedge, n: int, p: int) -> list[list[tuple[int, int]]]:
    """For every letter the coordinates of its image that are not zero."""
    if wedge.projection is None:
        return [[(x, 1)] for x in range(n)]
    return [[(i, row[x] % p) for i, row in enumerate(wedge.projection) if row[x] % p] for x in range(n)]


def _work(
    entries: dict[Word, int], recipe: Recipe, images: list[list[list[tuple[int, int]]]], space: Space
) -> int:
    """At most how many coordinates are added up, from sizes alone."""
    total = 0
    for word in entries:
        pieces, count = space.split(word), number_of_ways(word, space)
        for wedge, image in zip(recipe.wedges, images, strict=True):
            count *= sum(len(image[x]) for x in set(pieces[wedge.factor]))
        total += count
    return total


def _given_up(pieces: list[Word], wedges: list[Wedge]) -> list[tuple[Word, list[Word], int]]:
    """The ways to give up one letter for every wedge: the letters, what is left, and the number of times."""
    found: list[tuple[Word, list[Word], int]] = [((), pieces, 1)]
    for wedge in wedges:
        i = wedge.factor
        found = [
            ((*letters, x), [*left[:i], _without(left[i], x), *left[i + 1 :]], count * left[i].count(x))
            for letters, left, count in found
            for x in sorted(set(left[i]))
        ]
    return found


def _joint_image(images: list[list[tuple[int, int]]]) -> list[tuple[Indices, int]]:
    """The tensor product of vectors."""
    joint: list[tuple[Indices, int]] = [((), 1)]
    for image in images:
        joint = [((*indices, i), x * y) for indices, x in joint for i, y in image]
    return joint


class WedgeMaps(dict[Indices, Moves]):
    """Places of the tensor product of the wedge maps of basis vectors, found when they are asked for."""

    def __init__(self, wedges: list[Wedge]) -> None:
        super().__init__()
        self.wedges = wedges
        self.tables = [wedge_table(wedge.dimension, wedge.power) for wedge in wedges]

    def __missing__(self, indices: Indices) -> Moves:
        moves = [(0, 0, 1)]
        for i, table, wedge in zip(indices, self.tables, self.wedges, strict=True):
            height, width = comb(wedge.dimension, wedge.power), comb(wedge.dimension, wedge.power + 1)
            moves = [(k * height + m, j * width + l, s * t) for k, j, s in moves for m, l, t in table[i]]
        self[indices] = moves
        return moves


def koszul(part: Part, maps: WedgeMaps, p: int) -> list[dict[Any, int]]:
    """Rows (subsets of sizes q, row of the part), columns (subsets of sizes q+1, its column); the subsets are numbered."""
    rows: dict[Any, dict[Any, int]] = {}
    for u, row in enumerate(part):
        for v, tensor in row:
            for indices, x in tensor:
                for subset, larger, sign in maps[indices]:
                    # The two subsets tell the indices, so that no place is filled twice.
                    rows.setdefault((subset, u), {})[larger, v] = sign * x % p
    return list(rows.values())


def wedge_table(a: int, size: int) -> list[Moves]:
    """For every i < a the triples (number of a set S of this size, number of S and i, sign): e_i wedge e_S."""
    number = {subset: k for k, subset in enumerate(combinations(range(a), size))}
    table: list[Moves] = [[] for _ in range(a)]
    for k, larger in enumerate(combinations(range(a), size + 1)):
        for place, i in enumerate(larger):
            subset = larger[:place] + larger[place + 1 :]
            table[i].append((number[subset], k, -1 if place % 2 else 1))
    return table


def _without(piece: Word, letter: int) -> Word:
    position = piece.index(letter)
    return piece[:position] + piece[position + 1 :]


RULE = Rule(read, derive)
