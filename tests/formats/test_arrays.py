"""Reading arrays from pickles: what an array is made of is read, and nothing is run."""

from __future__ import annotations

import io
import pickle
import struct

import numpy as np
import pytest

from rankproof.errors import FormatError
from rankproof.formats.arrays import read_array


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npy_of_pickle(pickled: bytes, shape: tuple[int, ...] = (3,)) -> bytes:
    """A .npy file of objects whose pickle is replaced by the given bytes."""
    header = f"{{'descr': '|O', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + pickled


def array_of(*items: object) -> np.ndarray:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


@pytest.mark.parametrize("dtype", ["int8", "uint8", "<i4", ">i4", "int64", "float32", "float64", "bool"])
def test_pickled_arrays_come_back_as_they_were(dtype: str) -> None:
    matrices = [np.arange(6).reshape(2, 3).astype(dtype), np.ones((3, 4), dtype), np.zeros((1, 5), dtype)]
    read = read_array(npy(array_of(*matrices)), "f")
    assert all(np.array_equal(a, b) for a, b in zip(read, matrices, strict=True))


def test_plain_arrays_are_read_without_pickle() -> None:
    matrices = np.arange(24).reshape(3, 4, 2)
    assert np.array_equal(read_array(npy(matrices), "f"), matrices)
    assert np.array_equal(read_array(npy(np.asfortranarray(matrices)), "f"), matrices)


def test_fortran_order_inside_a_pickle_is_respected() -> None:
    matrix = np.asfortranarray(np.arange(6).reshape(2, 3))
    (read,) = read_array(npy(array_of(matrix)), "f")
    assert np.array_equal(read, matrix)


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_every_binary_pickle_protocol_is_read_when_the_bytes_are_plain(protocol: int) -> None:
    objects = array_of(np.array([[1, 2**40]], dtype=object), np.array([[3, -1, 0]], dtype=object))
    read = read_array(npy_of_pickle(pickle.dumps(objects, protocol=protocol), (2,)), "f")
    assert [matrix.tolist() for matrix in read] == [[[1, 2**40]], [[3, -1, 0]]]


class Runs:
    """Unpickling this would run a program."""

    def __init__(self, *call: object) -> None:
        self.call = call

    def __reduce__(self) -> tuple:
        function, *arguments = self.call
        return function, tuple(arguments)


@pytest.mark.parametrize("protocol", [3, 4])
def test_a_pickle_that_runs_a_program_is_refused_by_the_name_of_the_program(tmp_path, protocol: int) -> None:
    import os

    witness = tmp_path / "was-here"
    malicious = pickle.dumps(array_of(Runs(os.system, f"touch {witness}")), protocol=protocol)
    with pytest.raises(FormatError, match=r"asks Python for \w+\.system, and a pickle may run any program"):
        read_array(npy_of_pickle(malicious, (1,)), "f")
    assert not witness.exists()


def test_no_class_of_python_or_numpy_but_arrays_is_built() -> None:
    for thing in (Runs(eval, "1"), Runs(np.load, "x"), np.float64(1.5), {1}, slice(1), np.array(["a"])):
        with pytest.raises(FormatError):
            read_array(npy(array_of(thing)), "f")


def test_structured_complex_and_text_entries_are_refused() -> None:
    for matrix in (
        np.zeros((2, 2), "i4,i4"),
        np.zeros((2, 2), complex),
        np.array([["1"]]),
        np.array([[b"1"]]),
    ):
        with pytest.raises(FormatError):
            read_array(npy(array_of(matrix)), "f")
        with pytest.raises(FormatError):
            read_array(npy(matrix), "f")


def test_python_objects_other_than_numbers_are_refused() -> None:
    for entry in ("1", None, [1], (1,)):
        matrix = np.empty((1, 1), dtype=object)
        matrix[0, 0] = entry
        with pytest.raises(FormatError, match="where a number is expected"):
            read_array(npy(array_of(matrix)), "f")


def test_damage_anywhere_is_a_format_error_and_never_a_crash() -> None:
    whole = npy(array_of(np.arange(4).reshape(2, 2), np.ones((1, 2))))
    for end in range(0, len(whole) - 1, 3):
        with pytest.raises(FormatError):
            read_array(whole[:end], "f")
    for place in range(len(whole)):
        for flip in (0x01, 0x80, 0xFF):
            damaged = bytearray(whole)
            damaged[place] ^= flip
            try:
                read_array(bytes(damaged), "f")
            except FormatError:
                continue


def test_a_state_that_claims_more_entries_than_it_has_is_refused() -> None:
    huge = pickle.dumps(array_of(np.zeros((2, 3), np.int64)), protocol=3)
    # The shape (2, 3) is written as BININT1 2, BININT1 3, TUPLE2.
    grown = huge.replace(b"K\x02K\x03\x86", b"K\xffK\xff\x86")
    assert grown != huge
    with pytest.raises(FormatError, match="needs 520200 bytes and has 48"):
        read_array(npy_of_pickle(grown, (1,)), "f")


def test_a_memo_index_of_billions_costs_nothing() -> None:
    # Python's own unpickler would allocate a table of that size.
    with pytest.raises(FormatError):
        read_array(npy_of_pickle(b"\x80\x03Nr\xff\xff\xff\x7f."), "f")


def test_references_do_not_multiply_work() -> None:
    # Lists of lists of references: 2^40 entries if anything followed them.
    bomb = (
        b"\x80\x03]q\x00"
        + b"".join(b"(h" + bytes([k]) + b"h" + bytes([k]) + b"tq" + bytes([k + 1]) for k in range(40))
        + b"0."
    )
    with pytest.raises(FormatError):
        read_array(npy_of_pickle(bomb), "f")
