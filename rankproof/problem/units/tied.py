"""Tied units w * a^d: powers of linear forms (Waring rank)."""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.problem.space import Space
from rankproof.problem.units.model import (
    Expansion,
    Sparse,
    UnitModel,
    linear_power,
    polynomials_only,
    weighted,
)


class Tied(UnitModel):
    """w * a^d, vectors (a, w): the Segre-Veronese cone."""

    name = "tied"
    formula = "a, then the weights w: w * a^d"

    def accepts(self, space: Space) -> str | None:
        return polynomials_only(self.name, space)

    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        return space.variables_count, space.outputs

    def dimension(self, space: Space) -> int:
        # a and w are determined up to one scale.
        return space.variables_count + space.outputs - 1

    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        a, w = vectors
        return weighted(space, linear_power(a, space.form_degree), w)
