"""Targets that the suites share."""

from __future__ import annotations

import random

from rankproof.exact.koszul import Projection
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target

PRIME = 1048573


def named(text: str) -> Target:
    """The target of a text."""
    return read_targets(text)[0]


def generic(n: int, d: int) -> Target:
    """A form with small random coefficients."""
    generator, space = random.Random(f"{n} {d}"), Space.form(n, d)
    return Target.from_entries(
        space, {word: generator.choice([-1, 1]) * generator.randint(1, 99) for word in space.words()}
    )


def diagonals(n: int) -> Projection:
    """The entry (i, j) of an n x n matrix goes to x_(i+j)."""
    return tuple(tuple(int(i + j == k) for i in range(n) for j in range(n)) for k in range(2 * n - 1))


def random_projection(n: int, a: int) -> Projection:
    """To dimension a, with small entries."""
    generator = random.Random(f"{n} {a}")
    return tuple(tuple(generator.randint(-3, 3) for _ in range(n)) for _ in range(a))
