"""The method of `certify` that looks for border families."""

from __future__ import annotations

import numpy as np

from rankproof.bounds.combine import Known
from rankproof.bounds.method import Bound, Budget
from rankproof.bounds.upper import degenerations
from rankproof.certificate.claim import Claim
from rankproof.problem.field import CC, QQ, RR, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question


def bounds(least, most):
    claims = (
        Claim("border_rank", "product", CC, ">=", least),
        Claim("border_rank", "product", QQ, "<=", most),
    )
    return [Bound(claim, "", {}, "") for claim in claims]


def find(text, least, most, seconds=20.0):
    target, budget = read_targets(text)[0], Budget(seconds)
    found = degenerations.find(target, "product", RR, budget, np.random.default_rng(0), bounds(least, most))
    return target, budget, found


def test_an_open_interval_is_closed_from_above():
    target, _, found = find("W(3)", 2, 4)
    assert [bound.claim.value for bound in found] == [2]
    known = Known(target, [Question("product", RR, "border_rank")])
    known.add(found)
    assert known.upper(known.questions[0])[0] == 2


def test_a_closed_interval_is_left_alone():
    assert find("W(3)", 2, 2)[2] == []


def test_what_floating_point_suggests_is_noted_and_not_claimed():
    _, budget, found = find("unit(2)", 1, 2)
    assert (
        found == []
        and str(budget.beliefs[0]) == "none of 24 starts comes arbitrarily close with 1 product unit over RR"
    )


def test_it_is_about_border_ranks_in_characteristic_zero():
    target = read_targets("W(3)")[0]
    assert degenerations.METHOD.field_for(target, Question("product", QQ, "rank")) is None
    assert degenerations.METHOD.field_for(target, Question("product", gf(5), "border_rank")) is None
    assert degenerations.METHOD.field_for(target, Question("product", CC, "border_rank")) == CC
