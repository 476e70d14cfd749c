"""Moving a floating-point decomposition to one with simple coordinates, along the directions in which it is free to move.

Decompositions come in families: the symmetries of the target, the scales inside a unit, and often more. Inside its family a
point is made sparse first; then one coordinate after another is set to 0, 1 or -1 for as long as the others can follow. What is
left has no freedom, and its coordinates are rational or algebraic numbers for exact algebra to recognise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.lm import Schedule, minimise, solve_positive
from rankproof.numeric.objective import Objective

GRID = np.array([0, 1, -1, 0.5, -0.5, 2, -2, 0.25, -0.25])
"""Values that a coordinate is set to when it comes close to them by itself."""

CLOSE = 1e-6
"""How close that is."""

SOLVED = 1e-20
"""Squared distance, for the scaled target, at which a point counts as a decomposition."""

LARGEST = 50.0
"""Coordinates beyond this are a degeneration in the making, and a move that leads there is refused."""

NEAR_ZERO = 0.6
"""Length of a move to zero that is worth trying, measured along the family to first order."""

RIGID = 1e-3
"""A coordinate moves along the family when the unit vector in its direction has a projection of this length."""

FLAT = 1e-9
"""Eigenvalues of the Gauss-Newton matrix below this, relative to the largest, are directions of the family."""

MANY = 20
"""Directions beyond which a point that could not be made sparse is not worth moving."""

SCALES = (0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
"""Sizes below which coordinates are pulled to zero, one after another."""

PULLS = (1e-3, 2e-4)
"""Weights of the pull: a strong one makes more zeros and may tear the point off its family."""


@dataclass
class Rounded:
    """A decomposition with as many simple coordinates as were found.

    Attributes
    ----------
    x
        The point; every vector but the last one of a unit has a coordinate 1.
    fixed
        Which coordinates were set to a simple value and held there.
    cost
        Squared distance that is left, for the scaled target.
    nullity
        Number of directions in which the point can still move.
    moves
        Number of moves tried.
    """

    x: Array
    fixed: Array
    cost: float
    nullity: int
    moves: int

    @property
    def solved(self) -> bool:
        """Whether this is a decomposition up to rounding errors."""
        return self.cost <= SOLVED


def round_off(
    objective: Objective,
    x: Array,
    *,
    max_moves: int = 150,
    stop: Callable[[], bool] = lambda: False,
) -> Rounded:
    """Make the coordinates of a decomposition simple.

    Parameters
    ----------
    objective
        What it decomposes.
    x
        The decomposition, shape (size,).
    max_moves
        Greatest number of moves.
    stop
        Asked between moves whether to stop.

    Returns
    -------
    Rounded
        Whether `Rounded.solved` tells; when a point cannot be made sparse without losing it, the given one is used.

    Examples
    --------
    >>> from rankproof.numeric.tensors import TensorObjective
    >>> f = TensorObjective(np.eye(2), 2)
    >>> a, b = np.array([[1.0, 2.0], [0.5, 1.3]]), np.linalg.inv([[1.0, 2.0], [0.5, 1.3]]).T
    >>> rounded = round_off(f, f.pack([a[None], b[None]])[0])
    >>> bool(rounded.fixed.all()), sorted(set(rounded.x.tolist()))
    (True, [0.0, 1.0])
    """
    # Steps that overflow are refused for that.
    with np.errstate(all="ignore"):
        sparse, torn = x, True
        for pull in PULLS:
            candidate = _sparse(objective, x, pull, stop)
            candidate, cost = _refit(objective, candidate, None, steps=80, patience=25)
            if cost <= SOLVED:
                sparse, torn = candidate, False
                break
            if stop():
                break
        work = _Family(objective, sparse)
        work.settle()
        if torn and work.nullity > MANY:
            # A dense point in a large family: one move after another would take minutes and end in ugly numbers.
            max_moves = 0
        while work.moves < max_moves and not stop() and work.move():
            work.settle()
    return Rounded(work.x, work.fixed, work.cost, work.nullity, work.moves)


def _sparse(objective: Objective, x: Array, pull: float, stop: Callable[[], bool]) -> Array:
    """Minimise distance plus pull * sum of log(1 + |x|^2 / size^2) for sizes that shrink: many coordinates go to zero."""
    x = objective.balanced(x[None])
    counted = np.concatenate([np.full(n * objective.width, float(n > 1)) for n in objective.lengths])
    places = np.arange(objective.size)
    damping = 1e-3
    for size in SCALES:
        weight = pull * size * counted
        residual = objective.residual(x)
        value = _value(objective, x, residual, weight, size)
        idle = 0
        for _ in range(25):
            if stop():
                return x[0]
            # The logarithm lies below the parabola that touches it, so every step that lowers this lowers the sum.
            curvature = weight / (np.abs(x) ** 2 + size**2)
            gram = objective.gram(x)
            gram[:, places, places] += curvature + damping
            candidate = x - solve_positive(gram, objective.gradient(x, residual) + curvature * x)
            moved = objective.residual(candidate)
            reached = _value(objective, candidate, moved, weight, size)
            if reached < value:
                idle = idle + 1 if value - reached < 1e-3 * value else 0
                x, residual, value = candidate, moved, reached
                damping = max(0.3 * damping, 1e-9)
                if idle > 2:
                    break
            else:
                damping *= 5
        x = objective.balanced(x)
    return x[0]


def _value(objective: Objective, x: Array, residual: Array, weight: Array, size: float) -> float:
    return float(objective.cost(residual)[0] + (weight * np.log1p(np.abs(x[0]) ** 2 / size**2)).sum())


def _refit(
    objective: Objective, x: Array, fixed: Array | None, *, steps: int = 40, patience: int = 10
) -> tuple[Array, float]:
    """Decomposition near a point with some coordinates held, and its squared distance."""
    free = None if fixed is None else np.flatnonzero(~fixed)
    if free is not None and not free.size:
        return x, float(objective.cost(objective.residual(x[None]))[0])
    schedule = Schedule(damping=1e-3, steps=steps, patience=patience, goal=1e-26, bound=LARGEST)
    run = minimise(objective, x[None], schedule, free=free)
    return run.x[0], float(run.cost[0])


class _Family:
    """A point, the coordinates that are held, and the directions in which the others can move."""

    def __init__(self, objective: Objective, x: Array) -> None:
        self.objective = objective
        self.x, self.fixed = _pivoted(objective, x)
        self.cost = float(objective.cost(objective.residual(self.x[None]))[0])
        self.moves = 0
        self._refused: set[tuple[int, complex]] = set()
        self._find_directions()

    @property
    def nullity(self) -> int:
        """Number of independent directions."""
        return self._directions.shape[1]

    def settle(self) -> None:
        """Hold the coordinates that have come close to a simple value."""
        grid = GRID if not np.iscomplexobj(self.x) else np.concatenate([GRID, 1j * GRID[1:]])
        nearest = grid[np.abs(self.x[:, None] - grid).argmin(axis=1)]
        close = ~self.fixed & (np.abs(self.x - nearest) < CLOSE)
        if close.any():
            x = np.where(close, nearest, self.x)
            x, cost = _refit(self.objective, x, self.fixed | close)
            if cost <= SOLVED:
                self.x, self.cost, self.fixed = x, cost, self.fixed | close
        self._find_directions()

    def move(self) -> bool:
        """Try the shortest move of a coordinate to zero, or else to 1 or -1, or else to a simple fraction nearby."""
        choice = self._choice()
        if choice is None:
            return False
        row, target = choice
        place = int(self._free[row])
        direction = self._directions @ self._directions[row].conj()
        x, fixed = self.x.copy(), self.fixed.copy()
        x[self._free] += direction / direction[row].real * (target - self.x[place])
        x[place], fixed[place] = target, True
        x, cost = _refit(self.objective, x, fixed)
        self.moves += 1
        if cost <= SOLVED and np.abs(x).max() <= LARGEST:
            self.x, self.cost, self.fixed = x, cost, fixed
        else:
            self._refused.add((place, complex(target)))
        return True

    def _choice(self) -> tuple[int, complex] | None:
        mobility = np.linalg.norm(self._directions, axis=1)
        rows = np.flatnonzero(mobility > RIGID)
        values = self.x[self._free]
        ranked = [(abs(values[k]) / mobility[k], int(k), 0j) for k in rows]
        ranked = [entry for entry in ranked if entry[0] < NEAR_ZERO and self._untried(entry[1:])]
        if not ranked:
            ranked = [(abs(np.log(max(abs(values[k]), 1e-30))), int(k), _phase(values[k])) for k in rows]
            ranked = [entry for entry in ranked if self._untried(entry[1:])]
        for bound in (2, 4, 12):
            if not ranked:
                ranked = [
                    (
                        float(bound),
                        int(k),
                        complex(_simple(values[k].real, bound), _simple(values[k].imag, bound)),
                    )
                    for k in rows
                ]
                ranked = [entry for entry in ranked if entry[2] and self._untried(entry[1:])]
        if not ranked:
            return None
        _, row, target = min(ranked, key=lambda entry: entry[:2])
        return row, target if np.iscomplexobj(self.x) else target.real

    def _untried(self, entry: tuple[int, complex]) -> bool:
        return (int(self._free[entry[0]]), entry[1]) not in self._refused

    def _find_directions(self) -> None:
        self._free = np.flatnonzero(~self.fixed)
        if not self._free.size:
            self._directions = np.zeros((0, 0))
            return
        gram = self.objective.gram(self.x[None])[0][np.ix_(self._free, self._free)]
        eigenvalues, vectors = np.linalg.eigh(gram)
        flat = eigenvalues < FLAT * max(float(eigenvalues[-1]), 1e-300)
        self._directions = vectors[:, flat]


def _phase(value: complex) -> complex:
    """The power of i in whose direction a number lies."""
    return min((1 + 0j, -1 + 0j, 1j, -1j), key=lambda unit: abs(value / max(abs(value), 1e-30) - unit))


def _simple(value: float, bound: int) -> float:
    return float(Fraction(value).limit_denominator(bound))


def _pivoted(objective: Objective, x: Array) -> tuple[Array, Array]:
    """The same sum with a coordinate 1 in every vector but the last of a unit, and the places of these ones."""
    matrices = [m[0].copy() for m in objective.unpack(x[None])]
    held = [np.zeros(m.shape, dtype=bool) for m in matrices]
    units = np.arange(objective.width)
    scale = np.ones(objective.width, dtype=x.dtype)
    for matrix, hold, p in zip(matrices[:-1], held[:-1], objective.powers, strict=False):
        pivot = np.abs(matrix).argmax(axis=0)
        size = matrix[pivot, units]
        # A unit with a zero vector contributes nothing; its other vectors do not matter.
        scale = scale * size**p
        matrix /= np.where(size == 0, 1, size)
        matrix[pivot, units] = 1
        hold[pivot, units] = True
    matrices[-1] *= scale
    return objective.pack([m[None] for m in matrices])[0], objective.pack([h[None] for h in held])[0]


__all__ = ["GRID", "SOLVED", "Rounded", "round_off"]
