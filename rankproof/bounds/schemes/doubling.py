"""Cayley-Dickson algebras: quaternions, octonions, and their products by way of group algebras.

References
----------
Cariow, Cariowa, *Algorithm for multiplying two octonions*, Radioelectronics and Communications Systems 55 (2012).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from rankproof.exact.tensor_sums import TensorSum, over
from rankproof.problem.decomposition import Decomposition, ExactUnit
from rankproof.problem.field import Field
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target


@cache
def structure_signs(level: int) -> np.ndarray:
    """The signs s with e_i e_j = s[i, j] e_(i xor j), after so many doublings: 2 for quaternions, 3 for octonions.

    Examples
    --------
    >>> structure_signs(1).tolist()
    [[1, 1], [1, -1]]
    """
    if level == 0:
        return np.ones((1, 1), dtype=int)
    s = structure_signs(level - 1)
    n = len(s)
    conjugate = np.array([1] + [-1] * (n - 1))
    signs = np.empty((2 * n, 2 * n), dtype=int)
    # (a, b)(c, d) = (ac - d* b, da + b c*)
    signs[:n, :n] = s
    signs[n:, n:] = -(s.T * conjugate)
    signs[:n, n:] = s.T
    signs[n:, :n] = s * conjugate
    return signs


def octonions() -> Target:
    """The product of octonions as a tensor, by doubling the quaternions."""
    s = structure_signs(3)
    entries: dict[Word, int] = {(i, j, i ^ j): int(s[i, j]) for i in range(8) for j in range(8)}
    return Target.from_entries(Space.tensor(8, 8, 8), dict(entries))


def octonion_scheme(ring: Field) -> TensorSum | None:
    """30 products for two octonions over fields of odd characteristic.

    Notes
    -----
    The group algebra of (Z/2)^3 is multiplied with 8 products, by its characters. With the right signs of the basis vectors 22
    of the 64 structure constants of the octonions differ from those of the group algebra, and each costs a product.
    """
    if ring.characteristic == 2:
        return None
    a, b, c, wrong = _closest_signs()
    eighth = Fraction(1, 8)
    units: list[ExactUnit] = []
    for chi in range(8):
        character = [(-1) ** (chi & i).bit_count() for i in range(8)]
        units.append(
            (
                tuple(x * y for x, y in zip(character, a, strict=True)),
                tuple(x * y for x, y in zip(character, b, strict=True)),
                tuple(eighth * x * y for x, y in zip(character, c, strict=True)),
            )
        )
    for i, j in wrong:
        value = -2 * a[i] * b[j] * c[i ^ j]
        units.append((_e(i), _e(j), tuple(value * x for x in _e(i ^ j))))
    return over(Decomposition.of("product", units, ring), ring)


@cache
def _closest_signs() -> tuple[list[int], list[int], list[int], list[tuple[int, int]]]:
    """Signs a, b, c of basis vectors such that few of the s[i, j] differ from a_i b_j c_(i xor j), and where they do."""
    s = structure_signs(3)
    choices = np.array([(1, *signs) for signs in product((1, -1), repeat=7)])
    best: tuple[int, np.ndarray, np.ndarray, np.ndarray] | None = None
    for a in choices:
        # For every b and k the sum over i of a_i b_(i xor k) s[i, i xor k]; the majority decides c_k.
        sums = np.stack(
            [sum(a[i] * s[i, i ^ k] * choices[:, i ^ k] for i in range(8)) for k in range(8)], axis=1
        )
        missed = ((8 - np.abs(sums)) // 2).sum(axis=1)
        row = int(missed.argmin())
        if best is None or missed[row] < best[0]:
            best = int(missed[row]), a, choices[row], np.where(sums[row] >= 0, 1, -1)
    if best is None:
        raise ArithmeticError("there are signs to choose from")
    a, b, c = ([int(x) for x in v] for v in best[1:])
    wrong = [(i, j) for i in range(8) for j in range(8) if s[i, j] != a[i] * b[j] * c[i ^ j]]
    return a, b, c, wrong


def _e(i: int) -> tuple[int, ...]:
    return tuple(int(k == i) for k in range(8))
