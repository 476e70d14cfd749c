"""Segre-Veronese formats and their words."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from strategies import spaces

from rankproof.errors import UsageError
from rankproof.problem.space import Space


@given(spaces())
def test_the_dimension_is_the_number_of_words(space):
    words = list(space.words())
    assert len(words) == space.dimension
    assert words == sorted(set(words))


@given(spaces())
def test_a_sequence_of_indices_is_contained_exactly_when_it_is_a_word(space):
    largest = max(n for n, _ in space.factors)
    words = set(space.words())
    if (largest + 1) ** space.degree <= 3000:
        for sequence in product(range(-1, largest + 1), repeat=space.degree):
            assert space.contains(sequence) == (sequence in words)
    assert not space.contains((0,) * (space.degree + 1))


def test_cubic_forms_in_two_variables_have_four_coefficients():
    space = Space.form(2, 3)
    assert list(space.words()) == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
    assert (space.variables_count, space.form_degree, space.outputs) == (2, 3, 1)
    assert space.is_polynomial
    assert not space.is_tensor


def test_a_map_with_one_output_is_a_form():
    assert Space.map(3, 2, 1) == Space.form(3, 2)
    assert Space.map(3, 2, 4).outputs == 4
    assert list(Space.map(3, 2, 4).factor_words(1)) == [(0,), (1,), (2,), (3,)]


def test_a_matrix_is_a_linear_map_and_a_tensor():
    space = Space.tensor(2, 3)
    assert space.is_polynomial
    assert space.is_tensor
    assert (space.variables_count, space.form_degree, space.outputs) == (2, 1, 3)


def test_a_tensor_of_order_three_has_no_variables():
    with pytest.raises(UsageError, match="not a space of polynomials"):
        Space.tensor(2, 2, 2).variables_count


@pytest.mark.parametrize(
    "factors, sentence",
    [
        ((), "1 to 16 factors"),
        (((2, 1),) * 17, "1 to 16 factors"),
        (((0, 2),), "out of range"),
        (((2, 0),), "out of range"),
        (((4097, 1),), "out of range"),
        (((2, 65),), "total degree 65"),
        (((3, 2), (1, 1)), "without the factor"),
    ],
)
def test_a_format_out_of_range_is_refused(factors, sentence):
    with pytest.raises(UsageError, match=sentence):
        Space(factors)
