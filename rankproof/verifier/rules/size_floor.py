"""Rule ``size-floor``: tied units that come close to a form which so many units only approach have to be large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from .. import limits
from ..claims import AT_LEAST, Claim
from ..losses import multiplicity
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Rational, read_rational
from ..targets import Word, check_word
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule

Matrix = list[list[Fraction]]


@dataclass(frozen=True)
class Recipe:
    """Words of rows and columns, two linear forms, a polynomial in ascending order, a power, and the value."""

    rows: list[Word]
    columns: list[Word]
    over: list[Rational]
    along: list[Rational]
    polynomial: list[Rational]
    power: int
    bound: Rational


def read(witness: Any, context: Context) -> Recipe:
    names = ("order", "rows", "columns", "over", "along", "polynomial", "power", "bound")
    order, rows, columns, over, along, polynomial, power, bound = keys(witness, context.witness(), names)
    space, width = context.target.space, 0 if context.floor is None else context.floor.width
    if len(space.factors) != 1 or space.form_degree < 3 or context.units.name != "tied":
        raise Unreadable(
            "units-do-not-fit",
            context.pointer,
            "the rule is about tied units for one form of degree 3 or more",
        )
    n, d = space.variables, space.form_degree
    order = integer(order, context.witness("order"), 1, d - 2)
    return Recipe(
        _words(rows, "rows", (n, order), width, context),
        _words(columns, "columns", (n, d - 1 - order), width, context),
        _numbers(over, "over", n, n, context),
        _numbers(along, "along", n, n, context),
        _numbers(polynomial, "polynomial", 2, width + 1, context),
        integer(power, context.witness("power"), 1, width),
        read_rational(bound, context.witness("bound")),
    )


def _words(node: Any, name: str, factor: tuple[int, int], count: int, context: Context) -> list[Word]:
    words: list[Word] = []
    for i, entry in enumerate(sequence(node, context.witness(name), least=count, most=count)):
        here = context.witness(name, i)
        words.append(tuple(sequence(entry, here, least=factor[1], most=factor[1])))
        check_word(words[-1], here, [factor])
    if len(set(words)) != len(words):
        raise Unreadable("repeated", context.witness(name), "a word stands twice")
    return words


def _numbers(node: Any, name: str, least: int, most: int, context: Context) -> list[Rational]:
    entries = enumerate(sequence(node, context.witness(name), least=least, most=most))
    return [read_rational(x, context.witness(name, i)) for i, x in entries]


def derive(recipe: Recipe, context: Context) -> Claim:
    floor, here = context.floor, context.pointer
    if floor is None or floor.loss != "size":
        raise Rejected("quantity", f"{here}/claim/quantity", "the rule is about the size of units")
    if context.over not in ("RR", "CC") or context.target.ring.name != "QQ":
        raise field_refused(context, "RR or CC")
    r = floor.width
    check_operations(100 * r**4 * (len(recipe.polynomial) + recipe.power), limits.OPERATIONS, here)
    h = _contracted(recipe, recipe.over, context)
    inverse = _inverse(h)
    if inverse is None:
        raise Rejected("hypothesis", context.witness("over"), "the matrix of this linear form is singular")
    m = _product(_contracted(recipe, recipe.along, context), inverse)
    value: Matrix = [[Fraction(0)] * r for _ in range(r)]
    for c in reversed(recipe.polynomial):
        value = _product(value, m)
        for i in range(r):
            value[i][i] += c
    last: Matrix = [[Fraction(i == j) for j in range(r)] for i in range(r)]
    for _ in range(recipe.power - 1):
        last = _product(last, value)
    if any(x for row in _product(last, value) for x in row):
        raise Rejected(
            "hypothesis", context.witness("polynomial"), f"power {recipe.power} of its value is not zero"
        )
    if not _holds(recipe, h, inverse, m, value, last, _root(floor.scale)):
        raise Rejected("bound", context.witness("bound"), "the inequality of the rule does not give so much")
    return Claim(floor, context.units.name, context.over, AT_LEAST, recipe.bound)


def _holds(
    recipe: Recipe, h: Matrix, inverse: Matrix, m: Matrix, value: Matrix, last: Matrix, error: Rational
) -> bool:
    """The inequality, with every norm rounded so that it becomes harder."""
    over, along = _norm([recipe.over]), _norm([recipe.along])
    size, of_m, of_value = _norm(inverse), _norm(m), _norm(value)
    lost = size * over * error
    if lost >= 1:
        return False
    moved = (along + of_m * over) * error * size / (1 - lost)
    change = sum(abs(c) * ((of_m + moved) ** j - of_m**j) for j, c in enumerate(recipe.polynomial))
    entry, k = max(abs(x) for row in _product(last, h) for x in row), recipe.power
    gone = ((of_value + change) ** (k - 1) - of_value ** (k - 1)) * (_norm(h) + over * error)
    left = entry - gone - _norm(last) * over * error
    small = (of_value + change) ** k - of_value**k
    return left > 0 and (recipe.bound * over) ** k * small ** (k - 1) <= left**k


def _contracted(recipe: Recipe, form: Sequence[Rational], context: Context) -> Matrix:
    """Entry (u, v): the sum over j of form_j t_(u + v + j), t the coefficients over their numbers of orderings."""
    entries = context.target.entries
    letters = [(j, Fraction(x)) for j, x in enumerate(form)]
    return [
        [
            sum((x * _entry(entries, tuple(sorted((*u, *v, j)))) for j, x in letters), Fraction(0))
            for v in recipe.columns
        ]
        for u in recipe.rows
    ]


def _entry(entries: Any, word: Word) -> Fraction:
    return Fraction(entries.get(word, 0)) / multiplicity(word)


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[sum((x * y for x, y in zip(row, c, strict=True)), Fraction(0)) for c in columns] for row in a]


def _inverse(matrix: Matrix) -> Matrix | None:
    n = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def _norm(matrix: Sequence[Sequence[Rational]]) -> Fraction:
    """At least the Euclidean norm of all entries, and so at least every singular value."""
    return _root(sum((Fraction(x) ** 2 for row in matrix for x in row), Fraction(0)))


def _root(x: Rational) -> Fraction:
    """At least the square root, by a relative error of at most 2^-60 or so."""
    x = Fraction(x)
    bits = 64 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Fraction(isqrt((x.numerator << 2 * bits) // x.denominator) + 1, 1 << bits)


RULE = Rule(read, derive)
