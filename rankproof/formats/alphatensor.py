"""AlphaTensor's ``.npz``: one scheme a key, ``[u, v, w]`` with one column a product."""

from __future__ import annotations

import zipfile
import zlib
from fractions import Fraction
from io import BytesIO
from math import isfinite

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.arrays import read_array
from rankproof.formats.scheme import Coefficient, Factor, Scheme, SparseVector

NAME = "alphatensor"
SUMMARY = "numpy .npz, one scheme a key: [u, v, w], columns are products"

# The largest published key has 3.2 MB; a zip file can announce far more than it holds.
_MAX_ENTRY_BYTES = 2**28
_MAX_TOTAL_BYTES = 2**31
# Floats that are meant are multiples of 1/2, 1/4, 1/8; a long denominator comes from a rounded number.
_LONGEST_MEANT_DENOMINATOR = 2**20


def sniff(head: bytes) -> bool:
    """Whether the file is a zip archive."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def read(data: bytes, source: str) -> list[Scheme]:
    """Schemes of a ``.npz`` file, in the order of the file.

    Parameters
    ----------
    data
        The bytes of the file.
    source
        Its name, for labels and errors.

    Raises
    ------
    FormatError
        If the archive is damaged, or a key holds anything but three matrices of finite numbers with equally
        many columns.
    """
    schemes = []
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = [info for info in archive.infolist() if not info.is_dir()]
            if sum(info.file_size for info in entries) > _MAX_TOTAL_BYTES:
                raise FormatError(
                    f"{source} unpacks to more than {_MAX_TOTAL_BYTES >> 20} MiB and is not read"
                )
            for info in entries:
                key = info.filename.removesuffix(".npy")
                if key == info.filename:
                    raise FormatError(
                        f"{source} contains {info.filename}, which is not a .npy array; it is no .npz of schemes"
                    )
                if info.file_size > _MAX_ENTRY_BYTES:
                    raise FormatError(
                        f"{source}:{key} unpacks to more than {_MAX_ENTRY_BYTES >> 20} MiB and is not read"
                    )
                schemes.append(_scheme(archive.read(info), source, key))
    # zipfile reports encryption as RuntimeError and an unknown compression as NotImplementedError.
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        RuntimeError,
        NotImplementedError,
        OSError,
        ValueError,
    ) as error:
        raise FormatError(f"{source} is a damaged .npz file: {error}") from None
    if not schemes:
        raise FormatError(f"{source} is an empty .npz file: it holds no scheme")
    return schemes


def _scheme(data: bytes, source: str, key: str) -> Scheme:
    where = f"{source}:{key}"
    matrices = read_array(data, where)
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
    convert = _Converter(where)
    U, V, W = (_factor(matrix, convert) for matrix in matrices)
    return Scheme(source, key, (U, V, W), convert.remark)


def _factor(matrix: np.ndarray, convert: _Converter) -> Factor:
    size, r = matrix.shape
    vectors: list[list[tuple[int, Coefficient]]] = [[] for _ in range(r)]
    # NaN differs from 0, so that no entry that is not finite is dropped here.
    rows, columns = np.nonzero(matrix)
    for i, column, x in zip(rows.tolist(), columns.tolist(), matrix[rows, columns].tolist(), strict=True):
        vectors[column].append((i, convert(x)))
    return Factor(size, tuple(map(_frozen, vectors)))


def _frozen(vector: list[tuple[int, Coefficient]]) -> SparseVector:
    return tuple(vector)


class _Converter:
    """Numbers of numpy as exact numbers. Every finite float is a dyadic rational and converts exactly."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.remark = ""
        self._known: dict[float, Coefficient] = {}

    def __call__(self, x: int | float | bool) -> Coefficient:
        if not isinstance(x, float):
            return int(x)
        if x not in self._known:
            self._known[x] = self._exact(x)
        return self._known[x]

    def _exact(self, x: float) -> Coefficient:
        if not isfinite(x):
            raise FormatError(f"{self.where} holds {x}, which is not a number; every entry must be finite")
        numerator, denominator = x.as_integer_ratio()
        if denominator > _LONGEST_MEANT_DENOMINATOR and not self.remark:
            self.remark = f"it holds the float {x!r}, read as the rational {numerator}/{denominator}; was another one meant?"
        return numerator if denominator == 1 else Fraction(numerator, denominator)
