"""A scheme as a file gives it: products of three sparse vectors with exact coefficients, and no claim believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rankproof.problem.laurent import Laurent

Coefficient = int | Fraction | Laurent
SparseVector = tuple[tuple[int, Coefficient], ...]


@dataclass(frozen=True)
class Factor:
    """One of the three factor matrices of a scheme, by columns.

    Attributes
    ----------
    size
        Number of entries of every vector: the mode size.
    vectors
        One sparse vector a product: pairs (index, coefficient), indices increasing, no coefficient zero. A
        `Laurent` is never constant: what does not depend on eps is an int or a Fraction, and an integer is an
        int.
    """

    size: int
    vectors: tuple[SparseVector, ...]


@dataclass(frozen=True)
class Scheme:
    """A list of products u (x) v (x) w.

    What the products add up to, over which ring and in which index convention, is decided by `match`.

    Attributes
    ----------
    source
        Name of the file.
    key
        Name of the scheme inside the file; None where a file holds one scheme.
    factors
        The factor matrices U, V, W, with equally many vectors.
    remark
        What the reader noticed and a person should know when the scheme turns out wrong; empty as a rule.
    """

    source: str
    key: str | None
    factors: tuple[Factor, Factor, Factor]
    remark: str = ""

    @property
    def label(self) -> str:
        """How the scheme is called: ``file:key``, or ``file`` where there is no key."""
        return self.source if self.key is None else f"{self.source}:{self.key}"

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Mode sizes of the tensor that the products add up to."""
        U, V, W = self.factors
        return U.size, V.size, W.size

    @property
    def terms(self) -> int:
        """Number of products without a zero vector, whatever the file claims."""
        return sum(1 for _ in self.products())

    @property
    def is_family(self) -> bool:
        """Whether some coefficient depends on eps, so that the scheme can only show a border rank."""
        return any(isinstance(c, Laurent) for c in self._coefficients())

    @property
    def is_integral(self) -> bool:
        """Whether all coefficients, at every power of eps, are integers."""
        return all(isinstance(c, int) for x in self._coefficients() for _, c in powers(x))

    def products(self) -> Iterator[tuple[SparseVector, SparseVector, SparseVector]]:
        """The products u (x) v (x) w without a zero vector."""
        U, V, W = self.factors
        for u, v, w in zip(U.vectors, V.vectors, W.vectors, strict=True):
            if u and v and w:
                yield u, v, w

    def _coefficients(self) -> Iterator[Coefficient]:
        for factor in self.factors:
            for vector in factor.vectors:
                for _, c in vector:
                    yield c


def powers(x: Coefficient) -> tuple[tuple[int, int | Fraction], ...]:
    """The terms (exponent of eps, coefficient) of a coefficient that is not zero."""
    # The readers of this package make Laurent polynomials with rational coefficients only.
    return x.terms if isinstance(x, Laurent) else ((0, x),)  # type: ignore[return-value]
