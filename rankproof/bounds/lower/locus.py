"""Border ranks from below by the common zeros of the higher partial derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import MAX_MONOMIAL_COLUMNS, common_zero_degree, encode_form, lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, derivatives, outputs
from rankproof.exact.flattening import good_prime, residue
from rankproof.problem.field import Field
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_TERMS = 20_000
"""Terms of all partial derivatives together."""

MAX_COORDINATES = 40
"""Sets of coordinate hyperplanes tried for one dimension."""

RANDOM_SECTIONS = 2

SECONDS = 3.0

Cut = dict[int, Form]
"""Linear forms by variable: each variable is replaced by a form in the others, that is x_i - form is added."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound n - D for the least number D of linear forms that leave no common zero."""
    target = target.over(field) if field.characteristic else target
    prime, root = good_prime(target, field)
    n, d = target.space.variables_count, target.space.form_degree
    k = 1 if units == "untied" else d - 1 if units == "split" else int(units.partition(":")[2])
    if d < k + 1:
        return []
    forms = partials(target, d - k - 1, prime, root)
    if sum(map(len, forms)) > MAX_TERMS:
        budget.remark("too many partial derivatives")
        return []
    best = lower_so_far(known, units, field, "border_rank", target)
    if best >= n or not any(
        section_degree(forms, cut, n, prime)
        for cut in islice(cuts(n, n - best - 1, rng, generic_first=True), 3)
    ):
        # The zeros are too many for any section that would improve the bound.
        return []
    part = budget.share(SECONDS)
    for added in range(n - best):
        for cut in cuts(n, added, rng):
            if part.exhausted():
                budget.remark("out of time before every section was tried")
                return []
            degree = section_degree(forms, cut, n, prime)
            if degree is None:
                continue
            linear = [section(i, form, prime if target.ring.characteristic else 0) for i, form in cut.items()]
            witness: dict[str, Any] = {
                "added": [encode_form(form) for form in linear],
                "degree": degree,
                "prime": prime,
            }
            if root is not None:
                witness["root"] = root
            zeros = (
                f"meet {added} hyperplanes in the origin only"
                if added
                else "vanish together at the origin only"
            )
            what = "the outputs" if units == "split" else f"the partial derivatives of order {d - k - 1}"
            claim = Claim("border_rank", units, field, ">=", n - added)
            return [
                Bound(claim, "locus", witness, f"the zeros of {what} {zeros}" if added else f"{what} {zeros}")
            ]
    return []


def partials(target: Target, order: int, p: int, root: int | None) -> list[dict[Word, int]]:
    """The partial derivatives of an order of all outputs that do not vanish modulo p."""
    found: list[dict[Word, int]] = []
    for form in outputs(target):
        by_operator: dict[Word, dict[Word, int]] = {}
        for word, value in form.items():
            for letters, rest, factor in derivatives(word, order):
                if x := residue(value, p, root) * factor % p:
                    by_operator.setdefault(letters, {})[rest] = x
        found += by_operator.values()
    return found


def section_degree(forms: Sequence[Mapping[Word, int]], cut: Cut, n: int, p: int) -> int | None:
    """Macaulay degree that shows that forms have no common zero on a linear section; None when there is none to be had."""
    kept = [i for i in range(n) if i not in cut]
    degree = common_zero_degree(substituted(forms, cut, kept, p), len(kept), p)
    return None if degree is None or comb(n + degree - 1, degree) > MAX_MONOMIAL_COLUMNS else degree


def cuts(n: int, added: int, rng: np.random.Generator, *, generic_first: bool = False) -> Iterator[Cut]:
    """Linear sections of a codimension: by coordinate hyperplanes, and by random ones with small coefficients."""
    if generic_first:
        yield from _random_cuts(n, added, rng)
    for places in islice(combinations(range(n), added), MAX_COORDINATES):
        yield {i: {} for i in places}
    if not generic_first:
        yield from _random_cuts(n, added, rng)


def _random_cuts(n: int, added: int, rng: np.random.Generator) -> Iterator[Cut]:
    for _ in range(RANDOM_SECTIONS if 0 < added < n else 0):
        places = sorted(int(i) for i in rng.permutation(n)[:added])
        others = [j for j in range(n) if j not in places]
        yield {i: {(j,): c for j in others if (c := int(rng.integers(-2, 3)))} for i in places}


def substituted(
    forms: Sequence[Mapping[Word, int]], cut: Cut, kept: Sequence[int], p: int
) -> list[dict[Word, int]]:
    """Forms on the section, in the kept variables numbered from 0."""
    number = {j: k for k, j in enumerate(kept)}
    found: list[dict[Word, int]] = []
    for form in forms:
        result: dict[Word, int] = {}
        for word, value in form.items():
            term: dict[Word, int] = {(): value}
            for i in word:
                factor = cut.get(i, {(i,): 1})
                term = _times(term, factor, number, p)
            for w, x in term.items():
                result[w] = (result.get(w, 0) + x) % p
        if result := {w: x for w, x in result.items() if x}:
            found.append(result)
    return found


def _times(
    term: Mapping[Word, int], factor: Mapping[Word, Any], number: Mapping[int, int], p: int
) -> dict[Word, int]:
    result: dict[Word, int] = {}
    for word, x in term.items():
        for (j,), c in factor.items():
            key = tuple(sorted((*word, number[j])))
            result[key] = (result.get(key, 0) + x * c) % p
    return result


def section(variable: int, form: Form, p: int) -> Form:
    """The linear form x_i - form, reduced when the target lives over GF(p)."""
    linear: Form = {(variable,): 1} | {word: -x for word, x in form.items()}
    return {word: r for word, x in linear.items() if (r := x % p)} if p else linear


METHOD = Method(
    name="locus",
    rule="locus",
    side="lower",
    summary="common zeros of the higher partial derivatives, which contain the zeros of all detectors",
    units=("untied", "mixed:k", "split"),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=complex_or_finite,
    find=find,
)
