r"""Sums of products of linear forms from a subspace on which a quadratic form vanishes.

If q vanishes on a subspace that linear forms a_1, ..., a_w cut out, then q = a_1 b_1 + ... + a_w b_w for some linear forms b_i.
The b_i may be changed by an antisymmetric combination of the a_j, and so made small.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq, fmpq_mat, fmpz_mat

from rankproof.exact.congruence import Matrix
from rankproof.exact.lattices import Vector

IntegerProduct = tuple[Fraction, Vector, Vector]
"""c, a, b: the product c * a * b of two linear forms with coprime integer coefficients."""


def products_from_subspace(matrix: Matrix, vectors: Sequence[Vector]) -> list[IntegerProduct]:
    r"""Write a rational quadratic form as a sum of products, one for each codimension of a subspace where it vanishes.

    Parameters
    ----------
    matrix
        Symmetric, shape (n, n).
    vectors
        Independent integer vectors spanning a subspace on which the form vanishes; they may be none.

    Returns
    -------
    list
        At most n - len(vectors) triples (c, a, b) with q = sum of c * a * b.

    Notes
    -----
    Let u_i be vectors with a_i(u_j) = 1 for i = j and 0 otherwise. Then x - sum of a_i(x) u_i lies in the subspace, and
    expanding q there gives q = sum of a_i(x) (2 B(u_i, x) - sum of B(u_i, u_j) a_j(x)).

    Examples
    --------
    >>> products_from_subspace([[1, 0], [0, -4]], [[2, 1]])
    [(Fraction(1, 1), [1, -2], [1, 2])]
    """
    n = len(matrix)
    # The coefficients of the form: the diagonal, and twice what stands beside it.
    coefficients = (x if i == j else 2 * x for i, row in enumerate(matrix) for j, x in enumerate(row))
    denominator = lcm(*(Fraction(x).denominator for x in coefficients))
    # Twice the matrix of an integral multiple of the form: all coefficients and all the b_i are then integers.
    G = fmpz_mat([[int(2 * denominator * x) for x in row] for row in matrix])
    A = _annihilator(vectors, n)
    if not A.nrows():
        return []
    U = _dual_vectors(A)
    second = U * G - _upper_triangle(U * G * U.transpose()) * A
    second = second + _rounded_correction(A, G, second) * A
    first, seconds = _integers(A), _integers(second)
    _shorten(first, seconds)
    return [_normal(a, b, denominator) for a, b in zip(first, seconds, strict=True) if any(b)]


def _integers(matrix: fmpz_mat) -> list[Vector]:
    return [[int(x) for x in row] for row in matrix.tolist()]


def short_basis(vectors: Sequence[Vector]) -> fmpz_mat:
    """Short basis of the integer vectors in the space spanned by some.

    Examples
    --------
    >>> short_basis([[2, 4, 2], [1, 1, 0]])
    [1, 0, -1]
    [0, 1,  1]
    """
    n = len(vectors[0])
    return _annihilator(_integers(_annihilator(vectors, n)), n)


def _annihilator(vectors: Sequence[Vector], n: int) -> fmpz_mat:
    """Short basis of the integral linear forms that vanish on given vectors."""
    system = fmpz_mat([[v[i] for v in vectors] + [int(i == j) for j in range(n)] for i in range(n)])
    rows = [row[len(vectors) :] for row in system.hnf().tolist()[len(vectors) :]]
    return fmpz_mat(rows).lll() if rows else fmpz_mat(0, n)


def short_dual_vectors(A: fmpz_mat) -> fmpz_mat:
    """Short integer vectors u_i with a_i(u_j) = 1 for i = j, else 0, where the rows a_i have a unimodular completion.

    Examples
    --------
    >>> short_dual_vectors(fmpz_mat([[2, 1, 0], [1, 0, 3]]))
    [0,  1, 0]
    [1, -2, 0]
    """
    U = _dual_vectors(A)
    kernel = _annihilator(_integers(A), A.ncols())
    if not kernel.nrows():
        return U
    N = fmpq_mat(kernel)
    excess = fmpq_mat(U) * N.transpose() * (N * N.transpose()).inv()
    return U - fmpz_mat([[round(x) for x in row] for row in excess.tolist()]) * kernel


def _dual_vectors(A: fmpz_mat) -> fmpz_mat:
    w, n = A.nrows(), A.ncols()
    system = fmpz_mat([[A[k, i] for k in range(w)] + [int(i == j) for j in range(n)] for i in range(n)])
    return fmpz_mat([row[w:] for row in system.hnf().tolist()[:w]])


def _upper_triangle(values: fmpz_mat) -> fmpz_mat:
    """T with a^T T a = sum of B(u_i, u_j) a_i a_j, from twice the values of B."""
    w = values.nrows()
    entries = [
        [values[i, j] if j > i else values[i, i] // 2 if i == j else 0 for j in range(w)] for i in range(w)
    ]
    return fmpz_mat(entries)


def _rounded_correction(A: fmpz_mat, G: fmpz_mat, second: fmpz_mat) -> fmpz_mat:
    """Antisymmetric integer K such that second + K A is short.

    With the rational vectors u_i of least length, the symmetric formula gives short second factors with fractions; K takes the
    present ones there, up to rounding.
    """
    first = fmpq_mat(A)
    pseudo_inverse = (first * first.transpose()).inv()
    U = pseudo_inverse * first
    UG = U * fmpq_mat(G)
    ideal = UG - UG * U.transpose() * first * fmpq(1, 2)
    K = ((ideal - fmpq_mat(second)) * first.transpose() * pseudo_inverse).tolist()
    w = len(K)
    return fmpz_mat(
        [[round(K[i][j]) if i < j else -round(K[j][i]) if i > j else 0 for j in range(w)] for i in range(w)]
    )


def _shorten(first: list[Vector], second: list[Vector]) -> None:
    """Shorten the second factors further, two at a time, in place."""
    norms = [_dot(a, a) for a in first]
    changed = True
    while changed:
        changed = False
        for i in range(len(first)):
            for j in range(i):
                excess = _dot(second[j], first[i]) - _dot(second[i], first[j])
                k = round(Fraction(excess, norms[i] + norms[j]))
                if k:
                    second[i] = [x + k * y for x, y in zip(second[i], first[j], strict=True)]
                    second[j] = [x - k * y for x, y in zip(second[j], first[i], strict=True)]
                    changed = True


def _dot(x: Vector, y: Vector) -> int:
    return sum(a * b for a, b in zip(x, y, strict=True))


def _normal(a: Vector, b: Vector, denominator: int) -> IntegerProduct:
    (s, a), (t, b) = _primitive_form(a), _primitive_form(b)
    return Fraction(s * t, denominator), a, b


def _primitive_form(l: Vector) -> tuple[int, Vector]:
    content = gcd(*l)
    if next(x for x in l if x) < 0:
        content = -content
    return content, [x // content for x in l]
