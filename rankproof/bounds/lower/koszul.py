"""Ranks of Koszul flattenings, divided by the largest rank of one unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rankproof.bounds.koszul_shapes import Candidate, candidates
from rankproof.bounds.method import Bound, Budget, Method, best_known, complex_or_finite
from rankproof.certificate.claim import Claim, implied
from rankproof.exact.flattening import Orders, good_prime
from rankproof.exact.koszul import Wedge, koszul_rank
from rankproof.problem.field import Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SHARE = 0.5
"""Part of the time left that this method may use, the check of its certificate included."""

PATIENCE = 2
"""Shapes of one split of the letters that may fall short before the split is given up."""

MAX_TERMS = 20_000
"""Terms of the target."""

OPERATIONS_PER_SECOND = 150_000_000
"""Multiplications of the verifier's elimination on packed rows."""

PLACES_PER_SECOND = 100_000
"""Places of the matrix that prover and verifier together fill."""

MAX_OPERATIONS = 800_000_000
"""Multiplications that the certificate format allows, with a margin: the verifier counts in its own order."""

DENSE_EARLIER = 4
"""In a graded matrix the verifier packs rows earlier than the prover, and counts up to so many times as much."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over the shapes whose best possible value improves what is known, cheapest first."""
    if len(target.entries) > MAX_TERMS:
        budget.remark(f"the target has {len(target.entries)} terms; at most {MAX_TERMS} are wedged")
        return []
    target = target.over(field) if field.characteristic else target
    prime, root = good_prime(target, field)
    question = Question(units, field, "border_rank")
    budget = budget.share(SHARE * budget.left())
    best = best_known(known, question, ">=", target) or 0
    upper = best_known(known, question, "<=", target)
    found: Bound | None = None
    failures: Counter[tuple[tuple[int, ...], Orders, bool]] = Counter()

    def improves(about: str, ceiling: int) -> bool:
        value = implied(Claim("border_rank", about, field, ">=", ceiling), question, target)
        return value is not None and value > best and (upper is None or upper > best)

    for candidate in sorted(candidates(target, units, field, improves), key=lambda c: c.cost):
        # Letters that are dropped or put together may lose rank where a general projection does not.
        split = min(candidate.shape.orders, candidate.shape.opposite(target))
        wedged = tuple(wedge.factor for wedge in candidate.shape.wedges)
        group = wedged, split, candidate.kind in ("weights", "coordinates")
        if not improves(candidate.units, candidate.ceiling) or failures[group] >= PATIENCE:
            continue
        seconds = budget.left() - candidate.places / PLACES_PER_SECOND
        if seconds <= 0:
            budget.remark("out of time before every Koszul flattening was tried")
            break
        rank = _rank(target, candidate, prime, root, int(seconds * OPERATIONS_PER_SECOND))
        if rank is None:
            failures[group] += 1
            continue
        claim = Claim("border_rank", candidate.units, field, ">=", -(-rank // candidate.share))
        value = implied(claim, question, target)
        if value is None or value <= best:
            failures[group] += 1
            continue
        best, failures[group] = value, 0
        found = _bound(candidate, claim, rank, prime, root)
    return [found] if found else []


def _rank(target: Target, candidate: Candidate, prime: int, root: int | None, most: int) -> int | None:
    """The rank, where the verifier can find it with so many multiplications; otherwise None."""
    if candidate.kind == "random":
        most = min(most, MAX_OPERATIONS)
        if candidate.dense > most:
            return None
    else:
        most = min(most, MAX_OPERATIONS) // DENSE_EARLIER
    found = koszul_rank(target, candidate.shape, prime, root, most)
    return found.rank if found else None


def _bound(candidate: Candidate, claim: Claim, rank: int, prime: int, root: int | None) -> Bound:
    first, *more = [_wedge(wedge) for wedge in candidate.shape.wedges]
    witness: dict[str, Any] = {**first, "orders": list(candidate.shape.orders), "prime": prime}
    if more:
        witness["more"] = more
    if root is not None:
        witness["root"] = root
    reason = f"Koszul flattening has rank {rank}, at most {candidate.share} a unit"
    return Bound(claim, "koszul", witness, reason)


def _wedge(wedge: Wedge) -> dict[str, Any]:
    written: dict[str, Any] = {"factor": wedge.factor, "wedge": wedge.power}
    if wedge.projection is not None:
        written["projection"] = [list(row) for row in wedge.projection]
    return written


METHOD = Method(
    name="koszul",
    rule="koszul",
    side="lower",
    summary="rank of a Koszul flattening over the largest rank of one unit",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=complex_or_finite,
    find=find,
)
