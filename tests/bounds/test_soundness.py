"""No lower bound exceeds the number of units of a sum, and no bound of either side is refused by the verifier."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import decompositions, targets

from rankproof.bounds import LOWER, UPPER
from rankproof.bounds.method import Bound, Budget, best_known
from rankproof.certificate.document import Certificate
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import UNITS
from rankproof.verifier import verify_bytes

slow_examples = settings(suppress_health_check=[HealthCheck.too_slow])


def fields_for(target: Target) -> list[Field]:
    ring = target.ring
    return [ring] if ring.characteristic else [ring, CC, *([RR] if RR.includes(ring) else [])]


def units_for(target: Target) -> list[str]:
    return [name for name, model in UNITS.items() if model.accepts(target.space) is None]


def found_by(method, target: Target, question: Question) -> list[Bound]:
    field = method.field_for(target, question)
    if field is None:
        return []
    return method.find(target, question.units, field, Budget(0.3), np.random.default_rng(0), ())


def lower_bound(target: Target, question: Question) -> int:
    bounds = [bound for method in LOWER for bound in found_by(method, target, question)]
    return best_known(bounds, question, ">=", target) or 0


@settings(slow_examples, max_examples=20)
@given(decompositions(width=4))
def test_a_sum_of_w_units_has_no_lower_bound_above_w(drawn) -> None:
    space, found = drawn
    entries = found.expand(space)
    if not entries:
        return
    target = Target.from_entries(space, entries, found.ring)
    for quantity in ("rank", "border_rank"):
        assert lower_bound(target, Question(found.units_model, found.ring, quantity)) <= len(found)


@pytest.mark.parametrize("ring", [QQ, gf(7), gf(1048573)], ids=str)
@pytest.mark.parametrize(
    ("model", "space"),
    [
        ("tied", Space.form(3, 4)),
        ("untied", Space.form(4, 3)),
        ("mixed:2", Space.form(3, 5)),
        ("split", Space.form(4, 3)),
        ("tied", Space.map(3, 3, 2)),
        ("untied", Space.map(4, 2, 3)),
        ("product", Space.tensor(4, 4, 4)),
        ("product", Space.tensor(3, 3, 3, 3)),
    ],
    ids=str,
)
def test_a_random_sum_of_w_units_has_no_lower_bound_above_w(model: str, space: Space, ring: Field) -> None:
    rng = np.random.default_rng(5)
    for width in range(1, 7):
        unit_lengths = UNITS[model].vector_lengths(space)
        total: dict = {}
        for _ in range(width):
            unit = tuple(tuple(rng.integers(-4, 5, n).tolist()) for n in unit_lengths)
            for word, c in UNITS[model].expand(space, unit, ring).items():
                total[word] = total.get(word, 0) + c
        if not any(ring.reduce(c) for c in total.values()):
            continue
        target = Target.from_entries(space, total, ring)
        assert lower_bound(target, Question(model, ring, "border_rank")) <= width


@settings(slow_examples, max_examples=10)
@given(
    targets(st.sampled_from((Space.form(2, 3), Space.form(3, 2), Space.map(2, 2, 2), Space.tensor(2, 2, 3))))
)
def test_every_bound_of_every_method_is_accepted_by_the_verifier(target: Target) -> None:
    for method in (*LOWER, *UPPER):
        for units in units_for(target):
            for field in fields_for(target):
                for quantity in ("rank", "border_rank"):
                    for bound in found_by(method, target, Question(units, field, quantity)):
                        claim = bound.claim
                        asked = Question(claim.units, claim.over, claim.quantity)
                        data = Certificate.build(target, [bound], [asked], {}).to_bytes()
                        verdict = verify_bytes(data, accept_theorems={"Carlini-Catalisano-Geramita 2012"})
                        assert verdict.ok, (method.name, verdict.code, verdict.message)


@settings(slow_examples, max_examples=15)
@given(targets(st.just(Space.form(3, 3))))
def test_upper_bounds_are_at_least_the_lower_bounds(target: Target) -> None:
    for units in ("tied", "untied", "split"):
        question = Question(units, target.ring, "rank")
        upper = [bound for method in UPPER for bound in found_by(method, target, question)]
        value = best_known(upper, question, "<=", target)
        assert value is None or lower_bound(target, question) <= value
