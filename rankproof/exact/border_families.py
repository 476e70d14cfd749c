"""Border families in normal form, what they cost, and exact ones from floating-point coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any, cast

import flint

from rankproof.exact.linear_systems import Column, solve
from rankproof.exact.recover import DIGITS, PRECISION, exact_numbers
from rankproof.exact.refine import Place, Product, refine_sum
from rankproof.problem.decomposition import BorderFamily, FamilyUnit
from rankproof.problem.field import QQ, Algebraic, Field, NumberField, Scalar, number
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.problem.units.model import Sparse

DENOMINATORS = (1, 12, 720)
"""Bounds on denominators that are tried in turn."""

MATCHES = 1e-7
"""Greatest distance of a float from the rational that it is taken for; a wrong one is noticed by the exact check."""

Jet = Sequence[complex]
"""Coefficients of 1, eps, eps^2, ... of one coordinate."""

FloatFamilyUnit = Sequence[Sequence[Jet]]

_GAUSS = NumberField.sqrt(-1, "i")


def normal_form(family: BorderFamily, powers: Sequence[int]) -> BorderFamily:
    """The same family at order 0: powers of eps are moved out of all vectors but the last ones, and eps^g becomes eps.

    Parameters
    ----------
    family
        Its units have no zero vectors.
    powers
        How often each vector of a unit occurs in it; once for the last one.

    Examples
    --------
    >>> eps = Laurent.power(2)
    >>> family = BorderFamily("tied", QQ, 2, (((1, eps), (1,)), ((1, 0), (-1,))))
    >>> for unit in normal_form(family, (3, 1)).units:
    ...     print([[str(x) for x in vector] for vector in unit])
    [['1', 'eps'], ['eps**-1']]
    [['1', '0'], ['-eps**-1']]
    """
    moved: list[list[list[Laurent]]] = []
    for unit in family.units:
        vectors = [[as_laurent(x) for x in vector] for vector in unit]
        shift = -family.order
        for place, p in enumerate(powers[:-1]):
            low = min(x.terms[0][0] for x in vectors[place] if x)
            vectors[place] = [_shifted(x, -low) for x in vectors[place]]
            shift += low * p
        vectors[-1] = [_shifted(x, shift) for x in vectors[-1]]
        moved.append(vectors)
    step = gcd(*(e for unit in moved for vector in unit for x in vector for e, _ in x.terms)) or 1
    units = tuple(
        tuple(tuple(_plain(Laurent(tuple((e // step, c) for e, c in x.terms))) for x in v) for v in unit)
        for unit in moved
    )
    return BorderFamily(family.units_model, family.ring, 0, units)


def error_order(family: BorderFamily, target: Target) -> int | None:
    """e, if the units sum to eps^order (target + eps^e R) with R not zero at eps = 0; None if nothing is left over."""
    later = [
        e - family.order
        for value in family.expand(target.space).values()
        for e, _ in value.terms
        if e > family.order
    ]
    return min(later, default=None)


def growth(family: BorderFamily) -> int:
    """h, if the units of a family in normal form grow like eps^-h."""
    return max(-e for unit in family.units for x in unit[-1] for e, _ in as_laurent(x).terms[:1])


def exponents(family: BorderFamily, target: Target) -> tuple[int, ...]:
    """Powers of eps in the sum of the units, relative to that of the target."""
    present = {e - family.order for v in family.expand(target.space).values() for e, _ in v.terms}
    return tuple(sorted(present))


@dataclass
class FamilyRecovery:
    """What came out of a family with floating-point coefficients.

    Attributes
    ----------
    family
        The exact one, checked; None when none was found.
    tried
        What was tried, and how it ended, one line each.
    """

    family: BorderFamily | None = None
    tried: list[str] = field(default_factory=list)


def recover_family(
    target: Target,
    units_model: str,
    order: int,
    units: Sequence[FloatFamilyUnit],
    *,
    held: Sequence[Sequence[Sequence[Sequence[bool]]]] | None = None,
    over: Field = QQ,
) -> FamilyRecovery:
    """Exact border family near one with floating-point coefficients.

    Parameters
    ----------
    target
        What it tends to, over QQ or a number field.
    units_model
        Name of the model of its units.
    order
        Power of eps at which the target stands.
    units
        For every coordinate the coefficients of 1, eps, ..., eps^order.
    held
        Which coefficients are known to be simple rationals; then the others are also looked for in number fields.
    over
        QQ: rational coefficients only. RR: real number fields too. CC: all number fields.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> found = recover_family(
    ...     read_targets("x**2*y")[0], "tied", 1, [[[[1, 0], [0, 1]], [[0.33333333333, 0]]], [[[1, 0], [0, 0]], [[-1 / 3, 0]]]]
    ... )
    >>> print(found.tried[-1], len(found.family))
    coefficients with denominators up to 12: exact 2
    """
    recovery = FamilyRecovery()
    alive = [
        [[[complex(c) for c in jet] for jet in vector] for vector in unit]
        for unit in units
        if all(any(abs(c) > MATCHES for jet in vector for c in jet) for vector in unit)
    ]
    is_real = all(abs(c.imag) < MATCHES for unit in alive for v in unit for jet in v for c in jet)
    if not alive:
        recovery.tried.append("all units vanish")
        return recovery
    if not is_real and over.name != "CC":
        recovery.tried.append("the coefficients are not real")
        return recovery
    ring = target.ring if is_real or target.ring.number_field is not None else number(_GAUSS)
    slots = range(len(alive[0]))
    for bound in DENOMINATORS:
        exact = _rational(alive, bound, slots)
        if exact is not None and _accepted(recovery, target, units_model, order, exact, ring):
            recovery.tried.append(f"coefficients with denominators up to {bound}: exact")
            return recovery
    recovery.tried.append(f"rounding to denominators up to {DENOMINATORS[-1]}: not exact")
    # The last vectors are the weights of polynomials; all vectors of product units are alike.
    for bound in DENOMINATORS:
        for free in reversed(slots) if units_model == "product" else (slots[-1],):
            exact = _rational(alive, bound, [v for v in slots if v != free])
            if exact is None:
                continue
            solved = _solved(target, units_model, order, exact, free, ring)
            if solved is not None and _accepted(recovery, target, units_model, order, solved, ring):
                recovery.tried.append("one vector of every unit by a linear system: exact")
                return recovery
    recovery.tried.append("rounding all vectors of a unit but one, and solving for that: no solution")
    if held is not None and target.ring == QQ:
        _refined(recovery, target, units_model, order, units, held, over)
    return recovery


def _refined(
    recovery: FamilyRecovery,
    target: Target,
    units_model: str,
    order: int,
    units: Sequence[FloatFamilyUnit],
    held: Sequence[Sequence[Sequence[Sequence[bool]]]],
    over: Field,
) -> None:
    """The coefficients that are not held to many digits, then as rationals or in a number field."""
    width = order + 1
    flat: list[list[list[Any]]] = []
    unknown: list[Place] = []
    for s, (unit, holds) in enumerate(zip(units, held, strict=True)):
        vectors: list[list[Any]] = []
        for v, (vector, hold) in enumerate(zip(unit, holds, strict=True)):
            numbers: list[Any] = []
            for jet, fixed in zip(vector, hold, strict=True):
                for c, is_held in zip(jet, fixed, strict=True):
                    exact = _nearest(complex(c), DENOMINATORS[1]) if is_held else None
                    if exact is None:
                        unknown.append((s, v, len(numbers)))
                    numbers.append(complex(c) if exact is None else exact)
            vectors.append(numbers)
        flat.append(vectors)
    entries = {(word, order): c for word, c in target.entries}
    refined = refine_sum(entries, _series_product(target, units_model, order), flat, unknown, DIGITS)
    if refined is None:
        recovery.tried.append(f"Newton's method for {len(unknown)} coefficients: not an isolated solution")
        return
    is_real = all(abs(complex(c).imag) < MATCHES for u in flat for v in u for c in v if not _is_exact(c))
    with flint.ctx.workprec(PRECISION):
        values = {place: refined[place[0]][place[1]][place[2]] for place in unknown}
        ring, found, why = exact_numbers(values, over, is_real)
    if ring is None:
        recovery.tried.append(why)
        return
    for (s, v, i), x in found.items():
        flat[s][v][i] = x
    held_in = {c.field for u in flat for v in u for c in v if isinstance(c, Algebraic)}
    if held_in - {ring.number_field}:
        # A Gaussian coefficient was held, and the others lie in another field; their compositum is not built.
        recovery.tried.append(f"coefficients over {ring} beside others over QQ(i)")
        return
    exact_units = [
        tuple(
            tuple(
                _plain(Laurent.from_mapping(dict(enumerate(vector[at : at + width]))))
                for at in range(0, len(vector), width)
            )
            for vector in unit
        )
        for unit in flat
    ]
    if _accepted(recovery, target, units_model, order, exact_units, ring):
        recovery.tried.append(f"coefficients over {ring} by Newton's method and lattice reduction: exact")


def _is_exact(x: Any) -> bool:
    """Whether a coefficient is an exact number already."""
    return not isinstance(x, complex)


@dataclass(frozen=True)
class _Series:
    """A power series in eps, up to a power: its coefficients, of whatever kind."""

    coefficients: tuple[Any, ...]

    def __mul__(self, other: object) -> _Series:
        if not isinstance(other, _Series):
            return _Series(tuple(c * other for c in self.coefficients))
        n = len(self.coefficients)
        total: list[Any] = [0] * n
        for i, x in enumerate(self.coefficients):
            for j, y in enumerate(other.coefficients[: n - i]):
                if not (_is_zero(x) or _is_zero(y)):
                    total[i + j] = x * y if _is_zero(total[i + j]) else total[i + j] + x * y
        return _Series(tuple(total))

    def __add__(self, other: object) -> _Series:
        if not isinstance(other, _Series):
            return self
        pairs = zip(self.coefficients, other.coefficients, strict=True)
        return _Series(tuple(y if _is_zero(x) else x if _is_zero(y) else x + y for x, y in pairs))

    __rmul__ = __mul__
    __radd__ = __add__


def _is_zero(x: Any) -> bool:
    return isinstance(x, int) and x == 0


def _series_product(target: Target, units_model: str, order: int) -> Product:
    """How a unit multiplies out whose vectors list the coefficients of 1, eps, ..., eps^order of every coordinate."""
    model, width = unit_model(units_model), order + 1

    def product(vectors: list[Sparse]) -> dict[Any, Any]:
        series: list[Any] = []
        for vector in vectors:
            jets: dict[int, list[Any]] = {}
            for at, x in vector:
                jets.setdefault(at // width, [0] * width)[at % width] = x
            series.append([(i, _Series(tuple(jet))) for i, jet in sorted(jets.items())])
        expansion: dict[Any, Any] = model.product(target.space, series)
        return {
            (word, j): c
            for word, value in expansion.items()
            for j, c in enumerate(value.coefficients)
            if not _is_zero(c)
        }

    return product


def _accepted(
    recovery: FamilyRecovery,
    target: Target,
    units_model: str,
    order: int,
    units: Sequence[FamilyUnit],
    ring: Field,
) -> bool:
    kept = tuple(unit for unit in units if all(any(vector) for vector in unit))
    if not kept:
        return False
    family = BorderFamily(units_model, ring, order, kept)
    if family.residual(target):
        return False
    recovery.family = family
    return True


def _rational(units: Sequence[FloatFamilyUnit], bound: int, slots: Iterable[int]) -> list[FamilyUnit] | None:
    """The units with coefficients of some slots rational, or over QQ(i), and the others 0; None when a float is far from that."""
    chosen = set(slots)
    result: list[FamilyUnit] = []
    for unit in units:
        vectors: list[tuple[Scalar | Laurent, ...]] = []
        for v, vector in enumerate(unit):
            numbers: list[Scalar | Laurent] = []
            for jet in vector if v in chosen else ():
                exact = [_nearest(complex(c), bound) for c in jet]
                if any(x is None for x in exact):
                    return None
                numbers.append(_plain(Laurent.from_mapping(dict(enumerate(cast(list[Scalar], exact))))))
            vectors.append(tuple(numbers) or (0,) * len(vector))
        result.append(tuple(vectors))
    return result


def _nearest(x: complex, bound: int) -> Scalar | None:
    real, imaginary = (Fraction(part).limit_denominator(bound) for part in (x.real, x.imag))
    if abs(complex(real, imaginary) - x) > MATCHES * max(1.0, abs(x)):
        return None
    if imaginary:
        return _GAUSS.element((real, imaginary))
    return real.numerator if real.denominator == 1 else real


def _solved(
    target: Target, units_model: str, order: int, units: Sequence[FamilyUnit], free: int, ring: Field
) -> list[FamilyUnit] | None:
    """The same units with one vector of each solved for exactly."""
    model, space = unit_model(units_model), target.space
    n = len(units[0][free])
    columns: list[Column] = []
    for unit in units:
        for i in range(n):
            vectors: list[Any] = list(unit)
            vectors[free] = tuple(int(k == i) for k in range(n))
            expansion = model.expand_family(space, vectors, ring)
            for j in range(order + 1):
                columns.append(
                    {
                        (word, e + j): c
                        for word, value in expansion.items()
                        for e, c in value.terms
                        if e + j <= order
                    }
                )
    side = {(word, order): c for word, c in target.over(ring).entries}
    solution = solve(columns, [side], ring)
    if solution is None:
        return None
    result: list[FamilyUnit] = []
    for s, unit in enumerate(units):
        vectors = list(unit)
        at = s * n * (order + 1)
        jets = [solution[0][at + i * (order + 1) : at + (i + 1) * (order + 1)] for i in range(n)]
        vectors[free] = tuple(_plain(Laurent.from_mapping(dict(enumerate(jet)))) for jet in jets)
        result.append(tuple(vectors))
    return result


def _shifted(x: Laurent, shift: int) -> Laurent:
    return Laurent(tuple((e + shift, c) for e, c in x.terms))


def _plain(x: Laurent) -> Scalar | Laurent:
    """A Laurent polynomial that does not depend on eps as a number."""
    return x.coefficient(0) if x.is_constant else x


__all__ = ["FamilyRecovery", "error_order", "exponents", "growth", "normal_form", "recover_family"]
