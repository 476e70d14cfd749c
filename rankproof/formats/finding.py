"""What comes out of comparing a scheme with a target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rankproof.formats.scheme import Coefficient, Scheme, powers
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field
from rankproof.problem.space import Word
from rankproof.problem.target import Target


@dataclass(frozen=True)
class Match:
    """A scheme that decomposes a target, exactly or up to higher terms in eps.

    Attributes
    ----------
    scheme, target
        What was compared.
    ring
        The field of the check: QQ, a number field or GF(p).
    convention
        How the scheme's coordinates are to be read, in words.
    proof
        The same products in the target's own coordinates. A `BorderFamily` shows a border rank only.
    note
        Over GF(2), why it does not hold over ZZ; empty when that was not asked.
    """

    scheme: Scheme
    target: Target
    ring: Field
    convention: str
    proof: Decomposition | BorderFamily
    note: str = ""

    @property
    def kind(self) -> Literal["exact", "border"]:
        """Whether the scheme shows a rank (exact) or only a border rank."""
        return "border" if isinstance(self.proof, BorderFamily) else "exact"

    @cached_property
    def ring_name(self) -> str:
        """The smallest of ``ZZ`` and the field that holds all coefficients of the products as they are proved.

        Over QQ the denominators of a product were moved to one of its vectors, where they may have cancelled.
        """
        if self.ring != QQ or self.scheme.is_integral:
            return "ZZ" if self.ring == QQ else str(self.ring)
        coordinates = (x for unit in self.proof.units for vector in unit for x in vector)
        return "ZZ" if all(isinstance(c, int) for x in coordinates if x for _, c in powers(x)) else "QQ"

    @property
    def terms(self) -> int:
        """Number of products that are not zero over the ring."""
        return len(self.proof)


@dataclass(frozen=True)
class Mismatch:
    """A scheme that is not a decomposition of the target in any convention that was tried.

    Attributes
    ----------
    scheme, target
        What was compared; the target is None when the sizes of the scheme are those of no matrix product.
    ring
        The field of the check that came closest.
    reason
        The whole finding as a sentence.
    convention
        The convention that came closest, in words; empty when the sizes already differ.
    word
        The first wrong entry in the target's coordinates; None when the sizes already differ.
    expected, got
        The coefficient there in the target and in the scheme; for a family, up to the power of eps of the
        target.
    wrong_entries
        Number of wrong entries in that convention.
    """

    scheme: Scheme
    target: Target | None
    ring: Field
    reason: str
    convention: str = ""
    word: Word | None = None
    expected: Coefficient = 0
    got: Coefficient = 0
    wrong_entries: int = 0
