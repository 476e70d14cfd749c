"""AlphaTensor-Quantum's ``.npz``: for every circuit an array (decompositions, products, size) of booleans.

A decomposition is the symmetric tensor sum x (x) x (x) x modulo 2 over its rows x. The tensor itself is not in the file, so
that the decompositions of a circuit can only be compared with one another.
"""

from __future__ import annotations

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.arrays import described, read_numbers
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import gf

NAME = "alphatensor-quantum"
SUMMARY = (
    "numpy .npz, booleans (decompositions, products, size) for every circuit; symmetric over GF(2), no target"
)

NO_TARGET = "the file does not hold the tensor that is decomposed"


def sniff(source: Source) -> bool:
    """Whether the file is an archive whose first array is one of booleans with three axes, and no scheme ``n,m,p``."""
    if not source.is_archive:
        return False
    try:
        key, data = next(source.arrays())
    except (FormatError, StopIteration):
        return False
    found = described(data)
    return found is not None and found[0] == "b1" and len(found[1]) == 3 and "," not in key


def read(source: Source) -> list[Scheme]:
    """Decompositions of all circuits, in the order of the file; those of one circuit follow one another.

    Raises
    ------
    FormatError
        If the archive is damaged or an array has another form.
    """
    schemes: list[Scheme] = []
    for key, data in source.arrays():
        array = read_numbers(data, f"{source.name}:{key}")
        if array.ndim != 3 or array.dtype != np.bool_ or not array.size:
            raise FormatError(
                f"{source.name}:{key} is not an array (decompositions, products, size) of booleans"
            )
        for number, rows in enumerate(array, 1):
            factor = Factor.of_matrix(rows.T.astype(np.int64))
            label = key if len(array) == 1 else f"{key}#{number}"
            schemes.append(
                Scheme(source.name, label, (factor, factor, factor), "", NAME, about=NO_TARGET, ring=gf(2))
            )
    return schemes
