"""The search: methods cheapest first, on the target in its essential variables, and on its parts without common variables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

import numpy as np

from rankproof.bounds import LOWER, UPPER
from rankproof.bounds.combine import Known
from rankproof.bounds.method import Bound, Budget, Method, Outcome, Report
from rankproof.bounds.smaller_targets import (
    EXPLICIT,
    carried,
    independent_parts,
    lower_bound_by_part,
    upper_bound_by_parts,
)
from rankproof.errors import NumberTooLong, TargetError
from rankproof.exact.linear_image import Reduction, essential
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

Progress = Callable[[str], None]

PARTS_SHARE = 0.4
"""Part of the time left that the parts of a target may take together."""

METHOD_SHARE = 0.5
"""Part of the time left that one method may take, so that those after it have their turn."""

MAX_PARTS = 30
"""Parts that are searched one by one."""


def search(
    known: Known, budget: Budget, seed: int, methods: Sequence[Method], progress: Progress | None = None
) -> Report:
    """Bounds for all questions, each until its interval is closed.

    Parameters
    ----------
    known
        The target and the questions; the bounds are added here.
    budget
        Time for everything.
    seed
        Seed of every random choice.
    methods
        In the order in which they are run, see `schedule`.
    progress
        Called with a line of text whenever another method begins.
    """
    reduction = essential(known.target)
    if reduction is None:
        return _search_concise(known, budget, seed, methods, progress)
    inner = Known(reduction.image, _with_meaning(reduction.image, known.questions))
    report = _search_concise(inner, budget, seed, methods, progress)
    for bound in inner.bounds:
        found = carried(bound, reduction)
        if found is not None:
            known.add([found])
    return report


def _search_concise(
    known: Known, budget: Budget, seed: int, methods: Sequence[Method], progress: Progress | None
) -> Report:
    """The parts first, for their explicit units; what else they say is used where the whole target gives less."""
    parts = independent_parts(known.target) if known.target.space.degree > 2 else []
    if len(parts) > MAX_PARTS:
        parts = []
    begun = time.monotonic()
    searched = _search_parts(parts, known, budget, seed, methods, progress)
    said = _add_sums(searched, known, explicit=True)
    seconds = time.monotonic() - begun
    report = _search_whole(known, budget, seed, methods, progress)
    said += _add_sums(searched, known, explicit=False)
    for question in known.questions:
        for part, inner in searched:
            value, bound = inner.lower(question)
            if bound is not None and value > known.lower(question)[0]:
                known.add([lower_bound_by_part(bound, part)])
                said.append(str(bound.claim))
    if parts:
        names = ",".join(dict.fromkeys(question.units for question in known.questions))
        status = "found" if said else "nothing found"
        field = known.questions[0].field
        report.append(Outcome("independent-parts", names, field, status, "; ".join(said), seconds))
    return report


def _search_parts(
    parts: list[Reduction],
    known: Known,
    budget: Budget,
    seed: int,
    methods: Sequence[Method],
    progress: Progress | None,
) -> list[tuple[Reduction, Known]]:
    """Every part with what is found about it, in a share of the time; parts that only differ in names are searched once."""
    seconds = PARTS_SHARE * budget.left()
    searched: list[tuple[Reduction, Known]] = []
    for place, part in enumerate(parts):
        inner = next((k for p, k in searched if _same(p.image, part.image)), None)
        if inner is None:
            inner = Known(part.image, _with_meaning(part.image, known.questions))
            share = budget.share(seconds / len(parts))
            share.remarks, share.beliefs = [], []
            _search_whole(inner, share, seed, methods, progress and _naming(progress, place + 1, len(parts)))
        searched.append((part, inner))
    return searched


def _add_sums(searched: list[tuple[Reduction, Known]], known: Known, explicit: bool) -> list[str]:
    """Add the sums of upper bounds of the parts, those with units or the others, where they are better; what they say."""
    said: list[str] = []
    for question in known.questions if searched else ():
        found = upper_bound_by_parts(known.target, question, searched)
        if found is not None and (found.rule in EXPLICIT) == explicit and known.add([found]):
            said.append(str(found.claim))
    return said


def _same(a: Target, b: Target) -> bool:
    return a.space == b.space and a.entries == b.entries and a.ring == b.ring


def _naming(progress: Progress, place: int, count: int) -> Progress:
    return lambda line: progress(f"part {place} of {count}: {line}")


def _with_meaning(target: Target, questions: tuple[Question, ...]) -> list[Question]:
    """Questions over finite fields are left out where the target vanishes."""
    found: list[Question] = []
    for question in questions:
        if question.field.characteristic:
            try:
                target.over(question.field)
            except TargetError:
                continue
        found.append(question)
    return found


def _search_whole(
    known: Known, budget: Budget, seed: int, methods: Sequence[Method], progress: Progress | None
) -> Report:
    """Methods cheapest first, every question until its interval is closed."""
    report: Report = []
    done: set[tuple[str, str, Field, int]] = set()
    for place, method in enumerate(methods):
        applied = method in methods[:place]
        for question in known.questions:
            field = method.field_for(known.target, question)
            if field is None:
                continue
            applied = True
            key = (method.name, question.units, field)
            sums = _number_of_sums(known, question.units) if method.looks_at == "sums" else 0
            if (*key, sums) in done or known.needs_no_more(question, method.side):
                continue
            done.add((*key, sums))
            if budget.exhausted():
                report.append(Outcome(*key, "skipped", "no time left", 0.0))
                continue
            if progress:
                progress(f"{method.name} for {question.units} units over {field}")
            report.append(_run(method, question.units, field, known, budget, seed))
        if not applied and known.questions:
            units = ",".join(dict.fromkeys(question.units for question in known.questions))
            field = known.questions[0].field
            report.append(Outcome(method.name, units, field, "not applicable", method.summary, 0.0))
    return report


def _number_of_sums(known: Known, units: str) -> int:
    return sum(bound.rule == "decomposition" and bound.claim.units == units for bound in known.bounds)


def schedule(theorems: bool = False) -> Iterator[Method]:
    """All methods, lower and upper bounds in turns, so that easy questions are closed before anything expensive begins.

    Those that look at the sums found so far come again after every later method that finds some.
    """
    again: list[Method] = []
    for place in range(max(len(LOWER), len(UPPER))):
        for table in (LOWER, UPPER):
            if place < len(table) and (theorems or table[place].tier == "A"):
                yield table[place]
                if table is UPPER:
                    yield from again
                elif table[place].looks_at == "sums":
                    again.append(table[place])


def _run(method: Method, units: str, field: Field, known: Known, budget: Budget, seed: int) -> Outcome:
    begun = time.monotonic()
    # The generator depends on what is done and not on what was done before.
    rng = np.random.default_rng([seed, crc32(f"{method.name} {units} {field}".encode())])
    part = budget.share(METHOD_SHARE * budget.left())
    part.remarks, part.beliefs = [], []
    found: list[Bound] = []
    try:
        found = method.find(known.target, units, field, part, rng, tuple(known.bounds))
    except NumberTooLong as error:
        part.remarks.append(str(error))
    known.add(found)
    seconds = time.monotonic() - begun
    said = [str(bound.claim) for bound in found]
    status = "found" if found else "skipped" if part.remarks else "nothing found"
    detail = "; ".join([*said, *part.remarks, *map(str, part.beliefs)])
    return Outcome(method.name, units, field, status, detail, seconds, tuple(part.beliefs))
