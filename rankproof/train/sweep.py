"""A whole sweep: its folder, its pieces on an executor, and its runs in one order."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rankproof.errors import FormatError, UsageError
from rankproof.train import require
from rankproof.train.executors import Call, results
from rankproof.train.plan import Plan, Run

PLAN = "plan.json"
_SCHEMA = "rankproof/sweep/1"


def sweep(
    plan: Plan,
    *,
    folder: Path | None = None,
    executor: str = "",
    processes: int = 1,
    threads: int = 1,
    every: float = 10.0,
    say: Callable[[str], None] | None = None,
) -> list[Run]:
    """Train everything in a plan.

    Parameters
    ----------
    plan
        What to train.
    folder
        Where finished pieces and checkpoints are kept; a sweep that was stopped goes on from there.
    executor, processes
        As in `rankproof.train.executors.results`.
    threads
        Threads of torch; small tensors are fastest with one, and the last digits may depend on it.
    every
        Seconds between two checkpoints of a piece that runs on this machine.
    say
        Called with a line now and then.

    Returns
    -------
    list of Run
        In the order of `Plan.models`, whatever the executor.

    Raises
    ------
    UsageError
        If torch is absent or the device is not there.
    FormatError
        If the folder holds another sweep, or a file in it is broken.
    """
    require("torch", "train")
    _check_device(plan)
    done: dict[int, list[Run]] = {}
    if folder is not None:
        _claim(folder, plan)
        done = {number: read for number in range(len(plan.pieces())) if (read := _read_piece(folder, number))}
    missing = [number for number in range(len(plan.pieces())) if number not in done]
    # A worker elsewhere may not see the folder: only what runs on this machine keeps checkpoints in it.
    near = folder if executor in ("", "processes") else None
    heard = say if not executor else None
    calls: list[Call] = [(run_piece, (plan, number, near, every, threads, heard)) for number in missing]
    for place, runs in results(calls, executor, processes):
        number = missing[place]
        done[number] = runs
        if folder is not None:
            _write_piece(folder, number, runs)
        if say is not None:
            say(f"{len(done)} of {len(plan.pieces())} pieces trained")
    found = {(run.units, run.width, run.seed): run for runs in done.values() for run in runs}
    return [found[model.units, model.width, model.seed] for model in plan.models()]


def run_piece(
    plan: Plan,
    number: int,
    folder: Path | None,
    every: float,
    threads: int,
    say: Callable[[str], None] | None,
) -> list[Run]:
    """Train one piece with so many threads: what is sent to a process or a worker."""
    import torch

    from rankproof.train.training import train_piece

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        return train_piece(plan, number, folder=folder, every=every, say=say)
    finally:
        torch.set_num_threads(before)


def read_plan(folder: Path) -> Plan:
    """The plan that a folder was made for.

    Raises
    ------
    FormatError
        If there is none.
    """
    path = folder / PLAN
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{folder} holds no sweep: {PLAN} cannot be read") from error
    if not isinstance(value, dict) or value.get("schema") != _SCHEMA:
        raise FormatError(f"{path} is not the plan of a sweep: its schema is not {_SCHEMA}")
    return Plan.from_json(value)


def _check_device(plan: Plan) -> None:
    from rankproof.train.batch import device_of

    device_of(plan)


def _claim(folder: Path, plan: Plan) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    if (folder / PLAN).exists():
        if read_plan(folder) != plan:
            raise UsageError(
                f"{folder} holds another sweep; continue that one with --resume, or choose another with -o"
            )
        return
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} exists and holds something else; choose another folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / PLAN, {"schema": _SCHEMA, **plan.to_json()})


def _write_piece(folder: Path, number: int, runs: list[Run]) -> None:
    write_json(folder / f"piece-{number}.json", [run.to_json() for run in runs])


def _read_piece(folder: Path, number: int) -> list[Run] | None:
    path = folder / f"piece-{number}.json"
    if not path.exists():
        return None
    try:
        return [Run.from_json(value) for value in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"{path} holds no runs; remove it and its piece is trained again") from error


def write_json(path: Path, value: Any) -> None:
    """Write a file under a temporary name and rename it, so that nobody ever sees half of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file)
            file.write("\n")
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


__all__ = ["PLAN", "read_plan", "run_piece", "sweep", "write_json"]
