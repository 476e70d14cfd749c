"""Widths of quadratic forms, by other means than the verifier's.

Over RR by Descartes' rule on the characteristic polynomial, over GF(p) by counting zeros where that is possible, over QQ
by Hilbert symbols that are found by looking for solutions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

import sympy
from sympy import QQ, legendre_symbol, primefactors
from sympy.polys.matrices import DomainMatrix

from .problem import Problem, domain

MOST_VECTORS = 30_000
MOST_VARIABLES = 12
PRODUCTS = ("untied", "split", "mixed:1")


def gram(problem: Problem, ring: str) -> DomainMatrix:
    """The symmetric matrix of a quadratic form over a domain of characteristic not 2."""
    K = domain(ring, problem.fields)
    f = problem.polynomial(ring)
    n = f.ring.ngens
    rows = [[K.zero] * n for _ in range(n)]
    for exponents, c in f.terms():
        i, j = [k for k, e in enumerate(exponents) for _ in range(e)]
        rows[i][j] += c / K(2)
        rows[j][i] += c / K(2)
    return DomainMatrix(rows, (n, n), K)


def widths(problem: Problem, field: str) -> dict[str, int]:
    """Exact widths over CC, RR or GF(p), rank and border rank alike, by kind of units."""
    p = int(field[3:-1]) if field.startswith("GF(") else 0
    if p == 2:
        return dict.fromkeys(PRODUCTS, codimension_of_zeros(problem))
    ring = field if p else problem.ring
    matrix = gram(problem, ring)
    rank = matrix.rank()
    if p:
        untied = (rank + 1) // 2 if rank % 2 else rank // 2 + (not hyperbolic(problem, matrix, rank, p))
    elif field == "CC":
        untied = (rank + 1) // 2
    else:
        positive = positive_roots(matrix)
        untied = max(positive, rank - positive)
    return {"tied": rank, **dict.fromkeys(PRODUCTS, untied)}


def positive_roots(matrix: DomainMatrix) -> int:
    """Number of positive eigenvalues: changes of sign in the characteristic polynomial, all of whose roots are real."""
    K = matrix.domain
    signs = [s for c in matrix.charpoly() if (s := _sign(c, K))]
    return sum(a != b for a, b in zip(signs, signs[1:], strict=False))


def _sign(c: Any, K: Any) -> int:
    if not c:
        return 0
    value = sympy.re(K.to_sympy(c).evalf(60)) if K != QQ else c
    return 1 if value > 0 else -1


def hyperbolic(problem: Problem, matrix: DomainMatrix, rank: int, p: int) -> bool:
    """Whether a form of even rank over GF(p) is a sum of hyperbolic planes modulo its radical."""
    n = matrix.shape[0]
    if p**n <= MOST_VECTORS:
        f = problem.polynomial(f"GF({p})")
        zeros = sum(
            f.evaluate(list(zip(f.ring.gens, v, strict=True))) == 0 for v in product(range(p), repeat=n)
        )
        sign = zeros - p ** (n - 1)
        if abs(sign) != (p - 1) * p ** (n - rank // 2 - 1):
            raise AssertionError("impossible number of zeros")
        return sign > 0
    # The discriminant of the non-degenerate part: a principal minor of full size.
    dense = [[int(x) for x in row] for row in matrix.to_dense().to_list()]
    for chosen in combinations(range(n), rank):
        minor = int(sympy.Matrix([[dense[i][j] for j in chosen] for i in chosen]).det()) % p
        if minor:
            return legendre_symbol((-1) ** (rank // 2) * minor % p, p) == 1
    raise AssertionError("a symmetric matrix has a principal minor of its rank")


def codimension_of_zeros(problem: Problem) -> int:
    """Least codimension of a subspace of GF(2)^n in which a quadratic form vanishes, by trying subspaces."""
    f = problem.polynomial("GF(2)")
    n = f.ring.ngens
    terms = [[k for k, e in enumerate(m) if e] for m in f]
    zeros = frozenset(v for v in range(2**n) if sum(all(v >> k & 1 for k in term) for term in terms) % 2 == 0)

    def grow(space: frozenset[int], after: int) -> int:
        found = len(space).bit_length() - 1
        for v in range(after + 1, 2**n):
            if v not in space:
                larger = space | {u ^ v for u in space}
                if larger <= zeros:
                    found = max(found, grow(larger, v))
                    if found == n - 1:
                        break
        return found

    return n - grow(frozenset({0}), 0)


# Over QQ


def lower_bound_over_qq(problem: Problem) -> int:
    """Rank minus Witt index over the p-adic numbers at its largest: a lower bound, and with RR the exact width."""
    diagonal = diagonal_of(gram(problem, "QQ"))
    positive = sum(x > 0 for x in diagonal)
    best = max(positive, len(diagonal) - positive)
    places = {2} | {p for x in diagonal for p in primefactors(abs(x))}
    return max([best, *((len(diagonal) + anisotropic_dimension(diagonal, p)) // 2 for p in places)])


def diagonal_of(matrix: DomainMatrix) -> list[int]:
    """Squarefree integers: a diagonal form equivalent over QQ, without its zeros."""
    rows = [[QQ(x) for x in row] for row in matrix.to_dense().to_list()]
    n = len(rows)
    result = []
    basis = [[QQ(int(i == j)) for j in range(n)] for i in range(n)]

    def form(u: Sequence[Any], v: Sequence[Any]) -> Any:
        return sum(x * rows[i][j] * y for i, x in enumerate(u) if x for j, y in enumerate(v) if y)

    while basis:
        # A vector that the form does not kill: a basis vector, or the sum of two.
        candidates = [
            *basis,
            *([a + b for a, b in zip(u, v, strict=True)] for u, v in combinations(basis, 2)),
        ]
        head = next((u for u in candidates if form(u, u)), None)
        if head is None:
            break
        value = form(head, head)
        result.append(_squarefree(value.numerator * value.denominator))
        rest = [[a - form(u, head) / value * b for a, b in zip(u, head, strict=True)] for u in basis]
        reduced = DomainMatrix(rest, (len(rest), n), QQ).rref()[0].to_dense().to_list()
        basis = [row for row in reduced if any(row)]
    return result


def _squarefree(x: int) -> int:
    return int(sympy.sign(x)) * sympy.prod(p for p, e in sympy.factorint(abs(int(x))).items() if e % 2)


@cache
def symbol(a: int, b: int, p: int) -> int:
    """Hilbert symbol of squarefree integers: whether a x^2 + b y^2 = z^2 has a primitive solution modulo a power of p."""
    a, b = (int(x) for x in (a, b))
    if p > 7:
        # Too many residues to try: Serre's formula.
        alpha, beta = int(a % p == 0), int(b % p == 0)
        u, v = a // p**alpha, b // p**beta
        value = (-1) ** (alpha * beta * ((p - 1) // 2))
        return value * legendre_symbol(u % p, p) ** beta * legendre_symbol(v % p, p) ** alpha
    modulus = 32 if p == 2 else p**3
    squares = {}
    for z in range(modulus):
        squares.setdefault(z * z % modulus, set()).add(bool(z % p))
    for x in range(modulus):
        for y in range(modulus):
            found = squares.get((a * x * x + b * y * y) % modulus)
            if found and (x % p or y % p or True in found):
                return 1
    return -1


def anisotropic_dimension(diagonal: Sequence[int], p: int) -> int:
    """Dimension of the anisotropic part over QQ_p.

    Forms are told apart by dimension, discriminant and Hasse invariant: of all anisotropic forms, sums of at most four
    squares with coefficients from the square classes, one has the invariants that the given form must leave.
    """
    n, d, c = _invariants(diagonal, p)
    for m in range(n % 2, 5, 2):
        if m > n:
            break
        # The anisotropic part and (n - m) / 2 hyperbolic planes.
        for kernel in _anisotropic_forms(m, p):
            if _invariants([*kernel, *[1, -1] * ((n - m) // 2)], p) == (n, d, c):
                return m
    raise AssertionError("no anisotropic form with these invariants")


def _invariants(diagonal: Sequence[int], p: int) -> tuple[int, int, int]:
    discriminant, hasse = 1, 1
    for i, x in enumerate(diagonal):
        discriminant = _class(discriminant * x, p)
        for y in diagonal[:i]:
            hasse *= symbol(_class(x, p), _class(y, p), p)
    return len(diagonal), discriminant, hasse


@cache
def _class(x: int, p: int) -> int:
    """The representative of a class of QQ_p modulo squares."""
    return next(r for r in _classes(p) if _is_square(x * r, p))


@cache
def _classes(p: int) -> tuple[int, ...]:
    if p == 2:
        return (1, 3, 5, 7, 2, 6, 10, 14)
    u = next(u for u in range(2, p) if legendre_symbol(u, p) == -1)
    return (1, u, p, u * p)


def _is_square(x: int, p: int) -> bool:
    e = 0
    while x % p == 0:
        x, e = x // p, e + 1
    return e % 2 == 0 and (x % 8 == 1 if p == 2 else legendre_symbol(x % p, p) == 1)


@cache
def _anisotropic_forms(m: int, p: int) -> list[tuple[int, ...]]:
    """Diagonal forms with m coefficients that have no zero but 0, by their invariants."""
    forms = []
    for form in product(_classes(p), repeat=m):
        _, d, c = _invariants(form, p)
        minus = _class(-d, p)
        if m <= 1:
            anisotropic = True
        elif m == 2:
            anisotropic = minus != 1
        elif m == 3:
            # a x^2 + b y^2 + c z^2 represents 0 exactly when -a/c and -b/c do as x^2 * (-a/c) + y^2 * (-b/c) = z^2.
            a, b, e = form
            anisotropic = symbol(_class(-a * e, p), _class(-b * e, p), p) == -1
        else:
            anisotropic = d == 1 and all(
                symbol(_class(-form[i] * form[3], p), _class(-form[j] * form[3], p), p) == -1
                for i, j in combinations(range(3), 2)
            )
            anisotropic = anisotropic and c != symbol(_class(-1, p), _class(-1, p), p)
        if anisotropic:
            forms.append(form)
    return forms


def known(problem: Problem, fields: Sequence[str]) -> dict[tuple[str, str], tuple[int, int | None]]:
    """For a quadratic form the (lower, upper) bounds by (units, field) over the fields that occur."""
    if not problem.is_form or problem.degree != 2 or len(problem.used[0]) > MOST_VARIABLES:
        return {}
    result: dict[tuple[str, str], tuple[int, int | None]] = {}
    for field in fields:
        if field in ("CC", "RR") or field.startswith("GF("):
            if field == "RR" and problem.ring != "QQ" and _real(problem.fields, problem.ring) is None:
                continue
            for units, width in widths(problem, field).items():
                result[units, field] = width, width
    if problem.ring == "QQ" and "QQ" in fields:
        # Tied units over QQ are multiples of squares: as many as the rank.
        rank = gram(problem, "QQ").rank()
        result["tied", "QQ"] = rank, rank
        for units in PRODUCTS:
            result[units, "QQ"] = lower_bound_over_qq(problem), None
    return result


def _real(fields: Mapping[str, Any], ring: str) -> int | None:
    return fields[ring].real if ring in fields else None
