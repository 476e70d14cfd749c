"""Rule ``floor``: no network of so few units comes closer, by the singular values of a flattening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, Claim, Floor
from ..contractions import read_orders
from ..losses import constant, cost, multiplicity
from ..reading import MISSING, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Rational, read_rational
from ..spectrum import Spectrum, counted
from ..targets import Word, factor_words, quoted
from ..units import check_operations
from .flattening import flattening_divisor, number_of_ways, side, ways
from .over import field_refused
from .rule import Context, Rule

Weights = Mapping[Word, Rational]
Rows = Mapping[Word, Mapping[Word, Rational]]


@dataclass(frozen=True)
class Recipe:
    """``orders`` of the factors on the row side, thresholds of eigenvalues, weights of rows and columns or None."""

    orders: list[int]
    thresholds: list[Rational]
    weights: tuple[Weights, Weights] | None


def read(witness: Any, context: Context) -> Recipe:
    orders, thresholds, rows, columns = keys(
        witness, context.witness(), ("orders", "thresholds"), ("rows", "columns")
    )
    read_orders(orders, context.target.space.factors, context.witness("orders"))
    levels = read_thresholds(thresholds, context, "thresholds")
    if (rows is MISSING) != (columns is MISSING):
        raise Unreadable("missing-key", context.witness(), "rows and columns come together")
    if rows is MISSING:
        return Recipe(orders, levels, None)
    given = _weights(rows, orders, context, "rows"), _weights(columns, rest(orders, context), context, "columns")
    return Recipe(orders, levels, given)


def read_thresholds(node: Any, context: Context, name: str) -> list[Rational]:
    """Positive rationals, decreasing."""
    levels: list[Rational] = []
    for i, entry in enumerate(sequence(node, context.witness(name))):
        here = context.witness(name, i)
        levels.append(read_rational(entry, here))
        if levels[-1] <= 0 or (i and levels[-1] >= levels[-2]):
            raise Unreadable("unsorted", here, "thresholds are positive and decrease")
    return levels


def rest(orders: list[int], context: Context) -> list[int]:
    """The orders of the other side."""
    return [power - order for order, (_, power) in zip(orders, context.target.space.factors, strict=True)]


def _weights(node: Any, orders: list[int], context: Context, name: str) -> Weights:
    """A weight for every word of a side, in lexicographic order; words of weight 0 take no part."""
    size = side(context, orders)
    words: list[Word] = [()]
    for (dimension, _), order in zip(context.target.space.factors, orders, strict=True):
        words = [word + more for word in words for more in factor_words(dimension, order)]
    found: dict[Word, Rational] = {}
    for i, (word, x) in enumerate(zip(words, sequence(node, context.witness(name), least=size, most=size), strict=True)):
        weight = read_rational(x, context.witness(name, i))
        if weight < 0:
            raise Unreadable("out-of-range", context.witness(name, i), "a weight is not negative")
        if weight:
            found[word] = weight
    return found


def derive(recipe: Recipe, context: Context) -> Claim:
    floor = floor_of(context, ("RR", "CC"))
    skipped = flattening_divisor(context, recipe.orders) * floor.width
    rows = flattened(recipe.orders, context)
    if recipe.weights is None:
        row_weight, column_weight = bombieri(rows, recipe.orders, floor, context)
    else:
        row_weight, column_weight = recipe.weights
        check_weights(recipe.weights, recipe.orders[0], floor, context)
    names = [u for u in sorted(rows) if u in row_weight]
    gram = _gram([{v: x for v, x in rows[u].items() if v in column_weight} for u in names], column_weight, context)
    scaling = [row_weight[u] for u in names]
    total = sum(x * row.get(i, 0) for i, (x, row) in enumerate(zip(scaling, gram, strict=True)))
    spectrum = counted(gram, scaling, recipe.thresholds, context.witness("thresholds"))
    return Claim(floor, context.units.name, context.over, AT_LEAST, _after(spectrum, skipped, total))


def floor_of(context: Context, fields: tuple[str, ...]) -> Floor:
    """The floor that is asked about, if it is one of a rational target over a field that the rule concludes over."""
    if context.floor is None or context.floor.loss == "size":
        raise Rejected("quantity", f"{context.pointer}/claim/quantity", "the rule is about the floor of a loss")
    if context.over not in fields or context.target.ring.name != "QQ":
        raise field_refused(context, " or ".join(fields))
    if context.floor.loss != "frobenius" and not context.units.powers:
        raise Rejected("hypothesis", context.pointer, "the loss of a tensor is frobenius: it is not a function of x")
    return context.floor


def flattened(orders: list[int], context: Context) -> Rows:
    """The flattening of the symmetric tensor: entry (u, v) is the coefficient of u + v over its number of orderings."""
    space, entries = context.target.space, context.target.entries
    check_operations(sum(number_of_ways(word, space) for word in entries), limits.OPERATIONS, context.witness("orders"))
    rows: dict[Word, dict[Word, Rational]] = {}
    for word, value in entries.items():
        pieces = space.split(word)
        entry = Fraction(value) / prod(map(multiplicity, pieces))  # type: ignore[arg-type]
        for u, v, _ in ways(pieces, orders):
            rows.setdefault(u, {})[v] = entry
    return rows


def bombieri(rows: Rows, orders: list[int], floor: Floor, context: Context) -> tuple[Weights, Weights]:
    """The weights for which the inequality of `check_weights` is an equality: numbers of orderings, and the constant."""
    factor = constant(floor, context.target.space)
    if factor is None:
        raise Rejected("weights", context.witness(), f"for the loss {floor.loss} weights are given")
    others = rest(orders, context)
    columns = {v for row in rows.values() for v in row}
    return {u: _orderings(u, orders) for u in rows}, {v: factor * _orderings(v, others) for v in columns}


def _orderings(word: Word, orders: list[int]) -> int:
    starts = [sum(orders[:i]) for i in range(len(orders))]
    return prod(multiplicity(word[start : start + order]) for start, order in zip(starts, orders, strict=True))


def check_weights(weights: tuple[Weights, Weights], order: int, floor: Floor, context: Context) -> None:
    """Refuse weights of which the products over the ways to split some monomial sum to more than it costs."""
    space, here = context.target.space, context.witness("rows")
    if not context.units.powers:
        raise Rejected("weights", here, "weights are about forms and maps")
    check_operations(100 * len(weights[0]) * len(weights[1]), limits.OPERATIONS, here)
    d = space.form_degree
    total: dict[Word, Rational] = {}
    for u, x in weights[0].items():
        for v, y in weights[1].items():
            # A word of a side is its part of the form and then, on one of the sides, the output.
            word = tuple(sorted(u[:order] + v[: d - order])) + u[order:] + v[d - order :]
            total[word] = total.get(word, 0) + x * y
    for word, x in total.items():
        most = cost(floor, space, word[:d])
        if x > most:
            place = context.target.place(word)
            raise Rejected("weights", here, f"the weights sum to {quoted(x)} at {place}, which costs {quoted(most)}")


def _gram(rows: list[dict[Word, Rational]], weight: Weights, context: Context) -> list[dict[int, Rational]]:
    """The products of the rows with each other, every column with its weight."""
    users: dict[Word, list[int]] = {}
    for i, row in enumerate(rows):
        for v in row:
            users.setdefault(v, []).append(i)
    check_operations(10 * sum(len(using) ** 2 for using in users.values()), limits.OPERATIONS, context.witness("orders"))
    gram: list[dict[int, Rational]] = [{} for _ in rows]
    for v, using in users.items():
        for i in using:
            for j in using:
                gram[i][j] = gram[i].get(j, 0) + weight[v] * rows[i][v] * rows[j][v]
    return gram


def _after(spectrum: Spectrum, skipped: int, total: Rational) -> Rational:
    """What the eigenvalues after the first ones sum to at least: counted from below, or as the rest of their sum."""
    below = sum(spectrum.least(place) for place in range(skipped + 1, spectrum.size + 1))
    tops = [spectrum.most(place) for place in range(1, min(skipped, spectrum.size) + 1)]
    rest_of_sum = total - sum(x for x in tops if x is not None) if None not in tops else 0
    return max(below, rest_of_sum)


RULE = Rule(read, derive)
