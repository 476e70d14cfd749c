"""What is known so far: all bounds, and the best that follows from them for every question asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

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

    Attributes
    ----------
    bounds
        All bounds, in the order in which they were found.
    """

    def __init__(self, target: Target, questions: Iterable[Question]) -> None:
        self.target = target
        self.questions = tuple(questions)
        self.bounds: list[Bound] = []
        self._best: dict[tuple[Question, Relation], tuple[int, Bound]] = {}

    def ordered(self) -> list[Bound]:
        """The bounds as they go into a certificate, where of several equal ones the first decides.

        Tied units come first, so that a bound which also follows from other units is shown by units of its own.
        """
        return sorted(self.bounds, key=_units_place)

    def add(self, found: Sequence[Bound]) -> bool:
        """Add bounds; say whether one of them improves an answer."""
        improved = False
        for bound in found:
            self.bounds.append(bound)
            relation = bound.claim.relation
            for question in self.questions:
                value = self.says(bound, question)
                # That a width is at least 0 says nothing.
                if value is None or (relation == ">=" and value <= 0):
                    continue
                old = self._best.get((question, relation))
                better = old is None or (value > old[0] if relation == ">=" else value < old[0])
                improved = improved or better
                # The choice between equal ones is that of a certificate with the bounds in the order of `ordered`.
                if better or (old and value == old[0] and _units_place(bound) < _units_place(old[1])):
                    self._best[question, relation] = value, bound
        return improved

    def says(self, bound: Bound, question: Question) -> int | None:
        """What a bound implies about a question."""
        return implied(bound.claim, question, self.target)

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

    def needs_no_more(self, question: Question, side: Literal["lower", "upper"]) -> bool:
        """Whether a method of one side is of no use for a question.

        The interval is closed, and an upper bound is shown by so many units: "3 tied units, as there is 1 untied one" is a
        proof, and a person wants to see the units.
        """
        value, bound = self.upper(question)
        shown = bound is not None and bound.claim.value == value
        return self.is_closed(question) and (side == "lower" or shown)


def _units_place(bound: Bound) -> int:
    return ("tied", "mixed", "untied", "split", "product").index(bound.claim.units.partition(":")[0])


def reason(known: Known, question: Question, relation: Relation) -> str:
    """Why one side of an answer holds, in a short phrase; empty when nothing is known."""
    value, deciding = known.lower(question) if relation == ">=" else known.upper(question)
    if deciding is None:
        return ""
    # The same rule may have given the same value for the units of the question themselves, and its words say more.
    for bound in known.bounds:
        own = (
            bound.claim.units == question.units
            and bound.claim.relation == relation
            and bound.rule == deciding.rule
        )
        if own and known.says(bound, question) == value:
            return bound.reason
    claim = deciding.claim
    if {claim.units, question.units} <= {"untied", "mixed:1"} or claim.units == question.units:
        return deciding.reason
    units = f"{claim.value} {claim.units} unit{'s' * (claim.value > 1)}"
    if value == claim.value and relation == "<=":
        return f"{units}: {deciding.reason}"
    return f"{value} units, from {units}" if relation == "<=" else f"at least {units}: {deciding.reason}"
