"""Rational zeros of quadratic forms."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.exact.factoring import BudgetSpent
from rankproof.exact.hilbert import witt_index_rational
from rankproof.exact.isotropy import isotropic_vector

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "quadrics.json").read_text())

entries = st.integers(-300, 300).filter(bool)


def value(diagonal: list[int], x: list[int]) -> int:
    return sum(d * c * c for d, c in zip(diagonal, x, strict=True))


@pytest.mark.parametrize("case", VECTORS["forms"], ids=lambda case: str(case["diagonal"]))
def test_a_zero_is_found_exactly_when_pari_finds_one(case: dict) -> None:
    x = isotropic_vector(case["diagonal"])
    assert (x is not None) == case["isotropic"]
    if x is not None:
        assert any(x)
        assert value(case["diagonal"], x) == 0


@settings(deadline=None)
@given(st.lists(entries, min_size=2, max_size=7))
def test_a_form_has_a_zero_exactly_when_its_witt_index_is_positive(diagonal: list[int]) -> None:
    x = isotropic_vector(diagonal)
    assert (x is not None) == (witt_index_rational(diagonal).index > 0)
    if x is not None:
        assert any(x)
        assert value(diagonal, x) == 0


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_zeros_of_forms_with_coefficients_of_twenty_digits(n: int) -> None:
    rng = random.Random(n)
    for _ in range(4):
        diagonal = [rng.choice((-1, 1)) * rng.randrange(10**19, 10**20) for _ in range(n - 1)]
        # A zero with coordinates of four digits, which no search would meet.
        x = [rng.randrange(1, 10**4) for _ in diagonal]
        diagonal.append(-value(diagonal, x))
        found = isotropic_vector(diagonal)
        assert found is not None
        assert value(diagonal, found) == 0


def test_a_ternary_zero_is_as_small_as_holzer_says() -> None:
    # Holzer 1950: for squarefree coprime a, b, c some zero has |x| <= sqrt(|bc|), and so on; lattice reduction may lose a bit.
    for a, b, c in ((10007, 10009, -20016), (1000003, -999983, 17)):
        x = isotropic_vector([a, b, c])
        if x is not None:
            bounds = (b * c, a * c, a * b)
            assert all(y * y <= 16 * abs(bound) for y, bound in zip(x, bounds, strict=True))


def test_what_could_not_be_decided_is_not_called_anisotropic() -> None:
    hard = (10**39 + 3) * (10**40 + 139)
    with pytest.raises(BudgetSpent, match="composite"):
        isotropic_vector([1, 1, -hard], 0.2)


def test_zero_entries_are_refused() -> None:
    with pytest.raises(ValueError, match="non-zero integers"):
        isotropic_vector([1, 0, -1])


def test_definite_forms_and_single_variables_have_no_zero() -> None:
    assert isotropic_vector([3]) is None
    assert isotropic_vector([1, 2, 3, 4, 5, 6]) is None
    assert isotropic_vector([-1, -1]) is None
