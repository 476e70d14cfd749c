"""Tensors that are products modulo a polynomial in other bases, and their short sums, exact and border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rankproof.exact.field_towers import tower_sum
from rankproof.exact.kronecker_form import (
    Rows,
    identity,
    inverse,
    minimal_chain,
    multiply,
    transpose,
    try_inverse,
)
from rankproof.exact.linear_systems import solve
from rankproof.exact.pencil_sums import taylor_matrix
from rankproof.exact.polynomial_products import quotient_product
from rankproof.exact.splitting_fields import factors, roots
from rankproof.exact.tensor_sums import TensorSum, joined, with_bases_changed
from rankproof.problem.decomposition import FamilyUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.space import Word

TRIALS = 24
"""Combinations of coordinates that are tried as unit elements and as generators."""


@dataclass(frozen=True)
class CyclicAlgebra:
    """A tensor as the multiplication of K[x]/(f), after a base change in every factor.

    Attributes
    ----------
    polynomial
        f, monic, coefficients in ascending order.
    left, right
        Matrices from the coordinates of the two inputs to coefficients of polynomials.
    out
        Matrix from coefficients of the product to coordinates of the output.
    """

    polynomial: tuple[Scalar, ...]
    left: Rows
    right: Rows
    out: Rows

    def over(self, ring: Field) -> CyclicAlgebra:
        """The same with entries in a larger field."""
        matrices = [[[ring.reduce(x) for x in row] for row in M] for M in (self.left, self.right, self.out)]
        return CyclicAlgebra(tuple(map(ring.reduce, self.polynomial)), *matrices)

    def carried(self, total: TensorSum, ring: Field) -> TensorSum:
        """Units for the product modulo f as units for the tensor."""
        n = len(self.out)
        return with_bases_changed(total, [transpose(self.left, n), transpose(self.right, n), self.out], ring)


def cyclic_algebra(tensor: Mapping[Word, Scalar], n: int, ring: Field) -> CyclicAlgebra | None:
    """The polynomial and the base changes of an n x n x n tensor that is some K[x]/(f) in disguise; None when it is none.

    Notes
    -----
    If a and b make T(a, .) and T(., b) invertible, x * y = T(T(., b)^-1 x, T(a, .)^-1 y) has the unit element T(a, b). When the
    left multiplications commute, the product is commutative and associative; a generator makes it a quotient of K[x].

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> from rankproof.problem.library import named
    >>> cyclic_algebra(named("complex_product").as_dict(), 2, QQ).polynomial
    (1, 0, 1)
    """
    slices: list[Rows] = [[[0] * n for _ in range(n)] for _ in range(n)]
    for (i, j, k), c in tensor.items():
        slices[i][k][j] = c
    by_right: list[Rows] = [[[slices[i][k][j] for i in range(n)] for k in range(n)] for j in range(n)]
    left_unit, right_unit = _invertible(slices, ring), _invertible(by_right, ring)
    if left_unit is None or right_unit is None:
        return None
    # T(., b) maps the first input to elements of the algebra, and T(a, .) the second one.
    Q, P = left_unit, right_unit
    Pi, Qi = inverse(P, ring), inverse(Q, ring)
    multiplications = [multiply(_combination(slices, column, ring), Qi, ring) for column in transpose(Pi, n)]
    if any(
        multiply(L, M, ring) != multiply(M, L, ring)
        for k, L in enumerate(multiplications)
        for M in multiplications[:k]
    ):
        return None
    # The columns of Pi are what the coordinates of an element come from; the unit element is fixed by every multiplication.
    unit = _unit_element(multiplications, ring)
    if unit is None:
        return None
    for coefficients in _trials(n, ring):
        chain, f = minimal_chain(_combination(multiplications, coefficients, ring), unit, ring)
        if len(chain) == n:
            S = transpose(chain, n)
            Si = inverse(S, ring)
            return CyclicAlgebra(f, multiply(Si, P, ring), multiply(Si, Q, ring), S)
    return None


def algebra_sum(algebra: CyclicAlgebra, ring: Field, border: bool = False) -> TensorSum | None:
    """Units for a tensor that is K[x]/(f), exact or border; None when f is not factored, or has not all roots for a family.

    Exact sums have 2n - k units over fields with enough elements, where k is the number of coprime factors of f that are found;
    border families n.
    """
    if not border:
        found = factors(algebra.polynomial, ring)
        if found is None:
            return None
        ways: list[TensorSum] = [quotient_product(found, ring)]
        if ring.characteristic and len(found) == 1 and found[0][1] == 1:
            tower = tower_sum(algebra.polynomial, ring)
            ways += [] if tower is None else [tower]
        return algebra.carried(min(ways, key=len), ring)
    where = roots(algebra.polynomial, ring)
    p = ring.characteristic
    if where is None or (p and max(e for _, e in where) > p):
        return None
    return algebra.carried(_points_nearby(where, ring), ring)


def _points_nearby(where: Sequence[tuple[Scalar, int]], ring: Field) -> TensorSum:
    """The algebra of functions on n points of which e each approach a root of multiplicity e.

    In powers of y = x - root the values at 0, eps, 2 eps, ... are those at 0, 1, 2, ... after scaling y^i by eps^i.
    """
    n = sum(e for _, e in where)
    remainders: Rows = []
    for root, e in where:
        remainders += taylor_matrix(root, e, n, ring)
    units: list[FamilyUnit] = []
    start = 0
    for _, e in where:
        values: Rows = [[ring.reduce(s**i) if i else 1 for i in range(e)] for s in range(e)]
        columns = transpose(inverse(values, ring), e)
        for row, column in zip(values, columns, strict=True):
            into: list[Scalar | Laurent] = [0] * n
            out: list[Scalar | Laurent] = [0] * n
            for i in range(e):
                into[start + i] = Laurent.power(i, row[i]) if row[i] and i else row[i]
                out[start + i] = Laurent.power(-i, column[i]) if column[i] and i else column[i]
            units.append((tuple(into), tuple(into), tuple(out)))
        start += e
    forms = transpose(remainders, n)
    return with_bases_changed(joined(ring, 0, units), [forms, forms, inverse(remainders, ring)], ring)


def _invertible(slices: Sequence[Rows], ring: Field) -> Rows | None:
    """A combination of square matrices that is invertible."""
    for coefficients in _trials(len(slices), ring):
        M = _combination(slices, coefficients, ring)
        if try_inverse(M, ring) is not None:
            return M
    return None


def _trials(n: int, ring: Field) -> Iterator[tuple[int, ...]]:
    for i in range(n):
        yield tuple(int(k == i) for k in range(n))
    for i in range(n - 1):
        yield tuple(int(k in (i, i + 1)) for k in range(n))
    p = ring.characteristic
    for base in range(1, TRIALS):
        # Digits of some numbers over a small field, powers over a large one.
        yield tuple((base * 2654435761 >> (3 * k)) % p if p else base**k for k in range(n))


def _combination(matrices: Sequence[Rows], coefficients: Sequence[Scalar], ring: Field) -> Rows:
    n = len(matrices[0])
    total: Rows = [[0] * n for _ in range(n)]
    for c, M in zip(coefficients, matrices, strict=True):
        if c:
            total = [
                [ring.reduce(x + c * y) for x, y in zip(r, s, strict=True)]
                for r, s in zip(total, M, strict=True)
            ]
    return total


def _unit_element(multiplications: Sequence[Rows], ring: Field) -> list[Scalar] | None:
    """The element e with e * y = y: the combination of left multiplications that is the identity."""
    n = len(multiplications)
    columns = [
        {(i, j): x for i, row in enumerate(M) for j, x in enumerate(row) if x} for M in multiplications
    ]
    side = {(i, i): x for i, row in enumerate(identity(n)) for x in row if x}
    solutions = solve(columns, [side], ring)
    return None if solutions is None else list(solutions[0])
