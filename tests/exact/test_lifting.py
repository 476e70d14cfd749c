"""Decompositions modulo p lifted to the rationals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.bounds.schemes.classical import laderman, strassen
from rankproof.errors import UsageError
from rankproof.exact.lifting import lifted, rational_reconstruction
from rankproof.exact.tensor_sums import over
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target


@pytest.mark.parametrize(
    "scheme, shape, p", [*((strassen, (2, 2, 2), p) for p in (2, 3, 5)), (laderman, (3, 3, 3), 2)]
)
def test_schemes_modulo_p_lift_to_schemes_over_the_rationals(scheme, shape, p):
    target = named("matmul", *shape)
    result = lifted(over(scheme(), gf(p)), target)
    assert result is not None
    assert (result.ring, len(result)) == (QQ, len(scheme()))
    assert result.residual(target) == {}


def test_what_exists_modulo_2_only_does_not_lift():
    # x^2 + y^2 = (x + y)^2 modulo 2, and the tensor e0 e0 + e1 e1 + ... has rank 2 over QQ.
    identity = Target.from_entries(Space.tensor(2, 2), {(0, 0): 1, (1, 1): 1, (0, 1): 3, (1, 0): 1})
    one = Decomposition.of("product", [((1, 1), (1, 1))], gf(2))
    assert one.residual(identity) == {}
    assert lifted(one, identity) is None


def test_a_lift_may_need_denominators():
    # Modulo 3 the matrix (1 1; 1 1) is what (2 1; 1 1/2) * 2 is.
    matrix = Target.from_entries(Space.tensor(2, 2), {(0, 0): 4, (0, 1): 2, (1, 0): 2, (1, 1): 1})
    found = Decomposition.of("product", [((1, 2), (1, 2))], gf(3))
    result = lifted(found, matrix)
    assert result is not None
    assert result.residual(matrix) == {}


@given(st.integers(-40, 40), st.integers(1, 40))
def test_a_fraction_is_recognised_from_its_residue(numerator, denominator):
    modulus = 7**6
    if denominator % 7:
        x = numerator * pow(denominator, -1, modulus) % modulus
        assert rational_reconstruction(x, modulus) * denominator == numerator


def test_units_that_do_not_sum_to_the_target_are_refused():
    with pytest.raises(UsageError, match="no decomposition of quaternion_product"):
        lifted(over(strassen(), gf(2)), named("quaternion_product"))
    with pytest.raises(UsageError, match="over a field GF"):
        lifted(strassen(), named("matmul", 2, 2, 2))
