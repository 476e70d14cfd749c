"""Weights files: tensors of GGUF and safetensors files as exact integers times a power of two.

A number ``d*q + m`` of a quantised format is read over the rationals: scales are float16, multiples of 2^-24.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, BinaryIO

from . import limits
from .refusal import Rejected, Undecided

Matrix = list[list[int]]


def refused(message: str) -> Rejected:
    return Rejected("weights", "/target/block", message)


Table = dict[str, tuple[list[int], Any, int]]
"""For the name of a tensor its sizes, rows first; the kind of encoding; the first byte in the file."""


def read_table(file: BinaryIO) -> Table:
    """The tensors of a file."""
    try:
        return _read_gguf(file) if take(file, 4) == b"GGUF" else _read_safetensors(file)
    except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise refused("the header of the file is damaged") from None


def read_matrix(file: BinaryIO, table: Table, name: str) -> Matrix:
    """Rows of a tensor with two indices, times the power of two that makes all of them integers without common factor 2."""
    if name not in table:
        raise refused(f"the file has no tensor {name!a}")
    shape, kind, offset = table[name]
    if kind not in _ENCODINGS:
        raise Undecided(
            "weights",
            "/target/block",
            f"the tensor {name!a} is stored in a way this verifier does not read",
        )
    count, size, decode = _ENCODINGS[kind]
    if len(shape) != 2 or min(*shape, offset) < 1 or shape[1] % count:
        raise refused(f"the tensor {name!a} is no matrix of whole blocks")
    if prod(shape) > limits.WEIGHTS:
        raise Undecided(
            "limit-entries", "/target/block", f"{prod(shape)} weights in a tensor; at most {limits.WEIGHTS}"
        )
    try:
        file.seek(offset)
        cells = take(file, prod(shape) // count * size)
        numbers = [x for k in range(0, len(cells), size) for x in decode(cells[k : k + size])]
    except (ValueError, OverflowError, OSError):
        raise refused(
            f"the tensor {name!a} holds a value that is no number, or lies beyond the file"
        ) from None
    common = 0  # its lowest bit will be the lowest bit of any of them
    for x in numbers:
        common |= x
    shift = max((common & -common).bit_length() - 1, 0)
    return [[x >> shift for x in numbers[k : k + shape[1]]] for k in range(0, len(numbers), shape[1])]


def take(file: BinaryIO, size: int) -> bytes:
    """So many bytes, or a refusal."""
    cells = file.read(size) if 0 <= size <= limits.WEIGHTS_BYTES else b""
    if len(cells) != size:
        raise refused("the file ends too early")
    return cells


def _read_safetensors(file: BinaryIO) -> Table:
    file.seek(0)
    length = struct.unpack("<Q", take(file, 8))[0]
    start = 8 + length
    header = json.loads(take(file, length))
    return {
        name: ([int(n) for n in entry["shape"]], str(entry["dtype"]), start + int(entry["data_offsets"][0]))
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _read_gguf(file: BinaryIO) -> Table:
    def number(code: str) -> Any:
        return struct.unpack(f"<{code}", take(file, struct.calcsize(f"<{code}")))[0]

    def text() -> str:
        return take(file, number("Q")).decode("utf-8")

    def value(kind: int) -> Any:
        if kind == 9:
            inner, count = number("I"), number("Q")
            return [value(inner) for _ in range(count)]
        return text() if kind == 8 else number(_SCALARS[kind])

    if number("I") not in (2, 3):
        raise refused("the version of GGUF is not 2 or 3")
    tensors, pairs = number("Q"), number("Q")
    metadata: dict[str, Any] = {}
    for _ in range(pairs):
        key = text()
        metadata[key] = value(number("I"))
    table: Table = {}
    for _ in range(tensors):
        name = text()
        shape = [number("Q") for _ in range(number("I"))][::-1]
        table[name] = (shape, number("I"), number("Q"))
    alignment = int(metadata.get("general.alignment", 32))
    start = -(-file.tell() // alignment) * alignment
    return {name: (shape, kind, start + offset) for name, (shape, kind, offset) in table.items()}


_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


# Encodings: the integers 2^24 w for the weights w of a block


def _halves(cells: bytes) -> list[int]:
    """float16 values times 2^24; the product is exact."""
    return [int(x * 2**24) for x in struct.unpack(f"<{len(cells) // 2}e", cells)]


def _nibbles(cells: bytes) -> list[int]:
    return [x & 15 for x in cells] + [x >> 4 for x in cells]


def _fifth(cells: bytes, nibbles: list[int]) -> list[int]:
    bits = int.from_bytes(cells, "little")
    return [q + 16 * (bits >> k & 1) for k, q in enumerate(nibbles)]


def _q4_0(b: bytes) -> Iterator[int]:
    (d,) = _halves(b[:2])
    return (d * (q - 8) for q in _nibbles(b[2:]))


def _q4_1(b: bytes) -> Iterator[int]:
    d, m = _halves(b[:4])
    return (d * q + m for q in _nibbles(b[4:]))


def _q5_0(b: bytes) -> Iterator[int]:
    (d,) = _halves(b[:2])
    return (d * (q - 16) for q in _fifth(b[2:6], _nibbles(b[6:])))


def _q5_1(b: bytes) -> Iterator[int]:
    d, m = _halves(b[:4])
    return (d * q + m for q in _fifth(b[4:8], _nibbles(b[8:])))


def _q8_0(b: bytes) -> Iterator[int]:
    (d,) = _halves(b[:2])
    return (d * q for q in struct.unpack("<32b", b[2:]))


def _scaled(b: bytes, quanta: list[int]) -> Iterator[int]:
    """Eight times 32 numbers ``d*s*q - m*t``, the six-bit s and t packed into twelve bytes."""
    d, m = _halves(b[:4])
    low, middle, high = b[4:8], b[8:12], b[12:16]
    s = [d * (x & 63) for x in low] + [d * (y & 15 | x >> 6 << 4) for x, y in zip(low, high, strict=True)]
    t = [m * (x & 63) for x in middle] + [
        m * (y >> 4 | x >> 6 << 4) for x, y in zip(middle, high, strict=True)
    ]
    return (s[k // 32] * q - t[k // 32] for k, q in enumerate(quanta))


def _q4_k(b: bytes) -> Iterator[int]:
    return _scaled(b, [q for k in range(16, 144, 32) for q in _nibbles(b[k : k + 32])])


def _q5_k(b: bytes) -> Iterator[int]:
    quanta = [q for k in range(48, 176, 32) for q in _nibbles(b[k : k + 32])]
    return _scaled(b, [q + 16 * (b[16 + k % 32] >> k // 32 & 1) for k, q in enumerate(quanta)])


def _q6_k(b: bytes) -> Iterator[int]:
    (d,) = _halves(b[208:])
    scales = struct.unpack("<16b", b[192:208])
    low = _nibbles(b[:64]) + _nibbles(b[64:128])
    high = [x >> s & 3 for h in (b[128:160], b[160:192]) for s in (0, 2, 4, 6) for x in h]
    return (d * scales[k // 16] * (q + 16 * high[k] - 32) for k, q in enumerate(low))


def _float(code: str, lowest: int) -> Callable[[bytes], list[int]]:
    """A float whose least bit is 2^-lowest; what is no number raises."""

    def decode(b: bytes) -> list[int]:
        numerator, denominator = struct.unpack(f"<{code}", b)[0].as_integer_ratio()
        return [(numerator << lowest) // denominator]

    return decode


def _bf16(b: bytes) -> list[int]:
    return _float("f", 149)(b"\0\0" + b)


_ENCODINGS: dict[Any, tuple[int, int, Callable[[bytes], Any]]] = {
    0: (1, 4, _float("f", 149)),
    1: (1, 2, _float("e", 24)),
    2: (32, 18, _q4_0),
    3: (32, 20, _q4_1),
    6: (32, 22, _q5_0),
    7: (32, 24, _q5_1),
    8: (32, 34, _q8_0),
    12: (256, 144, _q4_k),
    13: (256, 176, _q5_k),
    14: (256, 210, _q6_k),
    28: (1, 8, _float("d", 1074)),
    30: (1, 2, _bf16),
    "F32": (1, 4, _float("f", 149)),
    "F16": (1, 2, _float("e", 24)),
    "BF16": (1, 2, _bf16),
    "F64": (1, 8, _float("d", 1074)),
}
"""Numbers and bytes of a block, and its decoder, by GGUF's number or safetensors' name."""
