"""The contraction finds nothing where there is nothing, and something where there is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.verifier.refusal import Rejected
from rankproof.verifier.rules.real_solution import RULE, Gauss, approximate_inverse
from rankproof.verifier.rules.rule import Context
from rankproof.verifier.scalars import QQ
from rankproof.verifier.targets import Space, Target
from rankproof.verifier.units import read_units


def context(space: Space, entries: dict, over: str = "RR", units: str = "tied") -> Context:
    return Context(
        Target(space, QQ, entries), read_units(units, "", space), over, "<=", {"QQ": QQ}, (), "/steps/0"
    )


def passes(witness: dict, about: Context) -> bool:
    refused = ""
    try:
        RULE.derive(RULE.read(witness, about), about)
    except Rejected as refusal:
        refused = refusal.code
    assert refused in ("", "no-contraction", "singular")
    return not refused


@given(
    st.fractions(min_value=-4, max_value=4, max_denominator=50).filter(bool),
    st.integers(-3000, 3000),
    st.integers(1, 3000),
)
def test_a_square_root_is_seen_only_inside_the_box(value: Fraction, y: int, radius: int) -> None:
    # c x^2 = value x^2 for one free coordinate c: zeros at plus and minus the square root.
    about = context(Space(((1, 2),)), {(0, 0): value})
    witness = {"bits": 10, "units": [[[y], [1024]]], "free": [[0, 0, 0]], "radius": radius}
    if passes(witness, about):
        assert value > 0
        low, high = sorted((Fraction(y - radius, 1024), Fraction(y + radius, 1024)))
        assert (low * low - value) * (high * high - value) < 0


@given(
    st.lists(st.integers(-40, 40), min_size=4, max_size=4),
    st.lists(st.integers(-3, 3), min_size=4, max_size=4),
)
def test_two_cubes_near_their_sum(forms: list[int], errors: list[int]) -> None:
    # The target is a sum of two real cubes; the certificate is given nearby points.
    (a, b, c, d) = forms
    entries = {
        (0, 0, 0): a**3 + c**3,
        (0, 0, 1): 3 * (a * a * b + c * c * d),
        (0, 1, 1): 3 * (a * b * b + c * d * d),
        (1, 1, 1): b**3 + d**3,
    }
    about = context(Space(((2, 3),)), {word: x for word, x in entries.items() if x})
    if not any(entries.values()):
        return
    bits = 30
    near = [(x << bits) + e for x, e in zip(forms, errors, strict=True)]
    units = [[near[:2], [1 << bits]], [near[2:], [1 << bits]]]
    free = [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]
    found = passes({"bits": bits, "units": units, "free": free, "radius": 4096}, about)
    # The squares of two independent forms times linear forms are independent: the Jacobian is invertible, and well so
    # when the forms are far from proportional.
    if abs(a * d - b * c) >= 800:
        assert found
    if a * d == b * c:
        assert not found


def test_a_pair_of_conjugate_solutions_is_complex_and_not_real() -> None:
    # x^2 + 1/1000000: both zeros are within 1/1000 of the real line.
    entries = {(0, 0): Fraction(-1, 10**6)}
    real, complex_ = context(Space(((1, 2),)), entries), context(Space(((1, 2),)), entries, "CC")
    for y in range(-60, 60):
        for radius in (1, 10, 100, 1000, 10**4):
            assert not passes(
                {"bits": 20, "units": [[[y * 20], [2**20]]], "free": [[0, 0, 0]], "radius": radius}, real
            )
    units = [[[[0, 1049]], [[2**20, 0]]]]
    assert passes({"bits": 20, "units": units, "free": [[0, 0, 0]], "radius": 20}, complex_)


@given(st.lists(st.integers(-50, 50), min_size=9, max_size=9))
def test_the_rounded_inverse_is_close_to_the_inverse(entries: list[int]) -> None:
    matrix = [entries[0:3], entries[3:6], entries[6:9]]
    determinant = sum(
        matrix[0][i]
        * (matrix[1][(i + 1) % 3] * matrix[2][(i + 2) % 3] - matrix[1][(i + 2) % 3] * matrix[2][(i + 1) % 3])
        for i in range(3)
    )
    about = context(Space(((1, 2),)), {(0, 0): 1})
    one = 2**128
    if determinant == 0:
        return
    inverse = approximate_inverse([[x * one for x in row] for row in matrix], about)
    for i in range(3):
        for k in range(3):
            product = sum(inverse[i][j] * matrix[j][k] for j in range(3))
            assert abs(product - (one if i == k else 0)) < 2**80


def test_the_size_of_a_product_is_at_most_the_product_of_the_sizes() -> None:
    x, y = Gauss(3, -4), Gauss(-1, 2)
    assert x * y == Gauss(5, 10)
    assert abs(x * y) <= abs(x) * abs(y)
    assert 2 + x == Gauss(5, -4)
    assert 2 * x == Gauss(6, -8)


@pytest.mark.parametrize("units", ["untied", "split"])
def test_vectors_that_occur_once_are_moved_too(units: str) -> None:
    # x^2 y in the value b, and in the three forms of a product.
    about = context(Space(((2, 3),)), {(0, 0, 1): 2}, units=units)
    one = 2**20
    vectors = {
        "untied": [[one, 0], [0, 2 * one + 1], [one]],
        "split": [[one, 0], [one, 0], [0, 2 * one + 1], [one]],
    }
    zero = {"untied": [[0, one], [0, 0], [one]], "split": [[0, one], [0, one], [0, 0], [one]]}
    last = len(vectors[units]) - 2
    free = [[0, last, 0], [0, last, 1], [1, last, 0], [1, last, 1]]
    assert passes({"bits": 20, "units": [vectors[units], zero[units]], "free": free, "radius": 8}, about)
