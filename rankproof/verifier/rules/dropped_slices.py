"""Rule ``dropped-slices``: slices that some units are needed for, and the rank of what is left without these units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import Polynomial
from ..matrix import Work
from ..parametric import Row, add, rank_at_every_point
from ..reading import increasing, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Ring, read_rational
from ..targets import Word
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule

Vector = dict[int, Polynomial]
"""A combination of the slices of a factor; its coefficients are polynomials in the parameters so far."""


@dataclass(frozen=True)
class Drop:
    """Of the slices of ``factor`` the combinations ``kept`` stay, less unknown multiples of the combinations ``dropped``."""

    factor: int
    dropped: list[Vector]
    kept: list[Vector]


@dataclass(frozen=True)
class Plan:
    """Drops in turn, and the factors on the row side of the last flattening."""

    drops: list[Drop]
    rows: list[int]


def read(witness: Any, context: Context) -> Plan:
    nodes, rows = keys(witness, context.witness(), ("drops", "rows"))
    if context.units.powers:
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about product units")
    sizes = [n for n, _ in context.target.space.factors]
    parameters = 0
    drops: list[Drop] = []
    for i, node in enumerate(sequence(nodes, context.witness("drops"))):
        here = context.witness("drops", i)
        factor, dropped, kept = keys(node, here, ("factor", "dropped", "kept"))
        factor = integer(factor, f"{here}/factor", 0, len(sizes) - 1)
        out = _read_vectors(dropped, f"{here}/dropped", sizes[factor], parameters, 0)
        stay = _read_vectors(kept, f"{here}/kept", sizes[factor], parameters, 1)
        drops.append(Drop(factor, out, stay))
        sizes[factor] = len(stay)
        parameters += len(out) * len(stay)
    increasing(rows, context.witness("rows"), 0, len(sizes) - 1, shortest=1)
    if len(rows) == len(sizes):
        raise Unreadable("one-sided", context.witness("rows"), "both sides of a flattening need a factor")
    return Plan(drops, rows)


def _read_vectors(node: Any, here: str, size: int, parameters: int, least: int) -> list[Vector]:
    vectors: list[Vector] = []
    for i, entry in enumerate(sequence(node, here, least=least)):
        if type(entry) is int:
            vectors.append({integer(entry, f"{here}/{i}", 0, size - 1): {(): 1}})
            continue
        vector: Vector = {}
        for j, pair in enumerate(sequence(entry, f"{here}/{i}", least=1)):
            index, terms = sequence(pair, f"{here}/{i}/{j}", least=2, most=2)
            if integer(index, f"{here}/{i}/{j}/0", 0, size - 1) in vector:
                raise Unreadable("repeated", f"{here}/{i}/{j}/0", f"index {index} stands twice")
            vector[index] = _read_polynomial(terms, f"{here}/{i}/{j}/1", parameters)
        vectors.append(vector)
    return vectors


def _read_polynomial(node: Any, here: str, parameters: int) -> Polynomial:
    polynomial: Polynomial = {}
    for i, term in enumerate(sequence(node, here, least=1)):
        letters, coefficient = sequence(term, f"{here}/{i}", least=2, most=2)
        word = tuple(sequence(letters, f"{here}/{i}/0", most=limits.DEGREE))
        for j, letter in enumerate(word):
            integer(letter, f"{here}/{i}/0/{j}", word[j - 1] if j else 0, parameters - 1)
        if word in polynomial:
            raise Unreadable("repeated", f"{here}/{i}/0", "a monomial stands twice")
        polynomial[word] = read_rational(coefficient, f"{here}/{i}/1")
        if polynomial[word] == 0:
            raise Unreadable("zero-entry", f"{here}/{i}/1", "zero coefficients are left out")
    return polynomial


def derive(plan: Plan, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    if ring.number_field is not None:
        raise field_refused(context, "CC or GF(p), and for rational coefficients,")
    work = Work()
    tensor: Row = {word: {(): value} for word, value in context.target.over(ring).entries.items()}
    parameters = total = 0
    for i, drop in enumerate(plan.drops):
        slices: dict[int, Row] = {}
        for word, entry in tensor.items():
            rest = word[: drop.factor] + word[drop.factor + 1 :]
            slices.setdefault(word[drop.factor], {})[rest] = entry
        here = context.witness("drops", i, "dropped")
        dropped = [combination(vector, slices, ring, work, here) for vector in drop.dropped]
        if rank_at_every_point(dropped, [], work, ring.prime) < len(dropped):
            raise Rejected("dependent-slices", here, "the dropped slices are not seen to be independent")
        tensor = {}
        for k, vector in enumerate(drop.kept):
            row = combination(vector, slices, ring, work, context.witness("drops", i, "kept"))
            for other in dropped:
                row = add(row, {(parameters,): -1}, other, work, ring.prime)
                parameters += 1
            tensor |= {(*rest[: drop.factor], k, *rest[drop.factor :]): entry for rest, entry in row.items()}
        total += len(dropped)
    sides: dict[Word, Row] = {}
    for word, entry in tensor.items():
        u = tuple(x for f, x in enumerate(word) if f in plan.rows)
        sides.setdefault(u, {})[tuple(x for f, x in enumerate(word) if f not in plan.rows)] = entry
    total += rank_at_every_point(list(sides.values()), [], work, ring.prime)
    return Claim(RANK, context.units.name, context.over, AT_LEAST, total)


def combination(vector: Vector, slices: dict[int, Row], ring: Ring, work: Work, pointer: str) -> Row:
    """A combination of slices."""
    row: Row = {}
    for index, polynomial in vector.items():
        factor = {word: y for word, x in polynomial.items() if (y := ring.reduce(x, pointer)) != 0}
        row = add(row, factor, slices.get(index, {}), work, ring.prime)
    return row


RULE = Rule(read, derive)
