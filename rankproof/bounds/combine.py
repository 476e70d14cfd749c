"""What is known so far: all bounds, and the best that follows from them for every question asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Relation, implied
from rankproof.problem.question import Question
from rankproof.problem.target import Target


class Known:
    """Bounds in the order in which they were proved, and what decides each question.

    Parameters
    ----------
    target
        What the bounds are about.
    questions
        What is asked.
    """

    def __init__(self, target: Target, questions: Iterable[Question]) -> None:
        self._target = target
        self.questions = tuple(questions)
        self.bounds: list[Bound] = []
        self._best: dict[tuple[Question, Relation], tuple[int, Bound]] = {}

    def add(self, found: Sequence[Bound]) -> bool:
        """Add bounds; say whether one of them improves an answer."""
        improved = False
        for bound in found:
            self.bounds.append(bound)
            relation = bound.claim.relation
            for question in self.questions:
                value = implied(bound.claim, question, self._target)
                # That a width is at least 0 says nothing.
                if value is None or (relation == ">=" and value <= 0):
                    continue
                old = self._best.get((question, relation))
                # An equal bound found earlier stays: it came from a cheaper method.
                if old is None or (value > old[0] if relation == ">=" else value < old[0]):
                    self._best[question, relation] = value, bound
                    improved = True
        return improved

    def drop(self, bound: Bound) -> None:
        """Forget one bound."""
        kept = [b for b in self.bounds if b is not bound]
        self.bounds, self._best = [], {}
        self.add(kept)

    def lower(self, question: Question) -> tuple[int, Bound | None]:
        """Best lower bound of a question and what decides it; 0 and None when nothing is known."""
        return self._best.get((question, ">="), (0, None))

    def upper(self, question: Question) -> tuple[int | None, Bound | None]:
        """Best upper bound of a question and what decides it; None when nothing is known."""
        return self._best.get((question, "<="), (None, None))

    def is_closed(self, question: Question) -> bool:
        """Whether both bounds agree."""
        return self.lower(question)[0] == self.upper(question)[0]


def reason(question: Question, value: int, bound: Bound | None) -> str:
    """Why a bound of an answer holds: the reason of what decides it, and the units it is about when they are others.

    Examples
    --------
    >>> from rankproof.certificate.claim import Claim
    >>> from rankproof.problem.field import CC, QQ
    >>> known = Bound(Claim("rank", "untied", QQ, "<=", 1), "decomposition", {}, "x**2*y itself")
    >>> reason(Question("tied", CC, "border_rank"), 2, known)
    '2 units, from 1 untied unit'
    """
    if bound is None:
        return ""
    claim = bound.claim
    if claim.units == question.units or {claim.units, question.units} == {"untied", "mixed:1"}:
        return bound.reason
    if claim.relation == "<=":
        return f"{value} units, from {claim.value} {claim.units} unit{'s' * (claim.value > 1)}"
    return f"at least {claim.value} {claim.units} units: {bound.reason}"
