"""Sums of eigenvalues of a symmetric matrix, bounded by counting the eigenvalues above rational thresholds.

The matrix is D^(1/2) B D^(1/2) with B symmetric and D diagonal and positive. Its eigenvalues greater than c are as many
as the positive squares of the quadratic form B - c D^(-1) (Sylvester's law of inertia): no root is ever computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import limits
from .matrix import blocks
from .quadratic import diagonalise_exact
from .scalars import Rational, bit_length, sign
from .units import check_operations

Rows = Sequence[Mapping[int, Rational]]


@dataclass(frozen=True)
class Spectrum:
    """For every threshold, in decreasing order, the numbers of eigenvalues at least as large, and larger."""

    thresholds: Sequence[Rational]
    reaching: list[int]
    beyond: list[int]
    size: int

    def least(self, place: int) -> Rational:
        """A number that the eigenvalue at this place, counted from 1 for the largest, reaches; 0 when none is known."""
        return next((c for c, count in zip(self.thresholds, self.reaching, strict=True) if count >= place), 0)

    def most(self, place: int) -> Rational | None:
        """A number that the eigenvalue at this place does not exceed."""
        found = [c for c, count in zip(self.thresholds, self.beyond, strict=True) if count < place]
        return min(found, default=None)


def counted(rows: Rows, scaling: Sequence[Rational], thresholds: Sequence[Rational], pointer: str) -> Spectrum:
    """Count the eigenvalues above positive thresholds; ``rows`` are those of B, ``scaling`` the diagonal of D."""
    parts = [sorted(block) for block in blocks([{**row, i: row.get(i, 0)} for i, row in enumerate(rows)])]
    bits = max((bit_length(x) for row in rows for x in row.values()), default=1) + max(map(bit_length, thresholds), default=1)
    # An elimination of n rows makes numbers of n times the bits.
    work = sum(len(part) ** 3 * (1 + len(part) * bits // 64) for part in parts)
    check_operations(len(thresholds) * work, limits.OPERATIONS, pointer)
    reaching, beyond = [0] * len(thresholds), [0] * len(thresholds)
    for part in parts:
        for k, threshold in enumerate(thresholds):
            matrix: list[list[Any]] = [[rows[i].get(j, 0) for j in part] for i in part]
            for place, i in enumerate(part):
                matrix[place][place] -= Fraction(threshold) / scaling[i]
            diagonal = diagonalise_exact(matrix)
            positive = sum(sign(x) > 0 for x in diagonal)
            beyond[k] += positive
            reaching[k] += positive + len(part) - len(diagonal)
    return Spectrum(thresholds, reaching, beyond, len(rows))
