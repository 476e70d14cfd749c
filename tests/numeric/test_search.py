"""Levenberg-Marquardt and its restarts: what they reach, what they survive, and that they repeat themselves."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from rankproof.numeric.lm import Schedule, minimise, solve_positive
from rankproof.numeric.restarts import Batch, batches, in_order, schedule_for, starting_points
from rankproof.numeric.targets import objective
from rankproof.numeric.tensors import TensorObjective
from rankproof.problem.parse import read_targets

LATER = time.time() + 1e6


def runs(f, count, seed=0):
    return Batch(f, schedule_for(f), seed, 0, count, LATER).run()


def named(text, units, width, **options):
    return objective(read_targets(text)[0], units, width, **options)


def test_nine_of_ten_starts_reach_strassens_rank():
    f = named("matmul(2,2,2)", "product", 7)
    done = runs(f, 40)
    assert done.succeeded(schedule_for(f).goal).sum() >= 36
    # The residual is computed entry by entry, so the goal means what it says.
    solution = done.x[done.cost.argmin()]
    assert np.abs(f.residual(solution[None])).max() < 1e-12


@pytest.mark.parametrize(
    "text, units, width",
    [
        ("x**2*y", "tied", 3),
        ("x*y*z", "tied", 4),
        ("x**3*y + y*z**3", "untied", 2),
        ("x**2*y**2 + z**4", "mixed:2", 2),
        ("x*y*z + x**3", "split", 2),
        ("x**2 - y**2; 2*x*y", "untied", 3),
        ("W(3)", "product", 3),
        ("GHZ(4)", "product", 2),
    ],
)
@pytest.mark.parametrize("is_complex", [False, True])
def test_decompositions_of_every_kind_of_unit_are_found(text, units, width, is_complex):
    f = named(text, units, width, complex_units=is_complex)
    assert runs(f, 24).cost.min() < 1e-25


def test_complex_units_reach_what_real_ones_cannot():
    # x^2 y^2 has complex tied width 3 and real tied width 4.
    real, complex_ = (named("x**2*y**2", "tied", 3, complex_units=c) for c in (False, True))
    assert runs(complex_, 16).cost.min() < 1e-25
    assert runs(real, 16).cost.min() > 1e-20


def test_no_start_reaches_six_products_for_two_by_two_matrices():
    assert runs(named("matmul(2,2,2)", "product", 6), 24).cost.min() > 1e-12


@pytest.mark.parametrize(
    "tensor, width",
    [
        (np.eye(2)[:, :, None] * np.ones(2), 2),
        (np.ones((2, 3, 4)), 2),
        (np.ones((2, 3, 4), dtype=int), 1),
        (np.zeros((2, 3, 4)), 3),
        (np.arange(8).reshape(2, 2, 2), 25),
        (np.ones((1, 1, 1)), 2),
        (np.ones(3), 2),
        (1j * np.ones((2, 2)), 1),
    ],
)
def test_degenerate_and_over_asked_problems_end_without_a_warning(tensor, width):
    assert runs(TensorObjective(tensor, width), 8).cost.min() < 1e-24


def test_at_border_rank_the_w_tensor_is_approached_with_growing_coordinates_and_never_reached():
    done = runs(named("W(3)", "product", 2), 16)
    assert (done.cost > 1e-10).all() and np.isfinite(done.x).all()
    assert (done.cost < 1e-3).any()


def test_a_restart_is_the_same_whatever_is_asked_for_beside_it():
    f = named("matmul(2,2,2)", "product", 7)
    schedule = schedule_for(f)
    some = starting_points(f, schedule, 5, [3])
    assert np.array_equal(some[0], starting_points(f, schedule, 5, range(10))[3])
    assert not np.array_equal(some[0], starting_points(f, schedule, 6, [3])[0])


def test_batches_cover_every_restart_once():
    f = named("matmul(2,2,2)", "product", 7)
    parts = [(b.first, b.count) for b in batches(f, schedule_for(f), 0, 150, LATER)]
    assert [k for first, count in parts for k in range(first, first + count)] == list(range(150))


def best_costs(batch):
    return batch.run().cost


def test_the_number_of_processes_changes_nothing():
    f = named("matmul(2,2,2)", "product", 7)
    tasks = list(batches(f, replace(schedule_for(f), steps=30), 1, 30, LATER))
    alone = np.concatenate(list(in_order(best_costs, tasks, 1)))
    together = np.concatenate(list(in_order(best_costs, tasks, 2)))
    assert np.array_equal(alone, together)


def test_a_run_stops_when_it_is_told_to():
    f = named("matmul(2,2,2)", "product", 7)
    done = Batch(f, schedule_for(f), 0, 0, 4, time.time() - 1).run()
    assert (done.steps == 0).all() and np.isfinite(done.cost).all()


def test_held_coordinates_stay_where_they_are():
    f = named("matmul(2,2,2)", "product", 7)
    x = np.random.default_rng(0).standard_normal((2, f.size))
    free = np.arange(10, f.size)
    done = minimise(f, x, Schedule(steps=20), free=free)
    assert np.array_equal(done.x[:, :10], x[:, :10]) and (done.cost < f.cost(f.residual(x))).all()


@pytest.mark.parametrize("n", [5, 150])
def test_a_singular_system_spoils_no_other(n):
    rng = np.random.default_rng(0)
    A = rng.standard_normal((3, n, n))
    gram = A @ A.transpose(0, 2, 1) + np.eye(n)
    gram[1] = 0
    side = rng.standard_normal((3, n))
    x = solve_positive(gram.copy(), side)
    assert np.isnan(x[1]).all()
    for k in (0, 2):
        np.testing.assert_allclose(gram[k] @ x[k], side[k], atol=1e-8)


@pytest.mark.parametrize("n", [6, 150])
def test_hermitian_systems_are_solved(n):
    rng = np.random.default_rng(0)
    A = rng.standard_normal((2, n, n)) + 1j * rng.standard_normal((2, n, n))
    gram = A @ A.conj().transpose(0, 2, 1) + np.eye(n)
    side = rng.standard_normal((2, n)) + 0j
    x = solve_positive(gram.copy(), side)
    np.testing.assert_allclose(np.einsum("bij,bj->bi", gram, x), side, atol=1e-8)
