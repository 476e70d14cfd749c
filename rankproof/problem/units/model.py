"""What a unit model is, and the sparse products its units are expanded with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import cast

from rankproof.errors import UsageError
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.space import Space, Word

Coordinate = Scalar | Laurent
Vector = tuple[Coordinate, ...]
Unit = tuple[Vector, ...]
# A vector by its non-zero coordinates, so that the cost of a product depends on these alone.
Sparse = list[tuple[int, Coordinate]]
Expansion = dict[Word, Coordinate]

_WORDS_KEPT = 20_000
"""Longest list of words that is kept for the next linear form in the same variables."""


class UnitModel(ABC):
    """A kind of unit: which spaces it lives in, how its vectors multiply out, how large its cone is.

    A *unit* is a tuple of vectors. For forms and maps the linear forms come first and the weight vector w comes last, of length
    m, the number of outputs (length 1 for a single form).
    """

    name: str
    formula: str

    @abstractmethod
    def accepts(self, space: Space) -> str | None:
        """None when units of this kind live in the space; otherwise the reason why they do not."""

    @abstractmethod
    def vector_lengths(self, space: Space) -> tuple[int, ...]:
        """Lengths of the vectors of one unit."""

    @abstractmethod
    def dimension(self, space: Space) -> int:
        """Dimension of the affine cone of all units, in characteristic 0."""

    @abstractmethod
    def product(self, space: Space, vectors: Sequence[Sparse]) -> Expansion:
        """Multiply out one unit given by its non-zero coordinates; the numbers are not yet in normal form."""

    def arity(self, space: Space) -> int:
        """Number of vectors of one unit."""
        return len(self.vector_lengths(space))

    def expand(self, space: Space, vectors: Sequence[Sequence[Scalar]], ring: Field) -> dict[Word, Scalar]:
        """Coefficients of one unit.

        Parameters
        ----------
        space
            Where the unit lives.
        vectors
            Its vectors, of the lengths `vector_lengths`.
        ring
            Exact field of the coordinates.

        Returns
        -------
        dict
            Non-zero coefficients in normal form over the ring, by word.

        Raises
        ------
        UsageError
            If the space is not accepted, or the number or a length of the vectors is wrong.
        """
        self.check(space, vectors)
        sparse = [[(i, x) for i, v in enumerate(vector) if (x := ring.reduce(v))] for vector in vectors]
        expansion = cast(dict[Word, Scalar], self.product(space, cast(list[Sparse], sparse)))
        return {word: x for word, value in expansion.items() if (x := ring.reduce(value))}

    def expand_family(self, space: Space, vectors: Sequence[Vector], ring: Field) -> dict[Word, Laurent]:
        """Coefficients of one border unit, as Laurent polynomials in eps; arguments and errors are those of `expand`."""
        self.check(space, vectors)
        sparse: list[Sparse] = [
            [(i, x) for i, v in enumerate(vector) if (x := as_laurent(v).over(ring))] for vector in vectors
        ]
        expansion = self.product(space, sparse)
        return {word: x for word, value in expansion.items() if (x := as_laurent(value).over(ring))}

    def check(self, space: Space, vectors: Sequence[Sequence[object]]) -> None:
        """Raise UsageError unless the vectors have the shape of one unit in the space."""
        if reason := self.accepts(space):
            raise UsageError(reason)
        expected, given = self.vector_lengths(space), tuple(len(vector) for vector in vectors)
        if given != expected:
            raise UsageError(
                f"a {self.name} unit of {space} has vectors of lengths {list(expected)} ({self.formula}),"
                f" but vectors of lengths {list(given)} were given"
            )


def polynomials_only(name: str, space: Space) -> str | None:
    """Reason why a model of polynomials does not live in a space; None when it does."""
    if space.is_polynomial:
        return None
    return f"{name} units are for forms and polynomial maps, and {space} is neither; use product units for tensors"


def linear_power(a: Sparse, d: int) -> Expansion:
    """Power a^d of a linear form: the multinomial theorem."""
    if not a:
        return {} if d else {(): 1}
    # For every degree the products of powers of the coefficients of the last variables, in the order of their words.
    tails: list[list[Coordinate]] = []
    for _, x in reversed(a):
        powers: list[Coordinate] = [1]
        while len(powers) <= d:
            powers.append(powers[-1] * x)
        tails = [
            [powers[e] * c for e in range(k, -1, -1) for c in tails[k - e]] if tails else [powers[k]]
            for k in range(d + 1)
        ]
    letters = tuple(i for i, _ in a)
    multinomials = _multinomials(len(letters), d)
    many = len(multinomials) > _WORDS_KEPT
    words = combinations_with_replacement(letters, d) if many else _words(letters, d)
    return {word: m * c for word, m, c in zip(words, multinomials, tails[d], strict=True)}


@lru_cache(maxsize=256)
def _words(letters: Word, d: int) -> list[Word]:
    return list(combinations_with_replacement(letters, d))


@lru_cache(maxsize=64)
def _multinomials(n: int, d: int) -> list[int]:
    """Numbers of ways to order the words of d letters out of n."""
    tails: list[list[int]] = [[1] for _ in range(d + 1)]
    for _ in range(n - 1):
        tails = [[comb(k, e) * m for e in range(k, -1, -1) for m in tails[k - e]] for k in range(d + 1)]
    return tails[d]


def symmetric_product(f: Expansion, g: Expansion) -> Expansion:
    """Product of two polynomials in the same variables."""
    result: Expansion = {}
    for u, x in f.items():
        for v, y in g.items():
            word = tuple(sorted(u + v))
            result[word] = result.get(word, 0) + x * y
    return result


def tensor_product(f: Expansion, g: Expansion) -> Expansion:
    """Product of two polynomials in separate variables: words are joined."""
    return {u + v: x * y for u, x in f.items() for v, y in g.items()}


def linear(a: Sparse) -> Expansion:
    """A linear form, or one vector of a tensor."""
    return {(i,): x for i, x in a}


def weighted(space: Space, f: Expansion, w: Sparse) -> Expansion:
    """The form f spread over the outputs of a polynomial space with weights w."""
    if len(space.factors) == 2:
        return tensor_product(f, linear(w))
    return {word: x * y for word, x in f.items() for _, y in w}
