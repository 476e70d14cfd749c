"""Numerical search for a sum of units of a given width, and its exact recovery.

Here `rankproof.numeric` and `rankproof.exact` meet: floats propose, and what is returned as a decomposition is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rankproof.exact.recover import recover
from rankproof.numeric.factors import Factors
from rankproof.numeric.lm import uses_lapack
from rankproof.numeric.objective import Objective
from rankproof.numeric.restarts import Batch, batches, in_order, one_thread, schedule_for
from rankproof.numeric.rounding import round_off
from rankproof.numeric.targets import objective
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, RR, Field
from rankproof.problem.target import Target

FOREVER = 10.0**9
"""Seconds that stand for no limit of time."""

ROUNDED_PER_BATCH = 2
"""Solutions of a batch that exact recovery is tried on."""

FLAT = 1e-10
"""Eigenvalues of the Gauss-Newton matrix below this, relative to the largest, are directions of a family of solutions."""


@dataclass(frozen=True)
class Attempt:
    """Some restarts and the recovery of their solutions: what one process works on.

    Attributes
    ----------
    target, units
        What is decomposed, and into what.
    over
        Field of the coordinates: QQ, RR, CC or the number field of the target.
    batch
        The restarts.
    exactly
        Whether exact recovery is wanted.
    """

    target: Target
    units: str
    over: Field
    batch: Batch
    exactly: bool


@dataclass
class Result:
    """What the restarts of a search did.

    Attributes
    ----------
    width
        Number of units that was searched for.
    costs, steps
        Squared distance, for the target scaled to a largest entry near 1, and number of steps, one a restart.
    goal
        Squared distance at which a restart counts as a success.
    norm
        Norm of the scaled target.
    decomposition
        The exact decomposition that was recovered; None when there is none.
    restart
        Number of the restart that it came from.
    factors
        The best floating-point solution.
    largest
        Largest norm of one of its units, relative to that of the target.
    nullity, condition
        Dimension of the family of solutions around it, and ratio of the extreme singular values of the derivative across it.
    tried
        What exact recovery tried on the last solution it had.
    seconds
        Time.
    """

    width: int
    goal: float
    norm: float
    costs: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    decomposition: Decomposition | None = None
    restart: int | None = None
    factors: Factors | None = None
    largest: float = 0.0
    nullity: int = 0
    condition: float = 0.0
    tried: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def successes(self) -> int:
        """Number of restarts that reached the goal."""
        return sum(cost <= self.goal for cost in self.costs)

    @property
    def residual(self) -> float:
        """Distance of the best sum of units from the target, relative to the norm of the target."""
        return min(self.costs, default=float("inf")) ** 0.5 / (self.norm or 1.0)

    def join(self, other: Result) -> None:
        """Take in the result of later restarts."""
        first = not self.costs
        if other.costs and (first or min(other.costs) < min(self.costs)):
            self.factors, self.largest = other.factors, other.largest
            self.nullity, self.condition = other.nullity, other.condition
        self.costs += other.costs
        self.steps += other.steps
        self.decomposition, self.restart = other.decomposition, other.restart
        self.tried = other.tried or self.tried


def field_of_search(target: Target, field: Field) -> Field | None:
    """Where floating point looks for units that answer a question over a field.

    RR or CC, or the ring of a target that RR does not contain. None in finite characteristic, where floating point says nothing.
    """
    if field.characteristic or target.ring.characteristic:
        return None
    if field == CC:
        return CC
    return RR if RR.includes(target.ring) else target.ring


def search(
    target: Target,
    units: str,
    width: int,
    over: Field,
    *,
    seed: int = 0,
    restarts: int = 1_000_000,
    seconds: float = FOREVER,
    processes: int = 1,
    exactly: bool = True,
    enough: Callable[[Result], bool] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Look for a sum of so many units, from one random start after another.

    Parameters
    ----------
    target
        Over QQ or a number field.
    units
        Name of a unit model that lives in the target's space.
    width
        Number of units.
    over
        Where the coordinates may lie: QQ, RR, CC, or the number field of the target. Over QQ and RR the search is real.
    seed
        Seed of all starts.
    restarts
        Greatest number of starts.
    seconds
        Greatest time.
    processes
        Number of processes; it changes the time and, as long as the time does not run out, nothing else.
    exactly
        Whether to go on until an exact decomposition is recovered; otherwise the first success ends the search.
    enough
        Asked after every batch whether what is known of the solutions will do, although none of them is exact.
    progress
        Called with a line of text after every batch of starts.

    Returns
    -------
    Result
        With an exact decomposition, when one was found.

    Raises
    ------
    UsageError
        If the units do not live in the space, the target is over a finite field, or it is too large.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> from rankproof.problem.parse import read_targets
    >>> result = search(read_targets("x*y")[0], "tied", 2, QQ)
    >>> len(result.decomposition), result.decomposition.ring.name
    (2, 'QQ')
    """
    begun = time.monotonic()
    f = objective(target, units, width, complex_units=over == CC)
    schedule = schedule_for(f)
    total = Result(width, schedule.goal, f.norm)
    deadline = time.time() + seconds
    attempts = (
        Attempt(target, units, over, batch, exactly)
        for batch in batches(f, schedule, seed, restarts, deadline)
    )
    results = in_order(run, attempts, processes)
    try:
        for result in results:
            total.join(result)
            if progress is not None:
                progress(_said(total))
            done = total.decomposition is not None or (not exactly and total.successes)
            done = done or (enough is not None and enough(total))
            if done or time.time() > deadline:
                break
    finally:
        results.close()  # type: ignore[attr-defined]
    total.seconds = time.monotonic() - begun
    return total


def run(attempt: Attempt) -> Result:
    """Run the restarts of an attempt and recover their solutions, the first ones first."""
    with one_thread(uses_lapack(attempt.batch.objective.size, attempt.batch.count)):
        return _run(attempt)


def _run(attempt: Attempt) -> Result:
    batch = attempt.batch
    f, goal = batch.objective, batch.schedule.goal
    runs = batch.run()
    result = Result(f.width, goal, f.norm, runs.cost.tolist(), runs.steps.tolist())
    best = int(np.argmin(runs.cost))
    if np.isfinite(runs.x[best]).all():
        result.factors = f.factors(runs.x[best])
        result.largest = float(f.largest(runs.x[best][None])[0])
    solutions = np.flatnonzero(runs.succeeded(goal))
    if solutions.size:
        result.nullity, result.condition = _conditioning(f, f.balanced(runs.x[best][None]))
    for k in solutions[:ROUNDED_PER_BATCH] if attempt.exactly else ():
        if batch.is_late():
            break
        rounded = round_off(f, runs.x[k], stop=batch.is_late)
        held = [m[0] for m in f.unpack(rounded.fixed[None])]
        recovery = recover(
            attempt.target,
            attempt.units,
            f.factors(rounded.x).units(),
            held=[[h[:, s].tolist() for h in held] for s in range(f.width)],
            over=attempt.over,
        )
        result.tried = recovery.tried
        if recovery.decomposition is not None:
            result.decomposition, result.restart = recovery.decomposition, batch.first + int(k)
            break
    return result


def _conditioning(f: Objective, x: np.ndarray) -> tuple[int, float]:
    """Dimension of the family around a solution, and the ratio of the other singular values of the derivative."""
    eigenvalues = np.linalg.eigvalsh(f.gram(x)[0])
    regular = eigenvalues[eigenvalues > FLAT * max(float(eigenvalues[-1]), 1e-300)]
    if not regular.size:
        return f.size, 0.0
    # The scales inside a unit are not counted.
    scales = f.width * (len(f.lengths) - 1)
    return max(0, f.size - regular.size - scales), float(np.sqrt(regular[-1] / regular[0]))


def _said(total: Result) -> str:
    text = f"{len(total.costs)} starts, {total.successes} solutions, best residual {total.residual:.1e}"
    return f"{text}; {total.tried[-1]}" if total.tried else text


__all__ = ["Attempt", "Result", "field_of_search", "run", "search"]
