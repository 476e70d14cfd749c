"""What a method for floors is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankproof.bounds.method import Bound
from rankproof.problem.question import Floor
from rankproof.problem.target import Target


@dataclass(frozen=True)
class FloorMethod:
    """One way to prove that a loss stays above a number: an entry of `rankproof.bounds.floor.FLOOR`.

    Attributes
    ----------
    name
        The file that defines it.
    rule
        The verifier's rule that its bounds are checked by.
    summary
        One line for the catalogue.
    units
        Names of unit models; ``mixed:k`` stands for every k.
    find
        Called with target, units, the floor that is asked about and a generator for random choices; returns the best bound
        found, or None.
    sharper
        It searches for longer, and is left out where others answer unless the sharpest floor is asked for.
    """

    name: str
    rule: str
    summary: str
    units: tuple[str, ...]
    find: Callable[[Target, str, Floor, np.random.Generator], Bound | None]
    sharper: bool = False
