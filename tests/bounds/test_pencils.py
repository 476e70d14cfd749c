"""Ranks of tensors with two slices: both sides, over every field, against Ja'Ja's formula."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from rankproof import prove
from rankproof.exact.kronecker_form import multiply as times
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target


@dataclass(frozen=True)
class Block:
    """e x (e + 1), its transpose, or a companion matrix."""

    kind: str
    size: int
    polynomial: tuple[int, ...] = ()


def columns(e: int) -> Block:
    return Block("columns", e)


def rows(e: int) -> Block:
    return Block("rows", e)


def f(*coefficients: int) -> Block:
    return Block("polynomial", len(coefficients) - 1, coefficients)


def canonical(blocks: list[Block], ring: Field) -> list[list[list]]:
    height = sum(b.size + (b.kind == "rows") for b in blocks)
    width = sum(b.size + (b.kind == "columns") for b in blocks)
    first, second = ([[0] * width for _ in range(height)] for _ in range(2))
    i = j = 0
    for b in blocks:
        for k in range(b.size):
            first[i + k][j + k] = 1
            if b.kind == "columns":
                second[i + k][j + k + 1] = 1
            elif b.kind == "rows" or k + 1 < b.size:
                second[i + k + 1][j + k] = 1
        for k, c in enumerate(b.polynomial[:-1]):
            second[i + k][j + b.size - 1] = ring.reduce(-c)
        i, j = i + b.size + (b.kind == "rows"), j + b.size + (b.kind == "columns")
    return [first, second]


def tensor(blocks: list[Block], ring: Field = QQ, seed: int = 0) -> Target:
    """A canonical pencil in other bases."""
    pair = canonical(
        [Block(b.kind, b.size, tuple(ring.reduce(c) for c in b.polynomial)) for b in blocks], ring
    )
    rng = np.random.default_rng(seed)
    m, n = len(pair[0]), len(pair[0][0])
    # Triangular matrices with ones on the diagonal are invertible over every field.
    left = np.tril(rng.integers(-1, 2, size=(m, m)), -1) + np.eye(m, dtype=int)
    right = np.triu(rng.integers(-1, 2, size=(n, n)), 1) + np.eye(n, dtype=int)
    entries = {}
    for s, matrix in enumerate(pair):
        image = times(times(left.tolist(), matrix, ring), right.tolist(), ring)
        entries |= {(s, i, j): x for i, row in enumerate(image) for j, x in enumerate(row) if x}
    return Target.from_entries(Space.tensor(2, m, n), entries, ring)


def both_sides(target: Target, field: Field, quantity: str = "rank") -> tuple[int, int | None]:
    proof = prove.certify(target, fields=(field,), budget=3)
    return next((a.lower, a.upper) for a in proof.answers if a.quantity == quantity)


I = Field.parse("QQ(i)")

RANKS = [
    # blocks, ranks over QQ, RR, CC, QQ(i), border rank over CC
    ([columns(1), columns(1)], 4, 4, 4, 4, 4),
    ([columns(1), rows(1)], 4, 4, 4, 4, 3),
    ([columns(2), rows(2)], 6, 6, 6, 6, 5),
    ([columns(1), f(0, 0, 1)], 5, 5, 5, 5, 4),
    ([columns(1), rows(2), f(-1, 0, 1)], 7, 7, 7, 7, 6),
    ([f(0, 0, 0, 1)], 4, 4, 4, 4, 3),
    ([f(0, 0, 1), f(0, 1)], 4, 4, 4, 4, 3),
    ([f(0, 0, 1), f(0, 0, 1)], 6, 6, 6, 6, 4),
    ([f(1, 0, 1)], 3, 3, 2, 2, 2),
    ([f(1, 0, 1), f(1, 0, 1)], 6, 6, 4, 4, 4),
    ([f(4, 0, 5, 0, 1)], 5, 5, 4, 4, 4),
    ([f(-2, 0, 1)], 3, 2, 2, 3, 2),
    ([f(-2, 0, 0, 1)], 4, 4, 3, 4, 3),
    ([f(-1, -1, 0, 0, 0, 1)], 6, 6, 5, 6, 5),
    ([f(4, 0, 4, 0, 1)], 5, 5, 5, 5, None),
]


@pytest.mark.parametrize(
    ("blocks", "q", "r", "c", "i", "border"), RANKS, ids=lambda x: str(x) if isinstance(x, int) else None
)
def test_every_pencil_is_settled_in_characteristic_0(
    blocks: list[Block], q: int, r: int, c: int, i: int, border: int | None
) -> None:
    target = tensor(blocks)
    for field, rank in ((QQ, q), (RR, r), (CC, c), (I, i)):
        assert both_sides(target, field) == (rank, rank), field
    if border is not None:
        assert both_sides(target, CC, "border_rank") == (border, border)


@pytest.mark.parametrize(
    ("blocks", "p", "rank"),
    [
        ([columns(1), rows(1)], 2, 4),
        ([f(0, 0, 1)], 2, 3),
        ([f(1, 1, 1)], 2, 3),
        ([f(1, 0, 1)], 3, 3),
        ([f(1, 0, 1)], 5, 2),
        ([f(1, 0, 1), f(1, 0, 1)], 7, 6),
        ([columns(2), f(3, 0, 1)], 11, 6),
    ],
)
def test_pencils_over_finite_fields(blocks: list[Block], p: int, rank: int) -> None:
    assert both_sides(tensor(blocks, gf(p)), gf(p)) == (rank, rank)


def test_the_formula_is_no_upper_bound_over_two_elements() -> None:
    # Ja'Ja's formula gives 4; the rank is 5, and nothing here claims 4 units.
    lower, upper = both_sides(tensor([f(1, 1, 0, 1)], gf(2)), gf(2))
    assert lower >= 4
    assert upper is None or upper >= 5


@pytest.mark.parametrize(
    ("entries", "rank"),
    [
        # Cayley's hyperdeterminant is negative, positive, zero.
        ({(0, 0, 0): 1, (1, 1, 0): -1, (0, 1, 1): 1, (1, 0, 1): 1}, 3),
        ({(0, 0, 0): 1, (1, 1, 1): 2, (0, 1, 1): 1}, 2),
        ({(0, 0, 1): 1, (0, 1, 0): 1, (1, 0, 0): 1}, 3),
        ({(0, 0, 0): 1, (1, 0, 1): 5, (1, 1, 0): Fraction(1, 3), (0, 1, 1): -1}, 3),
    ],
)
def test_real_2x2x2_tensors(entries: dict, rank: int) -> None:
    target = Target.from_entries(Space.tensor(2, 2, 2), entries)
    assert both_sides(target, RR) == (rank, rank)


def test_real_border_rank_of_the_complex_product() -> None:
    assert both_sides(named("complex_product"), RR, "border_rank") == (3, 3)
    assert both_sides(named("complex_product"), QQ) == (3, 3)


def test_pairs_of_quadrics_in_tied_units() -> None:
    from rankproof.problem.parse import read_targets

    (target,) = read_targets("x**2 - y**2; 2*x*y")
    proof = prove.certify(target, units=("tied",), fields=(QQ,), budget=3)
    assert [(a.lower, a.upper) for a in proof.answers if a.quantity == "rank"] == [(3, 3)]
