r"""Quadratic forms over the completions of the rationals: Hilbert symbols, Hasse invariants, Witt indices.

A form is given by its diagonal. A place is a prime, or `REAL` for the real numbers.

References
----------
.. [1] J.-P. Serre, *A Course in Arithmetic*, Springer GTM 7 (1973), Ch. III and IV.
.. [2] J. W. S. Cassels, *Rational Quadratic Forms*, Academic Press (1978), Ch. 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import isqrt, prod

from flint import fmpz

from rankproof.exact.factoring import Effort, coprime_base, factor_within, prime_divisors

REAL = -1
"""The real place, in Conway's notation for it."""

Rational = int | Fraction


def hilbert_symbol(a: Rational, b: Rational, v: int) -> int:
    r"""Hilbert symbol (a, b)_v: 1 when a x^2 + b y^2 = z^2 has a non-trivial solution over Q_v, else -1.

    Parameters
    ----------
    a, b
        Non-zero rationals.
    v
        A prime, or `REAL`.

    Raises
    ------
    ValueError
        If a or b is zero, or v is not a place.

    References
    ----------
    .. [1] Serre, *A Course in Arithmetic*, Ch. III, Theorem 1.

    Examples
    --------
    >>> hilbert_symbol(-1, -1, REAL), hilbert_symbol(-1, -1, 2), hilbert_symbol(-1, -1, 3)
    (-1, -1, 1)
    """
    _check_place(v)
    return _symbol(_local_class(_square_class(a), v), _local_class(_square_class(b), v), v)


def is_local_square(a: Rational, v: int) -> bool:
    """Whether a non-zero rational is a square in Q_v."""
    _check_place(v)
    c = _local_class(_square_class(a), v)
    return c == 1 if v in (REAL, 2) else bool(c % v) and legendre(c, v) == 1


def legendre(u: int, p: int) -> int:
    """Legendre symbol of an integer prime to the odd prime p."""
    return int(fmpz(u % p).jacobi(p))


def hasse_invariant(diagonal: Sequence[Rational], v: int) -> int:
    """Product of the Hilbert symbols (d_i, d_j)_v over i < j.

    Examples
    --------
    >>> hasse_invariant([1, 2, 3], 3), hasse_invariant([1, 2, 3], 5)
    (-1, 1)
    """
    _check_place(v)
    sign, before = 1, 1
    for d in diagonal:
        c = _local_class(_square_class(d), v)
        # The symbol is bilinear, so one with the product of the earlier entries replaces many.
        sign *= _symbol(before, c, v)
        before = _local_class(before * c, v)
    return sign


def anisotropic_dimension(diagonal: Sequence[Rational], v: int) -> int:
    r"""Dimension of the anisotropic kernel of a diagonal form over Q_v.

    Parameters
    ----------
    diagonal
        Non-zero rationals.
    v
        A prime, or `REAL`.

    Returns
    -------
    int
        The rank minus twice the Witt index over Q_v: at most 4 for a prime v, and \|p - q\| over the reals, where (p, q)
        is the signature.

    References
    ----------
    .. [1] Serre, *A Course in Arithmetic*, Ch. IV, Theorem 6.

    Examples
    --------
    >>> anisotropic_dimension([1, 1, 1, -7], 2), anisotropic_dimension([1, 1, 1, -7], 3)
    (4, 2)
    """
    _check_place(v)
    classes = [_local_class(_square_class(d), v) for d in diagonal]
    if v == REAL:
        return abs(sum(classes))
    dimension = len(classes)
    discriminant = _local_class(prod(classes), v)
    hasse = hasse_invariant(classes, v)
    while _is_isotropic(dimension, discriminant, hasse, v):
        # q = H + q' has discriminant -d(q') and Hasse invariant (-1, d(q')) times that of q'.
        dimension -= 2
        discriminant = _local_class(-discriminant, v)
        hasse *= _symbol(_local_class(-1, v), discriminant, v)
    return dimension


def _is_isotropic(dimension: int, discriminant: int, hasse: int, p: int) -> bool:
    """Whether the form over Q_p with these invariants represents zero; the discriminant is a local class."""
    minus_one, minus_discriminant = _local_class(-1, p), _local_class(-discriminant, p)
    if dimension <= 1:
        return False
    if dimension == 2:
        return is_local_square(minus_discriminant, p)
    if dimension == 3:
        return hasse == _symbol(minus_one, minus_discriminant, p)
    if dimension == 4:
        return not is_local_square(discriminant, p) or hasse == _symbol(minus_one, minus_one, p)
    return True


def relevant_places(diagonal: Sequence[Rational], budget_seconds: float = 10.0) -> list[int]:
    """The real place, 2, and the odd primes that divide an entry to an odd power.

    At every other place the form has no anisotropic part beyond what its discriminant forces.

    Raises
    ------
    BudgetSpent
        If an entry could not be factored in time.

    Examples
    --------
    >>> relevant_places([1, Fraction(9, 5), -14])
    [-1, 2, 5, 7]
    """
    entries = [_square_class(d) for d in diagonal]
    primes = prime_divisors(entries, Effort(budget_seconds))
    return [REAL, 2] + [p for p in primes if p > 2 and any(_valuation(d, p) % 2 for d in entries)]


@dataclass(frozen=True)
class WittIndex:
    """Bound on a Witt index over the rationals, with the place that shows it.

    Attributes
    ----------
    index
        The form has no totally isotropic subspace of a larger dimension.
    place
        A place where the anisotropic kernel has dimension rank - 2 * index: the witness of the bound.
    exact
        Whether `index` is known to be the Witt index itself. It is not when numbers could not be factored in time.
    """

    index: int
    place: int
    exact: bool


def witt_index_rational(diagonal: Sequence[Rational], budget_seconds: float = 10.0) -> WittIndex:
    r"""Witt index over the rationals of a non-degenerate diagonal form.

    Parameters
    ----------
    diagonal
        Non-zero rationals.
    budget_seconds
        Time for factoring. When it is too short the answer is a bound, and says so.

    Returns
    -------
    WittIndex
        With the smallest place that shows the bound, the real one first and 2 last, among those looked at.

    Notes
    -----
    By the theorem of Hasse and Minkowski with Witt cancellation, the index is the least Witt index over the completions
    [1]_. A finite place leaves an anisotropic kernel of dimension at most 4, or at most 3 in odd rank, so a place that
    attains this, or a definite enough signature, ends the search without factoring. In even rank, a discriminant that is
    not a square forces dimension 2 at some small prime, and dimension 4 needs 2 or a prime that divides two entries.

    References
    ----------
    .. [1] Cassels, *Rational Quadratic Forms*, Ch. 6, Theorem 1.1.

    Examples
    --------
    >>> witt_index_rational([1, 1, -3])
    WittIndex(index=0, place=3, exact=True)
    """
    return witt_index_within(diagonal, Effort(budget_seconds))


def witt_index_within(
    diagonal: Sequence[Rational], effort: Effort, determinant: int | None = None
) -> WittIndex:
    """The same as a part of a longer search.

    Parameters
    ----------
    diagonal
        Non-zero rationals.
    effort
        Time for factoring.
    determinant
        Determinant of the form on some integral lattice, if known: then only its prime divisors and 2 are of interest, and
        those that came in with the diagonal need not be found.
    """
    entries = [_square_class(d) for d in diagonal]
    n = len(entries)
    largest = min(n, 3 if n % 2 else 4)
    dimension, place, exact = anisotropic_dimension(entries, REAL), REAL, True
    if dimension < largest:
        for v in _promising_places(entries, determinant, effort):
            if v is None:
                exact = False
                continue
            at_v = anisotropic_dimension(entries, v)
            if at_v > dimension:
                dimension, place = at_v, v
            if dimension == largest:
                break
    return WittIndex((n - dimension) // 2, place, exact or dimension >= largest)


def _promising_places(entries: list[int], determinant: int | None, effort: Effort) -> Iterator[int | None]:
    """Places among which one has the largest anisotropic kernel; None stands for those that factoring did not find."""
    n = len(entries)
    discriminant = (-1) ** (n // 2) * prod(entries)
    if n % 2 == 0 and not _is_square(discriminant):
        # Half of all primes will do, so the first is small.
        yield next(p for p in _primes() if not is_local_square(discriminant, p))
    found, complete = {2}, True
    for m in coprime_base(entries if determinant is None else [*entries, determinant]):
        odd = sum(_valuation(d, m) % 2 for d in entries)
        # A form of units, or a multiple of one, has no anisotropic part beyond what its discriminant forces. In even
        # rank an odd number of odd valuations makes the discriminant ramify, and then the kernel has dimension 2.
        unimodular = determinant is not None and determinant % m != 0
        if unimodular or odd in (0, n) or (n % 2 == 0 and odd % 2):
            continue
        exponents, unknown = factor_within(m, effort)
        found.update(exponents)
        complete = complete and unknown == 1
    yield from sorted(found, key=lambda p: (p == 2, p))
    if not complete:
        yield None


def _primes() -> Iterator[int]:
    return (p for p in count(2) if fmpz(p).is_prime())


def _is_square(m: int) -> bool:
    return m >= 0 and isqrt(m) ** 2 == m


def _square_class(a: Rational) -> int:
    """An integer with the same class modulo squares."""
    if not a:
        raise ValueError(
            "a diagonal entry or argument of a symbol is 0; leave zeros out, they carry no class modulo squares"
        )
    return a if isinstance(a, int) else a.numerator * a.denominator


def _check_place(v: int) -> None:
    if v != REAL and not (v > 1 and fmpz(v).is_probable_prime()):
        raise ValueError(f"{v} is not a place of the rationals; give a prime, or -1 for the real place")


def _valuation(a: int, m: int) -> int:
    e = 0
    while a % m == 0:
        a //= m
        e += 1
    return e


def _local_class(a: int, v: int) -> int:
    """Small representative of a modulo squares of Q_v, the same for all of a class at 2 and over the reals."""
    if v == REAL:
        return 1 if a > 0 else -1
    e = _valuation(a, v)
    unit = a // v**e
    return (unit % 8 if v == 2 else unit % v) * v ** (e % 2)


def _symbol(a: int, b: int, v: int) -> int:
    """Hilbert symbol of local classes."""
    if v == REAL:
        return -1 if a < 0 and b < 0 else 1
    alpha, beta = int(a % v == 0), int(b % v == 0)
    u, w = a // v**alpha, b // v**beta
    if v == 2:
        exponent = (u - 1) // 2 * ((w - 1) // 2) + alpha * ((w * w - 1) // 8) + beta * ((u * u - 1) // 8)
        return -1 if exponent % 2 else 1
    sign = -1 if alpha and beta and v % 4 == 3 else 1
    return sign * (legendre(u, v) if beta else 1) * (legendre(w, v) if alpha else 1)
