"""Rule ``restriction``: a linear image of the target needs no more units than the target; another rule bounds the image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, Claim
from ..reading import keys, sequence, show, string
from ..refusal import Rejected, Unreadable
from ..scalars import Algebraic, Number, Ring, bit_length, read_number
from ..targets import Space, Target, Word, factor_dimension, finite_field
from ..units import check_operations
from .rule import Context, Rule

Factors = Sequence[tuple[int, int]]
Map = list[list[Number]] | None
"""Rows of a matrix; None is the identity."""


OTHERS: dict[str, Rule] = {}
"""The rules that may be asked about an image; the package puts them in when it has loaded them all."""


@dataclass(frozen=True)
class Image:
    """Linear maps of the factors, and what another rule is told about the image of the target under them."""

    maps: list[Map]
    factors: Factors
    rule: Rule
    data: Any
    context: Context


def ring_of(context: Context) -> Ring:
    """Where the maps live: over GF(p) the target is reduced before it is mapped."""
    return finite_field(context.over) or context.target.ring


def read_image(maps: Any, rule: Any, witness: Any, context: Context, *path: object) -> Image:
    """``context`` asks the question; the witness of the other rule stands at ``path`` below that of this one."""
    name = string(rule, context.witness(*path, "rule"))
    if name not in OTHERS:
        message = f"no rule named {show(name)} bounds an image"
        raise Unreadable("unknown-rule", context.witness(*path, "rule"), message)
    factors = context.target.space.factors
    read = read_maps(maps, [n for n, _ in factors], None, context, *path, "maps")
    image = [(n if m is None else len(m), d) for m, (n, d) in zip(read, factors, strict=True)]
    # The image has no coefficients yet: readers look at its space only.
    target = Target(Space(_written(image, context)), ring_of(context), {})
    inner = replace(context, target=target, inside=(*context.inside, *path, "witness"))
    return Image(read, image, OTHERS[name], OTHERS[name].read(witness, inner), inner)


def read_maps(node: Any, sources: list[int], sizes: list[int] | None, context: Context, *path: object) -> list[Map]:
    """For every factor the rows of a matrix with as many columns as ``sources`` says; an empty list is the identity.

    There are as many rows as ``sizes`` says, otherwise at most as many as columns.
    """
    found: list[Map] = []
    ring = ring_of(context)
    for i, rows in enumerate(sequence(node, context.witness(*path), least=len(sources), most=len(sources))):
        here, columns = context.witness(*path, i), sources[i]
        if rows == [] and (sizes is None or sizes[i] == columns):
            found.append(None)
            continue
        least, most = (1, columns) if sizes is None else (sizes[i], sizes[i])
        matrix: list[list[Number]] = []
        for k, row in enumerate(sequence(rows, here, least=least, most=most)):
            cells = sequence(row, f"{here}/{k}", least=columns, most=columns)
            matrix.append([read_number(x, f"{here}/{k}/{j}", ring) for j, x in enumerate(cells)])
        found.append(matrix)
    return found


def _written(factors: Factors, context: Context) -> tuple[tuple[int, int], ...]:
    """The factors of a space of forms and maps: a single form is written without an output factor."""
    one_output = bool(context.units.powers) and len(factors) == 2 and factors[1] == (1, 1)
    return tuple(factors[:1] if one_output else factors)


def derive_image(image: Image, entries: Mapping[Word, Number], context: Context) -> tuple[Claim, dict[Word, Number]]:
    """The claim of the other rule about the image, and the coefficients of the image."""
    if context.floor is not None:
        message = "the floor of an image is not the floor of the target"
        raise Rejected("quantity", f"{context.pointer}/claim/quantity", message)
    mapped = transformed(entries, image.maps, context.target.space.factors, ring_of(context), context)
    if not mapped:
        raise Rejected("image-vanishes", context.witness(), "the image of the target is zero")
    space = image.context.target.space
    length = sum(power for _, power in space.factors)
    target = replace(image.context.target, entries={word[:length]: value for word, value in mapped.items()})
    return image.rule.derive(image.data, replace(image.context, target=target)), mapped


def transformed(
    entries: Mapping[Word, Number], maps: list[Map], factors: Factors, ring: Ring, context: Context
) -> dict[Word, Number]:
    """Coefficients of the image: the letter x of a factor becomes the sum of m[j][x] times the letter j."""
    columns = [_columns(m, n) for m, (n, _) in zip(maps, factors, strict=True)]
    _check_work(entries, columns, maps, factors, context)
    total: dict[Word, Number] = {}
    for word, value in entries.items():
        partial: dict[Word, Number] = {(): value}
        start = 0
        for letters, (_, power) in zip(columns, factors, strict=True):
            expansion: dict[Word, Number] = {(): 1}
            for x in word[start : start + power]:
                step: dict[Word, Number] = {}
                for u, c in expansion.items():
                    for j, y in letters[x]:
                        key = tuple(sorted((*u, j)))
                        step[key] = step.get(key, 0) + c * y
                expansion = step
            start += power
            partial = {v + u: b * c for v, b in partial.items() for u, c in expansion.items()}
        for key, c in partial.items():
            total[key] = total.get(key, 0) + c
    reduced = {word: ring.reduce(value) for word, value in total.items()}
    return {word: value for word, value in reduced.items() if value != 0}


Columns = list[list[tuple[int, Number]]]
"""For every letter its image: letters with their coefficients, those that are not zero."""


def _columns(rows: Map, n: int) -> Columns:
    if rows is None:
        return [[(x, 1)] for x in range(n)]
    return [[(j, row[x]) for j, row in enumerate(rows) if row[x] != 0] for x in range(n)]


def _check_work(
    entries: Mapping[Word, Number],
    columns: list[Columns],
    maps: list[Map],
    factors: Factors,
    context: Context,
) -> None:
    """Refuse more terms, or longer numbers, than fit: a word has at most so many terms as choices of letters, or words."""
    numbers = [x for m in maps if m is not None for row in m for x in row] + list(entries.values())
    degree = sum(power for _, power in factors)
    words = 1 + (degree + 1) * max(map(bit_length, numbers)) // 64
    width = max((x.field.degree for x in numbers if isinstance(x, Algebraic)), default=1)
    terms = 0
    for word in entries:
        start, count = 0, 1
        for letters, (_, power) in zip(columns, factors, strict=True):
            most = max((j for found in letters for j, _ in found), default=0) + 1
            choices = prod(len(letters[x]) for x in word[start : start + power])
            count *= min(choices, factor_dimension(most, power))
            start += power
        terms += count * degree
    check_operations(10 * terms * words**2 * width**2, limits.OPERATIONS, context.witness())


def read(witness: Any, context: Context) -> Image:
    maps, rule, inner = keys(witness, context.witness(), ("maps", "rule", "witness"))
    return read_image(maps, rule, inner, context)


def derive(image: Image, context: Context) -> Claim:
    target = context.target.over(ring_of(context))
    claim, _ = derive_image(image, target.entries, context)
    if claim.relation != AT_LEAST:
        raise Rejected("hypothesis", context.pointer, "an image may need fewer units than the target")
    return claim


RULE = Rule(read, derive)
