"""Split units w * l1 * ... * ld: products of linear forms (Chow variety)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rankproof.problem.space import Space
from rankproof.problem.units.model import (
    Expansion,
    Sparse,
    UnitModel,
    linear,
    polynomials_only,
    symmetric_product,
    weighted,
)


class Split(UnitModel):
    """w * l1 * ... * ld, vectors (l1, ..., ld, w)."""

    name = "split"
    formula = "l1, ..., ld, then the weights w: w * l1 * ... * ld"

    def accepts(self, space: Space) -> str | None:
        return polynomials_only(self.name, space)

    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        return (space.variables_count,) * space.form_degree + (space.outputs,)

    def dimension(self, space: Space) -> int:
        # The d forms and w are determined up to d scales (and their order).
        return space.form_degree * (space.variables_count - 1) + space.outputs

    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        *forms, w = vectors
        return weighted(space, reduce(symmetric_product, map(linear, forms)), w)
