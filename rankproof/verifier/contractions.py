"""Contractions of a target by covectors on one factor, and flattenings of what they leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .forms import remove
from .reading import integer, sequence
from .refusal import Unreadable
from .scalars import Number
from .targets import Space, Word

Factors = tuple[tuple[int, int], ...]


def lowered(factors: Factors, factor: int, degree: int) -> Factors:
    """The factors after a contraction of this degree."""
    n, power = factors[factor]
    return (*factors[:factor], (n, power - degree), *factors[factor + 1 :])


def contractions(
    word: Word, factors: Factors, factor: int, covector: Mapping[Word, Number]
) -> Iterator[tuple[Word, Number]]:
    """What a covector makes of a word: for a factor of power 1 its coordinate, otherwise a derivative."""
    pieces = Space(factors).split(word)
    for letters, c in covector.items():
        quotient = remove(pieces[factor], letters)
        if quotient is not None:
            rest, times = quotient
            yield sum((*pieces[:factor], rest, *pieces[factor + 1 :]), ()), c * times


def read_orders(node: Any, factors: Sequence[tuple[int, int]], pointer: str) -> list[int]:
    """Orders of a flattening: for every factor of the row side, and not everything on one side."""
    orders = sequence(node, pointer, least=len(factors), most=len(factors))
    for i, (order, (_, power)) in enumerate(zip(orders, factors, strict=True)):
        integer(order, f"{pointer}/{i}", 0, power)
    if not any(orders) or all(order == power for order, (_, power) in zip(orders, factors, strict=True)):
        raise Unreadable("one-sided", pointer, "both sides of a flattening need at least one index")
    return orders
