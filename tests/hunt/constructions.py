"""Targets of which something is known by construction: sums of units, limits of sums, and sums with conjugate units.

Many are degenerate on purpose: repeated and parallel directions, few variables, vanishing weights, units that cancel,
tangents and osculating points at which the border rank is smaller than the rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, gf, number
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

I = NumberField.from_polynomial((1, 0, 1), symbol="i")
ROOT = NumberField.sqrt(2, symbol="r")
PRIMES = (2, 3, 5, 7, 101)

SHAPES: list[tuple[str, Space]] = [
    *((u, Space.form(n, d)) for u in ("tied", "untied", "split") for n in (2, 3, 4) for d in (2, 3, 4)),
    *(
        (u, Space.map(n, d, m))
        for u in ("tied", "untied", "split")
        for n in (2, 3)
        for d in (2, 3)
        for m in (2, 3)
    ),
    *(("mixed:2", Space.form(n, d)) for n in (2, 3) for d in (4, 5)),
    *(("mixed:3", Space.form(2, 6)), ("tied", Space.form(2, 6)), ("tied", Space.form(2, 7))),
    *(("untied", Space.form(2, 7)), ("untied", Space.form(2, 6)), ("tied", Space.form(5, 3))),
    *(
        ("product", Space.tensor(*s))
        for s in ((2, 2, 2), (3, 3, 3), (2, 3, 4), (2, 2, 2, 2), (2, 4, 4), (3, 3))
    ),
]


@dataclass(frozen=True)
class Construction:
    """A target, and questions about it with numbers that their answers do not exceed."""

    kind: str
    target: Target
    units: str
    known: tuple[tuple[Question, int], ...]


def vector(length: int, pool: list[list[int]], rng: np.random.Generator) -> list[int]:
    """A small vector: a new one, one that occurred already, or a multiple of one."""
    same = [v for v in pool if len(v) == length]
    kind = int(rng.integers(4))
    if kind == 0 and same:
        return same[int(rng.integers(len(same)))]
    if kind == 1 and same:
        factor = int(rng.choice([-2, -1, 2, 3]))
        return [factor * x for x in same[int(rng.integers(len(same)))]]
    fresh = [int(x) for x in rng.integers(-3, 4, length)]
    if kind == 2:
        fresh = [x if rng.integers(3) == 0 else 0 for x in fresh]
    pool.append(fresh)
    return fresh


def constructions(count: int, seed: int) -> Iterator[Construction]:
    """So many targets that are not zero: kinds and shapes in turns, everything else by the seed."""
    made = k = 0
    while made < count:
        rng = np.random.default_rng([seed, k])
        units, space = SHAPES[k % len(SHAPES)]
        kind = (sum_of_units, limit_of_sums, conjugate_sum)[int(rng.choice(3, p=[0.5, 0.3, 0.2]))]
        found = kind(units, space, rng)
        k += 1
        if found is not None:
            made += 1
            yield found


def _drawn(units: str, space: Space, width: int, rng: np.random.Generator) -> list[list[list[int]]]:
    pool: list[list[int]] = []
    lengths = unit_model(units).vector_lengths(space)
    return [[vector(n, pool, rng) for n in lengths] for _ in range(width)]


def sum_of_units(units: str, space: Space, rng: np.random.Generator) -> Construction | None:
    """A sum of w units over QQ or a prime field: rank at most w there and above."""
    ring = QQ if rng.integers(3) else gf(int(rng.choice(PRIMES)))
    width = int(rng.integers(1, 6))
    entries = Decomposition.of(units, _drawn(units, space, width, rng), ring).expand(space)
    if not entries:
        return None
    return Construction(
        f"sum over {ring}",
        Target.from_entries(space, entries, ring),
        units,
        _at_most(units, ring, "rank", width),
    )


def limit_of_sums(units: str, space: Space, rng: np.random.Generator) -> Construction | None:
    """A sum of coefficients of t^k of units that move with t: every one is a limit of sums of k + 1 units."""
    ring = QQ if rng.integers(3) else gf(int(rng.choice(PRIMES)))
    total: dict[tuple[int, ...], Fraction] = {}
    width = 0
    for _ in range(int(rng.integers(1, 4))):
        order = int(rng.integers(0, 3))
        moving = _drawn(units, space, order + 1, rng)
        for word, c in _coefficient(units, space, moving, order).items():
            total[word] = total.get(word, Fraction(0)) + c
        width += order + 1
    entries = {word: y for word, x in total.items() if (y := ring.reduce(x.numerator))}
    if not entries:
        return None
    return Construction(
        f"limit over {ring}",
        Target.from_entries(space, entries, ring),
        units,
        _at_most(units, ring, "border_rank", width),
    )


def _coefficient(
    units: str, space: Space, moving: list[list[list[int]]], order: int
) -> dict[tuple[int, ...], Fraction]:
    """Coefficient of t^order of the unit whose vectors are a + b t + c t^2 + ...: by values at integers and differences.

    It is an integer combination of words, since the vectors are integers.
    """
    # The weights of the outputs move too.
    degree = (space.degree + 1) * order
    values = []
    for t in range(degree + 1):
        unit = [
            [sum(moving[k][j][i] * t**k for k in range(order + 1)) for i in range(len(moving[0][j]))]
            for j in range(len(moving[0]))
        ]
        values.append(Decomposition.of(units, [unit]).expand(space))
    found: dict[tuple[int, ...], Fraction] = {}
    for word in {w for value in values for w in value}:
        samples = [Fraction(value.get(word, 0)) for value in values]
        found[word] = _newton(samples)[order]
    return found


def _newton(samples: list[Fraction]) -> list[Fraction]:
    """Coefficients of the polynomial with these values at 0, 1, 2, ..."""
    result = [Fraction(0)] * len(samples)
    basis = [Fraction(1)]
    for k in range(len(samples)):
        difference = sum((-1) ** (k - j) * comb(k, j) * samples[j] for j in range(k + 1))
        # basis is t (t - 1) ... (t - k + 1) / k!
        for i, b in enumerate(basis):
            result[i] += difference * b
        shifted = [Fraction(0), *basis]
        basis = [(s - k * b) / (k + 1) for s, b in zip(shifted, [*basis, Fraction(0)], strict=True)]
    return result


def conjugate_sum(units: str, space: Space, rng: np.random.Generator) -> Construction | None:
    """Traces of units over QQ(i) or QQ(sqrt 2), and rational units: a rational target, with a bound over a larger field."""
    field = I if rng.integers(2) else ROOT
    ring = number(field)
    pairs, alone = int(rng.integers(1, 3)), int(rng.integers(0, 2))
    total = Decomposition.of(units, _drawn(units, space, alone, rng)).expand(space) if alone else {}
    lengths = unit_model(units).vector_lengths(space)
    for _ in range(pairs):
        parts = [[[int(x) for x in rng.integers(-2, 3, n)] for n in lengths] for _ in range(2)]
        unit = [
            [field.element((x, y)) for x, y in zip(a, b, strict=True)] for a, b in zip(*parts, strict=True)
        ]
        for word, c in Decomposition.of(units, [unit], ring).expand(space).items():
            rational = c.coefficients[0] if hasattr(c, "coefficients") else c
            total[word] = total.get(word, 0) + 2 * rational
    entries = {word: x for word, x in total.items() if x}
    if not entries:
        return None
    over = CC if field is I else RR
    width = 2 * pairs + alone
    questions = [(Question(units, over, "rank"), width)]
    if over == RR:
        questions.append((Question(units, CC, "rank"), width))
    known = tuple(questions + [(Question(q.units, q.field, "border_rank"), w) for q, w in questions])
    return Construction(f"conjugates over {ring}", Target.from_entries(space, entries, QQ), units, known)


def _at_most(units: str, ring: Field, quantity: str, width: int) -> tuple[tuple[Question, int], ...]:
    fields = (ring,) if ring.characteristic else (QQ, RR, CC)
    quantities = ("rank", "border_rank") if quantity == "rank" else ("border_rank",)
    return tuple((Question(units, field, q), width) for field in fields for q in quantities)  # type: ignore[arg-type]
