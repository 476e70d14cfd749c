"""A whole comparison: its folder, and its pieces on an executor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rankproof.train import require
from rankproof.train.folder import claim, read_plan_object, run_pieces
from rankproof.train.gated.arms import GatedPlan
from rankproof.train.gated.comparison import Outcome

_SCHEMA = "rankproof/gated/1"


def train_arms(
    plan: GatedPlan,
    *,
    folder: Path | None = None,
    executor: str = "",
    processes: int = 1,
    threads: int = 1,
    every: float = 10.0,
    say: Callable[[str], None] | None = None,
) -> list[Outcome]:
    """Train all arms of a plan; parameters and errors as in `rankproof.train.sweep.sweep`."""
    require("torch", "train")
    from rankproof.train.batch import device_named
    from rankproof.train.gated.training import train_shape

    device_named(plan.device)
    if plan.task == "language":
        from rankproof.train.gated.text import corpus

        corpus()  # says at once where this Python has no text
    if folder is not None:
        claim(folder, {"schema": _SCHEMA, **plan.to_json()}, lambda there: _read_plan(there) == plan)
    near = folder if executor in ("", "processes") else None
    heard = say if not executor else None
    pieces = run_pieces(
        len(plan.shapes()),
        lambda number: (train_shape, (plan, number, near, every, threads, heard)),
        folder=folder,
        executor=executor,
        processes=processes,
        read=Outcome.from_json,
        write=Outcome.to_json,
        say=say,
    )
    return [outcome for piece in pieces for outcome in piece]


def _read_plan(folder: Path) -> GatedPlan:
    return GatedPlan.from_json(read_plan_object(folder, _SCHEMA))


__all__ = ["train_arms"]
