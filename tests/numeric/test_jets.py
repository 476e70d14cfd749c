"""Distances of families in eps: residuals and derivatives, against exact expansions and difference quotients."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.numeric.jets import JetObjective
from rankproof.numeric.targets import objective
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import QQ
from rankproof.problem.laurent import Laurent
from rankproof.problem.parse import read_targets

CASES = [
    ("W(3)", "product"),
    ("matmul(1,2,2)", "product"),
    ("x**2*y + y**3", "tied"),
    ("x*y*z", "untied"),
    ("x**2; x*y", "split"),
]


def jets(text, units, width, order, complex_units=False):
    return JetObjective(objective(read_targets(text)[0], units, width, complex_units=complex_units), order)


@pytest.mark.parametrize("text, units", CASES)
@pytest.mark.parametrize("order", [1, 3])
def test_the_residual_vanishes_exactly_where_a_family_tends_to_its_own_sum(text, units, order):
    """Integer coefficients: the target is what the exact expansion has at eps^order, the rest has to be cancelled."""
    rng = np.random.default_rng(5)
    target = read_targets(text)[0]
    f = jets(text, units, 2, order)
    x = rng.integers(-2, 3, f.size).astype(float)
    vectors = f.coefficients(x)
    exact = tuple(
        tuple(
            tuple(
                Laurent.from_mapping({j: int(v[j, i, s]) for j in range(order + 1)})
                for i in range(v.shape[1])
            )
            for v in vectors
        )
        for s in range(2)
    )
    family = BorderFamily(units, QQ, order, exact)
    sums = family.expand(target.space)
    f.scale, f._targets = 1.0, {np.dtype(float): np.zeros((order + 1, *f.base.target(f.dtype).shape))}
    residual = f.residual(x[None])[0].reshape(order + 1, -1)
    for j in range(order + 1):
        squares = sum(
            float(Fraction(c.coefficient(j))) ** 2 * weight(target, word) for word, c in sums.items()
        )
        assert np.isclose((residual[j] ** 2).sum(), squares)


def weight(target, word):
    """Squared norm of a monomial in the orthonormal basis; 1 for tensors."""
    space = target.space
    if not (space.is_polynomial and any(p > 1 for _, p in space.factors)):
        return 1.0
    from rankproof.numeric.monomials import norms

    d = space.form_degree
    place = {w: k for k, w in enumerate(space.factor_words(0))}
    return float(norms(space.variables_count, d)[place[word[:d]]]) ** 2


@pytest.mark.parametrize("text, units", CASES)
@pytest.mark.parametrize("is_complex", [False, True])
def test_derivatives_agree_with_difference_quotients(text, units, is_complex):
    f = jets(text, units, 2, 2, is_complex)
    rng = np.random.default_rng(3)
    x, d = rng.standard_normal((2, 1, f.size)) + (
        1j * rng.standard_normal((2, 1, f.size)) if is_complex else 0
    )
    step = 1e-6
    quotient = (f.residual(x + step * d) - f.residual(x - step * d)).reshape(1, -1) / (2 * step)
    J = f.jacobian(x)
    assert np.allclose(np.einsum("bes,bs->be", J, d), quotient, rtol=1e-6, atol=1e-6)
    assert np.allclose(f.gram(x), np.matmul(J.conj().transpose(0, 2, 1), J))
    residual = f.residual(x)
    assert np.allclose(f.gradient(x, residual)[0], J[0].conj().T @ residual.ravel())


def test_points_and_coefficients_are_inverse_to_each_other():
    f = jets("W(3)", "product", 2, 2)
    x = np.arange(float(f.size))
    assert (f.of_coefficients(f.coefficients(x)) == x).all()


def test_order_zero_is_no_family():
    with pytest.raises(UsageError, match="order"):
        jets("W(3)", "product", 2, 0)
