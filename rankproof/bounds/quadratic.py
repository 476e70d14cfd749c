"""Quadratic targets: their widths over every field, and the exact splittings that show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rankproof.exact.congruence import lagrange
from rankproof.exact.quadrics import Products, products
from rankproof.exact.real_embedding import sign
from rankproof.problem.field import Field, Scalar
from rankproof.problem.space import Word
from rankproof.problem.target import Target

PRODUCT_UNITS = ("untied", "split", "mixed:1")
"""In degree 2 each of these is a product of two linear forms."""


def is_one_quadric(target: Target) -> bool:
    """Whether a target is a single quadratic form."""
    return len(target.space.factors) == 1 and target.space.form_degree == 2


@dataclass(frozen=True)
class Diagonal:
    """A quadratic form as a sum of d * l^2, with non-zero d and independent l."""

    weights: tuple[Scalar, ...]
    forms: tuple[tuple[Scalar, ...], ...]

    @property
    def rank(self) -> int:
        """Number of squares."""
        return len(self.weights)

    def signature(self) -> tuple[int, int]:
        """Numbers of positive and negative squares at the real embedding."""
        positive = sum(sign(d) > 0 for d in self.weights)
        return positive, self.rank - positive


def diagonal(form: Mapping[Word, Scalar], n: int, ring: Field) -> Diagonal:
    """Diagonal form over an exact field of characteristic other than 2, as a sum of squares.

    Parameters
    ----------
    form
        Coefficients of x_i x_j by word (i, j).
    n
        Number of variables.
    ring
        Where to compute.
    """
    half = ring.inverse(2)
    matrix: list[list[Scalar]] = [[0] * n for _ in range(n)]
    for (i, j), c in form.items():
        matrix[i][j] = matrix[j][i] = c if i == j else ring.reduce(c * half)
    weights, forms = lagrange(matrix, ring.reduce, ring.inverse, _simplest)
    return Diagonal(tuple(weights), tuple(tuple(l) for l in forms))


def symmetric_matrix(target: Target) -> list[list[int | Fraction]]:
    """The matrix of a single rational quadratic form."""
    n = target.space.variables_count
    matrix: list[list[int | Fraction]] = [[0] * n for _ in range(n)]
    for (i, j), c in target.as_dict().items():
        half = Fraction(c) / 2  # type: ignore[arg-type]
        matrix[i][j] += half
        matrix[j][i] += half
    return matrix


def _simplest(matrix: list[list[Scalar]], i: int) -> tuple[int, int]:
    """Pivots with few neighbours and small numbers first."""
    d = matrix[i][i]
    height = abs(d.numerator) * d.denominator if isinstance(d, int | Fraction) else 2**64
    return sum(map(bool, matrix[i])), height


@lru_cache(maxsize=64)
def target_diagonal(target: Target) -> Diagonal:
    """Diagonal form of a quadratic target over its own ring, remembered."""
    return diagonal(target.as_dict(), target.space.variables_count, target.ring)


@lru_cache(maxsize=64)
def target_products(target: Target, seconds: float) -> Products:
    """A quadratic target over QQ or GF(p) as few products of two linear forms, remembered."""
    return products(target.as_dict(), target.space.variables_count, target.ring, seconds)  # type: ignore[arg-type]


def closed_width(target: Target, units: str, field: Field) -> int | None:
    """Width of a quadratic target over CC, RR or GF(p), by rank, signature or Witt index; None elsewhere.

    Over these fields rank and border rank are the same number.
    """
    if field.characteristic:
        reduced = target.over(field)
        if units != "tied":
            return len(target_products(reduced, 0.0).terms)
        return None if field.characteristic == 2 else target_diagonal(reduced).rank
    if field.is_exact:
        return None
    d = target_diagonal(target)
    if units == "tied":
        return d.rank
    return max(d.signature()) if field.name == "RR" else -(-d.rank // 2)


def width_in_words(target: Target, units: str, field: Field) -> str:
    """Why `closed_width` is what it is."""
    if field.characteristic == 2:
        return "largest totally singular subspace over GF(2)"
    d = target_diagonal(target.over(field) if field.characteristic else target)
    if units == "tied":
        return f"rank {d.rank}"
    if field.characteristic:
        index = d.rank - (closed_width(target, units, field) or 0)
        return f"rank {d.rank}, Witt index {index} over {field}"
    if field.name == "RR":
        p, q = d.signature()
        return f"signature ({p},{q})"
    return f"rank {d.rank}, products have rank 2"
