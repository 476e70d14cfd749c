"""What follows from bounds, by going over all pairs of questions until nothing changes.

The inclusions of fields and the inequalities between units are written out here once more, from the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil

from .problem import Problem, characteristic

Question = tuple[str, str, str]
"""Units, field, quantity."""


class Bounds:
    """Best lower and upper bounds known for every question."""

    def __init__(self, problem: Problem, fields: Sequence[str]) -> None:
        self.fields = list(fields)
        self.problem = problem
        self.lower: dict[Question, int] = {}
        self.upper: dict[Question, int] = {}

    def at_least(self, question: Question, value: int) -> None:
        self.lower[question] = max(value, self.lower.get(question, 0))

    def at_most(self, question: Question, value: int) -> None:
        self.upper[question] = min(value, self.upper.get(question, value))

    def close(self) -> None:
        """Add everything that follows."""
        rows = self.inequalities()
        while True:
            before = dict(self.lower), dict(self.upper)
            for small, large, factor in rows:
                if large in self.upper:
                    self.at_most(small, factor * self.upper[large])
                if small in self.lower:
                    self.at_least(large, ceil(Fraction(self.lower[small], factor)))
            if before == (self.lower, self.upper):
                return

    def inequalities(self) -> list[tuple[Question, Question, int]]:
        """All (A, B, c) with A <= c B among the questions about this target."""
        rows: list[tuple[Question, Question, int]] = []
        units = units_for(self.problem)
        for u in units:
            for field in self.fields:
                rows.append(((u, field, "border_rank"), (u, field, "rank"), 1))
                for larger in self.fields:
                    if larger != field and included(self.problem, field, larger):
                        rows += [((u, larger, q), (u, field, q), 1) for q in ("rank", "border_rank")]
        for field in self.fields:
            for u in units:
                for v in units:
                    for q in ("rank", "border_rank"):
                        factor = units_factor(u, v, q, self.problem.degree, characteristic(field))
                        if u != v and factor is not None:
                            rows.append(((u, field, q), (v, field, q), factor))
        return rows


def units_for(problem: Problem) -> list[str]:
    """Every kind of units that fits the target."""
    found = ["product"] if problem.is_tensor else []
    if problem.is_polynomial:
        found += ["tied", "untied", "split", *(f"mixed:{k}" for k in range(1, problem.degree // 2 + 1))]
    return found


def included(problem: Problem, small: str, large: str) -> bool:
    """Whether units over ``small`` are units over ``large`` for this target (and its declared real embedding)."""
    real: Callable[[str], bool] = lambda name: problem.fields[name].real is not None  # noqa: E731
    if small.startswith("GF(") or large.startswith("GF("):
        return False
    if small == "QQ":
        return True
    if small == "RR":
        return large == "CC"
    if small in problem.fields:
        return large == "CC" or (large == "RR" and real(small))
    return False


def units_factor(u: str, v: str, quantity: str, d: int, p: int) -> int | None:
    """c with width in units u <= c * width in units v, or None."""
    if "product" in (u, v):
        return None
    ks = {"tied": 0, "untied": 1} | {f"mixed:{k}": k for k in range(1, d // 2 + 1)}
    if u == "split":
        return 1
    if v == "tied":
        return 1
    if u in ks and v in ks and ks[u] == ks[v] == 1 and d >= 2:
        return 1
    if u == "tied" and (p == 0 or p > d):
        if v == "split":
            return int(2 ** (d - 1))
        if quantity == "border_rank":
            return int(ks[v] + 1)
        return d if ks[v] == 1 else None
    return None


def askable(problem: Problem, field: str) -> bool:
    """Whether the target has a meaning over the field."""
    if problem.ring == "QQ":
        return True
    if problem.ring in problem.fields:
        return field in (problem.ring, "CC") or (
            field == "RR" and problem.fields[problem.ring].real is not None
        )
    return field == problem.ring


def asked(tree: Mapping[str, object]) -> list[str]:
    """Every field that a certificate mentions, and those between them."""
    names = {"QQ", "RR", "CC"}
    for step in tree["steps"]:  # type: ignore[attr-defined]
        names.add(step["claim"]["over"])
    for answer in tree["conclusion"]:  # type: ignore[attr-defined]
        names.add(answer["field"])
    return sorted(names)
