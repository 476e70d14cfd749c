"""The kernel: claims derived and compared, premises in order, nothing unused, and the identity of a statement."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from corpus.judging import accepted, claim_hash, files
from corpus.recipes.kernel import FIVE, FIVE_FROM_FLATTENING

from rankproof.problem.library import NAMED
from rankproof.verifier import RULES, verify_bytes
from rankproof.verifier.kernel import Proved, check
from rankproof.verifier.rules import Rule
from rankproof.verifier.verdict import Verdict


def changed_rule(value: int, **changes: Any) -> dict[str, Rule]:
    """The rules, with ``nonzero`` proving another value."""
    rule = RULES["nonzero"]
    derive = lambda witness, context: replace(rule.derive(witness, context), value=value)  # noqa: E731
    return {**RULES, "nonzero": replace(rule, derive=derive, **changes)}


def test_the_claim_written_must_be_the_one_derived() -> None:
    assert verify_bytes(FIVE).code == "claim-differs"
    assert verify_bytes(FIVE, rules=changed_rule(5)).ok
    assert verify_bytes(FIVE, rules=changed_rule(6)).code == "claim-differs"


@pytest.mark.parametrize("key", ["quantity", "units", "over", "relation", "value"])
def test_every_part_of_the_claim_is_compared(key: str) -> None:
    rule = RULES["nonzero"]
    other = {"quantity": "rank", "units": "split", "over": "RR", "relation": "<=", "value": 3}[key]
    derive = lambda witness, context: replace(rule.derive(witness, context), **{key: other})  # noqa: E731
    verdict = verify_bytes(accepted("nonzero/x2y"), rules={**RULES, "nonzero": replace(rule, derive=derive)})
    assert (verdict.code, verdict.pointer) == ("claim-differs", "/steps/0/claim")


def test_premises_are_the_claims_of_the_steps_named() -> None:
    seen = []

    def derive(witness: Any, context: Any) -> Any:
        seen.append(context.premises)
        return replace(RULES["nonzero"].derive(witness, context), value=5)

    rules = {**RULES, "nonzero": replace(RULES["nonzero"], derive=derive, premises=1)}
    assert verify_bytes(FIVE_FROM_FLATTENING, rules=rules).ok
    ((premise,),) = seen
    assert str(premise) == "tied border_rank over CC >= 2"


def test_every_witness_is_read_before_anything_is_derived() -> None:
    tree = json.loads(accepted("kernel/several-answers"))
    tree["steps"][0]["claim"]["value"] = 99
    tree["steps"][2]["witness"]["units"] = []
    assert verify_bytes(json.dumps(tree).encode()).code == "empty-list"


def test_theorems_that_a_bound_rests_on_are_named_unless_accepted() -> None:
    data = accepted("coprime-monomials/with-a-step-that-needs-no-theorem")
    theorem = "Carlini-Catalisano-Geramita 2012"
    verdict = verify_bytes(data)
    assert (verdict.word, verdict.exit_status, verdict.ok) == ("CONDITIONAL", 5, False)
    assert verdict.theorems == (theorem,)
    assert verify_bytes(data, accept_theorems=["another theorem"]).word == "CONDITIONAL"
    accepted_verdict = verify_bytes(data, accept_theorems=[theorem])
    assert (accepted_verdict.word, accepted_verdict.exit_status) == ("VERIFIED", 0)
    assert accepted_verdict.theorems == (theorem,)
    assert accepted_verdict.claim_hash == verdict.claim_hash


def test_theorems_of_premises_count() -> None:
    rules = changed_rule(5, premises=1)
    rules["flattening"] = replace(rules["flattening"], theorems=("Theorem A", "Theorem B"))
    assert verify_bytes(FIVE_FROM_FLATTENING, rules=rules).theorems == ("Theorem A", "Theorem B")


def test_nesting_that_exhausts_python_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: Any) -> Proved:
        raise RecursionError

    monkeypatch.setattr("rankproof.verifier.verdict.check", exhausted)
    verdict = verify_bytes(accepted("nonzero/x2y"))
    assert (verdict.word, verdict.code, verdict.exit_status) == ("UNDECIDED", "limit-recursion", 4)
    assert callable(check)


# Identity


EXPLICIT = [d for d in files() if d.name.startswith("accept/") and "space" in json.loads(d.data)["target"]]


@pytest.mark.parametrize("demand", EXPLICIT, ids=lambda demand: demand.name)
def test_the_claim_hash_is_that_of_the_format(demand: Any) -> None:
    verdict = verify_bytes(demand.data)
    assert verdict.claim_hash == claim_hash(json.loads(demand.data))
    assert verdict.sha256 == hashlib.sha256(demand.data).hexdigest()
    assert verify_bytes(demand.data, expect=verdict.claim_hash).word == verdict.word
    assert verify_bytes(demand.data, expect=f"sha256:{verdict.claim_hash}").word == verdict.word
    assert verify_bytes(demand.data, expect="0" * 64).code == "expectation"


NAMED_FILES = [d for d in files() if d.name.startswith("accept/target/named-")]


@pytest.mark.parametrize("demand", NAMED_FILES, ids=lambda demand: demand.name)
def test_a_named_target_states_the_same_as_its_expansion(demand: Any) -> None:
    tree = json.loads(demand.data)
    plan = NAMED[tree["target"]["name"]].plan(*tree["target"]["parameters"])
    entries = sorted([list(word), value] for word, value in plan.entries)
    tree["target"] = {"space": [list(f) for f in plan.factors], "ring": "QQ", "entries": entries}
    by_name, explicit = verify_bytes(demand.data), verify_bytes(json.dumps(tree).encode())
    assert explicit.claim_hash == by_name.claim_hash == claim_hash(tree)
    assert explicit.statements != by_name.statements


def same_statement(tree: dict[str, Any], other: dict[str, Any]) -> bool:
    first, second = (verify_bytes(json.dumps(t).encode()) for t in (tree, other))
    assert first.ok
    assert second.ok
    assert first.sha256 != second.sha256
    return first.claim_hash == second.claim_hash


def test_the_claim_hash_does_not_depend_on_how_a_statement_is_written_or_proved() -> None:
    tree = json.loads(accepted("kernel/several-answers"))
    assert same_statement(tree, {**tree, "producer": {"program": "another"}})
    assert same_statement(tree, {**tree, "conclusion": tree["conclusion"][::-1]})
    names = {**tree["target"], "variables": ["u", "v"]}
    assert same_statement(tree, {**tree, "target": names})
    steps = json.loads(json.dumps(tree["steps"]))
    steps[0]["witness"]["prime"] = 7
    assert same_statement(tree, {**tree, "steps": steps})


def test_the_claim_hash_tells_statements_apart() -> None:
    trees = [
        json.loads(accepted(path))
        for path in ("quadric/positive-root-over-rr", "quadric/negative-root-over-rr")
    ]
    hashes = {verify_bytes(json.dumps(tree).encode()).claim_hash for tree in trees}
    fewer = {**trees[0], "conclusion": trees[0]["conclusion"][:1]}
    hashes.add(verify_bytes(json.dumps(fewer).encode()).claim_hash)
    assert len(hashes) == 3


def test_a_verdict_says_everything_in_plain_values() -> None:
    verdict = verify_bytes(accepted("kernel/several-answers"))
    assert isinstance(verdict, Verdict)
    assert json.loads(json.dumps([verdict.statements, list(map(dict, verdict.conclusion)), verdict.theorems]))
    assert verdict == verify_bytes(accepted("kernel/several-answers"))
