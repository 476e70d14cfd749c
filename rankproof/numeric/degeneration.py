"""How the best sums of units behave as a regularisation fades: exact, border or plateau.

The squared distance to the target plus lambda times the squared norm of all coordinates has a minimum for every lambda > 0.
Along these minima, as lambda tends to 0, one of three things happens:

* the terms stay bounded and the residual tends to 0: there is a sum of so many units (*exact*);
* the residual tends to 0 and the terms grow without bound: the border rank is as small and the rank may not be (*border*);
* the residual stays away from 0: so many units are too few, as far as these minima can tell (*plateau*).

Near a limit with error eps^e and terms of size eps^-h, for units of k vectors, eps^(2e) + lambda eps^(-2h/k) is least where
residual and largest term are powers of lambda, with exponents 1 / (2 + 2h/(ke)) and -(h/e) / (2 + 2h/(ke)): straight lines in
logarithms, whose slopes tell the cases apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
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

FITTED = 7
"""Weights at the end of a path that slopes are fitted to: three decades."""

FALLING = 0.05
"""Slope of the residual, in logarithms, from which on it tends to 0; on a plateau it is below a hundredth of that."""

GROWING = -0.03
"""Slope of the largest term, in logarithms, below which it grows without bound."""

GROWN = 3.0
"""Growth of the largest term along the whole path that counts as one without bound, when a path ends in a slow valley."""

FAR = 0.3
"""A relative residual above this at the end of a path is a plateau, whatever its slope."""

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
    residual_slope, term_slope
        Slopes of the logarithms against that of the weight, at the end of the path.
    polished
        Residual after a refinement without regularisation.
    verdict
        What it looks like.
    """

    ridges: tuple[float, ...]
    residuals: tuple[float, ...]
    terms: tuple[float, ...]
    residual_slope: float
    term_slope: float
    polished: float
    verdict: Verdict

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
    ends
        Their last points, one a row.
    """

    paths: tuple[Path, ...]
    ends: Array

    @property
    def verdict(self) -> Verdict:
        """``exact`` if a path ends in a bounded sum, else ``border`` if the residual of one tends to 0, else ``plateau``."""
        seen = {path.verdict for path in self.paths}
        if "exact" in seen:
            return "exact"
        return "border" if "border" in seen else "plateau"

    @property
    def best(self) -> int:
        """Number of the path with the smallest residual among those with the verdict."""
        agreeing = [k for k, path in enumerate(self.paths) if path.verdict == self.verdict]
        return min(agreeing, key=lambda k: self.paths[k].residuals[-1])

    def joined(self, other: Evidence) -> Evidence:
        """The evidence of both."""
        return Evidence(self.paths + other.paths, np.concatenate([self.ends, other.ends]))

    @property
    def agreeing(self) -> int:
        """Number of paths with the verdict."""
        return sum(path.verdict == self.verdict for path in self.paths)


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
    residuals, terms, used = [], [], []
    for weight in ridges:
        if stop() and len(used) > 1:
            break
        runs = minimise(
            objective,
            x,
            replace(STAGE, damping=weight if used else 1.0),
            ridge=np.full(len(x), weight),
            stop=stop,
        )
        x = objective.balanced(runs.x)
        residuals.append(np.sqrt(objective.cost(objective.residual(x))) / (objective.norm or 1.0))
        terms.append(objective.largest(x))
        used.append(weight)
    polished = minimise(objective, x, POLISH, stop=stop)
    grown = objective.largest(polished.x) <= BOUNDED * np.maximum(terms[-1], 1e-300)
    paths = tuple(
        _judged(
            used,
            [float(r[k]) for r in residuals],
            [float(t[k]) for t in terms],
            float(np.sqrt(polished.cost[k]) / (objective.norm or 1.0)),
            bool(polished.cost[k] <= REACHED and grown[k]),
        )
        for k in range(len(x))
    )
    ends = np.where((polished.cost <= REACHED)[:, None], polished.x, x)
    return Evidence(paths, ends)


def _judged(
    ridges: Sequence[float], residuals: Sequence[float], terms: Sequence[float], polished: float, exact: bool
) -> Path:
    last = slice(-min(FITTED, len(ridges)), None)
    abscissae = np.log(ridges[last])
    falling = _slope(abscissae, residuals[last])
    growing = _slope(abscissae, terms[last])
    verdict: Verdict = "plateau"
    if exact:
        verdict = "exact"
    elif residuals[-1] < FAR and falling > FALLING:
        grown = growing < GROWING or terms[-1] > GROWN * terms[0]
        verdict = "border" if grown else "exact"
    return Path(tuple(ridges), tuple(residuals), tuple(terms), falling, growing, polished, verdict)


def _slope(abscissae: Array, values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    return float(np.polyfit(abscissae, np.log(np.maximum(values, 1e-300)), 1)[0])


__all__ = ["RIDGES", "Evidence", "Path", "Verdict", "beginnings", "follow"]
