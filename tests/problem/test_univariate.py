"""Exact polynomials in one variable, against sympy."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rankproof.problem.univariate import (
    divide,
    evaluate,
    inverse_modulo,
    is_irreducible,
    is_prime,
    is_squarefree,
    largest_real_root,
    real_roots_between,
)

t = sympy.Symbol("t")
monic = st.lists(st.integers(-6, 6), min_size=1, max_size=6).map(lambda c: (*c, 1))
squarefree = monic.filter(is_squarefree)


def poly(f) -> sympy.Poly:
    return sympy.Poly([sympy.Rational(c) for c in reversed(f)], t)


@given(squarefree)
def test_a_squarefree_monic_polynomial_is_irreducible_exactly_when_sympy_finds_one_factor(f):
    assert is_irreducible(f) == (len(f) == 2 or poly(f).is_irreducible)


@given(squarefree, squarefree)
def test_a_product_of_two_polynomials_is_reducible(f, g):
    product = [int(c) for c in reversed((poly(f) * poly(g)).all_coeffs())]
    assert not is_squarefree(product) or not is_irreducible(product)


@pytest.mark.parametrize(
    "f",
    [
        # Swinnerton-Dyer polynomials of sqrt(2)+sqrt(3)+sqrt(5) and of sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7): irreducible, yet with
        # factors of degree at most 2 modulo every prime (von zur Gathen and Gerhard, Modern Computer Algebra, section 15.3).
        (576, 0, -960, 0, 352, 0, -40, 0, 1),
        (46225, 0, -5596840, 0, 13950764, 0, -7453176, 0, 1513334, 0, -141912, 0, 6476, 0, -136, 0, 1),
    ],
)
def test_swinnerton_dyer_polynomials_are_irreducible(f):
    assert is_irreducible(f)


@given(squarefree, st.integers(-8, 7), st.integers(1, 9))
def test_sturm_counts_the_real_roots_that_sympy_isolates(f, l, length):
    u = l + length
    if evaluate(f, l) and evaluate(f, u):
        assert real_roots_between(f, l, u) == poly(f).count_roots(l, u)


@given(squarefree.filter(lambda f: len(f) > 2 and poly(f).is_irreducible))
def test_the_interval_of_the_largest_real_root_holds_it_and_no_other(f):
    roots = poly(f).real_roots()
    interval = largest_real_root(f)
    if not roots:
        assert interval is None
    else:
        l, u = map(sympy.Rational, interval)
        assert l < roots[-1] < u
        assert all(root <= l for root in roots[:-1])


@given(monic, monic)
def test_a_division_has_a_remainder_of_smaller_degree(f, g):
    quotient, remainder = divide(f, g)
    assert len(remainder) < len(g)
    assert (poly(quotient or [0]) * poly(g) + poly(remainder or [0]) - poly(f)).is_zero


def test_an_inverse_modulo_a_polynomial_multiplies_to_one():
    f, a = (-2, 0, 0, 1), (1, 2, 3)
    inverse = inverse_modulo(a, f)
    assert (poly(a) * poly(inverse)).rem(poly(f)).as_expr() == 1
    with pytest.raises(ZeroDivisionError):
        inverse_modulo((-1, 1), (-1, 0, 1))


@given(st.integers(-5, 10**6))
def test_a_number_is_prime_exactly_when_sympy_says_so(n):
    assert is_prime(n) == sympy.isprime(n)


def test_strong_pseudoprimes_and_large_primes_are_told_apart():
    # 3215031751 passes Miller-Rabin for the bases 2, 3, 5 and 7 (Pomerance, Selfridge, Wagstaff, Math. Comp. 35, 1980).
    assert not is_prime(3215031751)
    assert is_prime(2**31 - 1)
    assert is_prime(2**61 - 1)
    assert not is_prime(prod((2**31 - 1, 2**31 - 1)))


def test_evaluation_is_exact():
    assert evaluate((1, 0, 1), Fraction(1, 3)) == Fraction(10, 9)
