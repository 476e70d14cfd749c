"""Binary forms: Hankel kernels, common and real roots with the root at infinity, splitting modulo a prime.

A form of degree m in two variables is the list of its m + 1 coefficients: entry j belongs to x^(m-j) y^j. Operators are
written in the same way, with X and Y. The root at infinity is the factor Y (or y): zeros at the start of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial, gcd, lcm
from typing import Any

from . import limits
from .scalars import Algebraic, Number, bit_length, inverse, normal, sign
from .targets import Target
from .units import check_operations

Form = list[Any]


def check_sizes(values: Sequence[Number], degree: int, pointer: str) -> None:
    """Refuse forms whose elimination or remainder sequence would exceed the limit of operations.

    The numbers that arise are minors: as long as ``degree`` of the given numbers together.
    """
    words = 1 + degree * max((bit_length(x) for x in values), default=1) // 64
    width = max((x.field.degree for x in values if isinstance(x, Algebraic)), default=1)
    check_operations((degree + 2) ** 3 * words**2 * width**2, limits.OPERATIONS, pointer)


def coefficients(target: Target) -> Form:
    """The coefficients of a target that is one form in two variables."""
    d = target.space.form_degree
    form: Form = [0] * (d + 1)
    for word, value in target.entries.items():
        form[sum(word)] = value
    return form


def moments(form: Sequence[Number]) -> Form:
    """Coefficients on the divided powers x^(d-j) y^j / ((d-j)! j!): operators act on them as Hankel matrices."""
    d = len(form) - 1
    return [value * (factorial(d - j) * factorial(j)) for j, value in enumerate(form)]


def act(operator: Sequence[Number], form_moments: Sequence[Number]) -> Form:
    """Moments of operator o form; empty when the operator has the larger degree."""
    return [
        total([x * form_moments[k + j] for j, x in enumerate(operator)])
        for k in range(len(form_moments) - len(operator) + 1)
    ]


def total(terms: Sequence[Number]) -> Number:
    """Sum in normal form."""
    result: Any = 0
    for term in terms:
        result = result + term
    return normal(result) if isinstance(result, Fraction) else result


def product(left: Sequence[Number], right: Sequence[Number]) -> Form:
    """Product of two forms."""
    result: Form = [0] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            result[i + j] = result[i + j] + x * y
    return result


def kernel(rows: Sequence[Sequence[Number]], n: int) -> list[Form]:
    """Basis of the vectors of length n that all rows annihilate (exact Gauss-Jordan elimination)."""
    reduced: list[Form] = []
    pivots: list[int] = []
    for row in rows:
        work = list(row)
        for pivot, other in zip(pivots, reduced, strict=True):
            if work[pivot] != 0:
                work = _combine(work, work[pivot], other)
        column = next((j for j, x in enumerate(work) if x != 0), None)
        if column is None:
            continue
        scale = inverse(work[column])
        work = [_normal(x * scale) for x in work]
        reduced = [_combine(other, other[column], work) if other[column] != 0 else other for other in reduced]
        reduced.append(work)
        pivots.append(column)
    basis: list[Form] = []
    for free in range(n):
        if free not in pivots:
            vector: Form = [0] * n
            vector[free] = 1
            for pivot, row in zip(pivots, reduced, strict=True):
                vector[pivot] = -row[free]
            basis.append(vector)
    return basis


def _combine(left: Form, factor: Any, right: Form) -> Form:
    return [_normal(x - factor * y) for x, y in zip(left, right, strict=True)]


def _normal(x: Any) -> Any:
    return normal(x) if isinstance(x, Fraction) else x


def apolar_forms(form_moments: Sequence[Number], degree: int) -> list[Form]:
    """Basis of the operators of this degree that kill the form."""
    rows = [form_moments[k : k + degree + 1] for k in range(len(form_moments) - degree)]
    return kernel(rows, degree + 1)


def primitive(form: Sequence[Number]) -> list[int]:
    """The multiple of a rational form that has coprime integer coefficients."""
    scale = lcm(*(x.denominator for x in form))  # type: ignore[union-attr]
    integers = [int(x * scale) for x in form]  # type: ignore[operator, arg-type]
    content = gcd(*integers)
    return [x // content for x in integers]


# Roots. A form is c y^k times the homogenisation of a polynomial f(x) of degree m - k; f is a list in ascending order.


def finite_part(form: Sequence[Number]) -> tuple[int, Form]:
    """Multiplicity k of the root at infinity, and the polynomial f of a form that is not zero."""
    k = next(j for j, x in enumerate(form) if x != 0)
    return k, list(reversed(form[k:]))


def is_squarefree(form: Sequence[Number]) -> bool:
    """Whether the linear factors over an algebraically closed field are pairwise not proportional."""
    k, f = finite_part(form)
    return k <= 1 and len(_gcd(f, _derivative(f))) == 1


def distinct_roots(form: Sequence[Number]) -> int:
    """Number of distinct linear factors over an algebraically closed field."""
    k, f = finite_part(form)
    return (k > 0) + len(f) - len(_gcd(f, _derivative(f)))


def largest_multiplicity(form: Sequence[Number]) -> int:
    """Largest multiplicity of a linear factor over an algebraically closed field."""
    k, f = finite_part(form)
    steps = 0
    while len(f) > 1:
        f = _gcd(f, _derivative(f))
        steps += 1
    return max(k, steps)


def is_real_rooted(form: Sequence[Number]) -> bool:
    """Whether all linear factors are real, with multiplicities (Sturm's theorem on the whole line)."""
    k, f = finite_part(form)
    chain = [f, _derivative(f)]
    while chain[-1]:
        # Positive multiples keep the signs.
        chain.append(_scaled([-x for x in _remainder(chain[-2], chain[-1])], positive=True))
    chain.pop()
    right = [sign(g[-1]) for g in chain]
    left = [s if len(g) % 2 else -s for s, g in zip(right, chain, strict=True)]
    real = _variations(left) - _variations(right)
    return real + (k > 0) == distinct_roots(form)


def _variations(signs: Sequence[int]) -> int:
    return sum(a != b for a, b in zip(signs, signs[1:], strict=False))


def _derivative(f: Sequence[Number]) -> Form:
    return [i * c for i, c in enumerate(f)][1:]


def _remainder(f: Sequence[Number], g: Sequence[Number]) -> Form:
    rest = list(f)
    scale = inverse(g[-1])
    while len(rest) >= len(g):
        factor: Any = rest[-1] * scale
        shift = len(rest) - len(g)
        for i, c in enumerate(g):
            rest[shift + i] = _normal(rest[shift + i] - factor * c)
        rest.pop()
        while rest and rest[-1] == 0:
            rest.pop()
    return rest


def _gcd(f: Sequence[Number], g: Sequence[Number]) -> Form:
    a, b = list(f), list(g)
    while b:
        a, b = b, _scaled(_remainder(a, b))
    return a


def _scaled(f: Form, positive: bool = False) -> Form:
    """A multiple of f with short coefficients; ``positive`` keeps the signs at the declared real root."""
    if not any(isinstance(x, Algebraic) for x in f):
        return primitive(f) if f else f
    scale: Any = inverse(f[-1])
    if positive and sign(f[-1]) < 0:
        scale = -scale
    return [_normal(x * scale) for x in f]


# Splitting modulo a prime


def splits_modulo(form: Sequence[int], p: int) -> bool:
    """Whether an integer form, not zero modulo p, is a product of linear forms over GF(p)."""
    reduced = [x % p for x in form]
    _, f = finite_part(reduced)
    if len(f) <= 2:
        return True
    lead = pow(f[-1], -1, p)
    f = [c * lead % p for c in f]
    # f is a product of linear factors exactly when it divides a power of t^p - t.
    step = _power_modulo([0, 1], p, f, p)
    step += [0] * (2 - len(step))
    step[1] -= 1
    return not any(_power_modulo(_reduce(step, f, p), len(f) - 1, f, p))


def _reduce(g: Sequence[int], f: Sequence[int], p: int) -> list[int]:
    """Remainder of g by the monic f modulo p."""
    rest = [c % p for c in g]
    while len(rest) >= len(f):
        factor = rest.pop()
        shift = len(rest) - len(f) + 1
        for i, c in enumerate(f[:-1]):
            rest[shift + i] = (rest[shift + i] - factor * c) % p
    return rest


def _power_modulo(g: Sequence[int], exponent: int, f: Sequence[int], p: int) -> list[int]:
    result, base = [1], _reduce(g, f, p)
    while exponent:
        if exponent & 1:
            result = _reduce(product(result, base), f, p)
        base = _reduce(product(base, base), f, p)
        exponent >>= 1
    return result
