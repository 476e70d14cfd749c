"""Exact matrices of weights as integers times a power of two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def as_integers(values: NDArray[np.float64]) -> tuple[list[list[int]], int]:
    """Integers without a common factor 2, and the exponent of the power of two that they are multiplied by.

    Parameters
    ----------
    values
        A matrix of finite numbers, not all zero.

    Returns
    -------
    rows
        Lists of integers.
    exponent
        ``values == rows * 2.0**exponent``, without rounding.

    Examples
    --------
    >>> import numpy as np
    >>> as_integers(np.array([[0.75, -2.0]]))
    ([[3, -8]], -2)
    """
    mantissas, exponents = np.frexp(values)
    odd = (mantissas * 2.0**53).astype(np.int64)
    places = exponents.astype(np.int64) - 53
    used = odd != 0
    if not used.any():
        return [[0] * values.shape[1] for _ in range(values.shape[0])], 0
    # The lowest set bit of every mantissa is a power of two, whose logarithm in floating point is exact.
    zeros = np.zeros_like(places)
    zeros[used] = np.log2((odd[used] & -odd[used]).astype(np.float64)).astype(np.int64)
    lowest = int((places + zeros)[used].min())
    highest = int((places + 53)[used].max())
    if highest - lowest < 63:
        # Every number is an integer below 2^63 here, and a double times a power of two is exact.
        return [[int(x) for x in row] for row in np.ldexp(values, -lowest).tolist()], lowest
    shifted = [
        [int(x) << int(e) if e >= 0 else int(x) >> int(-e) for x, e in zip(row, places_row, strict=True)]
        for row, places_row in zip(odd.tolist(), (places - lowest).tolist(), strict=True)
    ]
    return shifted, lowest
