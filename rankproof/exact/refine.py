"""More digits of an isolated decomposition, by Newton's method in flint's complex numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import flint
import numpy as np
from flint import acb, acb_mat

from rankproof.problem.field import Algebraic, Scalar
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.problem.units.model import Sparse

Place = tuple[int, int, int]
"""Number of a unit, number of a vector in it, number of a coordinate in that."""

Unit = list[list[Any]]

Product = Callable[[list[Sparse]], Mapping[Any, Any]]
"""What one unit multiplies out to, given the non-zero coordinates of its vectors."""

MAX_UNKNOWNS = 250
"""Unknowns of Newton's method; each step solves a dense system of this size."""

MAX_STEPS = 9
"""Newton steps: five suffice from a solution in double precision."""

INDEPENDENT = 1e-7
"""Smallest pivot, relative to the largest, of a system that counts as regular."""


@dataclass(frozen=True)
class _Jet:
    """A number with its derivative in one direction."""

    value: Any
    slope: Any

    def __mul__(self, other: object) -> _Jet:
        if isinstance(other, _Jet):
            return _Jet(self.value * other.value, self.value * other.slope + self.slope * other.value)
        return _Jet(self.value * other, self.slope * other)

    def __add__(self, other: object) -> _Jet:
        if isinstance(other, _Jet):
            return _Jet(self.value + other.value, self.slope + other.slope)
        return _Jet(self.value + other, self.slope)

    __rmul__ = __mul__
    __radd__ = __add__


def refine(
    target: Target,
    units_model: str,
    units: Sequence[Sequence[Sequence[Any]]],
    unknown: Sequence[Place],
    digits: int,
) -> list[Unit] | None:
    """Solve for some coordinates of a sum of units to many digits, all others being exact.

    Parameters
    ----------
    target
        What the units sum to, over QQ.
    units_model
        Name of their model.
    units
        Coordinates: floats near a solution at the unknown places, rational or Gaussian rational numbers elsewhere.
    unknown
        The places to solve for.
    digits
        Decimal digits wanted.

    Returns
    -------
    list or None
        The units with flint's complex numbers at the unknown places; None when the equations do not determine the unknowns, or
        the solution does not satisfy all of them.
    """
    model = unit_model(units_model)

    def product(vectors: list[Sparse]) -> Mapping[Any, Any]:
        return model.product(target.space, vectors)

    return refine_sum(target.as_dict(), product, units, unknown, digits)


def refine_sum(
    entries: Mapping[Any, Scalar],
    product: Product,
    units: Sequence[Sequence[Sequence[Any]]],
    unknown: Sequence[Place],
    digits: int,
) -> list[Unit] | None:
    """As `refine`, for units that multiply out in whatever way, to coefficients of whatever names.

    Parameters
    ----------
    entries
        What the units sum to, rational numbers by name.
    product
        How one unit multiplies out.
    units, unknown, digits
        As in `refine`.
    """
    if len(unknown) > MAX_UNKNOWNS or any(isinstance(c, Algebraic) for c in entries.values()):
        return None
    current: list[Unit] = [[list(vector) for vector in unit] for unit in units]
    columns = _columns(product, current, unknown)
    names = sorted({name for column in columns for name in column})
    matrix = np.array([[complex(column.get(name, 0)) for column in columns] for name in names])
    matrix = matrix.reshape(len(names), len(unknown))
    rows = _independent_rows(matrix)
    if rows is None:
        return None
    equations = [names[k] for k in rows]
    precision, last = 53, int(digits * 6.7) + 60
    for _ in range(MAX_STEPS):
        # Every step doubles the digits, and so does the precision, up to twice what is wanted.
        precision = min(2 * precision + 20, last)
        with flint.ctx.workprec(precision):
            current = _newton_step(entries, product, current, unknown, equations)
            left = _residual(entries, product, current).values()
            if precision == last and all(abs(x) < flint.arb(10) ** (-digits) for x in left):
                return current
    return None


def _newton_step(
    entries: Mapping[Any, Scalar],
    product: Product,
    units: list[Unit],
    unknown: Sequence[Place],
    equations: Sequence[Hashable],
) -> list[Unit]:
    residual = _residual(entries, product, units)
    columns = _columns(product, units, unknown)
    n = len(unknown)
    matrix = acb_mat(n, n, [acb(column.get(name, 0)).mid() for name in equations for column in columns])
    side = acb_mat(n, 1, [acb(residual.get(name, 0)).mid() for name in equations])
    step = matrix.solve(side, nonstop=True)
    moved = [[list(vector) for vector in unit] for unit in units]
    for k, (s, v, i) in enumerate(unknown):
        moved[s][v][i] = (_number(moved[s][v][i]) - step[k, 0]).mid()
    return moved


def _residual(entries: Mapping[Any, Scalar], product: Product, units: list[Unit]) -> dict[Any, Any]:
    """Sum of the units minus what they are to sum to."""
    total: dict[Any, Any] = {name: -_number(c) for name, c in entries.items()}
    for unit in units:
        sparse = [[(i, _number(x)) for i, x in enumerate(vector) if x != 0] for vector in unit]
        for name, x in product(cast(list[Sparse], sparse)).items():
            total[name] = total.get(name, acb(0)) + x
    return total


def _columns(product: Product, units: list[Unit], unknown: Sequence[Place]) -> list[dict[Any, Any]]:
    """Derivatives of the sum by every unknown."""
    columns = []
    for s, v, i in unknown:
        sparse = [
            [
                (k, _Jet(_number(x), 1) if (u, k) == (v, i) else _number(x))
                for k, x in enumerate(vector)
                if x != 0 or (u, k) == (v, i)
            ]
            for u, vector in enumerate(units[s])
        ]
        multiplied = product(cast(list[Sparse], sparse))
        columns.append({name: x.slope for name, x in multiplied.items() if isinstance(x, _Jet)})
    return columns


def _number(x: Any) -> acb:
    """A coordinate as a number of flint, at the present precision."""
    if isinstance(x, acb):
        return x
    if isinstance(x, Algebraic):
        real, imaginary = x.coefficients
        return acb(flint.arb(_rational(real)), flint.arb(_rational(imaginary)))
    return acb(x.real, x.imag) if isinstance(x, complex | float) else acb(_rational(x))


def _rational(x: int | Fraction) -> flint.fmpq:
    return flint.fmpq(x.numerator, x.denominator)


def _independent_rows(matrix: np.ndarray) -> list[int] | None:
    """As many independent rows as there are columns; None when the columns are dependent."""
    rest = matrix.astype(np.complex128).copy()
    rows: list[int] = []
    largest = 0.0
    for k in range(rest.shape[1]):
        pivot = int(np.abs(rest[:, k]).argmax()) if rest.shape[0] else 0
        size = abs(rest[pivot, k]) if rest.shape[0] else 0.0
        largest = max(largest, size)
        if size <= INDEPENDENT * largest or not size:
            return None
        rest[:, k + 1 :] -= np.outer(rest[:, k] / rest[pivot, k], rest[pivot, k + 1 :])
        rest[pivot] = 0
        rows.append(pivot)
    return rows


__all__ = ["Place", "Product", "refine", "refine_sum"]
