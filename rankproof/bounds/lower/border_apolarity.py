"""Border ranks of tensors of order 3 from below by border apolarity, for targets with a torus of symmetries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.operators import complex_only
from rankproof.certificate.claim import Claim, implied
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.border_apolarity import GivenUp, PairProof, refute
from rankproof.exact.symmetry import Symmetry, find_symmetry, polarised
from rankproof.problem.field import QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

SHARE = 0.8
"""Part of its time that the search may use: the verifier takes about as long as the prover for what is refuted."""

MAX_CELLS = 20_000
"""Entries of the whole tensor."""

MAX_STEPS = 64
"""Border ranks refuted one after the other."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Refute one border rank after the other, beginning with the best bound known."""
    dimensions = [n for n, power in target.space.factors for _ in range(power)]
    if len(dimensions) != 3 or target.ring != QQ or prod(dimensions) > MAX_CELLS:
        return []
    about = units if units == "product" else "tied"
    question = Question(units, field, "border_rank")
    best = best_known(known, question, ">=", target) or 0
    upper = best_known(known, question, "<=", target)
    if upper is not None and upper <= best:
        return []
    rank = max(1, best_known(known, Question(about, field, "border_rank"), ">=", target) or 0)
    while _value(about, rank + 1, field, question, target) <= best:
        rank += 1
    tensor = polarised(target)
    symmetry = find_symmetry(tensor, dimensions, rng)
    if symmetry is None:
        budget.remark(
            "border apolarity needs a torus of symmetries in the given coordinates, and there is none"
        )
        return []
    part = budget.share(SHARE * budget.left())
    found: tuple[int, list[PairProof]] | None = None
    for candidate in range(rank, rank + MAX_STEPS):
        started = time.monotonic()
        try:
            found = candidate, refute(tensor, dimensions, symmetry, candidate, part.exhausted)
        except GivenUp as reason:
            budget.remark(f"border apolarity does not refute {candidate}: {reason}")
            break
        if upper is not None and _value(about, candidate + 1, field, question, target) >= upper:
            break
        if 2 * (time.monotonic() - started) > part.left():
            budget.remark(f"no time to try to refute border rank {candidate + 1}")
            break
    if found is None:
        return []
    refuted, proofs = found
    claim = Claim("border_rank", about, field, ">=", refuted + 1)
    cases = sum(len(proof.leaves) for proof in proofs)
    reason = (
        f"border apolarity: {cases} stable spaces and families refuted" if cases else "rank of a flattening"
    )
    return [Bound(claim, "border-apolarity", witness(refuted, symmetry, proofs), reason)]


def _value(about: str, value: int, field: Field, question: Question, target: Target) -> int:
    return implied(Claim("border_rank", about, field, ">=", value), question, target) or 0


def witness(refuted: int, symmetry: Symmetry, proofs: Sequence[PairProof]) -> dict[str, Any]:
    """The witness of the rule (docs/format.md)."""
    return {
        "refuted": refuted,
        "weights": [[list(weight) for weight in listed] for listed in symmetry.weights],
        "rho": list(symmetry.rho),
        "raising": [
            [[[i, j, x] for (i, j), x in sorted(matrix.items())] for matrix in operator]
            for operator in symmetry.raising
        ],
        "pairs": [
            {"factors": list(proof.factors), "leaves": [_encoded(leaf) for leaf in proof.leaves]}
            for proof in proofs
        ],
    }


def _encoded(leaf: Any) -> Any:
    if isinstance(leaf, str):
        return leaf
    return {"split": [[list(word), encode_scalar(QQ.reduce(x))] for word, x in leaf]}


METHOD = Method(
    name="border_apolarity",
    rule="border-apolarity",
    side="lower",
    summary="all stable spaces that a limit of r rank-one tensors could leave, refuted one by one",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=complex_only,
    find=find,
)
