"""Exact values of stored weights: every number of a weights file is a dyadic rational, and here a float64 without rounding.

The formulas are those of llama.cpp's reference code, evaluated over the rationals: ``d*q + m`` means just that. llama.cpp
itself, and the package gguf, round the sum to 24 bits. All formats listed here need at most 53 bits, because scales are
float16 (a multiple of 2**-24 below 2**16) and quanta have at most 8 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Encoding:
    """How numbers are stored: blocks of ``count`` numbers in ``size`` bytes.

    Attributes
    ----------
    name
        As gguf or safetensors calls it.
    count, size
        Numbers and bytes of a block.
    decode
        From bytes of shape (blocks, size) to numbers of shape (blocks, count).
    """

    name: str
    count: int
    size: int
    decode: Callable[[Bytes], Values]


def _halves(cells: Bytes) -> Values:
    return np.ascontiguousarray(cells).view("<f2").astype(np.float64)


def _low_then_high(cells: Bytes) -> NDArray[np.int64]:
    """Nibbles: those of the lower four bits first."""
    return np.concatenate([cells & 15, cells >> 4], axis=1).astype(np.int64)


def _fifth_bits(cells: Bytes) -> NDArray[np.int64]:
    word = np.ascontiguousarray(cells).view("<u4").astype(np.int64)
    return (word >> np.arange(32)) & 1


def _q4_0(cells: Bytes) -> Values:
    return _halves(cells[:, :2]) * (_low_then_high(cells[:, 2:]) - 8)


def _q4_1(cells: Bytes) -> Values:
    return _halves(cells[:, :2]) * _low_then_high(cells[:, 4:]) + _halves(cells[:, 2:4])


def _q5_0(cells: Bytes) -> Values:
    quanta = _low_then_high(cells[:, 6:]) + 16 * _fifth_bits(cells[:, 2:6])
    return _halves(cells[:, :2]) * (quanta - 16)


def _q5_1(cells: Bytes) -> Values:
    quanta = _low_then_high(cells[:, 8:]) + 16 * _fifth_bits(cells[:, 4:8])
    return _halves(cells[:, :2]) * quanta + _halves(cells[:, 2:4])


def _q8_0(cells: Bytes) -> Values:
    return _halves(cells[:, :2]) * np.ascontiguousarray(cells[:, 2:]).view(np.int8)


def _six_bit_scales(cells: Bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The eight scales and eight minima that the K formats of 4 and 5 bits pack into twelve bytes."""
    low, middle, high = (cells[:, k : k + 4].astype(np.int64) for k in (0, 4, 8))
    scales = np.concatenate([low & 63, (high & 15) | (low >> 6 << 4)], axis=1)
    minima = np.concatenate([middle & 63, (high >> 4) | (middle >> 6 << 4)], axis=1)
    return scales, minima


def _scaled_minus_minima(cells: Bytes, quanta: NDArray[np.int64]) -> Values:
    scales, minima = _six_bit_scales(cells[:, 4:16])
    step = (_halves(cells[:, :2]) * scales)[:, :, None]
    least = (_halves(cells[:, 2:4]) * minima)[:, :, None]
    return (step * quanta - least).reshape(len(cells), 256)


def _q4_k(cells: Bytes) -> Values:
    pairs = cells[:, 16:].reshape(-1, 4, 1, 32) >> np.array([0, 4], np.uint8)[:, None] & 15
    return _scaled_minus_minima(cells, pairs.reshape(-1, 8, 32).astype(np.int64))


def _q5_k(cells: Bytes) -> Values:
    pairs = cells[:, 48:].reshape(-1, 4, 1, 32) >> np.array([0, 4], np.uint8)[:, None] & 15
    fifth = cells[:, 16:48].reshape(-1, 1, 32) >> np.arange(8, dtype=np.uint8)[:, None] & 1
    quanta = pairs.reshape(-1, 8, 32).astype(np.int64) + 16 * fifth.astype(np.int64)
    return _scaled_minus_minima(cells, quanta)


def _q6_k(cells: Bytes) -> Values:
    low = cells[:, :128].reshape(-1, 2, 1, 64) >> np.array([0, 4], np.uint8)[:, None] & 15
    high = cells[:, 128:192].reshape(-1, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8)[:, None] & 3
    quanta = low.reshape(-1, 8, 32).astype(np.int64) + 16 * high.reshape(-1, 8, 32).astype(np.int64) - 32
    scales = np.ascontiguousarray(cells[:, 192:208]).view(np.int8).astype(np.float64)
    steps = _halves(cells[:, 208:210]) * scales
    return (steps[:, :, None] * quanta.reshape(-1, 16, 16)).reshape(len(cells), 256)


def _plain(code: str) -> Callable[[Bytes], Values]:
    def decode(cells: Bytes) -> Values:
        return np.ascontiguousarray(cells).view(code).astype(np.float64)

    return decode


def _bf16(cells: Bytes) -> Values:
    words = np.ascontiguousarray(cells).view("<u2").astype(np.uint32) << 16
    return words.view(np.float32).astype(np.float64)


FLOATS = {
    "F16": Encoding("F16", 1, 2, _plain("<f2")),
    "BF16": Encoding("BF16", 1, 2, _bf16),
    "F32": Encoding("F32", 1, 4, _plain("<f4")),
    "F64": Encoding("F64", 1, 8, _plain("<f8")),
}
"""Encodings of one number a block, which both kinds of files know."""

GGML = {
    0: FLOATS["F32"],
    1: FLOATS["F16"],
    2: Encoding("Q4_0", 32, 18, _q4_0),
    3: Encoding("Q4_1", 32, 20, _q4_1),
    6: Encoding("Q5_0", 32, 22, _q5_0),
    7: Encoding("Q5_1", 32, 24, _q5_1),
    8: Encoding("Q8_0", 32, 34, _q8_0),
    12: Encoding("Q4_K", 256, 144, _q4_k),
    13: Encoding("Q5_K", 256, 176, _q5_k),
    14: Encoding("Q6_K", 256, 210, _q6_k),
    28: FLOATS["F64"],
    30: FLOATS["BF16"],
}
"""Encodings of a GGUF file by their number."""


def decoded(cells: bytes, encoding: Encoding) -> Values:
    """Exact values of stored numbers.

    Parameters
    ----------
    cells
        Whole blocks of the encoding.
    encoding
        One of `GGML` or `FLOATS`.

    Returns
    -------
    ndarray
        float64, one-dimensional; no value has been rounded.
    """
    blocks = np.frombuffer(cells, np.uint8).reshape(-1, encoding.size)
    # Not-a-number and infinity are the reader's to report, with the place where they stand.
    with np.errstate(invalid="ignore"):
        return encoding.decode(blocks).reshape(-1)
