"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..claims import Claim, Floor
from ..scalars import Ring
from ..targets import Target
from ..units import Units


@dataclass(frozen=True)
class Context:
    """What a rule may look at: the target, and which question its step is about.

    ``units``, ``over`` and ``relation`` are copied from the claim of the step: they tell the rule which claim to
    derive. The quantity and the value it must find itself.
    """

    target: Target
    units: Units
    over: str
    relation: str
    rings: Mapping[str, Ring]
    premises: tuple[Claim, ...]
    pointer: str
    """JSON pointer of the step."""
    inside: tuple[object, ...] = ()
    """Where in the witness of the step the witness of the rule stands, when another rule asks it."""
    floor: Floor | None = None
    """The quantity of the claim when it is a floor: its loss and width are part of the question."""

    def witness(self, *path: object) -> str:
        return "/".join([self.pointer, "witness", *map(str, self.inside), *map(str, path)])


@dataclass(frozen=True)
class Rule:
    """``read`` turns the JSON witness into data (or finds it unreadable); ``derive`` computes the claim."""

    read: Callable[[Any, Context], Any]
    derive: Callable[[Any, Context], Claim]
    premises: int = 0
    """How many premises the rule takes."""
    theorems: tuple[str, ...] = field(default=())
    """Published theorems that the rule takes as axioms; empty when its page proves everything."""
