"""Weights for the rows and columns of a matrix under which matrices of low rank stay as far from it as possible.

The matrix M with entries sqrt(p_u) t_uv sqrt(q_v) keeps some sum of squared singular values after the first ones, and the
weights may cost only so much: for every class of entries the sum of p_u q_v over the class is at most a given number. Only
the ratio of the two counts, and it is smooth in the logarithms of the weights where the singular values are apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

SHARPNESS = (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
"""The largest of the costs is replaced by a smooth function, closer to it from one minimisation to the next."""

RANGE = (-18.0, 12.0)
"""Logarithms of weights."""

NOTHING = -14.0
"""Logarithm of a weight that counts as nothing, next to the largest."""


def remainder(matrix: Matrix, rows: Vector, columns: Vector, skipped: int) -> float:
    """Sum of the squared singular values after the first ones of the matrix with these weights."""
    weighted = np.sqrt(rows)[:, None] * matrix * np.sqrt(columns)
    return float((np.linalg.svd(weighted, compute_uv=False)[skipped:] ** 2).sum())


def affordable(rows: Vector, columns: Vector, classes: NDArray[np.int64], costs: Vector) -> float:
    """The largest number by which one side can be multiplied."""
    spent = np.bincount(classes.ravel(), np.outer(rows, columns).ravel(), len(costs))
    used = spent > 0
    return float((costs[used] / spent[used]).min())


def sharpest(
    matrix: Matrix,
    classes: NDArray[np.int64],
    costs: Vector,
    skipped: int,
    start: tuple[Vector, Vector],
    starts: int,
    rng: np.random.Generator,
) -> tuple[float, Vector, Vector]:
    """The best weights that minimisations from several starts find.

    Parameters
    ----------
    matrix
        The entries t_uv.
    classes
        For every entry the number of its class.
    costs
        Positive: how much each class may cost.
    skipped
        How many of the largest singular values are left out.
    start
        Positive weights of rows and columns to begin with.
    starts
        How many starts; all but the first are disturbed at random.
    rng
        Where the disturbances come from.

    Returns
    -------
    value, rows, columns
        What is left over once the weights are scaled to be affordable, and weights of which the largest are 1.
    """
    best = _scaled(matrix, classes, costs, skipped, *start)
    centre = np.log(np.concatenate(start))
    for k in range(starts):
        # The first disturbance of all is small: a symmetric start may be a saddle.
        size = (1e-3, 0.3, 1.0)[min(k, 2)]
        found = _climb(matrix, classes, costs, skipped, centre + size * rng.normal(size=len(centre)))
        candidate = _scaled(matrix, classes, costs, skipped, *found)
        if candidate[0] > best[0] * (1 + 1e-7):
            best = candidate
    return best


def _scaled(
    matrix: Matrix, classes: NDArray[np.int64], costs: Vector, skipped: int, rows: Vector, columns: Vector
) -> tuple[float, Vector, Vector]:
    rows, columns = rows / rows.max(), columns / columns.max()
    value = remainder(matrix, rows, columns, skipped) * affordable(rows, columns, classes, costs)
    return value, rows, columns


def _climb(
    matrix: Matrix, classes: NDArray[np.int64], costs: Vector, skipped: int, start: Vector
) -> tuple[Vector, Vector]:
    from scipy.optimize import minimize  # loading it takes longer than most questions

    height = len(matrix)
    where = classes.ravel()

    def loss(x: Vector, sharpness: float) -> tuple[float, Vector]:
        rows, columns = np.exp(x[:height]), np.exp(x[height:])
        left, values, right = np.linalg.svd(
            np.sqrt(rows)[:, None] * matrix * np.sqrt(columns), full_matrices=False
        )
        rest = ((left[:, skipped:] * values[skipped:]) @ right[skipped:]) ** 2
        value = max(float(rest.sum()), 1e-300)
        products = np.outer(rows, columns)
        spent = np.bincount(where, products.ravel(), len(costs))
        spent = np.maximum(spent, 1e-300)
        level = sharpness * np.log(spent / costs)
        share = np.exp(level - level.max())
        smooth = (level.max() + np.log(share.sum())) / sharpness
        slope = products * (share / share.sum() / spent)[classes]
        gradient = np.concatenate([slope.sum(1) - rest.sum(1) / value, slope.sum(0) - rest.sum(0) / value])
        return smooth - float(np.log(value)), gradient

    x: Any = np.clip(start, *RANGE)
    for sharpness in SHARPNESS:
        x = minimize(
            loss,
            x,
            args=(sharpness,),
            jac=True,
            method="L-BFGS-B",
            bounds=[RANGE] * len(x),
            options={"maxiter": 200},
        ).x
    # The scales of the sides do not matter; what is small next to the largest costs more than it gives.
    sides = x[:height] - x[:height].max(), x[height:] - x[height:].max()
    rows, columns = (np.where(side > NOTHING, np.exp(side), 0.0) for side in sides)
    return rows, columns
