"""Tensors with two slices in some direction: the summands of a matrix pencil, each by its shortest sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, family_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.exact.kronecker_form import Rows, kronecker_form
from rankproof.exact.pencil_sums import pencil_sum
from rankproof.exact.splitting_fields import real_field, splitting_field
from rankproof.exact.tensor_sums import TensorSum, permuted, placed
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, QQ, RR, Field, Scalar
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target

MAX_SIDE = 12
"""Rows and columns of a pencil."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Sums for the pencil over the ring and, over RR and CC, over a number field with its roots; exact and border."""
    place = _place_of_two(target)
    if place is None:
        return []
    bounds: list[Bound] = []
    quantities: tuple[Quantity, ...] = ("rank", "border_rank")
    for quantity in quantities:
        for ring in _rings(target, place, field):
            most = best_known([*known, *bounds], Question("product", field, quantity), "<=", target)
            A, B, used = _slices(target.over(ring), place)
            total = pencil_sum(A, B, ring, border=quantity == "border_rank")
            if total is None or (most is not None and len(total) >= most):
                continue
            bounds.append(_bound(target.over(ring), units, total, place, used))
    return bounds


def _place_of_two(target: Target) -> int | None:
    """A factor of which exactly two coordinates occur, with not too many of the others."""
    if len(target.space.factors) != 3:
        return None
    used = [len({word[s] for word, _ in target.entries}) for s in range(3)]
    places = [s for s in range(3) if used[s] == 2 and max(used[:s] + used[s + 1 :]) <= MAX_SIDE]
    return min(places, key=lambda s: sum(used[:s] + used[s + 1 :]), default=None)


def _slices(target: Target, place: int) -> tuple[Rows, Rows, list[list[int]]]:
    """The two slices, without zero rows and columns, and the coordinates that occur: of the pencil, the rows, the columns."""
    order = [place, *(s for s in range(3) if s != place)]
    used = [sorted({word[s] for word, _ in target.entries}) for s in order]
    number = [{i: k for k, i in enumerate(column)} for column in used]
    slices: list[Rows] = [[[0] * len(used[2]) for _ in used[1]] for _ in range(2)]
    for word, c in target.entries:
        t, i, j = (number[k][word[s]] for k, s in enumerate(order))
        slices[t][i][j] = c
    return slices[0], slices[1], used


def _rings(target: Target, place: int, field: Field) -> list[Field]:
    """The fields to work over: the target's, and one with the roots of the invariant polynomials where that helps."""
    ring = target.ring if field in (RR, CC) else field
    rings = [ring]
    if ring == QQ and field in (RR, CC):
        A, B, _ = _slices(target, place)
        f: tuple[Scalar, ...] = next(
            (block.polynomial for block in kronecker_form(A, B, ring) or [] if block.kind == "J"), (1,)
        )
        # The first invariant polynomial is a multiple of the others.
        wider = splitting_field(f) if field == CC else real_field(f)
        if wider is not None and wider not in rings:
            rings.append(wider)
    return rings


def _bound(target: Target, units: str, total: TensorSum, place: int, used: list[list[int]]) -> Bound:
    dims = [n for n, _ in target.space.factors]
    order = [place, *(s for s in range(3) if s != place)]
    back = [order.index(s) for s in range(3)]
    moved = permuted(placed(total, used, [dims[s] for s in order]), back)
    reason = f"a pencil of matrices: {len(moved)} products"
    if isinstance(moved, BorderFamily):
        return family_bound(target, units, moved.ring, moved.order, moved.units, f"{reason} in eps")
    return decomposition_bound(target, units, moved.ring, moved.units, reason)


def _works_over(target: Target, question: Question) -> Field | None:
    if _place_of_two(target) is None:
        return None
    return question.field if question.field in (RR, CC) and target.ring == QQ else ring_of(target, question)


METHOD = Method(
    name="pencils",
    rule="decomposition",
    side="upper",
    summary="tensors with two slices: the summands of the pencil",
    units=("product",),
    tier="A",
    fields="QQ, RR, CC, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
