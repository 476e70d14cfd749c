"""Search for operators that kill a binary form and split into linear factors.

F is a sum of r powers over K when an operator h of degree r that kills it is a product of different linear forms over K
(r <= d + 1), and a sum of w units a^(d-1) b when h^2 kills it for such an h of degree w.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice, product
from math import gcd, isqrt
from typing import cast

import numpy as np

from rankproof.bounds.explicit import Detectors, MergedUnits, direction
from rankproof.bounds.method import Budget
from rankproof.exact.binary import (
    Factor,
    Form,
    Integers,
    apolar_basis,
    coefficients,
    contract,
    divided,
    factored,
    integral,
    is_real_rooted,
    is_squarefree,
    linear_factors,
    multiply,
    product_of,
    roots_in,
    solve_combination,
)
from rankproof.exact.factoring import square_part
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field, NumberField, Scalar, number
from rankproof.problem.target import Target

MAX_DEGREE = 40
"""Degrees beyond it are left to other methods."""

TRIALS = 8000
"""Choices of the rational factors of an operator."""

REAL_TRIALS = 80
"""The same where any quadratic field will do; the smallest one is kept."""

LONGEST_DISCRIMINANT = 10**40
"""Of a polynomial; the square part of a longer one is not looked for."""

LARGEST_DISCRIMINANT = 10**8
"""Of a quadratic field in an explicit decomposition."""


@dataclass(frozen=True)
class BinaryForm:
    """A rational binary form with its apolar form of least degree.

    Attributes
    ----------
    form
        Coprime integer coefficients: widths do not change with a factor.
    moments
        On divided powers.
    generator
        An operator of least degree that kills it.
    least
        Its degree; every operator of a degree below ``other`` that kills the form is a multiple of it.
    other
        d + 2 - least.
    """

    form: Integers
    moments: Integers
    generator: Integers
    least: int
    other: int

    @property
    def degree(self) -> int:
        """Degree of the form."""
        return len(self.form) - 1


def is_binary(target: Target) -> bool:
    """Whether a target is one form in two variables over QQ, of a degree that is searched."""
    space = target.space
    if not space.is_polynomial or space.variables_count != 2 or space.outputs != 1:
        return False
    return target.ring == QQ and len(space.factors) == 1 and space.form_degree <= MAX_DEGREE


@lru_cache(maxsize=64)
def analysed(target: Target) -> BinaryForm:
    """The form of a target with its first apolar form."""
    form = integral(coefficients(target))
    moments = cast(Integers, divided(form))
    degree = 1
    while not (basis := apolar_basis(moments, degree, QQ)):
        degree += 1
    return BinaryForm(form, moments, cast(Integers, basis[0]), degree, len(form) + 1 - degree)


@dataclass(frozen=True)
class Operator:
    """An operator with its linear factors over an exact field, when they are known."""

    form: Form
    ring: Field | None = None
    factors: tuple[Factor, ...] = ()


def splitting_field(form: Integers) -> Field | None:
    """QQ, or the quadratic field over which a rational form splits; None when it needs a larger one, or long numbers.

    Examples
    --------
    >>> str(splitting_field((1, 0, -12))), splitting_field((1, 0, 0, -2))
    ('QQ(sqrt3)', None)
    """
    found: Field = QQ
    for factor, _ in factored(form):
        if len(factor) > 3:
            return None
        if len(factor) == 3:
            a, b, c = factor
            if abs(b * b - 4 * a * c) > LONGEST_DISCRIMINANT:
                return None
            field = quadratic_field(b * b - 4 * a * c)
            if found not in (QQ, field):
                return None
            found = field
    return found


def quadratic_field(discriminant: int) -> Field:
    """QQ(sqrt(D)) of an integer that is no square, with a symbol that depends on the field alone."""
    d, _ = square_part(discriminant)
    symbol = "i" if d == -1 else f"sqrt{d}" if d > 0 else f"sqrtm{-d}"
    return number(NumberField.sqrt(d, symbol if len(symbol) <= 16 else "a"))


def split(form: Sequence[Scalar], ring: Field, chosen: Sequence[Factor] = ()) -> Operator | None:
    """The product of an operator and chosen factors, with all its factors; None unless they are linear and different."""
    found = linear_factors(form, ring)
    if found is None or any(multiplicity > 1 for _, multiplicity in found):
        return None
    factors = (*chosen, *(factor for factor, _ in found))
    if len({direction(factor, ring)[0] for factor in factors}) < len(factors):
        return None
    return Operator(multiply(product_of(chosen), form), ring, factors)


def accepts(field: Field) -> Callable[[Form], bool]:
    """Test of a rational operator over RR or CC: different linear factors over the field."""

    def test(form: Form) -> bool:
        integers = integral(form)
        return is_squarefree(integers) and (field == CC or is_real_rooted(integers))

    return test


def tied_operator(
    binary: BinaryForm, r: int, field: Field, budget: Budget, rng: np.random.Generator
) -> Operator | None:
    """An operator of degree r that kills the form and splits over the field into different factors, if one is found."""
    if r < binary.least or binary.least < r < binary.other:
        return None
    candidates = _tied_candidates(binary, r, field, rng)
    test = None if field.is_exact else accepts(field)
    for count, (chosen, rest) in enumerate(candidates):
        if count > TRIALS or budget.exhausted():
            break
        if not any(rest):
            continue
        if test is None:
            if found := split(rest, field, chosen):
                return found
        elif test(form := multiply(product_of(chosen), rest)):
            ring = splitting_field(integral(form))
            return split(form, ring) if ring else Operator(form)
    return None


def _tied_candidates(
    binary: BinaryForm, r: int, field: Field, rng: np.random.Generator
) -> Iterator[tuple[tuple[Factor, ...], Form]]:
    """Operators of degree r that kill the form: some linear factors, and the product of the others."""
    if r < binary.other:
        yield (), binary.generator
        return
    # When some factors are chosen, the other ones solve as many linear equations as they are.
    others = binary.degree - r + 1
    basis = apolar_basis(binary.moments, r, QQ) if others > 1 else []
    yield from (((), form) for form in basis)
    if len(basis) <= 4:
        for c in _small_vectors(len(basis), 2):
            yield (), _combination(basis, c)
    if field == CC and basis:
        for _ in range(60):
            yield (), _combination(basis, [int(x) for x in rng.integers(-9, 10, len(basis))])
    for factors in _choices(r - others, field, rng):
        moments = contract(product_of(factors), binary.moments)
        for form in apolar_basis(moments, others, field if field.number_field else QQ)[:1]:
            yield factors, form


def _small_vectors(n: int, size: int) -> Iterator[tuple[int, ...]]:
    for c in sorted(product(range(-size, size + 1), repeat=n), key=lambda c: sum(map(abs, c))):
        if next((x for x in c if x), 0) > 0 and sum(1 for x in c if x) > 1:
            yield c


def _combination(basis: Sequence[Form], c: Sequence[int]) -> Form:
    return tuple(
        sum((x * vector[j] for x, vector in zip(c, basis, strict=True) if x), start=0)
        for j in range(len(basis[0]))
    )


@lru_cache(maxsize=16)
def _pool(field: Field) -> tuple[Factor, ...]:
    """Linear factors with small coefficients, the smallest first; over a number field irrational ones among them."""
    rationals = [(1, 0), (0, 1)]
    pairs = [(s, t) for s in range(1, 8) for t in range(1, 8) if gcd(s, t) == 1]
    for s, t in sorted(pairs, key=lambda pair: (max(pair), pair)):
        rationals += [(s, t), (s, -t)]
    if field.number_field is None:
        return tuple(rationals)
    a = field.number_field.generator()
    irrational: list[Factor] = []
    parts = [(u, v, w) for w in (1, 2, 3) for v in range(1, 4) for u in range(4) if gcd(u, v, w) == 1]
    for u, v, w in sorted(parts, key=lambda part: (max(part), sum(part))):
        x, y = Fraction(u, w) + Fraction(v, w) * a, Fraction(u, w) - Fraction(v, w) * a
        irrational += [(1, x), (1, -x), *([(1, y), (1, -y)] if u else [])]
    # Four of one kind, then four of the other.
    blocks = [
        part[k : k + 4]
        for k in range(0, max(len(irrational), len(rationals)), 4)
        for part in (rationals, irrational)
    ]
    return tuple(factor for block in blocks for factor in block)


def _choices(count: int, field: Field, rng: np.random.Generator) -> Iterator[tuple[Factor, ...]]:
    """Sets of so many different factors: all of the smallest ones, pairs of opposite ones, then random ones."""
    pool = _pool(field if field.number_field else QQ)
    if count == 0:
        yield ()
        return
    if count > len(pool):
        return
    if count <= 2:
        # All of them, those of small factors first; with rational ones everything is faster.
        rationals = _pool(QQ)[:42]
        for part in (rationals, pool) if field.number_field else (_pool(QQ),):
            for last in range(len(part)):
                yield from ((*rest, part[last]) for rest in combinations(part[:last], count - 1))
        return
    small = pool[: max(count + 2, 8)]
    for number_, chosen in enumerate(combinations(small, count)):
        if number_ > 300:
            break
        yield chosen
    opposite = [((s, t), (s, -t)) for s, t in pool[2:] if isinstance(t, Algebraic) or t > 0]
    for number_, pairs in enumerate(combinations(opposite[:14], count // 2)):
        if number_ > 600:
            break
        for single in ((), ((1, 0),), ((0, 1),)) if count % 2 else ((),):
            chosen = tuple(dict.fromkeys([*(f for pair in pairs for f in pair), *single]))
            if len(chosen) == count:
                yield chosen
    while True:
        size = int(rng.integers(count, len(pool) + 1))
        yield tuple(pool[int(k)] for k in rng.choice(size, count, replace=False))


def untied_operator(
    binary: BinaryForm, w: int, field: Field, budget: Budget, rng: np.random.Generator
) -> Operator | None:
    """An operator of degree w whose square kills the form, with different factors over the field, if one is found."""
    missing = binary.degree + 1 - 2 * w
    ring = field if field.is_exact else QQ
    if missing <= 0:
        return split(product_of(_pool(QQ)[:w]), ring)
    for form in _special_squares(binary, w):
        integers = integral(form)
        if not is_squarefree(integers):
            continue
        if field.is_exact:
            if found := split(form, field):
                return found
        elif field == CC or is_real_rooted(integers):
            quadratic = splitting_field(integers)
            return split(form, quadratic) if quadratic else Operator(form)
    if missing > 1:
        return None
    best: tuple[int, Operator] | None = None
    for count, factors in enumerate(_choices(w - 1, field, rng)):
        if count > (TRIALS if field.is_exact else REAL_TRIALS) or budget.exhausted():
            break
        chosen = product_of(factors)
        for last, last_ring, size in _last_factors(contract(multiply(chosen, chosen), binary.moments), field):
            if best is not None and size >= best[0]:
                continue
            if found := split(multiply(chosen, last), last_ring):
                if field.is_exact or not size:
                    return found
                best = size, found
    return None if best is None else best[1]


def _last_factors(quadric: Form, field: Field) -> Iterator[tuple[Factor, Field, int]]:
    """Linear operators whose squares kill a form of degree 2, with the field of their coefficients and its size."""
    q0, q1, q2 = quadric
    ring = field if field.number_field else QQ
    # s^2 q0 + 2 s t q1 + t^2 q2 = 0
    if not q2:
        yield (0, 1), ring, 0
        if q1:
            yield (1, -q0 * ring.inverse(2 * q1)), ring, 0
        return
    disc = q1 * q1 - q0 * q2
    size = 0
    roots: list[Scalar]
    if field.number_field:
        roots = list(roots_in((-disc, 0, 1), field.number_field)) if disc else [0]
    else:
        value = Fraction(disc)  # type: ignore[arg-type]
        whole, side = value.numerator * value.denominator, value.denominator
        if whole >= 0 and isqrt(whole) ** 2 == whole:
            roots = [Fraction(isqrt(whole), side), -Fraction(isqrt(whole), side)]
        elif field == QQ or (field == RR and value < 0):
            return
        else:
            d, s = square_part(whole)
            if abs(d) > LARGEST_DISCRIMINANT:
                return
            ring, size = quadratic_field(d), abs(d)
            roots = [cast(NumberField, ring.number_field).generator() * Fraction(s, side)]
    for root in roots:
        yield (1, (root - q1) * ring.inverse(q2)), ring, size


def _special_squares(binary: BinaryForm, w: int) -> Iterator[Form]:
    """Operators of degree w with few terms, or made of the factors of the first apolar form, whose squares kill the form."""
    hull = square_hull(binary.generator)
    if len(hull) - 1 == w:
        yield hull
    for i, j in combinations(range(w + 1), 2):
        first, second = (tuple(int(k == place) for k in range(w + 1)) for place in (i, j))
        parts = [
            contract(multiply(x, y), binary.moments)
            for x, y in ((first, first), (first, second), (second, second))
        ]
        # (first + c second)^2 o F = p0 + 2 c p1 + c^2 p2 in every coefficient.
        for c in _common_solutions([(p0, 2 * p1, p2) for p0, p1, p2 in zip(*parts, strict=True)]):
            yield tuple(int(k == i) + c * int(k == j) for k in range(w + 1))
    if sum(1 for c in binary.form if c) == 1:
        yield from _monomial_squares(binary, w)


def _monomial_squares(binary: BinaryForm, w: int) -> Iterator[Form]:
    """Operators h of degree w with leading coefficient 1 whose squares kill x^a y^b.

    The coefficients of h^2 at Y^(b - k), k = 0..d - 2w, vanish: an equation for the coefficient of h at the same place.
    """
    b = next(j for j, c in enumerate(binary.form) if c)
    least = max(b - (binary.degree - 2 * w), 1)
    free = [j for j in range(1, w + 1) if not least <= j <= b]
    for chosen in islice(product((0, 1, -1, 2, -2), repeat=len(free)), 2000):
        h: list[Scalar] = [int(j == 0) for j in range(w + 1)]
        for j, c in zip(free, chosen, strict=True):
            h[j] = c
        for j in range(least, min(b, w) + 1):
            h[j] = -Fraction(sum(h[i] * h[j - i] for i in range(1, j))) / 2  # type: ignore[arg-type]
        if not any(contract(multiply(h, h), binary.moments)):
            yield tuple(h)


def square_hull(form: Integers) -> Form:
    """The operator of least degree whose square is a multiple of this one."""
    return product_of(
        factor for factor, multiplicity in factored(form) for _ in range((multiplicity + 1) // 2)
    )


def _common_solutions(equations: list[tuple[Scalar, Scalar, Scalar]]) -> list[Scalar]:
    """Rational common zeros, not 0, of polynomials p0 + p1 c + p2 c^2; some of them when all vanish."""
    equations = [e for e in equations if any(e)]
    if not equations:
        return [-1, 1, -2]
    p0, p1, p2 = (Fraction(x) for x in equations[0])  # type: ignore[arg-type]
    if not p2:
        found = [-p0 / p1] if p1 else []
    else:
        disc = p1 * p1 - 4 * p0 * p2
        top = disc.numerator * disc.denominator
        if top < 0 or isqrt(top) ** 2 != top:
            return []
        root = Fraction(isqrt(top), disc.denominator)
        found = [(-p1 + root) / (2 * p2), (-p1 - root) / (2 * p2)]
    return [c for c in found if c and all(not (e[0] + e[1] * c + e[2] * c * c) for e in equations)]


# Units


def units_of(target: Target, units: str, operator: Operator) -> list[ExactUnit] | None:
    """The units whose forms the linear factors of an operator kill; None when the target is not in their span."""
    ring = operator.ring
    if ring is None:
        return None
    d = target.space.form_degree
    side = coefficients(target)
    forms = [(t, -s) for s, t in operator.factors]
    columns: list[Form] = []
    for form in forms:
        power = product_of([form] * (d if units == "tied" else d - 1))
        columns += [power] if units == "tied" else [multiply(power, (1, 0)), multiply(power, (0, 1))]
    solution = solve_combination(columns, side, ring)
    if solution is None:
        return None
    if units == "tied":
        merged = MergedUnits(ring, (d,), 1)
        for form, c in zip(forms, solution, strict=True):
            merged.add((form,), (c,))
        return merged.units()
    detectors = Detectors(ring, d)
    for k, form in enumerate(forms):
        detectors.add(form, solution[2 * k : 2 * k + 2], (1,))
    return detectors.units(2, 1)
