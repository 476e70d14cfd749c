"""A question: how many units of which kind, over which field, exactly or arbitrarily well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankproof.problem.field import Field

Quantity = Literal["rank", "border_rank"]
QUANTITIES: tuple[Quantity, Quantity] = ("rank", "border_rank")


@dataclass(frozen=True)
class Question:
    """How many units are needed: units is a model's name, quantity is ``rank`` or ``border_rank``."""

    units: str
    field: Field
    quantity: Quantity

    def __str__(self) -> str:
        return f"{self.units} {self.quantity.replace('_', ' ')} over {self.field}"
