"""Many random starts, alone or on several processes, with results that do not depend on how many.

Restart i takes its random numbers from child i of the seed, and restarts are run in batches of a size that depends on the
problem only, on one thread of the linear algebra library each. What comes out is put in the order of the restarts.
"""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from typing import TypeVar

import numpy as np

from rankproof.errors import WorkerLost
from rankproof.numeric.factors import Array
from rankproof.numeric.lm import Runs, Schedule, minimise, uses_lapack
from rankproof.numeric.objective import Objective
from rankproof.numeric.polynomials import PolynomialObjective
from rankproof.numeric.power_method import power_method

BATCH_CELLS = 500_000
"""Entries of all Gauss-Newton matrices of a batch: they should stay in the processor's cache."""

LARGEST_BATCH = 64

FIRST_BATCH = 8

SUBSPACE_START = FIRST_BATCH
"""The subspace power method costs as much as many random starts, and these are enough for easy forms."""

AHEAD = 2
"""Batches a process has waiting, so that none stands idle."""

T = TypeVar("T")
R = TypeVar("R")

TENSORS = Schedule(spread=0.6, damping=1.0, ridge=0.03, fade=0.9, release=1e-4, steps=150, patience=30)
"""For product units: the ridge on all coordinates leads past the degenerations on the way to exact solutions."""

SMALL_TENSORS = replace(TENSORS, ridge=0.1, alternate=0.1, fade=0.8, patience=60, steps=250)
"""For small product problems: a ridge that fades faster, and more patience, because some runs cross long plateaus."""

SMALL_TENSORS_UP_TO = 200
"""Coordinates up to which a product problem is small."""

POLYNOMIALS = Schedule(spread=1.0, damping=0.1, ridge=1e-2, fade=0.8, release=1e-6, steps=200, patience=50)
"""For tied, mixed and split units: the weights are solved for, and the ridge keeps them small."""


def schedule_for(objective: Objective) -> Schedule:
    """The schedule that suits the units of an objective."""
    if objective.units_model == "product":
        return TENSORS if objective.size > SMALL_TENSORS_UP_TO else SMALL_TENSORS
    if objective.units_model in ("untied", "mixed:1"):
        return replace(POLYNOMIALS, linear=len(objective.lengths) - 2)
    return replace(POLYNOMIALS, linear=len(objective.lengths) - 1)


def batch_size(objective: Objective) -> int:
    """How many restarts are run at once."""
    return max(1, min(LARGEST_BATCH, BATCH_CELLS // objective.size**2))


@dataclass(frozen=True)
class Batch:
    """Restarts to be run together: what another process is sent.

    Attributes
    ----------
    objective, schedule
        What is minimised, and how.
    seed
        Seed of the whole search.
    first, count
        Numbers of the restarts.
    deadline
        Seconds since the epoch at which everything stops.
    """

    objective: Objective
    schedule: Schedule
    seed: int
    first: int
    count: int
    deadline: float

    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return time.time() > self.deadline

    def run(self) -> Runs:
        """Run the restarts; number `SUBSPACE_START` begins where the subspace power method ends, if that applies."""
        objective, restarts = self.objective, range(self.first, self.first + self.count)
        x = starting_points(objective, self.schedule, self.seed, restarts)
        with one_thread(uses_lapack(objective.size, self.count)):
            if SUBSPACE_START in restarts and isinstance(objective, PolynomialObjective):
                found = power_method(objective, np.random.default_rng(self.seed))
                if found is not None:
                    x[SUBSPACE_START - self.first] = found
            odd = np.array(restarts) % 2 == 1
            ridge = self.schedule.ridge * np.where(odd, self.schedule.alternate, 1.0)
            return minimise(objective, x, self.schedule, ridge=ridge, stop=self.is_late)


def batches(
    objective: Objective, schedule: Schedule, seed: int, restarts: int, deadline: float
) -> Iterator[Batch]:
    """The batches of a search, in order: a small one first, because easy problems need no more."""
    size, first = min(FIRST_BATCH, batch_size(objective)), 0
    while first < restarts:
        count = min(size, restarts - first)
        yield Batch(objective, schedule, seed, first, count, deadline)
        first, size = first + count, batch_size(objective)


def starting_points(objective: Objective, schedule: Schedule, seed: int, restarts: Iterable[int]) -> Array:
    """Random points, one a restart; point i is the same whatever other restarts are asked for."""
    points = []
    for i in restarts:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,)))
        x = rng.standard_normal(objective.size)
        if objective.dtype.kind == "c":
            x = (x + 1j * rng.standard_normal(objective.size)) / np.sqrt(2)
        points.append(schedule.spread * x)
    return np.array(points, dtype=objective.dtype).reshape(-1, objective.size)


def in_order(function: Callable[[T], R], tasks: Iterable[T], processes: int = 1) -> Iterator[R]:
    """Results of a function on tasks, in the order of the tasks.

    Parameters
    ----------
    function
        A function of a module, so that other processes find it; its results depend on its argument only.
    tasks
        Taken as they are needed, a few ahead of the results.
    processes
        How many processes work; with 1 everything happens here.

    Notes
    -----
    Closing the iterator ends the other processes at once.

    Raises
    ------
    WorkerLost
        If one of the processes was killed.
    """
    if processes <= 1:
        for task in tasks:
            yield function(task)
        return
    before = set(active_children())
    # A Pool of multiprocessing would wait for ever for the result of a process that was killed.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin)
    try:
        waiting: deque[Future[R]] = deque()
        for task in tasks:
            waiting.append(pool.submit(function, task))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerLost(
            "a process of the search was killed, perhaps for want of memory; run it again with fewer --processes"
        ) from error
    finally:
        for process in set(active_children()) - before:
            process.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def one_thread(with_scipy: bool = True) -> Iterator[None]:
    """Keep the linear algebra libraries to one thread: several are slower on small matrices, and round differently.

    Parameters
    ----------
    with_scipy
        Whether scipy's library is going to be used: it is loaded first, because the limit is for what is loaded.
    """
    from threadpoolctl import threadpool_limits

    if with_scipy:
        import scipy.linalg.lapack  # noqa: F401
    with threadpool_limits(limits=1):
        yield


def _begin() -> None:
    """First thing in another process: one thread, and the keyboard's interrupt is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import scipy.linalg.lapack  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)


__all__ = [
    "POLYNOMIALS",
    "SMALL_TENSORS",
    "TENSORS",
    "Batch",
    "batch_size",
    "batches",
    "in_order",
    "one_thread",
    "schedule_for",
    "starting_points",
]
