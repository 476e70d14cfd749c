"""Tensors cut into slices, and the slices, down to matrices, written as exact rank decompositions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.bounds.explicit import decomposition_bound, dense
from rankproof.bounds.method import Bound, Budget, Method, ring_of
from rankproof.exact.matrix_factorisation import rank_factorisation, row_basis
from rankproof.problem.field import Field, Scalar
from rankproof.problem.space import Word
from rankproof.problem.target import Target

Tensor = dict[Word, Scalar]
SparseUnit = dict[int, dict[int, Scalar]]
"""Vectors of a unit by axis, each by its non-zero coordinates."""

ALL_AXES_BELOW = 4
"""Below this order every axis is tried for slicing; from it on, only one with the fewest slices."""

COMBINED_SLICES_UP_TO = 3
"""Up to this order combinations of slices are tried too."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """One decomposition; it has at most as many units as the tensor has non-zero fibres along any axis."""
    target = target.over(field)
    dims = [n for n, _ in target.space.factors]
    found = _decompose(target.as_dict(), tuple(range(len(dims))), field, budget)
    whole = [tuple(dense(unit[axis], n) for axis, n in enumerate(dims)) for unit in found]
    return [decomposition_bound(target, units, field, whole)]


def _decompose(tensor: Tensor, axes: tuple[int, ...], ring: Field, budget: Budget) -> list[SparseUnit]:
    """Units of a non-zero tensor whose words are indexed by the given axes."""
    if len(axes) == 1:
        return [{axes[0]: {word[0]: x for word, x in tensor.items()}}]
    if len(axes) == 2:
        matrix: dict[int, dict[int, Scalar]] = {}
        for (i, j), x in tensor.items():
            matrix.setdefault(i, {})[j] = x
        return [{axes[0]: u, axes[1]: v} for u, v in rank_factorisation(matrix, ring)]
    best: list[SparseUnit] = []
    for place in _slicing_places(tensor, axes, budget):
        slices = _unfolded(tensor, place)
        rest = (*axes[:place], *axes[place + 1 :])
        parts = {i: _decompose(part, rest, ring, budget) for i, part in slices.items()}
        # Slices that follow from cheaper ones cost nothing: a greedy basis is a cheapest one.
        basis = row_basis(slices, sorted(slices, key=lambda i: len(parts[i])), ring)
        found = [{axes[place]: u} | unit for i, u in basis.items() for unit in parts[i]]
        if not best or len(found) < len(best):
            best = found
        if len(axes) > COMBINED_SLICES_UP_TO:
            continue
        # Combinations of slices can have smaller ranks than the slices.
        found = [
            {axes[place]: u} | unit
            for u, part in rank_factorisation(slices, ring)
            for unit in _decompose(part, rest, ring, budget)
        ]
        if len(found) < len(best):
            best = found
    return best


def _slicing_places(tensor: Tensor, axes: tuple[int, ...], budget: Budget) -> list[int]:
    if len(axes) < ALL_AXES_BELOW and not budget.exhausted():
        return list(range(len(axes)))
    return [min(range(len(axes)), key=lambda place: len({word[place] for word in tensor}))]


def _unfolded(tensor: Tensor, place: int) -> dict[int, Tensor]:
    """The slices along one axis, as the rows of a matrix."""
    slices: dict[int, Tensor] = {}
    for word, x in tensor.items():
        slices.setdefault(word[place], {})[(*word[:place], *word[place + 1 :])] = x
    return slices


METHOD = Method(
    name="fibres",
    rule="decomposition",
    side="upper",
    summary="independent slices of a tensor, each an exact rank decomposition",
    units=("product",),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=ring_of,
    find=find,
)
