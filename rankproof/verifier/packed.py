"""Vectors of integers packed into one long integer, so that adding a multiple of a vector is one operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul


class Packing:
    """Vectors of ``length`` integers of absolute value at most ``bound``: entry i stands at bit ``8 * size * i``.

    The packed integer is the sum of the entries times their places, signs included. Sums and multiples of packed vectors
    are those of the vectors, as long as every entry of the result keeps to the bound.
    """

    def __init__(self, length: int, bound: int) -> None:
        self.length = length
        self.size = bound.bit_length() // 8 + 1
        self.half = 1 << (8 * self.size - 1)
        self.mask = 2 * self.half - 1
        self.bias = int.from_bytes(self.half.to_bytes(self.size, "little") * length, "little")

    def pack(self, entries: Iterable[int]) -> int:
        cells = b"".join([(x + self.half).to_bytes(self.size, "little") for x in entries])
        return int.from_bytes(cells, "little") - self.bias

    def unpack(self, packed: int) -> list[int]:
        size, half = self.size, self.half
        cells = (packed + self.bias).to_bytes(size * self.length, "little")
        return [int.from_bytes(cells[k : k + size], "little") - half for k in range(0, len(cells), size)]

    def entry(self, packed: int, k: int) -> int:
        return (packed + self.bias >> 8 * self.size * k & self.mask) - self.half


def combine(multipliers: Iterable[int], packed: Iterable[int]) -> int:
    """Sum of the products."""
    return sum(map(mul, multipliers, packed))


def largest(matrix: Iterable[Sequence[int]]) -> int:
    """Largest absolute value in a matrix without empty rows, but at least 1: a factor of bounds."""
    return max((max(max(row), -min(row)) for row in matrix), default=1) or 1
