"""Number fields of the verifier against sympy, and against polynomials whose factors or roots are known."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
import sympy
from sympy.polys.specialpolys import swinnerton_dyer_poly

from rankproof.verifier import limits
from rankproof.verifier.numberfield import NumberField, count_real_roots, is_irreducible, value
from rankproof.verifier.refusal import Undecided

T = sympy.Symbol("t")


def ascending(expression: object) -> list[int]:
    """Integer coefficients of a polynomial in t, constant first."""
    return [int(c) for c in reversed(sympy.Poly(expression, T).all_coeffs())]


def polynomial(coefficients: list[int] | list[Fraction] | tuple[int, ...]) -> sympy.Poly:
    exact = [sympy.Rational(c.numerator, c.denominator) for c in coefficients]
    return sympy.Poly(exact[::-1] or [0], T, domain="QQ")


def product(*factors: list[int]) -> list[int]:
    result = [1]
    for factor in factors:
        longer = [0] * (len(result) + len(factor) - 1)
        for i, x in enumerate(result):
            for j, y in enumerate(factor):
                longer[i + j] += x * y
        result = longer
    return result


def random_monic(generator: random.Random, degree: int, size: int) -> list[int]:
    return [generator.randint(-size, size) for _ in range(degree)] + [1]


# Irreducibility


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_irreducibility_of_random_polynomials_agrees_with_sympy(size: int) -> None:
    generator = random.Random(size)
    verdicts: set[bool] = set()
    for _ in range(120):
        f = random_monic(generator, generator.randint(2, 9), size)
        verdicts.add(is_irreducible(f))
        assert is_irreducible(f) == polynomial(f).is_irreducible, f
    assert True in verdicts
    assert False in verdicts or size == 1000  # a large random polynomial is hardly ever reducible


def test_a_product_of_two_polynomials_is_reducible() -> None:
    generator = random.Random(2)
    for _ in range(150):
        f = random_monic(generator, generator.randint(1, 7), generator.choice([2, 50, 10**6]))
        g = random_monic(generator, generator.randint(1, 7), generator.choice([2, 50, 10**6]))
        assert not is_irreducible(product(f, g)), (f, g)


def test_squares_and_multiples_of_squares_are_reducible() -> None:
    generator = random.Random(3)
    for _ in range(40):
        f = random_monic(generator, generator.randint(1, 4), 5)
        assert not is_irreducible(product(f, f))
        assert not is_irreducible(product(f, f, random_monic(generator, generator.randint(1, 3), 5)))
    assert not is_irreducible([0, 0, 1])


def test_cyclotomic_polynomials_are_irreducible_and_their_products_are_not() -> None:
    cyclotomic = [ascending(sympy.cyclotomic_poly(n, T)) for n in range(1, 91)]
    for f in cyclotomic:
        if 3 <= len(f) <= limits.FIELD_DEGREE + 1:
            assert is_irreducible(f)
    for n in range(2, 25):
        assert not is_irreducible([-1] + [0] * (n - 1) + [1])
        # x^n + 1 is irreducible exactly for powers of 2.
        assert is_irreducible([1] + [0] * (n - 1) + [1]) == (n & (n - 1) == 0)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_swinnerton_dyer_polynomials_are_irreducible_though_they_split_modulo_every_prime(n: int) -> None:
    f = ascending(swinnerton_dyer_poly(n, T))
    assert len(f) == 2**n + 1
    assert is_irreducible(f)


def test_two_polynomials_that_split_in_the_same_way_modulo_all_primes_are_told_apart() -> None:
    """t^4 + 1 is irreducible; t^4 + 4 = (t^2 + 2t + 2)(t^2 - 2t + 2); both are reducible modulo every prime."""
    assert is_irreducible([1, 0, 0, 0, 1])
    assert not is_irreducible([4, 0, 0, 0, 1])
    assert is_irreducible([1, 0, -10, 0, 1])
    assert not is_irreducible(ascending((T**2 - 2) * (T**2 - 3)))
    assert not is_irreducible(ascending((T**2 - 2) * (T**2 - 3) * (T**2 - 6)))


def test_eisenstein_polynomials_are_irreducible_also_after_a_shift() -> None:
    generator = random.Random(5)
    for _ in range(80):
        p = generator.choice([2, 3, 5, 7, 11])
        n = generator.randint(2, 12)
        constant = p * generator.choice([c for c in range(-20, 20) if c % p])
        f = [constant, *(p * generator.randint(-30, 30) for _ in range(n - 1)), 1]
        assert is_irreducible(f), f
        assert is_irreducible(ascending(polynomial(f).compose(sympy.Poly(T + generator.randint(-3, 3), T))))


def test_binomials_are_reducible_exactly_when_the_theorem_of_capelli_says_so() -> None:
    """t^n - a is reducible iff a is a q-th power for a prime q dividing n, or 4 divides n and a = -4 b^4."""
    for n in range(2, 13):
        for a in [-64, -27, -16, -12, -5, -4, -1, 1, 2, 4, 8, 12, 16, 27, 32, 64, 81]:
            powers = {
                sign * b**q
                for q in sympy.primefactors(n)
                for b in range(10)
                for sign in ((1, -1) if q % 2 else (1,))
            }
            fourth = n % 4 == 0 and a in {-4 * b**4 for b in range(3)}
            assert is_irreducible([-a] + [0] * (n - 1) + [1]) == (a not in powers and not fourth), (n, a)


def test_factors_with_coefficients_near_the_size_of_the_product_are_found() -> None:
    """The middle terms cancel: (t^2 + ct + 1)(t^2 - ct + 1) = t^4 + (2 - c^2) t^2 + 1."""
    for c in (10**3, 10**20 + 1, 10**45):
        f = [1, 0, 2 - c * c, 0, 1]
        assert not is_irreducible(f)
        assert is_irreducible([3, *f[1:]]) == polynomial([3, *f[1:]]).is_irreducible
    # Factors with coefficients larger than any of the product: t^24 - 1 is a product of eight cyclotomic polynomials,
    # and t^4 + t^3 + ... divides products whose coefficients are all 0, 1 and -1.
    long = ascending(sympy.cyclotomic_poly(15, T) * sympy.cyclotomic_poly(5, T) * sympy.cyclotomic_poly(3, T))
    assert max(map(abs, long)) == 1
    assert not is_irreducible(long)


def test_too_many_modular_factors_leave_irreducibility_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MODULAR_FACTORS", 3)
    with pytest.raises(Undecided) as caught:
        is_irreducible(ascending(swinnerton_dyer_poly(3, T)), "/number_fields/0/minimal_polynomial")
    assert caught.value.code == "limit-modular-factors"
    assert caught.value.pointer == "/number_fields/0/minimal_polynomial"


# Real roots


def random_rational(generator: random.Random) -> Fraction:
    return Fraction(generator.randint(-40, 40), generator.randint(1, 9))


def test_real_roots_in_an_interval_agree_with_sympy() -> None:
    generator = random.Random(7)
    counts: set[int] = set()
    for _ in range(300):
        factors = [
            random_monic(generator, generator.randint(1, 3), 6) for _ in range(generator.randint(1, 3))
        ]
        f = product(*factors, *generator.choices(factors, k=generator.randint(0, 2)))
        low, high = sorted((random_rational(generator), random_rational(generator)))
        if low == high or value(f, low) == 0 or value(f, high) == 0:
            continue
        ends = [sympy.Rational(x.numerator, x.denominator) for x in (low, high)]
        count = count_real_roots(f, low, high)
        counts.add(count)
        assert count == polynomial(f).count_roots(*ends), (f, low, high)
    assert counts >= {0, 1, 2, 3}


def test_repeated_roots_count_once() -> None:
    generator = random.Random(8)
    for _ in range(60):
        roots = {Fraction(generator.randint(-12, 12), 2): generator.randint(1, 3) for _ in range(3)}
        f: list[int] = product(
            *([-2 * r.numerator // r.denominator, 2] for r in roots for _ in range(roots[r]))
        )
        f = product(f, [5, generator.randint(-4, 4), 1])  # no real root
        low = Fraction(generator.randint(-14, 14)) + Fraction(1, 3)
        high = low + generator.randint(1, 14)
        assert count_real_roots(f, low, high) == sum(low < r < high for r in roots), (roots, low, high)


def test_constants_and_linear_polynomials_have_the_roots_one_expects() -> None:
    assert count_real_roots([5], -1, 1) == 0
    assert count_real_roots([0, 1], -1, 1) == 1
    assert count_real_roots([-3, 2], 1, Fraction(4, 3)) == 0
    assert count_real_roots([-3, 2], 1, 2) == 1


def test_roots_that_lie_close_together_are_counted_apart() -> None:
    """Mignotte's polynomials t^n - 2(at - 1)^2 have two real roots within a^(-(n+2)/2) * 2 of 1/a."""
    for n, a in ((5, 10), (7, 100), (9, 1000)):
        f = ascending(T**n - 2 * (a * T - 1) ** 2)
        near, away = Fraction(1, a), Fraction(1, a**3)
        assert count_real_roots(f, near - away, near + away) == 2
        assert count_real_roots(f, near - away, near) == count_real_roots(f, near, near + away) == 1


# Arithmetic


def random_field(generator: random.Random) -> NumberField:
    while True:
        f = random_monic(generator, generator.randint(2, 6), generator.choice([2, 20]))
        if polynomial(f).is_irreducible:
            return NumberField("t", tuple(f), None)


def random_coefficients(generator: random.Random, length: int) -> list[Fraction]:
    return [
        Fraction(generator.randint(-9, 9), generator.choice([1, 1, 2, 15]))
        if generator.random() < 0.8
        else Fraction(0)
        for _ in range(length)
    ]


def coefficients_of(f: sympy.Poly) -> list[Fraction]:
    found = [Fraction(int(c.p), int(c.q)) for c in reversed(f.all_coeffs())]
    return [] if found == [0] else found


def test_reduction_is_the_remainder_by_the_minimal_polynomial() -> None:
    generator = random.Random(11)
    for _ in range(120):
        field = random_field(generator)
        x = random_coefficients(generator, generator.randint(0, 2 * field.degree))
        reduced = field.reduce(x)
        assert reduced == coefficients_of(polynomial(x).rem(polynomial(field.minimal_polynomial)))
        assert all(type(c) is int for c in reduced if c.denominator == 1)
        assert not reduced or reduced[-1] != 0


def test_inverses_agree_with_sympy() -> None:
    generator = random.Random(12)
    for _ in range(120):
        field = random_field(generator)
        x = [Fraction(c) for c in field.reduce(random_coefficients(generator, field.degree))]
        if x:
            f = polynomial(field.minimal_polynomial)
            assert field.inverse(x) == coefficients_of(sympy.invert(polynomial(x), f)), (field, x)


# Signs


def test_signs_at_a_real_root_agree_with_evaluation_to_a_hundred_digits() -> None:
    generator = random.Random(13)
    signs: list[int] = []
    with mpmath.workdps(100):
        while len(signs) < 150:
            field = random_field(generator)
            f = field.minimal_polynomial
            roots = mpmath.polyroots(f[::-1], maxsteps=500, extraprec=500)
            for (low, high), _ in polynomial(f).intervals():
                ends = Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
                real = NumberField("t", f, ends)
                (root,) = [
                    mpmath.re(z)
                    for z in roots
                    if abs(mpmath.im(z)) < mpmath.mpf(10) ** -60
                    and mpmath.mpf(ends[0].numerator) / ends[0].denominator < mpmath.re(z)
                    and mpmath.re(z) < mpmath.mpf(ends[1].numerator) / ends[1].denominator
                ]
                x = field.reduce(random_coefficients(generator, field.degree))
                if not x:
                    continue
                expected = mpmath.polyval([mpmath.mpf(c.numerator) / c.denominator for c in x][::-1], root)
                assert abs(expected) > mpmath.mpf(10) ** -40
                signs.append(real.sign(list(x)))
                assert signs[-1] == mpmath.sign(expected), (f, ends, x)
    assert {-1, 1} == set(signs)


def test_the_convergents_of_the_square_root_of_two_lie_on_alternating_sides() -> None:
    field = NumberField("a", (-2, 0, 1), (1, 2))
    negative = NumberField("a", (-2, 0, 1), (-2, -1))
    p, q = 1, 1
    for k in range(60):
        # p^2 - 2 q^2 = -1, 1, -1, ...: p - q sqrt(2) has this sign, and p + q sqrt(2) is positive.
        assert field.sign([p, -q]) == (1 if k % 2 else -1)
        assert field.sign([p, q]) == 1
        assert negative.sign([p, q]) == (1 if k % 2 else -1)
        p, q = p + 2 * q, p + q


def test_the_sign_depends_on_the_root_that_is_declared() -> None:
    """The roots of t^3 - 3t + 1 are 2 cos(2 pi k / 9): about -1.879, 0.347 and 1.532."""
    intervals = [(-2, -1), (0, 1), (1, 2)]
    assert [NumberField("t", (1, -3, 0, 1), i).sign([0, 1]) for i in intervals] == [-1, 1, 1]
    assert [NumberField("t", (1, -3, 0, 1), i).sign([-1, 1]) for i in intervals] == [-1, -1, 1]
    # t^2 - 2 is the conjugate of t that comes next.
    assert [NumberField("t", (1, -3, 0, 1), i).sign([-2, 0, 1]) for i in intervals] == [1, -1, 1]


def test_zero_has_sign_zero_and_no_sign_without_a_real_root() -> None:
    assert NumberField("a", (-2, 0, 1), (1, 2)).sign([]) == 0
    with pytest.raises(ValueError, match="real root"):
        NumberField("a", (1, 0, 1), None).sign([0, 1])
