"""Monomials as sums of as few powers as over CC, with coefficients in a cyclotomic field of small degree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, factorial, prod

import numpy as np

from rankproof.bounds.explicit import MergedUnits, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.monomial_expansions import power_sum, power_sum_length
from rankproof.bounds.upper.monomials import Exponents, Monomials, monomials_of
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity, totient
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, MAX_FIELD_DEGREE, QQ, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

TERMS_PER_SECOND = 4_000
"""Terms of expanded units over a number field that are made, checked and verified in a second, cautiously."""

HIGHEST_ORDER = 60
"""Highest order of roots of unity that is tried."""


_CONDUCTORS = sorted(
    (m for m in range(3, HIGHEST_ORDER) if m % 4 != 2 and totient(m) <= MAX_FIELD_DEGREE),
    key=lambda m: (totient(m), m),
)
"""Orders that generate a cyclotomic field, those of low degree first."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The decomposition over the field of least degree, when it is shorter than what is known."""
    monomials = monomials_of(target)
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    if len(monomials) > 1 and most is not None and most <= 2:
        return []
    plan = _plan(tuple(monomials), field)
    if plan is None:
        return []
    ring, orders = plan
    if most is not None and sum(map(_length, monomials, orders)) >= most:
        return []
    d = target.space.form_degree
    terms = sum(
        _length(a, o) * comb(sum(e > 0 for e in a) + d - 1, d) * (totient(o) if o > 2 else 1)
        for a, o in zip(monomials, orders, strict=True)
    )
    if terms > TERMS_PER_SECOND * budget.left():
        budget.remark(f"about {terms} terms over {ring} are too many for the time left")
        return []
    found = _units(monomials, orders, target, ring)
    if most is not None and len(found) >= most:
        return []
    reason = f"{len(found)} powers with roots of unity in {ring}"
    return [decomposition_bound(target, units, ring, found, reason)]


def _length(a: Exponents, order: int) -> int:
    positive = sorted(e for e in a if e)
    return power_sum_length(a) if order <= 2 else prod(e + 1 for e in positive[1:])


@lru_cache(maxsize=64)
def _plan(monomials: tuple[Exponents, ...], field: Field) -> tuple[Field, tuple[int, ...]] | None:
    """A ring and for every monomial an order of roots of unity in it that gives the least number of powers.

    Monomials for which rational powers are as good have order 2.
    """
    asked = [_order(a, field) for a in monomials]
    if all(order == 2 for order in asked):
        return None
    for conductor in [1] if field.number_field else _CONDUCTORS:
        if field.number_field:
            orders = [m for m in range(3, HIGHEST_ORDER) if roots_of_unity(m, field)]
        else:
            divisors = [k for k in range(3, conductor + 1) if conductor % k == 0]
            orders = [*divisors, *(2 * k for k in divisors if conductor % 2)]
        chosen: list[int] = []
        for a, order in zip(monomials, asked, strict=True):
            fitting = [2] if order == 2 else [m for m in orders if _fits(a, m)]
            if not fitting:
                break
            chosen.append(min(fitting))
        else:
            return (field if field.number_field else cyclotomic(conductor)), tuple(chosen)
    return None


def _order(a: Exponents, field: Field) -> int:
    positive = sorted(e for e in a if e)
    rational = len(positive) < 2 or power_sum_length(a) == prod(e + 1 for e in positive[1:])
    return 2 if rational else 0


def _fits(a: Exponents, m: int) -> bool:
    """Whether unions of scaled sets of m-th roots of unity, with or without 0, serve in all variables but the first."""
    positive = sorted(e for e in a if e)
    return m > positive[0] and all((e + 1) % m in (0, 1) for e in positive[1:])


def _units(monomials: Monomials, orders: Sequence[int], target: Target, ring: Field) -> list[ExactUnit]:
    merged = MergedUnits(ring, (target.space.form_degree,), target.space.outputs)
    for (a, weights), order in zip(monomials.items(), orders, strict=True):
        terms = power_sum(a) if order == 2 else complex_power_sum(a, order, ring)
        for form, w in terms:
            merged.add((form,), weights, w)
    return merged.units()


def complex_power_sum(a: Exponents, m: int, ring: Field) -> list[tuple[tuple[Scalar, ...], Scalar]]:
    """Write x^a as a sum of prod(a_i + 1) powers, the product over all exponents but the least.

    Parameters
    ----------
    a
        Exponents, at least two of them positive, the least positive one below m.
    m
        The other positive exponents are 0 or -1 modulo m.
    ring
        A field that contains the m-th roots of unity.

    Notes
    -----
    The variable of the least exponent a_0 gets coefficient 1, and every other one runs over a_i + 1 nodes whose power sums of
    order 1 to a_0 vanish: scaled sets of m-th roots of unity. The divided difference over them takes t^e to 0 for e < a_i, to 1
    for e = a_i, and to 0 for a_i < e <= a_i + a_0, so that of the power only x^a is left.

    References
    ----------
    Buczynska, Buczynski, Teitler, *Waring decompositions of monomials*, Journal of Algebra 378 (2013).
    """
    first = min((i for i, e in enumerate(a) if e), key=lambda i: a[i])
    roots = roots_of_unity(m, ring)
    axes: list[list[tuple[Scalar, Scalar]]] = []
    for i, e in enumerate(a):
        if i == first:
            axes.append([(1, 1)])
        elif e == 0:
            axes.append([(0, 1)])
        else:
            axes.append(_weighted_nodes(e + 1, roots, ring))
    scale = Fraction(prod(map(factorial, a)), factorial(sum(a)))
    terms: list[tuple[tuple[Scalar, ...], Scalar]] = []
    for chosen in product(*axes):
        weight: Scalar = scale
        for _, w in chosen:
            weight = weight * w
        terms.append((tuple(t for t, _ in chosen), ring.reduce(weight)))
    return terms


def _weighted_nodes(count: int, roots: Sequence[Scalar], ring: Field) -> list[tuple[Scalar, Scalar]]:
    nodes: list[Scalar] = [0] * (count % len(roots))
    nodes += [s * r for s in range(1, count // len(roots) + 1) for r in roots]
    found: list[tuple[Scalar, Scalar]] = []
    for k, t in enumerate(nodes):
        difference: Scalar = 1
        for j, s in enumerate(nodes):
            if j != k:
                difference = difference * (t - s)
        found.append((t, ring.inverse(difference)))
    return found


def _works_over(target: Target, question: Question) -> Field | None:
    field = question.field
    fits = target.ring == QQ and target.space.form_degree > 2 and question.quantity == "rank"
    return field if fits and (field == CC or field.number_field) else None


METHOD = Method(
    name="complex_monomials",
    rule="decomposition",
    side="upper",
    summary="each monomial as few powers with roots of unity",
    units=("tied",),
    tier="A",
    fields="CC, QQ(a) with roots of unity",
    works_over=_works_over,
    find=find,
)
