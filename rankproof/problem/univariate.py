"""Exact polynomials in one variable: division, real roots (Sturm) and irreducibility over the rationals (Zassenhaus).

A polynomial is the sequence of its coefficients in ascending order. Number fields rest on these few functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, isqrt
from random import Random

Rational = int | Fraction


def strip(f: Iterable[Rational]) -> list[Fraction]:
    """Coefficients of f as fractions, without leading zeros; the zero polynomial is the empty list."""
    coefficients = [Fraction(c) for c in f]
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return coefficients


def divide(f: Sequence[Rational], g: Sequence[Rational]) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder of f by a non-zero g over the rationals."""
    remainder, divisor = strip(f), strip(g)
    quotient = [Fraction(0)] * max(len(remainder) - len(divisor) + 1, 0)
    while len(remainder) >= len(divisor):
        shift = len(remainder) - len(divisor)
        factor = remainder[-1] / divisor[-1]
        quotient[shift] = factor
        for k, c in enumerate(divisor):
            remainder[shift + k] -= factor * c
        remainder = strip(remainder)
    return quotient, remainder


def inverse_modulo(a: Sequence[Rational], f: Sequence[Rational]) -> list[Fraction]:
    """Polynomial b of degree below deg f with a*b = 1 modulo f, for a coprime to f."""
    r0, r1 = strip(f), strip(a)
    t0, t1 = strip([]), [Fraction(1)]
    while len(r1) > 1:
        q, r = divide(r0, r1)
        r0, r1 = r1, r
        t0, t1 = t1, _subtract(t0, _multiply(q, t1))
    if not r1:
        raise ZeroDivisionError("the polynomials have a common factor")
    return [c / r1[0] for c in t1]


def evaluate(f: Sequence[Rational], x: Rational) -> Fraction:
    """Value f(x)."""
    value = Fraction(0)
    for c in reversed(f):
        value = value * x + c
    return value


def derivative(f: Sequence[Rational]) -> list[Fraction]:
    """Derivative f'."""
    return [Fraction(k * c) for k, c in enumerate(f)][1:]


def is_squarefree(f: Sequence[Rational]) -> bool:
    """Whether f and f' have no common factor."""
    a, b = strip(f), derivative(f)
    while b:
        a, b = b, divide(a, b)[1]
    return len(a) == 1


def real_roots_between(f: Sequence[Rational], l: Rational, u: Rational) -> int:
    """Number of distinct real roots of f in the open interval (l, u), none of which is l or u (Sturm's theorem)."""
    chain = [strip(f), derivative(f)]
    while remainder := divide(chain[-2], chain[-1])[1]:
        chain.append([-c for c in remainder])

    def sign_changes(x: Rational) -> int:
        signs = [value > 0 for g in chain if (value := evaluate(g, x))]
        return sum(s != t for s, t in zip(signs, signs[1:], strict=False))

    return sign_changes(l) - sign_changes(u)


def largest_real_root(f: Sequence[int]) -> tuple[Fraction, Fraction] | None:
    """Rational interval around the largest real root of a monic f without rational roots; None when there is none."""
    bound = Fraction(1 + max(abs(c) for c in f))
    l, u = -bound, bound
    if not real_roots_between(f, l, u):
        return None
    while real_roots_between(f, l, u) > 1:
        middle = (l + u) / 2
        if real_roots_between(f, middle, u):
            l = middle
        else:
            u = middle
    return l, u


def is_irreducible(f: Sequence[int]) -> bool:
    """Whether a monic squarefree integer polynomial of degree >= 1 is irreducible over the rationals.

    Notes
    -----
    A monic factor of f is a product of factors of f modulo p. With p above twice the largest coefficient that a factor can have,
    the factor is read off modulo p, so that trying all products decides. Factors modulo p come from Cantor and Zassenhaus.

    References
    ----------
    .. [1] von zur Gathen, Gerhard, *Modern Computer Algebra*, 3rd ed. (2013), algorithms 14.13, 14.31 and 15.2.
    """
    n = len(f) - 1
    # Mignotte: a coefficient of a factor of f is at most C(n, n/2) times the Euclidean norm of f.
    bound = comb(n, n // 2) * (isqrt(sum(c * c for c in f)) + 1)
    # The number of products to try grows like 2^len(factors); the best of a few primes splits f little.
    candidates: list[tuple[int, list[list[int]]]] = []
    p = 2 * bound
    for _ in range(8):
        p = _good_prime(f, p + 1)
        candidates.append((p, _factors_modulo(f, p)))
    p, factors = min(candidates, key=lambda pair: len(pair[1]))
    for count in range(1, len(factors) // 2 + 1):
        for chosen in combinations(factors, count):
            product = [1]
            for g in chosen:
                product = _multiply_modulo(product, g, p)
            lifted = [c - p if 2 * c > p else c for c in product]
            # The constant coefficient of a factor divides that of f: this cheap test refuses nearly all products.
            if (f[0] == 0 or (lifted[0] and f[0] % lifted[0] == 0)) and not divide(f, lifted)[1]:
                return False
    return True


def is_prime(n: int) -> bool:
    """Whether n is a prime (Miller-Rabin; proved for n < 3.3 * 10^24, the bases being the first 13 primes)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % q == 0 for q in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def _subtract(f: Sequence[Fraction], g: Sequence[Fraction]) -> list[Fraction]:
    n = max(len(f), len(g))
    return strip((f[k] if k < len(f) else 0) - (g[k] if k < len(g) else 0) for k in range(n))


def _multiply(f: Sequence[Fraction], g: Sequence[Fraction]) -> list[Fraction]:
    product = [Fraction(0)] * max(len(f) + len(g) - 1, 0)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            product[i + j] += a * b
    return strip(product)


def _good_prime(f: Sequence[int], above: int) -> int:
    """A prime modulo which f stays squarefree."""
    p = max(above, 3) | 1
    # Squarefreeness fails only for the finitely many primes that divide the discriminant.
    while not (is_prime(p) and len(_gcd_modulo(f, [k * c for k, c in enumerate(f)][1:], p)) == 1):
        p += 2
    return p


def _strip_modulo(f: Sequence[int], p: int) -> list[int]:
    coefficients = [c % p for c in f]
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return coefficients


def _divide_modulo(f: Sequence[int], g: Sequence[int], p: int) -> tuple[list[int], list[int]]:
    remainder, divisor = _strip_modulo(f, p), _strip_modulo(g, p)
    lead = pow(divisor[-1], -1, p)
    quotient = [0] * max(len(remainder) - len(divisor) + 1, 0)
    while len(remainder) >= len(divisor):
        shift = len(remainder) - len(divisor)
        factor = remainder[-1] * lead % p
        quotient[shift] = factor
        for k, c in enumerate(divisor):
            remainder[shift + k] -= factor * c
        remainder = _strip_modulo(remainder, p)
    return quotient, remainder


def _gcd_modulo(f: Sequence[int], g: Sequence[int], p: int) -> list[int]:
    a, b = _strip_modulo(f, p), _strip_modulo(g, p)
    while b:
        a, b = b, _divide_modulo(a, b, p)[1]
    lead = pow(a[-1], -1, p)
    return [c * lead % p for c in a]


def _multiply_modulo(f: Sequence[int], g: Sequence[int], p: int) -> list[int]:
    product = [0] * max(len(f) + len(g) - 1, 0)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            product[i + j] += a * b
    return _strip_modulo(product, p)


def _power_modulo(f: Sequence[int], exponent: int, modulus: Sequence[int], p: int) -> list[int]:
    result, square = [1], _divide_modulo(f, modulus, p)[1]
    while exponent:
        if exponent & 1:
            result = _divide_modulo(_multiply_modulo(result, square, p), modulus, p)[1]
        square = _divide_modulo(_multiply_modulo(square, square, p), modulus, p)[1]
        exponent >>= 1
    return result


def _factors_modulo(f: Sequence[int], p: int) -> list[list[int]]:
    """Monic irreducible factors of a monic squarefree f modulo an odd prime p."""
    factors: list[list[int]] = []
    rest, frobenius, degree = _strip_modulo(f, p), [0, 1], 0
    while len(rest) > 1:
        degree += 1
        if len(rest) - 1 < 2 * degree:
            factors.append(rest)
            break
        frobenius = _power_modulo(frobenius, p, rest, p)
        moved = [c - (k == 1) for k, c in enumerate(frobenius + [0] * (2 - len(frobenius)))]
        equal_degree = _gcd_modulo(rest, moved, p) if _strip_modulo(moved, p) else rest
        if len(equal_degree) > 1:
            factors += _split_equal_degree(equal_degree, degree, p)
            rest = _divide_modulo(rest, equal_degree, p)[0]
            frobenius = _divide_modulo(frobenius, rest, p)[1]
    return factors


def _split_equal_degree(f: list[int], degree: int, p: int) -> list[list[int]]:
    """Factors of f, all of the given degree (Cantor and Zassenhaus; the random choices decide only how long it takes)."""
    rng = Random(0)
    pending, factors = [f], list[list[int]]()
    while pending:
        g = pending.pop()
        if len(g) - 1 == degree:
            factors.append(g)
            continue
        trial = [rng.randrange(p) for _ in range(len(g) - 1)]
        power = _power_modulo(trial, (p**degree - 1) // 2, g, p)
        shifted = [c - (k == 0) for k, c in enumerate(power or [0])]
        part = _gcd_modulo(g, shifted, p) if _strip_modulo(shifted, p) else g
        pending += [g] if len(part) in (1, len(g)) else [part, _divide_modulo(g, part, p)[0]]
    return factors
