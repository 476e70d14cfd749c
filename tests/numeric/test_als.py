"""Matricised products, alternating least squares and the subspace power method."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.numeric.als import als
from rankproof.numeric.mttkrp import khatri_rao, mttkrp, sweep
from rankproof.numeric.power_method import power_method
from rankproof.numeric.targets import objective
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space

SHAPES = [(4,), (3, 4), (3, 4, 5), (2, 3, 2, 3), (2, 2, 3, 2, 2)]


def random_problem(shape, r, rng):
    return rng.standard_normal(shape), [rng.standard_normal((n, r)) for n in shape]


def contraction(tensor, matrices, mode):
    letters = "ijklm"[: tensor.ndim]
    others = [m for m in range(tensor.ndim) if m != mode]
    spelled = ",".join([letters, *(f"{letters[m]}r" for m in others)])
    if not others:
        return np.outer(tensor, np.ones(matrices[0].shape[1]))
    return np.einsum(f"{spelled}->{letters[mode]}r", tensor, *(matrices[m] for m in others))


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_mttkrp_contracts_all_modes_but_one(shape):
    tensor, matrices = random_problem(shape, 4, np.random.default_rng(0))
    for mode in range(len(shape)):
        np.testing.assert_allclose(
            mttkrp(tensor, matrices, mode), contraction(tensor, matrices, mode), atol=1e-12
        )


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_sweeps_hand_out_the_products_at_the_matrices_as_they_are_by_then(shape, count):
    rng = np.random.default_rng(1)
    tensor, matrices = random_problem(shape, 3, rng)
    seen = []

    def update(mode, product):
        np.testing.assert_allclose(product, contraction(tensor, matrices, mode), atol=1e-12)
        seen.append((mode, rng.standard_normal(matrices[mode].shape)))
        return seen[-1][1]

    sweep(tensor, matrices, update, count)
    assert [mode for mode, _ in seen] == count * list(range(len(shape)))
    assert all(any(m is new for _, new in seen[-len(shape) :]) for m in matrices)


def test_a_khatri_rao_product_has_kronecker_products_as_columns():
    rng = np.random.default_rng(2)
    A, B = rng.standard_normal((2, 3)), rng.standard_normal((4, 3))
    np.testing.assert_allclose(khatri_rao([A, B])[:, 1], np.kron(A[:, 1], B[:, 1]))


@pytest.mark.parametrize("shape, r", [((3, 4, 5), 2), ((40, 30, 20), 3), ((2, 3, 2, 3), 2), ((5, 6), 2)])
@pytest.mark.parametrize("line_search", [False, True])
def test_exact_sums_are_found_again_by_compiled_loops_and_by_matrix_products(shape, r, line_search):
    rng = np.random.default_rng(3)
    truth = [rng.standard_normal((n, r)) for n in shape]
    tensor = (khatri_rao(truth) @ np.ones(r)).reshape(shape)
    start = [m + 0.1 * rng.standard_normal(m.shape) for m in truth]
    result = als(tensor, start, sweeps=2000, goal=1e-22, line_search=line_search)
    assert result.cost <= 1e-22 and result.factors.width == r
    rebuilt = (khatri_rao(result.factors.matrices) @ np.ones(r)).reshape(shape)
    np.testing.assert_allclose(rebuilt, tensor, atol=1e-9)


def test_compiled_loops_and_matrix_products_take_the_same_steps(monkeypatch):
    tensor, start = random_problem((4, 3, 5), 2, np.random.default_rng(4))
    compiled = als(tensor, start, sweeps=5, damping=0.1, check_every=5)
    monkeypatch.setattr("rankproof.numeric.als.COMPILED_UP_TO", 0)
    dense = als(tensor, start, sweeps=5, damping=0.1, check_every=5)
    for a, b in zip(compiled.factors.matrices, dense.factors.matrices, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-8)
    assert compiled.cost == pytest.approx(dense.cost)


def test_complex_tensors_are_decomposed():
    rng = np.random.default_rng(5)
    truth = [rng.standard_normal((n, 2)) + 1j * rng.standard_normal((n, 2)) for n in (3, 4, 2)]
    tensor = (khatri_rao(truth) @ np.ones(2)).reshape(3, 4, 2)
    assert als(tensor, [m + 0.1 for m in truth], sweeps=2000, goal=1e-20).cost <= 1e-20


def test_sweeps_never_increase_the_distance():
    tensor, matrices = random_problem((3, 3, 3), 3, np.random.default_rng(6))
    costs = [als(tensor, matrices, sweeps=s).cost for s in (0, 1, 2, 5, 20)]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize(
    "tensor, r",
    [(np.zeros((2, 3, 2)), 2), (np.ones((2, 3, 4)), 2), (np.ones((2, 2, 2), dtype=int), 9), (np.eye(2), 5)],
)
def test_singular_systems_do_no_harm(tensor, r):
    rng = np.random.default_rng(7)
    result = als(tensor, [rng.standard_normal((n, r)) for n in tensor.shape], sweeps=200)
    assert result.cost < 1e-20


def test_bad_arguments_are_refused():
    with pytest.raises(UsageError, match="NaN"):
        als([[np.nan, 1]], [np.ones((1, 1)), np.ones((2, 1))])
    with pytest.raises(UsageError, match="shapes"):
        als(np.ones((2, 2)), [np.ones((2, 1)), np.ones((3, 1))])
    with pytest.raises(UsageError, match="shapes"):
        als(np.ones((2, 2)), [np.ones((2, 1)), np.ones((2, 2))])


@pytest.mark.parametrize("n, d, r", [(6, 4, 12), (4, 3, 4), (3, 5, 4), (3, 6, 5)])
def test_the_power_method_decomposes_general_forms_of_subgeneric_rank(n, d, r):
    rng = np.random.default_rng(8)
    units = [(tuple(int(x) for x in rng.integers(-5, 6, n)), (int(rng.integers(1, 6)),)) for _ in range(r)]
    f = objective(Decomposition.of("tied", units).target(Space.form(n, d)), "tied", r)
    x = power_method(f, np.random.default_rng(0))
    assert x is not None and f.cost(f.residual(x[None]))[0] < 1e-18


def test_the_power_method_does_not_apply_where_the_flattening_has_another_rank():
    target = read_targets("x**4 + y**4")[0]
    assert power_method(objective(target, "tied", 3), np.random.default_rng(0)) is None
    assert power_method(objective(target, "untied", 2), np.random.default_rng(0)) is None
    # x^2 y^2 - x y^3 has a flattening of rank 3, and its image holds no three independent powers of real forms.
    assert power_method(objective(read_targets("x**3*y")[0], "tied", 2), np.random.default_rng(0)) is None
