"""Number fields QQ(a): the minimal polynomial, its irreducibility, one real root, reduction and inversion.

Polynomials are lists of coefficients in ascending order without trailing zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import gcd, lcm

from . import limits
from .refusal import Undecided

Rational = int | Fraction


@dataclass(frozen=True)
class NumberField:
    """QQ(a), a root of a monic irreducible integer polynomial; ``real_root`` isolates the real a, if declared."""

    symbol: str
    minimal_polynomial: tuple[int, ...]
    real_root: tuple[Rational, Rational] | None

    @property
    def degree(self) -> int:
        return len(self.minimal_polynomial) - 1

    def reduce(self, coefficients: Sequence[Rational]) -> list[Rational]:
        """Remainder by the minimal polynomial."""
        rest = list(coefficients)
        n = self.degree
        while len(rest) > n:
            lead = rest.pop()
            if lead:
                shift = len(rest) - n
                for i in range(n):
                    rest[shift + i] -= lead * self.minimal_polynomial[i]
        return [x.numerator if x.denominator == 1 else x for x in _strip(rest)]

    def inverse(self, coefficients: list[Rational]) -> list[Rational]:
        """Coordinates of 1/x for x not zero: u with u*x = 1 modulo the minimal polynomial."""
        # Invariant: r_i = u_i * x modulo the minimal polynomial. It ends at a constant, since f is irreducible.
        r0: list[Rational] = list(self.minimal_polynomial)
        r1: list[Rational] = [Fraction(x) for x in coefficients]
        u0: list[Rational] = []
        u1: list[Rational] = [Fraction(1)]
        while len(r1) > 1:
            quotient, rest = divide(r0, r1)
            r0, r1 = r1, rest
            u0, u1 = u1, _subtract(u0, _multiply(quotient, u1))
        return self.reduce([c / Fraction(r1[0]) for c in u1])

    def sign(self, coefficients: list[Rational]) -> int:
        """Sign at the declared real root of an element given by its (non-zero) coordinates."""
        if self.real_root is None:
            raise ValueError("a number field without a declared real root has no signs")
        if not any(coefficients):
            return 0
        low, high = (Fraction(x) for x in self.real_root)
        f = list(self.minimal_polynomial)
        # The element is not zero at the root (its polynomial is prime to f), so bisection separates it from 0.
        while True:
            bottom, top = _interval_value(coefficients, low, high)
            if bottom > 0:
                return 1
            if top < 0:
                return -1
            middle = (low + high) / 2
            # f is irreducible of degree at least 2: it never vanishes at a rational point.
            if (value(f, low) > 0) != (value(f, middle) > 0):
                high = middle
            else:
                low = middle


def _interval_value(f: Sequence[Rational], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    bottom = top = Fraction(0)
    for c in reversed(f):
        products = (bottom * low, bottom * high, top * low, top * high)
        bottom, top = min(products) + c, max(products) + c
    return bottom, top


def _strip(f: list[Rational]) -> list[Rational]:
    while f and f[-1] == 0:
        f.pop()
    return f


def _subtract(f: Sequence[Rational], g: Sequence[Rational]) -> list[Rational]:
    n = max(len(f), len(g))
    return _strip([(f[i] if i < len(f) else 0) - (g[i] if i < len(g) else 0) for i in range(n)])


def _multiply(f: Sequence[Rational], g: Sequence[Rational]) -> list[Rational]:
    product: list[Rational] = [0] * (len(f) + len(g) - 1) if f and g else []
    for i, x in enumerate(f):
        for j, y in enumerate(g):
            product[i + j] += x * y
    return product


def divide(f: Sequence[Rational], g: Sequence[Rational]) -> tuple[list[Rational], list[Rational]]:
    """Quotient and remainder over the rationals; g is not zero."""
    rest: list[Rational] = list(f)
    quotient: list[Rational] = [0] * max(len(f) - len(g) + 1, 0)
    while len(rest) >= len(g):
        factor = Fraction(rest[-1]) / g[-1]
        shift = len(rest) - len(g)
        quotient[shift] = factor
        for i, c in enumerate(g):
            rest[shift + i] -= factor * c
        rest.pop()
        _strip(rest)
    return quotient, rest


def value(f: Sequence[Rational], x: Rational) -> Rational:
    """f(x) by Horner's rule."""
    result: Rational = 0
    for c in reversed(f):
        result = result * x + c
    return result


def derivative(f: Sequence[Rational]) -> list[Rational]:
    return [i * c for i, c in enumerate(f)][1:]


def count_real_roots(f: Sequence[Rational], low: Rational, high: Rational) -> int:
    """Number of distinct real roots in (low, high], by Sturm's theorem; f is not zero at low and high."""
    chain: list[Sequence[Rational]] = [f, derivative(f)]
    while chain[-1]:
        chain.append([-c for c in divide(chain[-2], chain[-1])[1]])
    return _variations(chain[:-1], low) - _variations(chain[:-1], high)


def _variations(chain: Sequence[Sequence[Rational]], x: Rational) -> int:
    signs = [v > 0 for v in (value(f, x) for f in chain) if v != 0]
    return sum(left != right for left, right in zip(signs, signs[1:], strict=False))


# Irreducibility over the rationals: factors modulo a prime are lifted to a modulus beyond twice any coefficient of a
# true factor (Mignotte's bound), and every product of at most half of the degree is tried as a divisor (Zassenhaus).


def is_irreducible(f: Sequence[int], pointer: str = "") -> bool:
    """Whether a monic integer polynomial of degree at least 2 is irreducible over the rationals."""
    n = len(f) - 1
    if not _is_squarefree(f):
        return False
    # Of a few primes that keep f squarefree, the one with the fewest factors leaves the least to try.
    primes = islice((p for p in _primes() if is_squarefree_modulo(f, p)), 5)
    prime, factors = min(((p, _factor_modulo(f, p)) for p in primes), key=lambda pair: len(pair[1]))
    if len(factors) == 1:
        return True
    if len(factors) > limits.MODULAR_FACTORS:
        message = f"{len(factors)} factors modulo {prime}; at most {limits.MODULAR_FACTORS} are combined"
        raise Undecided("limit-modular-factors", pointer, message)
    # A factor of f of degree m has coefficients of absolute value at most 2^m times the 2-norm of f.
    bound = 2 ** (n + 1) * (sum(c * c for c in f) + 1)
    factors, modulus = _lift(f, factors, prime, bound)
    for size in range(1, len(factors)):
        for chosen in combinations(factors, size):
            if sum(len(g) - 1 for g in chosen) > n // 2:
                continue
            candidate = [1]
            for g in chosen:
                candidate = _reduce_modulo(_multiply(candidate, g), modulus)
            centred = [c - modulus if 2 * c > modulus else c for c in candidate]
            if not divide(f, centred)[1]:
                return False
    return True


def _is_squarefree(f: Sequence[int]) -> bool:
    a: Sequence[Rational] = f
    b: Sequence[Rational] = derivative(f)
    while b:
        a, b = b, divide(a, b)[1]
    return len(a) == 1


def _primes():
    candidate = 2
    while True:
        if all(candidate % d for d in range(2, int(candidate**0.5) + 1)):
            yield candidate
        candidate += 1


def _reduce_modulo(f: Sequence[Rational], p: int) -> list[int]:
    return _strip([int(c) % p for c in f])  # type: ignore[return-value]


def _divide_modulo(f: Sequence[int], g: Sequence[int], p: int) -> tuple[list[int], list[int]]:
    rest = list(f)
    quotient = [0] * max(len(f) - len(g) + 1, 0)
    lead = pow(g[-1], -1, p)
    while len(rest) >= len(g):
        factor = rest[-1] * lead % p
        shift = len(rest) - len(g)
        quotient[shift] = factor
        for i, c in enumerate(g):
            rest[shift + i] = (rest[shift + i] - factor * c) % p
        while rest and rest[-1] == 0:
            rest.pop()
    return quotient, rest


def _gcd_modulo(f: Sequence[int], g: Sequence[int], p: int) -> list[int]:
    a, b = list(f), list(g)
    while b:
        a, b = b, _divide_modulo(a, b, p)[1]
    lead = pow(a[-1], -1, p)
    return [c * lead % p for c in a]


def is_squarefree_modulo(f: Sequence[int], p: int) -> bool:
    """Whether a polynomial whose degree does not fall modulo p has no repeated root there."""
    g = _reduce_modulo(derivative(f), p)
    return bool(g) and len(_gcd_modulo(_reduce_modulo(f, p), g, p)) == 1


def has_root_modulo(f: Sequence[int], p: int) -> bool:
    """Whether the form that an integer polynomial stands for, with its degree, has a root in GF(p) or at infinity."""
    if f[-1] % p == 0:
        return True
    f = _reduce_modulo(f, p)
    # The elements of GF(p) are the roots of t^p - t.
    step = _reduce_modulo(_subtract(_power_of_t(p, f, p), [0, 1]), p)
    return len(_gcd_modulo(f, step, p)) > 1


def count_factors_modulo(f: Sequence[int], p: int) -> int:
    """Number of irreducible factors modulo p of a polynomial that keeps its degree and has no repeated root there.

    It is the dimension of the space of all g with g^p = g modulo f (Berlekamp).
    """
    return len(_frobenius_kernel(_reduce_modulo(f, p), p))


def primitive_integers(f: Sequence[Rational]) -> list[int]:
    """The multiple of a rational polynomial, not zero, that has coprime integer coefficients."""
    scale = lcm(*(c.denominator for c in f))
    integers = [int(c * scale) for c in f]
    content = gcd(*integers)
    return [c // content for c in integers]


def _factor_modulo(f: Sequence[int], p: int) -> list[list[int]]:
    """Monic irreducible factors of a squarefree monic polynomial modulo p (Berlekamp)."""
    f = _reduce_modulo(f, p)
    kernel = _frobenius_kernel(f, p)
    factors = [f]
    for g in kernel:
        if len(factors) == len(kernel):
            break
        pieces: list[list[int]] = []
        for h in factors:
            rest = h
            for c in range(p):
                if len(rest) == 1:
                    break
                shifted = _reduce_modulo([g[0] - c, *g[1:]], p)
                common = _gcd_modulo(rest, shifted, p) if shifted else rest
                if len(common) > 1:
                    pieces.append(common)
                    rest = _divide_modulo(rest, common, p)[0]
        factors = pieces
    return factors


def _frobenius_kernel(f: Sequence[int], p: int) -> list[list[int]]:
    """The polynomials g of degree below that of f with g^p = g modulo f; they split f."""
    n = len(f) - 1
    # Rows of the matrix of g -> g^p - g on 1, t, ..., t^(n-1).
    columns: list[list[int]] = []
    for i in range(n):
        image = _power_of_t(i * p, f, p)
        image += [0] * (n - len(image))
        image[i] -= 1
        columns.append(image)
    return _left_kernel_modulo(columns, p)


def _power_of_t(exponent: int, f: Sequence[int], p: int) -> list[int]:
    result, base = [1], _divide_modulo([0, 1], f, p)[1]
    while exponent:
        if exponent & 1:
            result = _divide_modulo(_reduce_modulo(_multiply(result, base), p), f, p)[1]
        base = _divide_modulo(_reduce_modulo(_multiply(base, base), p), f, p)[1]
        exponent >>= 1
    return result


def _left_kernel_modulo(rows: list[list[int]], p: int) -> list[list[int]]:
    n = len(rows)
    work = [[c % p for c in row] + [int(i == j) for j in range(n)] for i, row in enumerate(rows)]
    pivots = 0
    for column in range(n):
        pivot = next((i for i in range(pivots, n) if work[i][column]), None)
        if pivot is None:
            continue
        work[pivots], work[pivot] = work[pivot], work[pivots]
        lead = pow(work[pivots][column], -1, p)
        for i in range(pivots + 1, n):
            factor = work[i][column] * lead % p
            if factor:
                work[i] = [(x - factor * y) % p for x, y in zip(work[i], work[pivots], strict=True)]
        pivots += 1
    return [row[n:] for row in work[pivots:]]


def _lift(f: Sequence[int], factors: list[list[int]], p: int, bound: int) -> tuple[list[list[int]], int]:
    """The factors modulo a power of p beyond 2*bound (linear Hensel lifting of all factors at once)."""
    # Cofactors a_i with sum a_i * prod_{j != i} g_j = 1 modulo p.
    cofactors: list[list[int]] = []
    for g in factors:
        others = _divide_modulo(_reduce_modulo(f, p), g, p)[0]
        cofactors.append(_inverse_modulo(_divide_modulo(others, g, p)[1], g, p))
    modulus = p
    while modulus <= 2 * bound:
        product: list[int] = [1]
        for g in factors:
            product = _reduce_modulo(_multiply(product, g), modulus * p)
        error = _subtract(f, product)
        step = _reduce_modulo([int(c) % (modulus * p) // modulus for c in error], p)
        lifted: list[list[int]] = []
        for g, a in zip(factors, cofactors, strict=True):
            delta = _divide_modulo(_reduce_modulo(_multiply(step, a), p), _reduce_modulo(g, p), p)[1]
            lifted.append([c + modulus * (delta[i] if i < len(delta) else 0) for i, c in enumerate(g)])
        factors = lifted
        modulus *= p
    return factors, modulus


def _inverse_modulo(f: Sequence[int], g: Sequence[int], p: int) -> list[int]:
    r0, r1 = list(g), list(f)
    u0: list[int] = []
    u1 = [1]
    while len(r1) > 1:
        quotient, rest = _divide_modulo(r0, r1, p)
        r0, r1 = r1, rest
        u0, u1 = u1, _reduce_modulo(_subtract(u0, _multiply(quotient, u1)), p)
    inverse = pow(r1[0], -1, p)
    return _divide_modulo([c * inverse % p for c in u1], g, p)[1]
