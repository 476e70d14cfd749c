"""The algebra of binary forms in the verifier, against constructions whose roots are known."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rankproof.verifier.binary import (
    act,
    apolar_forms,
    distinct_roots,
    is_real_rooted,
    is_squarefree,
    largest_multiplicity,
    moments,
    primitive,
    product,
    splits_modulo,
)
from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.rules.binary_squares import conditions, discriminant, in_coordinates, roots_coincide
from rankproof.verifier.scalars import Algebraic


def product_of(*factors: list) -> list:
    result: list = [1]
    for factor in factors:
        result = product(result, factor)
    return result


@pytest.mark.parametrize("seed", range(50))
def test_roots_of_products_are_counted(seed: int) -> None:
    chance = random.Random(seed)
    points = [(0, 1), (1, 0), *((1, k) for k in range(-3, 4)), *((2, k) for k in (-3, -1, 1, 5))]
    chosen = chance.choices(points, k=chance.randint(1, 6))
    # Pairs of conjugate roots: x^2 + 2 k x y + (k^2 + 1) y^2.
    pairs = [[1, 2 * k, k * k + 1] for k in chance.choices(range(4), k=chance.randint(0, 2))]
    form = product_of(*(list(point) for point in chosen), *pairs, [chance.choice([-3, 1, 2])])
    multiplicities = [chosen.count(point) for point in set(chosen)]
    conjugate = [pairs.count(pair) for pair in pairs]
    assert is_real_rooted(form) == (not pairs)
    assert is_squarefree(form) == (max(multiplicities + conjugate) == 1)
    assert largest_multiplicity(form) == max(multiplicities + conjugate)
    assert distinct_roots(form) == len(multiplicities) + 2 * len({tuple(pair) for pair in pairs})


def test_roots_with_irrational_coefficients_are_counted_at_the_declared_root() -> None:
    for root, real in (((1, 2), True), ((-2, -1), False)):
        a = Algebraic(NumberField("a", (-2, 0, 1), root), (0, 1))
        assert is_real_rooted([1, 0, -a]) is real
        assert is_squarefree([1, 0, -a])
        assert not is_squarefree([1, 2 * a, 2])
        assert largest_multiplicity(product_of([1, a], [1, a], [1, a], [0, 1])) == 3


def test_an_operator_acts_as_a_differential_operator() -> None:
    # X Y o x^2 y = 2 x, on divided powers 2.
    assert act([0, 1, 0], moments([0, 1, 0, 0])) == [2, 0]
    assert act([0, 0, 1], moments([0, 1, 0, 0])) == [0, 0]
    assert apolar_forms(moments([0, 1, 0, 0]), 2) == [[0, 0, 1]]
    assert apolar_forms(moments([0, 1, 0, 0]), 1) == []
    assert len(apolar_forms(moments([0, 1, 0, 0]), 4)) == 5
    assert primitive([Fraction(2, 3), 0, Fraction(-4, 9)]) == [3, 0, -2]


@pytest.mark.parametrize("p", [2, 3, 5, 7, 101])
def test_splitting_modulo_a_prime_is_splitting_by_trial(p: int) -> None:
    chance = random.Random(p)
    for _ in range(60):
        form = [chance.randint(0, p - 1) for _ in range(chance.randint(2, 5))]
        if not any(form):
            continue
        roots = 0
        rest = form
        for s, t in [(0, 1), *((1, -r % p) for r in range(p))]:
            while len(rest) > 1 and (quotient := divided(rest, s, t, p)) is not None:
                rest, roots = quotient, roots + 1
        assert splits_modulo(form, p) == (roots == len(form) - 1)


def divided(form: list[int], s: int, t: int, p: int) -> list[int] | None:
    """The form divided by s x + t y modulo p; None when it is no multiple."""
    if s == 0:
        return form[1:] if form[0] % p == 0 else None
    quotient: list[int] = []
    carry = 0
    for c in form:
        carry = (c - t * carry) % p
        quotient.append(carry)
    return quotient[:-1] if quotient[-1] == 0 else None


def test_the_discriminant_vanishes_exactly_at_repeated_roots() -> None:
    chance = random.Random(1)
    for w in (2, 3, 4, 5):
        polynomial = discriminant(w)
        for _ in range(20):
            form = product_of(*([chance.randint(-2, 2), chance.randint(-2, 2)] for _ in range(w)))
            if not any(form):
                continue
            value = sum(c * evaluated(word, form) for word, c in polynomial.items())
            assert (value != 0) == is_squarefree(form)


def evaluated(word: tuple[int, ...], form: list) -> int:
    value = 1
    for i in word:
        value *= form[i]
    return value


def test_conditions_on_the_first_coefficients() -> None:
    # f o x^4 y^2 = 0 for f of degree 6 says f_2 = 0; of degree 5 also f_1 = 0.
    form = moments([0, 0, 1, 0, 0, 0, 0])
    constant, linear, quadratic = conditions(form, 6)
    assert (constant, linear) == (False, None)
    assert quadratic is not None
    assert quadratic[:2] == [0, 0]
    constant, linear, quadratic = conditions(form, 5)
    assert not constant
    assert linear is not None
    assert linear[0] == 0
    constant, _, _ = conditions(form, 4)
    assert constant


def test_equal_roots_are_no_contradiction_alone() -> None:
    # sum r_i^2 - r_1 r_2 ... : e_1^2 + 2 e_2 in two roots is r_1^2 + 4 r_1 r_2 + r_2^2.
    assert roots_coincide([0, 0, 1], None, 2, False, 3)
    assert not roots_coincide([0, 0, 1], None, 2, False, 13)
    assert not roots_coincide([0, 0, 1], None, 2, False, None)
    # e_2 = e_1 = 0 for four roots: minus half the sum of squares on a hyperplane.
    assert roots_coincide([0, 0, 1], [0, 1, 0], 4, True, None)
    assert roots_coincide([0, 0, 1], [0, 1, 0], 4, True, 2)
    assert not roots_coincide([0, 0, 1], [0, 1, 0], 4, True, 3)
    # Two roots with e_1 = 0 and nothing else: r, -r.
    assert not roots_coincide([0, 0, 0], [0, 1, 0], 2, True, None)


@pytest.mark.parametrize("point", [(1, 0), (0, 1), (2, 3), (0, -2), (-1, 5)])
def test_coordinates_at_a_point(point: tuple[int, int]) -> None:
    chance = random.Random(str(point))
    a, b = point
    u, v = [a, b], [0, 1] if a else [1, 0]
    form = [chance.randint(-5, 5) for _ in range(6)]
    changed = in_coordinates(form, point)
    back: list = [0] * 6
    for j, c in enumerate(changed):
        term = product_of(*[u] * (5 - j), *[v] * j)
        back = [x + c * y for x, y in zip(back, term, strict=True)]
    assert back == form
