"""Ranks of the products of associative algebras from below: twice the dimension less the number of maximal ideals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.algebras import Algebra, algebra
from rankproof.exact.eigenvalues import factors, place_with_few_factors, real_roots
from rankproof.exact.row_reduction import Echelon, Vector
from rankproof.problem.field import CC, RR, Algebraic, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.univariate import is_squarefree

DRAWS = 12
"""Random central elements tried."""


@dataclass(frozen=True)
class Structure:
    """An algebra, a nilpotent ideal, and the span of the ideal and all commutators."""

    algebra: Algebra
    nilpotent: list[Vector]
    span: Echelon

    @property
    def quotient(self) -> int:
        """Dimension of the quotient by the span: there are at most so many maximal two-sided ideals."""
        return self.algebra.dimension - len(self.span)


@dataclass(frozen=True)
class Element:
    """A central element whose polynomial has few factors over a field."""

    vector: Vector
    count: int
    place: int | None = None
    root: int | None = None


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """One bound over the field, if it is better than what is known."""
    dims = {n for n, _ in target.space.factors}
    best = lower_so_far(known, units, field, "rank", target)
    if len(target.space.factors) != 3 or len(dims) != 1 or 2 * max(dims) - 1 <= best:
        return []
    found = structure(target.over(field) if field.characteristic else target)
    if found is None:
        return []
    n = found.algebra.dimension
    element = None if field == CC else min(elements(found, field, rng), key=lambda e: e.count, default=None)
    if element is not None and element.count >= found.quotient:
        element = None
    value = 2 * n - (found.quotient if element is None else element.count)
    if value <= best:
        return []
    over = field if element is not None or field.characteristic else CC
    count = 2 * n - value
    reason = f"an algebra of dimension {n} with at most {count} maximal two-sided {'ideal' if count == 1 else 'ideals'}"
    witness = _witness(found, element, over)
    return [Bound(Claim("rank", units, over, ">=", value), "alder-strassen", witness, reason)]


@lru_cache(maxsize=64)
def structure(target: Target) -> Structure | None:
    """The algebra of a tensor with what is known of its ideals; None when it is none."""
    found = algebra(target, np.random.default_rng(0))
    if found is None:
        return None
    nilpotent = found.nilpotent_ideal()
    return Structure(found, nilpotent, Echelon(found.ring, [*nilpotent, *found.commutators()]))


def elements(found: Structure, field: Field, rng: np.random.Generator) -> Iterator[Element]:
    """Central elements with the number of factors of their polynomials over the field, or a bound for it."""
    ring = found.algebra.ring
    if ring.number_field is not None:
        return
    centre = found.algebra.central_modulo(Echelon(ring, found.nilpotent))
    drawn = rng.integers(-2, 3, size=(DRAWS, len(centre)))
    sums = [
        [
            ring.reduce(sum(int(c) * v[i] for c, v in zip(row, centre, strict=True)))
            for i in range(len(centre[0]))
        ]
        for row in drawn
    ]
    for z in [*centre, *sums]:
        f = found.algebra.polynomial_on(z, found.span)
        if f is None or any(isinstance(c, Algebraic) for c in f) or len(f) < 2:
            continue
        if field.characteristic:
            parts = factors(f, field.characteristic)
            if all(e == 1 for _, e in parts):
                yield Element(z, len(parts))
        elif is_squarefree(f):
            parts = factors(f)
            if field == RR:
                degrees = [(len(g) - 1, real_roots(g)) for g, _ in parts]
                yield Element(z, sum(real + (d - real) // 2 for d, real in degrees))
                continue
            product = _product([g for g, _ in parts])
            place = place_with_few_factors(product, field)
            if place is not None:
                yield Element(z, *place)


def _product(polynomials: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    result = [1]
    for g in polynomials:
        longer = [0] * (len(result) + len(g) - 1)
        for i, x in enumerate(result):
            for j, y in enumerate(g):
                longer[i + j] += x * y
        result = longer
    return tuple(result)


def _witness(found: Structure, element: Element | None, over: Field) -> dict[str, Any]:
    ring = found.algebra.ring

    def written(vector: Sequence) -> list[Any]:
        return [encode_scalar(ring.reduce(x)) for x in vector]

    witness: dict[str, Any] = {
        "factors": list(found.algebra.factors),
        "left": written(found.algebra.left),
        "right": written(found.algebra.right),
        "nilpotent": [written(vector) for vector in found.nilpotent],
    }
    if element is not None:
        witness["element"] = written(element.vector)
        if element.place is not None:
            witness["place"] = element.place
        if element.root is not None:
            witness["root"] = element.root
    return witness


def _works_over(target: Target, question: Question) -> Field | None:
    return question.field if question.quantity == "rank" else None


METHOD = Method(
    name="alder_strassen",
    rule="alder-strassen",
    side="lower",
    summary="products of associative algebras: twice the dimension less the number of maximal two-sided ideals",
    units=("product",),
    tier="A",
    fields="CC, RR, QQ, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
