"""Matrix multiplication schemes of the literature, written out.

References
----------
.. [1] Strassen, *Gaussian elimination is not optimal*, Numerische Mathematik 13 (1969).
.. [2] Winograd, *On multiplication of 2 x 2 matrices*, Linear Algebra and its Applications 4 (1971); 15 additions.
.. [3] Laderman, *A noncommutative algorithm for multiplying 3 x 3 matrices using 23 multiplications*, Bulletin of the
   American Mathematical Society 82 (1976).
.. [4] Bini, Capovani, Lotti, Romani, *O(n^2.7799) complexity for n x n approximate matrix multiplication*, Information
   Processing Letters 8 (1979).
.. [5] Schönhage, *Partial and total matrix multiplication*, SIAM Journal on Computing 10 (1981).
"""

from __future__ import annotations

from functools import cache

from rankproof.bounds.schemes.text import Shape, read_scheme
from rankproof.errors import UsageError
from rankproof.exact.tensor_sums import TensorSum, added, placed
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit
from rankproof.problem.field import QQ
from rankproof.problem.laurent import Laurent

_STRASSEN = """
a11+a22 b11+b22 c11+c22
a21+a22 b11 c21-c22
a11 b12-b22 c12+c22
a22 b21-b11 c11+c21
a11+a12 b22 c12-c11
a21-a11 b11+b12 c22
a12-a22 b21+b22 c11
"""

_WINOGRAD = """
a11 b11 c11+c12+c21+c22
a12 b21 c11
a11+a12-a21-a22 b22 c12
a22 b11-b12-b21+b22 -c21
a21+a22 b12-b11 c12+c22
a21+a22-a11 b11-b12+b22 c12+c21+c22
a11-a21 b22-b12 c21+c22
"""

_LADERMAN = """
a11+a12+a13-a21-a22-a32-a33 b22 c12
a11-a21 b22-b12 c21+c22
a22 b12-b11+b21-b22-b23-b31+b33 c21
a21+a22-a11 b11-b12+b22 c12+c21+c22
a21+a22 b12-b11 c12+c22
a11 b11 c11+c12+c13+c21+c22+c31+c33
a31+a32-a11 b11-b13+b23 c13+c31+c33
a31-a11 b13-b23 c31+c33
a31+a32 b13-b11 c13+c33
a11+a12+a13-a22-a23-a31-a32 b23 c13
a32 b13-b11+b21-b22-b23-b31+b32 c31
a32+a33-a13 b22+b31-b32 c12+c31+c32
a13-a33 b22-b32 c31+c32
a13 b31 c11+c12+c13+c21+c23+c31+c32
a32+a33 b32-b31 c12+c32
a22+a23-a13 b23+b31-b33 c13+c21+c23
a13-a23 b23-b33 c21+c23
a22+a23 b33-b31 c13+c23
a12 b21 c11
a23 b32 c22
a21 b13 c23
a31 b12 c32
a33 b33 c33
"""


@cache
def strassen() -> Decomposition:
    """Strassen's 7 products for 2 x 2 matrices [1]_."""
    return read_scheme(_STRASSEN, (2, 2, 2))


@cache
def winograd() -> Decomposition:
    """Winograd's 7 products for 2 x 2 matrices, which need the fewest additions [2]_."""
    return read_scheme(_WINOGRAD, (2, 2, 2))


@cache
def laderman() -> Decomposition:
    """Laderman's 23 products for 3 x 3 matrices [3]_."""
    return read_scheme(_LADERMAN, (3, 3, 3))


@cache
def bini() -> TensorSum:
    r"""The border family of Bini, Capovani, Lotti and Romani [4]_: 10 products for a 3 x 2 and a 2 x 2 matrix.

    Five products are enough for a 2 x 2 matrix with one entry zero; a 3 x 2 matrix is two such with one row in common,
    the second one turned by half a turn.
    """
    eps = Laurent.power(1)
    # Entries of A = (a11 a12; a21 0), of B, and of C = A B, row by row, with c21, c22 in the second row.
    partial = (
        ((eps, 1, 0, 0), (0, 1, 0, eps), (0, 1, 0, 0)),
        ((eps, 0, 1, 0), (1, 0, 0, 0), (1, 0, eps, 0)),
        ((0, 1, 0, 0), (0, 1, 0, 0), (-1, -1, 0, -eps)),
        ((0, 0, 1, 0), (1, 1, eps, 0), (-1, 0, 0, 0)),
        ((0, 1, 1, 0), (0, 1, eps, 0), (1, 0, 0, eps)),
    )
    half = BorderFamily("product", QQ, 1, partial)
    upper = placed(half, [(0, 1, 2, 3), range(4), (0, 1, 2, 3)], (6, 4, 6))
    # Row 1 becomes row 3, and the two columns of A, which are the rows of B, change places.
    lower = placed(half, [(5, 4, 3, 2), (2, 3, 0, 1), (4, 5, 2, 3)], (6, 4, 6))
    return added(upper, lower)


def schonhage(k: int, n: int) -> TensorSum:
    r"""The border family of Schönhage [5]_: kn + 1 products for two bilinear maps at once that need kn + (k-1)(n-1) apart.

    The maps are the product of a column of k and a row of n numbers, and an inner product of (k-1)(n-1) pairs; the factors of
    the tensor are direct sums, the first map first.

    Notes
    -----
    With sum of u_ij over i and sum of v_ij over j zero,

    .. math:: \sum_{i,j} (a_i + \varepsilon u_{ij})(b_j + \varepsilon v_{ij})(\varepsilon^2 c_{ij} + w)
              - \sum_i a_i \sum_j b_j\, w = \varepsilon^2 \Bigl(\sum_{i,j} a_i b_j c_{ij} + \sum_{i,j} u_{ij} v_{ij} w\Bigr)
              + O(\varepsilon^3).

    Here u_ij is zero for the last j, and v_ij for the last i.

    Raises
    ------
    UsageError
        If k or n is less than 1.
    """
    if k < 1 or n < 1:
        raise UsageError(
            f"schonhage takes a column and a row of at least one number each, not of {k} and {n}"
        )
    eps, square, pairs = Laurent.power(1), Laurent.power(2), (k - 1) * (n - 1)

    def first(i: int, j: int) -> dict[int, Laurent]:
        """eps u_ij, by place."""
        if j == n - 1:
            return {}
        return {k + i * (n - 1) + j: eps} if i < k - 1 else {k + r * (n - 1) + j: -eps for r in range(k - 1)}

    def second(i: int, j: int) -> dict[int, Laurent]:
        """eps v_ij, by place."""
        if i == k - 1:
            return {}
        return {n + i * (n - 1) + j: eps} if j < n - 1 else {n + i * (n - 1) + s: -eps for s in range(n - 1)}

    units: list[FamilyUnit] = []
    for i in range(k):
        for j in range(n):
            vectors = ({i: 1, **first(i, j)}, {j: 1, **second(i, j)}, {i * n + j: square, k * n: 1})
            sizes = (k + pairs, n + pairs, k * n + 1)
            units.append(
                tuple(
                    tuple(v.get(at, 0) for at in range(size)) for v, size in zip(vectors, sizes, strict=True)
                )
            )
    ones = ((1,) * k + (0,) * pairs, (1,) * n + (0,) * pairs, (0,) * (k * n) + (-1,))
    return BorderFamily("product", QQ, 2, (*units, ones))


SHAPES: dict[str, Shape] = {
    "strassen": (2, 2, 2),
    "winograd": (2, 2, 2),
    "laderman": (3, 3, 3),
    "bini": (3, 2, 2),
}
