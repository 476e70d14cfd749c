"""Ranks modulo a prime in the verifier, against python-flint."""

from __future__ import annotations

import random

import flint
import pytest

from rankproof.verifier import limits, matrix
from rankproof.verifier.matrix import blocks, rank_modulo
from rankproof.verifier.refusal import Undecided


def random_rows(generator: random.Random, p: int) -> tuple[list[dict[int, int]], int, int]:
    """A random matrix, often of low rank and often with blocks; its rows and its shape."""
    height, width, inner = generator.randint(1, 20), generator.randint(1, 20), generator.randint(0, 12)
    fill = generator.choice([0.05, 0.2, 1])

    def sparse(rows: int, columns: int) -> list[list[int]]:
        return [
            [generator.randrange(p) if generator.random() < fill else 0 for _ in range(columns)]
            for _ in range(rows)
        ]

    left, right = sparse(height, inner), sparse(inner, width)
    cells = [
        [sum(left[i][k] * right[k][j] for k in range(inner)) % p for j in range(width)] for i in range(height)
    ]
    if generator.random() < 0.4:
        cells = sparse(height, width)
    return [{j: x for j, x in enumerate(row) if x} for row in cells], height, width


@pytest.mark.parametrize(
    "cheap", [matrix.CHEAP, -(10**9), 10**9], ids=["as it is", "always packed", "never packed"]
)
@pytest.mark.parametrize("p", [2, 3, 7, 1048573, 2**31 - 1])
def test_ranks_agree_with_flint(p: int, cheap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "CHEAP", cheap)
    generator = random.Random(p)
    for _ in range(60):
        rows, height, width = random_rows(generator, p)
        copies = [dict(row) for row in rows]
        cells = [row.get(j, 0) for row in rows for j in range(width)]
        assert rank_modulo(rows, p) == flint.nmod_mat(height, width, cells, p).rank()
        assert rows == copies


def test_a_slot_is_reduced_before_it_overflows() -> None:
    """Modulo the largest prime a slot holds four products: more pivots than that, and entries that are all p - 1."""
    p, n = 2**31 - 1, 30
    rows = [{j: p - 1 if j != i else 1 for j in range(n)} for i in range(n)]
    cells = [row[j] for row in rows for j in range(n)]
    assert rank_modulo(rows, p) == flint.nmod_mat(n, n, cells, p).rank() == n


def test_columns_may_have_any_name() -> None:
    assert rank_modulo([{"a": 1, (0, 1): 2}, {"a": 2, (0, 1): 4}, {}], 5) == 1
    assert rank_modulo([], 5) == 0


def test_blocks_share_no_column() -> None:
    rows = [{0: 1, 1: 1}, {2: 1}, {1: 3, 4: 1}, {2: 5}, {}]
    assert sorted(sorted(block) for block in blocks(rows)) == [[0, 2], [1, 3], [4]]


@pytest.mark.parametrize("cheap", [-(10**9), 10**9])
def test_work_beyond_the_limit_is_undecided(cheap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "CHEAP", cheap)
    monkeypatch.setattr(limits, "OPERATIONS", 100)
    generator = random.Random(1)
    rows = [{j: generator.randrange(1, 101) for j in range(20)} for _ in range(20)]
    with pytest.raises(Undecided):
        rank_modulo(rows, 101)
