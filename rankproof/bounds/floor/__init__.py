"""Floors: how close networks of so few units can come at most. The table, cheapest first."""

from __future__ import annotations

from rankproof.bounds.floor import flattening, inertia_floor
from rankproof.bounds.floor.method import FloorMethod

FLOOR: tuple[FloorMethod, ...] = (flattening.METHOD, inertia_floor.METHOD)
"""Methods that bound the floor of a loss from below."""

__all__ = ["FLOOR", "FloorMethod"]
