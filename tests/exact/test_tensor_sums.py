"""Products, sums, base changes and restrictions of sums of rank-one tensors."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.bounds.schemes.catalogue import known_scheme
from rankproof.errors import UsageError
from rankproof.exact.interpolation import interpolated
from rankproof.exact.tensor_sums import (
    added,
    changed_tensor,
    direct_sum,
    kronecker,
    outer_product,
    permuted,
    placed,
    with_bases_changed,
    without_zeros,
)
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field, gf
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

small = st.integers(-2, 2)


def sums(dims, ring=QQ):
    unit = st.tuples(*(st.tuples(*[small] * n) for n in dims))
    return st.lists(unit, min_size=1, max_size=3).map(lambda units: Decomposition.of("product", units, ring))


def tensor(total, dims):
    return total.expand(Space.tensor(*dims))


def w_family(k=3):
    eps = Laurent.power(1)
    return BorderFamily("product", QQ, 1, (((1, eps),) * k, (((1, 0),) * (k - 1)) + ((-1, 0),)))


@given(sums((2, 3, 2)), sums((2, 2, 3)))
def test_a_kronecker_product_has_the_products_of_the_coefficients(left, right):
    first, second = tensor(left, (2, 3, 2)), tensor(right, (2, 2, 3))
    expected = {
        tuple(i * n + j for i, j, n in zip(u, v, (2, 2, 3), strict=True)): c * d
        for (u, c), (v, d) in product(first.items(), second.items())
    }
    assert tensor(kronecker(left, right), (4, 6, 6)) == expected


@given(sums((2, 3, 2)), sums((2, 2, 3)))
def test_an_outer_product_has_all_factors(left, right):
    first, second = tensor(left, (2, 3, 2)), tensor(right, (2, 2, 3))
    expected = {u + v: c * d for (u, c), (v, d) in product(first.items(), second.items())}
    assert tensor(outer_product(left, right), (2, 3, 2, 2, 2, 3)) == expected


@given(sums((2, 3, 2)), sums((2, 2, 3)))
def test_a_direct_sum_has_two_blocks(left, right):
    first, second = tensor(left, (2, 3, 2)), tensor(right, (2, 2, 3))
    shifted = {tuple(i + n for i, n in zip(w, (2, 3, 2), strict=True)): c for w, c in second.items()}
    total = direct_sum(left, right)
    assert tensor(total, (4, 5, 5)) == first | shifted
    assert len(total) == len(left) + len(right)


@given(sums((2, 3)), st.data())
def test_a_base_change_acts_on_units_as_on_coefficients(total, data):
    matrices = [
        data.draw(st.lists(st.lists(small, min_size=n, max_size=n), min_size=2, max_size=2)) for n in (2, 3)
    ]
    changed = with_bases_changed(total, matrices, QQ)
    assert tensor(changed, (2, 2)) == changed_tensor(tensor(total, (2, 3)), matrices, QQ)


def test_border_families_multiply_and_add_with_their_orders():
    W = w_family()
    both = kronecker(W, W)
    assert (both.order, len(both)) == (2, 4)
    square = changed_tensor(named("W", 3).as_dict(), [[[1, 0], [0, 1]]] * 3, QQ)
    expected = {
        tuple(2 * i + j for i, j in zip(u, v, strict=True)): c * d
        for (u, c), (v, d) in product(square.items(), square.items())
    }
    assert both.residual(Target.from_entries(Space.tensor(4, 4, 4), expected)) == {}
    # W of order 1 beside a product of two W, of order 2.
    mixed = direct_sum(W, both)
    assert mixed.order == 2
    assert len(mixed.limit(Space.tensor(6, 6, 6)).entries) == 3 + 9
    exact = Decomposition.of("product", [((1, 0), (0, 1), (1, 1))])
    assert added(W, exact).limit(Space.tensor(2, 2, 2)).coefficient((0, 1, 1)) == 1


def test_factors_change_places_and_coordinates_are_dropped():
    total = Decomposition.of("product", [((1, 2), (3, 4, 5)), ((0, 1), (1, 0, 0))])
    assert permuted(total, (1, 0)).units[0] == ((3, 4, 5), (1, 2))
    restricted = without_zeros(placed(total, [(0, 1), (-1, 0, 1)], (2, 2)))
    assert restricted.units == (((1, 2), (4, 5)),)


def test_units_over_two_fields_are_refused_unless_one_contains_the_other():
    rational = Decomposition.of("product", [((1,), (1,))])
    gaussian = Decomposition.of("product", [((1,), (1,))], Field.parse("QQ(i)"))
    assert kronecker(rational, gaussian).ring == gaussian.ring
    with pytest.raises(UsageError, match="bring both to one field"):
        kronecker(rational, Decomposition.of("product", [((1,), (1,))], gf(2)))
    with pytest.raises(UsageError, match="orders 2 and 3"):
        direct_sum(rational, Decomposition.of("product", [((1,), (1,), (1,))]))
    with pytest.raises(UsageError, match="no order of 2 factors"):
        permuted(rational, (0, 0))


@pytest.mark.parametrize(
    ("name", "parameters", "ring"),
    [("W", (4,), QQ), ("coppersmith_winograd", (2,), QQ), ("matmul", (2, 2, 3), QQ), ("W", (3,), gf(7))],
    ids=str,
)
def test_a_border_family_is_interpolated_to_an_exact_decomposition(name, parameters, ring):
    family = known_scheme(name, *parameters, ring=ring, border=True)
    exact = interpolated(family)
    assert exact.residual(named(name, *parameters)) == {}
    powers = {e for value in family.expand(named(name, *parameters).space).values() for e, _ in value.terms}
    assert len(exact) <= len(family) * len(powers)


def test_small_fields_do_not_separate_many_powers():
    with pytest.raises(UsageError, match="too few elements"):
        interpolated(known_scheme("W", 3, ring=gf(3), border=True))


def test_schemes_are_called_by_name():
    assert len(known_scheme("toom_cook", 3, 3)) == 5
    assert len(known_scheme("winograd", ring=gf(2))) == 7
    with pytest.raises(UsageError, match="no scheme is called 'nonsense'; there are strassen"):
        known_scheme("nonsense")
    with pytest.raises(UsageError, match="there is no scheme of its own for W"):
        known_scheme("W", 3)
