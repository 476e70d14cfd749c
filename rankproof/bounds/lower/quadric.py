"""Width of one quadratic form from below, by rank, signature, Witt index and p-adic places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.quadratic import (
    PRODUCT_UNITS,
    closed_width,
    is_one_quadric,
    target_diagonal,
    target_products,
    width_in_words,
)
from rankproof.certificate.claim import Claim
from rankproof.exact.hilbert import REAL
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_VARIABLES = 150
"""The exact diagonalisation of the verifier is cubic, in plain Python."""

SECONDS = 2.0
"""For factoring and for splitting rational forms."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The exact width over CC, RR or GF(p); over QQ the bound at the place with the largest anisotropic kernel."""
    if target.space.variables_count > MAX_VARIABLES:
        budget.remark(f"{target.space.variables_count} variables; at most {MAX_VARIABLES} are diagonalised")
        return []
    if field == QQ and (at_place := _at_place(target, units, budget)):
        return [at_place]
    over = RR if field == QQ else field
    value = closed_width(target, units, over)
    if value is None:
        return []
    claim = Claim("border_rank", units, over, ">=", value)
    return [Bound(claim, "quadric", {}, width_in_words(target, units, over))]


def _at_place(target: Target, units: str, budget: Budget) -> Bound | None:
    """Bound at a prime, when it is better than the one over the real numbers."""
    witt = target_products(target, min(SECONDS, budget.left())).witt
    if witt is None or witt.place == REAL:
        return None
    if witt.place >= 2**53:
        budget.remark(f"anisotropic at a prime of {len(str(witt.place))} digits, too large for a certificate")
        return None
    rank = target_diagonal(target).rank
    kernel = rank - 2 * witt.index
    reason = f"anisotropic at {witt.place}"
    if kernel < rank:
        reason = f"rank {rank}, anisotropic part of dimension {kernel} at {witt.place}"
    claim = Claim("border_rank", units, QQ, ">=", (rank + kernel) // 2)
    return Bound(claim, "quadric", {"place": witt.place}, reason)


def _works_over(target: Target, question: Question) -> Field | None:
    field, units = question.field, question.units
    if not is_one_quadric(target) or units not in ("tied", *PRODUCT_UNITS):
        return None
    if field.characteristic:
        return field if units != "tied" or field.characteristic > 2 else None
    if units == "tied":
        return CC
    if field.number_field:
        return RR if field.number_field.real_root else CC
    return field


METHOD = Method(
    name="quadric",
    rule="quadric",
    side="lower",
    summary="rank, signature, Witt index or a p-adic place of one quadratic form",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="CC, RR, QQ, GF(p)",
    works_over=_works_over,
    find=find,
)
