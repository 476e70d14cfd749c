"""The shortest schemes for matrix multiplication that follow from the known ones by symmetry, blocks and nesting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations
from math import lcm, prod

from rankproof.bounds.schemes.classical import bini, laderman, strassen
from rankproof.bounds.schemes.text import Shape, read_family, read_scheme
from rankproof.exact.tensor_sums import TensorSum, added, kronecker, over, permuted, placed
from rankproof.problem.decomposition import Decomposition, ExactUnit
from rankproof.problem.field import QQ, Field, gf

MAX_PRODUCTS = 20_000
"""Largest n*m*p that is planned and written out."""


@dataclass(frozen=True)
class Plan:
    """How a scheme is made, before it is.

    Attributes
    ----------
    length
        Number of products.
    kind
        ``definition``, ``known``, ``blocks`` (one dimension is cut in two) or ``nested`` (a scheme of schemes).
    shapes
        The shapes that it is made of.
    """

    length: int
    kind: str
    shapes: tuple[Shape, ...] = ()

    def __str__(self) -> str:
        return f"{self.length} products: {self.kind}"


def matmul_scheme(n: int, m: int, p: int, ring: Field, border: bool = False) -> TensorSum:
    """The shortest scheme at hand for the product of an n x m and an m x p matrix.

    Parameters
    ----------
    n, m, p
        With n*m*p at most `MAX_PRODUCTS`.
    ring
        Exact field; over fields of characteristic 2 there are schemes that exist only there.
    border
        Whether a border family will do.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> len(matmul_scheme(4, 4, 4, QQ)), len(matmul_scheme(2, 2, 5, QQ)), len(matmul_scheme(2, 2, 3, QQ, border=True))
    (49, 18, 10)
    """
    shape = (n, m, p)
    small = _sorted(shape)
    found = _scheme(small, ring.characteristic, border)
    return over(with_roles(found, small, shape), ring)


def plan(n: int, m: int, p: int, characteristic: int = 0, border: bool = False) -> Plan:
    """How `matmul_scheme` makes a scheme over fields of a characteristic.

    Examples
    --------
    >>> print(plan(4, 4, 4))
    49 products: nested
    """
    return _plan(_sorted((n, m, p)), characteristic, border)


def plan_from_smaller(n: int, m: int, p: int, characteristic: int = 0) -> Plan:
    """The shortest way that does not use a scheme written down for the shape itself."""
    return _from_smaller(_sorted((n, m, p)), characteristic, False)


def _sorted(shape: Shape) -> Shape:
    n, m, p = sorted(shape)
    return n, m, p


@lru_cache(maxsize=65536)
def _plan(shape: Shape, p: int, border: bool) -> Plan:
    best = _from_smaller(shape, p, border)
    known = _known(shape, p, border)
    return Plan(len(known), "known", (shape,)) if known is not None and len(known) <= best.length else best


@lru_cache(maxsize=65536)
def _from_smaller(shape: Shape, p: int, border: bool) -> Plan:
    best = Plan(prod(shape), "definition", (shape,))
    if shape[0] == 1:
        return best
    for axis in range(3):
        for a in range(1, shape[axis] // 2 + 1):
            pair = _cut(shape, axis, a)
            length = sum(_plan(_sorted(part), p, border).length for part in pair)
            if length < best.length:
                best = Plan(length, "blocks", pair)
    for outer in _divisors(shape):
        inner = tuple(s // o for s, o in zip(shape, outer, strict=True))
        pair = outer, (inner[0], inner[1], inner[2])
        length = prod(_plan(_sorted(part), p, border).length for part in pair)
        if length < best.length:
            best = Plan(length, "nested", pair)
    return best


def _cut(shape: Shape, axis: int, a: int) -> tuple[Shape, Shape]:
    first, second = list(shape), list(shape)
    first[axis], second[axis] = a, shape[axis] - a
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def _divisors(shape: Shape) -> list[Shape]:
    by_axis = [[d for d in range(1, s + 1) if s % d == 0] for s in shape]
    every = [(a, b, c) for a in by_axis[0] for b in by_axis[1] for c in by_axis[2]]
    return [part for part in every if 1 < prod(part) < prod(shape)]


@lru_cache(maxsize=1024)
def _scheme(shape: Shape, p: int, border: bool) -> TensorSum:
    way = _plan(shape, p, border)
    known = _known(shape, p, border)
    if way.kind == "known" and known is not None:
        return known
    if way.kind == "definition":
        return over(_definition(shape), gf(p) if p else QQ)
    parts = [with_roles(_scheme(_sorted(part), p, border), _sorted(part), part) for part in way.shapes]
    if way.kind == "nested":
        return _nested(parts[0], parts[1], way.shapes[0], way.shapes[1])
    return _side_by_side(parts[0], parts[1], way.shapes[0], shape)


def _definition(shape: Shape) -> Decomposition:
    n, m, p = shape

    def vector(i: int, length: int) -> tuple[int, ...]:
        return tuple(int(k == i) for k in range(length))

    units: list[ExactUnit] = [
        (vector(i * m + j, n * m), vector(j * p + k, m * p), vector(i * p + k, n * p))
        for i in range(n)
        for j in range(m)
        for k in range(p)
    ]
    return Decomposition("product", QQ, tuple(units))


def _nested(outer: TensorSum, inner: TensorSum, big: Shape, small: Shape) -> TensorSum:
    """A scheme for matrices whose entries are matrices, multiplied by another scheme."""
    found = kronecker(outer, inner)
    places: list[list[int]] = []
    dims: list[int] = []
    for r, c in ((0, 1), (1, 2), (0, 2)):
        width = big[c] * small[c]
        places.append(
            [
                (i * small[r] + i2) * width + j * small[c] + j2
                for i in range(big[r])
                for j in range(big[c])
                for i2 in range(small[r])
                for j2 in range(small[c])
            ]
        )
        dims.append(big[r] * small[r] * width)
    return placed(found, places, dims)


def _side_by_side(first: TensorSum, second: TensorSum, part: Shape, shape: Shape) -> TensorSum:
    """Two schemes for the two parts of a matrix product of which one dimension was cut."""
    axis = next(k for k in range(3) if part[k] != shape[k])
    moved: list[TensorSum] = []
    for scheme, start in ((first, 0), (second, part[axis])):
        size = list(shape)
        size[axis] = part[axis] if start == 0 else shape[axis] - part[axis]
        offset = [start if k == axis else 0 for k in range(3)]
        places = [
            [(i + offset[r]) * shape[c] + j + offset[c] for i in range(size[r]) for j in range(size[c])]
            for r, c in ((0, 1), (1, 2), (0, 2))
        ]
        moved.append(placed(scheme, places, [shape[r] * shape[c] for r, c in ((0, 1), (1, 2), (0, 2))]))
    return added(moved[0], moved[1])


_PAIRS = ((0, 1), (1, 2), (0, 2))
"""The two dimensions of the three matrices A, B and C."""


def with_roles(scheme: TensorSum, shape: Shape, wanted: Shape) -> TensorSum:
    """A scheme for the same three dimensions in another order: the symmetry of the trace of a product of three matrices."""
    if shape == wanted:
        return scheme
    # role[k]: which dimension of the scheme is dimension k of the wanted product.
    role = next(r for r in permutations(range(3)) if tuple(shape[k] for k in r) == wanted)
    order: list[int] = []
    places: list[list[int]] = []
    for r, c in _PAIRS:
        pair = (role[r], role[c])
        straight = pair in _PAIRS
        order.append(_PAIRS.index(pair if straight else pair[::-1]))
        rows, columns = wanted[r], wanted[c]
        # The scheme's matrix is the wanted one or its transpose.
        places.append(
            list(range(rows * columns))
            if straight
            else [i * columns + j for j in range(columns) for i in range(rows)]
        )
    return placed(permuted(scheme, order), places, [len(place) for place in places])


@cache
def _known(shape: Shape, p: int, border: bool) -> TensorSum | None:
    """The shortest scheme written down for dimensions in increasing order that holds over fields of characteristic p."""
    schemes = [found for s, found in _written() if s == shape and not (p and denominator(found) % p == 0)]
    if p == 2:
        schemes += [found for s, found in _found(2) if s == shape]
    if border:
        schemes += [found for s, found in _families() if s == shape]
    shortest = min(schemes, key=len, default=None)
    return shortest if shortest is None or not p else over(shortest, gf(p))


@cache
def _written() -> tuple[tuple[Shape, TensorSum], ...]:
    return ((2, 2, 2), strassen()), ((3, 3, 3), laderman()), *_found(0)


def denominator(found: TensorSum) -> int:
    """A common denominator of the coefficients of rational units."""
    return lcm(
        *(x.denominator for unit in found.units for v in unit for x in v if isinstance(x, int | Fraction))
    )


@cache
def _found(characteristic: int) -> tuple[tuple[Shape, TensorSum], ...]:
    """The schemes of the package's table: found by `tools/schemes.py`, over QQ (0) or only modulo 2."""
    table: list[tuple[Shape, TensorSum]] = []
    for (n, m, p, modulus), text in _blocks("table.txt"):
        if modulus == characteristic:
            table.append(((n, m, p), read_scheme(text, (n, m, p), gf(2) if modulus else QQ)))
    return tuple(table)


@cache
def _families() -> tuple[tuple[Shape, TensorSum], ...]:
    """Border families of the literature that are shorter than what follows from others."""
    table = [((n, m, p), read_family(text, (n, m, p))) for (n, m, p), text in _blocks("border_table.txt")]
    return ((2, 2, 3), with_roles(bini(), (3, 2, 2), (2, 2, 3))), *table


def _blocks(name: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """The numbers at the head of every block of a table, and the lines below."""
    text = files("rankproof.bounds.schemes").joinpath(name).read_text(encoding="ascii")
    for block in text.split("\n\n"):
        head, _, lines = block.strip().partition("\n")
        if head and not head.startswith("#"):
            yield tuple(map(int, head.split())), lines
