"""Binary forms from above: operators that kill them, as explicit units where their factors are simple enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.binary import (
    BinaryForm,
    Operator,
    analysed,
    is_binary,
    square_hull,
    tied_operator,
    units_of,
    untied_operator,
)
from rankproof.bounds.explicit import decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.binary import Form, integral, is_real_rooted, is_squarefree
from rankproof.problem.field import CC, QQ, Field
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target

SECONDS = 2.0
"""For the operators of one degree."""

SHARE = 0.2
"""Part of the time of this method that they may take."""

LAST = 0.6
"""Seconds for the highest degree when there is no time left."""

TOGETHER = 0.4
"""Part of the time left that all degrees together may take."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """A shorter sum than the known ones, by an operator of the least degree for which one is found."""
    binary = analysed(target)
    budget = budget.share(TOGETHER * budget.left())
    found: list[Bound] = []
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    search = tied_operator if units == "tied" else untied_operator
    last = binary.degree if units == "tied" else binary.degree // 2 + 1
    degrees = range(least, (last if most is None else min(last, most - 1)) + 1)
    for degree in degrees:
        late = budget.exhausted()
        if late:
            budget.remark("out of time before every degree of operators was tried")
        # Of the highest degree an operator is always near.
        r = degrees[-1] if late else degree
        seconds = LAST if late else min(SECONDS, SHARE * budget.left())
        operator = search(binary, r, field, Budget(seconds), rng)
        if operator is not None:
            found.append(_rank_bound(target, units, field, operator, r))
        if operator is not None or late:
            break
    if not field.is_exact:
        border = _border(binary, units, field)
        known_border = best_known([*known, *found], Question(units, field, "border_rank"), "<=", target)
        if border is not None and (known_border is None or len(border) - 1 < known_border):
            found.append(_operator_bound(border, units, field, "border_rank"))
    return found


def _rank_bound(target: Target, units: str, field: Field, operator: Operator, r: int) -> Bound:
    explicit = units_of(target, units, operator)
    if explicit is None or operator.ring is None:
        return _operator_bound(operator.form, units, field, "rank")
    reason = "" if operator.ring == QQ else f"an explicit sum of {len(explicit)} units over {operator.ring}"
    return decomposition_bound(target, units, operator.ring, explicit, reason)


def _border(binary: BinaryForm, units: str, field: Field) -> Form | None:
    """An operator of least degree with repeated factors, when all of them are real over RR."""
    form: Form = binary.generator if units == "tied" else square_hull(binary.generator)
    integers = integral(form)
    # One without repeated factors bounds the rank, and was tried.
    if is_squarefree(integers) or (field != CC and not is_real_rooted(integers)):
        return None
    return form


def _operator_bound(form: Form, units: str, field: Field, quantity: Quantity) -> Bound:
    integers = integral(form)
    degree = len(integers) - 1
    entries = [[[0] * (degree - j) + [1] * j, encode_scalar(c)] for j, c in enumerate(integers) if c]
    square = "" if units == "tied" else ", squared,"
    factors = "linear factors" if field == CC else "real linear factors"
    repeated = "different" if quantity == "rank" else "repeated"
    return Bound(
        Claim(quantity, units, field, "<=", degree),
        "apolar-form",
        {"degree": degree, "form": entries},
        f"an operator with {degree} {repeated} {factors}{square} kills it",
    )


def _works_over(target: Target, question: Question) -> Field | None:
    field = question.field
    return field if not field.characteristic and is_binary(target) else None


METHOD = Method(
    name="apolar_form",
    rule="apolar-form",
    side="upper",
    summary="binary forms: operators with distinct factors that kill the form, or whose squares do",
    units=("tied", "untied"),
    tier="A",
    fields="QQ, QQ(a), RR, CC",
    works_over=_works_over,
    find=find,
)
