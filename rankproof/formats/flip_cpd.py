"""flip-cpd's ``.npy``: one row of int64, numerators and denominators of U, V and W alternating, one product after the other.

The array does not say how many coordinates a vector has; the name of the file does, by the code of the product
(`rankproof.formats.structured`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.arrays import described, read_numbers
from rankproof.formats.scheme import Coefficient, Factor, Scheme
from rankproof.formats.source import Source
from rankproof.formats.structured import described_by_name
from rankproof.problem.target import Target

NAME = "flip-cpd"
SUMMARY = "numpy .npy, one row of numerators and denominators; the name gives the product (sg-222-rank6-...)"


def sniff(source: Source) -> bool:
    """Whether the file is one row of int64 and its name describes a product."""
    found = described(source.data[:4096]) if source.data.startswith(b"\x93NUMPY") else None
    if found is None or found[0] != "i8" or len(found[1]) != 2 or found[1][0] != 1:
        return False
    return described_by_name(source.name) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If the name describes no product that is known, or the row does not divide into products of its sizes.
    """
    about = described_by_name(source.name)
    if not isinstance(about, Target):
        raise FormatError(
            f"{source.name}: {about or 'its name describes no product'}, so the sizes of its vectors are unknown"
        )
    row = read_numbers(source.data, source.name).reshape(-1)
    sizes = [n for n, _ in about.space.factors]
    if not len(row) or len(row) % (2 * sum(sizes)):
        raise FormatError(
            f"{source.name}: {len(row)} numbers are not divided into products of vectors with"
            f" {', '.join(map(str, sizes))} coordinates"
        )
    r = len(row) // (2 * sum(sizes))
    ends = np.cumsum([2 * r * n for n in sizes])[:-1]
    U, V, W = (_factor(part, r, n, source.name) for part, n in zip(np.split(row, ends), sizes, strict=True))
    return [Scheme(source.name, None, (U, V, W), format=NAME, about=about)]


def _factor(part: np.ndarray, r: int, size: int, where: str) -> Factor:
    pairs = part.reshape(r, size, 2)
    numerators, denominators = pairs[:, :, 0], pairs[:, :, 1]
    if np.any(denominators == 0):
        raise FormatError(f"{where}: a denominator is zero")
    products, places = np.nonzero(numerators)
    values: list[Coefficient] = [
        Fraction(a, b)
        for a, b in zip(
            numerators[products, places].tolist(), denominators[products, places].tolist(), strict=True
        )
    ]
    return Factor.of_entries(size, r, places, products, values)
