"""Border families from nothing: how sums of units behave as a regularisation fades, and the exact families along that way.

Here `rankproof.numeric` and `rankproof.exact` meet: floats propose, and what is returned as a family is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankproof.bounds.explicit import unit_powers
from rankproof.exact.border_families import normal_form, recover_family
from rankproof.numeric.degeneration import Evidence, Path, beginnings, follow
from rankproof.numeric.factors import Array
from rankproof.numeric.jets import JetObjective, seeded
from rankproof.numeric.lm import Schedule, minimise, uses_lapack
from rankproof.numeric.objective import Objective
from rankproof.numeric.restarts import batch_size, in_order, one_thread, starting_points
from rankproof.numeric.rounding import SOLVED, round_off
from rankproof.numeric.targets import objective
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, Field
from rankproof.problem.target import Target

FIRST_PATHS = 8
"""Starting points that are followed together at first."""

MORE_PATHS = 16
"""Starting points that are followed together later on."""

ORDERS = (1, 2, 3, 4, 5, 6)
"""Orders of the families that are sought along a path."""

SEEDS_A_PATH = 5
"""Fits of a path that are refined, those with the smallest error first."""

PATHS_A_BATCH = 3
"""Paths of a batch that families are sought along."""

REFINED = Schedule(damping=1e-2, ridge=1e-3, fade=0.8, release=1e-4, steps=120, patience=20)
"""How a fit is refined to a family: close ones need less than ten steps."""

NUDGES = (0.0, 0.1, 0.3, 0.3)
"""Standard deviations of what is added to a family before it is made simple: paths lead to families of high symmetry, whose
coordinates are irrational more often than those of their neighbours."""

RANDOM_STARTS = 8
"""Random starts for each of two orders, where the families along paths could not be made exact."""

SCHEDULES = (
    Schedule(spread=1.0, damping=0.1, ridge=0.01, fade=0.9, release=1e-4, steps=250, patience=60),
    Schedule(spread=0.6, damping=1.0, ridge=0.1, fade=0.9, release=1e-6, steps=250, patience=60),
)
"""Of random starts, in turns: a short ridge suits powers of linear forms, a long one product units."""

ROUNDED_PER_ORDER = 3
"""Families from random starts of an order that are made simple."""

MAX_SIZE = 4_000
"""Coefficients of all coordinates beyond which a fit is not refined."""


@dataclass(frozen=True)
class Attempt:
    """Some paths, and the families along them: what one process works on.

    Attributes
    ----------
    target, units, over
        What the families are to tend to, the units, and the field of the coefficients.
    base
        Distance of a sum of units without eps.
    seed, first, count
        Seed of the whole search, and the numbers of the starts.
    deadline
        Seconds since the epoch at which everything stops.
    exactly
        Whether families are sought, or only the evidence.
    """

    target: Target
    units: str
    over: Field
    base: Objective
    seed: int
    first: int
    count: int
    deadline: float
    exactly: bool

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
        Number of the first path of its batch, and the power of eps at which the target stood.
    fits, reached
        By order of eps: families fitted to paths and refined, and how many of them became families in floating point.
    tried
        What exact recovery tried on the last family it had.
    seconds
        Time.
    """

    width: int
    evidence: Evidence = field(default_factory=lambda: Evidence(()))
    family: BorderFamily | None = None
    found_at: tuple[int, int] | None = None
    fits: dict[int, int] = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def successes(self) -> int:
        """Number of families in floating point."""
        return sum(self.reached.values())

    def join(self, other: Result) -> None:
        """Take in the result of later paths."""
        self.evidence = self.evidence.joined(other.evidence)
        for mine, more in ((self.fits, other.fits), (self.reached, other.reached)):
            for order, count in more.items():
                mine[order] = mine.get(order, 0) + count
        self.family, self.found_at = other.family, other.found_at
        self.tried = other.tried or self.tried


def degenerate(
    target: Target,
    units: str,
    width: int,
    over: Field,
    *,
    seed: int = 0,
    paths: int = 1_000_000,
    seconds: float = 1e9,
    processes: int = 1,
    exactly: bool = True,
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
        Where the coefficients lie: for QQ and RR real ones are searched for, for CC complex ones.
    seed
        Seed of all starts.
    paths
        Greatest number of starting points.
    seconds
        Greatest time.
    processes
        Number of processes; it changes the time and, as long as that does not run out, nothing else.
    exactly
        Whether an exact family is wanted; otherwise the paths are followed for the evidence alone, until one looks exact.
    progress
        Called with a line of text after every batch of paths.

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
    total = Result(width)
    deadline = time.time() + seconds
    attempts = (
        Attempt(target, units, over, base, seed, first, count, deadline, exactly)
        for first, count in _batches(base, paths)
    )
    results = in_order(run, attempts, processes)
    try:
        for part in results:
            total.join(part)
            if progress is not None:
                progress(_said(total))
            if total.family is not None or total.evidence.verdict == "exact" or time.time() > deadline:
                break
    finally:
        results.close()  # type: ignore[attr-defined]
    total.seconds = time.monotonic() - begun
    return total


def _batches(base: Objective, paths: int) -> Iterator[tuple[int, int]]:
    """Numbers of the starts of every batch: the first one, and how many."""
    first, size = 0, min(FIRST_PATHS, batch_size(base))
    while first < paths:
        count = min(size, paths - first)
        yield first, count
        first, size = first + count, min(MORE_PATHS, batch_size(base))


def run(attempt: Attempt) -> Result:
    """Follow the paths of an attempt, and look for families along those that lead to a border."""
    base = attempt.base
    result = Result(base.width)
    with one_thread(uses_lapack(base.size, attempt.count)):
        starts = beginnings(base, attempt.seed, range(attempt.first, attempt.first + attempt.count))
        result.evidence = follow(base, starts, stop=attempt.is_late)
        if attempt.exactly and result.evidence.verdict == "border":
            _look_along(attempt, result)
    return result


def _look_along(attempt: Attempt, result: Result) -> None:
    """Look for a family that becomes exact: along the paths that lead to a border, best paths first, then at random."""
    numbered = [(k, path) for k, path in enumerate(result.evidence.paths) if path.verdict == "border"]
    numbered.sort(key=lambda pair: pair[1].residuals[-1])
    for k, path in numbered[:PATHS_A_BATCH]:
        for f, x in _fits(attempt.base, path):
            runs = minimise(f, x[None], REFINED, stop=attempt.is_late)
            result.fits[f.order] = result.fits.get(f.order, 0) + 1
            if runs.succeeded(SOLVED)[0]:
                result.reached[f.order] = result.reached.get(f.order, 0) + 1
                rng = np.random.default_rng([attempt.seed, attempt.first + k, f.order])
                if _made_exact(attempt, f, _neighbours(attempt, f, runs.x[0], rng), result):
                    return
                break
            if attempt.is_late():
                return
    least = min((order for order, count in result.reached.items() if count), default=None)
    for order in () if least is None else (least, least + 1):
        f = JetObjective(attempt.base, order)
        if f.size <= MAX_SIZE and _made_exact(attempt, f, _random_families(attempt, f), result):
            return


def _neighbours(attempt: Attempt, f: JetObjective, x: Array, rng: np.random.Generator) -> Iterator[Array]:
    """A family in floating point, and others nearby."""
    for size in NUDGES:
        runs = minimise(f, (x + size * rng.standard_normal(f.size))[None], REFINED, stop=attempt.is_late)
        if runs.succeeded(SOLVED)[0]:
            yield runs.x[0]


def _random_families(attempt: Attempt, f: JetObjective) -> Iterator[Array]:
    """Families in floating point from random starts."""
    schedule = SCHEDULES[(attempt.first // FIRST_PATHS + (attempt.units == "product")) % len(SCHEDULES)]
    # Every order has starts of its own.
    seed = int(np.random.SeedSequence([attempt.seed, f.order]).generate_state(1)[0])
    count = min(RANDOM_STARTS, batch_size(f))
    x = starting_points(f, schedule, seed, range(attempt.first, attempt.first + count))
    with one_thread(uses_lapack(f.size, count)):
        runs = minimise(f, x, schedule, stop=attempt.is_late)
    yield from runs.x[np.flatnonzero(runs.succeeded(SOLVED))[:ROUNDED_PER_ORDER]]


def _made_exact(attempt: Attempt, f: JetObjective, families: Iterable[Array], result: Result) -> bool:
    """Whether one of some families in floating point became an exact one, which the result then has.

    A family over a number field is kept in case that none over the field of the target is found.
    """
    for x in families:
        rounded = round_off(f, x, stop=attempt.is_late)
        *first, last = f.coefficients(rounded.x)
        recovery = recover_family(
            attempt.target,
            attempt.units,
            f.order,
            _by_unit([*first, last * f.scale]),
            held=_by_unit(f.coefficients(rounded.fixed)),
            # One family with large numbers is enough.
            over=attempt.over if result.family is None else attempt.target.ring,
        )
        found = recovery.family
        if found is not None and (result.family is None or found.ring == attempt.target.ring):
            result.family, result.found_at = tidied(found, attempt.target), (attempt.first, f.order)
            result.tried = recovery.tried
        elif result.family is None:
            result.tried = recovery.tried
        if attempt.is_late() or (found is not None and found.ring == attempt.target.ring):
            break
    return result.family is not None


def _fits(base: Objective, path: Path) -> list[tuple[JetObjective, Array]]:
    """Families fitted to a path, for several orders and parts of the path, the closest ones first."""
    found: list[tuple[float, int, JetObjective, Array]] = []
    for order in ORDERS:
        if base.size * (order + 1) > MAX_SIZE:
            break
        f = JetObjective(base, order)
        for window in (path.window, slice(0, path.window.stop)):
            points, terms = path.points[window], path.terms[window]
            if len(points) <= order or min(terms) <= 0:
                continue
            x = f.balanced(seeded(base, points, terms, order)[None])
            cost = float(f.cost(f.residual(x))[0])
            if np.isfinite(cost):
                # The cost of a step grows with the cube of the order: a good fit of low order is preferred.
                found.append((cost * (order + 1) ** 3, len(found), f, x[0]))
    found.sort(key=lambda fit: fit[:2])
    return [(f, x) for _, _, f, x in found[:SEEDS_A_PATH]]


def _by_unit(vectors: Sequence[Array]) -> list[list[list[list[Any]]]]:
    """For every unit, vector and coordinate what stands at 1, eps, eps^2, ..."""
    return [[v[:, :, s].T.tolist() for v in vectors] for s in range(vectors[0].shape[2])]


def tidied(family: BorderFamily, target: Target) -> BorderFamily:
    """A family in normal form."""
    if family.units_model == "product":
        powers: tuple[int, ...] = (1,) * len(target.space.factors)
    else:
        powers = (*unit_powers(family.units_model, target.space.form_degree), 1)
    return normal_form(family, powers)


def _said(result: Result) -> str:
    seen = result.evidence
    text = f"{len(seen.paths)} paths, {seen.agreeing} look {seen.verdict}; {result.successes} families in floating point"
    return f"{text}; {result.tried[-1]}" if result.tried else text


__all__ = ["Attempt", "Result", "degenerate", "run", "tidied"]
