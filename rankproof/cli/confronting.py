"""What is certified about a target, for commands that hold experiments against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rankproof.errors import NothingProved

if TYPE_CHECKING:
    from rankproof.problem.target import Target
    from rankproof.train.confront import Known
    from rankproof.train.plan import Plan


def known_widths(target: Target, units: Sequence[str], budget: float, seed: int = 0) -> list[Known]:
    """Certified exact and border widths over RR, one entry a kind of unit.

    Parameters
    ----------
    target
        A form or map.
    units
        Tied, untied or both.
    budget
        Seconds for the search; with 0 nothing is asked.
    seed
        Of the search.
    """
    from rankproof.problem.field import RR
    from rankproof.prove import certify
    from rankproof.train.confront import Known

    if not budget:
        return []
    try:
        proof = certify(target, units=tuple(units), fields=(RR,), budget=budget, seed=seed)
    except NothingProved:
        return []
    answers = {(answer.units, answer.quantity): answer for answer in proof.answers}
    found: list[Known] = []
    for name in units:
        rank, border = answers[name, "rank"], answers[name, "border_rank"]
        found.append(Known(name, rank.lower, rank.upper, border.lower, border.upper))
    return found


def confronted(plan: Plan, budget: float) -> list[Known]:
    """What is certified about the units of a plan, with floors below the border width; empty for other activations."""
    if not plan.polynomial:
        return []
    return [replace(own, floors=_floors(plan, own)) for own in known_widths(plan.target, plan.units, budget)]


def _floors(plan: Plan, own: Known) -> dict[int, Fraction]:
    """Certified floors at the widths of a plan that lie below the border width."""
    from rankproof.floors import certified_floor
    from rankproof.problem.field import QQ
    from rankproof.problem.question import LOSSES, Floor

    if plan.bias or plan.target.ring != QQ or plan.loss not in LOSSES:
        # With biases the target is homogenised, and its loss is not that of its part of highest degree.
        return {}
    floors: dict[int, Fraction] = {}
    for width in plan.widths_of(own.units):
        if width < own.border_lower:
            found = certified_floor(plan.target, own.units, Floor(plan.loss, width))
            if found.value:
                floors[width] = found.value
    return floors


__all__ = ["confronted", "known_widths"]
