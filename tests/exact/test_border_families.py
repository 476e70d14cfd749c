"""Border families in normal form, their price, and their recovery from floats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rankproof.errors import UsageError
from rankproof.exact.border_families import error_order, exponents, growth, normal_form, recover_family
from rankproof.exact.interpolation import interpolated
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.laurent import Laurent
from rankproof.problem.parse import read_targets

EPS = Laurent.power(1)
X2Y = read_targets("x**2*y")[0]


def difference(order=1, step=EPS):
    third = Fraction(1, 3)
    return BorderFamily("tied", QQ, order, (((1, step), (third,)), ((1, 0), (-third,))))


def test_normal_form_moves_powers_of_eps_into_the_weights_and_keeps_the_limit():
    scaled = BorderFamily(
        "tied", QQ, 4, (((EPS, EPS * EPS), (Fraction(1, 3),)), ((EPS, 0), (Fraction(-1, 3),)))
    )
    assert not scaled.residual(X2Y)
    normal = normal_form(scaled, (3, 1))
    assert normal.order == 0 and not normal.residual(X2Y)
    assert growth(normal) == 1 and error_order(normal, X2Y) == 1 and exponents(normal, X2Y) == (0, 1, 2)


def test_a_power_of_eps_in_place_of_eps_is_taken_out():
    cubed = normal_form(difference(3, Laurent.power(3)), (3, 1))
    assert cubed == normal_form(difference(), (3, 1))


def test_without_error_there_is_no_order_of_the_error():
    square = read_targets("x**2")[0]
    exact = BorderFamily("tied", QQ, 0, (((1,), (1,)),))
    assert error_order(exact, square) is None and growth(exact) == 0


def floats(family, order):
    def jet(x):
        x = x if isinstance(x, Laurent) else Laurent.constant(x)
        return [complex(x.coefficient(j)) + 1e-9 for j in range(order + 1)]

    return [[[jet(x) for x in vector] for vector in unit] for unit in family.units]


def test_coefficients_are_rounded_and_checked():
    found = recover_family(X2Y, "tied", 1, floats(difference(), 1))
    assert found.family == difference() and "denominators up to 12" in found.tried[-1]


def test_weights_that_are_not_simple_are_solved_for():
    target = read_targets("1000/1009*x**2*y")[0]
    third = Fraction(1000, 3027)
    family = BorderFamily("tied", QQ, 1, (((1, EPS), (third,)), ((1, 0), (-third,))))
    found = recover_family(target, "tied", 1, floats(family, 1))
    assert found.family is not None and not found.family.residual(target)
    assert "linear system" in found.tried[-1]


def test_a_family_of_something_else_is_not_recovered():
    found = recover_family(read_targets("x*y**2")[0], "tied", 1, floats(difference(), 1))
    assert found.family is None and len(found.tried) == 2


def test_a_unit_of_zeros_is_left_out():
    units = [*floats(difference(), 1), [[[0, 0], [0, 0]], [[0, 0]]]]
    found = recover_family(X2Y, "tied", 1, units)
    assert found.family is not None and len(found.family) == 2
    assert recover_family(X2Y, "tied", 1, units[-1:]).tried == ["all units vanish"]


def test_gaussian_rationals_are_recovered_over_the_complex_numbers_only():
    target = read_targets("x**2*y")[0]
    i, third = 1j, 1 / 3
    # (x + i eps y)^3 - x^3 = 3 i eps x^2 y + ...
    units = [[[[1, 0], [0, i]], [[-i * third, 0]]], [[[1, 0], [0, 0]], [[i * third, 0]]]]
    assert recover_family(target, "tied", 1, units).tried == ["the coefficients are not real"]
    found = recover_family(target, "tied", 1, units, over=CC)
    assert (
        found.family is not None and found.family.ring.name == "QQ(i)" and not found.family.residual(target)
    )


def test_weights_of_the_wrong_order_are_repaired():
    """At order 2 the weights of this family have to be eps/3 and -eps/3: the linear system finds them."""
    found = recover_family(X2Y, "tied", 2, floats(difference(2), 2))
    assert found.family is not None and not found.family.residual(X2Y) and "linear system" in found.tried[-1]


def test_coefficients_in_a_number_field_are_found_where_the_others_are_held():
    # x^2 y from (x + sqrt(2) eps y)^3 - x^3, with the factor 1/(3 sqrt(2)).
    root = 2**0.5
    units = [[[[1, 0], [0, root]], [[1 / (3 * root), 0]]], [[[1, 0], [0, 0]], [[-1 / (3 * root), 0]]]]
    held = [[[[True, True], [True, False]], [[False, True]]], [[[True, True], [True, True]], [[False, True]]]]
    # The factor is free as long as the root is: the solution has to be isolated.
    free = recover_family(X2Y, "tied", 1, units, held=held, over=RR)
    assert free.family is None and "not an isolated solution" in free.tried[-1]
    target = read_targets("x**2*y + 2*y**3")[0]
    cubes = [
        [[[1, 0], [0, root]], [[1 / (3 * root), 0]]],
        [[[1, 0], [0, 0]], [[-1 / (3 * root), 0]]],
        [[[0, 0], [root, 0]], [[1 / root, 0]]],
    ]
    assert recover_family(target, "tied", 1, cubes, over=RR).family is None
    squares = [[[[1, 0], [root, 0]], [[0.5, 0]]], [[[1, 0], [-root, 0]], [[0.5, 0]]]]
    exact = [[[[True, True], [False, True]], [[True, True]]]] * 2
    found = recover_family(read_targets("x**2 + 2*y**2")[0], "tied", 1, shifted(squares), held=exact, over=RR)
    assert found.family is not None and found.family.ring.name == "QQ(sqrt2)"
    assert (
        recover_family(
            read_targets("x**2 + 2*y**2")[0], "tied", 1, shifted(squares), held=exact, over=QQ
        ).tried[-1]
        == "an isolated solution whose coordinates are not rational"
    )


def shifted(units):
    """The same units at order 1: eps times their weights."""
    return [[form, [[0, w[0]] for w in weights]] for form, weights in units]


def test_values_of_a_family_of_powers_add_up_to_its_limit():
    exact = interpolated(normal_form(difference(), (3, 1)), X2Y.space)
    # Three values of the first unit; the second one is constant, and its three values are one unit.
    assert not exact.residual(X2Y) and len(exact) <= 4 and exact.units_model == "tied"
    with pytest.raises(UsageError, match="space"):
        interpolated(difference())
