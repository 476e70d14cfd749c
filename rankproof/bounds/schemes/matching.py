"""Sums of units for a tensor that is a known one, however its factors and bases are numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rankproof.bounds.recognition import Likeness, likeness
from rankproof.bounds.schemes.models import MODELS, Model
from rankproof.exact.tensor_sums import TensorSum
from rankproof.problem.field import Field
from rankproof.problem.target import Target

MAX_ENTRIES = 400
"""Above this number of coefficients only named targets are recognised."""

Side = Callable[[Model], Callable[[tuple[int, ...], Field], TensorSum | None]]


def known_sums(target: Target, ring: Field, side: Side) -> Iterator[tuple[str, TensorSum]]:
    """Sums of units for the target over a ring, with the names of the models that they belong to.

    Parameters
    ----------
    target
        Tensor with coefficients in the ring.
    ring
        Exact field of the units.
    side
        Which sums of a model: its schemes or its border families.
    """
    entries = target.as_dict()
    used = [len({word[s] for word in entries}) for s in range(len(target.space.factors))]
    for model in MODELS:
        for parameters in model.parameters(used, len(entries)):
            total = side(model)(parameters, ring)
            if total is None:
                continue
            like = _likeness(target, model, parameters, ring)
            if like is not None:
                name = f"{model.name}({','.join(map(str, parameters))})" if parameters else model.name
                yield name, like.carry(total, ring)


def _likeness(target: Target, model: Model, parameters: tuple[int, ...], ring: Field) -> Likeness | None:
    reference = model.target(parameters).over(ring)
    dims = [n for n, _ in target.space.factors]
    if reference.space == target.space and reference.entries == target.entries:
        identity = tuple(tuple(range(n)) for n in dims)
        return Likeness(tuple(range(len(dims))), identity, tuple((1,) * n for n in dims), tuple(dims))
    if len(target.entries) > MAX_ENTRIES:
        return None
    return likeness(reference.as_dict(), target.as_dict(), dims, ring)
