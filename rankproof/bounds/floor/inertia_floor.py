"""Floors of quadratic forms: what the eigenvalues of largest absolute value leave over, counted by signatures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.floor.flattening import constant
from rankproof.bounds.floor.method import FloorMethod
from rankproof.bounds.lower.inertia import LARGEST_DIMENSION, signature, symmetric_matrix
from rankproof.bounds.method import Bound
from rankproof.bounds.quadratic import is_one_quadric
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.problem.field import QQ, RR
from rankproof.problem.question import Floor
from rankproof.problem.target import Target

MANY_VARIABLES = 100
"""From here on every threshold costs the verifier a second and more."""

LEVELS, LEVELS_OF_MANY = 12, 3
"""Thresholds on each side."""

NEAR, NEAR_OF_MANY = 2.0**-26, 2.0**-12
"""Thresholds lie so far above an eigenvalue, relative to the largest: nearer ones need more bits."""

DIGITS = 40
"""Binary digits of a threshold, relative to the largest coefficient."""


@dataclass(frozen=True)
class Level:
    """A threshold, the number of eigenvalues beyond it, and an order of the variables that shows this."""

    threshold: Fraction
    count: int
    order: tuple[int, ...]
    bits: int


def find(target: Target, units: str, floor: Floor, rng: np.random.Generator | None = None) -> Bound | None:
    """The floor that a few thresholds on each side prove; None when it is not positive."""
    factor = constant(floor, target.space) if is_one_quadric(target) else None
    if factor is None or target.ring != QQ or target.space.variables_count > LARGEST_DIMENSION:
        return None
    n = target.space.variables_count
    width = min(floor.width, n)
    matrix = symmetric_matrix(target)
    coefficients = [Fraction(str(value)) for _, value in target.entries]  # the ring is QQ
    largest = max(map(abs, coefficients))
    values: NDArray[np.float64] = np.linalg.eigvalsh(matrix).astype(np.float64)
    wanted = _wanted(values, width, units)
    most = LEVELS_OF_MANY if n > MANY_VARIABLES else LEVELS
    sides = [
        _levels(sign * matrix, largest, np.sort(sign * values)[::-1], number, most)
        for sign, number in zip((1, -1), wanted, strict=True)
    ]
    if any(not levels or levels[0].count for levels in sides):
        return None
    tops = [level_of(levels, i) for levels in sides for i in range(width)]
    if units == "tied":
        tops = sorted(tops)[-width:] if width else []
    words = (word for word, _ in target.entries)
    norm = sum(c**2 / (1 if i == j else 2) for (i, j), c in zip(words, coefficients, strict=True))
    value = factor * (norm - sum(x**2 for x in tops))
    if value <= 0:
        return None
    witness = {
        name: [{"threshold": encode_scalar(QQ.reduce(x.threshold)), "order": list(x.order)} for x in levels]
        for name, levels in zip(("above", "below"), sides, strict=True)
    }
    witness["bits"] = max(level.bits for levels in sides for level in levels)  # pyright: ignore[reportArgumentType]
    claim = Claim(floor, units, RR, ">=", value if value.denominator > 1 else int(value))
    share = int(1000 * value / factor / norm) / 10  # rounded down: it is a lower bound
    reason = f"{share} % of the squared norm lie beyond the {width} largest eigenvalues" + (
        "" if units == "tied" else " of either sign"
    )
    return Bound(claim, "inertia-floor", witness, reason)


def level_of(levels: list[Level], i: int) -> Fraction:
    """The least threshold that eigenvalue number i, from 0, does not exceed."""
    return min(level.threshold for level in levels if level.count <= i)


def _wanted(values: NDArray[np.float64], width: int, units: str) -> tuple[int, int]:
    """How many of the largest eigenvalues of either sign count."""
    if units != "tied":
        return width, width
    largest = values[np.argsort(-np.abs(values))][:width]
    # One more on each side shows that the others are no larger than these.
    return int((largest > 0).sum()) + 1, int((largest < 0).sum()) + 1


def _levels(
    matrix: NDArray[np.float64], largest: Fraction, values: NDArray[np.float64], width: int, most: int
) -> list[Level]:
    """Levels just above chosen eigenvalues, the highest first."""
    values = np.maximum(values, 0.0)
    scale = max(float(np.abs(values).max()), float(np.abs(matrix).max()))
    found: list[Level] = []
    for count in _places(tuple(float(x) for x in values[:width]), most):
        value = float(values[count])
        gap = float(values[count - 1]) - value if count else scale
        threshold = value + min(gap / 2, (NEAR_OF_MANY if len(matrix) > MANY_VARIABLES else NEAR) * scale)
        exact = Fraction(round(threshold * 2**DIGITS), 2**DIGITS)
        if exact <= 0:
            continue
        seen = signature(matrix - float(exact) * np.eye(len(matrix)))
        if seen.bits is None or seen.positive != count or seen.positive + seen.negative != len(matrix):
            continue
        found.append(Level(exact * largest, count, seen.order, seen.bits))
    return found


def _places(values: tuple[float, ...], most: int) -> list[int]:
    """Where to put the thresholds so that the squares of what they allow sum to least: after so many eigenvalues."""
    n = len(values)

    @cache
    def best(start: int, left: int) -> tuple[float, tuple[int, ...]]:
        # A threshold above value number start, which holds for all up to the next threshold.
        options: list[tuple[float, tuple[int, ...]]] = [((n - start) * values[start] ** 2, (start,))]
        if left > 1:
            for end in range(start + 1, n):
                cost, rest = best(end, left - 1)
                options.append(((end - start) * values[start] ** 2 + cost, (start, *rest)))
        return min(options)

    return list(best(0, most)[1]) if n else [0]


METHOD = FloorMethod(
    name="inertia-floor",
    rule="inertia-floor",
    summary="eigenvalues of a quadratic form, counted beyond thresholds; twice as strong for products as a flattening",
    units=("tied", "untied", "mixed:k", "split"),
    find=find,
)
