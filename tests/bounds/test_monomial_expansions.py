"""Monomials as sums of powers."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.bounds.monomial_expansions import power_sum, power_sum_length
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, gf
from rankproof.problem.space import Space

exponents = st.lists(st.integers(0, 5), min_size=1, max_size=4).filter(lambda a: 1 <= sum(a) <= 9)


@given(exponents)
def test_the_powers_sum_to_the_monomial(a: list[int]) -> None:
    terms = power_sum(a)
    assert len(terms) == power_sum_length(a)
    word = tuple(i for i, e in enumerate(a) for _ in range(e))
    found = Decomposition.of("tied", [(form, (w,)) for form, w in terms], QQ)
    assert found.expand(Space.form(len(a), sum(a))) == {word: 1}


@given(exponents, st.sampled_from((11, 13, 101)))
def test_the_same_powers_serve_modulo_a_prime_above_the_degree(a: list[int], p: int) -> None:
    word = tuple(i for i, e in enumerate(a) for _ in range(e))
    found = Decomposition.of("tied", [(form, (w,)) for form, w in power_sum(a, p)], gf(p))
    assert found.expand(Space.form(len(a), sum(a))) == {word: 1}


# Han, Moon, A new bound for the Waring rank of monomials, SIAM Journal on Applied Algebra and Geometry 6 (2022).
@pytest.mark.parametrize(
    ("a", "length"), [((2, 2, 2), 13), ((3, 3, 3), 28), ((2, 3, 3), 22), ((2, 2, 2, 2), 40)]
)
def test_over_the_rationals_the_interior_of_the_grid_is_saved(a: tuple[int, ...], length: int) -> None:
    assert len(power_sum(a)) == length


# Boij, Carlini, Geramita, Monomials as sums of powers: the real binary case, Proc. AMS 139 (2011): a + b is least over RR.
# Carlini, Kummer, Oneto, Ventura, On the real rank of monomials, Math. Z. 286 (2017): with least exponent 1 the real rank is
# the product of the other a_i + 1.
@pytest.mark.parametrize("a", [(2, 1), (3, 2), (5, 5), (1, 1, 1), (1, 1, 2), (1, 2, 3), (1, 1, 1, 1)])
def test_the_number_of_powers_is_the_real_rank_where_that_is_known(a: tuple[int, ...]) -> None:
    known = sum(a) if len(a) == 2 else prod(e + 1 for e in sorted(a)[1:])
    assert power_sum_length(a) == known
