"""Packing programs: the most weight under capacities, by the HiGHS solvers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    # Loading scipy.optimize takes longer than most questions, which have no linear program.
    from scipy.optimize import linprog

    # Presolving takes longer than solving programs of this size.
    solved = linprog(
        -gains,
        A_ub=loads,
        b_ub=capacities,
        bounds=(0, None),
        method="highs-ds",
        options={"presolve": False},
    )
    if solved.status != 0:
        return None
    return Packing(-float(solved.fun), np.asarray(solved.x), -np.asarray(solved.ineqlin.marginals))
