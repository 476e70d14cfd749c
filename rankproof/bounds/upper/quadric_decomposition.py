"""Quadratic forms as sums of squares, and as products of two linear forms by splitting off hyperbolic planes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from rankproof.bounds.explicit import Detectors, MergedUnits, decomposition_bound, dense
from rankproof.bounds.lower.quadric import MAX_VARIABLES, SECONDS
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.quadratic import (
    PRODUCT_UNITS,
    closed_width,
    diagonal,
    is_one_quadric,
    symmetric_matrix,
    target_products,
    width_in_words,
)
from rankproof.certificate.claim import Claim
from rankproof.errors import NumberTooLong
from rankproof.exact.factoring import square_part
from rankproof.exact.matrix_factorisation import rank_factorisation
from rankproof.exact.quadratic_extensions import split_over_root
from rankproof.exact.quadrics import hyperbolic_splitting, products
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MOST_SECONDS = 0.5
"""For planes over a quadratic field."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """An explicit decomposition; over RR and CC the exact width instead when no explicit one is as short."""
    n = target.space.variables_count
    if n > MAX_VARIABLES:
        budget.remark(f"{n} variables; at most {MAX_VARIABLES} are diagonalised")
        return []
    best = best_known(known, Question(units, field, "rank"), "<=", target)
    if field.number_field is not None and target.ring == QQ:
        wider = _over_a_quadratic_field(target, field.number_field, budget)
        return (
            []
            if best is not None and best <= len(wider)
            else [decomposition_bound(target, units, field, wider)]
        )
    ring = target.ring if field.characteristic == 0 else field
    found: list[Bound] = []
    if units == "tied" or ring.number_field is None:
        try:
            explicit = _explicit(target.over(ring), units, ring, budget)
            if best is None or len(explicit) < best:
                found.append(decomposition_bound(target, units, ring, explicit))
                best = len(explicit)
        except NumberTooLong as error:
            budget.remark(str(error))
            if field == target.ring == QQ:
                # The squares are asked for over QQ on behalf of RR and CC, where the width has a rule of its own.
                found += [bound for over in (RR, CC) for bound in _by_invariants(target, units, over, best)]
    return found + _by_invariants(target, units, field, best)


def _by_invariants(target: Target, units: str, field: Field, best: int | None) -> list[Bound]:
    """The exact width over RR, CC or GF(p), without units."""
    width = closed_width(target, units, field) if is_one_quadric(target) else None
    if width is None or (best is not None and width >= best):
        return []
    claim = Claim("rank", units, field, "<=", width)
    return [Bound(claim, "quadric", {}, width_in_words(target, units, field))]


def _explicit(target: Target, units: str, ring: Field, budget: Budget) -> list[ExactUnit]:
    """Every one of a basis of the outputs split on its own, and equal forms merged."""
    n, m = target.space.variables_count, target.space.outputs
    seconds = min(SECONDS, budget.left())
    if m == 1 and units != "tied":
        terms = target_products(target, seconds).terms
        return [(tuple(a), tuple(b), (c,)) for c, a, b in terms]
    rows: dict[int, dict[Word, Scalar]] = {}
    for word, c in target.entries:
        rows.setdefault(word[2] if m > 1 else 0, {})[word[:2]] = c
    squares, values = MergedUnits(ring, (2,), m), Detectors(ring, 2)
    for w, form in rank_factorisation(rows, ring):
        weights = dense(w, m)
        if units == "tied":
            split = diagonal(form, n, ring)
            for d, l in zip(split.weights, split.forms, strict=True):
                squares.add((l,), weights, d)
        else:
            for c, a, b in products(form, n, ring, seconds / m).terms:  # type: ignore[arg-type]
                values.add(a, b, weights, c)
    return squares.units() if units == "tied" else values.units(n, m)


def _over_a_quadratic_field(target: Target, field: NumberField, budget: Budget) -> list[ExactUnit]:
    """Products of linear forms with the square root of the discriminant, and squares."""
    c, b, _ = field.minimal_polynomial
    D, s = square_part(b * b - 4 * c)
    # For a root a of t^2 + b t + c, (2a + b)^2 is the discriminant s^2 D.
    root = (field.generator() * 2 + b) * Fraction(1, s)
    seconds = min(SECONDS, budget.left()) / 2
    split = hyperbolic_splitting(symmetric_matrix(target), seconds)
    planes, squares = split_over_root(split.squares, D, min(seconds, MOST_SECONDS))
    units: list[ExactUnit] = [(tuple(l), tuple(m), (weight,)) for weight, l, m in split.planes]
    for weight, l, m in planes:
        pairs = list(zip(l, m, strict=True))
        units.append(
            (tuple(x - root * y for x, y in pairs), tuple(x + root * y for x, y in pairs), (weight,))
        )
    return [*units, *((tuple(l), tuple(l), (weight,)) for weight, l in squares)]


def _works_over(target: Target, question: Question) -> Field | None:
    field, units = question.field, question.units
    if target.space.form_degree != 2 or units not in ("tied", *PRODUCT_UNITS):
        return None
    if field.characteristic:
        return field if units != "tied" or field.characteristic > 2 else None
    if is_one_quadric(target) and not field.is_exact and units != "tied":
        return field
    extension = field.number_field
    if (
        extension is not None
        and extension.degree == 2
        and target.ring == QQ
        and units != "tied"
        and is_one_quadric(target)
    ):
        return field
    return target.ring if units == "tied" or target.ring == QQ else None


METHOD = Method(
    name="quadric_decomposition",
    rule="decomposition",
    side="upper",
    summary="sums of squares, and products from hyperbolic planes; else the exact width over RR and CC",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="QQ, RR, CC, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
