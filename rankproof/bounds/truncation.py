"""How much of a quadratic form a given number of units can hold: the best approximations in the Frobenius norm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Truncation:
    """Shares of the squared Frobenius norm of a symmetric matrix, in floating point.

    Attributes
    ----------
    width
        Number of units.
    tied, untied
        What the best sum of so many tied, or untied, units holds.
    own
        What so many units of the block itself hold, chosen one by one and used with the best weights; None when they were
        not looked at.
    """

    width: int
    tied: float
    untied: float
    own: float | None = None


def best_shares(matrix: NDArray[np.float64], width: int) -> Truncation:
    """What the best approximations of a form by tied and by untied units hold.

    Parameters
    ----------
    matrix
        Symmetric, not zero.
    width
        Number of units.

    Notes
    -----
    Tied: the eigenvalues of largest absolute value (Eckart, Young). Untied over the reals: as many of the largest positive and
    as many of the most negative ones, because a form of width w has at most w eigenvalues of either sign, and the distance
    of two symmetric matrices is at least that of their sorted eigenvalues (Hoffman, Wielandt).

    Examples
    --------
    >>> best_shares(np.diag([3.0, 2.0, -1.0]), 1).untied.__round__(4)
    0.7143
    """
    values = np.sort(np.linalg.eigvalsh(matrix))
    total = float((values**2).sum())
    tied = float(np.sort(values**2)[::-1][:width].sum())
    above, below = np.maximum(values[::-1], 0.0), np.maximum(-values, 0.0)
    untied = float((above[:width] ** 2).sum() + (below[:width] ** 2).sum())
    return Truncation(width, tied / total, untied / total)


def best_form(matrix: NDArray[np.float64], width: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Best approximation of a form by untied units: linear forms a and b with matrix close to the sum of sym(a b).

    Returns
    -------
    ndarray, ndarray
        The a and the b, each of shape (width, variables); units that are not needed are zero.

    Examples
    --------
    >>> a, b = best_form(np.array([[0.0, 1.0], [1.0, 0.0]]), 1)
    >>> bool(np.allclose((a.T @ b + b.T @ a) / 2, [[0, 1], [1, 0]]))
    True
    """
    values, vectors = np.linalg.eigh(matrix)
    scaled = vectors * np.sqrt(np.abs(values))
    plus = [scaled[:, k] for k in range(len(values) - 1, -1, -1) if values[k] > 0][:width]
    minus = [scaled[:, k] for k in range(len(values)) if values[k] < 0][:width]
    a = np.zeros((width, len(matrix)))
    b = np.zeros((width, len(matrix)))
    for k in range(max(len(plus), len(minus))):
        if k >= len(minus):
            a[k], b[k] = plus[k], plus[k]
        elif k >= len(plus):
            a[k], b[k] = minus[k], -minus[k]
        else:
            # u'xx'u - v'xx'v is the product of (u + v)'x and (u - v)'x.
            a[k], b[k] = plus[k] + minus[k], plus[k] - minus[k]
    return a, b


def own_units_share(
    left: NDArray[np.float64], right: NDArray[np.float64], weights: NDArray[np.float64], width: int
) -> float:
    """What the units of a block that weigh most hold of a form, with the weights they have.

    Parameters
    ----------
    left, right
        Linear forms of the units, one row a unit.
    weights
        The form is the sum of weights times products.
    width
        How many units are kept: those whose terms have the largest norms.

    Returns
    -------
    float
        1 minus the squared distance of what is kept over the squared norm of the form; negative when the kept terms rely on
        the others to cancel.
    """
    squares = (left**2).sum(1) * (right**2).sum(1) + ((left * right).sum(1)) ** 2
    order = np.argsort(-np.abs(weights) * np.sqrt(squares))
    rest = order[width:]

    def matrix(chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        half = (left[chosen] * weights[chosen, None]).T @ right[chosen]
        return (half + half.T) / 2

    return 1 - float((matrix(rest) ** 2).sum() / (matrix(order) ** 2).sum())
