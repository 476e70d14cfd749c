"""Sums of product units: rows added as one integer come to what their entries added one by one come to."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.verifier import units as module
from rankproof.verifier.targets import Space
from rankproof.verifier.units import Units

PRODUCT = Units("product", ())

shapes = st.lists(st.integers(1, 4), min_size=1, max_size=4)
small = st.integers(-3, 3)
# The largest and smallest digits of a row, and neighbours that almost cancel.
extreme = st.sampled_from([0, 1, -1, 2**15, -(2**15), 2**15 - 1, 2**31, -(2**31) - 1])


@st.composite
def sums(draw: st.DrawFn, numbers: st.SearchStrategy[Any]) -> tuple[Space, list[list[list[Any]]]]:
    shape = draw(shapes)
    space = Space(tuple((n, 1) for n in shape))
    unit = st.tuples(*(st.lists(numbers, min_size=n, max_size=n) for n in shape)).map(list)
    return space, draw(st.lists(unit, min_size=1, max_size=4))


def by_definition(space: Space, units: list[list[list[Any]]]) -> dict[tuple[int, ...], Any]:
    words = product(*(range(n) for n, _ in space.factors))
    total = {
        word: sum(prod(vector[i] for vector, i in zip(unit, word, strict=True)) for unit in units)
        for word in words
    }
    return {word: x for word, x in total.items() if x}


def words_in_order(space: Space, units: list[list[list[Any]]]) -> dict[tuple[int, ...], Any]:
    pairs = list(PRODUCT.sum(units, space))
    words = [word for word, _ in pairs]
    assert words == sorted(set(words))
    return {word: x for word, x in pairs if x}


@pytest.mark.parametrize("longest_row", [0, 2**13, 2**20])
@given(data=st.data())
@settings(max_examples=25)
def test_the_sum_is_the_one_of_the_definition(longest_row: int, data: st.DataObject) -> None:
    numbers = data.draw(st.sampled_from([small, extreme, st.fractions(-2, 2, max_denominator=6)]))
    space, units = data.draw(sums(numbers))
    # Integers as the reader makes them: a quotient is never one.
    units = [
        [[int(x) if Fraction(x).denominator == 1 else x for x in vector] for vector in unit] for unit in units
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PACKED_BITS", longest_row)
        assert words_in_order(space, units) == by_definition(space, units)


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=8), st.integers(1, 20))
def test_a_row_is_read_back_from_its_integer(row: list[int], spare: int) -> None:
    width = max(map(abs, row)).bit_length() + spare
    packed = module._packed(row, width)
    assert list(module._digits(packed, width)) == [(k, x) for k, x in enumerate(row) if x]


def test_a_long_row_is_not_added_as_one_integer() -> None:
    """Its few entries cost less than the zeros between them."""
    unit = [[1], [1], [2] + [0] * 4095]
    assert module._width([unit]) == 0
    assert module._width([[[1], [1], [1] * 100]]) == 2
