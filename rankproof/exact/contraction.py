"""Real and complex decompositions of generic type: a contraction that shows that an exact one is near a floating one.

There are as many equations as coefficients of the target; so many coordinates of the units are free, the others keep their
rounded values. Coordinates are integers in units of 2^-BITS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

import flint
import numpy as np

from rankproof.problem.space import Word
from rankproof.problem.target import Target

BITS = 80
"""Precision of the coordinates."""

PRECISION = 60
"""Bits after the point of the approximate inverse, which comes from floating point."""

NEWTON_STEPS = 6

Place = tuple[int, int, int]
Vectors = list[list[list[Any]]]
"""By unit, vector and coordinate; pairs (re, im) of integers over CC."""


@dataclass(frozen=True)
class Box:
    """Units near which there is an exact decomposition.

    Attributes
    ----------
    bits
        Coordinates are in units of 2^-bits.
    units
        Coordinates, integers or pairs of integers.
    free
        Places (unit, vector, coordinate) that may move, increasing.
    radius
        By how much, in units of 2^-bits.
    """

    bits: int
    units: Vectors
    free: tuple[Place, ...]
    radius: int


def contraction(target: Target, powers: Sequence[int], units: Sequence[Sequence[Sequence[complex]]]) -> Box | None:
    """A box around approximate units that contains units whose sum is exactly the target; None when there is none to be seen.

    Parameters
    ----------
    target
        Over QQ.
    powers
        Exponents of the linear forms of a unit; empty for product units.
    units
        Floating units, one list of vectors each; complex numbers ask for a complex decomposition.

    Notes
    -----
    x - Y F(x) maps the box into its interior when ``|Y F(y)| + r (|I - Y J| + |Y| D) < r``, row by row, with D a bound for
    the change of the Jacobian on the box: its entries are polynomials, so that D comes from their values with absolute
    coefficients at the absolute coordinates, with and without the radius.
    """
    system = _System(target, powers, any(isinstance(x, complex) for unit in units for v in unit for x in v))
    y = [[[system.number(x) for x in vector] for vector in unit] for unit in units]
    everywhere = [(i, j, k) for i, unit in enumerate(y) for j, vector in enumerate(unit) for k in range(len(vector))]
    if len(everywhere) < len(system.words):
        return None
    free = _well_conditioned(system.floating(system.jacobian(y, everywhere)), len(system.words))
    if free is None:
        return None
    places = tuple(sorted(everywhere[k] for k in free))
    for _ in range(NEWTON_STEPS):
        jacobian = system.real(system.jacobian(y, places))
        inverse = system.inverse(jacobian)
        if inverse is None:
            return None
        step = inverse * system.residual(y)
        moved = system.move(y, places, step)
        if moved == y:
            break
        y = moved
    radius = system.radius(y, places)
    return None if radius is None else Box(BITS, y, places, radius)


def _well_conditioned(matrix: np.ndarray, count: int) -> list[int] | None:
    """Columns of full rank, chosen greedily by what is left of their length (QR with pivoting)."""
    left = np.array(matrix)
    chosen: list[int] = []
    lengths = np.linalg.norm(left, axis=0)
    largest = lengths.max(initial=0.0)
    for _ in range(count):
        lengths = np.linalg.norm(left, axis=0)
        k = int(np.argmax(lengths))
        if lengths[k] <= 1e-9 * largest:
            return None
        direction = left[:, k] / lengths[k]
        chosen.append(k)
        left = left - np.outer(direction, direction.conj() @ left)
        left[:, chosen] = 0
    return chosen


class _System:
    """The coefficients of the sum of the units minus the target, in integers."""

    def __init__(self, target: Target, powers: Sequence[int], is_complex: bool) -> None:
        self.is_complex = is_complex
        self.words: list[Word] = list(target.space.words())
        self.place = {word: i for i, word in enumerate(self.words)}
        factors = target.space.factors
        # Every vector has the variables of its factor; the weight of a single output is a factor of dimension 1.
        self.dimensions = [n for n, _ in factors]
        if powers:
            self.powers = (*powers, 1)
            if len(factors) == 1:
                self.dimensions.append(1)
            self.blocks = [0] * len(powers) + [1]
        else:
            self.powers = (1,) * len(factors)
            self.blocks = list(range(len(factors)))
        self.shown = len(factors)
        self.degree = sum(self.powers)
        starts = list(accumulate(self.dimensions, initial=0))
        names = [f"x{i}" for i in range(starts[-1])]
        # The imaginary unit is one more variable, put to work when coefficients are read off.
        self.context = flint.fmpz_mpoly_ctx.get((*names, "i"), flint.Ordering.lex)
        generators = self.context.gens()
        self.variables = [generators[a:b] for a, b in zip(starts, starts[1:], strict=False)]
        self.starts, self.unit = starts, generators[-1]
        values = [(word, Fraction(value)) for word, value in target.entries]  # type: ignore[arg-type]
        self.scale = lcm(*(value.denominator for _, value in values))
        self.entries = {word: int(value * self.scale) for word, value in values}

    def number(self, x: complex) -> Any:
        if self.is_complex:
            return round(x.real * 2.0**BITS), round(complex(x).imag * 2.0**BITS)
        return round(x.real * 2.0**BITS)

    def _form(self, vector: Sequence[Any], block: int) -> Any:
        form = self.context.constant(0)
        for x, variable in zip(vector, self.variables[block], strict=True):
            form += (x[0] + x[1] * self.unit) * variable if isinstance(x, tuple) else x * variable
        return form

    def _read(self, polynomial: Any) -> dict[int, tuple[int, int]]:
        """Coefficients by place of the word, as pairs (re, im)."""
        found: dict[int, tuple[int, int]] = {}
        for exponents, value in polynomial.terms():
            word: Word = ()
            for a, b in zip(self.starts[: self.shown], self.starts[1:], strict=False):
                word += tuple(i - a for i in range(a, b) for _ in range(int(exponents[i])))
            re, im = found.get(self.place[word], (0, 0))
            quarter = int(exponents[-1]) % 4
            sign = -int(value) if quarter > 1 else int(value)
            found[self.place[word]] = (re, im + sign) if quarter % 2 else (re + sign, im)
        return found

    def residual(self, y: Vectors) -> flint.fmpz_mat:
        """Column of the sum minus the target, times scale * 2^(BITS degree)."""
        total = self.context.constant(0)
        for unit in y:
            product = self.context.constant(1)
            for vector, power, block in zip(unit, self.powers, self.blocks, strict=True):
                product *= self._form(vector, block) ** power
            total += product
        values = self._read(total)
        pairs = [
            (
                self.scale * values.get(k, (0, 0))[0] - (self.entries.get(word, 0) << BITS * self.degree),
                self.scale * values.get(k, (0, 0))[1],
            )
            for k, word in enumerate(self.words)
        ]
        column = [re for re, _ in pairs] + ([im for _, im in pairs] if self.is_complex else [])
        return flint.fmpz_mat([[x] for x in column])

    def jacobian(self, y: Vectors, places: Sequence[Place]) -> list[list[tuple[int, int]]]:
        """Rows by coefficient, columns by place, pairs (re, im), times scale * 2^(BITS (degree - 1))."""
        rows = [[(0, 0)] * len(places) for _ in self.words]
        partial: dict[tuple[int, int], Any] = {}
        for column, (i, j, k) in enumerate(places):
            if (i, j) not in partial:
                product = self.context.constant(self.scale * self.powers[j])
                for other, (vector, power, block) in enumerate(zip(y[i], self.powers, self.blocks, strict=True)):
                    product *= self._form(vector, block) ** (power - (other == j))
                partial[i, j] = product
            for row, value in self._read(partial[i, j] * self.variables[self.blocks[j]][k]).items():
                rows[row][column] = value
        return rows

    def floating(self, rows: Sequence[Sequence[tuple[int, int]]]) -> np.ndarray:
        """The Jacobian in floating point."""
        one = self.scale << BITS * (self.degree - 1)
        return np.array([[re / one + 1j * (im / one) if self.is_complex else re / one for re, im in row] for row in rows])

    def real(self, rows: Sequence[Sequence[tuple[int, int]]]) -> list[list[int]]:
        """A complex linear map as a real one, [[re, -im], [im, re]]."""
        if not self.is_complex:
            return [[re for re, _ in row] for row in rows]
        above = [[re for re, _ in row] + [-im for _, im in row] for row in rows]
        return above + [[im for _, im in row] + [re for re, _ in row] for row in rows]

    def inverse(self, jacobian: list[list[int]]) -> flint.fmpz_mat | None:
        """Approximate inverse of the Jacobian in units of 2^-PRECISION."""
        one = self.scale << BITS * (self.degree - 1)
        try:
            inverse = np.linalg.inv(np.array([[x / one for x in row] for row in jacobian]))
        except np.linalg.LinAlgError:
            return None
        if not np.isfinite(inverse).all():
            return None
        return flint.fmpz_mat([[round(float(x) * 2.0**PRECISION) for x in row] for row in inverse])

    def move(self, y: Vectors, places: Sequence[Place], step: flint.fmpz_mat) -> Vectors:
        """y minus a step, which is given times scale * 2^(BITS degree + PRECISION)."""
        one = self.scale << BITS * (self.degree - 1) + PRECISION
        moved = [[list(vector) for vector in unit] for unit in y]
        for n, (i, j, k) in enumerate(places):
            change = (2 * int(step[n, 0]) + one) // (2 * one)
            if self.is_complex:
                turned = (2 * int(step[len(places) + n, 0]) + one) // (2 * one)
                moved[i][j][k] = moved[i][j][k][0] - change, moved[i][j][k][1] - turned
            else:
                moved[i][j][k] -= change
        return moved

    def radius(self, y: Vectors, places: Sequence[Place]) -> int | None:
        """A radius with which the box is mapped well into its interior, in units of 2^-BITS."""
        jacobian = self.real(self.jacobian(y, places))
        inverse = self.inverse(jacobian)
        if inverse is None:
            return None
        one = self.scale << BITS * (self.degree - 1) + PRECISION
        n = len(jacobian)
        step = _absolute(inverse * self.residual(y))
        product = inverse * flint.fmpz_mat(jacobian)
        error = [abs((one if i == k else 0) - int(product[i, k])) for i in range(n) for k in range(n)]
        errors = [sum(error[i * n : (i + 1) * n]) for i in range(n)]
        large = _absolute(inverse)
        for exponent in range(2, BITS):
            radius = 1 << exponent
            spread = large * self._change(y, places, radius)
            rows = [int(step[i, 0]) + radius * (errors[i] + sum(int(spread[i, k]) for k in range(n))) for i in range(n)]
            # Twice over: the verifier has another inverse.
            if all(2 * row < radius * one for row in rows):
                return radius
            if all(4 * int(step[i, 0]) < radius * one for i in range(n)):
                # A larger box only makes the Jacobian change more.
                return None
        return None

    def _change(self, y: Vectors, places: Sequence[Place], radius: int) -> flint.fmpz_mat:
        """How much the entries of the Jacobian may change on the box."""
        moved = 2 * radius if self.is_complex else radius
        sizes = [[[_size(x) for x in vector] for vector in unit] for unit in y]
        before = self.jacobian(sizes, places)
        for i, j, k in places:
            sizes[i][j][k] += moved
        after = self.jacobian(sizes, places)
        change = [[v[0] - u[0] for u, v in zip(x, z, strict=True)] for x, z in zip(before, after, strict=True)]
        return flint.fmpz_mat([row + row for row in change] * 2 if self.is_complex else change)


def _size(x: Any) -> int:
    return abs(x[0]) + abs(x[1]) if isinstance(x, tuple) else abs(x)


def _absolute(matrix: flint.fmpz_mat) -> flint.fmpz_mat:
    return flint.fmpz_mat([[abs(int(x)) for x in row] for row in matrix.tolist()])
