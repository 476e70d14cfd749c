"""Claims about a target, and the closed table of what follows from what (docs/format.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from rankproof.problem.field import Field
from rankproof.problem.question import QUANTITIES, Floor, Quantity, Question
from rankproof.problem.target import Target

Relation = Literal[">=", "<="]

# A width: which units, counted how.
Width = tuple[str, Quantity]


@dataclass(frozen=True)
class Claim:
    """The statement that a width or a floor of the target over a field is at least, or at most, a number.

    Examples
    --------
    >>> from rankproof.problem.field import CC
    >>> print(Claim("border_rank", "tied", CC, ">=", 2))
    tied border rank over CC >= 2
    """

    quantity: Quantity | Floor
    units: str
    over: Field
    relation: Relation
    value: int | Fraction

    def __str__(self) -> str:
        quantity = str(self.quantity).replace("_", " ")
        return f"{self.units} {quantity} over {self.over} {self.relation} {self.value}"


def may_ask(field: Field, target: Target) -> bool:
    """Whether a question over the field has a meaning for the target.

    A target over QQ may be asked about everywhere; over QQ(a) in QQ(a) and in the fields that contain it; over GF(p) only there.
    """
    ring = target.ring
    if ring.characteristic:
        return field == ring
    return ring.number_field is None or field.includes(ring)


def implied(claim: Claim, question: Question, target: Target) -> int | None:
    """What a claim says about a question about a width, by the closed table of the certificate format.

    Returns
    -------
    int or None
        The best bound that follows, on the side of the claim's relation; None when nothing follows.

    Examples
    --------
    >>> from rankproof.problem.field import CC, QQ
    >>> from rankproof.problem.space import Space
    >>> xyz = Target.from_entries(Space.form(3, 3), {(0, 1, 2): 1})
    >>> implied(Claim("border_rank", "tied", CC, ">=", 3), Question("untied", QQ, "rank"), xyz)
    2
    """
    if isinstance(question.quantity, Floor) or isinstance(claim.quantity, Floor):
        # Nothing follows from floors about widths, or from widths about floors.
        return None
    if not may_ask(question.field, target) or not may_ask(claim.over, target):
        return None
    at_least = claim.relation == ">="
    smaller, larger = (question.field, claim.over) if at_least else (claim.over, question.field)
    if not larger.includes(smaller):
        return None
    d = target.space.form_degree if target.space.is_polynomial else 0
    p = claim.over.characteristic
    factors = _factors(d, p == 0 or p > d)
    start: Width = (claim.units, claim.quantity)
    end: Width = (question.units, question.quantity)
    factor = factors.get(start, {}).get(end) if at_least else factors.get(end, {}).get(start)
    if start == end:
        factor = 1
    if factor is None:
        return None
    value = int(claim.value)
    return -(-value // factor) if at_least else factor * value


@lru_cache(maxsize=256)
def _factors(d: int, powers_span: bool) -> Mapping[Width, Mapping[Width, int]]:
    """Least c with A <= c*B for every pair of widths that the table connects.

    Parameters
    ----------
    d
        Degree of the forms; 0 when the target is not polynomial.
    powers_span
        Whether the characteristic is 0 or above d, so that powers of linear forms span all forms.
    """
    edges = _inequalities(d, powers_span)
    widths = {width for a, b, _ in edges for width in (a, b)}
    best: dict[Width, dict[Width, int]] = {width: {width: 1} for width in widths}
    # Every chain of inequalities multiplies its constants, and every constant is at least 1: relax until nothing changes.
    changed = True
    while changed:
        changed = False
        for a, b, c in edges:
            for end, onward in list(best[b].items()):
                if c * onward < best[a].get(end, c * onward + 1):
                    best[a][end] = c * onward
                    changed = True
    return best


def _inequalities(d: int, powers_span: bool) -> list[tuple[Width, Width, int]]:
    """The table itself: triples (A, B, c) for A <= c*B."""
    mixed = [f"mixed:{k}" for k in range(1, d // 2 + 1)]
    edges: list[tuple[Width, Width, int]] = [
        ((units, "border_rank"), (units, "rank"), 1)
        for units in ("tied", "untied", "split", "product", *mixed)
    ]
    if not d:
        return edges
    for quantity in QUANTITIES:
        tied: Width = ("tied", quantity)
        untied: Width = ("untied", quantity)
        split: Width = ("split", quantity)
        edges += [(split, untied, 1), (untied, tied, 1), (split, tied, 1)]
        if powers_span:
            edges += [(tied, untied, d if quantity == "rank" else 2), (tied, split, 2 ** (d - 1))]
        for k, name in enumerate(mixed, start=1):
            between: Width = (name, quantity)
            edges += [(split, between, 1), (between, tied, 1)]
            if k == 1:
                edges += [(between, untied, 1), (untied, between, 1)]
            if powers_span and quantity == "border_rank":
                edges.append((tied, between, k + 1))
    return edges
