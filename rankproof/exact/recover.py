"""From floating-point units to exact ones: rounding, exact linear algebra, number fields; every guess is checked exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint
from flint import acb

from rankproof.errors import UsageError
from rankproof.exact.linear_systems import solve
from rankproof.exact.recognise import (
    as_fraction,
    minimal_polynomial,
    number_field,
    recognise_in,
    recognise_rational,
)
from rankproof.exact.refine import Place, refine
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, Algebraic, Field, NumberField, Scalar, number
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

DENOMINATORS = (1, 12, 720, 50_400)
"""Bounds on denominators that are tried in turn: doubles tell rationals of larger height badly from other numbers."""

MATCHES = 1e-7
"""Greatest distance of a float from the rational that it is taken for; a wrong one is noticed by the exact check."""

SIMPLE = 4
"""A float this close to a rational with a denominator up to this is one, when nobody says which coordinates are exact."""

DIGITS = 80
"""Digits that isolated solutions are refined to."""

PRECISION = 400
"""Bits that these digits are worked on with."""

FloatUnit = Sequence[Sequence[complex]]


@dataclass
class Recovery:
    """What came out of a floating-point decomposition.

    Attributes
    ----------
    decomposition
        The exact one, checked; None when none was found.
    tried
        What was tried, and how it ended, one line each.
    """

    decomposition: Decomposition | None = None
    tried: list[str] = field(default_factory=list)


def recover(
    target: Target,
    units_model: str,
    units: Sequence[FloatUnit],
    *,
    held: Sequence[Sequence[Sequence[bool]]] | None = None,
    over: Field = QQ,
) -> Recovery:
    """Exact decomposition near a floating-point one.

    Parameters
    ----------
    target
        What it decomposes, over QQ or a number field.
    units_model
        Name of the model of its units.
    units
        Vectors of floats or complex numbers.
    held
        Which coordinates are known to be simple rationals; the others are solved for when they are not recognised at once.
    over
        QQ: rational coordinates only. RR: real number fields too. CC: all number fields.

    Returns
    -------
    Recovery
        Its decomposition sums to the target exactly; it may have fewer units than were given.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> xy = [[[1, 1], [0.25]], [[1, -1], [-0.2500000001]]]
    >>> recover(read_targets("x*y")[0], "tied", xy).decomposition.units
    (((1, 1), (Fraction(1, 4),)), ((1, -1), (Fraction(-1, 4),)))
    """
    alive = [k for k, unit in enumerate(units) if all(any(abs(x) > MATCHES for x in v) for v in unit)]
    kept = [[[complex(x) for x in v] for v in units[k]] for k in alive]
    holds = None if held is None else [held[k] for k in alive]
    work = _Work(target, units_model, kept, holds, over)
    return work.run()


class _Work:
    """One attempt after another, until one is exact."""

    def __init__(
        self,
        target: Target,
        units_model: str,
        units: list[list[list[complex]]],
        held: list[Sequence[Sequence[bool]]] | None,
        over: Field,
    ) -> None:
        self.target, self.units_model, self.units, self.held, self.over = (
            target,
            units_model,
            units,
            held,
            over,
        )
        self.recovery = Recovery()
        self.is_real = all(abs(x.imag) < MATCHES for unit in units for v in unit for x in v)

    def run(self) -> Recovery:
        """The attempts, cheapest first."""
        if not self.units:
            self.recovery.tried.append("all units vanish")
        elif not self.is_real and self.over.name != "CC":
            self.recovery.tried.append("the coordinates are not real")
        else:
            _ = self._rounded() or self._solved() or self._refined()
        return self.recovery

    def _rounded(self) -> bool:
        for bound in DENOMINATORS:
            units = self._rational_units(bound, range(len(self.units[0])))
            if units is not None and self._is_exact(units, f"coordinates with denominators up to {bound}"):
                return True
        self.recovery.tried.append(f"rounding to denominators up to {DENOMINATORS[-1]}: not exact")
        return False

    def _solved(self) -> bool:
        """All vectors but one rounded, and that one by exact linear algebra."""
        slots = range(len(self.units[0]))
        linear = slots[-2] if self.units_model in ("untied", "mixed:1") else slots[-1]
        for bound in DENOMINATORS[:-1]:
            units = self._rational_units(bound, [v for v in slots if v != linear])
            if units is None:
                continue
            solved = _solve_for(self.target, self.units_model, units, linear, self._ring())
            if solved is not None and self._is_exact(solved, "one vector of every unit by a linear system"):
                return True
        self.recovery.tried.append(
            "rounding all vectors of a unit but one, and solving for that: no solution"
        )
        return False

    def _refined(self) -> bool:
        """The coordinates that are not simple to many digits, then as rationals or in a number field."""
        unknown = self._unknown()
        exact = self._rational_units(DENOMINATORS[1], range(len(self.units[0])), keep=unknown)
        if exact is None or self.target.ring != QQ:
            self.recovery.tried.append(
                "no system of equations with rational coefficients for the coordinates"
            )
            return False
        refined = refine(self.target, self.units_model, exact, unknown, DIGITS)
        if refined is None:
            self.recovery.tried.append(
                f"Newton's method for {len(unknown)} coordinates: not an isolated solution"
            )
            return False
        values = {place: refined[place[0]][place[1]][place[2]] for place in unknown}
        with flint.ctx.workprec(PRECISION):
            return self._recognised(exact, values)

    def _recognised(self, exact: list[list[list[Any]]], values: dict[Place, acb]) -> bool:
        """The refined coordinates as exact numbers."""
        ring, found, why = exact_numbers(values, self.over, self.is_real)
        if ring is None:
            self.recovery.tried.append(why)
            return False
        for (s, v, i), x in found.items():
            exact[s][v][i] = x
        return self._is_exact(
            exact, f"coordinates over {ring} by Newton's method and lattice reduction", ring
        )

    def _unknown(self) -> list[Place]:
        places = [
            (s, v, i)
            for s, unit in enumerate(self.units)
            for v, vector in enumerate(unit)
            for i in range(len(vector))
        ]
        if self.held is not None:
            return [(s, v, i) for s, v, i in places if not self.held[s][v][i]]
        return [
            (s, v, i)
            for s, v, i in places
            if abs(complex(_nearest(self.units[s][v][i].real, SIMPLE)) - self.units[s][v][i]) > MATCHES
        ]

    def _rational_units(
        self, bound: int, slots: Iterable[int], keep: Sequence[Place] = ()
    ) -> list[list[list[Any]]] | None:
        """The units with the vectors of some slots rational, or over QQ(i); None when a float is far from every candidate."""
        chosen, left = set(slots), set(keep)
        result: list[list[list[Any]]] = []
        for s, unit in enumerate(self.units):
            vectors: list[list[Any]] = []
            for v, vector in enumerate(unit):
                numbers: list[Any] = list(vector)
                if v in chosen:
                    for i, x in enumerate(vector):
                        if (s, v, i) in left:
                            continue
                        real, imaginary = _nearest(x.real, bound), _nearest(x.imag, bound)
                        if abs(complex(real, imaginary) - x) > MATCHES * max(1.0, abs(x)):
                            return None
                        numbers[i] = _GAUSS.element((real, imaginary)) if imaginary else real
                vectors.append(numbers)
            result.append(vectors)
        return result

    def _ring(self) -> Field:
        """Where rounded coordinates live."""
        if self.is_real or self.target.ring.number_field is not None:
            return self.target.ring
        return number(_GAUSS)

    def _is_exact(self, units: list[list[list[Any]]], how: str, ring: Field | None = None) -> bool:
        ring = ring or self._ring()
        scalars = [x for unit in units for v in unit for x in v]
        if ring.number_field is None and any(isinstance(x, Algebraic) for x in scalars):
            return False
        if any(isinstance(x, Algebraic) and x.field != ring.number_field for x in scalars):
            return False
        found = Decomposition.of(self.units_model, units, ring)
        if found.residual(self.target):
            return False
        self.recovery.decomposition = found
        self.recovery.tried.append(f"{how}: exact")
        return True


_GAUSS = NumberField.sqrt(-1, "i")


def exact_numbers(
    values: dict[Place, acb], over: Field, is_real: bool
) -> tuple[Field | None, dict[Place, Any], str]:
    """Rational numbers, or elements of one number field, near numbers with many digits.

    Parameters
    ----------
    values
        Numbers with `DIGITS` digits, by place.
    over
        QQ: rational numbers only.
    is_real
        Whether the number field has to be real.

    Returns
    -------
    field
        Where the numbers live; None when they were not recognised.
    numbers
        Exact numbers by place.
    why
        Why they were not recognised.
    """
    found: dict[Place, Any] = {place: _rational(z) for place, z in values.items()}
    if all(x is not None for x in found.values()):
        return QQ, found, ""
    if over == QQ:
        return None, {}, "an isolated solution whose coordinates are not rational"
    extended = _in_a_field(values, found, is_real)
    if extended is None:
        return None, {}, "no number field of small degree with all coordinates"
    return *extended, ""


def _rational(z: acb) -> Fraction | None:
    if abs(as_fraction(z * acb(0, -1))) > Fraction(1, 10**20):
        return None
    return recognise_rational(z, DIGITS)


def _nearest(x: float, bound: int) -> Fraction:
    return Fraction(x).limit_denominator(bound)


def _solve_for(
    target: Target, units_model: str, units: list[list[list[Any]]], slot: int, ring: Field
) -> list[list[list[Any]]] | None:
    """The same units with one vector of each solved for exactly."""
    model, space = unit_model(units_model), target.space
    columns: list[dict[Any, Scalar]] = []
    n = len(units[0][slot])
    for unit in units:
        for i in range(n):
            vectors: list[Any] = [tuple(v) for v in unit]
            vectors[slot] = tuple(int(k == i) for k in range(n))
            if slot != len(vectors) - 1 and len(vectors[-1]) == 1:
                vectors[-1] = (1,)
            columns.append(dict(model.expand(space, vectors, ring)))
    solution = solve(columns, [target.over(ring).as_dict()], ring)
    if solution is None:
        return None
    result: list[list[list[Any]]] = []
    for s, unit in enumerate(units):
        vectors = [list(v) for v in unit]
        vectors[slot] = list(solution[0][n * s : n * s + n])
        if slot != len(vectors) - 1 and len(vectors[-1]) == 1:
            vectors[-1] = [1]
        if any(vectors[slot]):
            result.append(vectors)
    return result or None


def _in_a_field(
    values: dict[Place, acb], found: dict[Place, Any], is_real: bool
) -> tuple[Field, dict[Place, Any]] | None:
    """All values as elements of the number field of one of them, or of the sum of two of them."""
    irrational = [place for place, x in found.items() if x is None]
    candidates = [values[irrational[0]]]
    candidates += [candidates[0] + 2 * values[place] for place in irrational[1:4]]
    for z in candidates:
        polynomial = minimal_polynomial(z, DIGITS)
        if polynomial is None:
            continue
        try:
            nf, generator = number_field(z, polynomial, real=is_real)
        except UsageError:
            # The interval around the root was too narrow or the degree too high for a field of ours.
            continue
        elements = dict(found)
        for place in irrational:
            elements[place] = recognise_in(values[place], nf, generator, DIGITS)
            if elements[place] is None:
                break
        else:
            return number(nf), elements
    return None


__all__ = ["DIGITS", "PRECISION", "Recovery", "exact_numbers", "recover"]
