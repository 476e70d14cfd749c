"""Exact sums of units: decompositions and border families, and what they leave over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rankproof.errors import UsageError
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.notation import units_in_latex
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

_INT64 = 2**63

ExactVector = tuple[Scalar, ...]
ExactUnit = tuple[ExactVector, ...]
FamilyVector = tuple[Scalar | Laurent, ...]
FamilyUnit = tuple[FamilyVector, ...]


@dataclass(frozen=True)
class Decomposition:
    """A sum of units with exact coordinates.

    Parameters
    ----------
    units_model
        Name of the unit model.
    ring
        Exact field of the coordinates.
    units
        The units; each is a tuple of vectors as its model lists them.

    Examples
    --------
    >>> xy = Decomposition("tied", QQ, (((1, 1), (1,)), ((1, -1), (-1,))))
    >>> xy.target(Space.form(2, 2))
    Target('4*x1*x2' over QQ: degree 2, 2 variables)
    """

    units_model: str
    ring: Field
    units: tuple[ExactUnit, ...]

    @classmethod
    def of(
        cls, units_model: str, units: Sequence[Sequence[Sequence[Scalar]]], ring: Field = QQ
    ) -> Decomposition:
        """Decomposition of units given as nested sequences, coordinates brought to normal form over the ring."""
        unit_model(units_model)
        normal = tuple(tuple(tuple(ring.reduce(x) for x in vector) for vector in unit) for unit in units)
        return cls(units_model, ring, normal)

    @classmethod
    def from_numpy(cls, *factors: Any, units_model: str = "product", ring: Field = QQ) -> Decomposition:
        """Decomposition of factor matrices with one column a unit: the inverse of `to_numpy`.

        Parameters
        ----------
        *factors
            One matrix of integers, Fractions or elements of a number field for every vector of a unit, such as U, V, W of
            shapes (I, r), (J, r), (K, r).
        units_model
            Name of the unit model.
        ring
            Exact field of the coordinates.

        Raises
        ------
        UsageError
            If the entries are floats, or the matrices do not have equally many columns.

        Examples
        --------
        >>> import numpy as np
        >>> W = Decomposition.from_numpy(*[np.array([[1, 0], [0, 1]])] * 3)
        >>> W.units
        (((1, 0), (1, 0), (1, 0)), ((0, 1), (0, 1), (0, 1)))
        """
        return cls.of(units_model, units_of_columns(factors), ring)

    def to_numpy(self) -> tuple[Any, ...]:
        """Factor matrices, exactly: one for every vector of a unit, of shape (length of the vector, number of units).

        Returns
        -------
        tuple of numpy.ndarray
            int64 where all entries of a matrix are small integers; else Python objects: int, Fraction, `Algebraic`.

        Examples
        --------
        >>> U, V, W = Decomposition("product", QQ, (((1, 2), (3, 4), (5,)), ((0, 1), (1, 0), (7,)))).to_numpy()
        >>> U.tolist(), V.shape, W.dtype.name
        ([[1, 0], [2, 1]], (2, 2), 'int64')
        """
        return columns_of_units(self.units)

    def additions(self) -> int:
        """Additions of the algorithm that the products spell out, with nothing computed twice or shared.

        A sum of k entries takes k - 1 additions: every linear form in the entries of the first factors, and every result as a
        sum of products. Multiplications by constants are not counted.

        Raises
        ------
        UsageError
            If the units are no products of vectors.
        """
        return additions_of_units(self.units_model, self.units)

    def __len__(self) -> int:
        return len(self.units)

    def _repr_latex_(self) -> str:
        return f"${units_in_latex(self.units_model, self.units)}$"

    def expand(self, space: Space) -> dict[Word, Scalar]:
        """Non-zero coefficients of the sum, by word."""
        model, ring = unit_model(self.units_model), self.ring
        total: dict[Word, Scalar] = {}
        for unit in self.units:
            for word, c in model.expand(space, unit, ring).items():
                total[word] = total.get(word, 0) + c
        return {word: x for word, c in total.items() if (x := ring.reduce(c))}

    def target(self, space: Space, variables: tuple[str, ...] | None = None) -> Target:
        """The sum as a target."""
        return Target.from_entries(space, self.expand(space), self.ring, variables)

    def residual(self, target: Target) -> dict[Word, Scalar]:
        """Coefficients of target minus sum, over the ring of the units; empty when the decomposition is exact.

        Raises
        ------
        TargetError
            If the target cannot be read over the ring.
        """
        rest = target.over(self.ring).as_dict()
        for word, c in self.expand(target.space).items():
            rest[word] = rest.get(word, 0) - c
        return {word: x for word, c in rest.items() if (x := self.ring.reduce(c))}


@dataclass(frozen=True)
class BorderFamily:
    """A sum of units with Laurent polynomials in eps as coordinates, meant to be target * eps^order + higher terms.

    Parameters
    ----------
    units_model
        Name of the unit model.
    ring
        Exact field of the coefficients of the coordinates.
    order
        Exponent of eps at which the target stands.
    units
        The units; coordinates are scalars or `Laurent`.

    Examples
    --------
    >>> eps = Laurent.power(1)
    >>> family = BorderFamily("tied", QQ, 1, (((1, eps), (1,)), ((1, 0), (-1,))))
    >>> family.residual(Target.from_entries(Space.form(2, 3), {(0, 0, 1): 3}))
    {}
    """

    units_model: str
    ring: Field
    order: int
    units: tuple[FamilyUnit, ...]

    def to_numpy(self) -> tuple[Any, ...]:
        """Factor matrices as of a `Decomposition`; coordinates that depend on eps are `Laurent` objects."""
        return columns_of_units(self.units)

    def additions(self) -> int:
        """Additions as of a `Decomposition`, at any value of eps but 0."""
        return additions_of_units(self.units_model, self.units)

    def __len__(self) -> int:
        return len(self.units)

    def _repr_latex_(self) -> str:
        return f"${units_in_latex(self.units_model, self.units)}$"

    def expand(self, space: Space) -> dict[Word, Laurent]:
        """Non-zero coefficients of the sum, by word."""
        model, ring = unit_model(self.units_model), self.ring
        total: dict[Word, Laurent] = {}
        for unit in self.units:
            for word, c in model.expand_family(space, unit, ring).items():
                total[word] = (total[word] + c).over(ring) if word in total else c
        return {word: c for word, c in total.items() if c}

    def residual(self, target: Target) -> dict[Word, Laurent]:
        """What stands at eps^order and below besides the target; empty when the family degenerates to the target.

        Raises
        ------
        TargetError
            If the target cannot be read over the ring.
        """
        total = self.expand(target.space)
        for word, c in target.over(self.ring).entries:
            total[word] = total.get(word, as_laurent(0)) - Laurent.power(self.order, c)
        low = {
            word: Laurent.from_mapping({e: c for e, c in value.over(self.ring).terms if e <= self.order})
            for word, value in total.items()
        }
        return {word: value for word, value in low.items() if value}

    def limit(self, space: Space) -> Target:
        """The coefficient of the sum at eps^order.

        Raises
        ------
        UsageError
            If a lower power of eps does not cancel, so that the sum has no limit.
        """
        total = self.expand(space)
        for word, c in sorted(total.items()):
            if c.terms[0][0] < self.order:
                raise UsageError(
                    f"the family has no limit at eps^{self.order}: the coefficient at {list(word)} is {c};"
                    f" use order {c.terms[0][0]} or repair the units"
                )
        entries = {word: c.coefficient(self.order) for word, c in total.items()}
        return Target.from_entries(space, entries, self.ring)


def columns_of_units(units: Sequence[FamilyUnit]) -> tuple[Any, ...]:
    """One matrix for every vector of a unit, with one column a unit."""
    np: Any = import_module("numpy")
    matrices: list[Any] = []
    for vectors in zip(*units, strict=True):
        small = all(type(x) is int and abs(x) < _INT64 for vector in vectors for x in vector)
        matrix = np.empty((len(vectors[0]), len(vectors)), dtype=np.int64 if small else object)
        for column, vector in enumerate(vectors):
            for row, x in enumerate(vector):
                matrix[row, column] = x
        matrices.append(matrix)
    return tuple(matrices)


def units_of_columns(factors: Sequence[Any]) -> list[list[list[Scalar]]]:
    """The units of matrices with one column a unit."""
    np: Any = import_module("numpy")
    matrices: list[Any] = [np.asarray(factor) for factor in factors]
    for matrix in matrices:
        if matrix.ndim != 2 or matrix.shape[1] != matrices[0].shape[1]:
            shapes = ", ".join(str(m.shape) for m in matrices)
            raise UsageError(
                f"matrices of shapes {shapes} are no factor matrices; give one column a unit, equally many in every matrix"
            )
        if matrix.dtype.kind not in "iuO":
            raise UsageError(
                f"a factor matrix holds {matrix.dtype} entries, which are not exact; give integers, or Fractions as objects"
            )
    return [list(unit) for unit in zip(*(matrix.T.tolist() for matrix in matrices), strict=True)]


def additions_of_units(model: str, units: Sequence[FamilyUnit]) -> int:
    """Additions of products of vectors, see `Decomposition.additions`."""
    if model != "product":
        raise UsageError(f"additions are counted for products of vectors; {model} units are something else")
    forms = (len(vector) - vector.count(0) for unit in units for vector in unit[:-1])
    results = (len(row) - row.count(0) for row in zip(*(unit[-1] for unit in units), strict=True))
    return sum(max(0, terms - 1) for terms in (*forms, *results))


__all__ = ["BorderFamily", "Decomposition", "ExactUnit", "FamilyUnit", "Laurent"]
