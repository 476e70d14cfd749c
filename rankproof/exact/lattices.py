r"""Integral lattices in a rational quadratic space: making the determinant small, then the entries, then dividing out a line.

A lattice is a basis of rational vectors on which a multiple of the form is integral. Enlarging it at the primes that divide
the determinant and reducing its basis keeps all numbers as small as the form allows, and no other prime ever enters.

References
----------
.. [1] D. Simon, "Solving quadratic equations using reduced unimodular quadratic forms", Math. Comp. 74 (2005), 1531-1543.
.. [2] G. L. Watson, "Transformations of a quadratic form which do not increase the class-number", Proc. London Math. Soc.
   12 (1962), 577-587.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq, fmpq_mat, fmpz_mat

from rankproof.exact.congruence import rational_lagrange
from rankproof.exact.finite_quadrics import isotropic_vector_mod, kernel_mod

Vector = list[int]


@dataclass(frozen=True)
class Lattice:
    r"""A lattice with its Gram matrix, in a space or in a quotient of one of its subspaces.

    Attributes
    ----------
    gram
        Integral symmetric matrix Q, shape (n, n).
    majorant
        A positive definite matrix P with \|x^T Q x\| <= x^T P x and P Q^-1 P = Q, up to rounding and a common factor. It
        says which vectors count as short, and is handed on so that vectors short in one lattice are short in the next.
    basis
        Basis vectors as rows, in the coordinates of the space; representatives, when the lattice is in a quotient.
    scale
        The form of the space takes the value scale * y^T gram y on the vector with coordinates y in the basis.
    """

    gram: fmpz_mat
    majorant: fmpq_mat
    basis: fmpq_mat
    scale: Fraction = Fraction(1)

    @property
    def dimension(self) -> int:
        """Number of basis vectors."""
        return self.gram.nrows()

    @property
    def determinant(self) -> int:
        """Determinant of the Gram matrix."""
        return int(self.gram.det())

    def vector(self, y: Sequence[int]) -> list[fmpq]:
        """The vector with coordinates y in the basis, in the coordinates of the space."""
        return (fmpq_mat([[fmpq(c) for c in y]]) * self.basis).tolist()[0]

    def with_basis(self, rows: fmpq_mat) -> Lattice:
        """The lattice spanned by rational combinations of the basis vectors, on which the form must be integral."""
        gram, denominator = (rows * fmpq_mat(self.gram) * rows.transpose()).numer_denom()
        if denominator != 1:
            raise ArithmeticError("the form is not integral on the lattice")
        return Lattice(gram, rows * self.majorant * rows.transpose(), rows * self.basis, self.scale)


def lattice(matrix: Sequence[Sequence[fmpq]]) -> Lattice:
    r"""The standard lattice with a non-degenerate rational form, scaled so that its Gram matrix is integral and primitive.

    Notes
    -----
    If q = sum of d_i l_i^2, the sum of \|d_i\| l_i^2 is a majorant of q.

    Examples
    --------
    >>> L = lattice([[fmpq(0), fmpq(3, 2)], [fmpq(3, 2), fmpq(0)]])
    >>> L.gram, L.scale
    ([0, 1]
    [1, 0], Fraction(3, 2))
    """
    n = len(matrix)
    denominator = lcm(*(int(x.q) for row in matrix for x in row))
    integers = [[int(x.p) * (denominator // int(x.q)) for x in row] for row in matrix]
    content = gcd(*(x for row in integers for x in row))
    weights, forms = rational_lagrange([list(row) for row in matrix])
    F = fmpq_mat(forms)
    D = fmpq_mat([[abs(weights[i]) if i == j else fmpq(0) for j in range(n)] for i in range(n)])
    gram = fmpz_mat([[x // content for x in row] for row in integers])
    return Lattice(gram, F.transpose() * D * F, fmpq_mat(_identity(n)), Fraction(content, denominator))


def _identity(n: int) -> fmpz_mat:
    return fmpz_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def enlarge(L: Lattice, primes: Iterable[int]) -> Lattice:
    """A lattice containing L, still integral, with no larger one over it at the given primes.

    Notes
    -----
    A vector v/p may be added when B(v, L) lies in pZ and q(v) in p^2 Z: when v modulo p is in the kernel of the Gram matrix
    and isotropic for q/p there. Each step divides the determinant by p^2. At most p^2 remains of an odd prime, and 2 of 2.
    """
    for p in primes:
        while L.determinant % (p * p) == 0 and (v := _addable(L.gram, p)) is not None:
            L = _adjoin(L, v, p)
    return L


def _addable(gram: fmpz_mat, p: int) -> Vector | None:
    """A vector v, not in pL, such that v/p may be added to the lattice; some coordinate is 1."""
    n = gram.nrows()
    kernel = fmpz_mat(kernel_mod(_integers(gram), n, p))
    on_kernel = _integers(kernel * gram * kernel.transpose())
    k = len(on_kernel)
    if p == 2:
        # q/2 modulo 2 is additive on the kernel.
        odd = [i for i in range(k) if on_kernel[i][i] % 4]
        even = [i for i in range(k) if not on_kernel[i][i] % 4]
        chosen = even[:1] or odd[:2]
        combination = [int(i in chosen) for i in range(k)] if even or len(odd) > 1 else None
    else:
        combination = isotropic_vector_mod([[x // p % p for x in row] for row in on_kernel], p)
    if combination is None:
        return None
    v = [int(x) % p for x in (fmpz_mat([combination]) * kernel).entries()]
    inverse = pow(next(x for x in v if x), -1, p)
    return [_centred(x * inverse, p) for x in v]


def _centred(x: int, p: int) -> int:
    """Residue of x modulo p of least absolute value."""
    x %= p
    return x - p if 2 * x > p else x


def _adjoin(L: Lattice, v: Vector, p: int) -> Lattice:
    """The lattice spanned by L and v/p, where v has a coordinate 1."""
    rows = fmpq_mat(_identity(L.dimension)).tolist()
    rows[v.index(1)] = [fmpq(x, p) for x in v]
    return L.with_basis(fmpq_mat(rows))


def _integers(matrix: fmpz_mat) -> list[Vector]:
    return [[int(x) for x in row] for row in matrix.tolist()]


def reduce_basis(L: Lattice) -> Lattice:
    r"""The same lattice with a basis of short vectors, on which the form has small entries.

    Notes
    -----
    A basis reduced for the majorant in the sense of Lenstra, Lenstra and Lovasz: since the majorant has the determinant of the
    form up to sign, the entries of the form are bounded by a power of it.
    """
    if L.dimension < 2:
        return L
    majorant, _ = L.majorant.numer_denom()
    # The type stubs of python-flint do not know the Gram version.
    _, change = majorant.lll(transform=True, rep="gram")  # pyright: ignore[reportCallIssue]
    reduced = L.with_basis(fmpq_mat(change))
    return replace(reduced, majorant=_rounded(reduced.majorant))


def _rounded(majorant: fmpq_mat) -> fmpq_mat:
    """A reduced majorant with all entries rounded; long fractions would only slow down what follows."""
    n = majorant.nrows()
    least = min(majorant[i, i] for i in range(n))
    # A reduced basis is so well conditioned that this precision leaves the matrix positive definite.
    unit = fmpq(2) ** (_PRECISION + 4 * n) / least
    return fmpq_mat([[fmpq(round(unit * x)) for x in row] for row in majorant.tolist()])


_PRECISION = 64
"""Bits kept of the majorant, besides four for each dimension."""


def to_unimodular_ternary(L: Lattice, primes: Iterable[int]) -> Lattice | int:
    """A lattice of determinant 1 or -1 in a ternary quadratic space, for a multiple of the form.

    Parameters
    ----------
    L
        Of dimension 3.
    primes
        The primes dividing the determinant.

    Returns
    -------
    Lattice or int
        The lattice; or a prime p at which the form is anisotropic, which alone can prevent it.

    Notes
    -----
    Where p divides the determinant of a maximal lattice once, the vectors that are modulo p in the plane spanned by the
    kernel and an isotropic line of the quotient form a lattice on which q/p is integral, of determinant prime to p: the
    congruences in Legendre's theorem [1]_.

    References
    ----------
    .. [1] Cassels, *Rational Quadratic Forms*, Ch. 5.
    """
    for p in primes:
        L = enlarge(L, [p])
        kernel = kernel_mod(_integers(L.gram), 3, p)
        if not kernel:
            continue
        line = _isotropic_line(L.gram, kernel[0], p) if len(kernel) == 1 else None
        if line is None:
            return p
        spanning = fmpz_mat([kernel[0], line] + _integers(_identity(3) * p))
        L = L.with_basis(fmpq_mat(fmpz_mat(spanning.hnf().tolist()[:3])))
        L = replace(L, gram=fmpz_mat([[x // p for x in row] for row in L.gram.tolist()]), scale=L.scale * p)
    return L


def _isotropic_line(gram: fmpz_mat, kernel: Vector, p: int) -> Vector | None:
    """A vector, not in the kernel modulo p, on which the ternary form vanishes modulo p."""
    i, j = [i for i in range(3) if i != next(k for k in range(3) if kernel[k])]
    a, b, c = (int(gram[k]) for k in ((i, i), (i, j), (j, j)))
    if p == 2:
        # Modulo 2 the form is additive.
        pair = [0, 1] if c % 2 == 0 else [1, (a % 2)]
    else:
        pair = isotropic_vector_mod([[a, b], [b, c]], p)
    if pair is None:
        return None
    v = [0, 0, 0]
    v[i], v[j] = pair
    return v


def divide_out(L: Lattice, vectors: Sequence[Vector]) -> Lattice:
    """The lattice of the vectors orthogonal to a totally isotropic subspace, modulo this subspace.

    Parameters
    ----------
    L
        Non-degenerate, of dimension n.
    vectors
        Coordinates in the basis of k independent vectors that span the subspace.

    Returns
    -------
    Lattice
        Non-degenerate, of dimension n - 2k. The form is that of the orthogonal complement of k hyperbolic planes that
        contain the subspace. Its determinant is that of L divided by a square.
    """
    n, k = L.dimension, len(vectors)
    V = fmpz_mat(list(vectors))
    orthogonal = fmpz_mat(_clearing((V * L.gram).transpose()).tolist()[k:])
    frame = fmpq_mat(orthogonal)
    # Integral, because the orthogonal vectors are a basis of all integer vectors in their span.
    coordinates, _ = (frame * frame.transpose()).solve(frame * fmpq_mat(V.transpose())).numer_denom()
    # If T clears all but k rows of the coordinates, the first k columns of its inverse span the subspace, and the others
    # are a basis modulo it.
    quotient = fmpq_mat(_clearing(coordinates)).inv().transpose().tolist()[k:]
    representatives = fmpq_mat(quotient) * frame if quotient else fmpq_mat(0, n)
    to_subspace = L.majorant * fmpq_mat(V.transpose())
    inner = (fmpq_mat(V) * to_subspace).inv()
    M = replace(L, majorant=L.majorant - to_subspace * inner * to_subspace.transpose())
    return M.with_basis(representatives)


def _clearing(columns: fmpz_mat) -> fmpz_mat:
    """A unimodular matrix T such that T times k independent columns has zeros below the first k rows."""
    n, k = columns.nrows(), columns.ncols()
    system = [row + [int(i == j) for j in range(n)] for i, row in enumerate(columns.tolist())]
    return fmpz_mat([row[k:] for row in fmpz_mat(system).hnf().tolist()])


def primitive(x: Sequence[int]) -> Vector:
    """A non-zero integer vector divided by the greatest common divisor of its coordinates."""
    common = gcd(*x)
    return [c // common for c in x]
