"""Small schemes that every reader test needs, written from the literature, and writers for the formats."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence

import numpy as np

# Strassen, *Gaussian elimination is not optimal*, Numer. Math. 13 (1969): m1 = (a11+a22)(b11+b22), ..., rows are products.
_A = [[1, 0, 0, 1], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0], [-1, 0, 1, 0], [0, 1, 0, -1]]
_B = [[1, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
_C = [[1, 0, 0, 1], [0, 0, 1, -1], [0, 1, 0, 1], [1, 0, 1, 0], [-1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]


def strassen() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Factor matrices of Strassen's scheme, columns are products, entry (i, k) of the product row by row."""
    A, B, C = (np.array(factor).T for factor in (_A, _B, _C))
    return A, B, C


def schoolbook(n: int, m: int, p: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The definition of the product of an n x m and an m x p matrix as a scheme of nmp products."""
    r = n * m * p
    A, B, C = np.zeros((n * m, r), int), np.zeros((m * p, r), int), np.zeros((n * p, r), int)
    for t, (i, j, k) in enumerate(np.ndindex(n, m, p)):
        A[i * m + j, t] = B[j * p + k, t] = C[i * p + k, t] = 1
    return A, B, C


def transposed(factor: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """A factor with its entries numbered column by column instead of row by row."""
    return factor.reshape(rows, columns, -1).transpose(1, 0, 2).reshape(rows * columns, -1)


def as_text(factors: Iterable[np.ndarray | Sequence[Sequence[object]]]) -> str:
    """A scheme in the fast-matmul format."""
    return "#\n".join("".join(" ".join(map(str, row)) + "\n" for row in factor) for factor in factors)


def as_npz(**keys: Sequence[np.ndarray]) -> bytes:
    """Schemes in AlphaTensor's format: an array of arrays, which numpy pickles, whenever the shapes differ.

    Keys are written with ``_`` for the comma.
    """
    arrays: dict[str, np.ndarray] = {}
    for key, matrices in keys.items():
        if len({matrix.shape for matrix in matrices}) == 1:
            array = np.array(matrices)
        else:
            array = np.empty(len(matrices), dtype=object)
            array[:] = list(matrices)
        arrays[key.strip("_").replace("_", ",")] = array
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def as_archive(**entries: bytes) -> bytes:
    """A zip archive with the given bytes as ``.npy`` entries."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for key, data in entries.items():
            archive.writestr(f"{key}.npy", data)
    return stream.getvalue()


# Bini, Capovani, Lotti, Romani, *O(n^2.7799) complexity for approximate matrix multiplication*, Inf. Proc. Lett. 8 (1979): two
# copies of their five products for a 2 x 2 matrix with one entry missing, glued to a family of ten for 3 x 2 times 2 x 2.
BINI = """\
# ten products
x x 0 0 0 0 0 0 0 0
1 0 -1 0 1 0 0 0 0 0
0 1 0 -1 1 0 0 0 0 0
0 0 0 0 0 0 1 0 -1 1
0 0 0 0 0 1 0 -1 0 1
0 0 0 0 0 x x 0 0 0
#
0 1 0 1 0 0 0 0 x x
1 0 1 1 1 x 0 0 0 0
0 0 0 x x 0 1 0 1 0
x 0 0 0 0 1 0 1 1 1
# (a comment line splits blocks)
0 xi xi xi xi 0 0 0 0 0
xi 0 xi 0 0 0 0 0 0 0
0 1 0 0 0 0 1 0 0 0
0 0 1 0 1 0 0 1 0 1
0 0 0 0 0 0 xi xi xi xi
0 0 0 0 0 xi 0 xi 0 0
"""

# The same with other representatives: the products are scaled by fractions and powers of x, and terms of higher order are added.
BINI_SCALED = """\
# every kind of coefficient
1/2x2  x       0   0  0  0  0  0  0  0
1/2x   (0+x3)  -1  0  1  0  0  0  0  0
0  1  0  -1  (1+-x3)  0  0  0  0  0
0  0  0  0  0  0  1  0  -1  1
0  0  0  0  0  -1/3xi  0  (-1-x2)  0  1
0  0  0  0  0  -1/3  x  0  0  0
#

0  (1+x2)  0  1  0  0  0  0  x  x
4  0  1  1  1  -3x2  0  0  0  0
0  0  0  x  x  0  1  0  1  0
4x  0  0  0  0  -3x  0  1  1  1
# third block
0  xi  xi  xi  xi  0  0  0  0  0
1/2x2i  0  xi  0  0  0  0  0  0  0
0  1  0  0  0  0  1  0  0  0
0  0  1  0  1  0  0  1  0  1
0  0  0  0  0  0  xi  xi  xi  xi
0  0  0  0  0  xi  0  xi  0  0
"""
