"""CPU times, and rows that compare them with a yardstick."""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One comparison.

    Attributes
    ----------
    suite, name
        What was measured.
    size
        A number to plot against.
    seconds
        CPU seconds of one thread, the best of several runs.
    yardstick, yardstick_seconds
        With what it is compared; None when the yardstick is not installed.
    ratio
        Our time over that of the yardstick.
    reach
        What is wanted, in words.
    met
        Whether it was reached in this run; None when nothing is wanted.
    note
        What was computed: ranks, sizes of files.
    """

    suite: str
    name: str
    size: int
    seconds: float
    yardstick: str = ""
    yardstick_seconds: float | None = None
    ratio: float | None = None
    reach: str = ""
    met: bool | None = None
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """The row with times in full precision."""
        return asdict(self)


def row(
    suite: str,
    name: str,
    size: int,
    seconds: float,
    yardstick: str = "",
    yardstick_seconds: float | None = None,
    *,
    most_ratio: float | None = None,
    most_seconds: float | None = None,
    note: str = "",
) -> Row:
    """A row with its ratio, and whether ratio and time are at most what is wanted."""
    ratio = seconds / yardstick_seconds if yardstick_seconds else None
    wanted: list[str] = []
    met: list[bool] = []
    if most_ratio is not None:
        wanted.append(f"ratio <= {most_ratio:.3g}")
        if ratio is not None:
            met.append(ratio <= most_ratio)
    if most_seconds is not None:
        wanted.append(f"<= {most_seconds:g} s")
        met.append(seconds <= most_seconds)
    verdict = all(met) if met else None
    return Row(
        suite, name, size, seconds, yardstick, yardstick_seconds, ratio, ", ".join(wanted), verdict, note
    )


def cpu_seconds(run: Callable[[], object]) -> float:
    """CPU time of one call, with nothing remembered from earlier ones."""
    forget()
    gc.collect()
    begun = time.process_time()
    run()
    return time.process_time() - begun


def best(run: Callable[[], object], times: int = 3) -> float:
    """The shortest of several CPU times: what else the machine does can only add to it."""
    return min(cpu_seconds(run) for _ in range(times))


def side_by_side(
    ours: Callable[[], object], theirs: Callable[[], object], times: int = 3
) -> tuple[float, float]:
    """The shortest CPU times of two calls made in turns."""
    pairs = [(cpu_seconds(ours), cpu_seconds(theirs)) for _ in range(times)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def forget() -> None:
    """Empty every cache of functions of the package, so that a repeated call does its work again."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "rankproof":
            for found in list(vars(module).values()):
                if isinstance(found, functools._lru_cache_wrapper):
                    found.cache_clear()
