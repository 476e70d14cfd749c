"""Factoring integers within a time limit.

FLINT's quadratic sieve cannot be interrupted, so the time it will take is estimated from the size of the number, and the
sieve is started only when that much time is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import gcd, isqrt
from time import monotonic

from flint import fmpz

from rankproof.errors import RankproofError

_TRIAL_BITS = 20
_FACTOR_BITS = (_TRIAL_BITS, 30, 40)
"""Sizes of the factors looked for before the sieve; FLINT needs about 1, 15 and 80 milliseconds for them."""

_SIEVE_DIGITS = 50
_SIEVE_SECONDS = 0.5
_SIEVE_DOUBLING = 3.5
"""FLINT 3 factors 50-digit products of two primes in half a second, and twice as long for every 3.5 digits more."""

CHEAP_SECONDS = 0.03
"""Effort for factorings that only make an answer nicer: numbers of 35 digits are still factored."""


class BudgetSpent(RankproofError):
    """The time allowed ran out before the answer was known; nothing follows about the answer."""


class Effort:
    """Time that a search may take, and the large primes it has met, which it need not find again.

    Parameters
    ----------
    seconds
        Time from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self.primes: set[int] = set()

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._end - monotonic())

    def check(self, doing: str) -> None:
        """Raise BudgetSpent when no time is left."""
        if not self.left():
            raise BudgetSpent(f"the time allowed was spent while {doing}; allow more seconds")

    def share(self, seconds: float) -> Effort:
        """A part of this effort: so many seconds, or what is left, with the same memory of primes."""
        part = Effort(min(seconds, self.left()))
        part.primes = self.primes
        return part


def factor_within(m: int, effort: Effort) -> tuple[dict[int, int], int]:
    """Factor a positive integer as far as the time allows.

    Parameters
    ----------
    m
        A positive integer.
    effort
        When to give up. Prime factors below 2^20 and those met before are found in any case.

    Returns
    -------
    tuple
        Exponents of the primes found, and the product of the composite factors that were not taken apart (1 when the
        factoring is complete). Primality is FLINT's Baillie-PSW test, to which no exception is known.

    Examples
    --------
    >>> factor_within(2**5 * 3 * 10007, Effort(1))
    ({2: 5, 3: 1, 10007: 1}, 1)
    """
    exponents, unknown = _factor(
        m,
        effort.primes,
        may_sieve=lambda part: _sieve_seconds(part) <= effort.left(),
        may_look_for=lambda bits: bits <= _TRIAL_BITS or effort.left() > 0,
    )
    effort.primes.update(p for p in exponents if p >> _TRIAL_BITS)
    return exponents, unknown


def factor_cheaply(m: int, primes: Collection[int] = ()) -> tuple[dict[int, int], int]:
    """Factor a positive integer with an effort that does not depend on time, a twentieth of a second at most.

    The result is that of `factor_within`. Numbers of up to 35 digits, besides the given primes, are factored completely.
    """
    return _factor(
        m,
        primes,
        may_sieve=lambda part: _sieve_seconds(part) <= CHEAP_SECONDS,
        may_look_for=lambda bits: bits <= _TRIAL_BITS,
    )


def _factor(
    m: int, known: Collection[int], may_sieve: Callable[[int], bool], may_look_for: Callable[[int], bool]
) -> tuple[dict[int, int], int]:
    if m < 1:
        raise ValueError(f"only positive integers are factored, not {m}")
    exponents: dict[int, int] = {}
    for p in known:
        while m % p == 0:
            m //= p
            exponents[p] = exponents.get(p, 0) + 1
    unknown = 1
    # A part, its multiplicity, and how many sizes of factors were looked for in it.
    parts = [(m, 1, 0)]
    while parts:
        part, multiplicity, tried = parts.pop()
        if part == 1:
            continue
        if fmpz(part).is_probable_prime():
            exponents[part] = exponents.get(part, 0) + multiplicity
        elif (root := isqrt(part)) ** 2 == part:
            parts.append((root, 2 * multiplicity, tried))
        elif tried and may_sieve(part):
            parts += [(int(p), multiplicity * int(e), tried) for p, e in fmpz(part).factor()]
        elif tried < len(_FACTOR_BITS) and may_look_for(_FACTOR_BITS[tried]):
            pieces = fmpz(part).factor_smooth(_FACTOR_BITS[tried])
            parts += [(int(p), multiplicity * int(e), tried + 1) for p, e in pieces]
        else:
            unknown *= part**multiplicity
    return dict(sorted(exponents.items())), unknown


def _sieve_seconds(m: int) -> float:
    digits = m.bit_length() * 0.30103
    return _SIEVE_SECONDS * 2 ** ((digits - _SIEVE_DIGITS) / _SIEVE_DOUBLING)


def prime_divisors(numbers: Iterable[int], effort: Effort) -> list[int]:
    """Primes dividing at least one of several non-zero integers, in increasing order.

    Raises
    ------
    BudgetSpent
        If a composite factor could not be taken apart in time.

    Examples
    --------
    >>> prime_divisors([-12, 35], Effort(1))
    [2, 3, 5, 7]
    """
    primes: set[int] = set()
    for m in coprime_base(numbers):
        exponents, unknown = factor_within(m, effort)
        if unknown > 1:
            raise BudgetSpent(
                f"a composite factor of {len(str(unknown))} digits could not be taken apart in the time allowed;"
                " allow more seconds"
            )
        primes.update(exponents)
    return sorted(primes)


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 such that every given integer is, up to sign, a product of their powers.

    Common factors of several numbers come for free here, however hard they are to find in one number.

    Examples
    --------
    >>> coprime_base([12, 18])
    [2, 3]
    """
    base: list[int] = []
    pending = [abs(m) for m in numbers if m]
    while pending:
        m = pending.pop()
        for i, b in enumerate(base):
            common = gcd(m, b)
            if common > 1:
                # Both are replaced by smaller numbers, so this comes to an end.
                del base[i]
                pending += [common, b // common, m // common]
                break
        else:
            if m > 1:
                base.append(m)
    return sorted(base)


def square_part(m: int, primes: Collection[int] = ()) -> tuple[int, int]:
    """Write a non-zero integer as c * s^2 with c squarefree, as far as cheap factoring sees.

    Examples
    --------
    >>> square_part(-72)
    (-2, 6)
    """
    exponents, _ = factor_cheaply(abs(m), primes)
    s = 1
    for p, e in exponents.items():
        s *= p ** (e // 2)
    return m // (s * s), s
