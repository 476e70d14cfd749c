"""Floors: how close networks of so few units can come at most. The table, cheapest first."""

from __future__ import annotations

import numpy as np

from rankproof.bounds.floor import corners, flattening, inertia_floor, sizes, weighted
from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.method import Bound
from rankproof.problem.question import Floor
from rankproof.problem.target import Target

FLOOR: tuple[FloorMethod, ...] = (
    flattening.METHOD,
    inertia_floor.METHOD,
    corners.METHOD,
    weighted.METHOD,
    sizes.METHOD,
)
"""Methods that bound the floor of a loss from below."""

WITHOUT_CONSTANT = ("uniform", "rademacher")
"""Losses that are no multiples of the Bombieri norm: only weights prove a floor."""


def best_bound(target: Target, units: str, floor: Floor, *, sharper: bool, seed: int) -> Bound | None:
    """The largest floor that the methods prove; None when none of them proves one.

    Parameters
    ----------
    target, units, floor
        What is asked.
    sharper
        Ask the methods that search for longer too, also where others answer.
    seed
        Of their random choices.
    """
    family = "mixed:k" if units.startswith("mixed:") else units
    rng = np.random.default_rng(seed)
    methods = [m for m in FLOOR if sharper or not m.sharper or floor.loss in WITHOUT_CONSTANT]
    tried = [m for m in methods if family in m.units]
    found = [b for m in tried if (b := m.find(target, units, floor, rng)) is not None]
    return max(found, key=lambda bound: bound.claim.value, default=None)


__all__ = ["FLOOR", "FloorMethod", "best_bound"]
