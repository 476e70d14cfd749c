"""Ranks from below by the dimension of the apolar algebra, when operators of low degree kill the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import (
    common_zero_degree,
    complex_only,
    encode_form,
    is_affordable,
    lower_so_far,
    pure_powers,
    scheme_length,
)
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, apolar_dimension, killing_operators, span_everything
from rankproof.exact.flattening import good_prime
from rankproof.problem.field import Field
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound from the least degree in which the killing operators have no common zero."""
    if not is_affordable(target):
        budget.remark("the catalecticants are too large for exact ranks")
        return []
    best = lower_so_far(known, units, field, "rank", target)
    dimension, length = apolar_dimension(target), scheme_length(units)
    prime, root = good_prime(target, field)
    for degree in range(1, target.space.form_degree + 1):
        value = -(-dimension // (degree * length))
        if value <= best:
            return []
        if budget.exhausted():
            budget.remark("out of time before every degree was tried")
            return []
        chosen, macaulay = generators(target, degree, prime)
        if macaulay is None:
            continue
        witness: dict[str, Any] = {
            "degree": degree,
            "operators": [encode_form(form) for form in chosen],
            "macaulay": macaulay,
            "prime": prime,
        }
        if root is not None:
            witness["root"] = root
        share = f" times {length}" if length > 1 else ""
        reason = f"apolar algebra of dimension {dimension}, operators of degree {degree}{share} without common zero"
        return [Bound(Claim("rank", units, field, ">=", value), "apolar-length", witness, reason)]
    return []


def generators(target: Target, degree: int, prime: int) -> tuple[list[Form], int | None]:
    """Few killing operators of a degree without common zero, and their Macaulay degree; None when there are none."""
    n = target.space.variables_count
    operators = [form for form in killing_operators(target, degree) if any(x % prime for x in form.values())]
    powers = pure_powers(operators, n)
    if powers and (macaulay := common_zero_degree(powers, n, prime)) is not None:
        return powers, macaulay
    macaulay = common_zero_degree(operators, n, prime)
    if macaulay is None:
        return [], None
    # The operators are sorted by length: keep the shortest beginning that needs no higher degree.
    low, high = 1, len(operators)
    while low < high:
        middle = (low + high) // 2
        if span_everything(operators[:middle], n, macaulay, prime):
            high = middle
        else:
            low = middle + 1
    return operators[:high], macaulay


METHOD = Method(
    name="apolar_length",
    rule="apolar-length",
    side="lower",
    summary="dimension of the apolar algebra over the degree of killing operators without common zero",
    units=("tied", "untied", "mixed:k"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=complex_only,
    find=find,
)
