"""The verifier, which has the standard library only: dense ranks in plain Python, and start-up times."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import Row, row, side_by_side
from benchmarks.targets import PRIME
from rankproof.verifier.matrix import rank_modulo

SUITE, START = "verifying", "start"


def rows(quick: bool) -> Iterator[Row]:
    """Elimination on packed integers against lists, then whole processes."""
    for n in (60,) if quick else (200, 500, 1000):
        generator = random.Random(n)
        matrix = [[generator.randrange(PRIME) for _ in range(n)] for _ in range(n)]
        sparse = [{j: x for j, x in enumerate(row) if x} for row in matrix]
        ours = _expecting(n, lambda sparse=sparse: rank_modulo(sparse, PRIME))
        most = {1000: 4.0}.get(n)
        if n <= 200:
            lists = _expecting(n, lambda matrix=matrix: _rank_of_lists(matrix, PRIME))
            yield row(SUITE, f"rank of {n} x {n}", n, *_named("lists of integers", side_by_side(ours, lists)))
        else:
            seconds = min(side_by_side(ours, ours, 1))
            yield row(SUITE, f"rank of {n} x {n}", n, seconds, most_seconds=most)
    yield from _start(quick)


def _named(yardstick: str, times: tuple[float, float]) -> tuple[float, str, float]:
    return times[0], yardstick, times[1]


def _expecting(n: int, rank: Callable[[], int]) -> Callable[[], None]:
    def run() -> None:
        if rank() < n - 1:
            raise ArithmeticError("a random matrix has lost its rank")

    return run


def _rank_of_lists(matrix: list[list[int]], p: int) -> int:
    """The textbook's elimination."""
    rows, rank = [list(row) for row in matrix], 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, p)
        for i in range(rank + 1, len(rows)):
            if factor := rows[i][column] * inverse % p:
                rows[i] = [(x - factor * y) % p for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


def _start(quick: bool) -> Iterator[Row]:
    """CPU time of whole processes, the second time they run: with the byte code that the first one has written."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "certificate.json")
        program = [sys.executable, "-m", "rankproof"]
        commands = {
            "certify x**2*y": ([*program, "certify", "x**2*y", "-q", "-o", path], 1.0),
            "verify its certificate": ([sys.executable, "-m", "rankproof.verifier", path], 0.15),
            "rankproof verify": ([*program, "verify", path], None),
        }
        for name, (command, most) in commands.items():
            for _ in range(1 if quick else 2):
                _process(command, folder)
            times = [
                (_process(command, folder), _process([sys.executable, "-c", "pass"], folder))
                for _ in range(3)
            ]
            ours, bare = (min(column) for column in zip(*times, strict=True))
            yield row(START, name, 0, ours, "python -c pass", bare, most_seconds=most)


def _process(command: list[str], folder: str) -> float:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**kept, "PYTHONPYCACHEPREFIX": folder}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
