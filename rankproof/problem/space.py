"""Segre-Veronese formats: where forms, polynomial maps and tensors live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod

from rankproof.errors import UsageError

Word = tuple[int, ...]

MAX_FACTORS = 16
MAX_DEGREE = 64
MAX_DIMENSION = 4096


@dataclass(frozen=True)
class Space:
    """The space S^d1(K^n1) (x) S^d2(K^n2) (x) ... of a format ((n1, d1), (n2, d2), ...).

    Its basis is the set of *words*: flat tuples of variable indices, factor after factor, non-decreasing inside a factor.
    The monomial x**2*y is the word (0, 0, 1) of ((2, 3),); x*y in the third of three outputs is (0, 1, 2) in
    ((2, 2), (3, 1)); the tensor entry (i, j, k) is (i, j, k).

    Parameters
    ----------
    factors
        Pairs (dimension, power), all at least 1; at most 16 of them, total degree at most 64, dimensions at most 4096.

    Raises
    ------
    UsageError
        If the factors are out of these ranges, or a polynomial map is written with a single output.

    Examples
    --------
    >>> Space.form(2, 3).dimension, list(Space.map(2, 1, 2).words())
    (4, [(0, 0), (0, 1), (1, 0), (1, 1)])
    """

    factors: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.factors) <= MAX_FACTORS:
            raise UsageError(f"a space has 1 to {MAX_FACTORS} factors, not {len(self.factors)}")
        for n, d in self.factors:
            if not (1 <= n <= MAX_DIMENSION and d >= 1):
                raise UsageError(
                    f"the factor ({n}, {d}) is out of range: the dimension lies in 1..{MAX_DIMENSION}, the power is at least 1"
                )
        if self.degree > MAX_DEGREE:
            raise UsageError(
                f"the total degree {self.degree} is above {MAX_DEGREE}; use a target of lower degree"
            )
        if len(self.factors) == 2 and self.factors[1] == (1, 1):
            n, d = self.factors[0]
            raise UsageError(f"a space with one output is written (({n}, {d}),), without the factor (1, 1)")

    @classmethod
    def form(cls, n: int, d: int) -> Space:
        """Forms of degree d in n variables."""
        return cls(((n, d),))

    @classmethod
    def map(cls, n: int, d: int, m: int) -> Space:
        """Lists of m forms of degree d in n variables; for m = 1 the space of forms."""
        return cls.form(n, d) if m == 1 else cls(((n, d), (m, 1)))

    @classmethod
    def tensor(cls, *dims: int) -> Space:
        """Tensors of shape dims."""
        return cls(tuple((n, 1) for n in dims))

    @property
    def degree(self) -> int:
        """Sum of the powers: the length of a word."""
        return sum(d for _, d in self.factors)

    @property
    def dimension(self) -> int:
        """Number of words."""
        return prod(comb(n + d - 1, d) for n, d in self.factors)

    def factor_words(self, i: int) -> Iterator[Word]:
        """Words of factor i alone, in lexicographic order."""
        n, d = self.factors[i]
        return combinations_with_replacement(range(n), d)

    def words(self) -> Iterator[Word]:
        """All words in lexicographic order."""
        for parts in product(*(self.factor_words(i) for i in range(len(self.factors)))):
            yield tuple(index for part in parts for index in part)

    def contains(self, word: Sequence[int]) -> bool:
        """Whether a sequence of indices is a word of this space."""
        if len(word) != self.degree:
            return False
        start = 0
        for n, d in self.factors:
            previous = 0
            for index in word[start : start + d]:
                if not previous <= index < n:
                    return False
                previous = index
            start += d
        return True

    @property
    def is_polynomial(self) -> bool:
        """Whether this is a space of forms or of lists of forms: one factor, or two with the second of power 1."""
        return len(self.factors) == 1 or (len(self.factors) == 2 and self.factors[1][1] == 1)

    @property
    def is_tensor(self) -> bool:
        """Whether every power is 1."""
        return all(d == 1 for _, d in self.factors)

    @property
    def variables_count(self) -> int:
        """Number n of variables of a polynomial space."""
        return self._polynomial_factor()[0]

    @property
    def form_degree(self) -> int:
        """Degree d of the forms of a polynomial space."""
        return self._polynomial_factor()[1]

    @property
    def outputs(self) -> int:
        """Number m of forms of a polynomial space."""
        self._polynomial_factor()
        return self.factors[1][0] if len(self.factors) == 2 else 1

    def _polynomial_factor(self) -> tuple[int, int]:
        if not self.is_polynomial:
            raise UsageError(
                f"{self} is not a space of polynomials: it has no number of variables, form degree or outputs"
            )
        return self.factors[0]

    def __str__(self) -> str:
        if self.is_tensor and len(self.factors) > 1:
            return "x".join(str(n) for n, _ in self.factors)
        return " (x) ".join(f"S^{d}(K^{n})" if d > 1 else f"K^{n}" for n, d in self.factors)
