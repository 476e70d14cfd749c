"""How the best sums of units behave as a regularisation fades: exact, border or plateau.

The squared distance to the target plus lambda times the squared norm of all coordinates has a minimum for every lambda > 0.
Along these minima, as lambda tends to 0, one of three things happens:

* the terms stay bounded and the residual tends to 0: there is a sum of so many units (*exact*);
* the residual tends to 0 and the terms grow without bound: the border rank is as small and the rank may not be (*border*);
* the residual stays away from 0: so many units are too few, as far as these minima can tell (*plateau*).

Near a limit with error eps^e and terms of size eps^-h, for units of k vectors, eps^(2e) + lambda eps^(-2h/k) is least where
residual and largest term are powers of lambda, with exponents a = 1 / (2 + 2h/(ke)) and -b = -(h/e) a: straight lines in
logarithms, whose slopes tell the cases apart. Whatever e and h are, 2a + 2b/k = 1: there both summands are in balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.lm import Schedule, minimise
from rankproof.numeric.objective import Objective
from rankproof.numeric.restarts import schedule_for, starting_points

Verdict = Literal["exact", "border", "plateau"]

RIDGES: tuple[float, ...] = tuple(3.0 * 10.0 ** (-k / 2) for k in range(6, 17))
"""Weights of the regularisation, from 3e-3 down to 3e-8: below, the valleys are too narrow for double precision."""

STAGE = Schedule(damping=1e-2, fade=1.0, release=0.0, steps=150, patience=30, bound=1e8, goal=0.0)
"""How the minimum for one weight is sought, from that for the one before."""

POLISH = Schedule(damping=1e-6, steps=100, patience=20, bound=1e8, goal=1e-26)
"""How the end of a path is refined without a regularisation."""

REACHED = 1e-20
"""Squared distance, for the scaled target, below which a sum is taken for an exact one."""

BOUNDED = 1.3
"""Growth of the largest term under refinement that an exact sum may show."""

FITTED = (7, 5)
"""Numbers of weights that slopes are fitted to: three decades, or two where a path ends in a valley too slow to follow."""

FALLING = 0.05
"""Slope of the residual, in logarithms, from which on it tends to 0; on a plateau it is below a hundredth of that."""

GROWING = -0.03
"""Slope of the largest term, in logarithms, below which it grows without bound."""

UNBALANCED = 0.2
"""How far 2a + 2b/k may be from 1 on a path to a border: farther off, it crosses a saddle or is not followed well."""

GROWN = 3.0
"""Growth of the largest term along the whole path that counts as one without bound, when a path ends in a slow valley."""

FAR = 0.1
"""A relative residual above this at the end of a path is a plateau, whatever its slope: five decades of the weight take one that
falls towards 0 below this."""

LEVEL = 0.005
"""Slope of the residual over a decade below which a path is on a plateau and not followed any further."""

BEFORE_LEVEL = 4
"""Weights that every path is followed for at least."""

SPREAD = 0.7
"""Standard deviation of random coordinates."""

SETTLING = 60
"""Steps with the weights of polynomial units solved for, before a path begins: signs of weights have to be free."""


@dataclass(frozen=True)
class Path:
    """What was seen along one path of minima.

    Attributes
    ----------
    ridges, residuals, terms
        Weights of the regularisation, residuals relative to the norm of the target, and largest units relative to it.
    window
        The part of the path that is followed best: where residual and terms are in balance, or else its end.
    residual_slope, term_slope
        Slopes of the logarithms against that of the weight in this part.
    verdict
        What it looks like.
    points
        The minima, one a row.
    """

    ridges: tuple[float, ...]
    residuals: tuple[float, ...]
    terms: tuple[float, ...]
    window: slice
    residual_slope: float
    term_slope: float
    verdict: Verdict
    points: Array = field(repr=False, compare=False)

    @property
    def exponent(self) -> float:
        """e / h: the residual falls like the largest term to the power of minus this; infinite where terms do not grow."""
        return self.residual_slope / -self.term_slope if self.term_slope < 0 else float("inf")


@dataclass(frozen=True)
class Evidence:
    """What several paths say together: the best outcome of any.

    Attributes
    ----------
    paths
        One a start, in the order of the starts.
    """

    paths: tuple[Path, ...]

    @property
    def verdict(self) -> Verdict:
        """``exact`` if a path ends in a bounded sum, else ``border`` if the residual of one tends to 0, else ``plateau``."""
        seen = {path.verdict for path in self.paths}
        if "exact" in seen:
            return "exact"
        return "border" if "border" in seen else "plateau"

    @property
    def best(self) -> Path:
        """The path with the smallest residual among those with the verdict."""
        agreeing = [path for path in self.paths if path.verdict == self.verdict]
        return min(agreeing, key=lambda path: path.residuals[-1])

    @property
    def agreeing(self) -> int:
        """Number of paths with the verdict."""
        return sum(path.verdict == self.verdict for path in self.paths)

    def joined(self, other: Evidence) -> Evidence:
        """The evidence of both."""
        return Evidence(self.paths + other.paths)


def beginnings(objective: Objective, seed: int, numbers: Iterable[int]) -> Array:
    """Points where paths may begin; number i is the same whatever others are asked for.

    Notes
    -----
    A weight of a power of even degree cannot change its sign on a path without its unit dying out. For the units of forms a
    few steps of variable projection, which solve for the weights, come first.
    """
    schedule = replace(schedule_for(objective), release=0.0, steps=SETTLING, patience=SETTLING, goal=0.0)
    if schedule.linear is None:
        return starting_points(objective, Schedule(spread=SPREAD), seed, numbers)
    return minimise(objective, starting_points(objective, schedule, seed, numbers), schedule).x


def follow(
    objective: Objective,
    starts: Array,
    *,
    ridges: Sequence[float] = RIDGES,
    stop: Callable[[], bool] = lambda: False,
) -> Evidence:
    """Follow the minima from starting points as the regularisation fades, and judge where they lead.

    Parameters
    ----------
    objective
        Distance of a sum of units to a target that is not zero.
    starts
        Starting points, shape (starts, size).
    ridges
        Weights of the regularisation, decreasing.
    stop
        Asked before every step whether to stop; what was seen until then is judged.

    Examples
    --------
    >>> from rankproof.numeric.tensors import TensorObjective
    >>> W = np.zeros((2, 2, 2)); W[0, 0, 1] = W[0, 1, 0] = W[1, 0, 0] = 1
    >>> for width in (1, 2, 3):
    ...     f = TensorObjective(W, width)
    ...     print(follow(f, beginnings(f, 0, range(6))).verdict)
    plateau
    border
    exact
    """
    x = objective.balanced(starts)
    tracks = [_Track() for _ in x]
    alive = np.arange(len(x))
    for place, weight in enumerate(ridges):
        if not alive.size or (place > 1 and stop()):
            break
        schedule = replace(STAGE, damping=weight if place else 1.0)
        runs = minimise(objective, x[alive], schedule, ridge=np.full(len(alive), weight), stop=stop)
        x[alive] = runs.x
        residuals = np.sqrt(runs.cost) / (objective.norm or 1.0)
        for k, residual, term in zip(alive, residuals, objective.largest(runs.x), strict=True):
            tracks[k].add(weight, float(residual), float(term), x[k].copy())
        alive = np.array([k for k in alive if not tracks[k].is_level()], dtype=int)
    solved = _solved(objective, tracks, alive, stop)
    return Evidence(tuple(track.judged(k in solved, sum(objective.powers)) for k, track in enumerate(tracks)))


def _solved(
    objective: Objective, tracks: Sequence[_Track], alive: Array, stop: Callable[[], bool]
) -> set[int]:
    """The paths that a refinement without regularisation takes to a sum of units that are no larger."""
    near = np.array([k for k in alive if tracks[k].residuals[-1] < FAR], dtype=int)
    if not near.size:
        return set()
    runs = minimise(objective, np.array([tracks[k].points[-1] for k in near]), POLISH, stop=stop)
    before = np.array([tracks[k].terms[-1] for k in near])
    good = (runs.cost <= REACHED) & (objective.largest(runs.x) <= BOUNDED * before)
    return set(near[good].tolist())


class _Track:
    """A path while it is followed."""

    def __init__(self) -> None:
        self.ridges: list[float] = []
        self.residuals: list[float] = []
        self.terms: list[float] = []
        self.points: list[Array] = []

    def add(self, ridge: float, residual: float, term: float, point: Array) -> None:
        """One more minimum."""
        self.ridges.append(ridge)
        self.residuals.append(residual)
        self.terms.append(term)
        self.points.append(point)

    def is_level(self) -> bool:
        """Whether the residual has stopped falling, or is not a number."""
        if not np.isfinite(self.residuals[-1]):
            return True
        return len(self.ridges) >= BEFORE_LEVEL and self._slope(self.residuals, slice(-3, None)) < LEVEL

    def judged(self, solved: bool, vectors: int) -> Path:
        """What the path looks like; ``solved`` says that it ends in a sum of bounded units, of so many vectors each."""
        window = self._best_window(vectors)
        falling, growing = self._slope(self.residuals, window), self._slope(self.terms, window)
        verdict: Verdict = "plateau"
        if solved:
            verdict = "exact"
        elif self.residuals[-1] < FAR and falling > FALLING:
            grown = growing < GROWING or self.terms[-1] > GROWN * self.terms[0]
            balanced = self._unbalanced(window, vectors) < UNBALANCED
            verdict = "exact" if not grown else "border" if balanced else "plateau"
        numbers = tuple(self.ridges), tuple(self.residuals), tuple(self.terms)
        return Path(*numbers, window, falling, growing, verdict, np.array(self.points))

    def _best_window(self, vectors: int) -> slice:
        """The latest of the longest parts in balance, or the end."""
        count = len(self.ridges)
        for length in FITTED:
            for end in range(count, length - 1, -1):
                window = slice(end - length, end)
                if self._unbalanced(window, vectors) < UNBALANCED / 2:
                    return window
        return slice(max(0, count - FITTED[0]), count)

    def _unbalanced(self, window: slice, vectors: int) -> float:
        """How far 2a + 2b/k is from 1."""
        return abs(
            2 * self._slope(self.residuals, window) - 2 * self._slope(self.terms, window) / vectors - 1
        )

    def _slope(self, values: Sequence[float], window: slice) -> float:
        """Slope of the logarithms."""
        logarithms = np.log(np.maximum(values[window], 1e-300))
        if len(logarithms) < 2:
            return 0.0
        return float(np.polyfit(np.log(self.ridges[window]), logarithms, 1)[0])


__all__ = ["RIDGES", "Evidence", "Path", "Verdict", "beginnings", "follow"]
