"""Border widths of monomials by finite differences: x^a y^b is a derivative of order b of a power of x."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

    For untied units one variable of a monomial is the value b, and the rest is written with the powers a^(d-1).

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
    if units == "untied":
        pieces = [_without_value(a, c) for a, c in monomials.items()]
    else:
        pieces = [_Piece(a, None, c) for a, c in monomials.items()]
    best = best_known(known, Question(units, field, "border_rank"), "<=", target)
    # Only the powers of single variables can be shared by several monomials.
    if best is not None and sum(piece.length for piece in pieces) - len(pieces) + 1 > best:
        return []
    terms = sum(p.length * comb(sum(e > 0 for e in p.exponents) + d, d) for p in pieces)
    if terms > MAX_TERMS:
        budget.remark(f"about {terms} terms to expand are too many")
        return []
    order = max(piece.order for piece in pieces)
    sums = _sums(pieces, n, m, order, field)
    family = _tied(sums, field) if units == "tied" else _untied(sums, n, field)
    if best is not None and best <= len(family):
        return []
    return [
        family_bound(
            target, units, field, order, family, f"{len(family)} units in eps, by finite differences"
        )
    ]


@dataclass(frozen=True)
class _Piece:
    """A monomial written with powers of its degree, times the variable ``value`` if that is not None."""

    exponents: tuple[int, ...]
    value: int | None
    coefficients: list[Scalar]

    @property
    def length(self) -> int:
        """Number of powers of the family."""
        return prod(e + 1 for e in self.exponents) // (max(self.exponents) + 1)

    @property
    def order(self) -> int:
        """The power of eps at which the monomial stands."""
        return sum(self.exponents) - max(self.exponents)


def _without_value(exponents: tuple[int, ...], coefficients: list[Scalar]) -> _Piece:
    """One variable taken out, such that the rest has the shortest family."""
    pieces = [
        _Piece(tuple(e - (j == i) for j, e in enumerate(exponents)), i, coefficients)
        for i, e in enumerate(exponents)
        if e
    ]
    return min(pieces, key=lambda piece: piece.length)


Form = tuple[Scalar | Laurent, ...]
Weights = dict[int | None, list[Laurent]]
"""Weight of every output, by the variable that is the value."""


def _sums(pieces: Sequence[_Piece], n: int, m: int, order: int, ring: Field) -> dict[Form, Weights]:
    """Forms and weights of units whose sum is eps^order times the target and higher terms, equal forms merged."""
    merged: dict[Form, Weights] = {}
    for piece in pieces:
        a = piece.exponents
        base = max(range(n), key=lambda i: a[i])
        others = [i for i in range(n) if i != base and a[i]]
        constant = Fraction(factorial(a[base]), factorial(sum(a)))
        for j in product(*(range(a[i] + 1) for i in others)):
            sign = (-1) ** (piece.order - sum(j))
            factor = constant * sign * prod(comb(a[i], k) for i, k in zip(others, j, strict=True))
            form: list[Scalar | Laurent] = list(coordinate_vector(base, n))
            for i, k in zip(others, j, strict=True):
                if k := int(ring.reduce(k)):  # type: ignore[arg-type]
                    form[i] = Laurent.power(1, k)
            weights = merged.setdefault(tuple(form), {}).setdefault(piece.value, [Laurent(())] * m)
            for output, c in enumerate(piece.coefficients):
                if c:
                    weights[output] += Laurent.power(
                        order - piece.order, ring.reduce(c * ring.reduce(factor))
                    )
    return merged


def _plain(w: Laurent) -> Scalar | Laurent:
    return w.coefficient(0) if w.is_constant else w


def _tied(sums: dict[Form, Weights], ring: Field) -> list[FamilyUnit]:
    return [
        (form, tuple(_plain(w) for w in reduced))
        for form, weights in sums.items()
        if any(reduced := [w.over(ring) for w in weights[None]])
    ]


def _untied(sums: dict[Form, Weights], n: int, ring: Field) -> list[FamilyUnit]:
    """One unit for every form, its value b a sum of variables: there is one output."""
    units: list[FamilyUnit] = []
    for form, weights in sums.items():
        value = [_plain(weights[i][0].over(ring)) if i in weights else 0 for i in range(n)]
        if any(value):
            units.append((form, tuple(value), (1,)))
    return units


def _works_over(target: Target, question: Question) -> Field | None:
    if question.quantity != "border_rank" or target.space.form_degree < 2:
        return None
    if question.units == "untied" and target.space.outputs > 1:
        return None
    p = question.field.characteristic
    return ring_of(target, question) if p == 0 or p > target.space.form_degree else None


METHOD = Method(
    name="monomial_family",
    rule="border-family",
    side="upper",
    summary="border width of monomials by finite differences",
    units=("tied", "untied"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p) with p > degree",
    works_over=_works_over,
    find=find,
)
