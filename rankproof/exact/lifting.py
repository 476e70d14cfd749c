"""Lifting decompositions from GF(p) to the rationals: Hensel's lemma and rational reconstruction."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from rankproof.errors import UsageError
from rankproof.exact.linear_systems import solve
from rankproof.problem.decomposition import Decomposition, ExactUnit
from rankproof.problem.field import QQ, Scalar, gf
from rankproof.problem.target import Target

STEPS = 40
"""Digits to the base p that are computed: numerators and denominators below the root of half of p^STEPS are recognised."""

MAX_SYSTEM = 120_000_000
"""Entries of the linear system of one step."""

Integers = list[list[list[int]]]
"""Units, factors, coordinates."""


def lifted(found: Decomposition, target: Target, steps: int = STEPS) -> Decomposition | None:
    r"""Lift a decomposition over GF(p) into product units to one over QQ of as many units.

    Parameters
    ----------
    found
        Product units over GF(p) whose sum is the target modulo p.
    target
        Tensor over QQ, with integer coefficients.
    steps
        Digits to the base p.

    Returns
    -------
    Decomposition or None
        Units over QQ with the exact sum; None when the equations of some step have no solution, or the solution is not
        recognised as rational. That it is None proves nothing.

    Raises
    ------
    UsageError
        If the target is not an integer tensor, the units do not sum to it modulo p, or the system is too large.

    Notes
    -----
    Let F be the sum of the units as a polynomial map of their coordinates x, and F(x) = T modulo p^k. Then
    F(x + p^k y) = F(x) + p^k J(x) y modulo p^{k+1}, and a y with J(x) y = (T - F(x)) / p^k modulo p gives one digit
    more. The matrix J modulo p is the same for every k. The coordinates that no pivot belongs to keep their first values.
    Coordinates that are zero modulo p are kept zero at first; modulo 2 the first step then looks for signs.

    Examples
    --------
    >>> from rankproof.problem.field import gf
    >>> from rankproof.problem.library import named
    >>> karatsuba = [[(1, 0), (1, 0), (1, 1, 0)], [(0, 1), (0, 1), (0, 1, 1)], [(1, 1), (1, 1), (0, 1, 0)]]
    >>> found = Decomposition.of("product", karatsuba, gf(2))
    >>> lifted(found, named("polymul", 2, 2)).residual(named("polymul", 2, 2))
    {}
    """
    p = found.ring.characteristic
    if target.ring != QQ or not all(isinstance(c, int) for _, c in target.entries):
        raise UsageError(
            f"only tensors with integer coefficients can be lifted to, and {target.text} is none; scale it"
        )
    if not p or found.units_model != "product" or found.residual(target):
        raise UsageError(
            f"the units are no decomposition of {target.text} over a field GF(p); nothing is lifted"
        )
    dims = [n for n, _ in target.space.factors]
    size, unknowns = target.space.dimension, len(found) * sum(dims)
    if size * unknowns > MAX_SYSTEM:
        raise UsageError(
            f"{size} equations for {unknowns} coordinates are too many to lift; lift its parts instead"
        )
    start: Integers = [[[int(c) for c in v] for v in unit] for unit in found.units]  # type: ignore[arg-type]
    wanted = [0] * size
    for word, c in target.entries:
        wanted[_place(word, dims)] = int(c)  # type: ignore[arg-type]
    for sparse in (True, False):
        result = _hensel(start, _Jacobian(start, dims, p, sparse), wanted, steps)
        if result is not None and (exact := _recognised(*result, target)):
            return exact
    return None


def _hensel(start: Integers, system: _Jacobian, wanted: list[int], steps: int) -> tuple[Integers, int] | None:
    """Coordinates and the modulus up to which the sum is right; None when some step has no solution."""
    x: Integers = [[list(v) for v in unit] for unit in start]
    p, dims = system.p, system.dims
    modulus = p
    for _ in range(steps - 1):
        rest = [a - b for a, b in zip(wanted, _expanded(x, dims), strict=True)]
        if not any(rest):
            break
        step = system.solve([r // modulus for r in rest])
        if step is None:
            return None
        for k, y in step.items():
            unit, factor, i = system.place(k)
            x[unit][factor][i] += modulus * (y - p if 2 * y >= p else y)
        modulus *= p
    return x, modulus


def rational_reconstruction(x: int, modulus: int) -> Scalar | None:
    """The fraction of small numerator and denominator that is x modulo m; None when there is none.

    Both are at most the root of m/2, so that there is at most one.

    Examples
    --------
    >>> rational_reconstruction(505, 1009), rational_reconstruction(1008, 1009)
    (Fraction(1, 2), -1)
    """
    bound = isqrt(modulus // 2)
    r0, r1, t0, t1 = modulus, x % modulus, 0, 1
    while r1 > bound:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    if not t1 or abs(t1) > bound:
        return None
    return QQ.reduce(QQ.reduce(r1) * QQ.inverse(t1))


def _recognised(x: Integers, modulus: int, target: Target) -> Decomposition | None:
    units: list[ExactUnit] = []
    for unit in x:
        vectors: list[tuple[Scalar, ...]] = []
        for vector in unit:
            values = [rational_reconstruction(c, modulus) for c in vector]
            if any(v is None for v in values):
                return None
            vectors.append(tuple(v for v in values if v is not None))
        units.append(tuple(vectors))
    result = Decomposition("product", QQ, tuple(units))
    return None if result.residual(target) else result


class _Jacobian:
    """The derivative of the sum of the units at a point modulo p, by unknowns, and solutions of systems with its matrix."""

    def __init__(self, x: Integers, dims: Sequence[int], p: int, sparse: bool) -> None:
        self.dims, self.p = dims, p
        self._columns: dict[int, dict[int, int]] = {}
        for k in range(len(x) * sum(dims)):
            unit, factor, i = self.place(k)
            if not sparse or x[unit][factor][i]:
                vectors = [list(v) for v in x[unit]]
                vectors[factor] = [int(j == i) for j in range(dims[factor])]
                self._columns[k] = {at: c % p for at, c in _sparse(vectors, dims).items() if c % p}
        self._echelon = self._eliminated() if p == 2 else []

    def place(self, k: int) -> tuple[int, int, int]:
        """Unit, factor and coordinate of unknown k."""
        unit, k = divmod(k, sum(self.dims))
        for factor, n in enumerate(self.dims):
            if k < n:
                return unit, factor, k
            k -= n
        raise IndexError(k)

    def _eliminated(self) -> list[tuple[int, int, int]]:
        """Modulo 2: columns in echelon form as bit masks, with their highest bits and the unknowns they are sums of."""
        echelon: list[tuple[int, int, int]] = []
        for k, column in self._columns.items():
            mask, unknowns = sum(1 << e for e in column), 1 << k
            mask, unknowns = _reduced(mask, unknowns, echelon)
            if mask:
                echelon.append((mask.bit_length() - 1, mask, unknowns))
        return echelon

    def solve(self, side: Sequence[int]) -> dict[int, int] | None:
        """Values of unknowns that solve all equations modulo p; None when nothing does."""
        if self.p == 2:
            mask = sum(1 << e for e, r in enumerate(side) if r & 1)
            mask, unknowns = _reduced(mask, 0, self._echelon)
            return None if mask else {k: 1 for k in self._columns if unknowns >> k & 1}
        right = {e: r % self.p for e, r in enumerate(side) if r % self.p}
        solutions = solve(list(self._columns.values()), [right], gf(self.p))
        if solutions is None:
            return None
        return {k: int(y) for k, y in zip(self._columns, solutions[0], strict=True) if y}  # type: ignore[arg-type]


def _reduced(mask: int, unknowns: int, echelon: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    for bit, row, parts in echelon:
        if mask >> bit & 1:
            mask ^= row
            unknowns ^= parts
    return mask, unknowns


def _expanded(x: Integers, dims: Sequence[int]) -> list[int]:
    size = 1
    for n in dims:
        size *= n
    total = [0] * size
    for unit in x:
        for at, value in _sparse(unit, dims).items():
            total[at] += value
    return total


def _sparse(vectors: Sequence[Sequence[int]], dims: Sequence[int]) -> dict[int, int]:
    partial = {0: 1}
    for vector, n in zip(vectors, dims, strict=True):
        partial = {at * n + i: c * y for at, c in partial.items() for i, y in enumerate(vector) if y}
    return partial


def _place(word: Sequence[int], dims: Sequence[int]) -> int:
    at = 0
    for i, n in zip(word, dims, strict=True):
        at = at * n + i
    return at
