"""Targets in files: arrays of integers, sparse tensors, schemes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from formats.small_schemes import as_npz, as_text, schoolbook, strassen

from rankproof.errors import FormatError, TargetError
from rankproof.formats.targets import read_target
from rankproof.problem.library import named
from rankproof.problem.space import Space


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_an_array_of_order_k_is_a_tensor_of_order_k(tmp_path: Path) -> None:
    array = np.zeros((2, 2, 2), dtype=np.int8)
    array[0, 0, 1] = array[0, 1, 0] = array[1, 0, 0] = 1
    np.save(tmp_path / "w.npy", array)
    np.savez(tmp_path / "w.npz", tensor=array)
    assert read_target(tmp_path / "w.npy") == read_target(tmp_path / "w.npz") == named("W", 3)


def test_an_array_that_is_not_exact_is_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[0.5, 1.0]]))
    with pytest.raises(TargetError, match=r"a\.npy: the array holds float64 entries"):
        read_target(tmp_path / "a.npy")


def test_a_pickled_array_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([Fraction(1, 2)], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match=r"a\.npy is not an array of integers"):
        read_target(tmp_path / "a.npy")


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.tns", "a.txt"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x00\xffnothing")
    with pytest.raises(FormatError):
        read_target(tmp_path / name)


def test_a_sparse_tensor_has_indices_from_one_and_exact_values(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tns", "# a comment\n1 1 2 1\n1 2 1 1/2   # half\n\n2 1 1 -3\n")
    target = read_target(path)
    assert target.space.factors == ((2, 1), (2, 1), (2, 1))
    assert target.entries == (((0, 0, 1), 1), ((0, 1, 0), Fraction(1, 2)), ((1, 0, 0), -3))


def test_a_header_gives_dimensions_that_the_entries_do_not_reach(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tns", "sptensor\n2\n3 4\n1\n1 1 5\n")
    target = read_target(path)
    assert target.space.factors == ((3, 1), (4, 1))
    assert target.entries == (((0, 0), 5),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no entries"),
        ("1 1 0.5\n", "line 1: '0.5' is not exact"),
        ("1 1 1e3\n", "is not exact"),
        ("1 1 1/0\n", "is not exact"),
        ("0 1 1\n", "'0' is not an index"),
        ("1 -1 1\n", "'-1' is not an index"),
        ("1 9999999 1\n", "is not an index"),
        ("1 1 1\n1 1 1 1\n", "line 2: 3 indices where 2 are expected"),
        ("5\n", "line 1: 0 indices"),
        ("1 1 1\n1 1 2\n", "line 2: the entry 1 1 is given twice"),
        ("sptensor\n2\n", "four lines"),
        ("sptensor\n2\n2 2\n1\n3 1 1\n", "do not fit the entries"),
        ("sptensor\n3\n2 2 2\n1\n1 1 1\n", "do not fit the entries"),
        ("sptensor\n2\n2 2\n5\n1 1 1\n", "announces 5 entries, and 1 follow"),
    ],
)
def test_a_broken_sparse_tensor_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        read_target(write(tmp_path / "t.tns", text))


def test_a_tensor_of_zeros_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="zero"):
        read_target(write(tmp_path / "t.tns", "1 1 0\n"))


def test_the_target_of_a_scheme_is_what_it_decomposes(tmp_path: Path) -> None:
    assert read_target(write(tmp_path / "s.txt", as_text(strassen()))) == named("matmul", 2, 2, 2)
    A, B, C = strassen()
    A[0, 0] += 1
    with pytest.raises(FormatError, match="coefficient"):
        read_target(write(tmp_path / "wrong.txt", as_text((A, B, C))))


def test_schemes_for_several_targets_leave_the_choice_to_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "several.npz"
    path.write_bytes(as_npz(_2_2_2=strassen(), _1_2_1=schoolbook(1, 2, 1)))
    with pytest.raises(
        FormatError, match=r"2 targets; ask about one of them by name: matmul\(2,2,2\), matmul\(1,2,1\)"
    ):
        read_target(path)
    path.write_bytes(as_npz(_2_2_2=strassen(), again=schoolbook(2, 2, 2)))
    assert read_target(path) == named("matmul", 2, 2, 2)


def test_a_structured_product_is_the_target_of_its_scheme(tmp_path: Path) -> None:
    text = "m1 = (a1)(b1)\nm2 = (a2)(b1)\nm3 = (a3)(b1)\nc1 = -m2\nc2 = m1\nc3 = -m3\nc4 = m2\n"
    target = read_target(write(tmp_path / "sk-222-rank3-z.txt", text))
    assert target.space == Space.tensor(3, 1, 4)
    assert target.as_dict() == {(0, 0, 1): 1, (1, 0, 0): -1, (1, 0, 3): 1, (2, 0, 2): -1}
    row = np.array([[1, 1, 2, 1, 3, 1]], dtype=np.int64)
    path = tmp_path / "kk-222-rank1-z.npy"
    np.save(path, row)
    with pytest.raises(FormatError, match="not divided into products"):
        read_target(path)
    np.save(tmp_path / "plain.npy", row)
    assert read_target(tmp_path / "plain.npy").space == Space.tensor(1, 6)
