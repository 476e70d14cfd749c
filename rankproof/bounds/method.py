"""What a method is: how it is described, what it is given and what it returns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankproof.certificate.claim import Claim, Relation, implied
from rankproof.problem.field import CC, Field
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

Status = Literal["found", "nothing found", "not applicable", "skipped"]


@dataclass(frozen=True)
class Bound:
    """A claim with all that the verifier needs to derive it.

    Attributes
    ----------
    claim
        What is claimed.
    rule
        Name of the verifier's rule.
    witness
        What the rule asks for, as JSON values (docs/format.md).
    reason
        One short phrase for a person: why at least, or why at most.
    premises
        Places of earlier bounds that the rule starts from.
    """

    claim: Claim
    rule: str
    witness: dict[str, Any]
    reason: str
    premises: tuple[int, ...] = ()


@dataclass(frozen=True)
class Belief:
    """What floating point suggests about one width; it proves nothing.

    Attributes
    ----------
    units, field
        Kind of the units, and RR, CC or a number field, where their coordinates lie.
    width
        Number of units.
    starts, reached
        Random starts, and how many of them came to the target up to rounding errors, or for a border rank arbitrarily close.
    residual
        Distance of the best sum from the target, relative to the norm of the target.
    quantity
        Whether it is about the rank or about the border rank.
    """

    units: str
    field: Field
    width: int
    starts: int
    reached: int
    residual: float
    quantity: Quantity = "rank"

    def __str__(self) -> str:
        count, best = (str(self.reached), "residual") if self.reached else ("none", "best residual")
        verb = "reach" if self.reached > 1 else "reaches"
        units = f"{self.width} {self.units} {'unit' if self.width == 1 else 'units'}"
        if self.quantity == "border_rank":
            come = "come" if self.reached > 1 else "comes"
            return f"{count} of {self.starts} starts {come} arbitrarily close with {units} over {self.field}"
        return (
            f"{count} of {self.starts} starts {verb} {units} over {self.field} ({best} {self.residual:.0e})"
        )


@dataclass
class Budget:
    """Seconds that a search may use, what it left out, and what it believes without a proof.

    Parameters
    ----------
    seconds
        Time from now.
    """

    seconds: float
    remarks: list[str] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._end - time.monotonic())

    def exhausted(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0

    def share(self, seconds: float) -> Budget:
        """A budget of at most so many seconds inside this one; its remarks and beliefs come here too."""
        part = Budget(min(seconds, self.left()))
        part.remarks, part.beliefs = self.remarks, self.beliefs
        return part

    def remark(self, text: str) -> None:
        """Note what was left out, for the report."""
        if text not in self.remarks:
            self.remarks.append(text)

    def believe(self, belief: Belief) -> None:
        """Note what floating point suggests, for the report; it is never a claim. Later news of a width replaces earlier."""
        about = belief.units, belief.field, belief.width, belief.quantity
        self.beliefs[:] = [b for b in self.beliefs if (b.units, b.field, b.width, b.quantity) != about]
        self.beliefs.append(belief)


Find = Callable[[Target, str, Field, Budget, np.random.Generator, Sequence[Bound]], list[Bound]]


@dataclass(frozen=True)
class Method:
    """One way to bound widths: an entry of `rankproof.bounds.LOWER` or `rankproof.bounds.UPPER`.

    Attributes
    ----------
    name
        The file that defines it.
    rule
        The verifier's rule that its bounds are checked by.
    side
        Whether it bounds from below or from above.
    summary
        One line for the catalogue.
    units
        Names of unit models; ``mixed:k`` stands for every k.
    tier
        ``A``: proved on the rule's page. ``B``: rests on a published theorem.
    fields
        For the catalogue: over which fields it works.
    works_over
        The field at which it works to answer a question; None when it does not apply.
    find
        Called with target, units, the field from `works_over`, budget, random generator and the bounds proved so far. A
        method may build on those, and works without them.
    looks_at
        Whether it looks at the target, or at the sums of units found so far: it is then run again after others are found.
    """

    name: str
    rule: str
    side: Literal["lower", "upper"]
    summary: str
    units: tuple[str, ...]
    tier: Literal["A", "B"]
    fields: str
    works_over: Callable[[Target, Question], Field | None]
    find: Find
    looks_at: Literal["target", "sums"] = "target"

    def field_for(self, target: Target, question: Question) -> Field | None:
        """The field at which this method works to answer a question about a target; None when it does not apply."""
        family = "mixed:k" if question.units.startswith("mixed:") else question.units
        if family not in self.units or unit_model(question.units).accepts(target.space) is not None:
            return None
        return self.works_over(target, question)


@dataclass(frozen=True)
class Outcome:
    """What one method did for one kind of units at one field, and what it believes without a proof."""

    method: str
    units: str
    field: Field
    status: Status
    detail: str
    seconds: float
    beliefs: tuple[Belief, ...] = ()


Report = list[Outcome]


def best_known(known: Iterable[Bound], question: Question, relation: Relation, target: Target) -> int | None:
    """The best that bounds imply about a question on one side; None when they say nothing."""
    values = [
        value
        for bound in known
        if bound.claim.relation == relation and (value := implied(bound.claim, question, target)) is not None
    ]
    return (max if relation == ">=" else min)(values, default=None)


def ring_of(target: Target, question: Question) -> Field | None:
    """The ring in which a decomposition is sought: that of the target, or GF(p) when the question is over GF(p)."""
    return question.field if question.field.characteristic else target.ring


def complex_or_finite(target: Target, question: Question) -> Field | None:
    """Where a lower bound by ranks modulo a prime holds: over CC, or over GF(p) when the question is over GF(p)."""
    return question.field if question.field.characteristic else CC
