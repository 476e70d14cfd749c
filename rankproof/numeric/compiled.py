"""Compiled loops for small problems; importing this module loads numba, which takes a second."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

_compiled: Any = numba.njit(cache=True, fastmath=False, boundscheck=False)


@_compiled
def als_sweeps(entries, values, starts, F, G, work, damping, fade, sweeps):  # pragma: no cover - compiled
    """Alternating least squares on a sparse tensor, in place.

    Parameters
    ----------
    entries, values
        Indices (nnz, k), already shifted by the starts of their modes, and values of the non-zero entries.
    starts
        First rows of the factor matrices in F, and the number of rows, k + 1 integers.
    F
        All factor matrices below each other, (sum of n_i, r).
    G
        Their Gram matrices, (k, r, r).
    work
        Scratch: (largest n_i + r, r).
    damping, fade
        Weight of the distance to the last iterate, and what it is multiplied by after every sweep.
    sweeps
        How many.

    Returns
    -------
    bool
        Whether all systems were positive definite; the damping is raised where one is not.
    """
    nnz, k = entries.shape
    r = F.shape[1]
    top = work.shape[0] - r
    clean = True
    for m in range(k):
        _gram(F, starts[m], starts[m + 1], G[m])
    for _ in range(sweeps):
        for m in range(k):
            first, n = starts[m], starts[m + 1] - starts[m]
            for i in range(n):
                for s in range(r):
                    work[i, s] = damping * F[first + i, s]
            for e in range(nnz):
                row = entries[e, m] - first
                value = values[e]
                if k == 3:
                    a, b = entries[e, (m + 1) % 3], entries[e, (m + 2) % 3]
                    for s in range(r):
                        work[row, s] += value * F[a, s] * F[b, s]
                else:
                    for s in range(r):
                        x = value
                        for l in range(k):
                            if l != m:
                                x *= F[entries[e, l], s]
                        work[row, s] += x
            for s in range(r):
                for t in range(s + 1):
                    x = 1.0
                    for l in range(k):
                        if l != m:
                            x *= G[l, s, t]
                    work[top + s, t] = x
            extra = damping
            while not _factorise(work, top, r, extra):
                clean = False
                trace = 0.0
                for s in range(r):
                    x = 1.0
                    for l in range(k):
                        if l != m:
                            x *= G[l, s, s]
                    trace += x
                extra = max(10.0 * extra, 1e-14 * trace + 1e-300)
                for s in range(r):
                    for t in range(s + 1):
                        x = 1.0
                        for l in range(k):
                            if l != m:
                                x *= G[l, s, t]
                        work[top + s, t] = x
            for i in range(n):
                _substitute(work, top, r, i)
                for s in range(r):
                    F[first + i, s] = work[i, s]
            _gram(F, first, first + n, G[m])
        damping *= fade
    return clean


@_compiled
def _gram(F, first, last, G):  # pragma: no cover - compiled
    r = F.shape[1]
    G[:] = 0.0
    for i in range(first, last):
        for s in range(r):
            x = F[i, s]
            for t in range(s + 1):
                G[s, t] += x * F[i, t]


@_compiled
def _factorise(work, top, r, extra):  # pragma: no cover - compiled
    """Cholesky factorisation in place of the lower triangle plus extra on the diagonal; False when a pivot is not positive."""
    for s in range(r):
        for t in range(s):
            x = work[top + s, t]
            for q in range(t):
                x -= work[top + s, q] * work[top + t, q]
            work[top + s, t] = x * work[top + t, t]
        x = work[top + s, s] + extra
        scale = x
        for q in range(s):
            x -= work[top + s, q] * work[top + s, q]
        if not x > 1e-15 * scale:
            return False
        # The inverse of the pivot is kept: divisions are slow.
        work[top + s, s] = 1.0 / np.sqrt(x)
    return True


@_compiled
def _substitute(work, top, r, i):  # pragma: no cover - compiled
    """Solve with the factor for one row, in place."""
    for s in range(r):
        x = work[i, s]
        for q in range(s):
            x -= work[top + s, q] * work[i, q]
        work[i, s] = x * work[top + s, s]
    for s in range(r - 1, -1, -1):
        x = work[i, s] * work[top + s, s]
        work[i, s] = x
        for q in range(s):
            work[i, q] -= work[top + s, q] * x


@_compiled
def squared_distance(entries, values, starts, F):  # pragma: no cover - compiled
    """Squared distance of the sum of units to the tensor, entry by entry over all of the indices."""
    nnz, k = entries.shape
    r = F.shape[1]
    index = starts[:k].copy()
    total = 0.0
    sizes = 1
    for m in range(k):
        sizes *= starts[m + 1] - starts[m]
    place = 0
    for _ in range(sizes):
        x = 0.0
        for s in range(r):
            y = 1.0
            for m in range(k):
                y *= F[index[m], s]
            x += y
        if place < nnz:
            same = True
            for m in range(k):
                if entries[place, m] != index[m]:
                    same = False
                    break
            if same:
                x -= values[place]
                place += 1
        total += x * x
        for m in range(k - 1, -1, -1):
            index[m] += 1
            if index[m] < starts[m + 1]:
                break
            index[m] = starts[m]
    return total


__all__ = ["als_sweeps", "squared_distance"]
