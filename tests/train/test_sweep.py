"""A sweep that is stopped goes on to the same table, and it does not matter where its pieces run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs torch, the extra 'train'")

from rankproof.errors import FormatError, UsageError
from rankproof.problem.parse import read_targets
from rankproof.train.plan import Plan
from rankproof.train.sweep import read_plan, sweep
from rankproof.train.training import Piece

(TARGET,) = read_targets("x**2*y")


def small(**options) -> Plan:
    """Two pieces that take a moment."""
    return Plan(TARGET, **{"widths": (1, 2), "seeds": 2, "piece": 1, "steps": 5, "finish": False, **options})


@pytest.mark.parametrize("optimizer", ["adam", "lbfgs", "lm"])
def test_a_piece_goes_on_from_any_step_as_if_it_had_not_been_stopped(optimizer: str, tmp_path: Path) -> None:
    plan = small(optimizer=optimizer, steps=90, finish=optimizer == "lm")
    whole = Piece(plan, plan.pieces()[0])
    while not whole.done:
        whole.advance(60)
    part = Piece(plan, plan.pieces()[0])
    while not part.done:
        part.advance(0)  # one slice of steps
        part.save(tmp_path / "piece.pt")
        part = Piece(plan, plan.pieces()[0])
        part.load(tmp_path / "piece.pt")
    assert part.runs() == whole.runs()


def test_a_killed_sweep_is_resumed_to_the_same_table(tmp_path: Path) -> None:
    words = ["train", "x**2*y", "--widths", "1..3", "--seeds", "4", "--piece", "2", "--optimizer", "adam"]
    words += ["--steps", "1200", "--no-finish", "--budget", "0", "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}

    def start(*more: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "rankproof", *words, "--checkpoint", "0.05", *more]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment)

    killed = start("-o", "killed")
    checkpoint = tmp_path / "killed" / "piece-0.pt"
    end = time.monotonic() + 60
    while not checkpoint.exists() and killed.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert checkpoint.exists()
    assert not (tmp_path / "killed" / "piece-1.json").exists()
    resumed, whole = start("-o", "killed"), start("-o", "whole")
    tables = [json.loads(process.communicate()[0]) for process in (resumed, whole)]
    for table in tables:
        del table["seconds"]
    assert tables[0] == tables[1]


def test_finished_pieces_are_read_and_not_trained_again(tmp_path: Path) -> None:
    first = sweep(small(), folder=tmp_path / "sweep")
    path = tmp_path / "sweep" / "piece-0.json"
    runs = json.loads(path.read_text())
    runs[0]["loss"] = 0.125
    path.write_text(json.dumps(runs))
    assert next(run.loss for run in sweep(small(), folder=tmp_path / "sweep")) == 0.125 != first[0].loss


def test_processes_give_the_same_runs(tmp_path: Path) -> None:
    plan = small(optimizer="adam")
    assert sweep(plan, folder=tmp_path / "sweep", executor="processes", processes=2) == sweep(plan)


def test_workers_of_a_cluster_give_the_same_runs() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra 'scale' is not installed")
    plan = small(optimizer="adam")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "processes": False}
    with distributed.LocalCluster(**options) as cluster:
        assert sweep(plan, executor=cluster.scheduler_address) == sweep(plan)


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    (target,) = read_targets("1/3*x**2 - y**2; x*y")
    plan = Plan(target, units=("untied",), widths=(2, 3), loss="uniform", seeds=2, steps=1, finish=False)
    sweep(plan, folder=tmp_path / "sweep")
    assert read_plan(tmp_path / "sweep") == plan


def test_a_plan_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    sweep(small(), folder=tmp_path / "sweep")
    path = tmp_path / "sweep" / "plan.json"
    value = json.loads(path.read_text())
    del value["matched"]
    path.write_text(json.dumps(value))
    assert read_plan(tmp_path / "sweep") == small()


def test_a_folder_of_another_sweep_and_broken_files_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    sweep(small(), folder=folder)
    with pytest.raises(UsageError, match="another sweep"):
        sweep(small(steps=6), folder=folder)
    (folder / "piece-0.json").write_text("[{}]")
    with pytest.raises(FormatError, match=r"piece-0\.json holds no runs"):
        sweep(small(), folder=folder)
    (folder / "piece-0.json").unlink()
    (folder / "piece-0.pt").write_bytes(b"torn")
    with pytest.raises(FormatError, match="not a checkpoint"):
        sweep(small(), folder=folder)
    (folder / "plan.json").write_text("{}")
    with pytest.raises(FormatError, match="not the plan of a sweep"):
        sweep(small(), folder=folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").touch()
    with pytest.raises(UsageError, match="holds something else"):
        sweep(small(), folder=other)


def test_an_executor_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="give 'processes' or the address"):
        sweep(small(), executor="threads")
