"""The tensor that the products of a scheme add up to, exactly, in the file's own coordinates.

It is computed once; every index convention is then only another way to look at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.parts import Key, Part, parts_of
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import Algebraic, Field, NumberField, Scalar, rational

# Beyond these the sum is not computed: multiplications of int64 in arrays, and of Python integers one by one.
_MAX_MULTIPLICATIONS = 2**32
_MAX_LONG_MULTIPLICATIONS = 2**26
# Entries of dense arrays, 8 bytes each.
_MAX_DENSE_ENTRIES = 2**26
# An int64 holds every partial sum whose absolute value is below this; the bound has rounding errors, hence the margin.
_INT64_SAFE = 2.0**61

# A tensor with integer entries: flat positions and values.
_Sparse = tuple[np.ndarray, np.ndarray]


class TooLarge(FormatError):
    """The sum of the products takes too many multiplications: nothing is known about the scheme."""


@dataclass(frozen=True)
class Slice:
    """Non-zero entries of a tensor: increasing flat positions, and their values.

    The values are int64, or Python objects: long integers, and algebraic numbers over a number field.
    """

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


@dataclass(frozen=True)
class _Combination:
    """One part of each factor, and where their product goes: power of eps, power of the generator."""

    key: Key
    u: Part
    v: Part
    w: Part

    def products(self) -> list[int]:
        """Products that all three parts have a share in."""
        return np.flatnonzero((self.u.counts > 0) & (self.v.counts > 0) & (self.w.counts > 0)).tolist()

    def bound(self) -> float:
        """No partial sum of this combination exceeds it in absolute value (but for rounding of the bound itself)."""
        return float(np.dot(self.u.largest * self.v.largest, self.w.largest))

    def work(self) -> int:
        """Number of multiplications."""
        return int(np.dot(self.u.counts * self.v.counts, self.w.counts))


def expand(scheme: Scheme, field: Field) -> Expansion:
    """Sum of the products of a scheme, over QQ, a number field or GF(p).

    Raises
    ------
    TooLarge
        If the sum takes too many multiplications.
    TargetError
        If p divides a denominator.

    Notes
    -----
    Denominators are cleared factor by factor, so that all arithmetic is on integers: int64 where the sum over the
    products of max|u| * max|v| * max|w| shows that no partial sum can overflow, Python integers otherwise.
    """
    scales, parts = zip(*(parts_of(factor, field) for factor in scheme.factors), strict=True)
    combinations = [
        _Combination((u.key[0] + v.key[0] + w.key[0], u.key[1] + v.key[1] + w.key[1]), u, v, w)
        for u in parts[0]
        for v in parts[1]
        for w in parts[2]
    ]
    keys = {combination.key for combination in combinations}
    is_small = _is_small(combinations, field.number_field)
    is_dense = is_small and prod(scheme.sizes) * max(1, len(keys)) <= _MAX_DENSE_ENTRIES
    work = sum(combination.work() for combination in combinations)
    if work > (_MAX_MULTIPLICATIONS if is_dense else _MAX_LONG_MULTIPLICATIONS):
        raise TooLarge(f"{scheme.label} is too large to check: its sum takes {work} multiplications")
    sums = (_dense if is_dense else _sparse)(combinations, scheme.sizes)
    return Expansion(scheme.sizes, prod(scales), dict(_reduced(sums, field)))


def _is_small(combinations: list[_Combination], number_field: NumberField | None) -> bool:
    """Whether int64 holds every partial sum."""
    if any(part.values.dtype == object for c in combinations for part in (c.u, c.v, c.w)):
        return False
    return sum(c.bound() for c in combinations) * _growth(number_field) < _INT64_SAFE


def _growth(number_field: NumberField | None) -> float:
    """Factor by which reducing by the minimal polynomial may enlarge a coordinate."""
    if number_field is None:
        return 1.0
    size = 1 + sum(map(abs, number_field.minimal_polynomial[:-1]))
    return float(size) ** (2 * number_field.degree)


def _dense(combinations: list[_Combination], sizes: tuple[int, int, int]) -> dict[Key, _Sparse]:
    I, J, K = sizes
    totals: dict[Key, np.ndarray] = {}
    for c in combinations:
        for t in c.products():
            (i, u), (j, v), (k, w) = (part.column(t) for part in (c.u, c.v, c.w))
            total = totals.get(c.key)
            if total is None:
                total = totals[c.key] = np.zeros((I * J, K), dtype=np.int64)
            # The rows of one column are distinct, so that += meets no entry twice.
            rows = (i[:, None] * J + j).reshape(-1, 1)
            total[rows, k] += (u[:, None] * v).reshape(-1, 1) * w
    sums: dict[Key, _Sparse] = {}
    for key, total in totals.items():
        flat = total.ravel()
        positions = np.flatnonzero(flat)
        sums[key] = positions, flat[positions]
    return sums


def _sparse(combinations: list[_Combination], sizes: tuple[int, int, int]) -> dict[Key, _Sparse]:
    """The same with Python integers, entry by entry."""
    _, J, K = sizes
    totals: dict[Key, dict[int, int]] = {}
    for c in combinations:
        total = totals.setdefault(c.key, {})
        for t in c.products():
            u, v, w = (
                list(zip(places.tolist(), values.tolist(), strict=True))
                for places, values in (part.column(t) for part in (c.u, c.v, c.w))
            )
            for i, a in u:
                for j, b in v:
                    row, ab = (i * J + j) * K, a * b
                    for k, x in w:
                        total[row + k] = total.get(row + k, 0) + ab * x
    return {key: _sorted(total) for key, total in totals.items()}


def _sorted(total: dict[int, int]) -> _Sparse:
    positions = np.array(sorted(total), dtype=np.int64)
    values = np.empty(len(positions), dtype=object)
    values[:] = [total[position] for position in positions.tolist()]
    return positions, values


def _reduced(sums: dict[Key, _Sparse], field: Field) -> Iterator[tuple[int, Slice]]:
    """The tensor at every power of eps, in normal form over the field."""
    for exponent in sorted({e for e, _ in sums}):
        powers = {k: total for (e, k), total in sums.items() if e == exponent}
        if field.number_field is not None:
            positions, values = _over_number_field(powers, field.number_field)
        else:
            positions, values = powers[0]
        if p := field.characteristic:
            values = values % p
        kept = values != 0
        if np.any(kept):
            yield exponent, Slice(positions[kept], values[kept])


def _over_number_field(powers: dict[int, _Sparse], field: NumberField) -> _Sparse:
    """Sum of integer tensors times powers of the generator."""
    positions = np.unique(np.concatenate([at for at, _ in powers.values()]))
    coordinates = np.zeros((max(*powers, field.degree - 1) + 1, len(positions)), dtype=object)
    for k, (at, values) in powers.items():
        coordinates[k, np.searchsorted(positions, at)] = values
    for top in range(len(coordinates) - 1, field.degree - 1, -1):
        # a^degree = -(m_0 + m_1 a + ...), times a^(top - degree).
        for j, m in enumerate(field.minimal_polynomial[:-1]):
            coordinates[top - field.degree + j] -= m * coordinates[top]
    elements = np.empty(len(positions), dtype=object)
    elements[:] = [field.element(map(int, x)) for x in coordinates[: field.degree].T.tolist()]
    return positions, elements


def entry(expansion: Expansion, exponent: int, position: int) -> Scalar:
    """One entry of the sum at a power of eps, by its flat position."""
    found = expansion.slices.get(exponent)
    if found is None:
        return 0
    at = int(np.searchsorted(found.positions, position))
    if at == len(found.positions) or found.positions[at] != position:
        return 0
    value = found.values[at]
    if isinstance(value, Algebraic):
        return value * Fraction(1, expansion.scale)
    return rational(Fraction(int(value), expansion.scale))
