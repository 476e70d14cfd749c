"""Flattenings: Hasse derivatives, values from the literature, and sums of units."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import decompositions, targets

from rankproof.bounds.lower.flattening import unit_rank
from rankproof.errors import TargetError
from rankproof.exact import flattening as module
from rankproof.exact.flattening import (
    all_orders,
    flattening,
    flattening_entries,
    flattening_rank,
    flattening_shape,
    good_prime,
)
from rankproof.problem.field import QQ, NumberField, gf, number
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def hilbert_function(text: str) -> list[int]:
    form = read_targets(text)[0]
    p, _ = good_prime(form, QQ)
    return [flattening_rank(form, (s,), p).rank for s in range(1, form.space.form_degree)]


# Iarrobino, Kanev, Power Sums, Gorenstein Algebras, and Determinantal Loci, Springer LNM 1721 (1999): Hilbert functions of
# apolar algebras. The ends, which are 1, are left out.
@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("x*y*z", [3, 3]),
        ("x**2*y*z", [3, 4, 3]),
        ("x*y*z*w", [4, 6, 4]),
        ("x**2*y**2*z**2", [3, 6, 7, 6, 3]),
        ("det(3)", [9, 9]),
        ("perm(3)", [9, 9]),
        ("(x**2+y**2+z**2)**2", [3, 6, 3]),
        ("power_sum(7,4)", [4, 4, 4, 4, 4, 4]),
    ],
)
def test_catalecticant_ranks_are_the_hilbert_function_of_the_apolar_algebra(
    text: str, ranks: list[int]
) -> None:
    assert hilbert_function(text) == ranks


def test_the_matrix_multiplication_tensor_is_concise() -> None:
    tensor = read_targets("matmul(2,3,4)")[0]
    p, _ = good_prime(tensor, QQ)
    assert sorted(flattening_rank(tensor, orders, p).rank for orders in all_orders(tensor)) == [6, 8, 12]


def test_rows_are_hasse_derivatives_by_definition() -> None:
    n, d, s, p = 3, 4, 2, 101
    space = Space.form(n, d)
    form = Target.from_entries(space, {word: k + 1 for k, word in enumerate(space.words())})
    words = list(combinations_with_replacement(range(n), s))
    assert flattening(form, (s,), p) == {
        i: {
            j: value
            for j, v in enumerate(words)
            if (
                value := form.coefficient(tuple(sorted(u + v)))
                * prod(comb(u.count(x) + v.count(x), u.count(x)) for x in range(n))
                % p
            )
        }
        for i, u in enumerate(words)
    }


@given(targets(), st.data())
def test_opposite_orders_give_the_transposed_matrix(target: Target, data: st.DataObject) -> None:
    orders = data.draw(st.sampled_from(all_orders(target) or [()]))
    if not orders:
        return
    p, root = good_prime(target, target.ring)
    opposite = tuple(d - s for (_, d), s in zip(target.space.factors, orders, strict=True))
    there, back = flattening(target, orders, p, root), flattening(target, opposite, p, root)
    entries = {(i, j): x for i, row in there.items() for j, x in row.items()}
    assert entries == {(j, i): x for i, row in back.items() for j, x in row.items()}
    rows, columns = flattening_shape(target, orders)
    assert all(0 <= i < rows and 0 <= j < columns for i, j in entries)
    assert len(entries) <= flattening_entries(target, orders)


@given(st.integers(1, 5), st.integers(2, 6), st.sampled_from((2, 7, 1048573, 2**31 - 1)), st.data())
def test_all_cells_at_once_and_place_by_place_give_the_same_matrix(
    n: int, d: int, p: int, data: st.DataObject
) -> None:
    space = Space.form(n, d)
    words = list(space.words())
    chosen = data.draw(st.dictionaries(st.sampled_from(words), st.integers(-(2**40), 2**40), min_size=1))
    form = Target.from_entries(space, {**chosen, words[0]: 1})
    s = data.draw(st.integers(1, d - 1))
    at_once = module._flattening_of_form(form, s, p, None)
    with patch.object(module, "_CELLS_A_PLACE", 0):
        assert flattening(form, (s,), p) == at_once
    with patch.object(module, "_CELLS_A_PLACE", 10**6):
        assert flattening(form, (s,), p) == at_once


@settings(deadline=None)
@given(decompositions())
def test_a_sum_of_r_units_has_rank_at_most_r_times_the_largest_unit_rank(drawn) -> None:
    space, found = drawn
    entries = found.expand(space)
    if not entries:
        return
    target = Target.from_entries(space, entries, found.ring)
    p, root = good_prime(target, target.ring)
    for orders in all_orders(target):
        rank = flattening_rank(target, orders, p, root).rank
        assert rank <= len(found) * unit_rank(found.units_model, target, orders)


def test_the_prime_divides_no_denominator_and_carries_a_root() -> None:
    space = Space.form(1, 2)
    assert good_prime(Target.from_entries(space, {(0, 0): Fraction(1, 1048573)}), QQ) == (1048571, None)
    sqrt3 = NumberField.sqrt(3)
    p, root = good_prime(
        Target.from_entries(space, {(0, 0): sqrt3.generator()}, number(sqrt3)), number(sqrt3)
    )
    assert root is not None
    assert (root * root - 3) % p == 0
    assert good_prime(Target.from_entries(space, {(0, 0): 1}), gf(7)) == (7, None)


def test_a_denominator_divisible_by_the_prime_is_refused() -> None:
    with pytest.raises(TargetError, match="7 divides its denominator"):
        flattening(Target.from_entries(Space.form(2, 2), {(0, 1): Fraction(1, 7)}), (1,), 7)
