"""Two split units: a zero modulo a prime at which the second derivatives have rank 3 lies on no linear factor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import outputs
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.zeros import hessian_rank, zeros
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

LINES = 12
MAX_VARIABLES = 16
MAX_TERMS = 4000


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The first zero on random lines that shows that the form is no product of linear forms."""
    if lower_so_far(known, units, field, "border_rank", target) >= 2:
        return []
    target = target.over(field) if field.characteristic else target
    p, root = good_prime(target, field)
    n = target.space.variables_count
    if n > MAX_VARIABLES or len(target.entries) > MAX_TERMS:
        budget.remark("the form is too large for its second derivatives")
        return []
    (entries,) = outputs(target)
    form = {word: r for word, value in entries.items() if (r := residue(value, p, root))}
    for point in zeros(form, n, p, LINES, rng):
        if budget.exhausted():
            break
        if hessian_rank(form, n, point, p) >= 3:
            witness = {"point": list(point), "prime": p} | ({} if root is None else {"root": root})
            reason = f"second derivatives of rank 3 at a zero modulo {p}: no product of linear forms"
            return [Bound(Claim("border_rank", units, field, ">=", 2), "hessian-at-a-zero", witness, reason)]
    return []


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    one_form = len(space.factors) == 1 and space.form_degree > 2 and space.variables_count > 2
    return complex_or_finite(target, question) if one_form else None


METHOD = Method(
    name="hessian_at_a_zero",
    rule="hessian-at-a-zero",
    side="lower",
    summary="second derivatives of rank 3 at a zero: no product of linear forms",
    units=("split",),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=_works_over,
    find=find,
)
