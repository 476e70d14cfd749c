"""Matrix pencils as direct sums: Kronecker's canonical form over any exact field, with the bases.

A pencil is a pair (A, B) of m x n matrices, thought of as A + tB.

References
----------
Gantmacher, *The Theory of Matrices*, vol. 2 (1959), chapter XII.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rankproof.exact.linear_systems import solve
from rankproof.exact.matrix_factorisation import row_basis
from rankproof.problem.field import Field, Scalar

Rows = list[list[Scalar]]
Vector = list[Scalar]


@dataclass(frozen=True)
class PencilBlock:
    """A summand of a pencil: P (A', B') Q^T with P and Q injective.

    Attributes
    ----------
    kind
        ``L``: size x (size + 1), A' = (0 1), B' = -(1 0). ``LT``: its transpose. ``J``: A' = 1 - shift * C and B' = C, where C is
        the companion matrix of a polynomial, 1 below the diagonal.
    size
        Number of rows of L, columns of LT, degree of the polynomial of J.
    P, Q
        Matrices of shape m x rows and n x columns.
    polynomial
        Of J: monic, coefficients in ascending order.
    shift
        Of J: a number with A + shift * B invertible on the regular part.
    """

    kind: str
    size: int
    P: Rows
    Q: Rows
    polynomial: tuple[Scalar, ...] = ()
    shift: Scalar = 0


def kronecker_form(A: Rows, B: Rows, ring: Field) -> list[PencilBlock] | None:
    """The summands of a pencil; None when a finite field has no element at which the regular part is invertible.

    Parameters
    ----------
    A, B
        Matrices of one shape, as rows.
    ring
        Exact field of the entries.

    Returns
    -------
    list or None
        Blocks of kinds ``L`` and ``LT``, and blocks ``J`` of the invariant polynomials that are not 1, each of which is
        divisible by the next one. The sum of the P (A', B') Q^T is (A, B).

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> [(b.kind, b.size, b.polynomial) for b in kronecker_form([[1, 0], [0, 1]], [[0, 1], [0, 0]], QQ)]
    [('J', 2, (0, 0, 1))]
    """
    m, n = len(A), len(A[0])
    P, Q = identity(m), identity(n)
    blocks: list[PencilBlock] = []
    for transposed in (False, True):
        if transposed:
            A, B, P, Q = transpose(A, len(Q[0])), transpose(B, len(Q[0])), Q, P
        while A and A[0] and (chain := _kernel_chain(A, B, ring)) is not None:
            block, A, B, P, Q = _split_off(A, B, P, Q, chain, ring)
            if transposed:
                block = PencilBlock("LT", block.size, block.Q, block.P)
            blocks.append(block)
        if transposed:
            A, B, P, Q = transpose(A, len(Q[0])), transpose(B, len(Q[0])), Q, P
    # What is left has independent rows and columns over K(t), or no rows, or no columns, and then only zeros.
    if not A or not A[0]:
        return blocks
    regular = _regular_blocks(A, B, P, Q, ring)
    return None if regular is None else blocks + regular


def _kernel_chain(A: Rows, B: Rows, ring: Field) -> list[Vector] | None:
    """Coefficients of a polynomial x(t) of least degree with (A + tB) x(t) = 0."""
    m, n = len(A), len(A[0])
    for degree in range(m + 1):
        columns: list[dict[tuple[int, int], Scalar]] = []
        for k in range(degree + 1):
            for j in range(n):
                column: dict[tuple[int, int], Scalar] = {(k, i): A[i][j] for i in range(m) if A[i][j]}
                column |= {(k + 1, i): B[i][j] for i in range(m) if B[i][j]}
                columns.append(column)
        kernel = _one_relation(columns, ring)
        if kernel is not None:
            return [kernel[k * n : k * n + n] for k in range(degree + 1)]
    return None


def _one_relation(columns: Sequence[dict[tuple[int, int], Scalar]], ring: Field) -> Vector | None:
    """Coefficients, not all zero, of a combination of the columns that vanishes."""
    matrix = dict(enumerate(columns))
    basis = row_basis(matrix, range(len(columns)), ring)
    dependent = next((j for j in range(len(columns)) if j not in basis), None)
    if dependent is None:
        return None
    relation: Vector = [0] * len(columns)
    relation[dependent] = ring.reduce(-1)
    for j, column in basis.items():
        relation[j] = column.get(dependent, 0)
    return relation


def _split_off(
    A: Rows, B: Rows, P: Rows, Q: Rows, chain: list[Vector], ring: Field
) -> tuple[PencilBlock, Rows, Rows, Rows, Rows]:
    """The block L that a shortest polynomial kernel vector spans, and what is left of the pencil."""
    m, n, d = len(A), len(A[0]), len(chain) - 1
    # A maps x_(i+1) to y_i and B maps x_i to -y_i; the signs of A + tB are in the block.
    images = [apply(A, x, ring) for x in chain[1:]]
    X, Y = _completed(chain, n, ring), _completed(images, m, ring)
    Xi, Yi = inverse(X, ring), inverse(Y, ring)
    A2 = multiply(Yi, multiply(A, X, ring), ring)
    B2 = multiply(Yi, multiply(B, X, ring), ring)
    U, V = _decoupled(A2, B2, d, ring)
    # New complements X' + x U and Y' + y V; the dual bases change by the negatives.
    X = multiply(X, _unipotent(n, d + 1, U), ring)
    Y = multiply(Y, _unipotent(m, d, V), ring)
    Xi, Yi = inverse(X, ring), inverse(Y, ring)
    A3 = multiply(Yi, multiply(A, X, ring), ring)
    B3 = multiply(Yi, multiply(B, X, ring), ring)
    left, right = multiply(P, Y, ring), multiply(Q, transpose(Xi, n), ring)
    block = PencilBlock("L", d, [row[:d] for row in left], [row[: d + 1] for row in right])
    rest = [[row[d + 1 :] for row in M[d:]] for M in (A3, B3)]
    return block, rest[0], rest[1], [row[d:] for row in left], [row[d + 1 :] for row in right]


def _decoupled(A: Rows, B: Rows, d: int, ring: Field) -> tuple[Rows, Rows]:
    """U and V with C + A_L U = V A'' for both matrices in block form (A_L C; 0 A''), A_L of shape d x (d + 1)."""
    m, n = len(A), len(A[0])
    rest_rows, rest_columns = m - d, n - d - 1
    columns: list[dict[tuple[int, int, int], Scalar]] = []
    for r, c in product(range(d + 1), range(rest_columns)):
        column: dict[tuple[int, int, int], Scalar] = {}
        for which, M in enumerate((A, B)):
            column |= {(which, i, c): M[i][r] for i in range(d) if M[i][r]}
        columns.append(column)
    for r, c in product(range(d), range(rest_rows)):
        column = {}
        for which, M in enumerate((A, B)):
            column |= {
                (which, r, j): ring.reduce(-M[d + c][d + 1 + j])
                for j in range(rest_columns)
                if M[d + c][d + 1 + j]
            }
        columns.append(column)
    side = {
        (which, i, j): ring.reduce(-M[i][d + 1 + j])
        for which, M in enumerate((A, B))
        for i in range(d)
        for j in range(rest_columns)
        if M[i][d + 1 + j]
    }
    solutions = solve(columns, [side], ring) if columns else [[]]
    if solutions is None:
        raise ArithmeticError("a block of least minimal index is a direct summand")
    values = solutions[0]
    U = [values[r * rest_columns : (r + 1) * rest_columns] for r in range(d + 1)]
    start = (d + 1) * rest_columns
    V = [values[start + r * rest_rows : start + (r + 1) * rest_rows] for r in range(d)]
    return U, V


def _regular_blocks(A: Rows, B: Rows, P: Rows, Q: Rows, ring: Field) -> list[PencilBlock] | None:
    """Blocks J of a pencil that is square with a determinant that is not zero."""
    n = len(A)
    p = ring.characteristic
    for shift in range(min(p, 2 * n + 1) if p else 2 * n + 1):
        G = [
            [ring.reduce(a + shift * b) for a, b in zip(r, s, strict=True)] for r, s in zip(A, B, strict=True)
        ]
        Gi = try_inverse(G, ring)
        if Gi is not None:
            break
    else:
        return None
    # (A, B) = G (1 - shift M, M)
    M = multiply(Gi, B, ring)
    left, right = multiply(P, G, ring), Q
    blocks: list[PencilBlock] = []
    for basis, dual, f in cyclic_summands(M, ring):
        S = transpose(basis, n)
        D = transpose(dual, n)
        blocks.append(
            PencilBlock("J", len(f) - 1, multiply(left, S, ring), multiply(right, D, ring), f, shift)
        )
    return blocks


def cyclic_summands(M: Rows, ring: Field) -> Iterator[tuple[list[Vector], list[Vector], tuple[Scalar, ...]]]:
    """The rational canonical form of a square matrix: bases v, Mv, ..., dual bases, and invariant polynomials.

    Every polynomial is divisible by the next one. The sum of the projections of all pairs of bases is the identity.
    """
    n = len(M)
    dimension = n
    # The space that is left, by a basis and by a dual basis.
    space: list[Vector] = identity(n)
    done: list[Vector] = []
    while dimension:
        chain, f = _longest_chain(M, space, ring)
        d = len(chain)
        form = _last_coordinate(chain, [*space, *done], ring)
        # The complement: vectors w of the space with form(M^i w) = 0 for i < d.
        forms = [form]
        for _ in range(d - 1):
            forms.append(apply(transpose(M, n), forms[-1], ring))
        gram = [[_dot(g, x, ring) for x in chain] for g in forms]
        dual = multiply(inverse(gram, ring), forms, ring)
        yield chain, dual, f
        projected = []
        for w in space:
            coefficients = [_dot(g, w, ring) for g in dual]
            projected.append(
                [
                    ring.reduce(
                        x - sum((c * y[i] for c, y in zip(coefficients, chain, strict=True)), start=0)
                    )
                    for i, x in enumerate(w)
                ]
            )
        kept = row_basis({k: _sparse(w) for k, w in enumerate(projected)}, range(len(projected)), ring)
        space = [projected[k] for k in kept]
        done += chain
        dimension -= d


def _longest_chain(M: Rows, space: list[Vector], ring: Field) -> tuple[list[Vector], tuple[Scalar, ...]]:
    """v, Mv, ... for a v whose minimal polynomial has the largest degree, and that polynomial."""
    best: tuple[list[Vector], tuple[Scalar, ...]] | None = None
    for coefficients in _trials(len(space), ring):
        v = [
            ring.reduce(sum((c * w[i] for c, w in zip(coefficients, space, strict=True) if c), start=0))
            for i in range(len(M))
        ]
        if any(v):
            chain, f = minimal_chain(M, v, ring)
            if best is None or len(chain) > len(best[0]):
                best = chain, f
            # The minimal polynomial of the matrix on the space kills everything.
            if len(chain) == len(space) or all(not any(_evaluated(f, M, w, ring)) for w in space):
                break
    if best is None:
        raise ArithmeticError("a space that is not zero has a vector that is not zero")
    return best


def _trials(n: int, ring: Field) -> Iterator[tuple[int, ...]]:
    for i in range(n):
        yield tuple(int(k == i) for k in range(n))
    p = ring.characteristic
    if p and p**n <= 4096:
        yield from product(range(p), repeat=n)
    else:
        for base in range(1, 20 * n):
            yield tuple(pow(base, k, p) if p else base**k for k in range(n))


def minimal_chain(M: Rows, v: Vector, ring: Field) -> tuple[list[Vector], tuple[Scalar, ...]]:
    """The independent vectors v, Mv, M^2 v, ..., and the monic polynomial of least degree with f(M) v = 0."""
    chain = [v]
    while True:
        nxt = apply(M, chain[-1], ring)
        relation = solve([_sparse(x) for x in chain], [_sparse(nxt)], ring)
        if relation is not None:
            return chain, (*(ring.reduce(-c) for c in relation[0]), 1)
        chain.append(nxt)


def _last_coordinate(chain: list[Vector], others: list[Vector], ring: Field) -> Vector:
    """The form that is 1 at the last vector of the chain, and 0 at its others and at those that complete it to a basis.

    Its complement in the space that is left is invariant, because the minimal polynomial of the chain kills the space; and it
    vanishes on the chains that were split off before.
    """
    n = len(chain[0])
    rows = [*chain, *others]
    basis = row_basis({k: _sparse(v) for k, v in enumerate(rows)}, range(len(rows)), ring)
    vectors = [rows[k] for k in basis]
    return inverse(transpose(vectors, n), ring)[len(chain) - 1]


def _evaluated(f: Sequence[Scalar], M: Rows, v: Vector, ring: Field) -> Vector:
    total: Vector = [0] * len(v)
    for c in reversed(f):
        total = [ring.reduce(x + c * y) for x, y in zip(apply(M, total, ring), v, strict=True)]
    return total


def _completed(vectors: Sequence[Vector], n: int, ring: Field) -> Rows:
    """Invertible matrix whose first columns are independent vectors."""
    rows = [*vectors, *identity(n)]
    basis = row_basis({k: _sparse(v) for k, v in enumerate(rows)}, range(len(rows)), ring)
    return transpose([rows[k] for k in basis], n)


def _unipotent(n: int, size: int, upper: Rows) -> Rows:
    total = identity(n)
    for i, row in enumerate(upper):
        total[i][size:] = row
    return total


def _sparse(v: Sequence[Scalar]) -> dict[int, Scalar]:
    return {i: x for i, x in enumerate(v) if x}


def _dot(u: Sequence[Scalar], v: Sequence[Scalar], ring: Field) -> Scalar:
    return ring.reduce(sum((x * y for x, y in zip(u, v, strict=True) if x and y), start=0))


def identity(n: int) -> Rows:
    """Identity matrix."""
    return [[int(i == j) for j in range(n)] for i in range(n)]


def transpose(M: Sequence[Sequence[Scalar]], columns: int) -> Rows:
    """Transposed matrix; the number of columns is needed where there are no rows."""
    return [[row[j] for row in M] for j in range(columns)]


def apply(M: Rows, v: Sequence[Scalar], ring: Field) -> Vector:
    """Matrix times vector."""
    return [_dot(row, v, ring) for row in M]


def multiply(M: Rows, N: Sequence[Sequence[Scalar]], ring: Field) -> Rows:
    """Product of two matrices."""
    columns = list(zip(*N, strict=True))
    return [[_dot(row, column, ring) for column in columns] for row in M]


def inverse(M: Rows, ring: Field) -> Rows:
    """Inverse of an invertible matrix."""
    found = try_inverse(M, ring)
    if found is None:
        raise ArithmeticError("the matrix is invertible")
    return found


def try_inverse(M: Rows, ring: Field) -> Rows | None:
    """Inverse of a square matrix; None when it is singular."""
    n = len(M)
    columns = [{i: M[i][j] for i in range(n) if M[i][j]} for j in range(n)]
    solutions = solve(columns, [{i: 1} for i in range(n)], ring)
    return None if solutions is None else transpose(solutions, n)
