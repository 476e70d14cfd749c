"""Levenberg-Marquardt for many starting points at once, with a ridge that fades away and variable projection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.objective import Objective

SINGLE_FROM = 250
"""Coordinates from which steps far from a solution are computed in single precision, in half the time."""

SINGLE_ABOVE = 1e-2
"""Squared distance above which single precision is enough."""

LAPACK_FROM = 120
"""Coordinates from which the Cholesky factorisation pays for loading scipy at once."""

LAPACK_FROM_IN_BATCHES = (40, 16)
"""Coordinates and systems from which it pays when there are many."""

SMALLEST_DAMPING = 1e-14
"""Damping never falls below this, relative to the target's largest entry, so that singular systems stay solvable."""

NO_DAMPING = 1e-9
"""Damping of coordinates that are solved for exactly: enough to keep the system definite."""

MAX_REJECTED = 14
"""Steps refused in a row before a run is given up: the damping has grown by 4^14 then."""


@dataclass(frozen=True)
class Schedule:
    """How a run is regularised and when it stops; all sizes refer to a target with largest entry 1.

    Attributes
    ----------
    spread
        Standard deviation of the starting coordinates.
    damping
        First damping of the steps.
    ridge
        First weight of the squared norm of the coordinates. It keeps runs away from infinity, where border rank lives.
    alternate
        What the ridge is multiplied by in every second restart: a strong one lets units die out that may be needed.
    fade
        What the ridge is multiplied by after every accepted step.
    release
        Squared distance at which the ridge is dropped, so that convergence becomes quadratic.
    steps
        Greatest number of steps.
    patience
        A run is given up when so many steps do not divide the squared distance by `PROGRESS`.
    bound
        A run is given up when a coordinate grows beyond this.
    goal
        Squared distance at which a run has succeeded.
    linear
        Number of a vector of the units, of power 1, that is solved for exactly after every step (variable projection). The
        ridge then weighs this vector alone, and all others have norm 1.
    """

    spread: float = 1.0
    damping: float = 1.0
    ridge: float = 0.0
    alternate: float = 1.0
    fade: float = 0.9
    release: float = 1e-4
    steps: int = 200
    patience: int = 60
    bound: float = 1e4
    goal: float = 1e-25
    linear: int | None = None


PROGRESS = 1.25
"""Factor by which the squared distance has to fall within the patience of a schedule."""


@dataclass
class Runs:
    """What became of a batch of starting points.

    Attributes
    ----------
    x
        Last points, shape (runs, size).
    cost
        Their squared distances, for the scaled target.
    steps
        Steps taken.
    """

    x: Array
    cost: Array
    steps: Array

    def succeeded(self, goal: float) -> Array:
        """Which runs reached the goal."""
        return self.cost <= goal


def minimise(
    objective: Objective,
    x: Array,
    schedule: Schedule,
    *,
    free: Array | None = None,
    ridge: Array | None = None,
    stop: Callable[[], bool] | None = None,
) -> Runs:
    """Minimise the squared distance from every starting point.

    Parameters
    ----------
    objective
        What is minimised.
    x
        Starting points, shape (runs, size).
    schedule
        Regularisation and stopping.
    free
        Places of the coordinates that may move; by default all.
    ridge
        First ridge of every run; by default that of the schedule.
    stop
        Asked before every step whether to stop at once.

    Returns
    -------
    Runs
        In the order of the starting points. Every run depends on its own point and on the number of points only.

    Notes
    -----
    Steps d solve (J^H J + (ridge + damping) I) d = J^H R + ridge x. The damping shrinks when the model predicts the decrease
    well and grows when a step is refused. With one vector solved for exactly this is Kaufman's variable projection [1]_.

    References
    ----------
    .. [1] G. Golub, V. Pereyra, "Separable nonlinear least squares: the variable projection method and its applications",
       Inverse Problems 19 (2003), R1-R26.
    """
    if objective.is_zero and free is None:
        # The derivative vanishes where the solution is, so steps would only crawl there.
        return Runs(np.zeros_like(x), np.zeros(len(x)), np.zeros(len(x), dtype=int))
    batch = _Batch(objective, x, schedule, free, ridge)
    # A step may overflow, or be NaN where a system was not positive definite: it is refused for that.
    with np.errstate(all="ignore"):
        while batch.runs.size and not (stop is not None and stop()):
            batch.step()
    return batch.finished()


class _Batch:
    """The runs that are still going on, and the results of those that are not."""

    def __init__(
        self, objective: Objective, x: Array, schedule: Schedule, free: Array | None, ridge: Array | None
    ) -> None:
        self.objective, self.schedule, self.free = objective, schedule, free
        count = len(x)
        # Chosen once: the batch shrinks, and the choice must not depend on when.
        self.lapack = uses_lapack(objective.size, count)
        self.result = Runs(x.copy(), np.full(count, np.inf), np.zeros(count, dtype=int))
        self.runs = np.arange(count)
        self.weighed = np.ones(objective.size)
        self.damped = np.ones(objective.size)
        self.ridge = np.full(count, float(schedule.ridge)) if ridge is None else ridge.astype(float)
        if schedule.linear is not None:
            part = objective.slices[schedule.linear]
            self.weighed[:], self.weighed[part] = 0.0, 1.0
            self.damped[part] = NO_DAMPING
        self.x = self._projected(x.copy())
        self.residual = objective.residual(self.x)
        self.cost = objective.cost(self.residual)
        self.damping = np.full(count, float(schedule.damping))
        self.refused = np.zeros(count, dtype=int)
        self.best = self.cost.copy()
        self.waited = np.zeros(count, dtype=int)
        self.taken = 0
        self._retire()

    def step(self) -> None:
        """One step of every run."""
        schedule, objective = self.schedule, self.objective
        released = (self.ridge > 0) & ((self.cost < schedule.release) | (self.ridge < SMALLEST_DAMPING))
        self.damping = np.where(
            released, np.clip(1e-3 * self.cost, 1e-12, self.damping.clip(1e-12)), self.damping
        )
        self.ridge[released] = 0.0
        direction, predicted = self._direction()
        x = self._projected(self.x - direction)
        residual = objective.residual(x)
        cost = objective.cost(residual)
        before = self.cost + self.ridge * self._norm(self.x)
        after = cost + self.ridge * self._norm(x)
        accepted = after < before  # false for NaN
        ratio = (before - after) / np.maximum(predicted, 1e-300)
        self.x[accepted], self.residual[accepted], self.cost[accepted] = (
            x[accepted],
            residual[accepted],
            cost[accepted],
        )
        if schedule.linear is None:
            factor = np.select([~accepted, ratio > 0.9, ratio > 0.6, ratio < 0.25], [4.0, 0.2, 0.4, 2.0], 1.0)
        else:
            # The projection takes the point away from where the model looked, so its prediction says little.
            factor = np.where(accepted, 0.3, 4.0)
        self.damping = np.maximum(self.damping * factor, SMALLEST_DAMPING)
        self.ridge[accepted] *= schedule.fade
        self.refused = np.where(accepted, 0, self.refused + 1)
        self.taken += 1
        self._retire()

    def finished(self) -> Runs:
        """Results of all runs, those still going on included."""
        self._store(np.ones(len(self.runs), dtype=bool))
        return self.result

    def _direction(self) -> tuple[Array, Array]:
        """Damped Gauss-Newton steps, and the decrease that the quadratic model predicts for each."""
        objective, free = self.objective, self.free
        ridge = self.ridge[:, None] * self.weighed
        damping = self.damping[:, None] * self.damped
        gradient = objective.gradient(self.x, self.residual) + ridge * self.x
        single = objective.size >= SINGLE_FROM and self.cost.min() > SINGLE_ABOVE and self.refused.max() < 4
        gram = objective.gram(self.x.astype(_single(self.x.dtype)) if single else self.x, lower=self.lapack)
        if free is not None:
            gradient, gram = gradient[:, free], gram[:, free[:, None], free]
            ridge, damping = ridge[:, free], damping[:, free]
        places = np.arange(gradient.shape[1])
        gram[:, places, places] += (damping + ridge).astype(np.real(gram).dtype)
        moved = solve_positive(gram, gradient.astype(gram.dtype), lapack=self.lapack).astype(self.x.dtype)
        predicted = (moved.conj() * (damping * moved + gradient)).sum(axis=1).real
        if free is None:
            return moved, predicted
        direction = np.zeros_like(self.x)
        direction[:, free] = moved
        return direction, predicted

    def _projected(self, x: Array) -> Array:
        """Points with the linear vector solved for, in place of the given ones."""
        slot = self.schedule.linear
        if slot is None:
            return x
        objective = self.objective
        x = objective.normalised(x, slot)
        part = objective.slices[slot]
        gram, side = objective.linear_system(x, objective.residual(x), slot)
        places = np.arange(gram.shape[1])
        trace = np.real(gram[:, places, places]).mean(axis=1)
        gram[:, places, places] += (self.ridge + NO_DAMPING * 1e-2 * (1 + trace))[:, None]
        x[:, part] -= solve_positive(gram, side + self.ridge[:, None] * x[:, part])
        return x

    def _norm(self, x: Array) -> Array:
        return (np.abs(x) ** 2) @ self.weighed

    def _retire(self) -> None:
        """Take runs out that reached the goal or are not worth another step."""
        schedule = self.schedule
        improved = self.cost * PROGRESS < self.best
        self.best = np.where(improved, self.cost, self.best)
        self.waited = np.where(improved, 0, self.waited + 1)
        done = (
            (self.cost <= schedule.goal)
            | (self.refused > MAX_REJECTED)
            | (self.waited > schedule.patience)
            | (np.abs(self.x).max(axis=1, initial=0.0) > schedule.bound)
            | ~np.isfinite(self.cost)
        )
        if self.taken >= schedule.steps:
            done[:] = True
        if done.any():
            self._store(done)
            kept = ~done
            for name in ("runs", "x", "residual", "cost", "damping", "ridge", "refused", "best", "waited"):
                setattr(self, name, getattr(self, name)[kept])

    def _store(self, which: Array) -> None:
        runs = self.runs[which]
        self.result.x[runs], self.result.cost[runs] = self.x[which], self.cost[which]
        self.result.steps[runs] = self.taken


def _single(dtype: np.dtype) -> np.dtype:
    return np.dtype(np.complex64 if dtype.kind == "c" else np.float32)


def uses_lapack(size: int, systems: int) -> bool:
    """Whether systems of a size are solved with scipy; it depends on nothing else, so that results repeat themselves."""
    return size >= LAPACK_FROM or (size >= LAPACK_FROM_IN_BATCHES[0] and systems >= LAPACK_FROM_IN_BATCHES[1])


def solve_positive(matrices: Array, sides: Array, *, lapack: bool | None = None) -> Array:
    """Solutions of Hermitian positive definite systems, NaN where a matrix is not positive definite in this precision.

    Parameters
    ----------
    matrices
        Shape (systems, n, n); they are overwritten.
    sides
        Shape (systems, n).
    lapack
        Whether scipy's LAPACK is used, which reads the lower triangles only; by default as `uses_lapack` says.
    """
    if not (uses_lapack(sides.shape[1], len(sides)) if lapack is None else lapack):
        try:
            return np.linalg.solve(matrices, sides[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:
            # One singular matrix spoils the whole stack: the others are solved one by one below.
            pass
    library: Any = import_module("scipy.linalg.lapack")
    solver = getattr(library, {"f": "sposv", "d": "dposv", "F": "cposv", "D": "zposv"}[matrices.dtype.char])
    solutions = np.empty_like(sides)
    for k, (matrix, side) in enumerate(zip(matrices, sides, strict=True)):
        # The transpose of a Hermitian matrix is its conjugate; LAPACK reads columns, so no copy is made.
        transposed = matrix.T if matrix.dtype.kind == "f" else matrix.conj().T
        _, solution, info = solver(transposed, side, lower=0, overwrite_a=1)
        solutions[k] = np.nan if info else solution
    return solutions


__all__ = ["Runs", "Schedule", "minimise", "solve_positive", "uses_lapack"]
