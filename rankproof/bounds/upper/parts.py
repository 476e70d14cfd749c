"""Direct sums, Kronecker products and outer products: sums of units for the parts, combined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

import numpy as np

from rankproof.bounds.explicit import (
    decomposition_bound,
    explicit_decompositions,
    explicit_families,
    family_bound,
)
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper import algebras, fibres, known_families, known_schemes, pencils, symmetric
from rankproof.exact.tensor_splitting import kronecker_factors, outer_factors, summands
from rankproof.exact.tensor_sums import (
    TensorSum,
    added,
    joined,
    kronecker,
    order_of,
    outer_product,
    permuted,
    placed,
)
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, Scalar
from rankproof.problem.question import Quantity, Question
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

MAX_ENTRIES = 4_000

SHARE = 0.3
"""Part of the time left that the search about the parts may take."""

METHODS: tuple[Method, ...] = (
    known_schemes.METHOD,
    known_families.METHOD,
    pencils.METHOD,
    algebras.METHOD,
    symmetric.METHOD,
    fibres.METHOD,
)
"""What finds sums of units for the parts."""

Sums = dict[Quantity, TensorSum]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Combined sums, exact and border, where they are shorter than what is known."""
    bounds: list[Bound] = []
    part = budget.share(SHARE * budget.left())
    for sums, how in _combined(target, field, part, rng):
        for quantity, total in sums.items():
            most = best_known([*known, *bounds], Question("product", field, quantity), "<=", target)
            if most is not None and len(total) >= most:
                continue
            reason = f"{how}: {len(total)} products" + (" in eps" if quantity == "border_rank" else "")
            over = target.over(total.ring)
            if isinstance(total, BorderFamily):
                bounds.append(family_bound(over, units, total.ring, total.order, total.units, reason))
            else:
                bounds.append(decomposition_bound(over, units, total.ring, total.units, reason))
    return bounds


def _combined(
    target: Target, field: Field, budget: Budget, rng: np.random.Generator
) -> Iterator[tuple[Sums, str]]:
    """Sums of units for the target from those of its parts, with a few words on how."""
    ring = target.ring
    entries = target.as_dict()
    dims = [n for n, _ in target.space.factors]
    blocks = summands(entries)
    if len(blocks) > 1 or blocks[0].dims != tuple(dims):
        parts = [_sums_of(block.tensor, block.dims, field, ring, budget, rng) for block in blocks]
        moved: list[Sums] = [
            {quantity: placed(total, block.places, dims) for quantity, total in sums.items()}
            for block, sums in zip(blocks, parts, strict=True)
        ]
        how = (
            f"a direct sum of {len(blocks)} tensors" if len(blocks) > 1 else "a tensor of smaller dimensions"
        )
        yield _joined_parts(moved, added), how
        return
    pair = kronecker_factors(entries, dims, ring) if len(dims) > 2 else None
    if pair is not None:
        left = _sums_of(pair.left, pair.left_dims, field, ring, budget, rng)
        right = _sums_of(pair.right, pair.right_dims, field, ring, budget, rng)
        yield _joined_parts([left, right], kronecker), "a Kronecker product"
    for factors, both in outer_factors(entries, dims, ring) if len(dims) > 2 else ():
        left = _sums_of(both.left, both.left_dims, field, ring, budget, rng)
        right = _sums_of(both.right, both.right_dims, field, ring, budget, rng)
        order = [*factors, *(s for s in range(len(dims)) if s not in factors)]
        back = [order.index(s) for s in range(len(dims))]
        sums = _joined_parts([left, right], outer_product)
        yield {q: permuted(total, back) for q, total in sums.items()}, "an outer product"
        return


def _joined_parts(parts: Sequence[Sums], join: Callable[[TensorSum, TensorSum], TensorSum]) -> Sums:
    joined_sums: Sums = {}
    quantities: tuple[Quantity, ...] = ("rank", "border_rank")
    for quantity in quantities:
        sums = [part[quantity] for part in parts if quantity in part]
        # Parts with roots in different number fields have no common ring here.
        if len(sums) == len(parts) and _one_chain([total.ring for total in sums]):
            joined_sums[quantity] = reduce(join, sums)
    return joined_sums


def _one_chain(rings: Sequence[Field]) -> bool:
    return all(a.includes(b) or b.includes(a) for a in rings for b in rings)


def _sums_of(
    entries: dict[Word, Scalar],
    dims: Sequence[int],
    field: Field,
    ring: Field,
    budget: Budget,
    rng: np.random.Generator,
) -> Sums:
    """The shortest sums of units found for a part, exact and border."""
    if len(dims) == 1 or sum(n > 1 for n in dims) < 2:
        vectors = _single(entries, dims)
        one = joined(ring, 0, [vectors])
        return {"rank": one, "border_rank": one}
    # A trailing factor of dimension 1 behind one other would make this a form.
    target = Target.from_entries(Space.tensor(*dims), entries, ring)
    found: list[Bound] = []
    for method in (*METHODS, METHOD):
        for quantity in ("rank", "border_rank"):
            over = method.field_for(target, Question("product", field, quantity))
            if over is not None and not (budget.exhausted() and found):
                found += method.find(target, "product", over, budget, rng, tuple(found))
    exact: list[Decomposition] = sorted(explicit_decompositions(found), key=len)
    families: list[BorderFamily] = sorted(explicit_families(found), key=len)
    best: Sums = {"rank": exact[0]} if exact else {}
    every: list[TensorSum] = [*exact, *families]
    if every:
        best["border_rank"] = min(every, key=lambda total: (len(total), order_of(total)))
    return best


def _single(entries: dict[Word, Scalar], dims: Sequence[int]) -> tuple[tuple[Scalar, ...], ...]:
    """The vectors of a tensor with at most one factor of dimension above 1."""
    long = next((s for s, n in enumerate(dims) if n > 1), 0)
    vectors: list[tuple[Scalar, ...]] = [(1,)] * len(dims)
    values = {word[long]: c for word, c in entries.items()}
    vectors[long] = tuple(values.get(i, 0) for i in range(dims[long]))
    return tuple(vectors)


def _works_over(target: Target, question: Question) -> Field | None:
    if len(target.space.factors) < 3 or len(target.entries) > MAX_ENTRIES:
        return None
    return question.field if question.field in (RR, CC) and target.ring == QQ else ring_of(target, question)


METHOD = Method(
    name="parts",
    rule="decomposition",
    side="upper",
    summary="direct sums, Kronecker products and outer products: the parts, combined",
    units=("product",),
    tier="A",
    fields="QQ, RR, CC, QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
