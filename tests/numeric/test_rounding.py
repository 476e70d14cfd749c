"""Simple coordinates for floating-point decompositions."""

from __future__ import annotations

import time

import numpy as np
import pytest

from rankproof.numeric.restarts import Batch, schedule_for
from rankproof.numeric.rounding import round_off
from rankproof.numeric.targets import objective
from rankproof.numeric.tensors import TensorObjective
from rankproof.problem.parse import read_targets


def solution(f, seed=0):
    done = Batch(f, schedule_for(f), seed, 0, 16, time.time() + 1e6).run()
    assert done.cost.min() < 1e-24
    return done.x[done.cost.argmin()]


def test_strassens_rank_is_reached_with_coordinates_zero_and_one():
    f = objective(read_targets("matmul(2,2,2)")[0], "product", 7)
    rounded = round_off(f, solution(f))
    assert rounded.solved and rounded.nullity == 0 and rounded.fixed.all()
    assert set(np.abs(rounded.x)) <= {0.0, 0.25, 0.5, 1.0, 2.0}


def test_rotated_diagonal_tensors_become_diagonal_again():
    rng = np.random.default_rng(0)
    f = TensorObjective(np.eye(3), 3)
    A = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    rounded = round_off(f, f.pack([A[None], A[None]])[0])
    assert rounded.solved and rounded.fixed.all()


@pytest.mark.parametrize("text, units, width", [("x**2*y", "tied", 3), ("x**2*y**2", "tied", 3)])
def test_what_is_left_has_no_freedom(text, units, width):
    f = objective(read_targets(text)[0], units, width, complex_units=True)
    rounded = round_off(f, solution(f))
    assert rounded.solved and rounded.nullity == 0


def test_no_decomposition_is_reported_as_solved_when_there_is_none():
    f = objective(read_targets("matmul(2,2,2)")[0], "product", 6)
    assert not round_off(f, np.random.default_rng(0).standard_normal(f.size), max_moves=3).solved


def test_a_unit_that_vanishes_does_no_harm():
    f = TensorObjective(np.ones((2, 2)), 2)
    x = f.pack([np.array([[[1.0, 0.0], [1.0, 0.0]]])] * 2)[0]
    rounded = round_off(f, x)
    assert rounded.solved and np.isfinite(rounded.x).all()
