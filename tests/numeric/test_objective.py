"""Sums of units in floating point against the exact unit models, and their derivatives against differences."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.numeric.factors import Factors
from rankproof.numeric.targets import floating, floating_root, objective, powers
from rankproof.numeric.tensors import TensorObjective
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, NumberField, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

CASES = [
    ("matmul(2,1,2)", "product"),
    ("W(4)", "product"),
    ("x;y", "product"),
    ("x**2*y", "tied"),
    ("x + y", "tied"),
    ("x + y", "untied"),
    ("x**3*y + y*z**3", "untied"),
    ("x**3*y + y*z**3", "mixed:2"),
    ("x**2*y + z**3", "split"),
    ("x**2 - y**2; 2*x*y; x**2", "untied"),
]


def random_points(f, rng, count=3):
    x = rng.standard_normal((count, f.size))
    return x + 1j * rng.standard_normal(x.shape) if f.dtype.kind == "c" else x


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("text, units", CASES)
def test_gradient_and_gram_are_those_of_the_difference_quotients(text, units, is_complex):
    f = objective(read_targets(text)[0], units, 2, complex_units=is_complex)
    x = random_points(f, np.random.default_rng(1))
    residual, h = f.residual(x), 1e-6
    quotients = [
        (f.residual(x + h * e) - f.residual(x - h * e)).reshape(len(x), -1) / (2 * h) for e in np.eye(f.size)
    ]
    J = f.jacobian(x)
    np.testing.assert_allclose(J, np.stack(quotients, 2), atol=1e-7)
    np.testing.assert_allclose(f.gram(x), np.einsum("bnp,bnq->bpq", J.conj(), J), atol=1e-10)
    flat = residual.reshape(len(x), -1)
    np.testing.assert_allclose(f.gradient(x, residual), np.einsum("bnp,bn->bp", J.conj(), flat), atol=1e-10)


@pytest.mark.parametrize("text, units", CASES)
def test_scaling_the_vectors_of_a_unit_against_each_other_changes_no_sum(text, units):
    f = objective(read_targets(text)[0], units, 3)
    x = random_points(f, np.random.default_rng(2))
    for slot in range(len(f.lengths)):
        if f.powers[slot] == 1:
            np.testing.assert_allclose(f.residual(f.normalised(x, slot)), f.residual(x), atol=1e-10)
    np.testing.assert_allclose(f.residual(f.balanced(x)), f.residual(x), atol=1e-10)


@pytest.mark.parametrize(
    "space, units",
    [
        (Space.form(3, 4), "tied"),
        (Space.form(3, 4), "mixed:2"),
        (Space.map(2, 3, 2), "untied"),
        (Space.form(2, 3), "split"),
        (Space.tensor(2, 3, 2, 2), "product"),
    ],
)
def test_a_decomposition_has_residual_zero_in_floating_point_and_exactly(space, units):
    rng = np.random.default_rng(3)
    lengths = unit_model(units).vector_lengths(space)
    exact = [tuple(tuple(int(x) for x in rng.integers(-4, 5, n)) for n in lengths) for _ in range(3)]
    target = Decomposition.of(units, exact).target(space)
    f = objective(target, units, 3)
    x = f.point(Factors.of_units(units, exact))
    assert f.cost(f.residual(x[None]))[0] < 1e-24
    np.testing.assert_allclose(f.point(f.factors(x)), x)


def test_the_linear_system_of_a_vector_is_a_block_of_the_whole():
    f = objective(read_targets("x**3*y; y**4")[0], "untied", 3)
    x = random_points(f, np.random.default_rng(4))
    R = f.residual(x)
    for slot in (1, 2):
        gram, side = f.linear_system(x, R, slot)
        part = f.slices[slot]
        np.testing.assert_allclose(gram, f.gram(x)[:, part, part], atol=1e-12)
        np.testing.assert_allclose(side, f.gradient(x, R)[:, part], atol=1e-12)


def test_distances_of_forms_do_not_change_under_rotations():
    rng = np.random.default_rng(5)
    f = objective(read_targets("x**4 + y**4 + z**4")[0], "tied", 2)
    a, w = rng.standard_normal((3, 2)), rng.standard_normal((1, 2))
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    sums = [f.residual(f.pack([m[None], w[None]])) + f.target(np.dtype(float)) for m in (a, Q @ a)]
    assert f.cost(sums[0])[0] == pytest.approx(f.cost(sums[1])[0])


def test_powers_of_the_forms_of_a_unit():
    assert powers("tied", 3) == (3,) and powers("split", 3) == (1, 1, 1)
    assert powers("untied", 3) == (2, 1) and powers("mixed:2", 5) == (3, 2)


def test_irrational_numbers_take_the_value_at_the_declared_root():
    sqrt3 = NumberField.sqrt(3)
    assert floating(1 + 2 * sqrt3.generator()) == pytest.approx(1 + 2 * 3**0.5)
    assert floating_root(NumberField.sqrt(-1)) == pytest.approx(1j)
    assert floating(Fraction(1, 3)) == pytest.approx(1 / 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_infinity_are_refused_in_words(bad):
    with pytest.raises(UsageError, match="NaN or an infinity"):
        TensorObjective([[1.0, bad], [0.0, 1.0]], 2)
    with pytest.raises(UsageError, match="NaN or an infinity"):
        Factors("product", (np.array([[bad]]), np.ones((1, 1))))


def test_what_is_no_tensor_of_numbers_is_refused():
    for bad in ([["a", "b"]], [[None, 1]], [], 3.0):
        with pytest.raises(UsageError):
            TensorObjective(bad, 2)
    with pytest.raises(UsageError, match="width"):
        TensorObjective(np.ones((2, 2)), 0)


def test_units_and_rings_that_make_no_sense_are_refused():
    target = read_targets("x**2*y")[0]
    with pytest.raises(UsageError):
        objective(target, "product", 2)
    with pytest.raises(UsageError, match="GF"):
        objective(target.over(gf(7)), "tied", 2)
    big = Target.from_entries(Space.tensor(300, 300, 300), {(0, 0, 0): 1}, QQ)
    with pytest.raises(UsageError, match="dense"):
        objective(big, "product", 2)
