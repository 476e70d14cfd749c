"""Floors of quadratic forms by counted eigenvalues: never more than the truth, and nearly that."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from blocks.small_models import llama_gguf

from rankproof import blocks
from rankproof.bounds.block_forms import block_target
from rankproof.bounds.floor.inertia_floor import find
from rankproof.bounds.lower.inertia import symmetric_matrix
from rankproof.bounds.truncation import best_form, best_shares
from rankproof.cli import main
from rankproof.floors import certified_floor, given_floors
from rankproof.problem.question import Floor
from rankproof.problem.space import Space
from rankproof.problem.target import Target

RNG = np.random.default_rng(8)


def random_form(n: int) -> tuple[Target, np.ndarray]:
    matrix = RNG.integers(-9, 10, size=(n, n))
    matrix = matrix + matrix.T
    entries = {(i, j): int(matrix[i, j]) * (1 + (i != j)) for i in range(n) for j in range(i, n)}
    return Target.from_entries(Space.form(n, 2), entries), matrix.astype(float)


@pytest.mark.parametrize("units", ["untied", "tied"])
@pytest.mark.parametrize("n", [2, 5, 9])
def test_the_floor_is_what_the_best_form_misses(n: int, units: str) -> None:
    for width in range(n):
        target, matrix = random_form(n)
        share = getattr(best_shares(matrix, width), units)
        truth = (1 - share) * (matrix**2).sum()
        bound = find(target, units, Floor("frobenius", width))
        if bound is None:
            assert truth < 0.02 * (matrix**2).sum()
            continue
        given_floors(target, [bound])
        assert truth * 0.98 - 0.01 * (matrix**2).sum() <= float(bound.claim.value) <= truth * (1 + 1e-9)


def test_no_sum_of_units_comes_closer_than_the_floor() -> None:
    target, matrix = random_form(6)
    bound = find(target, "untied", Floor("frobenius", 2))
    assert bound is not None
    a, b = best_form(matrix, 2)
    for _ in range(200):
        noise = RNG.normal(size=(2, *a.shape)) * RNG.choice([0, 0.01, 0.3, 3])
        near = ((a + noise[0]).T @ (b + noise[1]) + (b + noise[1]).T @ (a + noise[0])) / 2
        assert ((matrix - near) ** 2).sum() >= float(bound.claim.value)


def test_products_leave_more_than_the_rank_says() -> None:
    """diag(3, 2, -1): one product leaves 4 (flattening: 1)."""
    target = Target.from_entries(Space.form(3, 2), {(0, 0): 3, (1, 1): 2, (2, 2): -1})
    found = certified_floor(target, "untied", Floor("frobenius", 1))
    assert Fraction(399, 100) < found.value <= 4
    gaussian = certified_floor(target, "untied", Floor("gaussian", 1))
    assert Fraction(798, 100) < gaussian.value <= 8


def test_the_floor_of_a_block_is_certified_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = llama_gguf(tmp_path / "m.gguf")
    assert main(["block", "m.gguf", "--block", "0", "--floor", "3"]) == 0
    out = capsys.readouterr().out
    share = 100 * (1 - best_shares(symmetric_matrix(block_target(blocks.read(path, 0), [0])), 3).untied)
    said = next(line for line in out.splitlines() if line.startswith("  3 untied units: "))
    assert share - 1 < float(said.split()[3]) <= share + 0.05
    assert main(["verify", "m-block0-output0-floor3.json"]) == 0
    assert "untied frobenius floor at width 3" in capsys.readouterr().out
