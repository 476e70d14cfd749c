"""A scheme as a file gives it: products of three sparse vectors with exact coefficients, and no claim believed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from rankproof.problem.field import Algebraic, Field, NumberField, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target

Coefficient = Scalar | Laurent
SparseVector = tuple[tuple[int, Coefficient], ...]


# Integers below this are stored as int64.
_SMALL = 2**62


@dataclass(frozen=True, eq=False)
class Factor:
    """One of the three factor matrices of a scheme, with one column a product.

    Attributes
    ----------
    size
        Number of entries of every column: the mode size.
    columns
        Number of products.
    places, products
        Row and column of the entries that are not zero, sorted by column and then by row.
    values
        The entries times the denominator, as int64; or, where one of them is irrational, depends on eps or is long, the
        entries themselves as Python objects: an integer is an int then, and a `Laurent` is never constant.
    denominator
        The least common denominator of small rational entries; 1 for objects.
    """

    size: int
    columns: int
    places: np.ndarray
    products: np.ndarray
    values: np.ndarray
    denominator: int = 1

    @classmethod
    def of_matrix(cls, matrix: np.ndarray) -> Factor:
        """Factor of a dense matrix with one column a product, of integers or exact objects."""
        # The transpose is scanned, so that the entries come sorted by product.
        products, places = np.nonzero(matrix.T)
        return cls.of_entries(matrix.shape[0], matrix.shape[1], places, products, matrix[places, products])

    @classmethod
    def of_vectors(cls, size: int, vectors: Iterable[Iterable[tuple[int, Coefficient]]]) -> Factor:
        """Factor of one sparse vector a product: pairs (row, coefficient), rows increasing; zeros are dropped."""
        places: list[int] = []
        products: list[int] = []
        values: list[Coefficient] = []
        columns = 0
        for columns, vector in enumerate(vectors, 1):
            for place, x in vector:
                if x:
                    places.append(place)
                    products.append(columns - 1)
                    values.append(x)
        return cls.of_entries(size, columns, np.array(places, int), np.array(products, int), values)

    @classmethod
    def of_entries(
        cls,
        size: int,
        columns: int,
        places: np.ndarray,
        products: np.ndarray,
        values: np.ndarray | Sequence[Coefficient],
    ) -> Factor:
        """Factor of its entries that are not zero, sorted by product and then by row."""
        return cls(size, columns, places, products, *_stored(values))

    @cached_property
    def vectors(self) -> tuple[SparseVector, ...]:
        """One sparse vector a product: pairs (row, coefficient), rows increasing."""
        ends = self.ends.tolist()
        pairs = list(zip(self.places.tolist(), self.coefficients(), strict=True))
        return tuple(tuple(pairs[a:b]) for a, b in zip(ends, ends[1:], strict=False))

    def coefficients(self) -> list[Coefficient]:
        """The entries that are not zero, in their order."""
        if self.denominator == 1:
            return self.values.tolist()
        quotients = {x: _normal(Fraction(x, self.denominator)) for x in np.unique(self.values).tolist()}
        return [quotients[x] for x in self.values.tolist()]

    @cached_property
    def ends(self) -> np.ndarray:
        """Where the entries of every product begin, and where the last ones end."""
        return np.searchsorted(self.products, np.arange(self.columns + 1))

    @property
    def is_small(self) -> bool:
        """Whether all entries are rational and stored as int64."""
        return self.values.dtype == np.int64

    def first(self, columns: int) -> Factor:
        """The first products alone."""
        end = int(self.ends[columns])
        kept = self.coefficients()[:end]
        return Factor.of_entries(self.size, columns, self.places[:end], self.products[:end], kept)

    def divided(self, divisor: int) -> Factor:
        """The factor divided by a positive integer."""
        quotients = [x * Fraction(1, divisor) for x in self.coefficients()]
        return Factor.of_entries(self.size, self.columns, self.places, self.products, quotients)

    def used(self) -> np.ndarray:
        """For every product, whether its column has an entry that is not zero."""
        mask = np.zeros(self.columns, dtype=bool)
        mask[self.products] = True
        return mask


@dataclass(frozen=True, eq=False)
class Scheme:
    """A list of products u (x) v (x) w.

    What the products add up to, over which ring and in which index convention, is decided by `match`.

    Attributes
    ----------
    source
        Name of the file.
    key
        Name of the scheme inside the file; None where a file holds one scheme.
    factors
        The factor matrices U, V, W, with equally many products.
    remark
        What the reader noticed and a person should know when the scheme turns out wrong; empty as a rule.
    format
        Name of the format it was read in.
    about
        What the file itself says that the scheme decomposes: a target that the file carries or describes; or, in
        a sentence, why the target cannot be known from the file. None where the sizes are to decide.
    ring
        The field that the format is about; None where the coefficients are to decide.
    """

    source: str
    key: str | None
    factors: tuple[Factor, Factor, Factor]
    remark: str = ""
    format: str = ""
    about: Target | str | None = None
    ring: Field | None = None

    @property
    def label(self) -> str:
        """How the scheme is called: ``file:key``, or ``file`` where there is no key."""
        return self.source if self.key is None else f"{self.source}:{self.key}"

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Mode sizes of the tensor that the products add up to."""
        U, V, W = self.factors
        return U.size, V.size, W.size

    @property
    def listed(self) -> int:
        """Number of products that the file lists, zero or not."""
        return self.factors[0].columns

    @cached_property
    def whole(self) -> np.ndarray:
        """The products without a zero vector, increasing."""
        U, V, W = self.factors
        return np.flatnonzero(U.used() & V.used() & W.used())

    @property
    def terms(self) -> int:
        """Number of products without a zero vector, whatever the file claims."""
        return len(self.whole)

    @cached_property
    def is_family(self) -> bool:
        """Whether some coefficient depends on eps, so that the scheme can only show a border rank."""
        return any(isinstance(c, Laurent) for c in self._objects())

    @cached_property
    def is_integral(self) -> bool:
        """Whether all coefficients, at every power of eps, are integers."""
        return all(factor.denominator == 1 for factor in self.factors) and all(
            isinstance(c, int) for x in self._objects() for _, c in powers(x)
        )

    @cached_property
    def number_fields(self) -> tuple[NumberField, ...]:
        """The number fields of the coefficients, each once."""
        found = (c.field for x in self._objects() for _, c in powers(x) if isinstance(c, Algebraic))
        return tuple(dict.fromkeys(found))

    @property
    def number_field(self) -> NumberField | None:
        """The number field of the coefficients; None where all of them are rational."""
        return self.number_fields[0] if self.number_fields else None

    @property
    def ring_name(self) -> str:
        """The smallest of ``ZZ``, ``QQ`` and ``QQ(a)`` that holds all coefficients."""
        if self.number_field is not None:
            return str(self.number_field)
        return "ZZ" if self.is_integral else "QQ"

    def _objects(self) -> Iterator[Coefficient]:
        """The coefficients that need a look: small rationals are left out."""
        for factor in self.factors:
            if not factor.is_small:
                yield from factor.values.tolist()


def powers(x: Coefficient) -> tuple[tuple[int, Scalar], ...]:
    """The terms (exponent of eps, coefficient) of a coefficient that is not zero."""
    return x.terms if isinstance(x, Laurent) else ((0, x),)


def _stored(values: np.ndarray | Sequence[Coefficient]) -> tuple[np.ndarray, int]:
    """Coefficients as int64 over a common denominator where all are small rationals, else as normalised objects over 1."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub" and values.dtype != np.uint64:
        return values.astype(np.int64, copy=False), 1
    plain = [_normal(x) for x in (values.tolist() if isinstance(values, np.ndarray) else values)]
    if {*map(type, plain)} <= {int, Fraction}:
        denominator = lcm(*{x.denominator for x in plain})  # type: ignore[union-attr]
        if denominator < _SMALL and all(abs(x) * denominator < _SMALL for x in plain):  # type: ignore[arg-type,operator]
            return np.array([int(x * denominator) for x in plain], dtype=np.int64), denominator  # type: ignore[arg-type,operator]
    objects = np.empty(len(plain), dtype=object)
    objects[:] = plain
    return objects, 1


def _normal(x: Coefficient) -> Coefficient:
    if isinstance(x, Laurent) and x.is_constant:
        x = x.coefficient(0)
    return x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x
