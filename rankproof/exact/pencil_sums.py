"""Short sums of rank-one tensors, exact and border, for 2 x m x n tensors: the summands of the pencil, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rankproof.exact.kronecker_form import PencilBlock, Rows, identity, inverse, kronecker_form, transpose
from rankproof.exact.polynomial_products import polynomial_product, quotient_map
from rankproof.exact.splitting_fields import factors, roots
from rankproof.exact.tensor_sums import TensorSum, added, joined, with_bases_changed, without_zeros
from rankproof.problem.decomposition import FamilyUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent


def pencil_sum(A: Rows, B: Rows, ring: Field, border: bool = False) -> TensorSum | None:
    """A sum of product units for the tensor e_0 (x) A + e_1 (x) B.

    Parameters
    ----------
    A, B
        Matrices of one shape, as rows.
    ring
        Exact field of the entries and of the units.
    border
        Whether a border family will do.

    Returns
    -------
    TensorSum or None
        Over a field with enough elements as many units as Kronecker and JaJa's formula says: d + 1 for blocks L and their
        transposes, and for the regular part its size plus the number of invariant polynomials that are not products of
        distinct linear factors over the field. Border families have as many units as the tensor has rows or columns, where all
        roots are in the field. None when a small field has no place for the regular part.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> J = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> len(pencil_sum(identity(3), J, QQ)), len(pencil_sum(identity(3), J, QQ, border=True))
    (4, 3)
    """
    blocks = kronecker_form(A, B, ring)
    if blocks is None:
        return None
    sums: list[TensorSum] = []
    if border:
        blocks, sums = _paired(blocks, ring)
    for block in blocks:
        total = _regular(block, ring, border) if block.kind == "J" else _singular(block, ring)
        if total is not None:
            sums.append(total)
    return without_zeros(reduce(added, sums)) if sums else None


def _singular(block: PencilBlock, ring: Field) -> TensorSum | None:
    """A block L or its transpose: the product of polynomials with 2 and d coefficients."""
    d = block.size
    if d == 0:
        return None
    # A' has 1 at (i, i+1), so that e_0 is the coefficient of x; B' is minus the identity, and e_1 minus the constant one.
    matrices = [[[0, 1], [-1, 0]], block.P, block.Q]
    product = polynomial_product(2, d, ring)
    if block.kind == "LT":
        product = joined(ring, 0, [(a, w, v) for a, v, w in product.units])
    return with_bases_changed(product, matrices, ring)


def _regular(block: PencilBlock, ring: Field, border: bool) -> TensorSum:
    """A block J: the product of a polynomial with 2 coefficients and a remainder, by the factors of the polynomial."""
    f = block.polynomial
    found = factors(f, ring) or [(f, 1)]
    slices = [[1, ring.reduce(-block.shift)], [0, 1]]
    if border and (where := roots(f, ring)) is not None and _has_nodes(where, ring):
        return with_bases_changed(_nilpotent_families(f, where, ring), [slices, block.P, block.Q], ring)
    product = min((quotient_map(2, factors_of_f, ring) for factors_of_f in ([(f, 1)], found)), key=len)
    matrices = [slices, block.P, block.Q]
    return with_bases_changed(joined(ring, 0, [(a, w, v) for a, v, w in product.units]), matrices, ring)


def _has_nodes(where: Sequence[tuple[Scalar, int]], ring: Field) -> bool:
    return not ring.characteristic or max(e for _, e in where) <= ring.characteristic


def _nilpotent_families(f: tuple[Scalar, ...], where: Sequence[tuple[Scalar, int]], ring: Field) -> TensorSum:
    r"""Families for (1, C), C the companion matrix of f: each root r of multiplicity e becomes r, r + eps, ..., r + (e-1) eps.

    In the coefficients in x - r of the remainder modulo (x - r)^e, C is r plus a shift N, and N is the limit of the companion
    matrix of y (y - eps) ... (y - (e-1) eps), which the Vandermonde matrix of its roots diagonalises.
    """
    d = len(f) - 1
    remainders: Rows = []
    for root, e in where:
        remainders += taylor_matrix(root, e, d, ring)
    back = inverse(remainders, ring)
    units: list[FamilyUnit] = []
    start = 0
    for root, e in where:
        nodes = [ring.reduce(s) for s in range(e)]
        vandermonde: Rows = [[ring.reduce(s**i) if i else 1 for i in range(e)] for s in nodes]
        columns = transpose(inverse(vandermonde, ring), e)
        for s, row, column in zip(nodes, vandermonde, columns, strict=True):
            value = Laurent.from_mapping({0: root, 1: s}) if s else root
            out: list[Scalar | Laurent] = [0] * d
            into: list[Scalar | Laurent] = [0] * d
            for i in range(e):
                out[start + i] = _power(-i, column[i])
                into[start + i] = _power(i, row[i])
            units.append(((1, value), tuple(out), tuple(into)))
        start += e
    total = joined(ring, 0, units)
    return with_bases_changed(total, [identity(2), back, transpose(remainders, d)], ring)


def _power(exponent: int, c: Scalar) -> Scalar | Laurent:
    return Laurent.power(exponent, c) if c and exponent else c


def taylor_matrix(root: Scalar, e: int, d: int, ring: Field) -> Rows:
    """Matrix from the coefficients of a polynomial to the first e of its coefficients in x - root."""
    columns: Rows = []
    power: list[Scalar] = [1, *[0] * (e - 1)]
    for _ in range(d):
        columns.append(power)
        power = [ring.reduce(root * c + (power[i - 1] if i else 0)) for i, c in enumerate(power)]
    return transpose(columns, e)


def _paired(blocks: Sequence[PencilBlock], ring: Field) -> tuple[list[PencilBlock], list[TensorSum]]:
    """Families for pairs of a block L and a transposed one, of one unit less than both have; and the blocks left over."""
    rest = list(blocks)
    sums: list[TensorSum] = []
    wide = [b for b in blocks if b.kind == "L" and b.size]
    tall = [b for b in blocks if b.kind == "LT" and b.size]
    for L, LT in zip(wide, tall, strict=False):
        family = _pair_family(L, LT, ring)
        if family is not None:
            sums.append(family)
            rest = [b for b in rest if b is not L and b is not LT]
    return rest, sums


def _pair_family(L: PencilBlock, LT: PencilBlock, ring: Field) -> TensorSum | None:
    """A pencil (L 0; eps*E L^T) is regular, and those for all eps are the same up to scaling rows and columns.

    The determinant for eps = 1 is, up to sign, the sum of E_lk t^(k+l): E is chosen such that its roots are distinct.
    """
    a, b = L.size, LT.size
    n = a + b + 1
    if ring.characteristic and a + b > ring.characteristic:
        return None
    # The polynomial with roots -0, -1, ..., and with the infinite root.
    g: list[Scalar] = [1]
    for s in range(a + b):
        g = [ring.reduce((g[i - 1] if i else 0) + s * (g[i] if i < len(g) else 0)) for i in range(len(g) + 1)]
    A: Rows = [[0] * n for _ in range(n)]
    B: Rows = [[0] * n for _ in range(n)]
    for i in range(a):
        A[i][i + 1], B[i][i] = 1, ring.reduce(-1)
    for i in range(b):
        A[a + i + 1][a + 1 + i], B[a + i][a + 1 + i] = 1, ring.reduce(-1)
    for k in range(a + b + 1):
        A[a + max(0, k - a)][min(k, a)] = g[k]
    regular = pencil_sum(A, B, ring)
    if regular is None or len(regular) > n:
        return None
    # Rows of the lower part times eps, columns of the right part divided by eps.
    eps, inverse_eps = Laurent.power(1), Laurent.power(-1)
    units = [
        (
            unit[0],
            tuple(x if i < a or not x else eps * x for i, x in enumerate(unit[1])),
            tuple(x if i <= a or not x else inverse_eps * x for i, x in enumerate(unit[2])),
        )
        for unit in regular.units
    ]
    P = [[*p, *q] for p, q in zip(L.P, LT.P, strict=True)]
    Q = [[*p, *q] for p, q in zip(L.Q, LT.Q, strict=True)]
    return with_bases_changed(joined(ring, 0, units), [identity(2), P, Q], ring)
