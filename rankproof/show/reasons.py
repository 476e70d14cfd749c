"""Which step decides which bound of the conclusion, and questions with the same answer put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rankproof.certificate.claim import implied
from rankproof.certificate.document import Certificate, Conclusion, Step
from rankproof.problem.question import Floor, Quantity
from rankproof.problem.target import Target


@dataclass(frozen=True)
class Statement:
    """Questions about one kind of unit and one quantity that have the same bounds, for the same reasons.

    Attributes
    ----------
    fields
        Over which the bounds hold.
    lower_step, upper_step
        Places of the steps that decide; ``None`` where the bound says nothing, or no step gives it.
    """

    units: str
    quantity: Quantity | Floor
    lower: int | Fraction
    upper: int | Fraction | None
    fields: tuple[str, ...]
    lower_step: int | None
    upper_step: int | None

    @property
    def steps(self) -> tuple[int, ...]:
        """Places of the deciding steps, each once."""
        return tuple(dict.fromkeys(k for k in (self.lower_step, self.upper_step) if k is not None))


def statements(shown: Certificate) -> tuple[Statement, ...]:
    """The conclusion of a certificate, in the order in which it stands there."""
    groups: dict[tuple[object, ...], list[Conclusion]] = {}
    for answer in shown.conclusion:
        lower = _deciding(shown.steps, answer, ">=", answer.lower, shown.target)
        upper = (
            None if answer.upper is None else _deciding(shown.steps, answer, "<=", answer.upper, shown.target)
        )
        key = (answer.units, answer.quantity, answer.lower, answer.upper, lower, upper)
        groups.setdefault(key, []).append(answer)
    return tuple(
        Statement(
            answers[0].units,
            answers[0].quantity,
            answers[0].lower,
            answers[0].upper,
            tuple(str(answer.field) for answer in answers),
            lower_step if isinstance(lower_step, int) else None,
            upper_step if isinstance(upper_step, int) else None,
        )
        for (*_, lower_step, upper_step), answers in groups.items()
    )


def _deciding(
    steps: Sequence[Step], answer: Conclusion, relation: str, value: int | Fraction, target: Target
) -> int | None:
    """The earliest step from which the bound follows."""
    for index, step in enumerate(steps):
        claim = step.claim
        if claim.relation != relation:
            continue
        if isinstance(answer.quantity, Floor):
            same = (claim.units, claim.quantity, claim.over) == (answer.units, answer.quantity, answer.field)
            if same and claim.value == value:
                return index
        elif implied(claim, answer.question, target) == value:
            return index
    return None


__all__ = ["Statement", "statements"]
