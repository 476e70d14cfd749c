"""Two split units: a zero modulo a prime at which the second derivatives have rank 3 lies on no linear factor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import flint
import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, contract, outputs
from rankproof.exact.flattening import good_prime, residue
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
    for point in _zeros(form, n, p, rng):
        if budget.exhausted():
            break
        hessian = [
            [_value(contract({tuple(sorted((i, j))): 1}, form, p), point, p) for j in range(n)]
            for i in range(n)
        ]
        if flint.nmod_mat(hessian, p).rank() >= 3:
            witness = {"point": list(point), "prime": p} | ({} if root is None else {"root": root})
            reason = f"second derivatives of rank 3 at a zero modulo {p}: no product of linear forms"
            return [Bound(Claim("border_rank", units, field, ">=", 2), "hessian-at-a-zero", witness, reason)]
    return []


def _zeros(form: Form, n: int, p: int, rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Zeros on random lines."""
    for _ in range(LINES):
        u, v = rng.integers(0, p, (2, n)).tolist()
        along = [flint.nmod_poly([a, b], p) for a, b in zip(u, v, strict=True)]
        total = flint.nmod_poly([0], p)
        for word, value in form.items():
            term = flint.nmod_poly([value], p)
            for i in word:
                term *= along[i]
            total += term
        if total.degree() < 1:
            continue
        for factor, _ in total.factor()[1]:
            if factor.degree() == 1:
                t = -int(factor[0]) * pow(int(factor[1]), -1, p) % p
                yield tuple((a + t * b) % p for a, b in zip(u, v, strict=True))


def _value(form: Form, point: Sequence[int], p: int) -> int:
    total = 0
    for word, value in form.items():
        for i in word:
            value = value * point[i] % p
        total += value
    return total % p


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
