"""Claims, and the closed table of what follows from what (docs/format.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .scalars import Rational
from .targets import Target

RANK = "rank"
BORDER = "border_rank"
AT_LEAST = ">="
AT_MOST = "<="


@dataclass(frozen=True)
class Floor:
    """The infimum of a loss over the networks of at most ``width`` units; docs/rules/floor.md defines both.

    ``scale`` is the square of the length by which inputs are multiplied: the variance of Gaussian inputs.
    """

    loss: str
    width: int
    scale: Rational = 1

    def __str__(self) -> str:
        scaled = "" if self.scale == 1 else f" and scale {self.scale}"
        return f"{self.loss} floor at width {self.width}{scaled}"


Quantity = str | Floor


@dataclass(frozen=True)
class Claim:
    quantity: Quantity
    units: str
    over: str
    relation: str
    value: Rational

    def __str__(self) -> str:
        return f"{self.units} {self.quantity} over {self.over} {self.relation} {self.value}"


@dataclass(frozen=True)
class Question:
    units: str
    field: str
    quantity: Quantity


@dataclass(frozen=True)
class Decided:
    """A bound and the index of the earliest step that gives it."""

    value: Rational
    step: int


class Consequences:
    """Everything that follows from the claims of the steps about one target.

    Parameters
    ----------
    target
        The target; its degree, characteristic and ring are the hypotheses of the table.
    real
        For every declared number field, by name, whether it has a declared real root.
    """

    def __init__(self, target: Target, real: Mapping[str, bool]) -> None:
        self._target = target
        self._real = real
        self._lower: dict[Question, Decided] = {}
        self._upper: dict[Question, Decided] = {}

    def add(self, claim: Claim, step: int) -> None:
        """Add the claim of a step; call in the order of the steps."""
        question = Question(claim.units, claim.over, claim.quantity)
        pending = [(question, claim.relation, claim.value)]
        while pending:
            question, relation, value = pending.pop()
            known = self._lower if relation == AT_LEAST else self._upper
            best = known.get(question)
            # An equal bound of an earlier step stands: the earliest step decides.
            if best is not None and (best.value >= value if relation == AT_LEAST else best.value <= value):
                continue
            known[question] = Decided(value, step)
            pending.extend(self._next(question, relation, value))

    def lower(self, question: Question) -> Decided | None:
        return self._lower.get(question)

    def upper(self, question: Question) -> Decided | None:
        return self._upper.get(question)

    def _next(self, question: Question, relation: str, value: Any) -> Iterable[tuple[Question, str, Any]]:
        units, field, quantity = question.units, question.field, question.quantity
        if isinstance(quantity, Floor):
            # Real networks are among the complex ones; nothing else is said about floors, and floors say nothing else.
            if field == ("CC" if relation == AT_LEAST else "RR"):
                yield Question(units, "RR" if field == "CC" else "CC", quantity), relation, value
            return
        for other in self._fields(field, relation):
            yield Question(units, other, quantity), relation, value
        if relation == AT_LEAST and quantity == BORDER:
            yield Question(units, field, RANK), relation, value
        if relation == AT_MOST and quantity == RANK:
            yield Question(units, field, BORDER), relation, value
        for small, large, factor in self._inequalities(field, quantity):
            # small <= factor * large
            if relation == AT_MOST and units == large:
                yield Question(small, field, quantity), relation, factor * value
            if relation == AT_LEAST and units == small:
                yield Question(large, field, quantity), relation, -(-value // factor)

    def _fields(self, field: str, relation: str) -> list[str]:
        """Fields over which a bound over ``field`` holds too: subfields for lower bounds, larger fields for upper ones."""
        numbers = list(self._real)
        if relation == AT_LEAST:
            below = {
                "CC": ["RR", "QQ", *numbers],
                "RR": ["QQ", *(name for name in numbers if self._real[name])],
                **{name: ["QQ"] for name in numbers},
            }
            reached = below.get(field, [])
        else:
            above = {
                "QQ": [*numbers, "RR", "CC"],
                "RR": ["CC"],
                **{name: ["CC", *(["RR"] if self._real[name] else [])] for name in numbers},
            }
            reached = above.get(field, [])
        return [name for name in reached if may_ask(self._target, name, self._real)]

    def _inequalities(self, field: str, quantity: str) -> list[tuple[str, str, int]]:
        """Triples (small, large, c) with small <= c * large."""
        space = self._target.space
        if not space.is_polynomial:
            return []
        d = space.form_degree
        mixed = [f"mixed:{k}" for k in range(1, d // 2 + 1)]
        table = [("split", "untied", 1), ("untied", "tied", 1), ("split", "tied", 1)]
        table += [("split", name, 1) for name in mixed] + [(name, "tied", 1) for name in mixed]
        if mixed:
            table += [("untied", "mixed:1", 1), ("mixed:1", "untied", 1)]
        p = characteristic(field)
        if p == 0 or p > d:
            table.append(("tied", "split", 2 ** (d - 1)))
            if quantity == RANK:
                table.append(("tied", "untied", d))
            else:
                table.append(("tied", "untied", 2))
                table += [("tied", name, k + 1) for k, name in enumerate(mixed, start=1)]
        return table


def characteristic(field: str) -> int:
    return int(field[3:-1]) if field.startswith("GF(") else 0


def may_ask(target: Target, field: str, real: Mapping[str, bool]) -> bool:
    """Whether the target has a meaning over the field."""
    ring = target.ring
    if ring.prime:
        return field == ring.name
    if ring.number_field is not None:
        return field in (ring.name, "CC") or (field == "RR" and real[ring.name])
    return True
