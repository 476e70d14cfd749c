"""Multilinear forms and maps: a decomposition of the tensor is one into products of linear forms, and these are expanded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from rankproof.bounds.explicit import (
    Detectors,
    MergedUnits,
    Vector,
    decomposition_bound,
    explicit_decompositions,
)
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper import algebras, fibres, known_schemes, spans
from rankproof.exact.multilinear import as_tensor, variable_groups
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target

MAX_ENTRIES = 1_000

TENSOR_METHODS = (known_schemes.METHOD, algebras.METHOD, fibres.METHOD, spans.METHOD)
"""What decomposes the tensor."""

SHARE = 0.3
"""Part of the time left that they may take together."""

MAX_DEGREE = 8
"""A product of d forms is a sum of 2^(d-1) powers."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The products of the shortest tensor decomposition, expanded into units, when that is shorter than what is known."""
    target = target.over(field)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    p = field.characteristic
    if len(target.entries) > MAX_ENTRIES or d > MAX_DEGREE or (units != "split" and 0 < p <= d):
        return []
    groups = variable_groups(list(dict.fromkeys(word[:d] for word, _ in target.entries)), d)
    if groups is None or d + (m > 1) < 3:
        return []
    dims = [*map(len, groups), *([m] if m > 1 else [])]
    tensor = Target.from_entries(Space.tensor(*dims), as_tensor(target.as_dict(), d, groups), field)
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    bounds: list[Bound] = []
    question = Question("product", field, "rank")
    part = budget.share(SHARE * budget.left())
    for method in TENSOR_METHODS:
        over = method.field_for(tensor, question)
        if over is not None and not part.exhausted():
            bounds += method.find(tensor, "product", over, part, rng, tuple(bounds))
    best: list[Bound] = []
    for found in explicit_decompositions(bounds):
        products = [_product(unit, groups, n, m) for unit in found.units]
        result = expanded_products(products, units, d, n, m, field)
        if most is None or len(result) < most:
            best, most = [decomposition_bound(target, units, field, result)], len(result)
    return best


def _product(unit: ExactUnit, groups: list[list[int]], n: int, m: int) -> tuple[list[Vector], Vector]:
    """The linear forms and the weights that a unit of the tensor stands for."""
    forms: list[Vector] = []
    for vector, group in zip(unit, groups, strict=False):
        form: list[Scalar] = [0] * n
        for i, x in zip(group, vector, strict=True):
            form[i] = x
        forms.append(tuple(form))
    return forms, unit[-1] if m > 1 else (1,)


def expanded_products(
    products: list[tuple[list[Vector], Vector]], units: str, d: int, n: int, m: int, ring: Field
) -> list[ExactUnit]:
    """Products of linear forms with weights, expanded into units of a kind and merged."""
    if units == "split":
        return [(*forms, w) for forms, w in products]
    if units == "tied":
        merged = MergedUnits(ring, (d,), m)
        for forms, w in products:
            for form, factor in powers_of_product(forms, ring):
                merged.add((form,), w, factor)
        return merged.units()
    # Any of the factors may be the value; one that many products share makes detectors meet.
    best: list[ExactUnit] = []
    for last in range(d):
        detectors = Detectors(ring, d)
        for forms, w in products:
            for form, factor in powers_of_product([f for k, f in enumerate(forms) if k != last], ring):
                detectors.add(form, forms[last], w, factor)
        found = detectors.units(n, m)
        if not best or len(found) < len(best):
            best = found
    return best


def powers_of_product(forms: Sequence[Vector], ring: Field) -> Iterator[tuple[Vector, Scalar]]:
    """A product of k linear forms as 2^(k-1) weighted powers: the polarization with signs."""
    k = len(forms)
    scale: Scalar = ring.reduce(1)
    for j in range(1, k):
        scale = ring.reduce(scale * ring.inverse(2 * (j + 1)))
    for signs in product((1, -1), repeat=k - 1):
        total = list(forms[0])
        sign = 1
        for s, form in zip(signs, forms[1:], strict=True):
            sign *= s
            total = [ring.reduce(x + s * y) for x, y in zip(total, form, strict=True)]
        yield tuple(total), ring.reduce(sign * scale)


def _works_over(target: Target, question: Question) -> Field | None:
    return ring_of(target, question) if question.quantity == "rank" and target.space.form_degree > 1 else None


METHOD = Method(
    name="multilinear",
    rule="decomposition",
    side="upper",
    summary="multilinear forms and maps: products from a tensor decomposition, expanded",
    units=("tied", "untied", "split"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
