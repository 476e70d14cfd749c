"""Products on their way into a file: units of a proof, in the index convention of the format that is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rankproof.errors import UsageError
from rankproof.formats.convention import matmul_shape
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit, FamilyVector
from rankproof.problem.field import Algebraic, NumberField, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target

Coordinate = Scalar | Laurent


@dataclass(frozen=True)
class Products:
    """A decomposition or border family into products of three vectors, with its target.

    Attributes
    ----------
    target
        What they add up to.
    proof
        The products, in the coordinates of the target.
    source
        Where they come from; empty when nobody said.
    """

    target: Target
    proof: Decomposition | BorderFamily
    source: str = ""

    def __post_init__(self) -> None:
        if self.proof.units_model != "product" or len(self.target.space.factors) != 3:
            raise UsageError(
                f"{self.target.text} is written in {self.proof.units_model} units on {self.target.space}; only products of three"
                " vectors have scheme formats, and 'rankproof show --latex' writes everything"
            )

    @property
    def shape(self) -> tuple[int, int, int] | None:
        """The shape (n, m, p) of a matrix product; None for other tensors."""
        return matmul_shape(self.target)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Mode sizes of the target."""
        I, J, K = (n for n, _ in self.target.space.factors)
        return I, J, K

    @property
    def units(self) -> tuple[FamilyUnit, ...]:
        """The products as triples of vectors."""
        return self.proof.units

    @property
    def is_family(self) -> bool:
        """Whether a coordinate depends on eps."""
        return any(isinstance(x, Laurent) for x in self._coordinates())

    @cached_property
    def number_field(self) -> NumberField | None:
        """The number field of the coefficients; None where they are rational or integers modulo p."""
        return self.proof.ring.number_field

    @property
    def ring_name(self) -> str:
        """``ZZ``, ``QQ``, a number field or ``GF(p)``."""
        ring = self.proof.ring
        if ring.characteristic or ring.number_field is not None:
            return str(ring)
        scalars = (c for x in self._coordinates() for c in (_scalars(x)))
        return "ZZ" if all(isinstance(c, int) for c in scalars) else "QQ"

    def transposed(self) -> tuple[FamilyUnit, ...]:
        """The products with the third vector of a matrix product indexed by (k, i), as most formats have it."""
        if self.shape is None:
            return self.units
        n, _, p = self.shape
        order = [i * p + k for k in range(p) for i in range(n)]
        return tuple((u, v, tuple(w[position] for position in order)) for u, v, w in self.units)

    def names(self, *, transposed: bool) -> tuple[list[str], list[str], list[str]]:
        """Names of the coordinates of the three vectors: a11, a12, ... for matrices, a1, a2, ... for other tensors."""
        if self.shape is None:
            return _names("a", self.sizes[0]), _names("b", self.sizes[1]), _names("c", self.sizes[2])
        n, m, p = self.shape
        matrices = (("a", n, m), ("b", m, p), ("c", p, n) if transposed else ("c", n, p))
        separator = "" if max(n, m, p) < 10 else "_"
        a, b, c = (
            [f"{letter}{i + 1}{separator}{j + 1}" for i in range(rows) for j in range(columns)]
            for letter, rows, columns in matrices
        )
        return a, b, c

    def header(self, third: str) -> Iterator[str]:
        """Lines of a comment that says what the file holds."""
        kind = (
            "border family of order " + str(self.proof.order) if isinstance(self.proof, BorderFamily) else ""
        )
        yield f"{self.target.text}: {len(self.proof)} products over {self.ring_name}{', ' + kind if kind else ''}"
        convention = (
            f"matrices row by row, third factor {third}" if self.shape else "indices as in the target"
        )
        yield f"{convention}; {self.proof.additions()} additions"
        if self.source:
            yield f"from {self.source}"

    def require(self, format: str, *, rational: bool = False, exact: bool = False) -> None:
        """Refuse products that a format has no spelling for.

        Raises
        ------
        UsageError
            If a coefficient is irrational or depends on eps, and the format asks for neither.
        """
        if rational and self.number_field is not None:
            raise UsageError(
                f"the coefficients lie in {self.number_field}, and the format {format} has rational ones; write a certificate,"
                " exp, macaulay2 or latex"
            )
        if exact and self.is_family:
            raise UsageError(
                f"the coefficients depend on eps, and the format {format} has constant ones; write a certificate, fast-matmul,"
                " macaulay2 or latex"
            )

    def _coordinates(self) -> Iterator[Coordinate]:
        return (x for unit in self.units for vector in unit for x in vector)


def _scalars(x: Coordinate) -> tuple[Scalar, ...]:
    return tuple(c for _, c in x.terms) if isinstance(x, Laurent) else (x,)


def _names(letter: str, count: int) -> list[str]:
    return [f"{letter}{i + 1}" for i in range(count)]


def entries(vector: FamilyVector, names: list[str]) -> Iterator[tuple[Coordinate, str]]:
    """Coefficients that are not zero, with the names of their coordinates."""
    return ((x, name) for x, name in zip(vector, names, strict=True) if x)


def signed_sum(terms: list[tuple[str, str]]) -> str:
    """A sum of terms given as sign and size.

    Examples
    --------
    >>> signed_sum([("-", "a"), ("+", "2*b")])
    '-a + 2*b'
    """
    text = "".join(f" {sign} {size}" for sign, size in terms)
    return (text[3:] if text.startswith(" + ") else "-" + text[3:]) if text else "0"


def root_of(field: NumberField) -> int | None:
    """The integer D when the field is QQ(sqrt(D)) and its generator is the root; None for other fields."""
    if len(field.minimal_polynomial) != 3 or field.minimal_polynomial[1]:
        return None
    return -field.minimal_polynomial[0]


def coordinates_of(x: Scalar) -> tuple[int | Fraction, ...]:
    """Coordinates of a number on the powers of the generator."""
    return x.coefficients if isinstance(x, Algebraic) else (x,)
