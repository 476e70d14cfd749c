"""A whole sweep: its folder, its pieces on an executor, and its runs in one order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rankproof.train import require
from rankproof.train.folder import PLAN, claim, read_plan_object, run_pieces
from rankproof.train.plan import Plan, Run

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
    if folder is not None:
        claim(folder, {"schema": _SCHEMA, **plan.to_json()}, lambda there: read_plan(there) == plan)
    # A worker elsewhere may not see the folder: only what runs on this machine keeps checkpoints in it.
    near = folder if executor in ("", "processes") else None
    heard = say if not executor else None
    pieces = run_pieces(
        len(plan.pieces()),
        lambda number: (run_piece, (plan, number, near, every, threads, heard)),
        folder=folder,
        executor=executor,
        processes=processes,
        read=Run.from_json,
        write=Run.to_json,
        say=say,
    )
    found = {(run.units, run.width, run.seed): run for runs in pieces for run in runs}
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
    return Plan.from_json(read_plan_object(folder, _SCHEMA))


def _check_device(plan: Plan) -> None:
    from rankproof.train.batch import device_of

    device_of(plan)


__all__ = ["PLAN", "read_plan", "run_piece", "sweep"]
