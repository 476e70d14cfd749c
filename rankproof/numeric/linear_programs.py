"""Packing programs: the most weight under capacities, and integral covers, by the HiGHS solvers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Packing:
    """A solution of a packing program.

    Attributes
    ----------
    value
        The weight.
    weights
        Of the columns.
    prices
        Of the rows: the solution of the dual covering program.
    """

    value: float
    weights: Floats
    prices: Floats


def packing(gains: Floats, loads: Floats, capacities: Floats) -> Packing | None:
    """Maximise ``gains @ y`` subject to ``loads @ y <= capacities`` and y >= 0.

    Parameters
    ----------
    gains
        One number a column.
    loads
        Shape (rows, columns).
    capacities
        One number a row.

    Returns
    -------
    Packing or None
        None when the program has no optimal solution: it is unbounded, or the solver gives up.

    Examples
    --------
    >>> packing(np.array([2.0, 2.0, 2.0]), 1.0 - np.eye(3), np.ones(3)).value
    3.0
    """
    solved = linprog(-gains, A_ub=loads, b_ub=capacities, bounds=(0, None), method="highs")
    if solved.status != 0:
        return None
    return Packing(-float(solved.fun), np.asarray(solved.x), -np.asarray(solved.ineqlin.marginals))


def least_cover(demands: Floats, covers: Floats, seconds: float) -> float | None:
    """A lower bound for the least sum of non-negative integers n with ``covers @ n >= demands``.

    Parameters
    ----------
    demands
        One number a row.
    covers
        Shape (rows, columns), no entry negative.
    seconds
        Time for the search.

    Returns
    -------
    float or None
        The least sum if the search ended, else what it had proved; None when it had proved nothing.

    Examples
    --------
    >>> least_cover(np.array([3.0, 3.0, 3.0]), 1.0 - np.eye(3), 1.0)
    5.0
    """
    count = covers.shape[1]
    solved = milp(
        np.ones(count),
        constraints=LinearConstraint(covers, lb=demands),
        integrality=np.ones(count),
        bounds=Bounds(0, np.inf),
        options={"time_limit": seconds},
    )
    bound = solved.mip_dual_bound
    return None if bound is None else float(bound)
