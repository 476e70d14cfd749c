r"""Numbers that two binary quadratic forms both represent over the rationals.

References
----------
.. [1] J.-P. Serre, *A Course in Arithmetic*, Springer GTM 7 (1973), Ch. III, Theorem 4 and Ch. IV, section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import prod

from flint import fmpz

from rankproof.exact.factoring import Effort
from rankproof.exact.hilbert import REAL, hilbert_symbol, legendre

_LEFT_TO_CHANCE = 10
"""So many independent conditions are left to chance: one prime in 2^10 meets them."""

Pair = tuple[int, int]


def common_value(first: Pair, second: Pair, primes: Sequence[int], effort: Effort) -> tuple[int, list[int]]:
    r"""A number represented over the rationals by a x^2 + b y^2 and by c x^2 + d y^2.

    Parameters
    ----------
    first, second
        (a, b) and (c, d), non-zero integers such that a x^2 + b y^2 - c z^2 - d w^2 is isotropic and neither form is.
    primes
        The primes that divide a, b, c or d.
    effort
        When to give up.

    Returns
    -------
    tuple
        The number t, squarefree, and the primes dividing it: some of 2 and the given ones, and at most one other.

    Raises
    ------
    BudgetSpent
        If the time was spent before a number was found.

    Notes
    -----
    The form (a, b) represents t if and only if (t, -ab)_v = (a, b)_v at every place v. For t = plus or minus a product of
    given primes times one more prime q, these are linear equations over the field with two elements for the sign and the
    exponents, solvable when q meets some quadratic conditions modulo the given primes. By Dirichlet's theorem there are
    such primes, and by the product formula the conditions at q itself follow from the others.

    Examples
    --------
    >>> common_value((1, 1), (3, 7), [3, 7], Effort(5))
    (10, [2, 5])
    """
    system = _Conditions(first, second, primes)
    generators = [-1, *system.primes]
    echelon, relations = _echelon([system.of(g) for g in generators])
    wanted = system.wanted
    for q in _auxiliary_primes(system, echelon, effort):
        rest, chosen = _reduce(wanted ^ (system.of(q) if q > 1 else 0), 0, echelon)
        if not rest:
            t = min((_product(generators, chosen ^ r) for r in [0, *relations]), key=abs) * q
            return t, [p for p in sorted([*system.primes, q]) if p > 1 and t % p == 0]
    raise ArithmeticError("the auxiliary primes ran out")


class _Conditions:
    """Values of Hilbert symbols at all places that matter, for both forms, as bit sets: a bit is set for -1."""

    def __init__(self, first: Pair, second: Pair, primes: Sequence[int]) -> None:
        self.primes = sorted({2, *primes})
        self._places = [REAL, *self.primes]
        self._discriminants = [-a * b for a, b in (first, second)]
        self.wanted = _bits(hilbert_symbol(a, b, v) for a, b in (first, second) for v in self._places)

    def of(self, t: int) -> int:
        """The symbols (t, -ab)_v and (t, -cd)_v."""
        return _bits(hilbert_symbol(t, D, v) for D in self._discriminants for v in self._places)

    def at(self, t: int, place: int) -> int:
        """The same, with only the symbols at one place."""
        return _bits(
            hilbert_symbol(t, D, v) if v == place else 1 for D in self._discriminants for v in self._places
        )


def _auxiliary_primes(conditions: _Conditions, echelon: list[Pair], effort: Effort) -> Iterator[int]:
    """1 and the primes for which the equations can be solved, from one arithmetic progression.

    What a prime contributes depends on its class modulo 8 and on its Legendre symbols modulo the odd primes. The classes
    modulo 8 and the smallest odd primes are prescribed by a progression when there are too many conditions for chance.
    """

    def obstruction(bits: int) -> int:
        return _reduce(bits, 0, echelon)[0]

    odd = [p for p in conditions.primes if p > 2]
    target = obstruction(conditions.wanted)
    if not target:
        yield 1
    modulo_8 = {r: obstruction(conditions.at(r, 2)) for r in (1, 3, 5, 7)}
    modulo = {p: obstruction(conditions.at(_nonresidue(p), p)) for p in odd}
    fixed = _prescribed(odd, modulo)
    start, step = _progression(target, fixed, odd, modulo_8, modulo)
    skip = set(conditions.primes)
    for k, q in enumerate(count(start, step)):
        if k % 1024 == 0:
            effort.check("looking for a common value of two binary forms")
        total = target ^ modulo_8[q % 8]
        for p in odd:
            if modulo[p] and q % p and legendre(q, p) < 0:
                total ^= modulo[p]
        if not total and q not in skip and fmpz(q).is_probable_prime():
            yield q


def _prescribed(odd: list[int], modulo: dict[int, int]) -> list[int]:
    """The smallest odd primes, just so many that few independent conditions are left for the others."""
    for k in range(len(odd)):
        basis, _ = _echelon([modulo[p] for p in odd[k:]])
        if len(basis) <= _LEFT_TO_CHANCE:
            return odd[:k]
    return odd


def _progression(
    target: int, fixed: list[int], odd: list[int], modulo_8: dict[int, int], modulo: dict[int, int]
) -> Pair:
    """Start and step of odd numbers with prescribed classes modulo 8 and the fixed primes."""
    if not fixed:
        return 3, 2
    rest, chosen = _reduce(target, 0, _echelon([modulo_8[3], modulo_8[5], *(modulo[p] for p in odd)])[0])
    if rest:
        raise ArithmeticError("the binary forms have no common value")
    start, step = {0: 1, 1: 3, 2: 5, 3: 7}[chosen & 3], 8
    for i, p in enumerate(odd):
        if p in fixed:
            residue = _nonresidue(p) if chosen >> (i + 2) & 1 else 1
            start += step * ((residue - start) * pow(step, -1, p) % p)
            step *= p
    return start, step


def _nonresidue(p: int) -> int:
    """The least number that is not a square modulo an odd prime."""
    return next(u for u in count(2) if legendre(u, p) == -1)


def _bits(signs: Iterable[int]) -> int:
    return sum(1 << i for i, sign in enumerate(signs) if sign < 0)


def _echelon(vectors: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """Echelon basis of the span with the combination that gives each member, and the relations among the vectors."""
    basis: list[tuple[int, int]] = []
    relations: list[int] = []
    for k, vector in enumerate(vectors):
        rest, combination = _reduce(vector, 1 << k, basis)
        if rest:
            basis.append((rest, combination))
        else:
            relations.append(combination)
    return basis, relations


def _reduce(vector: int, combination: int, basis: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Reduce modulo the span of a basis; linear, because every member has a leading bit that later ones lack."""
    for member, origin in basis:
        if vector & (member & -member):
            vector ^= member
            combination ^= origin
    return vector, combination


def _product(generators: Sequence[int], chosen: int) -> int:
    return prod(g for i, g in enumerate(generators) if chosen >> i & 1)
