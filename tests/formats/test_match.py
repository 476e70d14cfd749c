"""Finding the ring and the index convention, and saying what is wrong."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from formats.small_schemes import BINI, BINI_SCALED, as_npz, as_text, schoolbook, strassen, transposed
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.errors import FormatError, TargetError, UsageError
from rankproof.formats import (
    Match,
    Mismatch,
    Scheme,
    Source,
    alphatensor,
    fast_matmul,
    infer_shape,
    match,
    match_target,
)
from rankproof.formats import expansion as expansion_module
from rankproof.formats.convention import conventions
from rankproof.formats.expansion import expand
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, gf
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))


def scheme(factors: object) -> Scheme:
    (found,) = fast_matmul.read(
        Source("f", (factors if isinstance(factors, str) else as_text(factors)).encode())
    )
    return found


def scheme_of_floats(*factors: np.ndarray) -> Scheme:
    (found,) = alphatensor.read(Source("f", as_npz(_1_2_3=factors)))
    return found


def holds(found: Match | Mismatch) -> bool:
    """Whether a match is one, by the definition: no residual in the target's own coordinates."""
    assert isinstance(found, Match)
    return not found.proof.residual(found.target)


@given(SHAPES, st.permutations(range(3)), st.tuples(*[st.booleans()] * 3))
@settings(max_examples=60)
def test_every_convention_is_found_and_undone(shape, roles, by_columns) -> None:
    n, m, p = shape
    factors = schoolbook(n, m, p)
    sizes = ((n, m), (m, p), (n, p))
    written = [
        transposed(f, *size) if t else f for f, size, t in zip(factors, sizes, by_columns, strict=True)
    ]
    assert holds(match(scheme([written[role] for role in roles]), n, m, p))


def test_strassen_is_found_in_the_conventions_that_people_use() -> None:
    A, B, C = strassen()
    A_, B_, C_ = (transposed(f, 2, 2) for f in (A, B, C))
    names = {
        "row-major, third factor C": (A, B, C),
        "row-major, third factor C^T": (A, B, C_),
        "column-major, third factor C": (A_, B_, C_),
        "column-major, third factor C^T": (A_, B_, C),
    }
    for name, factors in names.items():
        found = match(scheme(factors), 2, 2, 2)
        assert holds(found)
        assert found.convention == name
        assert (found.kind, found.terms, found.ring) == ("exact", 7, QQ)


def test_the_rank_of_a_product_does_not_depend_on_the_order_of_its_shape() -> None:
    for n, m, p in permutations((1, 2, 3)):
        found = match(scheme(schoolbook(1, 2, 3)), n, m, p)
        assert holds(found)
        assert ("roles" in found.convention) == ((n, m, p) != (1, 2, 3))


@pytest.mark.parametrize("text", [BINI, BINI_SCALED])
def test_bini_shows_a_border_rank_and_no_rank(text: str) -> None:
    found = match(scheme(text), 3, 2, 2)
    assert holds(found)
    assert isinstance(found.proof, BorderFamily)
    assert (found.kind, found.terms) == ("border", 10)


def test_a_family_may_stand_at_any_power_of_eps() -> None:
    lines = BINI.splitlines()
    start = lines.index("# (a comment line splits blocks)") + 1
    shifted = lines[:start] + [" ".join(map(_times_x, row.split())) for row in lines[start:]]
    found = match(scheme("\n".join(shifted)), 3, 2, 2)
    assert holds(found)
    assert isinstance(found.proof, BorderFamily)
    assert found.proof.order == 1


def _times_x(word: str) -> str:
    return {"0": "0", "1": "x", "xi": "1"}[word]


def test_a_family_with_a_wrong_coefficient_is_refused_at_it() -> None:
    found = match(scheme(BINI.replace("0 1 0 0 0 0 1 0 0 0", "0 1 0 0 0 0 3 0 0 0")), 3, 2, 2, "ZZ")
    assert isinstance(found, Mismatch)
    assert found.word == (3, 2, 2)
    assert (found.expected, found.got) == (1, 3)
    assert "coefficient of a(2,2)*b(2,1) in c(2,1) (entry (3, 2, 2)) is 3 where 1 is expected" in found.reason


def test_a_family_that_diverges_is_refused_at_the_power_that_does_not_cancel() -> None:
    found = match(scheme(BINI.replace("xi 0 xi 0 0 0 0 0 0 0", "xi 0 0 0 0 0 0 0 0 0")), 3, 2, 2)
    assert isinstance(found, Mismatch)
    assert found.got == Laurent.power(-1)
    assert found.wrong_entries == 1


def test_dropping_one_product_is_refused_at_the_first_entry_it_spoils() -> None:
    A, B, C = schoolbook(2, 2, 3)
    found = match(scheme((A[:, :-1], B[:, :-1], C[:, :-1])), 2, 2, 3)
    assert isinstance(found, Mismatch)
    assert (found.word, found.expected, found.got, found.wrong_entries) == ((3, 5, 5), 1, 0, 1)
    assert found.convention == "row-major, third factor C"


def test_the_closest_convention_is_the_one_with_fewest_wrong_entries() -> None:
    A, B, C = strassen()
    spoiled = transposed(C, 2, 2).copy()
    spoiled[0, 0] = 4
    found = match(scheme((A, B, spoiled)), 2, 2, 2)
    assert isinstance(found, Mismatch)
    assert found.convention == "row-major, third factor C^T"
    assert "f is not matmul(2,2,2) over ZZ" in found.reason
    assert found.reason.endswith("it does not hold over GF(2) either")


def characteristic_two() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Strassen's scheme without signs: right over GF(2) only."""
    A, B, C = (np.abs(factor) for factor in strassen())
    return A, B, C


def test_a_scheme_over_two_elements_is_refused_over_the_integers_and_accepted_over_gf_2() -> None:
    unsigned = scheme(characteristic_two())
    refused = match(unsigned, 2, 2, 2, "ZZ")
    assert isinstance(refused, Mismatch)
    assert refused.got == 2
    assert refused.expected == 0
    for ring in (None, "GF(2)"):
        found = match(unsigned, 2, 2, 2, ring)
        assert holds(found)
        assert found.ring == gf(2)
    assert isinstance(match(unsigned, 2, 2, 2, "GF(3)"), Mismatch)


def test_without_a_ring_the_integers_are_tried_first() -> None:
    found = match(scheme(strassen()), 2, 2, 2)
    assert isinstance(found, Match)
    assert (found.ring, found.note) == (QQ, "")


def test_fractions_are_checked_over_the_rationals_and_over_fields_that_have_them() -> None:
    A, B, C = strassen()
    halves = scheme(_halved(A, B, C))
    assert holds(match(halves, 2, 2, 2))
    assert holds(match(halves, 2, 2, 2, "GF(7)"))
    # The halves of the first vectors cancel with the even last ones.
    integers = match(halves, 2, 2, 2, "ZZ")
    assert holds(integers)
    assert isinstance(integers, Match)
    assert integers.ring_name == "ZZ"


def test_a_scheme_that_needs_fractions_is_none_over_the_integers() -> None:
    # Toom and Cook's product of linear polynomials by their values at 0, 1, -1: a*b at 1/2 and -1/2 of the sums.
    values = [[1, 1, 1], [0, 1, -1]]
    toom = scheme(as_text([values, values, [["1", "0", "0"], ["0", "1/2", "-1/2"], ["-1", "1/2", "1/2"]]]))
    rational = match_target(toom, named("polymul", 2, 2))
    assert isinstance(rational, Match)
    assert rational.ring_name == "QQ"
    integers = match_target(toom, named("polymul", 2, 2), "ZZ")
    assert isinstance(integers, Mismatch)
    assert "not integers" in integers.reason
    with pytest.raises(TargetError, match="2 divides its denominator"):
        match_target(toom, named("polymul", 2, 2), "GF(2)")


def _halved(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> str:
    halves = [[f"{x}/2" for x in row] for row in A.tolist()]
    return as_text([halves, B.tolist(), (2 * C).tolist()])


def test_denominators_move_to_the_last_vector_of_a_product() -> None:
    found = match(scheme(_halved(*strassen())), 2, 2, 2)
    assert isinstance(found, Match)
    assert isinstance(found.proof, Decomposition)
    assert all(isinstance(x, int) for unit in found.proof.units for vector in unit for x in vector)


def test_products_that_vanish_are_not_counted() -> None:
    A, B, C = strassen()
    padded = [np.concatenate([f, np.zeros((4, 2), int)], axis=1) for f in (A, B, C)]
    padded[0][:, -1] = padded[1][:, -1] = 1
    assert match(scheme(padded), 2, 2, 2).terms == 7  # type: ignore[union-attr]
    even = [np.concatenate([f, np.full((4, 1), 2)], axis=1) for f in characteristic_two()]
    assert match(scheme(even), 2, 2, 2, "GF(2)").terms == 7  # type: ignore[union-attr]


def test_other_dimensions_are_refused_with_the_dimensions_that_fit() -> None:
    found = match(scheme(strassen()), 2, 2, 3)
    assert isinstance(found, Mismatch)
    assert found.reason == (
        "f has factors of sizes 4, 4, 4 and matmul(2,2,3) has 4, 6, 6, in no order the same; its sizes are those of matmul(2,2,2)"
    )


def test_a_rounded_float_is_pointed_out_when_the_scheme_fails() -> None:
    A, B, C = (factor.astype(float) for factor in schoolbook(1, 2, 3))
    found = match(scheme_of_floats(A / 3, B * 3, C), 1, 2, 3)
    assert isinstance(found, Mismatch)
    assert "the float 0.3333333333333333" in found.reason


def test_a_scheme_may_be_compared_with_any_tensor_of_order_3() -> None:
    # Karatsuba: a0 b0, (a0 + a1)(b0 + b1), a1 b1.
    karatsuba = as_text([[[1, 1, 0], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [-1, 1, -1], [0, 0, 1]]])
    found = match_target(scheme(karatsuba), named("polymul", 2, 2))
    assert holds(found)
    assert found.terms == 3
    half = Target.from_entries(Space.tensor(1, 1, 2), {(0, 0, 1): Fraction(1, 2)})
    assert holds(match_target(scheme("1\n#\n1/2\n#\n0\n1\n"), half))


def test_other_targets_and_rings_are_refused() -> None:
    found = scheme(strassen())
    with pytest.raises(UsageError, match="tensor of order 3"):
        match_target(found, named("det", 3))
    for ring in ("RR", "CC", "GF(4)", "Z"):
        with pytest.raises(UsageError):
            match(found, 2, 2, 2, ring)
    with pytest.raises(UsageError, match=r"over GF\(5\) only"):
        match_target(found, named("matmul", 2, 2, 2).over(gf(5)), "QQ")


@given(st.tuples(*[st.integers(1, 12)] * 3))
def test_the_shape_is_determined_by_the_sizes(shape: tuple[int, int, int]) -> None:
    n, m, p = shape
    assert infer_shape((n * m, m * p, n * p)) == shape


@pytest.mark.parametrize("sizes", [(4, 4, 6), (2, 2, 3), (0, 1, 1), (10**9, 10**9, 10**9)])
def test_sizes_of_no_matrix_product_are_recognised(sizes: tuple[int, int, int]) -> None:
    assert infer_shape(sizes) is None


entries = st.integers(-3, 3)


@given(st.data())
@settings(max_examples=40)
def test_both_ways_of_adding_up_give_the_tensor(data: st.DataObject) -> None:
    sizes, r = data.draw(st.tuples(*[st.integers(1, 3)] * 3)), data.draw(st.integers(1, 4))
    factors = [
        np.array(data.draw(st.lists(entries, min_size=n * r, max_size=n * r))).reshape(n, r) for n in sizes
    ]
    tensor = np.einsum("ir,jr,kr->ijk", *factors)
    dense = expand(scheme(factors), QQ)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expansion_module, "_INT64_SAFE", 0)
        sparse = expand(scheme(factors), QQ)
    for found in (dense, sparse):
        assert found.scale == 1
        flat = np.zeros(tensor.size, dtype=object)
        for here in found.slices.values():
            flat[here.positions] = here.values
        assert np.array_equal(flat, tensor.ravel())


def test_numbers_beyond_64_bits_are_added_up_exactly() -> None:
    big = 2**70 + 1
    text = f"{big} {big}\n#\n{big} {-big}\n#\n{big} {big}\n0 1\n"
    found = match_target(scheme(text), named("matmul", 1, 1, 2))
    assert isinstance(found, Mismatch)
    assert found.got == 0 or found.got == -(big**2)
    exact = match(scheme(f"{big}\n#\n1/{big}\n#\n1\n"), 1, 1, 1)
    assert holds(exact)


def test_work_that_is_too_large_is_refused_before_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion_module, "_MAX_MULTIPLICATIONS", 20)
    with pytest.raises(FormatError, match="too large to check"):
        match(scheme(strassen()), 2, 2, 2)


def test_positions_and_words_are_inverse_to_each_other() -> None:
    target = named("matmul", 2, 3, 2)
    for convention in conventions(target, (6, 6, 4)):
        words = np.array([word for word, _ in target.entries])
        positions = convention.positions(words, (6, 6, 4))
        assert np.array_equal(convention.words(positions, (6, 6, 4)), words)
