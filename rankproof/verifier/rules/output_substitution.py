"""Rule ``output-substitution``: outputs minus one, plus the least width of a combination of the outputs."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..forms import Polynomial, apply, check_no_common_zero, outputs, read_form
from ..matrix import rank_modulo
from ..pencils import inertias
from ..reading import increasing, integer, is_object, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Rational, read_rational
from ..targets import Word, factor_dimension, factor_words
from ..units import check_operations
from .flattening import flattening_divisor, read_prime, reduced, side, ways
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule
from .signature import isotropic_codimension, square_form


@dataclass(frozen=True)
class Minors:
    """Minors of size ``rank`` of the flattening of order ``order``, as (rows, columns)."""

    order: int
    rank: int
    minors: list[tuple[list[int], list[int]]]
    macaulay: int
    prime: int
    root: int | None


@dataclass(frozen=True)
class Pencil:
    """One operator for both outputs, and rational points that separate the real roots of the determinant."""

    half: int
    operator: Polynomial
    points: list[Rational]


def read(witness: Any, context: Context) -> Minors | Pencil:
    space = context.target.space
    if not context.units.powers or space.outputs < 2:
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about maps with at least two outputs")
    argument = witness.get("argument", "") if is_object(witness) else ""
    if argument not in ("minors", "pencil"):
        raise Unreadable("unknown-argument", context.witness("argument"), "the argument is minors or pencil")
    if argument == "pencil":
        return _read_pencil(witness, context)
    _, order, rank, nodes, macaulay, prime, root = keys(
        witness,
        context.witness(),
        ("argument", "order", "rank", "minors", "macaulay", "prime"),
        ("root",),
    )
    integer(order, context.witness("order"), 1, max(space.form_degree - 1, 1))
    if order >= space.form_degree:
        raise Unreadable("out-of-range", context.witness("order"), "the degree must be at least 2")
    integer(rank, context.witness("rank"), 1, limits.DEGREE)
    n, d = space.variables, space.form_degree
    minors: list[tuple[list[int], list[int]]] = []
    for i, node in enumerate(sequence(nodes, context.witness("minors"), least=1)):
        here = context.witness("minors", i)
        rows, columns = keys(node, here, ("rows", "columns"))
        increasing(rows, f"{here}/rows", 0, factor_dimension(n, order) - 1)
        increasing(columns, f"{here}/columns", 0, factor_dimension(n, d - order) - 1)
        if len(rows) != rank or len(columns) != rank:
            raise Unreadable("wrong-length", here, f"a minor of size {rank} has so many rows and columns")
        minors.append((rows, columns))
    integer(macaulay, context.witness("macaulay"), 1, limits.DEGREE)
    prime, root = read_prime(prime, root, context)
    return Minors(order, rank, minors, macaulay, prime, root)


def _read_pencil(witness: Any, context: Context) -> Pencil:
    _, half, operator, nodes = keys(witness, context.witness(), ("argument", "half", "operator", "points"))
    space = context.target.space
    integer(half, context.witness("half"), 1, max(space.form_degree // 2, 1))
    if 2 * half > space.form_degree:
        raise Unreadable("out-of-range", context.witness("half"), "the degree must be at least 2")
    degree = space.form_degree - 2 * half
    form = read_form(operator, context.witness("operator"), space.variables, degree, QQ)
    points: list[Rational] = []
    for i, node in enumerate(sequence(nodes, context.witness("points"), least=1)):
        point = read_rational(node, context.witness("points", i))
        if points and point <= points[-1]:
            code = "repeated" if point == points[-1] else "unsorted"
            raise Unreadable(code, context.witness("points", i), "the points must increase")
        points.append(point)
    return Pencil(half, form, points)


def derive(data: Minors | Pencil, context: Context) -> Claim:
    if isinstance(data, Pencil):
        least = least_width_of_pencil(data, context)
    else:
        least = least_width_by_minors(data, context)
    m = context.target.space.outputs
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, m - 1 + least)


# Over CC or GF(p): the minors of the flattening of a combination have no common zero


def least_width_by_minors(data: Minors, context: Context) -> int:
    ring = ring_of_lower_bound(context)
    p, space = data.prime, context.target.space
    if ring.prime and ring.prime != p:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    entries = reduced(context.target.over(ring), p, data.root, context)
    check_independent(entries, p, context)
    divisor = flattening_divisor(context, [data.order, 0])
    n, d, m = space.variables, space.form_degree, space.outputs
    for orders in ([data.order, 0], [d - data.order, 0]):
        side(context, orders)
    check_operations(len(data.minors) * 2**data.rank * data.rank * 100, limits.OPERATIONS, context.witness("minors"))
    check_operations(
        len(data.minors) * comb(m + data.rank, data.rank) * 2**data.rank, limits.OPERATIONS, context.witness("minors")
    )
    row_words = list(factor_words(n, data.order))
    column_words = list(factor_words(n, d - data.order))
    # Entry of the flattening of a combination: a linear form in the coefficients of the combination.
    matrix: dict[tuple[Word, Word], dict[int, int]] = {}
    for word, value in entries.items():
        for u, v, times in ways([word[:d]], [data.order]):
            entry = matrix.setdefault((u, v), {})
            entry[word[d]] = (entry.get(word[d], 0) + value * times) % p
    determinants: list[Polynomial] = []
    for rows, columns in data.minors:
        block = [[matrix.get((row_words[i], column_words[j]), {}) for j in columns] for i in rows]
        determinants.append(dict(determinant(block, p)))
    degrees = [data.rank] * len(determinants)
    check_no_common_zero(determinants, degrees, m, data.macaulay, p, context.witness("macaulay"))
    return -(-data.rank // divisor)


def check_independent(entries: dict[Word, int], p: int, context: Context) -> None:
    """Without independence the bound is false: (F, F, F) would need three units of x^2."""
    space = context.target.space
    rows: list[dict[Any, int]] = [{} for _ in range(space.outputs)]
    for word, value in entries.items():
        rows[word[-1]][word[:-1]] = value
    if rank_modulo(rows, p) != space.outputs:
        raise Rejected("dependent-outputs", context.pointer, "the outputs are linearly dependent modulo the prime")


def determinant(block: list[list[dict[int, int]]], p: int) -> dict[Word, int]:
    """Determinant of a matrix of linear forms modulo p, by expansion along the rows over all sets of columns."""
    partial: dict[int, dict[Word, int]] = {0: {(): 1}}
    size = len(block)
    for row in block:
        following: dict[int, dict[Word, int]] = {}
        for used, minor in partial.items():
            for j in range(size):
                if used >> j & 1 or not row[j]:
                    continue
                # The sign counts the columns already used to the right of j.
                sign_ = -1 if (used >> j).bit_count() % 2 else 1
                total = following.setdefault(used | 1 << j, {})
                for word, x in minor.items():
                    for letter, y in row[j].items():
                        key = tuple(sorted((*word, letter)))
                        total[key] = (total.get(key, 0) + sign_ * x * y) % p
        partial = following
    full = partial.get((1 << size) - 1, {})
    return {word: x for word, x in full.items() if x}


# Over RR, two outputs: the inertia of a pencil of quadratic forms


def least_width_of_pencil(data: Pencil, context: Context) -> int:
    target = context.target
    if context.over != "RR" or target.ring != QQ or target.space.outputs != 2:
        raise field_refused(context, "RR, for two outputs with coefficients in QQ,")
    n = target.space.variables
    size = factor_dimension(n, data.half)
    check_operations(100 * (len(data.points) + size) * size**3, limits.OPERATIONS, context.witness("half"))
    first, second = (square_form(apply(data.operator, form), n, data.half) for form in outputs(target))
    covered = inertias(first, second, data.points, context.witness("points"))
    if context.units.name == "tied":
        return min(rank for _, rank in covered)
    codimension = isotropic_codimension(data.half, context)
    return min(-(-max(pair) // codimension) for pair, _ in covered)


RULE = Rule(read, derive)
