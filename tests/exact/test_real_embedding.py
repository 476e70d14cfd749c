"""Signs at a real root."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.exact.real_embedding import sign
from rankproof.problem.field import NumberField

SQRT2 = NumberField.sqrt(2)


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_the_sign_of_a_plus_b_root_two_is_that_of_the_real_number(a: int, b: int) -> None:
    x = SQRT2.element((a, b))
    norm = a * a - 2 * b * b
    expected = (a > 0) - (a < 0) if norm > 0 else (b > 0) - (b < 0)
    assert sign(x) == (expected if a or b else 0)


def test_convergents_of_root_two_are_told_apart() -> None:
    a = SQRT2.generator()
    assert sign(a - Fraction(665857, 470832)) == -1
    assert sign(a - Fraction(275807, 195025)) == 1


def test_a_field_without_a_real_root_has_no_signs() -> None:
    with pytest.raises(UsageError, match="no declared real root"):
        sign(NumberField.sqrt(-1, "i").generator())
