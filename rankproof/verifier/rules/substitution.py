"""Rule ``substitution``: units killed by combinations of slices, or of derivatives, and the rank of what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..contractions import Factors, contractions, lowered, read_orders
from ..forms import Polynomial, multiply, read_form
from ..matrix import Work
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, read_rational
from ..targets import Space, Word, check_word
from ..units import check_operations
from .flattening import flattening_divisor, number_of_ways, ways
from .over import field_refused
from .rule import Context, Rule

Entries = dict[Word, Polynomial]
"""Coefficients that are polynomials in the parameters."""

MOST_ROWS = 16
"""Rows of a minor: it is expanded over all sets of columns."""


@dataclass(frozen=True)
class Minor:
    """Rows and columns of a matrix of polynomials, and what their determinant is multiplied by."""

    rows: list[Word]
    columns: list[Word]
    multiplier: Polynomial


@dataclass(frozen=True)
class Step:
    """A covector and those that are added to it, on one factor; the minors show that the latter are independent."""

    factor: int
    chosen: Polynomial
    added: list[Polynomial]
    minors: list[Minor]
    pointer: str


@dataclass(frozen=True)
class Substitution:
    """Steps, and the flattening of what they leave; the minors show that it has the rank for all parameters."""

    steps: list[Step]
    orders: list[int]
    rank: int
    minors: list[Minor]


def read(witness: Any, context: Context) -> Substitution:
    nodes, orders, rank, minors = keys(witness, context.witness(), ("steps", "orders", "rank", "minors"))
    factors, parameters = context.target.space.factors, 0
    steps: list[Step] = []
    for i, node in enumerate(sequence(nodes, context.witness("steps"), least=1)):
        here = context.witness("steps", i)
        factor, chosen, added, shown = keys(node, here, ("factor", "chosen", "added", "minors"))
        n, power = factors[integer(factor, f"{here}/factor", 0, len(factors) - 1)]
        if power == 0:
            raise Unreadable("out-of-range", f"{here}/factor", "nothing is left of this factor")
        factors = lowered(factors, factor, 1)
        covectors = [
            read_form(covector, f"{here}/added/{k}", n, 1, QQ)
            for k, covector in enumerate(sequence(added, f"{here}/added", least=1, most=MOST_ROWS))
        ]
        rows = ((len(covectors), 1),)
        found = read_minors(shown, f"{here}/minors", len(covectors), rows, factors, parameters)
        steps.append(Step(factor, read_form(chosen, f"{here}/chosen", n, 1, QQ), covectors, found, here))
        parameters += len(covectors)
    read_orders(orders, factors, context.witness("orders"))
    integer(rank, context.witness("rank"), 1, MOST_ROWS)
    rows = tuple((n, order) for order, (n, _) in zip(orders, factors, strict=True))
    columns = tuple((n, power - order) for order, (n, power) in zip(orders, factors, strict=True))
    leaf = read_minors(minors, context.witness("minors"), rank, rows, columns, parameters)
    return Substitution(steps, orders, rank, leaf)


def read_minors(
    nodes: Any, pointer: str, size: int, rows: Factors, columns: Factors, parameters: int
) -> list[Minor]:
    """Minors of a size; rows and columns are words of the given factors."""
    found: list[Minor] = []
    for i, node in enumerate(sequence(nodes, pointer, least=1)):
        here = f"{pointer}/{i}"
        row_nodes, column_nodes, terms = keys(node, here, ("rows", "columns", "multiplier"))
        multiplier: Polynomial = {}
        for k, term in enumerate(sequence(terms, f"{here}/multiplier", least=1)):
            place = f"{here}/multiplier/{k}"
            letters, value = sequence(term, place, least=2, most=2)
            word = tuple(sequence(letters, f"{place}/0", most=limits.DEGREE))
            if word:
                check_word(word, f"{place}/0", ((parameters, len(word)),))
            if word in multiplier:
                raise Unreadable("repeated", f"{place}/0", "a monomial is named twice")
            multiplier[word] = read_rational(value, f"{place}/1")
        found.append(
            Minor(
                read_words(row_nodes, f"{here}/rows", size, rows),
                read_words(column_nodes, f"{here}/columns", size, columns),
                multiplier,
            )
        )
    return found


def read_words(nodes: Any, pointer: str, count: int, factors: Factors) -> list[Word]:
    """So many different words."""
    words: list[Word] = []
    length = sum(power for _, power in factors)
    for i, node in enumerate(sequence(nodes, pointer, least=count, most=count)):
        word = tuple(sequence(node, f"{pointer}/{i}", least=length, most=length))
        check_word(word, f"{pointer}/{i}", factors)
        if word in words:
            raise Unreadable("repeated", f"{pointer}/{i}", "a row or column is named twice")
        words.append(word)
    return words


def derive(data: Substitution, context: Context) -> Claim:
    target, name = context.target, context.units.name
    if context.over != "CC" or target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    factors, parameters = target.space.factors, 0
    entries: Entries = {word: {(): value} for word, value in target.entries.items()}
    work = Work()
    for step in data.steps:
        if name not in ("tied", "product") and step.factor != 1:
            message = f"only the outputs of {name} units can be substituted"
            raise Rejected("hypothesis", f"{step.pointer}/factor", message)
        added = [contracted(entries, factors, step.factor, covector, work) for covector in step.added]
        matrix = {((k,), word): value for k, row in enumerate(added) for word, value in row.items()}
        check_rank(matrix, step.minors, f"{step.pointer}/minors", work)
        entries = contracted(entries, factors, step.factor, step.chosen, work)
        for k, row in enumerate(added):
            for word, value in row.items():
                add(entries.setdefault(word, {}), multiply({(parameters + k,): 1}, value))
        factors = lowered(factors, step.factor, 1)
        parameters += len(added)
    check_rank(
        flattened(entries, Space(factors), data.orders, context), data.minors, context.witness("minors"), work
    )
    divisor = 1 if name in ("tied", "product") else flattening_divisor(context, data.orders)
    return Claim(RANK, name, "CC", AT_LEAST, parameters - (-data.rank // divisor))


def contracted(entries: Entries, factors: Factors, factor: int, covector: Polynomial, work: Work) -> Entries:
    """The covector applied to a factor."""
    result: Entries = {}
    for word, value in entries.items():
        for rest, c in contractions(word, factors, factor, covector):
            work.spend(100 * len(value))
            add(result.setdefault(rest, {}), multiply({(): c}, value))
    return result


def flattened(
    entries: Entries, space: Space, orders: list[int], context: Context
) -> dict[tuple[Word, Word], Polynomial]:
    """Matrix of the Hasse derivatives, by row and column word."""
    total = sum(number_of_ways(word, space) * len(value) for word, value in entries.items())
    check_operations(100 * total, limits.OPERATIONS, context.witness("orders"))
    matrix: dict[tuple[Word, Word], Polynomial] = {}
    for word, value in entries.items():
        for u, v, times in ways(space.split(word), orders):
            matrix[u, v] = multiply({(): times}, value)
    return matrix


def check_rank(
    matrix: Mapping[tuple[Word, Word], Polynomial], minors: Sequence[Minor], pointer: str, work: Work
) -> None:
    """Refuse unless a combination of the minors is a constant, not 0: then for no parameters all of them vanish."""
    total: Polynomial = {}
    for minor in minors:
        value = determinant([[matrix.get((u, v), {}) for v in minor.columns] for u in minor.rows], work)
        work.spend(100 * len(value) * len(minor.multiplier))
        add(total, multiply(minor.multiplier, value))
    if set(total) != {()}:
        raise Rejected(
            "not-constant", pointer, "the combination of the minors is not a constant other than 0"
        )


def determinant(block: list[list[Polynomial]], work: Work) -> Polynomial:
    """Determinant of a matrix of polynomials, by expansion along the rows over all sets of columns."""
    partial: dict[int, Polynomial] = {0: {(): 1}}
    for row in block:
        following: dict[int, Polynomial] = {}
        for used, minor in partial.items():
            for j, entry in enumerate(row):
                if entry and not used >> j & 1:
                    # The sign counts the columns already used to the right of j.
                    sign = -1 if (used >> j).bit_count() % 2 else 1
                    work.spend(100 * len(minor) * len(entry))
                    add(
                        following.setdefault(used | 1 << j, {}),
                        multiply({w: sign * x for w, x in minor.items()}, entry),
                    )
        partial = following
    return partial.get((1 << len(block)) - 1, {})


def add(total: Polynomial, summand: Polynomial) -> None:
    """Add to a polynomial in place."""
    for word, value in summand.items():
        value += total.pop(word, 0)
        if value != 0:
            total[word] = value


RULE = Rule(read, derive)
