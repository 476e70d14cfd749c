"""Border families from nothing: how sums of units behave as a regularisation fades, and exact families from random starts.

Here `rankproof.numeric` and `rankproof.exact` meet: floats propose, and what is returned as a family is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from rankproof.bounds.explicit import unit_powers
from rankproof.exact.border_families import normal_form, recover_family
from rankproof.numeric.degeneration import Evidence, beginnings, follow
from rankproof.numeric.factors import Array
from rankproof.numeric.jets import JetObjective
from rankproof.numeric.lm import Schedule, minimise, uses_lapack
from rankproof.numeric.objective import Objective
from rankproof.numeric.restarts import batch_size, in_order, one_thread, starting_points
from rankproof.numeric.rounding import SOLVED, round_off
from rankproof.numeric.targets import objective
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, Field
from rankproof.problem.target import Target

PATHS = 8
"""Starting points that are followed together."""

MOST_PATHS = 32
"""Starting points that are followed before a plateau is believed."""

PATH_SHARE = 0.3
"""Part of the time that paths may take."""

FIRST_ORDERS = 3
"""Orders of eps that are tried in the first round; every later round adds one."""

MOST_ORDERS = 8

FIRST_BATCH = 8
"""Starts of a batch at most, so that easy orders of eps are not waited for."""

ROUNDED_PER_BATCH = 2
"""Solutions of a batch that exact recovery is tried on."""

SCHEDULES = (
    Schedule(spread=1.0, damping=0.1, ridge=0.01, fade=0.9, release=1e-4, steps=250, patience=60),
    Schedule(spread=0.6, damping=1.0, ridge=0.1, fade=0.9, release=1e-6, steps=250, patience=60),
)
"""Taken in turns: a short ridge suits powers of linear forms, a long one product units."""


@dataclass(frozen=True)
class Attempt:
    """Random starts for a family of one order, and the recovery of what they reach: what one process works on.

    Attributes
    ----------
    target, units, over
        What the families are to tend to, the units, and the field of the coefficients.
    base
        Distance of a sum of units without eps.
    order
        Power of eps at which the target stands.
    schedule
        Of the Levenberg-Marquardt steps.
    seed, first, count
        Seed of the whole search, and the numbers of the starts.
    deadline
        Seconds since the epoch at which everything stops.
    """

    target: Target
    units: str
    over: Field
    base: Objective
    order: int
    schedule: Schedule
    seed: int
    first: int
    count: int
    deadline: float

    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return time.time() > self.deadline


@dataclass
class Result:
    """What a search for a degeneration found.

    Attributes
    ----------
    width
        Number of units.
    evidence
        What the paths of fading regularisation look like.
    family
        An exact border family in normal form; None when none was found.
    found_at
        The power of eps at which it was found, and the number of the start.
    starts, reached
        By order of eps: random starts, and how many of them reach a family in floating point.
    tried
        What exact recovery tried on the last family it had.
    seconds
        Time.
    """

    width: int
    evidence: Evidence | None = None
    family: BorderFamily | None = None
    found_at: tuple[int, int] | None = None
    starts: dict[int, int] = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def successes(self) -> int:
        """Number of starts that reach a family in floating point."""
        return sum(self.reached.values())


def degenerate(
    target: Target,
    units: str,
    width: int,
    over: Field,
    *,
    seed: int = 0,
    seconds: float = 1e9,
    processes: int = 1,
    most_rounds: int = 1_000_000,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Look for so many units that tend to a target.

    Parameters
    ----------
    target
        Over QQ or a number field, not zero.
    units
        Name of a unit model that lives in its space.
    width
        Number of units.
    over
        Where the coefficients lie: QQ and RR are searched for real ones, CC for complex ones.
    seed
        Seed of all starts.
    seconds
        Greatest time.
    processes
        Number of processes; it changes the time and, as long as that does not run out, nothing else.
    most_rounds
        Greatest number of rounds of random starts through the orders of eps.
    progress
        Called with a line of text now and then.

    Returns
    -------
    Result
        With an exact family, when one was found. Where the evidence says ``exact`` none is looked for: there is a sum of units
        without eps, which `rankproof.bounds.numerical.search` finds.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> from rankproof.problem.parse import read_targets
    >>> result = degenerate(read_targets("x**2*y")[0], "tied", 2, QQ)
    >>> result.evidence.verdict, len(result.family), result.family.order
    ('border', 2, 0)
    """
    begun = time.monotonic()
    base = objective(target, units, width, complex_units=over == CC)
    result = Result(width)
    result.evidence = _evidence(base, seed, time.time() + PATH_SHARE * seconds, progress)
    if result.evidence.verdict != "exact":
        deadline = time.time() + seconds - (time.monotonic() - begun)
        attempts = _attempts(target, units, over, base, seed, deadline, most_rounds)
        results = in_order(run, attempts, processes)
        try:
            for order, count, part in results:
                _join(result, order, count, part)
                if progress is not None:
                    progress(f"{_said(result)}, order {order}")
                if result.family is not None or time.time() > deadline:
                    break
        finally:
            results.close()  # type: ignore[attr-defined]
    result.seconds = time.monotonic() - begun
    return result


def _evidence(
    base: Objective, seed: int, deadline: float, progress: Callable[[str], None] | None
) -> Evidence:
    """Paths from more and more starting points, until one does not end on a plateau."""
    found: Evidence | None = None
    for first in range(0, MOST_PATHS, PATHS):
        if progress is not None:
            progress(f"following {first + PATHS} paths as the regularisation fades")
        with one_thread(uses_lapack(base.size, PATHS)):
            starts = beginnings(base, seed, range(first, first + PATHS))
            more = follow(base, starts, stop=lambda: time.time() > deadline)
        found = more if found is None else found.joined(more)
        if found.verdict != "plateau" or time.time() > deadline:
            break
    if found is None:
        raise ArithmeticError("at least one batch of paths is followed")
    return found


def _attempts(
    target: Target, units: str, over: Field, base: Objective, seed: int, deadline: float, most_rounds: int
) -> Iterator[Attempt]:
    """Random starts at the orders 1, 2, 3, then 1, 2, 3, 4, and so on."""
    sizes = {q: min(FIRST_BATCH, batch_size(JetObjective(base, q))) for q in range(1, MOST_ORDERS + 1)}
    for turn in range(most_rounds):
        schedule = SCHEDULES[(turn + (units == "product")) % len(SCHEDULES)]
        for order in range(1, min(FIRST_ORDERS + turn, MOST_ORDERS) + 1):
            count = sizes[order]
            first = turn * count
            yield Attempt(target, units, over, base, order, schedule, seed, first, count, deadline)


def run(attempt: Attempt) -> tuple[int, int, Result]:
    """Run the starts of an attempt and recover what they reach; its order and number of starts come along."""
    f = JetObjective(attempt.base, attempt.order)
    with one_thread(uses_lapack(f.size, attempt.count)):
        return attempt.order, attempt.count, _run(attempt, f)


def _run(attempt: Attempt, f: JetObjective) -> Result:
    # Every order has starts of its own.
    seed = int(np.random.SeedSequence([attempt.seed, attempt.order]).generate_state(1)[0])
    numbers = range(attempt.first, attempt.first + attempt.count)
    x = starting_points(f, attempt.schedule, seed, numbers)
    runs = minimise(f, x, attempt.schedule, stop=attempt.is_late)
    result = Result(f.width)
    solutions = np.flatnonzero(runs.succeeded(SOLVED))
    result.reached[attempt.order] = solutions.size
    for k in solutions[:ROUNDED_PER_BATCH]:
        rounded = round_off(f, runs.x[k], stop=attempt.is_late)
        recovery = recover_family(
            attempt.target, attempt.units, attempt.order, _jets(f, rounded.x), attempt.over
        )
        result.tried = recovery.tried
        if recovery.family is not None:
            result.family = tidied(recovery.family, attempt.target)
            result.found_at = attempt.order, attempt.first + int(k)
            break
        if attempt.is_late():
            break
    return result


def _jets(f: JetObjective, x: Array) -> list[list[list[list[complex]]]]:
    """The coefficients of every coordinate of every unit, for the target as it was given."""
    *first, last = f.coefficients(x)
    vectors = [*first, last * f.scale]
    return [[v[:, :, s].T.tolist() for v in vectors] for s in range(f.width)]


def tidied(family: BorderFamily, target: Target) -> BorderFamily:
    """A family in normal form."""
    if family.units_model == "product":
        powers: tuple[int, ...] = (1,) * len(target.space.factors)
    else:
        powers = (*unit_powers(family.units_model, target.space.form_degree), 1)
    return normal_form(family, powers)


def _join(total: Result, order: int, count: int, part: Result) -> None:
    total.starts[order] = total.starts.get(order, 0) + count
    total.reached[order] = total.reached.get(order, 0) + part.reached.get(order, 0)
    total.family, total.found_at = part.family, part.found_at
    total.tried = part.tried or total.tried


def _said(result: Result) -> str:
    text = f"{sum(result.starts.values())} starts, {result.successes} families in floating point"
    return f"{text}; {result.tried[-1]}" if result.tried else text


__all__ = ["Attempt", "Result", "degenerate", "run", "tidied"]
