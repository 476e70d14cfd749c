"""AlphaTensor's ``.npz``: one scheme a key, ``[u, v, w]`` with one column a product; and the plain arrays we write.

The published files hold arrays of arrays, which numpy pickles. What is written here is no pickle: three arrays ``u``,
``v``, ``w`` of integers and, where there are fractions, the common denominator of ``w``.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from math import isfinite, lcm, prod

import numpy as np

from rankproof.errors import FormatError, UsageError
from rankproof.formats.arrays import read_array, read_numbers
from rankproof.formats.listing import Products
from rankproof.formats.scheme import Coefficient, Factor, Scheme
from rankproof.formats.source import Source

NAME = "alphatensor"
SUMMARY = "numpy .npz, one scheme a key: [u, v, w], or the arrays u, v, w; columns are products"

# Floats that are meant are multiples of 1/2, 1/4, 1/8; a long denominator comes from a rounded number.
_LONGEST_MEANT_DENOMINATOR = 2**20
_PLAIN = ("u", "v", "w")


def sniff(source: Source) -> bool:
    """Whether the file is a zip archive."""
    return source.is_archive


def read(source: Source) -> list[Scheme]:
    """Schemes of a ``.npz`` file, in the order of the file.

    Raises
    ------
    FormatError
        If the archive is damaged, or a key holds anything but three matrices of finite numbers with equally
        many columns.
    """
    schemes: list[Scheme] = []
    plain: dict[str, np.ndarray] = {}
    for key, data in source.arrays():
        where = f"{source.name}:{key}"
        if key in (*_PLAIN, "denominator"):
            plain[key] = read_numbers(data, where)
        else:
            schemes.append(_scheme(read_array(data, where), source.name, key))
    if plain:
        schemes.append(_plain_scheme(plain, source.name))
    if not schemes:
        raise FormatError(f"{source.name} is an empty .npz file: it holds no scheme")
    return schemes


def _plain_scheme(arrays: dict[str, np.ndarray], source: str) -> Scheme:
    missing = [key for key in _PLAIN if key not in arrays]
    if missing:
        raise FormatError(f"{source} has no array {missing[0]}; a scheme is the three arrays u, v and w")
    scheme = _scheme([arrays[key] for key in _PLAIN], source, None)
    if "denominator" not in arrays:
        return scheme
    divisor = arrays["denominator"]
    if divisor.size != 1 or divisor.dtype.kind not in "iu" or divisor.item() < 1:
        raise FormatError(f"{source}:denominator is not one positive integer")
    U, V, W = scheme.factors
    return Scheme(source, None, (U, V, W.divided(int(divisor.item()))), scheme.remark, NAME)


def _scheme(matrices: list[np.ndarray], source: str, key: str | None) -> Scheme:
    where = source if key is None else f"{source}:{key}"
    if len(matrices) != 3 or any(matrix.ndim != 2 for matrix in matrices):
        shapes = ", ".join(str(matrix.shape) for matrix in matrices[:4])
        raise FormatError(
            f"{where} is not a list of three matrices u, v, w; it holds {len(matrices)} arrays of shape {shapes}"
        )
    columns = [matrix.shape[1] for matrix in matrices]
    if len(set(columns)) > 1:
        raise FormatError(
            f"{where}: u, v, w have {columns[0]}, {columns[1]} and {columns[2]} columns; they need one a product, equally many"
        )
    remarks: list[str] = []
    U, V, W = (exact_factor(matrix, where, remarks) for matrix in matrices)
    return Scheme(source, key, (U, V, W), remarks[0] if remarks else "", NAME)


def exact_factor(matrix: np.ndarray, where: str, remarks: list[str]) -> Factor:
    """Factor of a matrix of numpy's numbers; every finite float is a dyadic rational and converts exactly.

    Parameters
    ----------
    matrix
        One column a product.
    where
        How errors call it.
    remarks
        Gets a sentence when a float has a denominator that nobody means.

    Raises
    ------
    FormatError
        If an entry is not finite.
    """
    # NaN differs from 0, so that no entry that is not finite is dropped here.
    products, places = np.nonzero(matrix.T)
    values = matrix[places, products]
    if values.dtype.kind in "fO":
        distinct: dict[object, Coefficient] = {}
        for x in values.tolist():
            if x not in distinct:
                distinct[x] = exact_number(x, where, remarks)
        values = [distinct[x] for x in values.tolist()]
    return Factor.of_entries(matrix.shape[0], matrix.shape[1], places, products, values)


def exact_number(x: int | float | bool, where: str, remarks: list[str]) -> Coefficient:
    """A number of Python or numpy as an exact one."""
    if not isinstance(x, float):
        return int(x)
    if not isfinite(x):
        raise FormatError(f"{where} holds {x}, which is not a number; every entry must be finite")
    numerator, denominator = x.as_integer_ratio()
    if denominator > _LONGEST_MEANT_DENOMINATOR:
        remarks.append(
            f"it holds the float {x!r}, read as the rational {numerator}/{denominator}; was another one meant?"
        )
    return numerator if denominator == 1 else Fraction(numerator, denominator)


def write(products: Products) -> bytes:
    """The bytes of an archive with plain arrays ``u``, ``v``, ``w`` of int64, third factor transposed.

    Where the scheme has fractions, ``w`` is multiplied by their common denominator, which is stored as ``denominator``.

    Raises
    ------
    UsageError
        If the coefficients depend on eps, are irrational, or do not fit into int64.
    """
    products.require(NAME, rational=True, exact=True)
    groups = [
        [[Fraction(x) for x in vector] for vector in group]
        for group in zip(*products.transposed(), strict=True)
    ]
    scales = [lcm(*(x.denominator for vector in group for x in vector)) for group in groups]
    arrays: dict[str, np.ndarray] = {}
    try:
        for key, group, scale in zip(_PLAIN, groups, scales, strict=True):
            columns = [[int(x * scale) for x in vector] for vector in group]
            arrays[key] = np.array(columns, dtype=np.int64).T
        if prod(scales) > 1:
            arrays["denominator"] = np.array(prod(scales), dtype=np.int64)
    except OverflowError:
        raise UsageError(
            f"a coefficient does not fit into the 64 bits of the format {NAME}; write a certificate or json"
        ) from None
    stream = BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
