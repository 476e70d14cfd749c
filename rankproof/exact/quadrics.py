r"""Quadratic forms as sums of products of two linear forms, with as few products as can be found.

Over any field the least number of products is n minus the largest dimension of a subspace on which the form vanishes: a sum
of w products vanishes where w linear forms do, and a form that vanishes where w coordinates do has each monomial divisible by
one of them. For a form of rank r with Witt index i this is r - i (characteristic other than 2).

References
----------
.. [1] J. W. S. Cassels, *Rational Quadratic Forms*, Academic Press (1978), Ch. 2 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq, fmpq_mat

from rankproof.errors import UsageError
from rankproof.exact.congruence import (
    LinearForm,
    Matrix,
    diagonalise,
    fraction,
    nondegenerate_part,
    rational_lagrange,
    signature,
)
from rankproof.exact.factoring import BudgetSpent, Effort
from rankproof.exact.finite_quadrics import diagonalise_mod, products_mod
from rankproof.exact.hilbert import REAL, WittIndex, witt_index_within
from rankproof.exact.isotropy import improved, integer_multiple, isotropic_vector_of_lattice
from rankproof.exact.lattices import Lattice, divide_out, lattice
from rankproof.exact.short_vectors import isotropic_basis_vectors
from rankproof.exact.vanishing import products_from_subspace, short_basis, short_dual_vectors
from rankproof.problem.field import Field

__all__ = [
    "Products",
    "Splitting",
    "diagonalise",
    "diagonalise_mod",
    "hyperbolic_splitting",
    "products_mod",
    "products",
    "signature",
]

Plane = tuple[Fraction, LinearForm, LinearForm]
Square = tuple[Fraction, LinearForm]
Term = tuple[int | Fraction, Sequence[int | Fraction], Sequence[int | Fraction]]


@dataclass(frozen=True)
class Splitting:
    """A rational quadratic form as products of two linear forms and squares, all the linear forms being independent.

    Attributes
    ----------
    planes
        Triples (c, a, b): the form is the sum of the c * a * b ...
    squares
        ... and of the c * l^2 of these pairs (c, l).
    witt
        What is known about the Witt index.
    """

    planes: tuple[Plane, ...]
    squares: tuple[Square, ...]
    witt: WittIndex

    @property
    def optimal(self) -> bool:
        """Whether no sum of fewer products exists over the rationals."""
        return len(self.planes) == self.witt.index


def hyperbolic_splitting(matrix: Matrix, budget_seconds: float = 10.0) -> Splitting:
    r"""Split hyperbolic planes off a rational quadratic form: q = sum of c a b + sum of c l^2.

    Parameters
    ----------
    matrix
        Symmetric, shape (n, n).
    budget_seconds
        Time for factoring and searching. When it is too short, fewer planes are split off.

    Returns
    -------
    Splitting
        Its number of planes is the Witt index when everything succeeded. The linear forms have coprime integer coefficients.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.

    Examples
    --------
    >>> q = hyperbolic_splitting([[1, 0, 0], [0, -1, 0], [0, 0, 3]])
    >>> [(str(c), [int(x) for x in a], [int(x) for x in b]) for c, a, b in q.planes], q.optimal
    ([('1', [1, 1, 0], [1, -1, 0])], True)
    """
    part = nondegenerate_part(matrix)
    found = _find_isotropic(part.matrix, Effort(budget_seconds))
    if not found.vectors:
        squares = [_normal_square(d, l) for d, l in zip(*diagonalise(matrix), strict=True)]
        return Splitting((), tuple(squares), found.witt)
    return _splitting(fmpq_mat(part.matrix), fmpq_mat(part.forms), found)


@dataclass(frozen=True)
class _Isotropic:
    """A totally isotropic subspace, the lattice of its orthogonal space modulo it, and what is known about its dimension."""

    vectors: list[list[fmpq]]
    rest: Lattice | None
    witt: WittIndex


def _find_isotropic(part: list[list[fmpq]], effort: Effort) -> _Isotropic:
    """Divide the orthogonal space by one isotropic vector after the other.

    The determinant loses a square factor each time, and vectors stay short, so the numbers do not grow.
    """
    if not part:
        return _Isotropic([], None, WittIndex(0, REAL, True))
    L = lattice(part)
    witt = _witt_index(L, effort.share(effort.left() / 2))
    vectors: list[list[fmpq]] = []
    while len(vectors) < witt.index and effort.left():
        found = isotropic_basis_vectors(L.gram)
        if not found:
            L = improved(L, effort)
            found = _isotropic_vectors(L, effort)
        if not found:
            break
        vectors += [L.vector(v) for v in found]
        L = divide_out(L, found)
    L = improved(L, effort)
    if len(vectors) < witt.index:
        bound = _witt_index(L, effort)
        # The rest has the same anisotropic kernels as the whole form, and smaller numbers.
        if len(vectors) + bound.index < witt.index:
            witt = WittIndex(len(vectors) + bound.index, bound.place, bound.exact)
    return _Isotropic(vectors, L, witt)


def _isotropic_vectors(L: Lattice, effort: Effort) -> list[list[int]]:
    """Basis of a totally isotropic subspace; empty when none was found in time, or the form is anisotropic."""
    found = isotropic_basis_vectors(L.gram)
    if found:
        return found
    try:
        v = isotropic_vector_of_lattice(L, effort)
    except BudgetSpent:
        v = None
    return [] if v is None else [v]


def _witt_index(L: Lattice, effort: Effort) -> WittIndex:
    weights, _ = _diagonal(L)
    return witt_index_within([fraction(d) for d in weights], effort, L.determinant)


def _diagonal(L: Lattice) -> tuple[list[fmpq], list[list[fmpq]]]:
    """Weights and forms of a diagonalisation on the lattice, without its scale."""
    return rational_lagrange([[fmpq(x) for x in row] for row in L.gram.tolist()])


def _splitting(G: fmpq_mat, variables: fmpq_mat, found: _Isotropic) -> Splitting:
    """Complete isotropic vectors to hyperbolic planes and read off the dual linear forms, in the variables of the form."""
    integral = [integer_multiple(v) for v in found.vectors]
    V = fmpq_mat(short_basis(integral))
    polar = V * G
    # U is dual to V; subtracting half of its own values makes it totally isotropic.
    U = _dual_vectors(polar)
    W = U - (U * G * U.transpose()) * V * fmpq(1, 2)
    alpha, beta = W * G * variables, polar * variables
    planes = tuple(
        _normal_plane(Fraction(2), a, b) for a, b in zip(alpha.tolist(), beta.tolist(), strict=True)
    )
    squares: list[Square] = []
    if found.rest is not None and found.rest.dimension:
        rest = found.rest
        C = rest.basis - (rest.basis * G * W.transpose()) * V
        coordinates = fmpq_mat(rest.gram).inv() * C * G * variables
        weights, forms = _diagonal(rest)
        for d, l in zip(weights, (fmpq_mat(forms) * coordinates).tolist(), strict=True):
            squares.append(_normal_square(fraction(d) / rest.scale, [fraction(x) for x in l]))
    return Splitting(planes, tuple(squares), found.witt)


def _dual_vectors(forms: fmpq_mat) -> fmpq_mat:
    """Short vectors u_i with l_i(u_j) = 1 for i = j and 0 otherwise, for independent linear forms l_i, as rows."""
    saturated = short_basis([integer_multiple(l) for l in forms.tolist()])
    dual = fmpq_mat(short_dual_vectors(saturated))
    change = forms * dual.transpose()
    return change.inv().transpose() * dual


def _normal_plane(c: Fraction, a: list[fmpq], b: list[fmpq]) -> Plane:
    s, a_normal = _normal_form([fraction(x) for x in a])
    t, b_normal = _normal_form([fraction(x) for x in b])
    return c * s * t, a_normal, b_normal


def _normal_square(c: Fraction, l: LinearForm) -> Square:
    s, l_normal = _normal_form(l)
    return c * s * s, l_normal


def _normal_form(l: LinearForm) -> tuple[Fraction, LinearForm]:
    """A linear form as a number times one with coprime integer coefficients, the first positive."""
    factor = Fraction(gcd(*(c.numerator for c in l)), lcm(*(c.denominator for c in l)))
    if next(c for c in l if c) < 0:
        factor = -factor
    return factor, [c / factor for c in l]


@dataclass(frozen=True)
class Products:
    """A quadratic form as a sum of products of two linear forms.

    Attributes
    ----------
    terms
        Triples (c, a, b): the form is the sum of the c * a * b. Over GF(p) all numbers lie in 0..p-1.
    optimal
        Whether it is proved that no sum of fewer products exists over the field.
    witt
        Over the rationals, what is known about the Witt index, with the place that shows it; None over GF(p).
    """

    terms: tuple[Term, ...]
    optimal: bool
    witt: WittIndex | None = None


def products(
    coefficients: Mapping[tuple[int, int], int | Fraction], n: int, field: Field, budget_seconds: float = 10.0
) -> Products:
    """Write a quadratic form as a sum of few products of two linear forms, over the rationals or GF(p).

    Parameters
    ----------
    coefficients
        Coefficient of x_i x_j at (i, j), i <= j.
    n
        Number of variables.
    field
        QQ or GF(p), p = 2 allowed.
    budget_seconds
        Time for factoring and searching over the rationals; over GF(p) the answer is immediate and always optimal.

    Raises
    ------
    UsageError
        If the field is another one.
    ValueError
        If an index is out of range.

    Examples
    --------
    >>> from rankproof.problem.field import QQ, gf
    >>> products({(0, 0): 1, (1, 1): 1}, 2, QQ).terms
    ((1, [1, 0], [1, 0]), (1, [0, 1], [0, 1]))
    >>> products({(0, 0): 1, (1, 1): 1}, 2, gf(5)).terms
    ((1, [1, 2], [1, 3]),)
    """
    for i, j in coefficients:
        if not 0 <= i <= j < n:
            raise ValueError(f"({i}, {j}) is no index of a coefficient; use 0 <= i <= j < {n}")
    if field.characteristic:
        return Products(tuple(products_mod(coefficients, n, field.characteristic)), True)
    if field.name != "QQ":
        raise UsageError(
            f"products of linear forms are constructed over QQ and GF(p), not over {field}; ask over one of those"
        )
    matrix = [[Fraction(0)] * n for _ in range(n)]
    for (i, j), c in coefficients.items():
        matrix[i][j] += Fraction(c) / 2
        matrix[j][i] += Fraction(c) / 2
    part = nondegenerate_part(matrix)
    found = _find_isotropic(part.matrix, Effort(budget_seconds))
    singular = [part.lift(v) for v in found.vectors] + part.radical
    terms = products_from_subspace(matrix, [integer_multiple(v) for v in singular])
    optimal = len(found.vectors) == found.witt.index
    return Products(tuple((_plain(c), a, b) for c, a, b in terms), optimal, found.witt)


def _plain(c: Fraction) -> int | Fraction:
    return c.numerator if c.denominator == 1 else c
