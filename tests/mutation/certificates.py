"""Damage certificates and have what is still accepted judged by the oracle.

A mutant that only fails because its claims or its conclusion no longer agree with its witness is repaired: the claims
that its steps really prove are written into it, and the conclusion that follows. Were a rule to prove too much from a
damaged witness or target, the repaired mutant would be a false certificate, and accepted.
"""

from __future__ import annotations

import copy
import json
import random
import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

from corpus.judging import WEIGHTS

from rankproof.verifier import RULES, verify_bytes
from rankproof.verifier.claims import Claim, Consequences
from rankproof.verifier.document import read_document
from rankproof.verifier.kernel import _context, written_quantity
from rankproof.verifier.reading import parse
from rankproof.verifier.refusal import Refusal
from rankproof.verifier.targets import written

from .attacked import WITHSTOOD, attack
from .damage import damaged_bytes, damaged_trees, damaged_twice
from .oracle import FALSE, TRUE, UNKNOWN, judge

WITHIN_REACH = frozenset(
    {
        "nonzero",
        "decomposition",
        "border-family",
        "flattening",
        "koszul",
        "quadric",
        "inertia",
        "coprime-monomials",
    }
)
"""Rules whose claims the oracle can always check for itself; about what others prove it may have nothing to say."""

TOO_LARGE = {"accept/koszul/a-sparse-quadric.json"}
"""Files about which the oracle takes half a minute a mutant."""

TOO_LONG = "too long for the oracle"
HARMLESS = (TRUE, "unchanged", WITHSTOOD, "not judged", TOO_LONG)
PATIENCE = 2.0
"""Seconds of processor time that the oracle has for a mutant: exact ranks of large flattenings take it minutes."""

REPAIRABLE = {"claim-differs", "conclusion-differs", "unused-step"}


@dataclass
class Tally:
    """How many files were damaged, and what became of the mutants."""

    files: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    """Every mutant that is accepted and not true, and every breakdown."""
    by_rule: dict[str, Counter[str]] = field(default_factory=dict)
    """What became of accepted mutants, by the rules of the certificate that the oracle cannot check by itself."""
    slowest: tuple[float, str] = (0.0, "")
    """Seconds of the longest verification, and the mutant."""

    @property
    def mutants(self) -> int:
        kinds = ("refused", *HARMLESS, FALSE, UNKNOWN, "breakdowns")
        return sum(self.counts[key] for key in kinds)

    def merge(self, other: Tally) -> None:
        """Add what another part of the campaign counted."""
        self.files += other.files
        self.counts.update(other.counts)
        self.codes.update(other.codes)
        self.findings += other.findings
        self.slowest = max(self.slowest, other.slowest)
        for rules, counts in other.by_rule.items():
            self.by_rule.setdefault(rules, Counter()).update(counts)

    def line(self) -> str:
        """The counts in words."""
        counts = self.counts
        return (
            f"{self.files} files, {self.mutants} mutants ({counts['repaired']} of them repaired): {counts['refused']} refused, "
            f"{counts[TRUE]} accepted and true, {counts['unchanged']} accepted with no new statement, "
            f"{counts[FALSE]} false, {counts[UNKNOWN]} undecided by the oracle, "
            f"{counts[WITHSTOOD]} beyond the oracle that floating point could not contradict, "
            f"{counts['not judged']} not judged, {counts[TOO_LONG]} too long for the oracle, "
            f"{counts['breakdowns']} breakdowns"
        )


class Damager:
    """Runs mutants through the verifier and the oracle; remembers verdicts of the oracle about equal statements."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.judged: dict[str, tuple[str, str]] = {}
        self.original: dict[str, Any] | None = None

    def damage(
        self,
        name: str,
        data: bytes,
        *,
        most: int | None = None,
        bytewise: int = 200,
        seed: int = 0,
    ) -> None:
        """All mutants of an accepted file, or a random choice of so many; ``bytewise`` of each kind of damaged bytes."""
        self.tally.files += 1
        self.original = json.loads(data)
        rng = random.Random(name if not seed else f"{name} {seed}")
        for how, mutant in damaged_trees(self.original, tuple(RULES), rng, most):
            self.run(f"{name}: {how}", json.dumps(mutant).encode(), mutant)
        for how, mutated in damaged_bytes(data, rng, bytewise):
            self.run(f"{name}: {how}", mutated, None)

    def more(self, name: str, count: int, seed: int = 0) -> None:
        """So many mutants of the file damaged last, each at two numbers or words."""
        assert self.original is not None
        rng = random.Random(f"{name} {seed} twice")
        for how, mutant in damaged_twice(self.original, tuple(RULES), rng, count):
            self.run(f"{name}: {how}", json.dumps(mutant).encode(), mutant)

    def run(self, name: str, data: bytes, tree: Any) -> None:
        """One mutant, and its repaired form when its claims disagree with its witness."""
        begun = time.perf_counter()
        try:
            verdict = verify_bytes(data, weights=[WEIGHTS])
        except Exception as error:
            self._count("breakdowns", f"{name}: {type(error).__name__}: {error}")
            return
        self.tally.slowest = max(self.tally.slowest, (time.perf_counter() - begun, name))
        if verdict.word in ("VERIFIED", "CONDITIONAL"):
            self._judge(name, json.loads(data))
            return
        self._count("refused")
        self.tally.codes[verdict.code] += 1
        if verdict.code in REPAIRABLE and tree is not None:
            mended = repaired(tree)
            if mended is not None:
                self.tally.counts["repaired"] += 1
                self.run(f"{name}, repaired", json.dumps(mended).encode(), None)

    def _judge(self, name: str, tree: dict[str, Any]) -> None:
        beyond = {step["rule"] for step in tree["steps"]} - WITHIN_REACH
        verdict, about = self._truth(tree, bool(beyond))
        self._count(verdict, None if verdict in HARMLESS else f"{name}: {verdict}: {about}")
        rules = " + ".join(sorted(beyond)) or "within reach"
        self.tally.by_rule.setdefault(rules, Counter())[verdict] += 1

    def _truth(self, tree: dict[str, Any], beyond: bool) -> tuple[str, str]:
        if beyond and self.original is not None and states_no_more(tree, self.original):
            # The file that was damaged says as much, and is the business of its rule.
            return "unchanged", ""
        if "block" in tree["target"]:
            # The oracle reads no weights files.
            return "not judged", ""
        if any(isinstance(answer["quantity"], dict) for answer in tree["conclusion"]):
            # The oracle knows nothing about losses.
            return attack(tree)
        meaning = json.dumps([tree.get("number_fields"), tree["target"], tree["steps"], tree["conclusion"]])
        if meaning not in self.judged:
            try:
                with _at_most(PATIENCE):
                    self.judged[meaning] = judge(tree)
            except TimeoutError:
                self.judged[meaning] = TOO_LONG, ""
        verdict, about = self.judged[meaning]
        return attack(tree) if verdict == UNKNOWN and beyond else (verdict, about)

    def _count(self, what: str, finding: str | None = None) -> None:
        self.tally.counts[what] += 1
        if finding is not None:
            self.tally.findings.append(finding)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Processor time, not time of day: a busy machine must not change what is judged."""

    def stop(*_: object) -> None:
        raise TimeoutError("the oracle takes too long")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def states_no_more(tree: dict[str, Any], original: dict[str, Any]) -> bool:
    """Whether a certificate is about the same target as another and answers no question better."""
    if any(tree.get(key) != original.get(key) for key in ("target", "number_fields")):
        return False
    known = {_question(a): a for a in original["conclusion"]}
    for answer in tree["conclusion"]:
        best = known.get(_question(answer), {"lower": 0})
        if _number(answer["lower"]) > _number(best["lower"]):
            return False
        if _number(answer.get("upper", inf)) < _number(best.get("upper", inf)):
            return False
    return True


def _question(answer: dict[str, Any]) -> tuple[str, str, str]:
    """What an answer is about; a floor is an object."""
    return answer["units"], answer["field"], json.dumps(answer["quantity"], sort_keys=True)


def _number(value: Any) -> Any:
    """A number of units, or the value of a floor."""
    return Fraction(value) if isinstance(value, str) else value


def repaired(tree: dict[str, Any]) -> dict[str, Any] | None:
    """The certificate with the claims that its steps prove, the conclusion that follows, and no unused steps."""
    try:
        document = read_document(parse(json.dumps(tree).encode()))
        claims = []
        for step in document.steps:
            context = _context(step, document)
            rule = RULES[step.rule]
            claims.append(rule.derive(rule.read(step.witness, context), context))
    except Refusal:
        return None
    real = {
        n: r.number_field.real_root is not None
        for n, r in document.rings.items()
        if r.number_field is not None
    }
    consequences = Consequences(document.target, real)
    for index, claim in enumerate(claims):
        consequences.add(claim, index)
    result = copy.deepcopy(tree)
    used = set()
    for entry, answer in zip(result["conclusion"], document.conclusion, strict=True):
        lower, upper = consequences.lower(answer.question), consequences.upper(answer.question)
        used |= {found.step for found in (lower, upper) if found is not None}
        entry["lower"] = 0 if lower is None else written(lower.value)
        entry.pop("upper", None)
        if upper is not None:
            entry["upper"] = written(upper.value)
    result["steps"] = [_restated(step, claims[i]) for i, step in enumerate(result["steps"]) if i in used]
    return result if result["steps"] else None


def _restated(step: dict[str, Any], claim: Claim) -> dict[str, Any]:
    stated = {
        "quantity": written_quantity(claim.quantity),
        "units": claim.units,
        "over": claim.over,
        "relation": claim.relation,
        "value": written(claim.value),
    }
    return {**step, "claim": stated}


def accepted_files(files: Iterable[tuple[str, bytes]], longest: int = 20_000) -> Iterator[tuple[str, bytes]]:
    """Files that are accepted and short enough to be damaged node by node."""
    for name, data in files:
        if (
            len(data) <= longest
            and name not in TOO_LARGE
            and verify_bytes(data, weights=[WEIGHTS]).word in ("VERIFIED", "CONDITIONAL")
        ):
            yield name, data
