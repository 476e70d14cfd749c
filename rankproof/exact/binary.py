"""Binary forms and the operators that kill them: Hankel kernels, squarefree and real-rooted forms, linear factors.

A form of degree m is the tuple of its coefficients: entry j belongs to x^(m-j) y^j, or X^(m-j) Y^j for an operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import factorial, gcd, isqrt, lcm
from typing import Any

import flint

from rankproof.exact.polynomial_factors import irreducible_factors
from rankproof.problem.field import Algebraic, Field, NumberField, Scalar, rational
from rankproof.problem.target import Target

Form = tuple[Scalar, ...]
Integers = tuple[int, ...]
Factor = tuple[Scalar, Scalar]
"""(s, t) stands for the operator s X + t Y; it kills the linear form t x - s y."""


def coefficients(target: Target) -> Form:
    """Coefficients of a target that is one form in two variables."""
    form: list[Scalar] = [0] * (target.space.form_degree + 1)
    for word, c in target.entries:
        form[sum(word)] = c
    return tuple(form)


def divided(form: Sequence[Scalar]) -> Form:
    """Coefficients on the divided powers, on which an operator acts by shifting.

    Examples
    --------
    >>> contract((1, 0), divided((0, 3, 0, 0)))
    (0, 6, 0)
    """
    d = len(form) - 1
    return tuple(c * (factorial(d - j) * factorial(j)) for j, c in enumerate(form))


def contract(operator: Sequence[Scalar], moments: Sequence[Scalar]) -> Form:
    """Operator o form, both on divided powers; empty when the operator has the larger degree."""
    return tuple(
        _plain(sum((c * moments[k + j] for j, c in enumerate(operator) if c), start=0))
        for k in range(len(moments) - len(operator) + 1)
    )


def multiply(left: Sequence[Scalar], right: Sequence[Scalar]) -> Form:
    """Product of two forms."""
    product: list[Scalar] = [0] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        if x:
            for j, y in enumerate(right):
                product[i + j] = product[i + j] + x * y
    return tuple(_plain(x) for x in product)


def product_of(factors: Iterable[Sequence[Scalar]]) -> Form:
    """Product of many forms."""
    result: Form = (1,)
    for factor in factors:
        result = multiply(result, factor)
    return result


def _plain(x: Scalar) -> Scalar:
    return rational(x) if isinstance(x, Fraction) else x


def integral(form: Sequence[Scalar]) -> Integers:
    """The multiple of a rational form with coprime integer coefficients."""
    fractions = [Fraction(c) for c in form]  # type: ignore[arg-type]
    scale = lcm(*(c.denominator for c in fractions))
    integers = [int(c * scale) for c in fractions]
    content = gcd(*integers) or 1
    return tuple(c // content for c in integers)


def null_space(rows: Iterable[Sequence[Scalar]], n: int, ring: Field) -> list[Form]:
    """Basis of the vectors of length n on which all rows vanish; integral over QQ."""
    echelon: dict[int, list[Scalar]] = {}
    for row in rows:
        work = list(row)
        for pivot, other in echelon.items():
            if factor := work[pivot]:
                work = [_plain(x - factor * y) for x, y in zip(work, other, strict=True)]
        place = next((j for j, x in enumerate(work) if x), None)
        if place is None:
            continue
        scale = ring.inverse(work[place])
        work = [_plain(x * scale) for x in work]
        for pivot, other in echelon.items():
            if factor := other[place]:
                echelon[pivot] = [_plain(x - factor * y) for x, y in zip(other, work, strict=True)]
        echelon[place] = work
    basis: list[Form] = []
    for free in range(n):
        if free not in echelon:
            vector = [-echelon[j][free] if j in echelon else int(j == free) for j in range(n)]
            basis.append(integral(vector) if ring.number_field is None else tuple(vector))
    return basis


def apolar_basis(moments: Sequence[Scalar], degree: int, ring: Field) -> list[Form]:
    """Basis of the operators of one degree that kill the form with these moments.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> apolar_basis(divided((0, 1, 0, 0)), 2, QQ)
    [(0, 0, 1)]
    """
    rows = [moments[k : k + degree + 1] for k in range(len(moments) - degree)]
    return null_space(rows, degree + 1, ring)


# Factors of rational forms


@lru_cache(maxsize=4096)
def factored(form: Integers) -> tuple[tuple[Integers, int], ...]:
    """Irreducible factors over QQ of an integer form that is not zero, with multiplicities.

    Examples
    --------
    >>> factored((0, 1, 0, -1, 0, 0))
    (((0, 1), 1), ((1, 0), 2), ((1, -1), 1), ((1, 1), 1))
    """
    at_infinity = next(j for j, c in enumerate(form) if c)
    polynomial = flint.fmpz_poly(list(reversed(form[at_infinity:])))
    found: list[tuple[Integers, int]] = [((0, 1), at_infinity)] if at_infinity else []
    for factor, multiplicity in polynomial.factor()[1]:
        found.append((tuple(int(c) for c in reversed(factor.coeffs())), multiplicity))
    return tuple(found)


def is_squarefree(form: Integers) -> bool:
    """Whether a rational form has no repeated factor."""
    return all(multiplicity == 1 for _, multiplicity in factored(form))


def is_real_rooted(form: Integers) -> bool:
    """Whether all linear factors of a rational form are real."""
    return all(_is_real_rooted(factor) for factor, _ in factored(form))


@lru_cache(maxsize=4096)
def _is_real_rooted(factor: Integers) -> bool:
    if len(factor) <= 2:
        return True
    if len(factor) == 3:
        a, b, c = factor
        return b * b > 4 * a * c
    # flint isolates the roots; a real one has an imaginary part that is exactly zero.
    roots: list[Any] = flint.fmpz_poly(list(reversed(factor))).complex_roots()
    return all(root.imag == 0 for root, _ in roots)


# Linear factors over an exact field


def linear_factors(form: Sequence[Scalar], ring: Field) -> list[tuple[Factor, int]] | None:
    """All linear factors over QQ or a number field with multiplicities; None when some factor is not linear.

    Examples
    --------
    >>> linear_factors((1, 0, 1), Field("QQ")) is None
    True
    >>> [str(t) for (s, t), multiplicity in linear_factors((1, 0, 1), Field.parse("QQ(i)"))]
    ['i', '-i']
    """
    field = ring.number_field
    if all(not isinstance(c, Algebraic) for c in form):
        found: list[tuple[Factor, int]] = []
        for factor, multiplicity in factored(integral(form)):
            if len(factor) == 2:
                found.append(((factor[0], factor[1]), multiplicity))
                continue
            if field is None or field.degree % (len(factor) - 1):
                return None
            roots = roots_in(tuple(reversed(factor)), field)
            if len(roots) < len(factor) - 1:
                return None
            found += [((1, -root), multiplicity) for root in roots]
        return found
    if field is None:
        return None
    at_infinity = next(j for j, c in enumerate(form) if c)
    polynomial = tuple(reversed(form[at_infinity:]))
    found = [((0, 1), at_infinity)] if at_infinity else []
    if len(polynomial) == 3 and not _may_be_square(_discriminant(polynomial), field):
        return None
    common = _common_divisor(polynomial, _derivative(polynomial), ring)
    squarefree = _quotient(polynomial, common, ring)
    roots = roots_in(squarefree, field)
    if len(roots) < len(squarefree) - 1:
        return None
    for root in roots:
        multiplicity, rest = 0, polynomial
        while len(rest) > 1 and not _value(rest, root):
            rest = _quotient(rest, (-root, 1), ring)
            multiplicity += 1
        found.append(((1, -root), multiplicity))
    return found


def roots_in(polynomial: Sequence[Scalar], field: NumberField) -> list[Scalar]:
    """Roots in a number field of a squarefree polynomial over it (ascending coefficients), by factoring its norm."""
    if len(polynomial) <= 1:
        return []
    ring = Field(str(field), 0, field)
    if len(polynomial) == 2:
        return [_plain(-polynomial[0] * ring.inverse(polynomial[1]))]
    if len(polynomial) == 3 and not _may_be_square(_discriminant(polynomial), field):
        return []
    context = flint.fmpq_mpoly_ctx.get(["x", "a"])
    x, a = context.gens()
    minimal: Any = sum((c * a**k for k, c in enumerate(field.minimal_polynomial)), start=0 * a)
    # A shift by a multiple of the generator makes the norm squarefree; then its factors are norms of factors.
    for shift in range(len(polynomial) * field.degree + 2):
        moved = sum(
            (_in_generator(c, a) * (x - shift * a) ** k for k, c in enumerate(polynomial)), start=0 * a
        )
        norm = minimal.resultant(moved, "a")
        found = irreducible_factors(norm)
        if found is None:
            return []
        _, parts = found
        if any(multiplicity > 1 for _, multiplicity in parts):
            continue
        roots: list[Scalar] = []
        for part, _ in parts:
            terms = part.to_dict()
            degree = max(exponents[0] for exponents in terms)
            if degree != field.degree:
                continue
            back = [Fraction(0)] * (degree + 1)
            for exponents, c in terms.items():
                back[exponents[0]] = Fraction(int(c.p), int(c.q))
            generator = field.generator()
            composed: Form = (0,)
            for c in reversed(back):
                composed = _add(multiply(composed, (shift * generator if shift else 0, 1)), c)
            common = _common_divisor(polynomial, composed, ring)
            if len(common) == 2:
                roots.append(_plain(-common[0] * ring.inverse(common[1])))
        return roots
    return []


def _discriminant(quadratic: Sequence[Scalar]) -> Scalar:
    return quadratic[1] * quadratic[1] - 4 * quadratic[0] * quadratic[2]


def _may_be_square(x: Scalar, field: NumberField) -> bool:
    """Whether the norm from a quadratic field is a square; True for other fields."""
    if field.degree != 2:
        return True
    u, v = x.coefficients if isinstance(x, Algebraic) else (Fraction(x), Fraction(0))
    c, b, _ = field.minimal_polynomial
    norm = u * u - b * u * v + c * v * v
    return norm >= 0 and all(isqrt(n) ** 2 == n for n in (norm.numerator, norm.denominator))


def _in_generator(c: Scalar, a: flint.fmpq_mpoly) -> flint.fmpq_mpoly:
    parts = c.coefficients if isinstance(c, Algebraic) else (Fraction(c),)
    return sum((flint.fmpq(x.numerator, x.denominator) * a**k for k, x in enumerate(parts)), start=0 * a)


def _add(polynomial: Form, constant: Scalar) -> Form:
    return (_plain(polynomial[0] + constant), *polynomial[1:])


def _strip(f: Sequence[Scalar]) -> Form:
    n = len(f)
    while n and not f[n - 1]:
        n -= 1
    return tuple(f[:n])


def _derivative(f: Sequence[Scalar]) -> Form:
    return tuple(_plain(k * c) for k, c in enumerate(f))[1:]


def _divide(f: Sequence[Scalar], g: Sequence[Scalar], ring: Field) -> tuple[Form, Form]:
    rest = list(_strip(f))
    g = _strip(g)
    scale = ring.inverse(g[-1])
    quotient: list[Scalar] = [0] * max(len(rest) - len(g) + 1, 0)
    for shift in range(len(rest) - len(g), -1, -1):
        factor = rest[shift + len(g) - 1] * scale
        quotient[shift] = _plain(factor)
        if factor:
            for i, c in enumerate(g):
                rest[shift + i] = _plain(rest[shift + i] - factor * c)
    return tuple(quotient), _strip(rest)


def _quotient(f: Sequence[Scalar], g: Sequence[Scalar], ring: Field) -> Form:
    return _divide(f, g, ring)[0]


def _common_divisor(f: Sequence[Scalar], g: Sequence[Scalar], ring: Field) -> Form:
    a, b = _strip(f), _strip(g)
    while b:
        a, b = b, _divide(a, b, ring)[1]
    return a


def _value(f: Sequence[Scalar], x: Scalar) -> Scalar:
    result: Scalar = 0
    for c in reversed(f):
        result = _plain(result * x + c)
    return result


def solve_combination(columns: Sequence[Sequence[Scalar]], side: Sequence[Scalar], ring: Field) -> Form | None:
    """Coefficients x with sum x_j columns_j = side over an exact field; None when there are none."""
    n = len(columns)
    rows = [[*(column[i] for column in columns), side[i]] for i in range(len(side))]
    for vector in null_space(rows, n + 1, ring):
        if vector[n]:
            scale = ring.inverse(-vector[n])
            return tuple(_plain(x * scale) for x in vector[:n])
    return None
