"""Border tied width of monomials by finite differences: x^a y^b is a derivative of order b of a power of x."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np

from rankproof.bounds.explicit import coordinate_vector, family_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.problem.decomposition import FamilyUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_TERMS = 30_000
"""Terms of the expanded units, whose coefficients are polynomials in eps."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    r"""A border family, when it is shorter than all that is known about the border tied width.

    Notes
    -----
    Let x_0 have the largest exponent of a monomial of degree d, and let h be the sum of the other exponents a_i. Then

    .. math:: \sum_{0 \le j \le a} (-1)^{h - |j|} \prod_i \binom{a_i}{j_i} (x_0 + \varepsilon \sum_i j_i x_i)^d
              = \varepsilon^h \frac{d!}{(d-h)!} x_0^{d-h} \prod_i x_i^{a_i} + O(\varepsilon^{h+1}).

    References
    ----------
    Landsberg, Teitler, *On the ranks and border ranks of symmetric tensors*, Foundations of Computational Mathematics 10
    (2010), Theorem 11.2.
    """
    target = target.over(field)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    monomials: dict[tuple[int, ...], list[Scalar]] = {}
    for word, c in target.entries:
        exponents = tuple(word[:d].count(i) for i in range(n))
        monomials.setdefault(exponents, [0] * m)[word[d] if m > 1 else 0] = c
    lengths = [prod(e + 1 for e in a) // (max(a) + 1) for a in monomials]
    best = best_known(known, Question("tied", field, "border_rank"), "<=", target)
    # Only the powers of single variables can be shared by several monomials.
    if best is not None and sum(lengths) - len(monomials) + 1 > best:
        return []
    terms = sum(k * comb(sum(e > 0 for e in a) + d - 1, d) for k, a in zip(lengths, monomials, strict=True))
    if terms > MAX_TERMS:
        budget.remark(f"about {terms} terms to expand are too many")
        return []
    order = max(d - max(a) for a in monomials)
    family = _family(monomials, n, d, m, order, field)
    if best is not None and best <= len(family):
        return []
    return [family_bound(target, "tied", field, order, family, f"{len(family)} units in eps, by finite differences")]


def _family(
    monomials: dict[tuple[int, ...], list[Scalar]], n: int, d: int, m: int, order: int, ring: Field
) -> list[FamilyUnit]:
    """Units whose sum is eps^order times the target and higher terms, equal forms merged."""
    merged: dict[tuple[Scalar | Laurent, ...], list[Laurent]] = {}
    for a, coefficients in monomials.items():
        base = max(range(n), key=lambda i: a[i])
        others = [i for i in range(n) if i != base and a[i]]
        h = d - a[base]
        constant = Fraction(factorial(d - h), factorial(d))
        for j in product(*(range(a[i] + 1) for i in others)):
            sign = (-1) ** (h - sum(j))
            factor = constant * sign * prod(comb(a[i], k) for i, k in zip(others, j, strict=True))
            form: list[Scalar | Laurent] = list(coordinate_vector(base, n))
            for i, k in zip(others, j, strict=True):
                if k := int(ring.reduce(k)):  # type: ignore[arg-type]
                    form[i] = Laurent.power(1, k)
            weights = merged.setdefault(tuple(form), [Laurent(())] * m)
            for output, c in enumerate(coefficients):
                if c:
                    weights[output] += Laurent.power(order - h, ring.reduce(c * ring.reduce(factor)))
    return [
        (form, tuple(w.coefficient(0) if w.is_constant else w for w in reduced))
        for form, weights in merged.items()
        if any(reduced := [w.over(ring) for w in weights])
    ]


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "border_rank" or target.space.form_degree < 2:
        return None
    p = question.field.characteristic
    return ring_of(target, question) if p == 0 or p > target.space.form_degree else None


METHOD = Method(
    name="monomial_family",
    rule="border-family",
    side="upper",
    summary="border tied width of monomials by finite differences",
    units=("tied",),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p) with p > degree",
    works_over=_works_over,
    find=find,
)
