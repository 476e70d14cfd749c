"""Product units a (x) b (x) c ...: tensors of rank one (Segre variety, CP rank)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rankproof.problem.space import Space
from rankproof.problem.units.model import Expansion, Sparse, UnitModel, linear, tensor_product


class Product(UnitModel):
    """v1 (x) ... (x) vk, one vector a factor, for spaces whose powers are all 1."""

    name = "product"
    formula = "one vector a factor: v1 (x) ... (x) vk"

    def accepts(self, space: Space) -> str | None:
        if space.is_tensor:
            return None
        return f"product units are for tensors, and {space} has a factor of power above 1; use tied, untied or split units"

    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        return tuple(n for n, _ in space.factors)

    def dimension(self, space: Space) -> int:
        # The vectors are determined up to scales whose product is 1.
        return sum(n - 1 for n, _ in space.factors) + 1

    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        return reduce(tensor_product, map(linear, vectors))
