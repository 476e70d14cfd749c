"""Decompositions of a tensor that nobody wrote down: all that can be found out is whether they agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.formats.expansion import Expansion, Slice, entry, expand
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import QQ, Field, number


def disagreement(schemes: Sequence[Scheme]) -> str | None:
    """Where decompositions do not add up to the same tensor, as a sentence; None when they all do.

    Parameters
    ----------
    schemes
        At least one, all over the same field.
    """
    first = schemes[0]
    field = _field(first)
    expected = expand(first, field)
    for scheme in schemes[1:]:
        if scheme.sizes != first.sizes:
            return f"{scheme.label} has sizes {scheme.sizes} and {first.label} has {first.sizes}"
        found = expand(scheme, field)
        if (place := _difference(expected, found)) is not None:
            word = tuple(int(i) for i in np.unravel_index(place, first.sizes))
            return (
                f"{first.label} and {scheme.label} add up to different tensors over {field}: entry {word} is"
                f" {entry(expected, 0, place)} in the first and {entry(found, 0, place)} in the second"
            )
    return None


def _field(scheme: Scheme) -> Field:
    if scheme.ring is not None:
        return scheme.ring
    return QQ if scheme.number_field is None else number(scheme.number_field)


def _difference(a: Expansion, b: Expansion) -> int | None:
    """First flat position at which two sums without eps differ."""
    if a.scale == b.scale and _is_same(a.slices.get(0), b.slices.get(0)):
        return None
    values = [dict(_pairs(x)) for x in (a, b)]
    places = values[0].keys() | values[1].keys()
    wrong = [
        place for place in places if values[0].get(place, 0) * b.scale != values[1].get(place, 0) * a.scale
    ]
    return min(wrong, default=None)


def _is_same(a: Slice | None, b: Slice | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a.positions, b.positions) and np.array_equal(a.values, b.values)


def _pairs(expansion: Expansion) -> list[tuple[int, int]]:
    found = expansion.slices.get(0)
    return [] if found is None else list(zip(found.positions.tolist(), found.values.tolist(), strict=True))
