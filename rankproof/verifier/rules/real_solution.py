"""Rule ``real-solution``: near given numbers there are units whose sum is the target; a contraction in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm, prod
from typing import Any

from .. import limits
from ..claims import AT_MOST, RANK, Claim
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, read_number
from ..targets import Word, factor_dimension, factor_words
from ..units import Units, check_operations
from .over import field_refused
from .rule import Context, Rule

Place = tuple[int, int, int]
"""Coordinate of a vector of a unit."""
Matrix = list[list[int]]
PRECISION = 128
"""Bits after the point of the approximate inverse. Any inverse is as good, if the inequality holds with it."""


@dataclass(frozen=True)
class Gauss:
    """A complex integer: what the expansion of units needs of one."""

    re: int
    im: int

    def __add__(self, other: Gauss | int) -> Gauss:
        re, im = (other, 0) if isinstance(other, int) else (other.re, other.im)
        return Gauss(self.re + re, self.im + im)

    __radd__ = __add__

    def __mul__(self, other: Gauss | int) -> Gauss:
        re, im = (other, 0) if isinstance(other, int) else (other.re, other.im)
        return Gauss(self.re * re - self.im * im, self.re * im + self.im * re)

    __rmul__ = __mul__

    def __abs__(self) -> int:
        """|re| + |im|: at least the modulus, and submultiplicative too."""
        return abs(self.re) + abs(self.im)


@dataclass(frozen=True)
class Near:
    """Units with coordinates in units of 2^-bits; those that are free may move by ``radius``, the others stay."""

    bits: int
    units: list[list[list[Any]]]
    free: list[Place]
    radius: int


def read(witness: Any, context: Context) -> Near:
    bits, units, free, radius = keys(witness, context.witness(), ("bits", "units", "free", "radius"))
    integer(bits, context.witness("bits"), 1, 4096)
    complex_numbers = context.over == "CC"
    lengths = context.units.lengths(context.target.space)
    nodes = sequence(units, context.witness("units"), least=1)
    found: list[list[list[Any]]] = []
    for i, node in enumerate(nodes):
        vectors = sequence(node, context.witness("units", i), least=len(lengths), most=len(lengths))
        found.append([])
        for j, (vector, length) in enumerate(zip(vectors, lengths, strict=True)):
            here = context.witness("units", i, j)
            values = sequence(vector, here, least=length, most=length)
            found[-1].append(
                [_read_coordinate(x, f"{here}/{k}", complex_numbers) for k, x in enumerate(values)]
            )
    places: list[Place] = []
    for position, node in enumerate(sequence(free, context.witness("free"))):
        here = context.witness("free", position)
        place: list[int] = sequence(node, here, least=3, most=3)
        i, j, k = place
        integer(i, f"{here}/0", 0, len(found) - 1)
        integer(j, f"{here}/1", 0, len(lengths) - 1)
        integer(k, f"{here}/2", 0, lengths[j] - 1)
        if places and (i, j, k) <= places[-1]:
            raise Unreadable("unsorted", here, "the free coordinates must increase")
        places.append((i, j, k))
    return Near(bits, found, places, _read_whole(radius, context.witness("radius")))


def _read_coordinate(node: Any, pointer: str, complex_numbers: bool) -> Any:
    if not complex_numbers:
        return _read_whole(node, pointer)
    re, im = sequence(node, pointer, least=2, most=2)
    return Gauss(_read_whole(re, f"{pointer}/0"), _read_whole(im, f"{pointer}/1"))


def _read_whole(node: Any, pointer: str) -> int:
    value = read_number(node, pointer, QQ)
    if not isinstance(value, int):
        raise Unreadable("wrong-type", pointer, "coordinates are integers, in units of 2^-bits")
    return value


def derive(near: Near, context: Context) -> Claim:
    if context.over not in ("RR", "CC") or context.target.ring != QQ:
        raise field_refused(context, "RR and CC, and for coefficients in QQ,")
    space = context.target.space
    equations = prod(factor_dimension(n, power) for n, power in space.factors)
    if len(near.free) != equations:
        message = f"{equations} coefficients need as many free coordinates; there are {len(near.free)}"
        raise Rejected("not-square", context.witness("free"), message)
    if near.radius < 1:
        raise Rejected("radius", context.witness("radius"), "the radius is positive")
    size = equations * (2 if context.over == "CC" else 1)
    expansion = sum(context.units.operations(_sizes(unit)) for unit in near.units)
    growth = (1 + near.bits // 64) ** 2
    check_operations(
        growth * (100 * size**3 + 10 * equations * expansion), limits.OPERATIONS, context.witness()
    )
    contraction(near, context)
    return Claim(RANK, context.units.name, context.over, AT_MOST, len(near.units))


def _sizes(unit: Sequence[Sequence[Any]]) -> list[list[int]]:
    return [[1] * len(vector) for vector in unit]


def contraction(near: Near, context: Context) -> None:
    """The map x - Y F(x) sends the box of the given radius around y into its interior.

    F is the sum of the units minus the target, J its Jacobian at y, D a bound for the change of the Jacobian on the box,
    Y an approximate inverse of J. Everything is multiplied by a common denominator.
    """
    words = [
        sum(pieces, ())
        for pieces in _products([list(factor_words(n, d)) for n, d in context.target.space.factors])
    ]
    entries: dict[Word, Any] = dict(context.target.entries)  # type: ignore[arg-type]
    scale = lcm(*(x.denominator for x in entries.values()))
    degree = (sum(context.units.powers) or len(context.target.space.factors) - 1) + 1
    one = scale << near.bits * (degree - 1)
    value = dict(context.units.sum(near.units, context.target.space))
    residual = [
        value.get(w, 0) * scale + -(int(entries.get(w, 0) * scale) << near.bits * degree) for w in words
    ]
    moved = 2 * near.radius if context.over == "CC" else near.radius
    jacobian = _jacobian(near.units, near.free, words, scale, context)
    least = _jacobian(_absolute(near, 0), near.free, words, scale, context)
    most = _jacobian(_absolute(near, moved), near.free, words, scale, context)
    change = [[y - x for x, y in zip(u, v, strict=True)] for u, v in zip(least, most, strict=True)]
    if context.over == "CC":
        residual = [*(_real(x) for x in residual), *(_imaginary(x) for x in residual)]
        jacobian = [
            *([*(_real(x) for x in row), *(-_imaginary(x) for x in row)] for row in jacobian),
            *([*(_imaginary(x) for x in row), *(_real(x) for x in row)] for row in jacobian),
        ]
        change = [row + row for row in change] * 2
    inverse = approximate_inverse([[(x << PRECISION) // one for x in row] for row in jacobian], context)
    for i, row in enumerate(inverse):
        step = abs(sum(y * f for y, f in zip(row, residual, strict=True)))
        spread = 0
        for k in range(len(row)):
            product = sum(y * j[k] for y, j in zip(row, jacobian, strict=True))
            spread += abs((one << PRECISION if i == k else 0) - product)
            spread += sum(abs(y) * d[k] for y, d in zip(row, change, strict=True))
        if step + near.radius * spread >= near.radius * one << PRECISION:
            raise Rejected(
                "no-contraction", context.witness(), "the box is not seen to be mapped into its interior"
            )


def _products(lists: list[list[Word]]) -> list[list[Word]]:
    found: list[list[Word]] = [[]]
    for listed in lists:
        found = [[*start, word] for start in found for word in listed]
    return found


def _absolute(near: Near, moved: int) -> list[list[list[Any]]]:
    """Absolute values of the coordinates, the free ones with the radius added."""
    free = set(near.free)
    return [
        [
            [abs(x) + (moved if (i, j, k) in free else 0) for k, x in enumerate(vector)]
            for j, vector in enumerate(unit)
        ]
        for i, unit in enumerate(near.units)
    ]


def _jacobian(
    units: Sequence[Sequence[Sequence[Any]]],
    free: Sequence[Place],
    words: Sequence[Word],
    scale: int,
    context: Context,
) -> list[list[Any]]:
    """One row a coefficient, one column a free coordinate."""
    columns = [_derivative(units[i], j, k, context) for i, j, k in free]
    return [[column.get(word, 0) * scale for column in columns] for word in words]


def _derivative(unit: Sequence[Sequence[Any]], j: int, k: int, context: Context) -> dict[Word, Any]:
    """Derivative of a unit by coordinate k of vector j: the unit with a basis vector for one copy of the vector."""
    model, basis = context.units, [int(i == k) for i in range(len(unit[j]))]
    if not model.powers or j == len(model.powers):
        return dict(model.sum([[*unit[:j], basis, *unit[j + 1 :]]], context.target.space))  # type: ignore[list-item]
    power = model.powers[j]
    model = Units(model.name, (*model.powers[:j], power - 1, *model.powers[j + 1 :], 1))
    vectors: list[Any] = [*unit[:-1], basis, unit[-1]]
    return {word: x * power for word, x in model.sum([vectors], context.target.space)}


def _real(x: Any) -> int:
    return x.re if isinstance(x, Gauss) else x


def _imaginary(x: Any) -> int:
    return x.im if isinstance(x, Gauss) else 0


def approximate_inverse(matrix: Matrix, context: Context) -> Matrix:
    """Inverse of a matrix in units of 2^-PRECISION, by elimination with rounding and the largest pivots."""
    n, one = len(matrix), 1 << PRECISION
    rows = [row + [one if i == k else 0 for k in range(n)] for i, row in enumerate(matrix)]
    for column in range(n):
        best = max(range(column, n), key=lambda i: abs(rows[i][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column][column]
        if pivot == 0:
            raise Rejected("singular", context.witness(), "the Jacobian is singular")
        chosen = rows[column] = [x * one // pivot for x in rows[column]]
        for i in range(n):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [x - (factor * y >> PRECISION) for x, y in zip(rows[i], chosen, strict=True)]
    return [row[n:] for row in rows]


RULE = Rule(read, derive)
