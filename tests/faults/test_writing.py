"""Whatever happens while a command writes: nothing is half written, nothing is lost, and the sentence says what to do."""

from __future__ import annotations

import importlib.util
import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from faults.commands import COMMANDS, Writing, is_whole, restore, visible
from faults.injection import REFUSALS, Killed, faults

from rankproof.cli import main


@pytest.fixture(params=list(COMMANDS))
def command(request: pytest.FixtureRequest) -> Writing:
    found = COMMANDS[request.param]
    if found.extra and importlib.util.find_spec(found.extra) is None:
        pytest.skip(f"needs {found.extra}")
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return folder


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on the error stream."""
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("rankproof: ")]
    assert len(lines) == 1, lines
    return lines[0]


def test_a_command_that_fails_at_any_change_leaves_whole_files(
    command: Writing, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.prepare()
    before = tmp_path / "before"
    shutil.copytree(here, before)
    changes, refusals = [1], []
    if not command.slow:
        with faults(here) as counted:
            assert main(command.words) == 0
        changes, refusals = list(range(counted.met)), list(enumerate(REFUSALS.items()))
    for at in changes:
        restore(here, before)
        with faults(here, at), pytest.raises(Killed):
            main(command.words)
        assert all(map(is_whole, map(here.joinpath, visible(here))))
    # The same command again ends what the dead one began.
    assert main(command.words) == 0
    assert visible(here).keys() > set(os.listdir(before)) or command.words[0] in ("certify", "collection")
    capsys.readouterr()
    for at, (reason, error) in refusals:
        restore(here, before)
        with faults(here, at % 2, error):
            assert main(command.words) == 2, reason
        heard = capsys.readouterr()
        assert os.strerror(error) in heard.err
        assert "choose another place" in heard.err
        assert all(map(is_whole, map(here.joinpath, visible(here))))
        # A folder that takes nothing does not let go of what it has.
        assert not list(here.rglob("*.partial")) or error != REFUSALS["full"]


def test_a_file_that_may_not_grow_is_not_written_at_all(
    command: Writing, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.prepare()
    before = visible(here)
    capsys.readouterr()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (48, limits[1]))
    try:
        status = main(command.words)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert status == 2
    heard = capsys.readouterr()
    assert "File too large; make room, or choose another place" in heard.err
    now = visible(here)
    assert {name: now[name] for name in before} == before
    assert all(len(now[name]) <= 48 for name in now.keys() - before.keys())
    assert not list(here.rglob("*.partial"))


def test_a_certificate_that_finds_no_room_is_kept_elsewhere(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with faults(here, 0, REFUSALS["full"]):
        assert main(["certify", "x*y", "-q", "--no-border", "-o", "out.json"]) == 2
    (kept,) = (tmp_path / "temporary").iterdir()
    assert said(capsys).endswith(
        f"cannot write out.json: No space left on device; make room, or choose another place; what was found is kept in {kept}"
    )
    assert is_whole(kept)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
def test_a_full_disk(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("small").mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", "small"], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        assert main(["bundle", "-o", "small/verifier.pyz"]) == 2
        assert "No space left on device; make room" in said(capsys)
        assert list(Path("small").iterdir()) == []
    finally:
        subprocess.run(["umount", "small"], check=True)
