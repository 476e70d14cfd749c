"""Linear images of targets, and the smallest space in which a target lives: its essential variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankproof.exact.flattening import flattening_rank, good_prime
from rankproof.exact.matrix_factorisation import row_basis
from rankproof.problem.decomposition import FamilyUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

Matrix = tuple[tuple[Scalar, ...], ...]
"""Rows of a matrix; none at all stands for the identity."""

MAX_CELLS = 1_000_000
"""Coefficients of all contractions of a target together; beyond it no space is made smaller."""


@dataclass(frozen=True)
class Reduction:
    """A target, its image under linear maps of the factors, and the maps that lead back.

    Attributes
    ----------
    target
        The target.
    image
        Its image: a target in spaces that are not larger.
    maps
        For every factor of the target's space the matrix of the map to the factor of the image.
    back
        For every factor the matrix of a map that takes the image to the target, or to one part of it.
    factors
        The factors of the image, a single output included.
    """

    target: Target
    image: Target
    maps: tuple[Matrix, ...]
    back: tuple[Matrix, ...]
    factors: tuple[tuple[int, int], ...]

    def unit_back(self, unit: FamilyUnit, ring: Field) -> FamilyUnit:
        """A unit of the image as a unit of the target; its coordinates lie in the ring, or are families in eps over it."""
        if self.target.space.is_tensor:
            return tuple(self._vector_back(v, i, ring) for i, v in enumerate(unit))
        forms = [self._vector_back(v, 0, ring) for v in unit[:-1]]
        weights = unit[-1] if len(self.back) == 1 else self._vector_back(unit[-1], 1, ring)
        return (*forms, weights)

    def _vector_back(
        self, vector: Sequence[Scalar | Laurent], factor: int, ring: Field
    ) -> tuple[Scalar | Laurent, ...]:
        rows = self.back[factor]
        if not rows:
            return tuple(vector)
        found: list[Scalar | Laurent] = []
        for row in rows:
            total = Laurent(())
            for x, y in zip(row, vector, strict=True):
                total = total + as_laurent(y) * x
            total = total.over(ring)
            found.append(total.coefficient(0) if total.is_constant else total)
        return tuple(found)


def restricted(target: Target, kept: Sequence[Sequence[int]]) -> Reduction:
    """The part of a target that uses the kept letters of every factor only, and no others.

    Parameters
    ----------
    target
        The target; some of its words use kept letters only.
    kept
        For every factor of its space increasing letters, at least one.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> restricted(read_targets("x**2*y + z**3")[0], [[0, 1]]).image.text
    'x**2*y'
    """
    factors = target.space.factors
    maps, back = [], []
    for letters, (n, _) in zip(kept, factors, strict=True):
        whole = len(letters) == n
        maps.append(() if whole else tuple(tuple(int(x == k) for x in range(n)) for k in letters))
        back.append(() if whole else tuple(tuple(int(x == k) for k in letters) for x in range(n)))
    return _reduction(target, kept, tuple(maps), tuple(back))


def essential(target: Target) -> Reduction | None:
    """The target in as few variables as possible, and as few dimensions of every other factor; None when it uses all.

    Notes
    -----
    The contractions of the target by the letters of a factor (derivatives by a variable) span a space. Letters whose
    contractions are a basis are kept: when the contraction by the letter i is the sum of c_ri times that by r, the target is its
    restriction to the kept letters, with the letter r replaced by the sum of the c_ri times the letter i.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> essential(read_targets("(x + y)**2*(y + z)")[0]).image.text
    'x**2*z'
    """
    ring, factors = target.ring, target.space.factors
    # Matrices and lists of linear forms have nothing to gain: their width is a rank.
    if len(target.entries) * target.space.degree > MAX_CELLS or is_matrix(target):
        return None
    prime, root = good_prime(target, ring)
    kept: list[list[int]] = []
    back: list[Matrix] = []
    start = 0
    for n, power in factors:
        one_letter = tuple(int(i == len(kept)) for i in range(len(factors)))
        if 0 < ring.characteristic <= power or flattening_rank(target, one_letter, prime, root).rank == n:
            # In small characteristic derivatives do not see everything.
            basis: Mapping[int, Mapping[int, Scalar]] = {x: {x: 1} for x in range(n)}
        else:
            contractions = _contractions(target, start, power)
            # Letters of short contractions first: what is left is then short, too.
            order = sorted(contractions, key=lambda x: (len(contractions[x]), x))
            basis = row_basis(contractions, order, ring)
        letters = sorted(basis)
        kept.append(letters)
        rows = tuple(tuple(basis[r].get(x, 0) for r in letters) for x in range(n))
        back.append(() if len(letters) == n else rows)
        start += power
    if all(len(letters) == n for letters, (n, _) in zip(kept, factors, strict=True)):
        return None
    maps = tuple(
        () if len(letters) == n else tuple(tuple(int(x == k) for x in range(n)) for k in letters)
        for letters, (n, _) in zip(kept, factors, strict=True)
    )
    return _reduction(target, kept, maps, tuple(back))


def is_matrix(target: Target) -> bool:
    """Whether a target is a vector, a matrix, or a list of linear forms."""
    return target.space.is_tensor and len(target.space.factors) <= 2


def _contractions(target: Target, start: int, power: int) -> dict[int, dict[Word, Scalar]]:
    """By letter of the factor whose letters begin at this place: what is left of the target, with multiplicities."""
    found: dict[int, dict[Word, Scalar]] = {}
    for word, c in target.entries:
        piece = word[start : start + power]
        for x in set(piece):
            place = start + piece.index(x)
            rest = word[:place] + word[place + 1 :]
            found.setdefault(x, {})[rest] = target.ring.reduce(c * piece.count(x))
    return found


def _reduction(
    target: Target, kept: Sequence[Sequence[int]], maps: tuple[Matrix, ...], back: tuple[Matrix, ...]
) -> Reduction:
    space = target.space
    places = [{x: k for k, x in enumerate(letters)} for letters in kept]
    owners = [place for place, (_, power) in zip(places, space.factors, strict=True) for _ in range(power)]
    factors = tuple((len(letters), power) for letters, (_, power) in zip(kept, space.factors, strict=True))
    # A single form is written without an output factor; a tensor keeps all its factors.
    single = len(factors) == 2 and factors[1] == (1, 1)
    length = space.degree - single
    entries = {
        tuple(place[x] for place, x in zip(owners, word, strict=True))[:length]: c
        for word, c in target.entries
        if all(x in place for place, x in zip(owners, word, strict=True))
    }
    names = target.variables and tuple(target.variables[x] for x in kept[0])
    image = Target.from_entries(
        Space(factors[:1] if single else factors), entries, target.ring, variables=names
    )
    return Reduction(target, image, maps, back, factors)
