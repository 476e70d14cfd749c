"""A vector as a combination of at most four columns of a matrix, modulo a prime: exhaustive search, cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import flint
import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.int64]


def cheapest_columns(
    columns: Residues,
    side: Residues,
    costs: Sequence[int],
    p: int,
    most: int,
    rng: np.random.Generator,
    stop: Callable[[], bool],
) -> list[int] | None:
    """At most four columns whose span contains the side, of least total cost.

    Parameters
    ----------
    columns
        Entries in 0..p-1, shape (rows, columns).
    side
        Entries in 0..p-1, length rows.
    costs
        Positive cost of every column.
    p
        A prime below 2^31.
    most
        Only combinations cheaper than this are of interest.
    rng
        For the two random functionals by which parallel columns are recognised.
    stop
        Asked now and then whether to give up; the best combination so far is returned.

    Returns
    -------
    list or None
        Places of the columns, None when no combination was found.

    Notes
    -----
    Modulo the side and one or two columns, two further columns complete a combination when they are parallel: then the
    quotients of two functionals agree on them.
    """
    rows, count = columns.shape
    functionals = rng.integers(1, p, (2, rows))
    order = np.argsort(np.asarray(costs), kind="stable")
    matrix, price = columns[:, order] % p, np.asarray(costs)[order]
    base = _modulo(matrix, side % p, p)
    best: list[int] | None = None

    def look(quotient: Residues, chosen: list[int]) -> None:
        nonlocal best, most
        spent = int(price[chosen].sum())
        for group in _parallel(quotient, functionals, p):
            found = [k for k in group if k not in chosen][:2]
            candidate = sorted({*chosen, *found})
            total = int(price[candidate].sum())
            if spent < total < most and _spans(matrix[:, candidate], side, p):
                best, most = candidate, total

    look(base, [])
    for i in range(count):
        if int(price[i]) >= most or stop():
            break
        first = _modulo(base, base[:, i], p)
        look(first, [i])
        for j in range(i):
            if int(price[i] + price[j]) >= most:
                break
            look(_modulo(first, first[:, j], p), [j, i])
    return None if best is None else sorted(int(order[k]) for k in best)


def _modulo(matrix: Residues, vector: Residues, p: int) -> Residues:
    """Columns modulo a vector: multiples of it are subtracted so that one coordinate vanishes everywhere."""
    places = np.flatnonzero(vector)
    if len(places) == 0:
        return matrix
    pivot = int(places[0])
    row = vector * pow(int(vector[pivot]), -1, p) % p
    return (matrix - row[:, None] * matrix[pivot][None, :]) % p


def _parallel(quotient: Residues, functionals: Residues, p: int) -> list[list[int]]:
    """Places of columns that vanish, one by one, and classes of columns that are parallel, the cheapest two of each."""
    above, below = ((f[:, None] * quotient % p).sum(axis=0) % p for f in functionals)
    zero = ~quotient.any(axis=0)
    found = [[int(k)] for k in np.flatnonzero(zero)]
    places = np.flatnonzero(~zero & (below != 0))
    ratios = above[places] * _inverse(below[places], p) % p
    order = np.argsort(ratios, kind="stable")
    sorted_ratios = ratios[order]
    for k in np.flatnonzero(sorted_ratios[1:] == sorted_ratios[:-1]):
        found.append(sorted([int(places[order[k]]), int(places[order[k + 1]])]))
    return found


def _inverse(x: Residues, p: int) -> Residues:
    """Inverses by Fermat's theorem."""
    result, power, exponent = np.ones_like(x), x.copy(), p - 2
    while exponent:
        if exponent & 1:
            result = result * power % p
        power = power * power % p
        exponent >>= 1
    return result


def _spans(columns: Residues, side: Residues, p: int) -> bool:
    rows, count = columns.shape
    matrix = flint.nmod_mat(rows, count, columns.ravel().tolist(), p)
    whole = flint.nmod_mat(rows, count + 1, np.column_stack([columns, side]).ravel().tolist(), p)
    return matrix.rank() == whole.rank()
