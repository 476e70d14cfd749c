r"""Quadratic forms over prime fields: isotropic vectors, and the fewest products that add up to a form.

The least number of products is n minus the largest dimension of a totally singular subspace, over any field: see
`rankproof.exact.quadrics`. Over a finite field it is known in closed form, and the construction here attains it.

References
----------
.. [1] J.-P. Serre, *A Course in Arithmetic*, Springer GTM 7 (1973), Ch. IV, section 1.7.
.. [2] L. E. Dickson, *Linear Groups with an Exposition of the Galois Field Theory*, Teubner (1901), section 199
   (characteristic 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import fmpz

from rankproof.exact.congruence import lagrange
from rankproof.exact.hilbert import legendre

Row = list[int]
Product = tuple[int, Row, Row]
"""c, a, b: the product c * a * b of two linear forms."""


def diagonalise_mod(matrix: Sequence[Sequence[int]], p: int) -> tuple[Row, list[Row]]:
    """Write a quadratic form over GF(p), p odd, as a weighted sum of squares of independent linear forms.

    Parameters
    ----------
    matrix
        Symmetric, shape (n, n), integers.
    p
        An odd prime.

    Returns
    -------
    tuple
        Weights d_1..d_r in 1..p-1 and linear forms l_1..l_r with q = sum of d_i l_i^2 modulo p, where r is the rank.

    Examples
    --------
    >>> diagonalise_mod([[0, 1], [1, 0]], 3)
    ([2, 1], [[2, 2], [1, 2]])
    """
    if p == 2:
        raise ValueError("over GF(2) a quadratic form is not a sum of squares; use products_mod")
    reduced = [[x % p for x in row] for row in matrix]
    return lagrange(reduced, lambda x: x % p, lambda x: pow(x, -1, p), lambda _, i: i)


def isotropic_vector_mod(matrix: Sequence[Sequence[int]], p: int) -> Row | None:
    """A non-zero vector on which a quadratic form over GF(p), p odd, vanishes; None when there is none.

    The form may be degenerate. It fails to have one only if it is anisotropic, of dimension 2 at most.

    Examples
    --------
    >>> isotropic_vector_mod([[1, 0], [0, 1]], 3), isotropic_vector_mod([[1, 0], [0, 1]], 5)
    (None, [2, 1])
    """
    n = len(matrix)
    weights, forms = diagonalise_mod(matrix, p)
    if len(weights) < n:
        return kernel_mod(forms, n, p)[0]
    values = _diagonal_isotropic_mod(weights[:3], p)
    return None if values is None else _solve_mod(forms, values + [0] * (n - len(values)), p)


def _diagonal_isotropic_mod(weights: Sequence[int], p: int) -> Row | None:
    """Non-zero solution of the diagonal equation in at most three variables, the last coordinate being 1."""
    if len(weights) < 2:
        return None
    a, b = weights[:2]
    if len(weights) == 2:
        root = sqrt_mod(-b * pow(a, -1, p), p)
        return None if root is None else [root, 1]
    inverse = pow(b, -1, p)
    # Of all x about half will do, so the first is small; the pigeonhole principle says that one exists.
    for x in range(p):
        y = sqrt_mod(-(weights[2] + a * x * x) * inverse, p)
        if y is not None:
            return [x, y, 1]
    return None


def sqrt_mod(u: int, p: int) -> int | None:
    """A square root of u modulo an odd prime, or None."""
    u %= p
    if not u:
        return 0
    return int(fmpz(u).sqrtmod(fmpz(p))) if legendre(u, p) == 1 else None


def products_mod(coefficients: Mapping[tuple[int, int], int | Fraction], n: int, p: int) -> list[Product]:
    r"""Write a quadratic form over GF(p) as a sum of as few products of two linear forms as possible.

    Parameters
    ----------
    coefficients
        Coefficient of x_i x_j at (i, j), i <= j. Denominators must be prime to p.
    n
        Number of variables.
    p
        A prime, 2 allowed.

    Returns
    -------
    list
        Triples (c, a, b) with q = sum of c * a * b modulo p.

    Notes
    -----
    The number of products is, for odd p and rank r, (r + 1)/2 when r is odd, and for even r it is r/2 when (-1)^(r/2)
    times the determinant is a square, else r/2 + 1. For p = 2, with 2m the rank of the polar form, it is m + 1 when q does
    not vanish on the radical of the polar form, and otherwise m or m + 1 as the Arf invariant is 0 or 1.

    Examples
    --------
    >>> products_mod({(0, 0): 1, (0, 1): 1, (1, 1): 1, (0, 2): 1}, 3, 2)
    [(1, [0, 1, 1], [1, 0, 0]), (1, [1, 1, 0], [1, 1, 0])]
    """
    reduced = {ij: _residue(c, p) for ij, c in coefficients.items()}
    return _products_mod_2(reduced, n) if p == 2 else _products_mod_odd(reduced, n, p)


def _residue(c: int | Fraction, p: int) -> int:
    if c.denominator % p == 0:
        raise ValueError(
            f"{c} has no value modulo {p} because {p} divides its denominator; use another prime"
        )
    return c.numerator * pow(c.denominator, -1, p) % p


def _products_mod_odd(coefficients: Mapping[tuple[int, int], int], n: int, p: int) -> list[Product]:
    half = pow(2, -1, p)
    matrix = [[0] * n for _ in range(n)]
    for (i, j), c in coefficients.items():
        matrix[i][j] = matrix[j][i] = c if i == j else c * half % p
    weights, forms = diagonalise_mod(matrix, p)
    products: list[Product] = []
    while len(weights) >= 3:
        plane, d, l = _split_ternary(weights[-3:], forms[-3:], p)
        products.append(plane)
        weights[-3:], forms[-3:] = [d], [l]
    if len(weights) == 2:
        (a, b), (l, m) = weights, forms
        root = sqrt_mod(-b * pow(a, -1, p), p)
        if root is not None:
            plus = [(x + root * y) % p for x, y in zip(l, m, strict=True)]
            minus = [(x - root * y) % p for x, y in zip(l, m, strict=True)]
            return products + [(a, plus, minus)]
    return products + [(d, l, l) for d, l in zip(weights, forms, strict=True)]


def _split_ternary(weights: Row, forms: list[Row], p: int) -> tuple[Product, int, Row]:
    """Write a l^2 + b m^2 + c n^2 as one product and one square."""
    a, b, c = weights
    v = _diagonal_isotropic_mod(weights, p)
    if v is None:
        raise ArithmeticError(f"{p} is not a prime")
    x, y, _ = v
    # With v = (x, y, 1) isotropic: B(v, .) times twice the third coordinate, less its square over c, leaves a square
    # that vanishes on v and on the third axis, hence a multiple of (y l - x m)^2.
    l, m, n = forms
    alpha = [(a * x * s + b * y * t + c * u) % p for s, t, u in zip(l, m, n, strict=True)]
    inverse = pow(c, -1, p)
    beta = [(2 * u - inverse * k) % p for u, k in zip(n, alpha, strict=True)]
    rest = [(y * s - x * t) % p for s, t in zip(l, m, strict=True)]
    # a x^2 + b y^2 = -c gives the weight: compare the coefficients of l m.
    return (1, alpha, beta), -a * b * inverse % p, rest


def _products_mod_2(coefficients: Mapping[tuple[int, int], int], n: int) -> list[Product]:
    polar = [0] * n
    square = 0
    for (i, j), c in coefficients.items():
        if c and i == j:
            square ^= 1 << i
        elif c:
            polar[i] ^= 1 << j
            polar[j] ^= 1 << i
    pairs, leftover = _symplectic_pairs(polar, square)
    radical_square, blocks = _absorb_square(pairs, leftover)
    if radical_square:
        # The square of a form outside the span absorbs nothing and every block is one product without it.
        products = [(alpha, beta) for alpha, beta in pairs] + [(leftover, leftover)]
    else:
        products = _join_blocks(blocks)
    return [(1, _bits(a, n), _bits(b, n)) for a, b in products]


def _symplectic_pairs(polar: Row, square: int) -> tuple[list[tuple[int, int]], int]:
    """Forms with q = sum of alpha_i beta_i + s^2, as bit sets; the alpha_i, beta_i are independent."""
    polar = list(polar)
    pairs: list[tuple[int, int]] = []
    for i in range(len(polar)):
        if not polar[i]:
            continue
        j = (polar[i] & -polar[i]).bit_length() - 1
        alpha, beta = polar[i], polar[j]
        pairs.append((alpha, beta))
        # alpha * beta has the squares of the common variables besides the mixed terms; squares add up.
        square ^= alpha & beta
        for k in range(len(polar)):
            in_alpha, in_beta = alpha >> k & 1, beta >> k & 1
            polar[k] ^= (beta if in_alpha else 0) ^ (alpha if in_beta else 0)
    return pairs, square


Block = tuple[int, int, bool]
"""alpha, beta, and whether the block is alpha^2 + alpha beta + beta^2 instead of alpha beta."""


def _absorb_square(pairs: list[tuple[int, int]], square: int) -> tuple[bool, list[Block]]:
    """Distribute s^2 over the blocks; True first when s is not in the span of the pairs."""
    reduced: list[tuple[int, int]] = []
    coordinates: dict[int, int] = {}
    for k, form in enumerate(form for pair in pairs for form in pair):
        form, combination = _reduce(form, 1 << k, reduced, coordinates)
        reduced.append((form & -form, form))
        coordinates[form] = combination
    rest, combination = _reduce(square, 0, reduced, coordinates)
    blocks: list[Block] = []
    for k, (alpha, beta) in enumerate(pairs):
        with_alpha, with_beta = combination >> 2 * k & 1, combination >> (2 * k + 1) & 1
        if with_alpha and with_beta:
            blocks.append((alpha, beta, True))
        else:
            blocks.append((alpha ^ (beta if with_beta else 0), beta ^ (alpha if with_alpha else 0), False))
    return rest != 0, blocks


def _reduce(
    form: int, combination: int, reduced: list[tuple[int, int]], coordinates: dict[int, int]
) -> tuple[int, int]:
    for lead, other in reduced:
        if form & lead:
            form ^= other
            combination ^= coordinates[other]
    return form, combination


def _join_blocks(blocks: list[Block]) -> list[tuple[int, int]]:
    """Products of the blocks; two anisotropic blocks make two products, a single one makes two as well."""
    products = [(alpha, beta) for alpha, beta, anisotropic in blocks if not anisotropic]
    odd = [(alpha, beta) for alpha, beta, anisotropic in blocks if anisotropic]
    while len(odd) >= 2:
        (a, b), (c, d) = odd.pop(), odd.pop()
        products += [(a ^ c, a ^ c ^ b), (b ^ d, b ^ d ^ c)]
    for a, b in odd:
        products += [(a, a ^ b), (b, b)]
    return products


def _bits(form: int, n: int) -> Row:
    return [form >> i & 1 for i in range(n)]


def kernel_mod(rows: Sequence[Sequence[int]], n: int, p: int) -> list[Row]:
    """Basis of the vectors of length n that all rows kill modulo p; each has a coordinate 1 where the others have 0."""
    echelon = _echelon_mod(rows, p)
    pivots = {next(j for j, x in enumerate(row) if x): row for row in echelon}
    basis: list[Row] = []
    for free in range(n):
        if free not in pivots:
            v = [0] * n
            v[free] = 1
            for j, row in pivots.items():
                v[j] = -row[free] % p
            basis.append(v)
    return basis


def _solve_mod(rows: Sequence[Sequence[int]], values: Sequence[int], p: int) -> Row:
    """Solution of a square non-singular system modulo p."""
    echelon = _echelon_mod([[*row, value] for row, value in zip(rows, values, strict=True)], p)
    return [row[-1] for row in echelon]


def _echelon_mod(rows: Sequence[Sequence[int]], p: int) -> list[Row]:
    """Reduced row echelon form modulo p, without zero rows, pivots from left to right."""
    pending = [[x % p for x in row] for row in rows]
    echelon: list[Row] = []
    width = len(pending[0]) if pending else 0
    for j in range(width):
        k = next((k for k, row in enumerate(pending) if row[j]), None)
        if k is None:
            continue
        row = pending.pop(k)
        inverse = pow(row[j], -1, p)
        row = [x * inverse % p for x in row]
        for others in (pending, echelon):
            for k, other in enumerate(others):
                if other[j]:
                    factor = other[j]
                    others[k] = [(x - factor * y) % p for x, y in zip(other, row, strict=True)]
        echelon.append(row)
    return echelon
