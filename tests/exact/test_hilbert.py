"""Hilbert symbols, Hasse invariants and Witt indices over the completions of the rationals."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.exact.factoring import BudgetSpent
from rankproof.exact.hilbert import (
    REAL,
    WittIndex,
    anisotropic_dimension,
    hasse_invariant,
    hilbert_symbol,
    is_local_square,
    relevant_places,
    witt_index_rational,
)

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "quadrics.json").read_text())

entries = st.integers(-2000, 2000).filter(bool)
rationals = st.builds(Fraction, entries, st.integers(1, 60))
places = st.sampled_from((REAL, 2, 3, 5, 7, 11, 13))
diagonals = st.lists(entries, min_size=1, max_size=6)


@pytest.mark.parametrize(
    "case", VECTORS["symbols"], ids=lambda case: f"({case['a']},{case['b']})_{case['place']}"
)
def test_hilbert_symbols_agree_with_pari(case: dict[str, int]) -> None:
    assert hilbert_symbol(case["a"], case["b"], case["place"]) == case["symbol"]


@given(rationals, rationals)
def test_the_product_of_the_symbols_over_all_places_is_one(a: Fraction, b: Fraction) -> None:
    # Hilbert reciprocity: Serre, A Course in Arithmetic, Ch. III, Theorem 3.
    assert prod(hilbert_symbol(a, b, v) for v in relevant_places([a, b])) == 1


@given(rationals, rationals, rationals, places)
def test_the_symbol_is_bilinear_and_symmetric(a: Fraction, b: Fraction, c: Fraction, v: int) -> None:
    assert hilbert_symbol(a * b, c, v) == hilbert_symbol(a, c, v) * hilbert_symbol(b, c, v)
    assert hilbert_symbol(a, c, v) == hilbert_symbol(c, a, v)


@given(rationals, places)
def test_the_symbol_with_minus_itself_or_with_one_minus_itself_is_one(a: Fraction, v: int) -> None:
    assert hilbert_symbol(a, -a, v) == 1
    if a != 1:
        assert hilbert_symbol(a, 1 - a, v) == 1


@given(rationals, places)
def test_squares_and_only_squares_have_all_symbols_one(a: Fraction, v: int) -> None:
    assert is_local_square(a * a, v)
    probes = (-1, 2, 5, v if v > 2 else 3, *((next_nonresidue(v),) if v > 2 else ()))
    assert is_local_square(a, v) == all(hilbert_symbol(a, b, v) == 1 for b in probes)


def next_nonresidue(p: int) -> int:
    return next(u for u in range(2, p) if pow(u, (p - 1) // 2, p) == p - 1)


@given(diagonals, places)
def test_the_hasse_invariant_is_the_product_of_all_symbols(diagonal: list[int], v: int) -> None:
    pairs = [(a, b) for j, b in enumerate(diagonal) for a in diagonal[:j]]
    assert hasse_invariant(diagonal, v) == prod(hilbert_symbol(a, b, v) for a, b in pairs)


@given(diagonals, entries, places)
def test_a_hyperbolic_plane_does_not_change_the_anisotropic_kernel(
    diagonal: list[int], a: int, v: int
) -> None:
    dimension = anisotropic_dimension(diagonal, v)
    assert anisotropic_dimension([a, *diagonal, -a], v) == dimension
    assert (len(diagonal) - dimension) % 2 == 0
    assert v == REAL or dimension <= 4


def zeros_modulo(diagonal: list[int], modulus: int) -> bool:
    """Whether some vector with a coordinate prime to the modulus makes the form vanish."""
    sums = {(0, False)}
    for d in diagonal:
        sums = {
            ((s + d * x * x) % modulus, unit or x % (2 if modulus % 2 == 0 else 3) != 0)
            for s, unit in sums
            for x in range(modulus)
        }
    return (0, True) in sums


@settings(deadline=None)
@given(st.lists(st.sampled_from((1, -1, 3, -3, 2, -2, 6, -6, 5, 10)), min_size=2, max_size=4))
def test_a_form_is_isotropic_where_it_has_a_primitive_zero_to_high_precision(diagonal: list[int]) -> None:
    # A primitive zero modulo 32, or modulo 9, lifts, because no entry is divisible by 4, or by 9.
    for p, modulus in ((2, 32), (3, 9)):
        assert (anisotropic_dimension(diagonal, p) < len(diagonal)) == zeros_modulo(diagonal, modulus)


@pytest.mark.parametrize(
    ("diagonal", "index", "place"),
    [
        ([1, -1], 1, REAL),
        ([1, -2], 0, 2),
        ([1, 1, -3], 0, 3),
        ([1, 1, 1, -7], 0, 2),
        ([1, -3, -15], 0, 5),
        ([1, 1, 1, 1, 1], 0, REAL),
        ([1, 1, 1, 1, -7], 1, REAL),
        ([1, 1, 1, -7, 1, -1], 1, 2),
        ([1] * 4 + [-1] * 4, 4, REAL),
        ([3], 0, REAL),
        ([], 0, REAL),
    ],
)
def test_known_witt_indices(diagonal: list[int], index: int, place: int) -> None:
    assert witt_index_rational(diagonal) == WittIndex(index, place, True)


@settings(deadline=None)
@given(st.lists(entries, min_size=1, max_size=7))
def test_the_witt_index_is_the_least_local_one_and_its_place_shows_it(diagonal: list[int]) -> None:
    witt = witt_index_rational(diagonal)
    assert witt.exact
    assert anisotropic_dimension(diagonal, witt.place) == len(diagonal) - 2 * witt.index
    # Outside the relevant places only the discriminant matters; small primes stand for them.
    for v in {*relevant_places(diagonal), 3, 5, 7, 11, 13, 17, 19, 23}:
        assert anisotropic_dimension(diagonal, v) <= len(diagonal) - 2 * witt.index


@pytest.mark.parametrize("case", VECTORS["forms"], ids=lambda case: str(case["diagonal"]))
def test_the_forms_without_zeros_are_those_of_pari(case: dict) -> None:
    witt = witt_index_rational(case["diagonal"])
    assert (witt.index > 0) == case["isotropic"]
    if case["place"] is not None:
        assert anisotropic_dimension(case["diagonal"], case["place"]) == len(case["diagonal"])


def test_numbers_that_cannot_be_factored_leave_a_bound() -> None:
    # Both primes are 3 modulo 4: the form x^2 + y^2 - hard z^2 is anisotropic there, and nowhere else.
    hard = (10**39 + 3) * (10**40 + 139)
    assert witt_index_rational([1, 1, -hard], 0.1) == WittIndex(1, REAL, False)
    # The real place decides the first, and no prime dividing one entry only matters in the second.
    assert witt_index_rational([1, 1, 1, hard], 0.1) == WittIndex(0, REAL, True)
    assert witt_index_rational([1, 1, -1, hard], 0.1) == WittIndex(1, REAL, True)
    with pytest.raises(BudgetSpent):
        relevant_places([hard], 0.1)


def test_only_places_and_non_zero_numbers_are_accepted() -> None:
    with pytest.raises(ValueError, match="4 is not a place"):
        hilbert_symbol(1, 1, 4)
    with pytest.raises(ValueError, match="is 0"):
        hilbert_symbol(0, 1, 3)
    with pytest.raises(ValueError, match="is 0"):
        anisotropic_dimension([1, 0], 3)
