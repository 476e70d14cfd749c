"""AlphaTensor's archives: exact numbers out of integers and floats, and refusals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from formats.small_schemes import as_archive, as_npz, schoolbook, strassen

from rankproof.errors import FormatError
from rankproof.formats import Source, alphatensor
from rankproof.formats import source as source_module


def test_keys_are_schemes_in_the_order_of_the_file() -> None:
    schemes = alphatensor.read(Source("file.npz", as_npz(_2_3_4=schoolbook(2, 3, 4), _2_2_2=strassen())))
    assert [scheme.label for scheme in schemes] == ["file.npz:2,3,4", "file.npz:2,2,2"]
    assert [scheme.sizes for scheme in schemes] == [(6, 12, 8), (4, 4, 4)]
    assert [scheme.terms for scheme in schemes] == [24, 7]


def test_vectors_are_columns_without_their_zeros() -> None:
    (scheme,) = alphatensor.read(Source("f", as_npz(_2_2_2=strassen())))
    assert scheme.factors[0].vectors[1] == ((2, 1), (3, 1))


def test_floats_are_read_as_the_dyadic_rationals_they_are() -> None:
    A, B, C = schoolbook(1, 2, 3)
    (scheme,) = alphatensor.read(Source("f", as_npz(_1_2_3=(A * 0.125, B * -0.0 + B * 8.0, C))))
    assert scheme.factors[0].vectors[0] == ((0, Fraction(1, 8)),)
    assert scheme.factors[1].vectors[0] == ((0, 8),)
    assert type(scheme.factors[1].vectors[0][0][1]) is int
    assert not scheme.remark


def test_a_rounded_third_is_read_exactly_and_remarked_on() -> None:
    A, B, C = schoolbook(1, 1, 2)
    (scheme,) = alphatensor.read(Source("f", as_npz(_1_1_2=(A / 3, B, C))))
    assert scheme.factors[0].vectors[0] == ((0, Fraction(6004799503160661, 2**54)),)
    assert "0.3333333333333333" in scheme.remark


@pytest.mark.parametrize("x", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(x: float) -> None:
    A, B, C = (factor.astype(float) for factor in schoolbook(1, 2, 3))
    B[1, 0] = x
    with pytest.raises(
        FormatError, match=r"f:1,2,3 holds (nan|inf|-inf), which is not a number; every entry must be finite"
    ):
        alphatensor.read(Source("f", as_npz(_1_2_3=(A, B, C))))


def test_factors_with_different_numbers_of_products_are_refused() -> None:
    A, B, C = schoolbook(2, 2, 2)
    with pytest.raises(FormatError, match="8, 7 and 8 columns"):
        alphatensor.read(Source("f", as_npz(_2_2_2=(A, B[:, 1:], C))))


def test_two_factors_or_four_are_no_scheme() -> None:
    A, B, C = schoolbook(1, 2, 3)
    for matrices in ((A, B), (A, B, C, C)):
        with pytest.raises(FormatError, match="not a list of three matrices"):
            alphatensor.read(Source("f", as_npz(_1_2_3=matrices)))


def test_a_truncated_archive_is_refused_at_every_length() -> None:
    whole = as_npz(_2_3_4=schoolbook(2, 3, 4))
    for end in range(4, len(whole), 37):
        with pytest.raises(FormatError):
            alphatensor.read(Source("f", whole[:end]))


def test_an_empty_archive_and_one_of_other_files_are_refused() -> None:
    with pytest.raises(FormatError, match="empty"):
        alphatensor.read(Source("f", as_npz()))
    renamed = as_archive(x=b"hello").replace(b"x.npy", b"x.txt")
    with pytest.raises(FormatError, match=r"contains x\.txt"):
        alphatensor.read(Source("f", renamed))


def test_an_archive_that_unpacks_without_end_is_refused_by_its_announcement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = as_npz(_1_1_1=[np.zeros((1, 2**18), np.int64)] * 3)
    assert len(data) < 2**15
    monkeypatch.setattr(source_module, "MAX_ENTRY_BYTES", 2**20)
    with pytest.raises(FormatError, match="unpacks to more than 1 MiB"):
        alphatensor.read(Source("f", data))
