"""Over small finite fields: widths of all spaces of slices, from smaller ones, from case trees, and by exhaustion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.cover_search import deepen
from rankproof.bounds.cover_witness import Writer, encoded
from rankproof.bounds.covers import Covers
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.certificate.claim import Claim
from rankproof.exact.grassmannians import rref, subspace_count
from rankproof.exact.matrix_spaces import concise, symmetries
from rankproof.exact.spanned import OutOfTime, Singles
from rankproof.exact.subspace_classes import SubspaceClasses
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

Residues = NDArray[np.int64]

MAX_PRIME = 7

MAX_DIMENSION = 81
"""Product of the dimensions of the two factors that index the rows and columns of a slice."""

MAX_CHOICES = 1_000_000
"""Sets of matrices of rank one that the verifier shall try: some seconds."""

MAX_SINGLES = 20_000
"""Matrices of rank one, up to scale."""

MAX_SUBSPACES = 10_000_000
"""Of one space of slices: the tables take about 120 bytes each."""

SECONDS_PER_SUBSPACE = 6e-6
"""For tables of all subspaces and what symmetries do to them, on a machine that has other things to do."""

MAX_CLASSES = 3_000

SHARE = 0.7
"""Part of the time left that this method may use."""

LEAVES = (25, 400)
"""Leaves of the trees of one space: in a first round, and in a second."""


@dataclass(frozen=True)
class Side:
    """The slices along one factor.

    Attributes
    ----------
    factor
        The factor.
    frame
        Rows that choose independent slices.
    space
        These slices.
    """

    factor: int
    frame: Residues
    space: Residues


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Bounds that improve one another, the last of them the best."""
    target = target.over(field)
    question = Question(units, field, "rank")
    search = _Search(
        target,
        field,
        best_known(known, question, ">=", target) or 1,
        best_known(known, question, "<=", target),
        budget.share(SHARE * budget.left()),
        rng,
    )
    search.exhaust()
    search.cover()
    return search.found


class _Search:
    def __init__(
        self,
        target: Target,
        field: Field,
        best: int,
        goal: int | None,
        budget: Budget,
        rng: np.random.Generator,
    ) -> None:
        self.target, self.field, self.p = target, field, field.characteristic
        self.best, self.goal = best, goal
        self.budget, self.rng = budget, rng
        self.sides = sorted(_sides(target, self.p), key=lambda side: len(side.space))
        self.found: list[Bound] = []

    def closed(self) -> bool:
        return self.goal is not None and self.best >= self.goal

    def add(self, value: int, witness: dict[str, Any], reason: str) -> None:
        self.best = value
        claim = Claim("rank", "product", self.field, ">=", value)
        self.found.append(Bound(claim, "cover", witness, reason))

    def exhaust(self) -> None:
        """Try all ways to add matrices of rank one to the slices, as many as the verifier can try as well."""
        for side in reversed(self.sides):
            space = concise(side.space, self.p)
            size, rows, columns = space.shape
            singles = (self.p**rows - 1) * (self.p**columns - 1) // (self.p - 1) ** 2
            if singles > MAX_SINGLES or not Singles.fit(space, self.p):
                continue
            single = Singles(space, self.p)
            added = max(0, self.best - size)
            while (
                not self.closed()
                and size + added < rows * columns
                and single.choices(added) * self.p ** max(0, added - 1) <= MAX_CHOICES
            ):
                try:
                    if single.spanning(added, self.budget.exhausted) is not None:
                        return
                except OutOfTime:
                    self.budget.remark("out of time before all choices of matrices of rank one were tried")
                    return
                node = {"space": encoded(side.frame, self.p), "added": added}
                witness = {"prime": self.p, "factor": side.factor, "nodes": [node]}
                reason = f"{size} slices and {added} matrices of rank one: none of {single.choices(added)} choices is enough"
                self.add(size + added + 1, witness, reason)
                added += 1

    def cover(self) -> None:
        """Bound all subspaces of the slices along each factor."""
        for side in self.sides:
            if self.closed() or self.budget.exhausted():
                return
            if not self.fits(subspace_count(len(side.space), self.p)):
                continue
            group = symmetries(side.space, self.p, self.rng, self.budget.exhausted)
            classes = SubspaceClasses(side.space, self.p, group, self.rng)
            if len(classes) > MAX_CLASSES:
                self.budget.remark(
                    f"{len(classes)} classes of spaces of slices; at most {MAX_CLASSES} are bounded"
                )
                continue
            covers = Covers(classes, self.budget.exhausted)
            self.improve(covers, side)
            for leaves in LEAVES:
                if not self.closed() and not self.budget.exhausted():
                    deepen(covers, self.best + 1, leaves, self.rng, self.budget)
                    self.improve(covers, side)

    def fits(self, subspaces: int) -> bool:
        """Whether there are memory and time for a table of all subspaces."""
        if subspaces > MAX_SUBSPACES:
            return False
        seconds = SECONDS_PER_SUBSPACE * subspaces
        if seconds > self.budget.left():
            self.budget.remark(
                f"{subspaces} spaces of slices: a table of them takes about {seconds:.0f} s; --budget gives more time"
            )
            return False
        return True

    def improve(self, covers: Covers, side: Side) -> None:
        """Write a certificate when the bound of the whole is better than what is known."""
        top = len(covers.classes) - 1
        value = covers.bounds[top]
        if value <= self.best:
            return
        writer = Writer(covers, side.frame, side.factor, self.rng, self.budget.exhausted)
        witness = writer.witness(top)
        count = len(witness["nodes"])
        reason = (
            f"bounds on {count} spaces of slices, combined by duality" if count > 1 else "ranks of all slices"
        )
        self.add(value, witness, reason)


def _sides(target: Target, p: int) -> Iterator[Side]:
    """Independent slices along every factor that is not too large."""
    tensor = np.zeros([n for n, _ in target.space.factors], dtype=np.int64)
    for word, value in target.entries:
        tensor[word] = int(value)  # type: ignore[arg-type]
    for factor in range(3):
        slices = np.moveaxis(tensor, factor, 0)
        reduced = rref(slices.reshape(len(slices), -1).T[None], p)[0]
        independent = (reduced != 0).argmax(axis=1)[reduced.any(axis=1)]
        yield Side(factor, np.eye(len(slices), dtype=np.int64)[independent], slices[independent])


def _works_over(target: Target, question: Question) -> Field | None:
    dimensions = [n for n, _ in target.space.factors]
    p = question.field.characteristic
    if not 0 < p <= MAX_PRIME or len(dimensions) != 3 or question.quantity != "rank":
        return None
    fits = all(p**n < 2**53 for n in dimensions) and max(dimensions) * sorted(dimensions)[1] <= MAX_DIMENSION
    return question.field if fits else None


METHOD = Method(
    name="cover",
    rule="cover",
    side="lower",
    summary="bounds on parts of a tensor over a small field combined by duality, or all choices tried",
    units=("product",),
    tier="A",
    fields="GF(p), p <= 7",
    works_over=_works_over,
    find=find,
)
