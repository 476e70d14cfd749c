"""Ranks from below by two slices at a point outside the field, or at a point counted twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankproof.bounds.matrix_pencils import CanonicalForm, Choice, canonical_form, choices
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import lower_so_far, upper_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.eigenvalues import Integers, factors, place_without_root, real_roots
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target

MAX_DEGREE = 24
"""Degree of a polynomial that the format allows."""

MAX_TERMS = 3000
"""Coefficients of the target; beyond them its slices are large, and dense ones are long to eliminate."""

SECONDS = 3.0
SHARE = 0.2
"""Of the time left: few pairs of slices prove more than two."""

QUANTITIES: tuple[Quantity, ...] = ("rank", "border_rank")


@dataclass(frozen=True)
class Point:
    """A polynomial whose roots are looked at, over which field that proves something, and what the roots add."""

    polynomial: Integers
    over: Field
    argument: str
    gain: int
    place: tuple[int, int | None] | None = None


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bounds over the pairs of slices that are tried."""
    part = budget.share(min(SECONDS, SHARE * budget.left()))
    best = {quantity: lower_so_far(known, units, field, quantity, target) for quantity in QUANTITIES}
    upper = upper_so_far(known, units, field, target)
    found: dict[str, Bound] = {}
    ring = field if field.characteristic else target.ring
    if len(target.entries) > MAX_TERMS:
        budget.remark("too many coefficients")
        return []
    for choice in choices(target, rng):
        if upper is not None and best["border_rank"] >= upper:
            break
        if part.exhausted():
            budget.remark("out of time before all pairs of slices were tried")
            break
        form = canonical_form(target, ring, choice)
        if form is None or form.base_rank + len(form.invariants) <= best["border_rank"]:
            continue
        for point in points(form, ring, field):
            value = form.base_rank + (1 if point.argument == "border" else point.gain)
            quantity = "border_rank" if point.argument == "border" else "rank"
            if value > best[quantity]:
                best[quantity] = value
                best["rank"] = max(best["rank"], value)
                found[quantity] = _bound(units, choice, form, point, value)
    return list(found.values())


def points(form: CanonicalForm, ring: Field, field: Field) -> Iterator[Point]:
    """Points that prove something over the field, with the number of invariant polynomials that they count."""
    if any(isinstance(c, Algebraic) for f in form.invariants for c in f):
        return
    p = ring.characteristic
    split = [dict(factors(f, p)) for f in form.invariants]  # type: ignore[arg-type]
    above = field if p else CC
    regular = all(block.kind == "J" for block in form.blocks if block.size)
    # A border bound is a bound on the rank too, so that it is tried first.
    arguments = ("border", "outside") if regular else ("outside",)
    for g in dict.fromkeys(g for found in split for g in found if len(g) <= MAX_DEGREE + 1):
        if doubled := sum(found.get(g, 0) > 1 for found in split):
            yield Point(g, above, "double", doubled)
        if len(g) > 2:
            gain = sum(g in found for found in split)
            if p or (field == RR and _is_outside(g, ring)):
                yield from (Point(g, field, argument, gain) for argument in arguments)
            elif field not in (RR, CC) and (place := place_without_root(g, field)) is not None:
                yield from (Point(g, field, argument, gain, place) for argument in arguments)
    # At a point that is no eigenvalue the minimal indices count all the same.
    lines = ((-c % p if p else -c, 1) for c in range(p or 100))
    simple = next((g for g in lines if all(g not in found for found in split)), None)
    if simple is not None:
        yield Point(simple, above, "double", 0)


def _is_outside(g: Integers, ring: Field) -> bool:
    """Whether an irreducible polynomial has a root outside RR at which rational slices have the same rank as at all."""
    real = real_roots(g)
    return not real or (ring == QQ and real < len(g) - 1)


def _bound(units: str, choice: Choice, form: CanonicalForm, point: Point, value: int) -> Bound:
    first, second = choice.images
    images = [[x + form.shift * y for x, y in zip(first, second, strict=True)], list(second)]
    witness: dict[str, Any] = {
        "factor": choice.factor,
        "orders": list(choice.orders),
        "argument": point.argument,
        "polynomial": [encode_scalar(c) for c in point.polynomial],
    }
    if images != [[1, 0], [0, 1]]:
        witness["slices"] = images
    if point.place is not None:
        witness["place"] = point.place[0]
        if point.place[1] is not None:
            witness["root"] = point.place[1]
    what = "repeated eigenvalues" if point.argument == "double" else f"eigenvalues outside {point.over}"
    more = value - form.base_rank
    reason = f"two slices have rank {form.base_rank}" + (f", and {more} more for {what}" if more else "")
    quantity: Quantity = "border_rank" if point.argument == "border" else "rank"
    return Bound(Claim(quantity, units, point.over, ">=", value), "pencil", witness, reason)


def _works_over(target: Target, question: Question) -> Field | None:
    if len(target.space.factors) == 2 and target.space.is_tensor:
        return None
    return None if question.quantity == "border_rank" and question.field == CC else question.field


METHOD = Method(
    name="pencil",
    rule="pencil",
    side="lower",
    summary="two slices and their eigenvalues: rank of a pencil of matrices",
    units=("product", "tied"),
    tier="A",
    fields="CC, RR, QQ, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
