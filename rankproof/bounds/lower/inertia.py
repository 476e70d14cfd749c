"""Signature of one rational quadratic form in many variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.lower.quadric import MAX_VARIABLES
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.quadratic import is_one_quadric
from rankproof.certificate.claim import Claim
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

BITS = (16, 24, 32, 48)
"""What is tried; the time of the verifier grows slowly with the bits."""

MARGIN = 0.25
"""Off-diagonal sums, relative to the diagonal, below which the verifier's rounding cannot make a difference."""

SMALLEST = 2.0**-40
"""Pivots below this share of the largest entry count as zero."""

LARGEST_DIMENSION = 1990
"""The verifier reads at most two million coefficients."""


@dataclass(frozen=True)
class Signature:
    """What elimination in floating point says about a symmetric matrix.

    Attributes
    ----------
    order
        Rows in the order of the pivots.
    positive, negative
        Numbers of pivots of either sign.
    bits
        Precision that the verifier needs; None when none of `BITS` is enough.
    """

    order: tuple[int, ...]
    positive: int
    negative: int
    bits: int | None


def symmetric_matrix(target: Target) -> NDArray[np.float64]:
    """Matrix of a form in floating point, scaled so that its largest entry is about 1."""
    n = target.space.variables_count
    largest = max(abs(value) for _, value in target.entries)  # pyright: ignore[reportArgumentType]
    # Two integers of any length divide correctly rounded; each alone may be too large for a float.
    matrix = np.zeros((n, n))
    for (i, j), value in target.entries:
        matrix[i, j] = matrix[j, i] = float(value / largest) if i == j else float(value / largest) / 2  # pyright: ignore
    return matrix


def signature(matrix: NDArray[np.float64]) -> Signature:
    """Signature by symmetric elimination with the largest diagonal entry as pivot.

    Parameters
    ----------
    matrix
        Symmetric.

    Examples
    --------
    >>> found = signature(np.diag([1.0, -2.0, 0.0]))
    >>> found.order, found.positive, found.negative, found.bits
    ((1, 0), 1, 1, 16)
    """
    n, rest = len(matrix), matrix.copy()
    scale = np.abs(matrix).max()
    order = np.arange(n)
    lower = np.eye(n)
    pivots: list[float] = []
    for k in range(n):
        j = k + int(np.argmax(np.abs(np.diag(rest)[k:])))
        if abs(rest[j, j]) < SMALLEST * scale:
            break
        for array in (rest, order):
            array[[k, j]] = array[[j, k]]
        rest[:, [k, j]] = rest[:, [j, k]]
        lower[[k, j], :k] = lower[[j, k], :k]
        lower[k + 1 :, k] = rest[k + 1 :, k] / rest[k, k]
        rest[k + 1 :, k + 1 :] -= np.outer(lower[k + 1 :, k], rest[k, k + 1 :])
        pivots.append(float(rest[k, k]))
    found = np.array(pivots)
    used = order[: len(pivots)]
    bits = _bits(matrix[np.ix_(used, used)] / scale, lower[: len(pivots), : len(pivots)], found / scale)
    return Signature(tuple(int(i) for i in used), int((found > 0).sum()), int((found < 0).sum()), bits)


def _bits(matrix: NDArray[np.float64], lower: NDArray[np.float64], pivots: NDArray[np.float64]) -> int | None:
    """Least precision at which rounded vectors make the matrix diagonally dominant, with a margin."""
    if not len(pivots):
        return None
    vectors = np.linalg.inv(lower) / np.sqrt(np.abs(pivots))[:, None]
    for bits in BITS:
        rounded = np.floor(vectors * 2.0**bits)
        near = rounded @ matrix @ rounded.T
        diagonal = np.abs(np.diag(near))
        if (np.abs(near).sum(axis=1) - diagonal < MARGIN * diagonal).all():
            return bits
    return None


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Widths from the signature, from below and, for a form of full rank, from above."""
    n = target.space.variables_count
    if n <= MAX_VARIABLES:
        return []  # the rule quadric settles these
    if n > LARGEST_DIMENSION:
        budget.remark(f"{n} variables; at most {LARGEST_DIMENSION} can be checked")
        return []
    return bounds_from(signature(symmetric_matrix(target)), n, units, RR if field == QQ else field)


def bounds_from(found: Signature, n: int, units: str, over: Field) -> list[Bound]:
    """Bounds by the rule ``inertia``.

    Parameters
    ----------
    found
        The signature.
    n
        Number of variables.
    units
        ``tied``, or units that are products of two linear forms.
    over
        RR or CC.
    """
    p, q = found.positive, found.negative
    if found.bits is None or not p + q:
        return []
    if units == "tied":
        width = p + q
    else:
        width = max(p, q) if over == RR else (p + q + 1) // 2
    reason = f"signature ({p}, {q})" if over == RR else f"rank {p + q}"
    witness = {"order": list(found.order), "bits": found.bits}
    bounds = [Bound(Claim("border_rank", units, over, ">=", width), "inertia", witness, reason)]
    if p + q == n:
        # Over QQ a form is a combination of so many squares, too.
        field = QQ if units == "tied" else over
        bounds.append(Bound(Claim("rank", units, field, "<=", width), "inertia", witness, reason))
    return bounds


def _works_over(target: Target, question: Question) -> Field | None:
    if not is_one_quadric(target) or target.ring != QQ or question.field.characteristic:
        return None
    if question.units == "tied":
        return CC
    return RR if question.field in (QQ, RR) else CC


METHOD = Method(
    name="inertia",
    rule="inertia",
    side="lower",
    summary="signature of one quadratic form in many variables, by vectors that are nearly orthogonal for it",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="RR, CC",
    works_over=_works_over,
    find=find,
)
