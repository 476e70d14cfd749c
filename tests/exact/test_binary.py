"""Exact algebra of binary forms: kernels, roots and linear factors over number fields."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rankproof.exact.binary import (
    apolar_basis,
    contract,
    divided,
    factored,
    integral,
    is_real_rooted,
    is_squarefree,
    linear_factors,
    multiply,
    null_space,
    product_of,
    roots_in,
    solve_combination,
)
from rankproof.exact.binary_conditions import (
    RootForm,
    discriminant_power,
    hessian_weights,
    local_root,
    macaulay_degree,
    root_form,
    square_quadrics,
)
from rankproof.problem.field import QQ, Field

FIELDS = ["QQ(i)", "QQ(sqrt(3))", "QQ(sqrt(-7))", "QQ(t**3-2)", "QQ(t**4-10*t**2+1)"]


@pytest.mark.parametrize("name", FIELDS)
def test_products_of_linear_forms_over_a_number_field_are_split(name: str) -> None:
    ring = Field.parse(name)
    assert ring.number_field is not None
    a = ring.number_field.generator()
    chance = random.Random(name)
    for _ in range(4):
        roots = [chance.randint(-2, 2) + chance.randint(-1, 1) * a for _ in range(chance.randint(1, 3))]
        form = product_of([*((1, -root) for root in roots), (2, 1), (0, 1)])
        factors = linear_factors(form, ring)
        assert factors is not None
        assert sum(multiplicity for _, multiplicity in factors) == len(form) - 1
        product = product_of(factor for factor, multiplicity in factors for _ in range(multiplicity))
        lead, scale = next((x, y) for x, y in zip(form, product, strict=True) if x)
        assert [x * scale for x in form] == [y * lead for y in product]


def test_a_form_that_does_not_split_has_no_linear_factors() -> None:
    assert linear_factors((1, 0, 1), QQ) is None
    assert linear_factors((1, 0, 0, -2), Field.parse("QQ(t**3-2)")) is None
    assert linear_factors((1, 0, -3), Field.parse("QQ(sqrt(2))")) is None
    i = Field.parse("QQ(i)").number_field
    assert i is not None
    assert linear_factors((1, 0, i.generator()), Field.parse("QQ(i)")) is None
    assert roots_in((1,), i) == []
    assert sorted(map(str, roots_in((1, 0, 1), i))) == ["-i", "i"]


def test_factors_count_the_root_at_infinity() -> None:
    assert factored((0, 0, 1, -1)) == (((0, 1), 2), ((1, -1), 1))
    assert not is_squarefree((0, 0, 1))
    assert is_squarefree((0, 1, -1))
    assert is_real_rooted((0, 1, 0, -2))
    assert not is_real_rooted((1, 0, 0, 0, -2))
    assert is_real_rooted((1, 0, -10, 0, 1))


def test_kernels_and_combinations_are_exact() -> None:
    assert null_space([(1, 2, 3)], 3, QQ) == [(-2, 1, 0), (-3, 0, 1)]
    assert null_space([], 1, QQ) == [(1,)]
    moments = divided((0, 0, 1, 0, 0))
    assert apolar_basis(moments, 2, QQ) == []
    assert apolar_basis(moments, 3, QQ) == [(1, 0, 0, 0), (0, 0, 0, 1)]
    assert contract((1, 0, 0, 0, 0, 0), moments) == ()
    assert integral((Fraction(1, 2), 0, Fraction(-3, 4))) == (2, 0, -3)
    assert solve_combination([(1, 0), (1, 1)], (3, 5), QQ) == (-2, 5)
    assert solve_combination([(1, 0)], (0, 1), QQ) is None


def test_conditions_on_roots() -> None:
    x2y2, x4y2, x3y2 = (0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0)
    form = root_form(x2y2, (1, 0), 2, True)
    assert isinstance(form, RootForm)
    assert len(form.diagonal) == 2
    assert not form.is_definite
    form = root_form(x4y2, (1, 0), 3, True)
    assert isinstance(form, RootForm)
    assert len(form.diagonal) == 3
    form = root_form(x3y2, (1, 0), 4, False)
    assert isinstance(form, RootForm)
    assert form.is_definite
    assert root_form(x2y2, (1, 1), 2, True) is False
    assert root_form(x2y2, (1, 0), 4, False) is False
    assert root_form((0, 0, 1, 0, 0, 0, 0), (1, 0), 2, True) is True


def test_p_adic_roots() -> None:
    assert local_root((7, 0, 1), 2) == 1
    assert local_root((-5, 0, 1), 2) is None
    assert local_root((-2, 0, 1), 5) is None
    assert local_root((1, 0, 1), 5) == 2


def test_squares_have_no_common_zero_or_only_repeated_factors() -> None:
    generic = divided((3, -1, 4, 1, -5, 9, 2))
    equations = square_quadrics(generic, 2)
    assert len(equations) == 3
    assert macaulay_degree(equations, 3, 2**31 - 1, 500) is not None
    monomial = square_quadrics(divided((0, 0, 1, 0, 0, 0)), 2)
    assert macaulay_degree(monomial, 3, 2**31 - 1, 500) is None
    assert discriminant_power(monomial, 2, 500) == 2
    assert discriminant_power(square_quadrics(divided((0, 0, 1, 0, 0)), 2), 2, 500) is None


def test_hessians_separate_real_rooted_forms_from_a_space() -> None:
    # X^2 + 3 Y^2 kills x (x^2 - y^2), X^2 - 3 Y^2 kills x (x^2 + y^2).
    assert hessian_weights(divided((1, 0, -1, 0)), 2)
    assert hessian_weights(divided((1, 0, 1, 0)), 2) is None


def test_the_product_of_operators_acts_as_their_composition() -> None:
    chance = random.Random(3)
    for _ in range(20):
        f = tuple(chance.randint(-4, 4) for _ in range(7))
        g, h = (tuple(chance.randint(-3, 3) for _ in range(k)) for k in (3, 2))
        assert contract(multiply(g, h), divided(f)) == contract(g, contract(h, divided(f)))
