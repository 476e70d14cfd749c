"""Exact sums of units: decompositions and border families, and what they leave over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankproof.errors import UsageError
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

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

    def __len__(self) -> int:
        return len(self.units)

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

    def __len__(self) -> int:
        return len(self.units)

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


__all__ = ["BorderFamily", "Decomposition", "ExactUnit", "FamilyUnit", "Laurent"]
