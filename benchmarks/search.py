"""Numerical search, side by side with tensorly and pyttb. ``python benchmarks/search.py [--quick] [--exact] [-o FILE]``.

Every row is measured in CPU seconds on one thread, ours and the others' in turns in this process, so that what the machine does
beside it hits all of them. Rates are over fresh seeds: ``--seed`` changes them all. The JSON that ``-o`` writes holds every
number that is printed. tensorly and pyttb are needed for the comparison only: ``pip install tensorly pyttb``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402

from rankproof.bounds.numerical import search  # noqa: E402
from rankproof.numeric.als import als  # noqa: E402
from rankproof.numeric.restarts import batches, one_thread, schedule_for  # noqa: E402
from rankproof.numeric.targets import objective  # noqa: E402
from rankproof.problem.decomposition import Decomposition  # noqa: E402
from rankproof.problem.field import QQ  # noqa: E402
from rankproof.problem.parse import read_targets  # noqa: E402
from rankproof.problem.space import Space  # noqa: E402
from rankproof.problem.target import Target  # noqa: E402

RATES = [
    # target, width, starts, least success rate, least solutions a CPU second
    ("matmul(2,2,2)", 7, 512, 0.95, 300.0),
    ("matmul(2,2,3)", 11, 128, 0.95, 60.0),
    ("matmul(2,3,3)", 15, 60, 0.40, 5.0),
    ("matmul(3,3,3)", 23, 40, 0.40, 0.5),
]

SWEEPS = [
    # name, shape or target, width, sweeps
    ("matmul(2,2,2)", None, 7, 2000),
    ("matmul(3,3,3)", None, 23, 500),
    ("random 20^3", (20, 20, 20), 10, 100),
    ("random 100^3", (100, 100, 100), 50, 20),
    ("random 300^3", (300, 300, 300), 50, 10),
]

LATER = 1e12

TURNS = 5
"""Runs of every program in a comparison of sweeps, taken in turns."""

Yardstick = Callable[[np.ndarray, list[np.ndarray], int], list[np.ndarray]]


def tensor_of(text: str) -> np.ndarray:
    """A named target as a dense array."""
    f = objective(read_targets(text)[0], "product", 1)
    return f.target(np.dtype(float)) * f.scale


def success_rates(seed: int, share: float) -> list[dict[str, object]]:
    """Starts that reach a solution to 1e-24, and solutions a CPU second."""
    rows = []
    for text, width, starts, least_rate, least_speed in RATES:
        f = objective(read_targets(text)[0], "product", width)
        schedule = schedule_for(f)
        starts = max(8, int(starts * share))
        costs: list[float] = []
        begun = time.process_time()
        for batch in batches(f, schedule, seed, starts, LATER):
            costs += batch.run().cost.tolist()
        seconds = time.process_time() - begun
        solved = sum(cost < 1e-24 for cost in costs)
        others = _others_reach(tensor_of(text), width, seed, 20 if share == 1 else 4)
        row = {
            "target": text,
            "width": width,
            "starts": starts,
            "solved": solved,
            "rate": solved / starts,
            "per_cpu_second": solved / seconds,
            "reach": [least_rate, least_speed],
            **others,
        }
        rows.append(row)
        print(
            f"{text} rank {width}: {solved}/{starts} = {row['rate']:.0%} (reach {least_rate:.0%}),"
            f" {row['per_cpu_second']:.2f} solutions per CPU second (reach {least_speed:g})"
            + "".join(f"; {k.replace('_', ' ')} {v}" for k, v in others.items())
        )
    return rows


def _others_reach(tensor: np.ndarray, width: int, seed: int, starts: int) -> dict[str, object]:
    """What the alternating least squares of others reach in 1000 sweeps from Gaussian starts."""
    found: dict[str, object] = {}
    for name, run in _yardsticks().items():
        solved, begun = 0, time.process_time()
        for k in range(starts):
            rng = np.random.default_rng([seed, k])
            start = [rng.standard_normal((n, width)) for n in tensor.shape]
            matrices = run(tensor, start, 1000)
            rest = np.einsum("ir,jr,kr->ijk", *matrices) - tensor
            solved += float((rest**2).sum()) < 1e-24
        seconds = time.process_time() - begun
        found[f"{name}_solved"] = f"{solved}/{starts}"
        found[f"{name}_per_cpu_second"] = round(solved / seconds, 3)
    return found


def _yardsticks() -> dict[str, Yardstick]:
    """tensorly and pyttb as functions of a tensor, a start and a number of sweeps; those that are not installed are left out."""
    known: dict[str, Yardstick] = {}
    try:
        from tensorly.decomposition import parafac
    except ImportError:
        print("tensorly is not installed, and left out")
    else:

        def by_tensorly(tensor: np.ndarray, start: list[np.ndarray], sweeps: int) -> list[np.ndarray]:
            first = (np.ones(start[0].shape[1]), [m.copy() for m in start])
            options: dict[str, Any] = {"n_iter_max": sweeps, "init": first, "tol": 0}
            weights, factors = parafac(tensor, start[0].shape[1], **options)
            return [factors[0] * weights, *factors[1:]]

        known["tensorly"] = by_tensorly
    try:
        import pyttb
    except ImportError:
        print("pyttb is not installed, and left out")
    else:
        kept: dict[int, Any] = {}  # the tensor in pyttb's order is made once, not once a run

        def by_pyttb(tensor: np.ndarray, start: list[np.ndarray], sweeps: int) -> list[np.ndarray]:
            if id(tensor) not in kept:
                kept[id(tensor)] = pyttb.tensor(np.asfortranarray(tensor), copy=False)
            first = pyttb.ktensor([np.asfortranarray(m) for m in start])
            model, *_ = pyttb.cp_als(
                kept[id(tensor)],
                start[0].shape[1],
                maxiters=sweeps,
                stoptol=0,
                init=first,
                printitn=0,
            )
            first_matrix, *others = model.factor_matrices
            return [first_matrix * model.weights, *others]

        known["pyttb"] = by_pyttb
    return known


def sweep_times(seed: int, quick: bool) -> list[dict[str, object]]:
    """CPU microseconds a sweep of alternating least squares, as the difference of a long and a short run."""
    rows = []
    for name, shape, width, sweeps in SWEEPS[: 3 if quick else None]:
        rng = np.random.default_rng(seed)
        tensor = tensor_of(name) if shape is None else rng.standard_normal(shape)
        start = [rng.standard_normal((n, width)) for n in tensor.shape]
        ours = {"rankproof": lambda t, s, n: list(als(t, s, sweeps=n, check_every=n).factors.matrices)}
        times = _sweep_microseconds(ours | _yardsticks(), tensor, start, sweeps)
        ratios = {p: t / times["rankproof"] for p, t in times.items() if p != "rankproof"}
        rows.append({"case": name, "width": width, "microseconds": times, "ratios": ratios})
        said = ", ".join(f"{p} {t:.1f}" for p, t in times.items())
        print(
            f"ALS sweep {name} rank {width}: {said} us; "
            + ", ".join(f"{p} / ours = {ratio:.1f}" for p, ratio in ratios.items())
        )
    return rows


def _sweep_microseconds(
    programs: dict[str, Yardstick], tensor: np.ndarray, start: list[np.ndarray], sweeps: int
) -> dict[str, float]:
    """Of every program the time of a long run less that of a short one right before it, by sweeps: the middle of all turns.

    The programs take turns after one run that is not counted, in which memory is touched and code is compiled.
    A program whose differences are lost in what else the machine does gets no number (nan).
    """
    slopes: dict[str, list[float]] = {program: [] for program in programs}
    for run in programs.values():
        run(tensor, start, 1)
    for _ in range(TURNS):
        for program, run in programs.items():
            seconds = []
            for count in (1, 1 + sweeps):
                begun = time.process_time()
                run(tensor, start, count)
                seconds.append(time.process_time() - begun)
            slopes[program].append((seconds[1] - seconds[0]) / sweeps * 1e6)
    middle = {program: statistics.median(of) for program, of in slopes.items()}
    return {program: slope if slope > 0 else float("nan") for program, slope in middle.items()}


def symmetric_quartics(seed: int) -> dict[str, object]:
    """General sums of 12 fourth powers in 6 variables, found again."""
    solved, seconds = 0, []
    for k in range(5):
        rng = np.random.default_rng([seed, k])
        units = [
            (tuple(int(x) for x in rng.integers(-9, 10, 6)), (int(rng.choice((-2, -1, 1, 2))),))
            for _ in range(12)
        ]
        target: Target = Decomposition.of("tied", units).target(Space.form(6, 4))
        begun = time.process_time()
        result = search(target, "tied", 12, QQ, seed=k, restarts=32, exactly=False)
        seconds.append(time.process_time() - begun)
        solved += result.successes > 0
    print(
        f"quartics in 6 variables of rank 12: {solved}/5 found, {statistics.median(seconds):.2f} CPU seconds each (reach 5/5)"
    )
    return {"solved": solved, "of": 5, "cpu_seconds": seconds}


def exact_from_nothing(seed: int, count: int) -> dict[str, object]:
    """Exact algorithms over QQ from random starts: CPU and wall seconds, found and checked exactly."""
    rows: dict[str, object] = {}
    for text, width, limit in (("matmul(2,2,2)", 7, 10.0), ("matmul(3,3,3)", 23, 120.0)):
        cpu, wall, exact = [], [], 0
        for k in range(count):
            begun = time.process_time(), time.monotonic()
            result = search(read_targets(text)[0], "product", width, QQ, seed=seed + k, seconds=limit)
            cpu.append(time.process_time() - begun[0])
            wall.append(time.monotonic() - begun[1])
            exact += result.decomposition is not None
        print(
            f"{text} rank {width} exact over QQ: {exact}/{count}, median {statistics.median(cpu):.2f} CPU seconds,"
            f" {statistics.median(wall):.2f} wall, slowest {max(cpu):.1f} CPU"
        )
        rows[text] = {"exact": exact, "of": count, "cpu_seconds": cpu, "wall_seconds": wall}
    return rows


def main() -> None:
    """Run what was asked for and write it down."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--quick", action="store_true", help="an eighth of the starts, small tensors only")
    parser.add_argument(
        "--exact", action="store_true", help="exact algorithms from nothing too, ten seeds each"
    )
    parser.add_argument("-o", dest="output", type=Path, help="JSON of all numbers")
    arguments = parser.parse_args()
    with one_thread():
        found: dict[str, object] = {
            "rates": success_rates(arguments.seed, 0.125 if arguments.quick else 1),
            "sweeps": sweep_times(arguments.seed, arguments.quick),
            "quartics": symmetric_quartics(arguments.seed),
        }
        if arguments.exact:
            found["exact"] = exact_from_nothing(arguments.seed, 10)
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
