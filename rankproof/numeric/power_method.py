"""The subspace power method: decompositions of forms whose flattening has as many dimensions as units."""

from __future__ import annotations

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.monomials import norms, product, shifts, words
from rankproof.numeric.polynomials import PolynomialObjective

MAX_ITERATIONS = 2_000

STARTS = 12
"""Starts that go side by side for one unit."""

LOOK_EVERY = 10
"""Iterations between two looks at what has arrived."""

ON_THE_VARIETY = 1e-8
"""A power of norm 1 lies in the subspace when its projection is shorter than 1 by less than this."""

STILL = 1e-14
"""Length of a step below which the iterations have ended."""

DROP = 1e-6
"""Ratio of singular values at which the rank of a flattening is read off."""

MAX_FLATTENING = 2_000
"""Rows of a flattening."""


def power_method(objective: PolynomialObjective, rng: np.random.Generator) -> Array | None:
    """Units whose powers span the image of the most square flattening.

    Parameters
    ----------
    objective
        A form of degree at least 3 in tied units, with one output.
    rng
        For the starts.

    Returns
    -------
    Array or None
        A point near a decomposition, to be polished; None when the rank of the flattening is not the width, or no powers are
        found in its image.

    Notes
    -----
    A power x^m in the image of the flattening is a maximum of the length of the projection of x^m. Every one found is taken off
    the flattening, which loses one dimension [1]_. This works for general forms of rank up to about half of the dimension of
    the image's space, where random starts of other methods mostly fail.

    References
    ----------
    .. [1] J. Kileel, J. M. Pereira, "Subspace power method for symmetric tensor decomposition", arXiv:1912.04007.
    """
    n, d = objective.lengths[0], sum(objective.powers[:-1])
    m = (d + 1) // 2
    if objective.units_model != "tied" or objective.lengths[-1] > 1 or d < 3 or objective.is_zero:
        return None
    if objective.dtype.kind == "c" or len(words(n, m)) > MAX_FLATTENING:
        return None
    matrix = _flattening(objective, n, m, d - m)
    U, singular, Vt = np.linalg.svd(matrix, full_matrices=False)
    rank = int((singular > DROP * singular[0]).sum())
    if rank != objective.width:
        return None
    forms = _powers_in(U[:, :rank] * singular[:rank], Vt[:rank], n, m, d - m, rng)
    if forms is None:
        return None
    return _with_weights(objective, forms)


def _flattening(objective: PolynomialObjective, n: int, rows: int, columns: int) -> Array:
    """The form as a map from symmetric tensors of one order to those of the other, in orthonormal bases."""
    d = rows + columns
    place = {word: at for at, word in enumerate(words(n, d))}
    entries = objective.target(np.dtype(np.float64))[:, 0] * norms(n, d)
    index = [[place[tuple(sorted(u + v))] for v in words(n, columns)] for u in words(n, rows)]
    return entries[np.array(index)] / norms(n, rows)[:, None] / norms(n, columns)


def _powers_in(
    left: Array, right: Array, n: int, m: int, k: int, rng: np.random.Generator
) -> list[Array] | None:
    """Vectors x with x^m in the span of the columns of left, one for every dimension; left @ right is the flattening."""
    found: list[Array] = []
    while left.shape[1]:
        basis = np.linalg.qr(left)[0]
        x = _maximum(basis, n, m, rng)
        if x is None:
            return None
        found.append(x)
        # The rank-one part along x^m (x) x^k that lowers the rank of left @ right.
        u = np.linalg.lstsq(left, _power(x[None], m)[0], rcond=None)[0]
        v = np.linalg.lstsq(right.T, _power(x[None], k)[0], rcond=None)[0]
        inner = float(u @ v)
        if abs(inner) < 1e-12:
            return None
        core = np.eye(left.shape[1]) - np.outer(u, v) / inner
        U, s, Vt = np.linalg.svd(core)
        keep = left.shape[1] - 1
        left, right = left @ (U[:, :keep] * s[:keep]), Vt[:keep] @ right
    return found


def _maximum(basis: Array, n: int, m: int, rng: np.random.Generator) -> Array | None:
    """A unit vector whose power lies in the span of an orthonormal basis.

    Several starts go side by side; the first to arrive goes on alone until it stands still.
    """
    x = rng.standard_normal((STARTS, n))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    for _ in range(MAX_ITERATIONS // LOOK_EVERY):
        x, lengths = _iterate(x, basis, m, LOOK_EVERY)
        best = int(lengths.argmax())
        if lengths[best] > 1 - ON_THE_VARIETY:
            break
    else:
        return None
    x = x[best : best + 1]
    for _ in range(MAX_ITERATIONS // LOOK_EVERY):
        moved, _ = _iterate(x, basis, m, LOOK_EVERY)
        step, x = np.linalg.norm(moved - x), moved
        if step < STILL:
            break
    return x[0]


def _iterate(x: Array, basis: Array, m: int, count: int) -> tuple[Array, Array]:
    """Power iterations with a shift, and the lengths of the projections before the last one."""
    n = x.shape[1]
    shift = np.sqrt((m - 1) / m) if m > 1 else 0.0
    scale, places = norms(n, m), shifts(n, m - 1)
    lengths = np.zeros(len(x))
    for _ in range(count):
        coordinates = _power(x, m) @ basis
        lengths = np.linalg.norm(coordinates, axis=1)
        projected = coordinates @ basis.T * scale
        lower = product([x[:, :, None]], [m - 1])[:, :, 0]
        gradient = np.stack([(lower * projected[:, place]).sum(axis=1) for place in places], axis=1)
        x = gradient + shift * x
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x, lengths


def _power(x: Array, m: int) -> Array:
    """Powers of linear forms in the orthonormal basis, shape (points, monomials)."""
    return product([x[:, :, None]], [m])[:, :, 0] * norms(x.shape[1], m)


def _with_weights(objective: PolynomialObjective, forms: list[Array]) -> Array:
    a = np.array(forms).T
    d = sum(objective.powers[:-1])
    columns = product([a[None]], [d])[0] * objective.monomials[:, None]
    weights = np.linalg.lstsq(columns, objective.target(np.dtype(np.float64))[:, 0], rcond=None)[0]
    return objective.pack([a[None], weights[None, None]])[0]


__all__ = ["power_method"]
