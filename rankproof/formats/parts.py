"""Factor matrices split by powers of eps and of the generator of a number field: what is left are integers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from rankproof.formats.scheme import Coefficient, Factor, powers
from rankproof.problem.field import Algebraic, Field, Scalar

Key = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Part:
    """The part of a factor matrix at one power of eps and one power of the generator, times a common denominator.

    Attributes
    ----------
    key
        The two powers.
    columns
        Number of products of the scheme.
    places, products, values
        Row, column and integer of the entries that are not zero, sorted by column; the integers are int64, or
        Python integers where one of them is long.
    """

    key: Key
    columns: int
    places: np.ndarray
    products: np.ndarray
    values: np.ndarray

    @cached_property
    def largest(self) -> np.ndarray:
        """For every product the largest absolute value, in floating point; infinite where it has no double."""
        if self.values.dtype == object:
            sizes = np.array([_as_float(abs(x)) for x in self.values.tolist()])
        else:
            sizes = np.abs(self.values).astype(np.float64)
        found = np.zeros(self.columns)
        np.maximum.at(found, self.products, sizes)
        return found

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of entries of every product."""
        return np.bincount(self.products, minlength=self.columns)

    @cached_property
    def ends(self) -> np.ndarray:
        """Where the entries of every product begin, and where the last ones end."""
        return np.searchsorted(self.products, np.arange(self.columns + 1))

    def column(self, product: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and integers of one product."""
        a, b = self.ends[product], self.ends[product + 1]
        return self.places[a:b], self.values[a:b]


def parts_of(factor: Factor, field: Field) -> tuple[int, list[Part]]:
    """A common denominator of a factor over a field, and the parts of the factor multiplied by it.

    Raises
    ------
    TargetError
        If a coefficient has no value in the field.
    """
    if factor.is_small and not (field.characteristic and factor.denominator > 1):
        values = factor.values % field.characteristic if field.characteristic else factor.values
        return factor.denominator, [_part((0, 0), factor.columns, factor.places, factor.products, values)]
    coefficients = factor.coefficients()
    scale = 1 if field.characteristic else _denominator(coefficients)
    found: dict[Key, tuple[list[int], list[int], list[int]]] = {}
    for place, product, x in zip(factor.places.tolist(), factor.products.tolist(), coefficients, strict=True):
        for exponent, c in powers(x):
            for power, y in _integers(c, scale, field):
                places, products, values = found.setdefault((exponent, power), ([], [], []))
                places.append(place)
                products.append(product)
                values.append(y)
    return scale, [
        _part(key, factor.columns, np.array(places), np.array(products), _integer_array(values))
        for key, (places, products, values) in sorted(found.items())
    ]


def _denominator(coefficients: list[Coefficient]) -> int:
    """Least common denominator."""
    scalars = (c for x in coefficients for _, c in powers(x))
    return lcm(*(part.denominator for c in scalars for part in rational_coordinates(c)))


def rational_coordinates(c: Scalar) -> tuple[int | Fraction, ...]:
    """Coordinates of a number on the powers of the generator of its field."""
    return c.coefficients if isinstance(c, Algebraic) else (c,)


def _part(key: Key, columns: int, places: np.ndarray, products: np.ndarray, values: np.ndarray) -> Part:
    kept = values != 0
    if np.all(kept):
        return Part(key, columns, places, products, values)
    return Part(key, columns, places[kept], products[kept], values[kept])


def _integers(c: Scalar, scale: int, field: Field) -> Iterator[tuple[int, int]]:
    """Coordinates that are not zero of a number over a field, times the scale: (power of the generator, integer)."""
    if isinstance(c, Algebraic) and field.number_field == c.field:
        for power, x in enumerate(c.coefficients):
            if x:
                yield power, int(x * scale)
        return
    value = field.reduce(c)
    yield 0, int(Fraction(value) * scale)  # type: ignore[arg-type]


def _integer_array(values: list[int]) -> np.ndarray:
    if all(-(2**62) < x < 2**62 for x in values):
        return np.array(values, dtype=np.int64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_float(x: int) -> float:
    try:
        return float(x)
    except OverflowError:
        return float("inf")
