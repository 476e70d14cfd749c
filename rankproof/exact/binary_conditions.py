"""Conditions on an operator that kills a binary form: on its roots, on its coefficients, and on its Hessian."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import flint
import numpy as np

from rankproof.exact.binary import (
    Form,
    Integers,
    apolar_basis,
    divided,
    integral,
    multiply,
    null_space,
    product_of,
)
from rankproof.exact.congruence import diagonalise, rational
from rankproof.exact.linear_systems import as_fraction
from rankproof.exact.polynomial_factors import irreducible_factors
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.field import QQ
from rankproof.problem.univariate import evaluate

# The roots


@dataclass(frozen=True)
class RootForm:
    """Diagonal of the quadratic form that vanishes at the roots of an operator, and whether only equal roots are degenerate."""

    diagonal: tuple[Fraction, ...]

    @property
    def is_definite(self) -> bool:
        """Whether all entries have one sign."""
        return all(x > 0 for x in self.diagonal) or all(x < 0 for x in self.diagonal)


@lru_cache(maxsize=1024)
def substituted(form: Integers, a: int, b: int) -> Integers:
    """A multiple of the form in coordinates u = a x + b y and v = y (v = x when a is 0)."""
    d = len(form) - 1
    # Multiplied by a (or b), x and y are integral in u and v.
    x, y = ((1, -b), (0, a)) if a else ((0, b), (1, 0))
    powers_x, powers_y = ([product_of([f] * k) for k in range(d + 1)] for f in (x, y))
    result: Form = (0,) * (d + 1)
    for j, c in enumerate(form):
        if c:
            term = multiply(powers_x[d - j], powers_y[j])
            result = tuple(p + c * q for p, q in zip(result, term, strict=True))
    return integral(result)


def root_form(form: Integers, point: tuple[int, int], degree: int, squared: bool) -> RootForm | bool:
    """What an operator of one degree (or its square) that kills a form must satisfy in its roots, at one point.

    Returns
    -------
    RootForm or bool
        The quadratic form on the roots, non-degenerate up to equal roots; True when no operator exists at all, and False when the
        conditions say nothing.
    """
    m = 2 * degree if squared else degree
    moments = divided(substituted(form, *point))
    rows = [list(moments[k : k + m + 1]) for k in range(len(moments) - m)]
    # Combinations of the conditions that only see the first three coefficients.
    combinations = null_space([[row[j] for row in rows] for j in range(3, m + 1)], len(rows), QQ)
    heads = [
        [
            sum((as_fraction(x * row[j]) for x, row in zip(c, rows, strict=True)), start=Fraction(0))
            for j in range(3)
        ]
        for c in combinations
    ]
    quadratic = next((h for h in heads if h[2]), None)
    if quadratic is None:
        return False
    heads = [[x - y * h[2] / quadratic[2] for x, y in zip(h, quadratic, strict=True)] for h in heads]
    linear = next((h for h in heads if h[1]), None)
    if linear is None and not squared:
        return False
    if linear is not None:
        heads = [[x - y * h[1] / linear[1] for x, y in zip(h, linear, strict=True)] for h in heads]
    if any(h[0] for h in heads):
        return True
    gram, basis = _on_roots(quadratic, linear, degree, squared)
    for vector in null_space(gram, len(gram), QQ):
        roots = [
            sum(as_fraction(x) * b[i] for x, b in zip(vector, basis, strict=True))
            for i in range(1, degree + 1)
        ]
        if len(set(roots)) > 1:
            return False
    weights, _ = diagonalise(gram)
    return RootForm(tuple(Fraction(x) for x in weights if x))


def _on_roots(
    quadratic: list[Fraction], linear: list[Fraction] | None, w: int, squared: bool
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Gram matrix on the hyperplane of the linear condition, and its basis, in variables r_0 (homogenising), r_1, ..., r_w."""
    # With power sums p1, p2: the second coefficient is -p1 (doubled for the square), the third (p1^2 - p2)/2 or 2 p1^2 - p2.
    c0, c1, c2 = quadratic
    double = 2 if squared else 1
    outer, inner = (2 * c2, -c2) if squared else (c2 / 2, -c2 / 2)
    gram = [[outer + (inner if i == j else 0) for j in range(w + 1)] for i in range(w + 1)]
    gram[0] = [c0, *[-double * c1 / 2] * w]
    for row in gram[1:]:
        row[0] = gram[0][1]
    basis = [[Fraction(int(i == j)) for j in range(w + 1)] for i in range(w + 1)]
    if linear is not None:
        hyperplane = null_space([[linear[0], *[-double * linear[1]] * w]], w + 1, QQ)
        basis = [[as_fraction(x) for x in vector] for vector in hyperplane]
    images = [
        [sum((a * b for a, b in zip(row, v, strict=True)), start=Fraction(0)) for row in gram] for v in basis
    ]
    restricted = [
        [sum((a * b for a, b in zip(image, v, strict=True)), start=Fraction(0)) for v in basis]
        for image in images
    ]
    return restricted, basis


@lru_cache(maxsize=4096)
def local_root(minimal_polynomial: tuple[int, ...], p: int) -> int | None:
    """An integer that determines a root in the p-adic integers by Hensel's lemma; None when none is found."""
    slope = [k * c for k, c in enumerate(minimal_polynomial)][1:]
    # Modulo 2 a square root is never a simple root, so more digits are looked at.
    for r in range(64 if p == 2 else p):
        value = int(evaluate(minimal_polynomial, r))
        if value % p:
            continue
        rise = int(evaluate(slope, r))
        if rise and (not value or _exponent(value, p) > 2 * _exponent(rise, p)):
            return r
    return None


def _exponent(x: int, p: int) -> int:
    count = 0
    while x % p == 0:
        x //= p
        count += 1
    return count


def splits_modulo(form: Sequence[int], p: int) -> bool:
    """Whether a primitive integer form is a product of linear forms modulo p."""
    polynomial = flint.nmod_poly(list(reversed(form)), p)
    return all(factor.degree() == 1 for factor, _ in polynomial.factor()[1])


# The coefficients

Quadric = dict[tuple[int, int], int]


def square_quadrics(moments: Sequence[int], w: int) -> list[Quadric]:
    """The equations h^2 o F = 0 in the coefficients of h of degree w."""
    equations: list[Quadric] = []
    for k in range(len(moments) - 2 * w):
        equation: Quadric = {}
        for i in range(w + 1):
            for j in range(i, w + 1):
                if c := moments[k + i + j] * (1 if i == j else 2):
                    equation[i, j] = c
        if equation:
            equations.append(equation)
    return equations


def _macaulay(
    equations: Sequence[Quadric], variables: int, degree: int, p: int
) -> tuple[list[dict[int, int]], dict[tuple[int, ...], int]]:
    """Multiples of the equations in one degree as sparse rows, and the number of every monomial."""
    columns = {word: k for k, word in enumerate(combinations_with_replacement(range(variables), degree))}
    rows: list[dict[int, int]] = []
    for equation in equations:
        for word in combinations_with_replacement(range(variables), degree - 2):
            row = {columns[tuple(sorted(word + pair))]: c % p if p else c for pair, c in equation.items()}
            rows.append({k: c for k, c in row.items() if c})
    return rows, columns


def macaulay_degree(equations: Sequence[Quadric], variables: int, p: int, most_columns: int) -> int | None:
    """Least degree in which the equations span everything modulo p, if that happens within the limit of columns."""
    for degree in range(2, variables + 2):
        size = comb(variables + degree - 1, degree)
        if size > most_columns:
            return None
        if len(equations) * comb(variables + degree - 3, degree - 2) < size:
            continue
        rows, _ = _macaulay(equations, variables, degree, p)
        if rank_mod_p(dict(enumerate(rows)), p).rank == size:
            return degree
    return None


def discriminant_power(equations: Sequence[Quadric], w: int, most_columns: int) -> int | None:
    """Least power of the discriminant of h that the equations generate, if it is found within the limit of columns."""
    context = flint.fmpz_mpoly_ctx.get([f"h{i}" for i in range(w + 1)] + ["x"])
    *h, x = context.gens()
    polynomial: Any = sum((c * x ** (w - j) for j, c in enumerate(h)), start=0 * x)
    # The discriminant in x times the leading coefficient is the resultant with the derivative.
    discriminant = {e[:-1]: int(c) for e, c in polynomial.discriminant("x").to_dict().items()}
    for power in (1, 2, 3):
        degree = power * (2 * w - 2)
        if comb(w + degree, degree) > most_columns:
            return None
        rows, columns = _macaulay(equations, w + 1, degree, 0)
        element: dict[tuple[int, ...], int] = {(0,) * (w + 1): 1}
        for _ in range(power):
            element = _times(element, discriminant)
        right = {
            columns[tuple(i for i, e in enumerate(exponents) for _ in range(e))]: c
            for exponents, c in element.items()
        }
        if _in_span(rows, right, len(columns)):
            return power
    return None


def _times(f: dict[tuple[int, ...], int], g: dict[tuple[int, ...], int]) -> dict[tuple[int, ...], int]:
    product: dict[tuple[int, ...], int] = {}
    for a, x in f.items():
        for b, y in g.items():
            key = tuple(i + j for i, j in zip(a, b, strict=True))
            product[key] = product.get(key, 0) + x * y
    return {key: c for key, c in product.items() if c}


def _in_span(rows: Sequence[dict[int, int]], right: dict[int, int], columns: int) -> bool:
    p = 2**31 - 1
    residues = [{k: r for k, c in row.items() if (r := c % p)} for row in rows]
    extended = [*residues, {k: r for k, c in right.items() if (r := c % p)}]
    if rank_mod_p(dict(enumerate(residues)), p).rank != rank_mod_p(dict(enumerate(extended)), p).rank:
        return False
    # Modulo a prime more may be spanned than over the rationals.
    dense = [[row.get(k, 0) for k in range(columns)] for row in rows]
    matrix = flint.fmpz_mat(dense)
    return matrix.rank() == flint.fmpz_mat([*dense, [right.get(k, 0) for k in range(columns)]]).rank()


# The Hessian

SAFE_EIGENVALUE = 1e-3
"""Of a combination of matrices with entries of size 1: enough to stay positive when the weights are rounded."""


def _ratios(vector: Integers) -> list[float]:
    """A multiple of a vector in floating point, however long its numbers are."""
    largest = max(map(abs, vector))
    return [float(Fraction(x, largest)) for x in vector]


def hessian_weights(moments: Sequence[int], r: int, rounds: int = 200) -> list[tuple[int, int, int]] | None:
    """Points with positive integer weights whose Hessians add up to a positive form on the operators of degree r that kill F.

    A search by supergradients of the least eigenvalue in floating point; the answer is checked exactly.
    """
    basis = apolar_basis(moments, r, QQ)
    if not basis:
        return [(1, 0, 1)]
    points = [(x, y) for x, y in _directions(6) if (x, y) != (0, 0)]
    scale = np.array([1 / comb(r, j) ** 0.5 for j in range(r + 1)])
    orthonormal, _ = np.linalg.qr((np.array([_ratios(integral(vector)) for vector in basis]) * scale).T)
    vectors = (orthonormal.T / scale).T
    grams = []
    for x, y in points:
        size = (x * x + y * y) ** ((r - 2) / 2)
        u, v, t = (np.array(rows, dtype=float) @ vectors / size for rows in _second_derivatives(r, x, y))
        grams.append((np.outer(u, t) + np.outer(t, u)) / 2 - np.outer(v, v))
    stack = np.array(grams)
    sizes = np.abs(stack).max(axis=(1, 2))
    sizes[sizes == 0] = 1
    stack /= sizes[:, None, None]
    weights = np.full(len(points), 1 / len(points))
    best, best_value = weights, -np.inf
    for k in range(rounds):
        values, eigenvectors = np.linalg.eigh(np.tensordot(weights, stack, axes=1))
        if values[0] > best_value:
            best, best_value = weights, values[0]
            if best_value > SAFE_EIGENVALUE:
                break
        gain = np.einsum("jab,a,b->j", stack, eigenvectors[:, 0], eigenvectors[:, 0])
        weights = weights * np.exp(gain / (1 + k) ** 0.5)
        weights /= weights.sum()
    if best_value <= 1e-9:
        return None
    factors = [1 / (size * (x * x + y * y) ** (r - 2)) for (x, y), size in zip(points, sizes, strict=True)]
    exact = best * np.array(factors)
    exact /= exact.max()
    rounded = [(x, y, round(float(weight) * 10**6)) for (x, y), weight in zip(points, exact, strict=True)]
    chosen = [(x, y, weight) for x, y, weight in rounded if weight > 0]
    return chosen if _is_positive(basis, r, chosen) else None


def _directions(size: int) -> Iterable[tuple[int, int]]:
    yield 1, 0
    for y in range(1, size + 1):
        for x in range(-size, size + 1):
            if np.gcd(x, y) == 1:
                yield x, y


def _second_derivatives(r: int, x: int, y: int) -> tuple[list[int], list[int], list[int]]:
    def power(base: int, exponent: int) -> int:
        return base**exponent if exponent >= 0 else 0

    xx = [(r - j) * (r - j - 1) * power(x, r - j - 2) * power(y, j) for j in range(r + 1)]
    xy = [(r - j) * j * power(x, r - j - 1) * power(y, j - 1) for j in range(r + 1)]
    yy = [j * (j - 1) * power(x, r - j) * power(y, j - 2) for j in range(r + 1)]
    return xx, xy, yy


def _is_positive(basis: Sequence[Form], r: int, points: Sequence[tuple[int, int, int]]) -> bool:
    size = len(basis)
    gram = [[Fraction(0)] * size for _ in range(size)]
    for x, y, weight in points:
        u, v, t = (
            [sum((as_fraction(a) * b for a, b in zip(h, row, strict=True)), start=Fraction(0)) for h in basis]
            for row in _second_derivatives(r, x, y)
        )
        for i in range(size):
            for j in range(size):
                gram[i][j] += weight * ((u[i] * t[j] + u[j] * t[i]) / 2 - v[i] * v[j])
    diagonal, _ = diagonalise(gram)
    return all(x > 0 for x in diagonal) and len(diagonal) == size


def discriminant_square(basis: Sequence[Form]) -> tuple[Fraction, dict[tuple[int, ...], Fraction]] | None:
    """c and s with discriminant of sum of t_k basis_k = c s(t)^2; None when it is no such product, or zero.

    Coefficients of operators are those of X^w, X^(w-1) Y, ..., Y^w. The discriminant is the square of a polynomial in the
    roots for operators that split.

    Examples
    --------
    >>> discriminant_square([[1, 0, -3, 0], [0, 3, 0, -1]])
    (Fraction(108, 1), {(0, 0): Fraction(1, 1), (1, 1): Fraction(1, 1)})
    """
    k, w = len(basis), len(basis[0]) - 1
    names = ("x", *(f"t{i}" for i in range(k)))
    context = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)
    x, *t = context.gens()
    f = context.from_dict({})
    for parameter, g in zip(t, basis, strict=True):
        for j, c in enumerate(g):
            f += parameter * x ** (w - j) * rational(as_fraction(c))
    if f.degrees()[0] < w:
        return None
    lead = sum((t_ * rational(as_fraction(g[0])) for t_, g in zip(t, basis, strict=True)), context.from_dict({}))
    discriminant = f.resultant(f.derivative("x"), "x") * (-1) ** (w * (w - 1) // 2)
    discriminant, rest = divmod(discriminant, lead)
    if not discriminant or rest:
        return None
    parts = irreducible_factors(discriminant)
    if parts is None:
        return None
    constant, factors = parts
    if any(e % 2 for _, e in factors):
        return None
    root = context.from_dict({(0,) * (k + 1): 1})
    for factor, e in factors:
        root *= factor ** (e // 2)
    terms = {
        tuple(i for i in range(k) for _ in range(int(exponents[i + 1]))): Fraction(int(c.p), int(c.q))
        for exponents, c in root.to_dict().items()
    }
    return Fraction(int(constant.p), int(constant.q)), terms
