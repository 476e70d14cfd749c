"""Mixed units w * a^(d-k) * b^k: two linear forms with a fixed split of the degree."""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.problem.space import Space
from rankproof.problem.units.model import (
    Expansion,
    Sparse,
    UnitModel,
    linear_power,
    polynomials_only,
    symmetric_product,
    weighted,
)


class Mixed(UnitModel):
    """w * a^(d-k) * b^k, vectors (a, b, w), for 1 <= k <= d/2."""

    formula = "a and b, then the weights w: w * a^(d-k) * b^k"

    def __init__(self, k: int) -> None:
        self.k = k
        self.name = f"mixed:{k}"

    def accepts(self, space: Space) -> str | None:
        if reason := polynomials_only(self.name, space):
            return reason
        if 2 * self.k > space.form_degree:
            return (
                f"{self.name} units need degree at least {2 * self.k}, and this target has degree {space.form_degree};"
                " k lies between 1 and half the degree"
            )
        return None

    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        return space.variables_count, space.variables_count, space.outputs

    def dimension(self, space: Space) -> int:
        # a, b and w are determined up to two scales (and finitely many choices).
        return 2 * (space.variables_count - 1) + space.outputs

    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        a, b, w = vectors
        form = symmetric_product(linear_power(a, space.form_degree - self.k), linear_power(b, self.k))
        return weighted(space, form, w)
