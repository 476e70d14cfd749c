"""The tensor that the products of a scheme add up to, exactly, in the file's own coordinates.

It is computed once; every index convention is then only another way to look at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.scheme import Scheme, SparseVector, powers
from rankproof.problem.field import Field

# Beyond these the sum is not computed: multiplications, and entries of a dense array (8 bytes each).
_MAX_MULTIPLICATIONS = 2**31
_MAX_SPARSE_MULTIPLICATIONS = 2**26
_MAX_DENSE_ENTRIES = 2**25
# An int64 holds every partial sum whose absolute value is provably below this.
_INT64_SAFE = 2**62

# One vector at one power of eps: indices, and integers after scaling.
_Part = tuple[list[int], list[int]]
_Product = tuple[int, _Part, _Part, _Part]


@dataclass(frozen=True)
class Slice:
    """Non-zero entries of a tensor: increasing flat positions, and integers (int64, or Python integers in an object array)."""

    positions: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Expansion:
    """Sum of the products of a scheme over a field.

    Attributes
    ----------
    sizes
        Mode sizes in the order of the file.
    scale
        The entries are `slices` divided by this positive integer (1 over GF(p)).
    slices
        The tensor at every power of eps that occurs, exponents increasing, no slice empty.
    """

    sizes: tuple[int, int, int]
    scale: int
    slices: dict[int, Slice]


def expand(scheme: Scheme, field: Field) -> Expansion:
    """Sum of the products of a scheme, over QQ or GF(p).

    Raises
    ------
    FormatError
        If the sum is too large to compute.
    TargetError
        If p divides a denominator.

    Notes ----- Denominators are cleared factor by factor, so that all arithmetic is on integers: int64 when
    the sum over the products of max|u| * max|v| * max|w| shows that no partial sum can overflow, Python
    integers otherwise.
    """
    scales = (
        [1, 1, 1] if field.characteristic else [_denominator(factor.vectors) for factor in scheme.factors]
    )
    products = list(_products(scheme, scales, field))
    multiplications = sum(len(u[0]) * len(v[0]) * len(w[0]) for _, u, v, w in products)
    bound = sum(prod(max(map(abs, values)) for _, values in vectors) for _, *vectors in products)
    entries = prod(scheme.sizes) * len({exponent for exponent, *_ in products})
    is_dense = bound < _INT64_SAFE and prod(scales) < _INT64_SAFE and entries <= _MAX_DENSE_ENTRIES
    if multiplications > (_MAX_MULTIPLICATIONS if is_dense else _MAX_SPARSE_MULTIPLICATIONS):
        raise FormatError(
            f"{scheme.label} is too large to check: its sum takes {multiplications} multiplications"
        )
    slices = _dense(products, scheme.sizes) if is_dense else _sparse(products, scheme.sizes)
    if p := field.characteristic:
        slices = {e: Slice(s.positions, s.values % p) for e, s in slices.items()}
    kept = {e: Slice(s.positions[s.values != 0], s.values[s.values != 0]) for e, s in sorted(slices.items())}
    return Expansion(scheme.sizes, prod(scales), {e: s for e, s in kept.items() if len(s.positions)})


def _denominator(vectors: tuple[SparseVector, ...]) -> int:
    denominators = {c.denominator for vector in vectors for _, x in vector for _, c in powers(x)}
    return lcm(*denominators)


def _products(scheme: Scheme, scales: list[int], field: Field) -> Iterator[_Product]:
    """The products with every vector split by powers of eps: (exponent, u, v, w)."""
    for vectors in scheme.products():
        parts = [_parts(vector, scale, field) for vector, scale in zip(vectors, scales, strict=True)]
        for e1, u in parts[0].items():
            for e2, v in parts[1].items():
                for e3, w in parts[2].items():
                    yield e1 + e2 + e3, u, v, w


def _parts(vector: SparseVector, scale: int, field: Field) -> dict[int, _Part]:
    parts: dict[int, _Part] = {}
    for index, x in vector:
        for exponent, c in powers(x):
            value = field.reduce(c * scale if scale != 1 else c)
            if value:
                indices, values = parts.setdefault(exponent, ([], []))
                indices.append(index)
                values.append(value)  # type: ignore[arg-type]
    return parts


def _dense(products: list[_Product], sizes: tuple[int, int, int]) -> dict[int, Slice]:
    totals: dict[int, np.ndarray] = {}
    for exponent, *vectors in products:
        total = totals.get(exponent)
        if total is None:
            total = totals[exponent] = np.zeros(sizes, dtype=np.int64)
        u, v, w = (np.array(values, dtype=np.int64) for _, values in vectors)
        # The indices of one vector are distinct, so that += meets no entry twice.
        total[np.ix_(*(indices for indices, _ in vectors))] += u[:, None, None] * v[:, None] * w
    flat = {exponent: total.ravel() for exponent, total in totals.items()}
    positions = {exponent: np.flatnonzero(total) for exponent, total in flat.items()}
    return {exponent: Slice(where, flat[exponent][where]) for exponent, where in positions.items()}


def _sparse(products: list[_Product], sizes: tuple[int, int, int]) -> dict[int, Slice]:
    _, J, K = sizes
    totals: dict[int, dict[int, int]] = {}
    for exponent, u, v, w in products:
        total = totals.setdefault(exponent, {})
        for i, a in zip(*u, strict=True):
            for j, b in zip(*v, strict=True):
                row, ab = (i * J + j) * K, a * b
                for k, c in zip(*w, strict=True):
                    total[row + k] = total.get(row + k, 0) + ab * c
    slices: dict[int, Slice] = {}
    for exponent, total in totals.items():
        positions = np.array(sorted(total), dtype=np.int64)
        values = np.empty(len(positions), dtype=object)
        values[:] = [total[position] for position in positions.tolist()]
        slices[exponent] = Slice(positions, values)
    return slices


def entry(expansion: Expansion, exponent: int, position: int) -> int | Fraction:
    """One entry of the sum at a power of eps, by its flat position."""
    found = expansion.slices.get(exponent)
    if found is None:
        return 0
    at = int(np.searchsorted(found.positions, position))
    if at == len(found.positions) or found.positions[at] != position:
        return 0
    value = Fraction(int(found.values[at]), expansion.scale)
    return value.numerator if value.denominator == 1 else value
