"""Ranks from below by the apolar algebras of derivatives: units whose point lies off a hypersurface t = 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import (
    complex_only,
    encode_form,
    is_affordable,
    linear_forms,
    lower_so_far,
    operator_text,
    scheme_length,
    upper_so_far,
)
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, contract, quotient_dimension, residues, words
from rankproof.problem.field import Field
from rankproof.problem.target import Target

MAX_LINEAR = 80
MAX_HIGHER = 120
"""Operators tried of degree 1 and beyond."""

SECONDS = 1.5


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over a fixed list of short operators."""
    if not is_affordable(target):
        budget.remark("the catalecticants are too large for exact ranks")
        return []
    length = scheme_length(units)
    best, upper = lower_so_far(known, units, field, "rank", target), upper_so_far(known, units, field, target)
    part = budget.share(SECONDS)
    found: Form | None = None
    for operator in operators(target, length):
        if part.exhausted():
            budget.remark("out of time before every operator was tried")
            break
        value = bound_of(target, operator, length)
        if value > best:
            best, found = value, operator
            if upper is not None and best >= upper:
                break
    if found is None:
        return []
    degree = len(next(iter(found)))
    text = operator_text(found, target)
    by = f" by {text}" if text else ""
    power = f" {length} and {length + 1} times" if length > 1 else " once and twice"
    reason = f"apolar algebras of the derivatives{by}, taken{power}"
    witness = {"degree": degree, "form": encode_form(found)}
    return [Bound(Claim("rank", units, field, ">=", best), "t-bound", witness, reason)]


def bound_of(target: Target, operator: Form, length: int) -> int:
    """(dim A of t^L o T - dim A of t^(L+1) o T) / (e L), rounded up."""
    forms, p = residues(target)
    d, e = target.space.form_degree, len(next(iter(operator)))
    for _ in range(length):
        forms, d = [contract(operator, form, p) for form in forms], d - e
    larger = quotient_dimension(forms, d, p)
    smaller = quotient_dimension([contract(operator, form, p) for form in forms], d - e, p)
    return -(-(larger - smaller) // (e * length))


def operators(target: Target, length: int) -> Iterator[Form]:
    """Variables and short linear forms, then products of variables and short quadrics, then monomials and sums of powers."""
    n, d = target.space.variables_count, target.space.form_degree
    if length < d:
        yield from linear_forms(n, MAX_LINEAR)
        if n > 2:
            yield {(i,): i + 1 for i in range(n)}
    given = 0
    # With e L >= d only a constant is left.
    for e in range(2, (d - 1) // length + 1):
        for form in _higher(n, e):
            if given == MAX_HIGHER:
                return
            given += 1
            yield form


def _higher(n: int, e: int) -> Iterator[Form]:
    yield from ({word: 1} for word in words(n, e))
    yield {(i,) * e: 1 for i in range(n)}
    yield dict.fromkeys(words(n, e), 1)
    for u, v in combinations(words(n, e), 2):
        if not set(u) & set(v):
            yield {u: 1, v: 1}
            yield {u: 1, v: -1}


METHOD = Method(
    name="t_bound",
    rule="t-bound",
    side="lower",
    summary="apolar algebras on the two sides of a hypersurface",
    units=("tied", "untied", "mixed:k"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=complex_only,
    find=find,
)
