"""Eigenvalues of rational matrices: exact counts above rational thresholds, by the characteristic polynomial.

The matrices are D^(1/2) B D^(1/2) with B rational, symmetric and D diagonal, rational and positive; such a matrix has the
eigenvalues of the rational matrix D B.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np

Rows = Sequence[Mapping[int, Fraction]]

_DENOMINATOR = 10_000
"""Eigenvalues that are rational with small denominators are recognised; a guess is always tested."""


class Spectrum:
    """The eigenvalues of D^(1/2) B D^(1/2), the largest first.

    Parameters
    ----------
    rows
        Those of B, sparse.
    scaling
        The diagonal of D.

    Examples
    --------
    >>> spectrum = Spectrum([{0: Fraction(5), 1: Fraction(3)}, {0: Fraction(3), 1: Fraction(2)}], [Fraction(1), Fraction(1)])
    >>> spectrum.values.round(6)
    array([6.854102, 0.145898])
    >>> spectrum.beyond(Fraction(1, 7)), spectrum.beyond(Fraction(1, 6))
    (2, 1)
    """

    def __init__(self, rows: Rows, scaling: Sequence[Fraction]) -> None:
        self._parts = [
            ([[rows[i].get(j, Fraction(0)) for j in part] for i in part], [scaling[i] for i in part])
            for part in _connected(rows)
        ]
        found = [np.linalg.eigvalsh(_symmetric(*part)) for part in self._parts]
        self.values: Any = np.sort(np.concatenate(found))[::-1] if found else np.zeros(0)

    @cached_property
    def _polynomials(self) -> list[Any]:
        return [
            flint.fmpq_mat(
                [[_rational(d * x) for x in row] for d, row in zip(scaling, matrix, strict=True)]
            ).charpoly()
            for matrix, scaling in self._parts
        ]

    def beyond(self, threshold: Fraction) -> int:
        """Number of eigenvalues larger than a threshold.

        A polynomial with real roots only has as many positive ones as its coefficients have changes of sign.
        """
        shift = flint.fmpq_poly([_rational(threshold), 1])
        return sum(_changes(polynomial(shift)) for polynomial in self._polynomials)

    def reaching(self, threshold: Fraction) -> int:
        """Number of eigenvalues at least as large as a threshold."""
        shift = flint.fmpq_poly([_rational(threshold), 1])
        total = 0
        for polynomial in self._polynomials:
            moved = polynomial(shift).coeffs()
            zero = next(k for k, c in enumerate(moved) if c != 0)
            total += zero + _changes(polynomial(shift))
        return total

    def levels(self, first: int, last: int, digits: int, *, above: bool) -> list[Fraction]:
        """Thresholds near the positive eigenvalues at the places first to last, counted from 0, in decreasing order.

        Parameters
        ----------
        first, last
            The places; the last one is not included.
        digits
            How many decimals of the largest eigenvalue an irrational one is rounded to.
        above
            Round up instead of down. Rational eigenvalues are taken as they are.
        """
        if not len(self.values):
            return []
        unit = Fraction(10) ** (int(np.floor(np.log10(max(self.values[0], 1e-300)))) - digits)
        found: set[Fraction] = set()
        for value in self.values[first:last]:
            if value > 4 * unit:
                found.add(self._exact(value) or unit * (int(value / unit) + (2 if above else -1)))
        return sorted(found, reverse=True)

    def _exact(self, value: float) -> Fraction | None:
        guess = Fraction(float(value)).limit_denominator(_DENOMINATOR)
        if guess <= 0 or abs(float(guess) - value) > 1e-9 * self.values[0]:
            return None
        return guess if any(p(_rational(guess)) == 0 for p in self._polynomials) else None


def tail(
    spectrum: Spectrum, skipped: int, total: Fraction, thresholds: Sequence[Fraction], power: int = 1
) -> Fraction:
    """What the eigenvalues after the first ones sum to at least, as counts above thresholds show; see docs/rules/floor.md.

    Parameters
    ----------
    spectrum
        The eigenvalues.
    skipped
        How many of the largest are left out.
    total
        The sum of all (of their powers).
    thresholds
        Positive, decreasing.
    power
        Of the eigenvalues that are summed.
    """
    size = len(spectrum.values)
    reaching = [spectrum.reaching(c) for c in thresholds]
    beyond = [spectrum.beyond(c) for c in thresholds]
    least = [
        next((c for c, n in zip(thresholds, reaching, strict=True) if n >= i), Fraction(0))
        for i in range(1, size + 1)
    ]
    below = sum((x**power for x in least[skipped:]), Fraction(0))
    rest = total
    for i in range(1, min(skipped, size) + 1):
        most = [c for c, n in zip(thresholds, beyond, strict=True) if n < i]
        if not most:
            return below
        rest -= min(most) ** power
    return max(below, rest)


def _connected(rows: Rows) -> Iterator[list[int]]:
    """Classes of rows linked by entries that are not zero."""
    seen: set[int] = set()
    for start in range(len(rows)):
        if start in seen:
            continue
        seen.add(start)
        pending, part = [start], list[int]()
        while pending:
            i = pending.pop()
            part.append(i)
            new = [j for j, x in rows[i].items() if x and j not in seen]
            seen.update(new)
            pending += new
        yield sorted(part)


def _symmetric(matrix: Sequence[Sequence[Fraction]], scaling: Sequence[Fraction]) -> Any:
    roots = np.sqrt(np.array([float(x) for x in scaling]))
    return np.array([[float(x) for x in row] for row in matrix]) * np.outer(roots, roots)


def _rational(x: Fraction) -> flint.fmpq:
    return flint.fmpq(x.numerator, x.denominator)


def _changes(polynomial: Any) -> int:
    signs: Iterable[bool] = [c > 0 for c in polynomial.coeffs() if c != 0]
    ordered = list(signs)
    return sum(a != b for a, b in zip(ordered, ordered[1:], strict=False))
