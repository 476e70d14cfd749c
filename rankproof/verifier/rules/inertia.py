"""Rule ``inertia``: signature of a real quadratic form in many variables, by vectors that are nearly orthogonal for it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..packed import Packing, combine, largest
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Rational
from ..targets import Target
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule


def read(witness: Any, context: Context) -> tuple[tuple[int, ...], int]:
    """Variables in the order in which they are made orthogonal, and the bits of the vectors."""
    order, bits = keys(witness, context.witness(), ("order", "bits"))
    n = context.target.space.variables
    for place, x in enumerate(sequence(order, context.witness("order"), least=1, most=n)):
        integer(x, context.witness("order", place), 0, n - 1)
    if len(set(order)) != len(order):
        raise Unreadable("repeated", context.witness("order"), "a variable stands twice")
    return tuple(order), integer(bits, context.witness("bits"), 8, 1024)


def derive(order: tuple[tuple[int, ...], int], context: Context) -> Claim:
    variables, bits = order
    target, name, here = context.target, context.units.name, context.pointer
    if len(target.space.factors) != 1 or target.space.form_degree != 2:
        raise Rejected("hypothesis", here, "the rule is about one form of degree 2")
    if target.ring.name != "QQ" or context.over not in ("RR", "CC", "QQ" if name == "tied" else "RR"):
        raise field_refused(context, "RR or CC (tied units: or QQ), and about a form over QQ,")
    n = target.space.variables
    check_operations(n**3 * (1 + bits // 32) // 8, limits.OPERATIONS, here)
    try:
        diagonal = nearly_diagonal(target, variables, bits)
    except NotDominant as found:
        place = context.witness("order", found.args[0])
        raise Rejected("not-dominant", place, "the vectors are not orthogonal enough") from None
    positive = sum(x > 0 for x in diagonal)
    negative = len(diagonal) - positive
    if name == "tied":  # all other units for forms of degree 2 are products of two linear forms
        width = positive + negative
    else:
        width = max(positive, negative) if context.over == "RR" else (positive + negative + 1) // 2
    if context.relation == AT_LEAST:
        return Claim(BORDER, name, context.over, AT_LEAST, width)
    if len(diagonal) < n:
        raise Rejected("hypothesis", here, "an upper bound needs as many vectors as there are variables")
    return Claim(RANK, name, context.over, context.relation, width)


@lru_cache(maxsize=1)
def nearly_diagonal(
    target: Target, variables: tuple[int, ...], bits: int, sign: int = 1, shift: Rational = 0
) -> list[int]:
    """Diagonal of a strictly diagonally dominant matrix M[k][l] = x_k' A x_l, with vectors x_k of integers.

    A is sign * S - shift * 1, with S the matrix of the form. Only the dominance is a proof, and it is checked exactly.
    The steps about one form share the work.
    """
    matrix = integer_matrix(target, sign, shift)
    rows = [[matrix[i][j] for j in variables] for i in variables]
    n, vectors = len(rows), orthogonal_vectors(rows, bits)
    longest = largest(vectors)
    packing = Packing(n, n * longest * largest(rows))
    packed = [packing.pack(row) for row in rows]
    images = [packing.unpack(combine(x, packed)) for x in vectors]
    packing = Packing(n, n * longest * largest(images))
    columns = [packing.pack(column) for column in zip(*images, strict=True)]
    diagonal: list[int] = []
    for k, x in enumerate(vectors):
        line = packing.unpack(combine(x, columns))
        if 2 * abs(line[k]) <= sum(map(abs, line)):
            raise NotDominant(k)
        diagonal.append(line[k])
    return diagonal


def orthogonal_vectors(rows: list[list[int]], bits: int) -> list[list[int]]:
    """Integer vectors, nearly orthogonal for a form, with about the same absolute value of the form.

    Elimination in fixed point, K S = U with U upper triangular: the rows of K are the vectors. Nothing rests on it.
    """
    n, shift, size = len(rows), 2 * bits, largest(rows)
    # Upper triangular rows keep 3 * bits bits, factors and vectors have 2 * bits after the point; what is longer is cut.
    scale, most = size.bit_length() - 3 * bits, 2 ** (3 * bits + 8)
    packing = Packing(n, 2 * n * most**2)
    upper: list[int] = []
    pivots: list[int] = []
    packed: list[int] = []
    vectors: list[list[int]] = []
    for k, row in enumerate(rows):
        rest = packing.pack([(x >> scale if scale > 0 else x << -scale) << shift for x in row])
        factors: list[int] = []
        for j, line in enumerate(upper):
            factors += cut([-packing.entry(rest, j) // pivots[j]], most)
            rest += factors[j] * line
        line = cut([x >> shift for x in packing.unpack(rest)], most)
        vector = cut([x >> shift for x in packing.unpack(combine(factors, packed))], most)
        vector[k] += 1 << shift
        upper.append(packing.pack(line))
        packed.append(packing.pack(vector))
        pivots.append(line[k] or 1)
        root = isqrt((1 << 5 * bits) // abs(pivots[k]))
        vectors.append([x * root >> shift for x in vector])
    return vectors


class NotDominant(Exception):
    """A row of the matrix in which the diagonal entry does not outweigh the others."""


def cut(entries: list[int], most: int) -> list[int]:
    """Entries of at most this absolute value: packed sums of more could run into each other."""
    if -most <= min(entries, default=0) and max(entries, default=0) <= most:
        return entries
    return [max(-most, min(most, x)) for x in entries]


def integer_matrix(target: Target, sign: int, shift: Rational) -> list[list[int]]:
    """A positive multiple of sign * S - shift * 1, S the symmetric matrix of a rational form."""
    denominators = [Fraction(x).denominator for x in target.entries.values()]  # type: ignore[arg-type]
    multiple = 2 * lcm(*denominators, Fraction(shift).denominator)
    n = target.space.variables
    rows = [[-int(shift * multiple) if i == j else 0 for j in range(n)] for i in range(n)]
    for (i, j), value in target.entries.items():
        entry = sign * int(value * multiple)  # type: ignore[arg-type, operator]
        if i == j:
            rows[i][i] += entry
        else:
            rows[i][j] = rows[j][i] = entry // 2
    return rows


RULE = Rule(read, derive)
