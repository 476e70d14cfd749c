"""Pencils of matrices over CC and RR: the ranks of the blocks of Kronecker's form, without their eigenvalues."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankproof.bounds.matrix_pencils import canonical_form, choices
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import upper_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.eigenvalues import real_roots
from rankproof.exact.kronecker_form import PencilBlock, Rows, transpose
from rankproof.problem.field import CC, RR, Algebraic, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.problem.univariate import is_squarefree


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The sum over the blocks, if it is less than what is known."""
    best = upper_so_far(known, units, field, target)
    for choice in choices(target, rng):
        if target.space.factors[choice.factor][0] != 2:
            break
        form = canonical_form(target, target.ring, choice)
        if form is None:
            continue
        value = form.base_rank + sum(not _splits(block, field) for block in form.blocks)
        if best is None or value < best:
            blocks = [block for block in form.blocks if block.size]
            witness: dict[str, Any] = {
                "factor": choice.factor,
                "left": _encoded([list(chain(*rows)) for rows in zip(*(b.P for b in blocks), strict=True)]),
                "right": _encoded([row for block in blocks for row in transpose(block.Q, len(block.Q[0]))]),
                "blocks": [_encoded_block(block) for block in blocks],
            }
            reason = f"Kronecker's form of the pencil has blocks of rank {value} together"
            return [Bound(Claim("rank", units, field, "<=", value), "kronecker-form", witness, reason)]
    return []


def _splits(block: PencilBlock, field: Field) -> bool:
    """Whether the polynomial of a block, if it has one, has distinct roots in the field; irrational ones are not looked at."""
    f = block.polynomial
    if not f or len(f) == 2:
        return True
    if any(isinstance(c, Algebraic) for c in f):
        return False
    return is_squarefree(f) and (field == CC or real_roots(f) == len(f) - 1)  # type: ignore[arg-type]


def _encoded(matrix: Rows) -> list[list[Any]]:
    return [[encode_scalar(x) for x in row] for row in matrix]


def _encoded_block(block: PencilBlock) -> dict[str, Any]:
    if block.kind == "J":
        written: dict[str, Any] = {"polynomial": [encode_scalar(c) for c in block.polynomial]}
        return written | {"shift": encode_scalar(block.shift)} if block.shift else written
    return {"columns" if block.kind == "L" else "rows": block.size}


def _works_over(target: Target, question: Question) -> Field | None:
    fits = question.quantity == "rank" and len(target.space.factors) == 3 and question.field in (CC, RR)
    return question.field if fits else None


METHOD = Method(
    name="kronecker_form",
    rule="kronecker-form",
    side="upper",
    summary="Kronecker's form of a tensor with two slices",
    units=("product",),
    tier="A",
    fields="CC, RR",
    works_over=_works_over,
    find=find,
)
