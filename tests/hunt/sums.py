"""Every lower bound of every method, and every bound that damaged witnesses still prove, against the constructions."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mutation.certificates import repaired
from mutation.damage import damaged_twice

from rankproof.bounds import LOWER
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.claim import Claim, implied
from rankproof.certificate.document import Certificate
from rankproof.certificate.encoding import decode_field
from rankproof.errors import RankproofError
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

from .constructions import Construction

HEAVY = {
    "binary",
    "border_apolarity",
    "cover",
    "definite_apolar",
    "dropped_slices",
    "independent_combination",
    "pencil",
    "signature",
    "substitution",
}
"""Methods that search for long: they get every fourth target."""

CHECKED = 0.4
"""Part of the bounds whose certificates are verified, and whose witnesses are damaged."""


@dataclass
class Hunt:
    """What was tried and what was found."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    forged: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def merge(self, other: Hunt) -> None:
        """Add what another part of the hunt found."""
        for mine, its in zip(
            (self.counts, self.kinds, self.rules, self.forged),
            (other.counts, other.kinds, other.rules, other.forged),
            strict=True,
        ):
            mine.update(its)
        self.findings += other.findings

    def lines(self) -> Iterator[str]:
        """The figures."""
        yield ", ".join(f"{n} {what}" for what, n in self.counts.items())
        yield "constructions: " + ", ".join(f"{kind} {n}" for kind, n in self.kinds.most_common())
        yield "bounds by rule: " + ", ".join(f"{rule} {n}" for rule, n in self.rules.most_common())
        yield "of damaged witnesses: " + ", ".join(f"{rule} {n}" for rule, n in self.forged.most_common())
        yield from self.findings


def hunt(made: Iterable[Construction], seconds: float, forgeries: int, seed: int) -> Hunt:
    """Compare every bound with the construction; ``forgeries`` damaged witnesses for every bound that is checked."""
    found = Hunt()
    for place, construction in enumerate(made):
        found.counts["targets"] += 1
        found.kinds[construction.kind] += 1
        try:
            bounds = list(bounds_of(construction, seconds, heavy=place % 4 == 0))
        except RankproofError as error:
            found.findings.append(f"{construction.target.text}: {type(error).__name__}: {error}")
            continue
        rng = random.Random(f"{seed} {construction.target.text}")
        for bound in bounds:
            checked = rng.random() < CHECKED and not bound.premises
            judge(construction, bound, checked, found)
            if checked:
                forge(construction, bound, forgeries, rng, found)
    return found


def bounds_of(construction: Construction, seconds: float, heavy: bool) -> Iterator[Bound]:
    """What every lower-bound method of tier A finds over all fields of its questions."""
    target = construction.target
    fields: list[Field] = [target.ring] if target.ring.characteristic else [QQ, RR, CC]
    done: set[tuple[str, Field]] = set()
    for method in LOWER:
        if method.tier != "A" or (method.name in HEAVY and not heavy):
            continue
        for over in fields:
            works = method.field_for(target, Question(construction.units, over, "rank"))
            if works is not None and (method.name, works) not in done:
                done.add((method.name, works))
                rng = np.random.default_rng(0)
                yield from method.find(target, construction.units, works, Budget(seconds), rng, ())


def judge(construction: Construction, bound: Bound, checked: bool, found: Hunt) -> None:
    """One bound against what is known, and when it is ``checked`` its certificate by the verifier."""
    found.counts["bounds"] += 1
    found.rules[bound.rule] += 1
    excess = _excess(bound.claim, construction)
    if excess == 0:
        found.counts["bounds that are equal to what is known"] += 1
    if excess > 0:
        found.findings.append(f"FALSE {bound.rule}: {bound.claim}, {_about(construction)}")
    if checked:
        data = _certificate(construction.target, bound)
        verdict = verify_bytes(data)
        found.counts["verified"] += verdict.ok
        if not verdict.ok and verdict.word != "UNDECIDED":
            found.findings.append(
                f"REFUSED {verdict.code} at {verdict.pointer}: {bound.rule}: {_about(construction)}"
            )


def forge(construction: Construction, bound: Bound, count: int, rng: random.Random, found: Hunt) -> None:
    """Damage numbers of the witness; what the rule proves from them is written into the claim and must be true."""
    tree: dict[str, Any] = json.loads(_certificate(construction.target, bound))
    witness = {"witness": tree["steps"][0]["witness"], "claim": _asked(tree["steps"][0]["claim"])}
    for _, damaged in damaged_twice(witness, (), rng, count):
        step = {**tree["steps"][0], "witness": damaged["witness"]}
        step["claim"] = {**step["claim"], **damaged["claim"]}
        answer = {**tree["conclusion"][0], "units": step["claim"]["units"], "field": step["claim"]["over"]}
        found.counts["damaged witnesses"] += 1
        mended = repaired({**tree, "steps": [step], "conclusion": [answer]})
        if mended is None:
            continue
        found.counts["of which still prove something"] += 1
        found.forged[bound.rule] += 1
        claim = mended["steps"][0]["claim"]
        stated = Claim(
            claim["quantity"],
            claim["units"],
            _field(claim["over"], construction),
            claim["relation"],
            claim["value"],
        )
        if claim["relation"] == ">=" and _excess(stated, construction) > 0:
            found.findings.append(
                f"FALSE {bound.rule} from {json.dumps(step['witness'])}: {stated}, {_about(construction)}"
            )


def _asked(claim: dict[str, Any]) -> dict[str, Any]:
    return {key: claim[key] for key in ("units", "over", "quantity")}


def _field(name: str, construction: Construction) -> Field:
    return construction.target.ring if name == str(construction.target.ring) else decode_field(name)


def _excess(claim: Claim, construction: Construction) -> int:
    """By how much a claim exceeds what is known; negative when it does not reach it."""
    said = [
        value - most
        for question, most in construction.known
        if (value := implied(claim, question, construction.target)) is not None
    ]
    return max(said, default=-1)


def _certificate(target: Target, bound: Bound) -> bytes:
    question = Question(bound.claim.units, bound.claim.over, bound.claim.quantity)
    return Certificate.build(target, [bound], [question], {}).to_bytes()


def _about(construction: Construction) -> str:
    question, most = construction.known[0]
    return f"known {question} <= {most} ({construction.kind}): {construction.target.text} over {construction.target.ring}"
