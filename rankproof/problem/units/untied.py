"""Untied units w * a^(d-1) * b: a detector a and a value b (tangential variety of the Veronese)."""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.problem.space import Space
from rankproof.problem.units.model import (
    Expansion,
    Sparse,
    UnitModel,
    linear,
    linear_power,
    polynomials_only,
    symmetric_product,
    weighted,
)


class Untied(UnitModel):
    """w * a^(d-1) * b, vectors (a, b, w)."""

    name = "untied"
    formula = "a and b, then the weights w: w * a^(d-1) * b"

    def accepts(self, space: Space) -> str | None:
        return polynomials_only(self.name, space)

    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        return space.variables_count, space.variables_count, space.outputs

    def dimension(self, space: Space) -> int:
        # a, b and w are determined up to two scales; in degree 1 only b counts.
        forms = 2 if space.form_degree > 1 else 1
        return forms * (space.variables_count - 1) + space.outputs

    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        a, b, w = vectors
        return weighted(space, symmetric_product(linear_power(a, space.form_degree - 1), linear(b)), w)
