"""Lengths and correctness of algorithms for polynomial products."""

from __future__ import annotations

import pytest

from rankproof.exact.polynomial_products import polynomial_product, quotient_product, truncated_product
from rankproof.problem.field import QQ, Field, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space


def product_modulo(f, p=0):
    """Structure constants of K[x]/(f)."""
    n = len(f) - 1
    powers = []
    power = [1] + [0] * (n - 1)
    for _ in range(2 * n - 1):
        powers.append(power)
        top, power = power[-1], [0, *power[:-1]]
        power = [c - top * g for c, g in zip(power, f, strict=False)]
    entries = {(i, j, k): c for i in range(n) for j in range(n) for k, c in enumerate(powers[i + j])}
    return {w: x for w, c in entries.items() if (x := c % p if p else c)}


@pytest.mark.parametrize("p", [0, 2, 3, 5])
@pytest.mark.parametrize("n", range(1, 8))
def test_products_of_polynomials_are_right_in_all_sizes(p, n):
    ring = gf(p) if p else QQ
    for m in range(1, 8):
        assert polynomial_product(n, m, ring).residual(named("polymul", n, m)) == {}
    found = truncated_product(n, ring)
    expected = {(i, j, i + j): 1 for i in range(n) for j in range(n - i)}
    assert found.expand(Space.tensor(n, n, n)) == expected


def test_the_lengths_are_those_of_the_literature():
    # Over GF(2): Cenk, Ozbudak, On multiplication in finite fields (2010), Table 1, but for 5 and 6 (13 and 17 there).
    assert [len(polynomial_product(n, n, gf(2))) for n in range(1, 9)] == [1, 3, 6, 9, 14, 18, 22, 26]
    assert [len(polynomial_product(n, n, gf(3))) for n in range(1, 6)] == [1, 3, 6, 9, 12]
    assert [len(truncated_product(n, gf(2))) for n in range(1, 6)] == [1, 3, 5, 8, 11]
    # Toom and Cook where there are enough points, the infinite one among them.
    assert [len(polynomial_product(n, 3, QQ)) for n in range(1, 6)] == [3, 4, 5, 6, 7]
    assert len(polynomial_product(3, 3, gf(5))) == 5
    assert len(polynomial_product(3, 3, gf(3))) == 6


@pytest.mark.parametrize(
    ("factors", "f", "ring", "length"),
    [
        ([((0, 1), 4)], (0, 0, 0, 0, 1), QQ, 7),
        ([((-1, 1), 1), ((1, 1), 1), ((1, 0, 1), 1)], (-1, 0, 0, 0, 1), QQ, 5),
        ([((1, 1), 4)], (1, 0, 0, 0, 1), gf(2), 8),
        ([((-2, 1), 3)], (-8, 12, -6, 1), QQ, 5),
        ([((1, 1, 1), 2)], (1, 0, 1, 0, 1), gf(2), 9),
        ([((1, 1), 1), ((1, 1, 0, 1), 1), ((1, 0, 1, 1), 1)], (1, 0, 0, 0, 0, 0, 0, 1), gf(2), 13),
    ],
)
def test_products_modulo_a_polynomial_by_the_remainders(factors, f, ring, length):
    found = quotient_product(factors, ring)
    n = len(f) - 1
    assert found.expand(Space.tensor(n, n, n)) == product_modulo(f, ring.characteristic)
    assert len(found) == length


def test_roots_in_a_number_field_make_products_short():
    ring = Field.parse("QQ(i)")
    i = ring.number_field.generator()
    found = quotient_product([((-1, 1), 1), ((1, 1), 1), ((-i, 1), 1), ((i, 1), 1)], ring)
    assert found.expand(Space.tensor(4, 4, 4)) == product_modulo((-1, 0, 0, 0, 1))
    assert len(found) == 4
