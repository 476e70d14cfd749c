"""Run the methods within a budget, combine what they find, write it down, and have the verifier check the bytes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rankproof.bounds.combine import Known, reason
from rankproof.bounds.method import Belief, Bound, Budget, Outcome, Report
from rankproof.bounds.search import schedule, search
from rankproof.certificate.claim import may_ask
from rankproof.certificate.document import Certificate
from rankproof.certificate.producer import producer
from rankproof.errors import NothingProved, SelfCheckFailed, UsageError
from rankproof.problem.field import CC, RR, Field
from rankproof.problem.question import Floor, Quantity, Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.verifier import Verdict, verify_bytes


@dataclass(frozen=True)
class Answer:
    """What is known about one question.

    Attributes
    ----------
    units, field, quantity
        The question.
    lower, upper
        The interval; upper is None when nothing was found.
    lower_rule, upper_rule
        Rules of the steps that decide the two sides, None when there is none.
    lower_reason, upper_reason
        Short phrases: why at least, why at most.
    """

    units: str
    field: Field
    quantity: Quantity | Floor
    lower: int
    upper: int | None
    lower_rule: str | None
    upper_rule: str | None
    lower_reason: str
    upper_reason: str


@dataclass(frozen=True, repr=False)
class Proof:
    """Answers about a target, with the certificate that proves them.

    Attributes
    ----------
    target
        What was asked about.
    answers
        One answer a question.
    certificate
        The document.
    data
        Its exact bytes, which the verifier has checked.
    verdict
        What the verifier says about these bytes.
    report
        What every method did.
    seconds
        Time for search and check together.
    check_seconds
        Time of the check alone.
    """

    target: Target
    answers: tuple[Answer, ...]
    certificate: Certificate
    data: bytes
    verdict: Verdict
    report: Report
    seconds: float
    check_seconds: float

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """What floating point suggests about widths that the answers leave open; none of it is claimed anywhere."""
        latest = {
            (b.units, b.field, b.width, b.quantity): b for outcome in self.report for b in outcome.beliefs
        }
        return tuple(
            sorted(
                filter(self._leaves_open, latest.values()),
                key=lambda b: (b.units, str(b.field), b.width, b.quantity),
            )
        )

    def _leaves_open(self, belief: Belief) -> bool:
        """Whether some answer is about what a belief suggests: sums over its field, or that there are none."""
        return any(
            answer.units == belief.units
            and answer.quantity == belief.quantity
            and answer.lower <= belief.width
            and (answer.upper is None or belief.width < answer.upper)
            and (
                answer.field.includes(belief.field) if belief.reached else belief.field.includes(answer.field)
            )
            for answer in self.answers
        )

    def __repr__(self) -> str:
        return f"<Proof about {self.target.text}: {len(self.answers)} answers, {self.verdict.word}>"


def certify(
    target: Target,
    *,
    units: tuple[str, ...] | None = None,
    fields: tuple[Field, ...] | None = None,
    border: bool = True,
    budget: float = 10,
    seed: int = 0,
    theorems: bool = False,
    command: str = "",
    progress: Callable[[str], None] | None = None,
    given: Sequence[Bound] = (),
    sides: tuple[str, ...] = ("lower", "upper"),
) -> Proof:
    """Search for bounds on the widths of a target and prove them.

    Parameters
    ----------
    target
        What to write as a sum of units.
    units
        Names of unit models; by default tied and untied for forms and maps, product for tensors.
    fields
        Over which fields to ask; by default QQ, RR and CC, or those that have a meaning for the target's ring.
    border
        Whether to ask about border ranks too: over RR, CC and finite fields where they are asked about, else over CC.
    budget
        Seconds for the search.
    seed
        Seed of every random choice.
    theorems
        Whether rules that rest on published theorems may be used.
    command
        What a person typed, for the certificate's producer entry.
    progress
        Called with a line of text whenever another method begins.
    given
        Bounds that somebody has found already; the methods start from them.
    sides
        Which methods are run: those that bound from below, from above, or both.

    Returns
    -------
    Proof
        The verifier has accepted its bytes, or calls them conditional on theorems that were allowed.

    Raises
    ------
    UsageError
        If units do not fit the target, or a question has no meaning for it.
    TargetError
        If the target has no value over a finite field that was asked for.
    NothingProved
        If no bound was found within the budget.
    SelfCheckFailed
        If the verifier refuses the certificate: a defect of the prover.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> from rankproof.problem.parse import read_targets
    >>> proof = certify(read_targets("x*y")[0], units=("tied",), fields=(QQ,))
    >>> [(a.quantity, a.lower, a.upper) for a in proof.answers], proof.verdict.word
    ([('rank', 2, 2), ('border_rank', 2, 2)], 'VERIFIED')
    """
    start = time.monotonic()
    questions = questions_about(target, units, fields, border)
    known = Known(target, questions)
    known.add(given)
    methods = tuple(method for method in schedule(theorems) if method.side in sides)
    report = search(known, Budget(budget), seed, methods, progress)
    while True:
        certificate = _certificate(target, known, command, seed, time.monotonic() - start)
        data = certificate.to_bytes()
        begun = time.monotonic()
        verdict = verify_bytes(data)
        check_seconds = time.monotonic() - begun
        if verdict.ok or (theorems and verdict.word == "CONDITIONAL"):
            break
        # A step that is too large for the verifier's declared limits proves nothing: go on without it.
        bound = _undecided_bound(verdict, certificate, known)
        known.drop(bound)
        over = bound.claim
        report.append(
            Outcome(bound.rule, over.units, over.over, "skipped", f"the verifier: {verdict.message}", 0.0)
        )
    return Proof(
        target,
        tuple(_answers(known)),
        certificate,
        data,
        verdict,
        report,
        time.monotonic() - start,
        check_seconds,
    )


def certify_given(
    target: Target,
    bounds: Sequence[Bound],
    questions: Sequence[Question],
    *,
    command: str = "",
    weights: Sequence[str] = (),
) -> Proof:
    """Prove what given bounds say, without any search.

    Parameters
    ----------
    target
        What the bounds are about.
    bounds
        Claims with their witnesses.
    questions
        What the certificate answers.
    command
        What a person typed, for the certificate's producer.
    weights
        Files of weights, for a target that is a block of one.

    Raises
    ------
    NothingProved
        If there are no bounds, or they are beyond the verifier's limits.
    SelfCheckFailed
        If the verifier refuses them.
    """
    start = time.monotonic()
    known = Known(target, questions)
    known.add(bounds)
    certificate = _certificate(target, known, command, 0, 0.0)
    data = certificate.to_bytes()
    verdict = verify_bytes(data, weights=weights)
    if verdict.word == "UNDECIDED":
        raise NothingProved(f"{target.text}: the verifier cannot decide: {verdict.message}")
    if not verdict.ok:
        raise SelfCheckFailed(
            f"the verifier says {verdict.word} ({verdict.code}) at {verdict.pointer or '/'}: {verdict.message}"
        )
    seconds = time.monotonic() - start
    return Proof(target, tuple(_answers(known)), certificate, data, verdict, [], seconds, seconds)


def questions_about(
    target: Target, units: tuple[str, ...] | None, fields: tuple[Field, ...] | None, border: bool
) -> list[Question]:
    """The questions that units and fields stand for, defaults filled in.

    Raises
    ------
    UsageError
        If units do not fit the target, or a question has no meaning for it.
    TargetError
        If the target has no value over a finite field.
    """
    space = target.space
    if units is None:
        if not (space.is_polynomial or space.is_tensor):
            raise UsageError(f"no kind of unit lives in {space}; give a form, a list of forms or a tensor")
        tensor = space.is_tensor and not (space.is_polynomial and target.variables)
        units = ("product",) if tensor else ("tied", "untied")
    for name in units:
        if why := unit_model(name).accepts(space):
            raise UsageError(why)
    ring = target.ring
    if fields is None:
        wider = [f for f in (RR, CC) if f.includes(ring)]
        fields = (ring, *wider)
    for field in fields:
        if not may_ask(field, target):
            raise UsageError(
                f"{target.text} has coefficients in {ring}, so a question over {field} has no meaning; ask over {ring}"
            )
        if field.characteristic:
            target.over(field)
    if not units or not fields:
        raise UsageError("nothing is asked: name at least one kind of unit and one field")
    limits = [f for f in fields if f in (RR, CC) or f.characteristic] or [CC]
    asked: dict[tuple[Field, Quantity], None] = {(field, "rank"): None for field in fields}
    if border:
        asked |= {(field, "border_rank"): None for field in limits}
    return [Question(name, field, quantity) for name in dict.fromkeys(units) for field, quantity in asked]


def _certificate(target: Target, known: Known, command: str, seed: int, seconds: float) -> Certificate:
    if not known.bounds:
        raise NothingProved(f"no bound was found for {target.text}; try a larger budget or other units")
    return Certificate.build(target, known.ordered(), known.questions, producer(command, seed, seconds))


def _undecided_bound(verdict: Verdict, certificate: Certificate, known: Known) -> Bound:
    """The bound whose step is beyond the verifier's limits; anything else is a defect and raised."""
    if verdict.word == "UNDECIDED":
        step = re.match(r"/steps/(\d+)", verdict.pointer)
        witnesses = (
            [certificate.steps[int(step[1])].witness] if step else [s.witness for s in certificate.steps]
        )
        for bound in known.bounds:
            if any(bound.witness is witness for witness in witnesses) and (
                step or _is_undecided(bound, known.target)
            ):
                return bound
    raise SelfCheckFailed(
        f"the verifier says {verdict.word} ({verdict.code}) at {verdict.pointer or '/'}: {verdict.message};"
        " this is a defect of rankproof, please report the target"
    )


def _is_undecided(bound: Bound, target: Target) -> bool:
    """Whether a bound that needs no premises is beyond the verifier's limits on its own."""
    if bound.premises:
        return False
    asked = Question(bound.claim.units, bound.claim.over, bound.claim.quantity)
    return verify_bytes(Certificate.build(target, [bound], [asked], {}).to_bytes()).word == "UNDECIDED"


def _answers(known: Known) -> Iterator[Answer]:
    for question in known.questions:
        lower, below = known.lower(question)
        upper, above = known.upper(question)
        yield Answer(
            question.units,
            question.field,
            question.quantity,
            lower,
            upper,
            below.rule if below else None,
            above.rule if above else None,
            reason(known, question, ">="),
            reason(known, question, "<="),
        )


__all__ = ["Answer", "Proof", "certify", "certify_given", "questions_about"]
