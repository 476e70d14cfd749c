"""The ways in which people number the entries of the matrices A, B and C = A*B, and their roles in a scheme.

A target is a tensor with one factor a role. In ours, matmul(n,m,p), all three matrices are numbered row by
row and the third factor is entry (i, k) of the product. Elsewhere the third factor is the transposed entry
(k, i) (the trace form), matrices are numbered column by column, or the three factors come in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from rankproof.problem.target import Target


@dataclass(frozen=True)
class Convention:
    """How the coordinates of a target are found in a scheme.

    Attributes
    ----------
    roles
        ``roles[s]`` is the factor of the scheme that plays the role of factor s of the target.
    maps
        ``maps[s][i]`` is the index, in that factor of the scheme, of index i of factor s of the target.
    text
        What a person calls it.
    """

    roles: tuple[int, ...]
    maps: tuple[np.ndarray, ...]
    text: str

    def positions(self, words: np.ndarray, sizes: tuple[int, int, int]) -> np.ndarray:
        """Flat positions, in the tensor of a scheme with these mode sizes, of words of the target (one a row)."""
        coordinates = np.empty_like(words)
        for s, role in enumerate(self.roles):
            coordinates[:, role] = self.maps[s][words[:, s]]
        return np.asarray(np.ravel_multi_index(tuple(coordinates.T), sizes))

    def words(self, positions: np.ndarray, sizes: tuple[int, int, int]) -> np.ndarray:
        """Words of the target (one a row) at flat positions in the tensor of a scheme: the inverse of `positions`."""
        coordinates = np.unravel_index(positions, sizes)
        return np.column_stack(
            [np.argsort(self.maps[s])[coordinates[role]] for s, role in enumerate(self.roles)]
        )


def matmul_shape(target: Target) -> tuple[int, int, int] | None:
    """The shape (n, m, p) when the target is a named matrix product."""
    if target.name is None or target.name[0] != "matmul":
        return None
    n, m, p = target.name[1]
    return n, m, p


def conventions(target: Target, sizes: tuple[int, int, int]) -> Iterator[Convention]:
    """Conventions in which a scheme with these mode sizes can be read as an order-3 target, the usual ones first.

    For a matrix product these are all roles that fit, every matrix row by row or column by column, and the
    third factor as C or its transpose; for other tensors only the roles.
    """
    dims = [n for n, _ in target.space.factors]
    shape = matmul_shape(target)
    for roles in permutations(range(3)):
        if [sizes[role] for role in roles] != dims:
            continue
        order = (
            ""
            if roles == (0, 1, 2)
            else "roles " + ", ".join(f"{'ABC'[s]} = {'UVW'[r]}" for s, r in enumerate(roles))
        )
        if shape is None:
            identity = tuple(np.arange(n) for n in dims)
            yield Convention(roles, identity, order or "factors in the order of the target")
            continue
        n, m, p = shape
        matrices = ((n, m), (m, p), (n, p))
        for by_columns in _LAYOUTS:
            maps = tuple(
                _transposed(*size) if t else np.arange(size[0] * size[1])
                for size, t in zip(matrices, by_columns, strict=True)
            )
            yield Convention(roles, maps, "; ".join(filter(None, (order, _layout_text(*by_columns)))))


# Which of A, B, C are numbered column by column: both inputs alike before mixed ones.
_LAYOUTS = sorted(product((False, True), repeat=3), key=lambda t: (t[0] != t[1], t))


def _transposed(rows: int, columns: int) -> np.ndarray:
    """Index in a column by column numbering of every index row by row."""
    return np.arange(rows * columns).reshape(columns, rows).T.ravel()


def _layout_text(A: bool, B: bool, C: bool) -> str:
    # Entry (k, i) row by row is entry (i, k) column by column: which of the two a file means is named after its inputs.
    if A == B:
        return f"{'column' if A else 'row'}-major, third factor {'C' if A == C else 'C^T'}"
    words = ["column-major" if t else "row-major" for t in (A, B)]
    return f"A {words[0]}, B {words[1]}, third factor {'C^T' if C else 'C'} row-major"
