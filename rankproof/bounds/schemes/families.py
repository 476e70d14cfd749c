"""Border families and schemes of single well-known tensors, written out.

References
----------
.. [1] Howell, Lafon, *The complexity of the quaternion product*, Cornell University TR 75-245 (1975).
.. [2] Coppersmith, Winograd, *Matrix multiplication via arithmetic progressions*, Journal of Symbolic Computation 9 (1990).
.. [3] Conner, Gesmundo, Landsberg, Ventura, *Rank and border rank of Kronecker powers of tensors and Strassen's laser
   method*, computational complexity 31 (2022).
.. [4] Chen, Friedland, *The tensor rank of tensor product of two three-qubit W states is eight*, Linear Algebra and its
   Applications 543 (2018).
.. [5] Houston, Goucher, Johnston, *A new formula for the determinant and bounds on its tensor and Waring ranks*, Combinatorics,
   Probability and Computing 33 (2024).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, isqrt, prod

from rankproof.bounds.schemes.classical import strassen
from rankproof.exact.linear_systems import solve
from rankproof.exact.tensor_sums import TensorSum, joined, over, with_bases_changed
from rankproof.problem.decomposition import Decomposition, ExactUnit, FamilyUnit
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent

Vector = Sequence[Scalar | Laurent]


def quaternion_scheme(ring: Field) -> TensorSum | None:
    """Products for two quaternions: 8 over every field of characteristic other than 2, 7 where -1 is a sum of two squares.

    Notes
    -----
    With the group algebra of Z/2 x Z/2, whose products take 4 multiplications, in place of the quaternions, one term in each
    coordinate of the product has the wrong sign, and in the first one all but one have [1]_. Where a^2 + b^2 = -1 the
    quaternions are the 2 x 2 matrices.
    """
    if ring.characteristic == 2:
        return None
    squares = _minus_one_as_squares(ring)
    if squares is not None:
        return _quaternions_as_matrices(*squares, ring)
    units: list[ExactUnit] = []
    for chi in product((1, -1), repeat=2):
        signs = tuple((chi[0] if i & 1 else 1) * (chi[1] if i & 2 else 1) for i in range(4))
        quarter = Fraction(1, 4)
        units.append((signs, signs, tuple(quarter * s * (1 if i else -1) for i, s in enumerate(signs))))
    for i, j, k, c in ((0, 0, 0, 2), (3, 2, 1, -2), (1, 3, 2, -2), (2, 1, 3, -2)):
        units.append((_e(i, 4), _e(j, 4), tuple(c * x for x in _e(k, 4))))
    return Decomposition.of("product", units, ring)


def _minus_one_as_squares(ring: Field) -> tuple[Scalar, Scalar] | None:
    p = ring.characteristic
    if p:
        squares = {a * a % p: a for a in range(min(p, 1_000))}
        return next(((a, squares[b]) for s, a in squares.items() if (b := (-1 - s) % p) in squares), None)
    if ring.number_field is not None and ring.number_field.minimal_polynomial == (1, 0, 1):
        return ring.number_field.generator(), 0
    return None


def _quaternions_as_matrices(a: Scalar, b: Scalar, ring: Field) -> TensorSum:
    # 1, i, j, k as 2 x 2 matrices, row by row; a^2 + b^2 = -1.
    images: list[list[Scalar]] = [[1, 0, 0, 1], [a, b, b, -a], [0, 1, -1, 0], [-b, a, a, b]]
    images = [[ring.reduce(x) for x in image] for image in images]
    columns = [{r: x for r, x in enumerate(image) if x} for image in images]
    inverse = solve(columns, [{k: 1} for k in range(4)], ring)
    if inverse is None:
        raise ArithmeticError("the images of 1, i, j, k are independent")
    back = [[line[k] for line in inverse] for k in range(4)]
    # A form on matrices is pulled back to quaternions by the images; a matrix is brought back by their inverse.
    return with_bases_changed(over(strassen(), ring), [images, images, back], ring)


def cw_scheme(q: int, big: bool, ring: Field) -> TensorSum | None:
    r"""Products for the Coppersmith-Winograd tensors in odd characteristic: 2q + 1 for the small one, 2q + 3 for the big one.

    Notes
    -----
    Half of (e_0 + e_j)^3 + (e_0 - e_j)^3 is e_0^3 and the three permutations of e_0 e_j e_j. What is left is -q e_0^3, and for
    the big tensor the W tensor of e_0 and e_(q+1) besides, which takes three products together.
    """
    if ring.characteristic == 2:
        return None
    if not big and (found := small_cw_scheme(q, ring)) is not None:
        return found
    n = q + 2 if big else q + 1
    half = ring.inverse(2)
    units: list[ExactUnit] = []
    for j in range(1, q + 1):
        for sign in (1, -1):
            form = [int(k == 0) + sign * int(k == j) for k in range(n)]
            units.append((tuple(form), tuple(form), tuple(half * x for x in form)))
    e = _e(0, n)
    if not big:
        units.append((e, e, tuple(-q * x for x in e)))
    else:
        # e_0 e_0 f + e_0 f e_0 + f e_0 e_0 with f = e_(q+1), and -q e_0^3 joined to the first of them.
        f = _e(q + 1, n)
        units += [(e, e, tuple(y - q * x for x, y in zip(e, f, strict=True))), (e, f, e), (f, e, e)]
    # A multiple -q e_0 may vanish.
    return over(Decomposition.of("product", units, ring), ring)


def small_cw_scheme(q: int, ring: Field) -> TensorSum | None:
    """2q products for the small Coppersmith-Winograd tensor over QQ(i), for q at least 2.

    Notes
    -----
    With b_1^2 + ... + b_q^2 = 0 the sum over j of b_j^2 (e_0 + e_j / b_j)^3 + b_j^2 (e_0 - e_j / b_j)^3 is twice the tensor:
    the terms e_0^3 cancel.
    """
    if q < 2 or ring.number_field is None or ring.number_field.minimal_polynomial != (1, 0, 1):
        return None
    i = ring.number_field.generator()
    weights: list[Scalar] = [1, i] * (q // 2) if q % 2 == 0 else [3, 4, 5 * i, *[1, i] * ((q - 3) // 2)]
    units: list[ExactUnit] = []
    for j, b in enumerate(weights, start=1):
        for sign in (1, -1):
            form: list[Scalar] = [0] * (q + 1)
            form[0], form[j] = 1, sign * ring.inverse(b)
            units.append((tuple(form), tuple(form), tuple(b * b * Fraction(1, 2) * x for x in form)))
    return Decomposition.of("product", units, ring)


def w_family(k: int, ring: Field) -> TensorSum:
    """The two units of the border family of the W tensor: ((e_0 + eps e_1)^k - e_0^k) / eps."""
    eps = Laurent.power(1)
    units: list[FamilyUnit] = [((1, eps),) * k, (((1, 0),) * (k - 1)) + ((-1, 0),)]  # type: ignore[list-item]
    return over(joined(QQ, 1, units), ring)


def determinant_scheme(n: int, ring: Field) -> TensorSum:
    r"""Products of one form a row for the determinant as a tensor in its rows: as many as there are partitions of n things [5]_.

    Notes
    -----
    The sum is over sets of k disjoint blocks of at least two of the n indices. Row i has the form of all other x_ij with j in its
    block, or, when i is in no block, x_ii and all x_ij with j in some block; the factor is k! times (-1)^{|S| + 1} for every
    block S. In characteristic 2 only the 2^n - n sets of at most one block are left.
    """
    units: list[ExactUnit] = []
    for blocks in _disjoint_blocks(n):
        factor = ring.reduce(factorial(len(blocks)) * prod((-1) ** (len(block) + 1) for block in blocks))
        covered = {i for block in blocks for i in block}
        forms: list[tuple[Scalar, ...]] = []
        for i in range(n):
            own = next((set(block) - {i} for block in blocks if i in block), covered | {i})
            forms.append(tuple(int(j in own) for j in range(n)))
        if factor:
            units.append((*forms[:-1], tuple(ring.reduce(factor * x) for x in forms[-1])))
    return Decomposition("product", ring, tuple(units))


def _disjoint_blocks(n: int) -> Iterator[list[list[int]]]:
    """Sets of disjoint blocks of at least two of n indices, which are the partitions without their singletons."""

    def extend(i: int, blocks: list[list[int]]) -> Iterator[list[list[int]]]:
        if i == n:
            yield [block for block in blocks if len(block) > 1]
            return
        for k in range(len(blocks)):
            yield from extend(i + 1, [*blocks[:k], [*blocks[k], i], *blocks[k + 1 :]])
        yield from extend(i + 1, [*blocks, [i]])

    return extend(0, [])


def w_squared_scheme(ring: Field) -> TensorSum | None:
    r"""Eight products for the outer product of two W tensors, where twice the length of W are nine [4]_.

    Notes
    -----
    W is x^2 y, a sum of c_i l_i^3 with l = x + y, x - y, y. The cubes of x + y, x - y, x + a y, x - a y and y are dependent,
    with coefficients d_i. So x^2 y (x) u^2 v is also the sum of the l_i^3 (x) (c_i u^2 v + d_i v^3), where the two new
    powers have c_i = 0. The other three cubics are c_i v (u^2 + (d_i / c_i) v^2), and have two units each when 3 d_i / c_i is
    a square: for a = 3/5.
    """
    if ring.characteristic and ring.characteristic <= 5:
        return None
    a = Fraction(3, 5)
    # Divided differences: the sum of f(s) / prod (s - t) over four points is the coefficient of s^3.
    points = [Fraction(1), Fraction(-1), a, -a]
    d = [1 / prod((s - t for t in points if t != s), start=Fraction(1)) for s in points]
    rows: list[tuple[list[Fraction], Fraction, Fraction]] = [
        ([Fraction(1), s], c, e)
        for s, c, e in zip(
            points, (Fraction(1, 6), Fraction(-1, 6), Fraction(0), Fraction(0)), d, strict=True
        )
    ]
    rows.append(([Fraction(0), Fraction(1)], Fraction(-1, 3), Fraction(-1)))
    units: list[ExactUnit] = []
    for form, c, e in rows:
        if not c:
            units.append(_cubes(form, [Fraction(0), Fraction(1)], e))
            continue
        # 6 q u^2 v + 2 q^3 v^3 = (u + q v)^3 - (u - q v)^3, with q^2 / 3 = e / c.
        square = 3 * e / c
        q = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        units += [_cubes(form, [Fraction(1), s * q], s * c / (6 * q)) for s in (1, -1)]
    return over(Decomposition.of("product", units), ring)


def _cubes(form: Sequence[Fraction], other: Sequence[Fraction], factor: Fraction) -> ExactUnit:
    """factor l^3 (x) m^3, where the tensor W is 3 times that of the form x^2 y."""
    return (tuple(form),) * 3 + (tuple(other),) * 2 + (tuple(9 * factor * x for x in other),)


def cw_family(q: int, big: bool, ring: Field) -> TensorSum:
    """q + 2 units for the small and the big Coppersmith-Winograd tensor [2]_."""
    n = q + 2 if big else q + 1
    pairs = [(_e(j, n), _e(j, n), _e(j, n), 1) for j in range(1, q + 1)]
    return _around_a_point(n, pairs, _e(q + 1, n) if big else None, ring)


def skew_cw_family(q: int, ring: Field) -> TensorSum:
    r"""3q/2 + 2 units for the skew Coppersmith-Winograd tensor [3]_, for even q.

    Notes
    -----
    The second derivatives of units w (e_0 + eps a)(e_0 + eps b)(e_0 + eps c) at eps = 0 add up to the tensor when the
    matrices of all a, b and c, with weights, satisfy A B^T = J, A C^T = B C^T = 1. For a pair of coordinates with
    J = (0 1; -1 0) three units are enough: A A^T = (0 1; 1 0), and B = A + u k^T with k orthogonal to all c.
    """
    n = q + 1
    pairs: list[tuple[Vector, Vector, Vector, Scalar]] = []
    for j in range(1, q // 2 + 1):
        x, y = _e(j, n), _e(j + q // 2, n)
        # Rows a_1, a_2, k have the Gram matrix (0 1 0; 1 0 1; 0 1 1) for the weights 1, 1, -1; c is dual to a and
        # orthogonal to k.
        for a1, a2, k, c1, c2, w in _SKEW_PAIR:
            a = [a1 * s + a2 * t for s, t in zip(x, y, strict=True)]
            b = [(a1 - 2 * k) * s + a2 * t for s, t in zip(x, y, strict=True)]
            c = [c1 * s + c2 * t for s, t in zip(x, y, strict=True)]
            pairs.append((a, b, c, w))
    return _around_a_point(n, pairs, None, ring)


_SKEW_PAIR = ((-1, 0, 0, -1, -1, 1), (0, -1, -1, 0, 0, 1), (-1, 1, 0, 0, -1, -1))
"""Coordinates of a, k and c, and the weight, of the three units for a pair of coordinates."""


def _around_a_point(
    n: int,
    terms: Sequence[tuple[Vector, Vector, Vector, Scalar]],
    corner: Vector | None,
    ring: Field,
) -> TensorSum:
    """Units for the second derivatives of w (e_0 + eps a)(e_0 + eps b)(e_0 + eps c), summed, and a corner e_0 e_0 c + ...

    The first derivatives are cancelled by (e_0 + eps^2 A)(e_0 + eps^2 B)(e_0 + eps^2 C) / eps, and the values by a multiple of
    e_0^3, whose first derivative is the corner.
    """
    eps = Laurent.power(1)
    units: list[FamilyUnit] = []
    sums: list[list[Scalar]] = [[0] * n for _ in range(3)]
    weight: Scalar = 0
    for a, b, c, w in terms:
        vectors: list[tuple[Scalar | Laurent, ...]] = []
        for s, v in enumerate((a, b, c)):
            sums[s] = [t + w * x for t, x in zip(sums[s], v, strict=True)]  # type: ignore[operator]
            vectors.append(tuple(x * eps if x else int(i == 0) for i, x in enumerate(v)))
        units.append((vectors[0], vectors[1], tuple(w * x for x in vectors[2])))
        weight += w
    square, inverse = Laurent.power(2), Laurent.power(-1, -1)
    corrected = [tuple(x * square if x else int(i == 0) for i, x in enumerate(v)) for v in sums]
    units.append((corrected[0], corrected[1], tuple(inverse * x for x in corrected[2])))
    base = [Laurent.power(3) * x if x else int(i == 0) for i, x in enumerate(corner or [0] * n)]
    units.append((tuple(base), tuple(base), tuple((Laurent.power(-1) - weight) * x for x in base)))
    return over(joined(QQ, 2, units), ring)


def _e(i: int, n: int) -> tuple[int, ...]:
    return tuple(int(k == i) for k in range(n))
