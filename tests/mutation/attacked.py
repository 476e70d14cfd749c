"""Floating point against accepted claims about which the oracle knows nothing.

Who claims that w units are needed is contradicted by w - 1 units that are enough, who claims a floor by a network below it.
Both are searched for, for a moment. An upper bound is confirmed by a sum that reaches the target. Nothing found proves
nothing, and is counted as such: *withstood*. The searches are those of the hunt and of the attack on floors, which share
no code with the verifier.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from floor_attack import LOSSES, trained
from hunt.attack import is_beaten

from rankproof.bounds.numerical import Result, field_of_search, search
from rankproof.certificate.document import Certificate, Conclusion
from rankproof.errors import RankproofError
from rankproof.problem.field import CC, RR
from rankproof.problem.question import Floor
from rankproof.problem.target import Target

SECONDS = 0.3
"""For one search, at most."""

STARTS = 3
"""Networks that try to get below one floor."""

MOST_COORDINATES = 200
"""Of a sum or a network; larger ones are not tried."""

WITHSTOOD, CONTRADICTED, UNTRIED = "withstood", "false", "not judged"


def attack(tree: Mapping[str, Any]) -> tuple[str, str]:
    """What came of attacking every answer of an accepted certificate, and about which answer that is said.

    An answer that floating point cannot contradict (over QQ, a number field or GF(p), or too large) makes it *not judged*.
    """
    try:
        certificate = Certificate.from_bytes(json.dumps(tree).encode("ascii"))
    except RankproofError:
        return UNTRIED, ""
    verdict, about = WITHSTOOD, ""
    for answer in certificate.conclusion:
        try:
            found = _floor(certificate.target, answer) or _width(certificate.target, answer)
        except RankproofError:
            found = UNTRIED  # too large for a dense search
        if found == CONTRADICTED:
            return found, f"{answer} of {certificate.target.text}"
        if found == UNTRIED:
            verdict = UNTRIED
    return verdict, about


def _floor(target: Target, answer: Conclusion) -> str | None:
    quantity = answer.quantity
    if not isinstance(quantity, Floor):
        return None
    space = target.space
    if quantity.loss not in LOSSES or not space.is_polynomial or quantity.width == 0:
        return UNTRIED
    if quantity.width * (space.variables_count * space.form_degree + space.outputs) > MOST_COORDINATES:
        return UNTRIED
    # The part of highest degree of a network on inputs that are r times as long is r^d times as large.
    scale = 1.0 if quantity.loss == "frobenius" else float(quantity.scale) ** space.form_degree
    best = scale * _least_loss(target, answer.units, quantity.width, quantity.loss)
    return CONTRADICTED if best < float(answer.lower) * (1 - 1e-8) else WITHSTOOD


@lru_cache(maxsize=4096)
def _least_loss(target: Target, units: str, width: int, loss: str) -> float:
    return trained(target, units, width, loss, STARTS, np.random.default_rng(width))


def _width(target: Target, answer: Conclusion) -> str:
    over = field_of_search(target, answer.field)
    if answer.field not in (RR, CC) or over is None:
        return UNTRIED
    border = answer.quantity == "border_rank"
    if answer.lower > 1:
        fewer = _best(target, answer.units, int(answer.lower) - 1, over == CC)
        if fewer is None:
            return UNTRIED
        if is_beaten(fewer, border):
            return CONTRADICTED
    if answer.upper is not None:
        enough = _best(target, answer.units, int(answer.upper), over == CC)
        if enough is None or not is_beaten(enough, border):
            return UNTRIED
    return WITHSTOOD


@lru_cache(maxsize=4096)
def _best(target: Target, units: str, width: int, complex_units: bool) -> Result | None:
    space = target.space
    if width * sum(n * d for n, d in space.factors) > MOST_COORDINATES:
        return None
    return search(target, units, width, CC if complex_units else RR, seconds=SECONDS, exactly=False)


__all__ = ["CONTRADICTED", "UNTRIED", "WITHSTOOD", "attack"]
