"""Dimensions of secant varieties at a random point, by Terracini's lemma: how many units a general target needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import flint
import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.problem.space import Space
from rankproof.problem.units import unit_model

PRIME = 2**31 - 1
"""Large, so that a random point modulo it is hardly ever a special one; products of two residues fit into 64 bits."""

MAX_DIMENSION = 2500
"""Dimension of the space of targets: the time grows with its third power, to about a minute here."""

Residues = NDArray[np.int64]


@dataclass(frozen=True)
class Filling:
    """How many units fill the space of targets.

    Attributes
    ----------
    units
        Name of the unit model.
    dimension
        Dimension of the space of targets.
    cone
        Dimension of the cone of all units.
    count
        A number of units whose sums fill the space over CC: some target near every target is such a sum.
    ranks
        The numbers of units tried, with the rank of their tangent spaces: the last has full rank.
    """

    units: str
    dimension: int
    cone: int
    count: int
    ranks: tuple[tuple[int, int], ...]

    @property
    def expected(self) -> int:
        """Fewer units than this have too few parameters to fill the space."""
        return -(-self.dimension // self.cone)


class Monomials:
    """Monomials of every degree up to d in n variables, and where multiplication by a variable takes them."""

    def __init__(self, n: int, d: int) -> None:
        self.n, self.d = n, d

    @cached_property
    def _steps(self) -> list[NDArray[np.intp]]:
        """Entry k is an array: number of the product of a monomial of degree k (row) and a variable (column)."""
        steps = []
        words: list[tuple[int, ...]] = [()]
        for k in range(self.d):
            longer = list(combinations_with_replacement(range(self.n), k + 1))
            number = {word: place for place, word in enumerate(longer)}
            table = [[number[tuple(sorted((*word, x)))] for x in range(self.n)] for word in words]
            steps.append(np.array(table, dtype=np.intp))
            words = longer
        return steps

    def times(self, form: Residues, linear: Residues, degree: int) -> Residues:
        """Product of a form of a degree and a linear form, modulo the prime."""
        step = self._steps[degree]
        size = len(self._steps[degree + 1]) if degree + 1 < self.d else int(step.max()) + 1
        product = np.zeros(size, dtype=np.int64)
        for x, coefficient in enumerate(linear):
            # Different monomials times one variable are different.
            product[step[:, x]] = (product[step[:, x]] + form * coefficient) % PRIME
        return product

    def product(self, factors: Sequence[Residues]) -> Residues:
        """Product of linear forms."""
        form = np.ones(1, dtype=np.int64)
        for degree, linear in enumerate(factors):
            form = self.times(form, linear, degree)
        return form

    def multiples(self, form: Residues, degree: int) -> Residues:
        """Products of a form with all variables, as rows."""
        return np.stack([self.times(form, unit, degree) for unit in np.eye(self.n, dtype=np.int64)])


def powers_of(units: str, degree: int) -> tuple[int, ...]:
    """Exponents of the linear forms in one unit.

    Examples
    --------
    >>> powers_of("untied", 3), powers_of("mixed:2", 4), powers_of("split", 3)
    ((2, 1), (2, 2), (1, 1, 1))
    """
    if units == "tied":
        return (degree,)
    if units == "split":
        return (1,) * degree
    k = 1 if units == "untied" else int(units.partition(":")[2])
    return degree - k, k


def tangent_space(
    monomials: Monomials, powers: Sequence[int], forms: Sequence[Residues], weights: Residues
) -> Residues:
    """Rows that span the tangent space to the cone of units at one unit, modulo the prime.

    For w l_1^(e_1) l_2^(e_2) ... these are w times (the product without one l_i) times a variable, and the product in every
    output.
    """
    d, m = monomials.d, len(weights)
    rows: list[Residues] = []
    for i, power in enumerate(powers):
        if not power:
            continue
        rest = [form for j, form in enumerate(forms) for _ in range(powers[j] - (i == j))]
        directions = monomials.multiples(monomials.product(rest), d - 1)
        rows.append(np.stack([np.outer(weights, direction).ravel() % PRIME for direction in directions]))
    whole = monomials.product([form for form, power in zip(forms, powers, strict=True) for _ in range(power)])
    rows.append(np.stack([np.outer(output, whole).ravel() for output in np.eye(m, dtype=np.int64)]))
    return np.concatenate(rows)


def checked_space(variables: int, degree: int, outputs: int) -> Space:
    """The space of so many forms of a degree.

    Raises
    ------
    UsageError
        If the degree is below 2, or the space is too large to compute in.
    """
    if degree < 2:
        raise UsageError(f"degree {degree}: linear maps are one unit an output; give a degree of at least 2")
    space = Space.map(variables, degree, outputs)
    if space.dimension > MAX_DIMENSION:
        forms = "forms" if outputs == 1 else f"{outputs} forms"
        raise UsageError(
            f"{forms} of degree {degree} in {variables} variables have {space.dimension} coefficients;"
            f" at most {MAX_DIMENSION} are computed with"
        )
    return space


def filling_count(units: str, variables: int, degree: int, outputs: int = 1, seed: int = 0) -> Filling:
    """A number of units that suffices for almost all forms, or maps, over CC.

    Parameters
    ----------
    units
        A unit model of polynomials.
    variables, degree, outputs
        The space of targets: so many forms of a degree.
    seed
        Of the random point.

    Returns
    -------
    Filling
        Its `count` is proved to suffice, and its `expected` to be necessary. That no count between the two suffices is not
        proved, even though none of those tried did at this point.

    Raises
    ------
    UsageError
        If the units do not fit the degree, or the space is too large.

    Notes
    -----
    Sums of r units fill the space over CC if and only if at a general choice of r units their tangent spaces span it, by
    Terracini's lemma [1]_. At integer units the rank modulo a prime is at most the rank over QQ, which is at most the
    rank at general units: full rank at one point modulo one prime is a proof, and a smaller rank is none. A sum of r units
    has at most r times the dimension of their cone as parameters, which bounds r from below.

    References
    ----------
    .. [1] Terracini, *Sulle V_k per cui la varieta degli S_h (h+1)-seganti ha dimensione minore dell'ordinario*, Rendiconti
       del Circolo Matematico di Palermo 31 (1911).

    Examples
    --------
    >>> filling_count("tied", 3, 4).count, filling_count("tied", 3, 4).expected
    (6, 5)
    """
    space = checked_space(variables, degree, outputs)
    model = unit_model(units)
    if reason := model.accepts(space):
        raise UsageError(reason)
    rng = np.random.default_rng([seed, variables, degree, outputs])
    monomials, powers = Monomials(variables, degree), powers_of(model.name, degree)
    cone, dimension = model.dimension(space), space.dimension
    blocks: list[Residues] = []
    ranks: list[tuple[int, int]] = []
    rank = 0
    while rank < dimension:
        # So many more units are needed at least.
        for _ in range(-(-(dimension - rank) // cone)):
            forms = [rng.integers(1, PRIME, size=variables) for _ in powers]
            blocks.append(tangent_space(monomials, powers, forms, rng.integers(1, PRIME, size=outputs)))
        rank = _rank(np.concatenate(blocks))
        ranks.append((len(blocks), rank))
    return Filling(model.name, dimension, cone, len(blocks), tuple(ranks))


def _rank(rows: Residues) -> int:
    height, width = rows.shape
    return flint.nmod_mat(height, width, rows.ravel().tolist(), PRIME).rank()
