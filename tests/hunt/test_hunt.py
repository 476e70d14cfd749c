"""The hunt finds false bounds where there are some, and none where there are none."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hunt.attack import attack
from hunt.constructions import _coefficient, _newton, constructions, limit_of_sums
from hunt.sums import hunt
from rankproof.problem.space import Space
from rankproof.verifier import RULES

CERTIFICATES = Path(__file__).resolve().parents[2] / "certificates"


def test_no_bound_exceeds_what_is_known_by_construction() -> None:
    found = hunt(islice(constructions(40, 7), 0, None, 3), 0.05, 2, 7)
    assert found.findings == []
    assert found.counts["bounds"] > 40
    assert found.counts["verified"] > 10
    assert found.counts["of which still prove something"] > 5


def test_a_false_bound_is_found() -> None:
    construction = next(c for c in constructions(10, 7) if c.kind == "sum over QQ")
    # Nobody knows a sum of no units that is not zero.
    cheating = replace(construction, known=tuple((question, 0) for question, _ in construction.known))
    assert any(finding.startswith("FALSE nonzero") for finding in hunt([cheating], 0.05, 0, 7).findings)


def test_a_rule_that_proves_too_much_is_found_from_its_damaged_witnesses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule = RULES["flattening"]
    wrong = replace(rule, derive=lambda w, c: replace(rule.derive(w, c), value=9 * rule.derive(w, c).value))
    monkeypatch.setitem(RULES, "flattening", wrong)
    found = hunt(constructions(12, 7), 0.05, 3, 7)
    assert any("flattening from" in finding for finding in found.findings)
    assert any(finding.startswith("REFUSED claim-differs") for finding in found.findings)


def test_coefficients_of_moving_units() -> None:
    # (x + t y)^3 times 2 + 5 t: the coefficient of t is 6 x^2 y + 5 x^3.
    moving = [[[1, 0], [2]], [[0, 1], [5]]]
    found = _coefficient("tied", Space.form(2, 3), moving, 1)
    assert {word: c for word, c in found.items() if c} == {(0, 0, 0): 5, (0, 0, 1): 6}
    assert _newton([Fraction(v) for v in (1, 2, 9, 28)]) == [1, 0, 0, 1]


def test_limits_are_about_border_rank_only() -> None:
    rng = np.random.default_rng(3)
    made = [limit_of_sums("tied", Space.form(3, 3), rng) for _ in range(6)]
    assert {q.quantity for c in made if c is not None for q, _ in c.known} == {"border_rank"}


def test_floating_point_beats_a_bound_that_is_too_large(tmp_path: Path) -> None:
    data = (CERTIFICATES / "monomials" / "x2y.json").read_bytes()
    honest = list(attack([CERTIFICATES / "monomials" / "x2y.json"], 0.2, 0))
    assert honest
    assert not any(attempt.beaten for attempt in honest)
    tree = json.loads(data)
    for answer in tree["conclusion"]:
        answer["lower"] = 4
        answer.pop("upper", None)
    false = tmp_path / "x2y.json"
    false.write_text(json.dumps(tree))
    assert any(attempt.beaten for attempt in attack([false], 5, 0))
