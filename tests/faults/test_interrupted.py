"""Two processes at one file, interrupts, processes and machines that die: what was finished stays, the rest is done again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from faults.commands import PLAN, is_whole

from rankproof.certificate.whole import write_whole
from rankproof.cli import main
from rankproof.collection import build as building
from rankproof.errors import WorkerLost
from rankproof.numeric.restarts import in_order
from rankproof.train.executors import results


def test_many_writers_of_one_file_leave_the_file_of_one_of_them(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [bytes([65 + k]) * 100_000 for k in range(6)]
    stop = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not stop.is_set():
            if path.exists():
                seen.add(path.read_bytes())

    write_whole(path, texts[0])
    reader = threading.Thread(target=read)
    reader.start()
    writers = [
        threading.Thread(target=lambda text=text: [write_whole(path, text) for _ in range(20)])
        for text in texts
    ]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    reader.join()
    assert seen <= set(texts)
    assert path.read_bytes() in texts
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_two_processes_that_certify_into_one_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rankproof", "certify", "x*y", "-q", "--no-border", "-o", "out.json"]
    processes = [subprocess.Popen(command, cwd=tmp_path) for _ in range(2)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    assert is_whole(tmp_path / "out.json")
    assert [found.name for found in tmp_path.iterdir()] == ["out.json"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / "targets.toml").write_text(PLAN)
    return tmp_path / "certificates"


def test_two_builds_of_one_collection(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with building.alone(root):
        assert main(["collection", "build"]) == 2
        said = capsys.readouterr().err
        assert (
            said
            == "rankproof: another process is writing certificates; wait until it has ended, and run this again\n"
        )
    assert main(["collection", "build"]) == 0
    assert main(["collection", "verify"]) == 0


def test_a_build_that_is_interrupted_goes_on_with_what_is_missing(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proved: list[str] = []
    prove = building.prove_entry

    def second_time(entry: building.Entry, old: bytes | None, *more: object) -> object:
        if proved:
            raise KeyboardInterrupt
        proved.append(entry.path)
        return prove(entry, old, *more)

    with monkeypatch.context() as patched:
        patched.setattr(building, "prove_entry", second_time)
        assert main(["collection", "build"]) == 130
    assert "interrupted" in capsys.readouterr().err
    assert [str(path.relative_to(root)) for path in root.glob("*/*.json")] == proved
    assert main(["collection", "build"]) == 0
    assert "1 proved, 1 kept" in capsys.readouterr().out


def test_a_killed_process_of_a_build_is_named_and_the_rest_is_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(building, "_attempt", _killed)
    assert main(["collection", "build", "--processes", "2"]) == 70
    said = capsys.readouterr().err
    assert (
        "was killed, perhaps for want of memory; what is finished is kept: run the same command again" in said
    )
    assert "bug" not in said


def _killed(*_: object) -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def _killed_at(task: int) -> int:
    return _killed() if task == 3 else task  # type: ignore[return-value]


def test_a_search_whose_process_is_killed_ends_and_says_so() -> None:
    done = in_order(_killed_at, range(100), processes=2)
    with pytest.raises(WorkerLost, match="run it again with fewer --processes"):
        list(done)


def test_pieces_of_a_sweep_on_a_process_that_is_killed() -> None:
    with pytest.raises(WorkerLost, match="goes on with the others"):
        list(results([(_killed, ())], "processes", 1))


def test_pieces_of_a_sweep_on_a_machine_that_dies() -> None:
    """The worker of a cluster is another process; Dask gives a call up that killed its worker."""
    distributed = pytest.importorskip("distributed", reason="the extra 'scale' is not installed")
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.worker.daemon": False}):
        options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "processes": True}
        with (
            distributed.LocalCluster(**options, silence_logs=50) as cluster,
            pytest.raises(WorkerLost, match="finished pieces are kept"),
        ):
            list(results([(_killed, ())], cluster.scheduler_address, 1))


def test_a_search_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    words = [
        "search",
        "matmul(3,3,3)",
        "--width",
        "20",
        "--budget",
        "100",
        "--processes",
        "2",
        "-o",
        "out.json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "rankproof", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Where the tests run in the background of a shell, the interrupt is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(4)
    os.killpg(process.pid, signal.SIGINT)
    try:
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "rankproof: interrupted; nothing more was written"
    assert list(tmp_path.iterdir()) == []
