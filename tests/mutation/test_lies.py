"""What a clever liar writes is refused, for every rule."""

from __future__ import annotations

import pytest

from mutation.by_hand import BY_HAND
from mutation.lies import FALSE, HOLDS, LIES, answers, honest
from rankproof.verifier import RULES

RIGHT = {
    "deep nesting": {"too-deep"},
    "many digits": {"long-number", "limit-digits", "wrong-type"},
    "colliding names": {"repeated", "unused-field"},
    "mixed up order": {"unsorted"},
    "reducible polynomials": {"reducible", "unknown-key"},
}
"""The only codes that are a right answer to some lies, whatever the rule."""


@pytest.mark.parametrize("rule", RULES)
def test_no_lie_is_believed(rule: str) -> None:
    trees = honest(rule)[:2]
    assert trees
    for lie in LIES:
        found = answers(rule, lie, trees)
        assert FALSE not in found, lie
        if lie in RIGHT:
            assert set(found) <= RIGHT[lie] | {HOLDS}, lie
            assert HOLDS not in found, lie


def test_every_statement_judged_by_hand_has_a_reason() -> None:
    assert all(len(reason) > 5 for reason in BY_HAND.values())
