"""The kernel: derive every claim, compare it with the claim stated, and require the conclusion to follow."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .claims import Consequences, Decided, Floor, Quantity, may_ask
from .document import Answer, Document, Step
from .reading import show
from .refusal import Rejected, Undecided, Unreadable
from .rules import RULES, Context, Rule
from .targets import Target, expanded, finite_field, written


@dataclass(frozen=True)
class Proved:
    """What a certificate proves: its conclusion, and the named theorems that the conclusion rests on."""

    document: Document
    theorems: tuple[str, ...]
    claim_hash: str


def check(document: Document, rules: Mapping[str, Rule] = RULES) -> Proved:
    """Check a certificate; a refusal says the first thing that is wrong.

    ``rules`` is an argument for the tests, which put broken rules in to see that the corpus notices.
    """
    contexts = [_context(step, document) for step in document.steps]
    # Every witness is read before anything is derived: an unreadable file is never called rejected.
    witnesses: list[Any] = []
    for step, context in zip(document.steps, contexts, strict=True):
        rule = rules.get(step.rule)
        if rule is None:
            raise Unreadable("unknown-rule", f"{step.pointer}/rule", f"no rule is named {show(step.rule)}")
        witnesses.append(rule.read(step.witness, context))

    real = {
        name: ring.number_field.real_root is not None
        for name, ring in document.rings.items()
        if ring.number_field is not None
    }
    consequences = Consequences(document.target, real)
    used: set[int] = set()
    for index, (step, context, witness) in enumerate(zip(document.steps, contexts, witnesses, strict=True)):
        _check_premises(step, index, rules[step.rule])
        used.update(step.premises)
        _check_field(document.target, step.claim.over, real, f"{step.pointer}/claim/over")
        try:
            derived = rules[step.rule].derive(witness, context)
        except Undecided as limit:
            # An elimination that is given up does not know of which step it is a part.
            raise Undecided(limit.code, limit.pointer or step.pointer, limit.message) from limit
        if derived != step.claim:
            message = f"the rule proves {derived}; the file claims {step.claim}"
            raise Rejected("claim-differs", f"{step.pointer}/claim", message)
        consequences.add(derived, index)

    deciding: set[int] = set()
    for answer in document.conclusion:
        _check_field(document.target, answer.question.field, real, f"{answer.pointer}/field")
        deciding.update(_check_answer(answer, consequences))
    for index, step in enumerate(document.steps):
        if index not in used and index not in deciding:
            raise Rejected("unused-step", step.pointer, "no later step and no bound of the conclusion needs this step")
    return Proved(document, _theorems(document, rules, deciding), claim_hash(document))


def _context(step: Step, document: Document) -> Context:
    # A premise index that is out of order is refused by _check_premises before the rule sees its premises.
    premises = tuple(document.steps[i].claim for i in step.premises if i < len(document.steps))
    return Context(
        document.target,
        step.units,
        step.claim.over,
        step.claim.relation,
        document.rings,
        premises,
        step.pointer,
        floor=step.claim.quantity if isinstance(step.claim.quantity, Floor) else None,
    )


def _check_field(target: Target, name: str, real: Mapping[str, bool], pointer: str) -> None:
    if not may_ask(target, name, real):
        raise Rejected("field", pointer, f"a target over {target.ring.name} has no meaning over {name}")
    finite = finite_field(name)
    if finite is not None:
        # Refuses a prime in a denominator, and a target that vanishes.
        target.over(finite)


def _check_premises(step: Step, index: int, rule: Rule) -> None:
    for position, premise in enumerate(step.premises):
        if premise >= index:
            message = f"step {index} rests on step {premise}, which does not come before it"
            raise Rejected("premise-order", f"{step.pointer}/premises/{position}", message)
    if len(step.premises) != rule.premises:
        message = f"the rule takes {rule.premises} premises; the step names {len(step.premises)}"
        raise Rejected("premise-count", f"{step.pointer}/premises", message)


def _check_answer(answer: Answer, consequences: Consequences) -> list[int]:
    """Indices of the steps that decide the two bounds of one answer."""
    steps: list[int] = []
    lower = consequences.lower(answer.question) or Decided(0, -1)
    if answer.lower != lower.value:
        message = f"the steps prove >= {lower.value}; the conclusion says >= {answer.lower}"
        raise Rejected("conclusion-differs", f"{answer.pointer}/lower", message)
    upper = consequences.upper(answer.question)
    if answer.upper != (None if upper is None else upper.value):
        proved = "no upper bound" if upper is None else f"<= {upper.value}"
        stated = "no upper bound" if answer.upper is None else f"<= {answer.upper}"
        message = f"the steps prove {proved}; the conclusion says {stated}"
        raise Rejected("conclusion-differs", f"{answer.pointer}/upper", message)
    if upper is not None and lower.value > upper.value:
        # Two rules contradict each other: one of them is wrong, and nothing here can be believed.
        raise Rejected("contradiction", answer.pointer, f"{lower.value} <= width <= {upper.value} is impossible")
    if lower.step >= 0:
        steps.append(lower.step)
    if upper is not None:
        steps.append(upper.step)
    return steps


def _theorems(document: Document, rules: Mapping[str, Rule], deciding: set[int]) -> tuple[str, ...]:
    named: set[str] = set()
    pending = list(deciding)
    while pending:
        step = document.steps[pending.pop()]
        named.update(rules[step.rule].theorems)
        pending.extend(step.premises)
    return tuple(sorted(named))


def claim_hash(document: Document) -> str:
    """sha256 of the statement: expanded target, number fields used by it or the conclusion, conclusion."""
    conclusion: list[dict[str, Any]] = []
    fields = {document.target.ring.name}
    for answer in document.conclusion:
        q = answer.question
        fields.add(q.field)
        bounds = {"lower": answer.lower} if answer.upper is None else {"lower": answer.lower, "upper": answer.upper}
        conclusion.append(
            {
                "field": q.field,
                "quantity": written_quantity(q.quantity),
                "units": q.units,
                **{side: written(value) for side, value in bounds.items()},
            }
        )
    conclusion.sort(key=lambda entry: (entry["units"], entry["field"], json.dumps(entry["quantity"])))
    target = expanded(document.target)
    declared: list[dict[str, Any]] = []
    for name in sorted(fields):
        ring = document.rings.get(name)
        if ring is not None and ring.number_field is not None:
            field = ring.number_field
            declaration: dict[str, Any] = {
                "minimal_polynomial": list(field.minimal_polynomial),
                "symbol": field.symbol,
            }
            if field.real_root is not None:
                declaration["real_root"] = [str(x) for x in field.real_root]
            declared.append(declaration)
    if declared:
        target["number_fields"] = declared
    text = json.dumps({"conclusion": conclusion, "target": target}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def written_quantity(quantity: Quantity) -> Any:
    """A quantity as a file writes it."""
    if not isinstance(quantity, Floor):
        return quantity
    scale = {} if quantity.scale == 1 else {"scale": written(quantity.scale)}
    return {"floor": quantity.loss, "width": quantity.width, **scale}
