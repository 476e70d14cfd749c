"""A target that is not zero needs at least one unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.certificate.claim import Claim
from rankproof.problem.field import Field
from rankproof.problem.target import Target


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound 1."""
    return [Bound(Claim("border_rank", units, field, ">=", 1), "nonzero", {}, "not zero")]


METHOD = Method(
    name="nonzero",
    rule="nonzero",
    side="lower",
    summary="a target that is not zero needs a unit",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=complex_or_finite,
    find=find,
)
