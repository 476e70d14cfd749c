"""The verifier as users run it: by the command, as a copied folder, and zipped, with nothing installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankproof.verifier
from rankproof.cli import main
from rankproof.cli.bundle import bundle

FOLDER = Path(rankproof.verifier.__file__).parent
CORPUS = Path(__file__).resolve().parents[1] / "corpus"


def of_status(status: int) -> Path:
    """A file of the corpus with this exit status, whatever its name."""
    words = {0: "VERIFIED", 1: "REJECTED", 3: "UNREADABLE", 4: "UNDECIDED", 5: "CONDITIONAL"}
    expected = json.loads((CORPUS / "expected.json").read_text())
    return CORPUS / next(path for path, (word, *_) in sorted(expected.items()) if word == words[status])


def run(*words: str | Path, hash_seed: str = "0", **options: object) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, env=environment, check=False, timeout=120, **options)  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "verifier.pyz"
    path.write_bytes(bundle(FOLDER))
    return path


@pytest.mark.parametrize("status", [0, 1, 3, 4, 5])
def test_the_zipped_verifier_exits_with_the_status_of_its_verdict(zipped: Path, status: int) -> None:
    ended = run("-I", "-S", zipped, of_status(status))
    assert ended.returncode == status, ended.stdout + ended.stderr


def test_the_zipped_verifier_knows_usage_errors_and_missing_files(zipped: Path, tmp_path: Path) -> None:
    assert run("-I", "-S", zipped).returncode == 2
    assert run("-I", "-S", zipped, "--accept-theorem", "nobody 2000", of_status(0)).returncode == 2
    assert run("-I", "-S", zipped, "--expect", "nonsense", of_status(0)).returncode == 2
    assert run("-I", "-S", zipped, tmp_path / "absent.json").returncode == 3
    assert run("-I", "-S", zipped, tmp_path).returncode == 3


def test_of_several_files_the_worst_counts(zipped: Path) -> None:
    good, rejected, unreadable = of_status(0), of_status(1), of_status(3)
    assert run("-I", "-S", zipped, good, unreadable).returncode == 3
    assert run("-I", "-S", zipped, good, unreadable, rejected).returncode == 1
    assert run("-I", "-S", zipped, good, of_status(5)).returncode == 5


def test_accepting_the_theorem_verifies_a_conditional_certificate(zipped: Path) -> None:
    theorem = "Carlini-Catalisano-Geramita 2012"
    assert run("-I", "-S", zipped, "--accept-theorem", theorem, of_status(5)).returncode == 0


def test_a_copy_of_the_folder_runs_alone(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from checker.cli import main; sys.exit(main(sys.argv[1:]))"
    for status in (0, 1, 3):
        assert run("-I", "-S", "-c", code, of_status(status)).returncode == status


def test_verdicts_are_the_same_bytes_under_any_hash_seed_and_without_asserts(zipped: Path) -> None:
    files = [of_status(status) for status in (0, 1, 3, 5)]
    outputs = {run("-S", zipped, "--json", *files, hash_seed=seed).stdout for seed in ("0", "1", "12345")}
    outputs.add(run("-O", "-S", zipped, "--json", *files).stdout)
    assert len(outputs) == 1


def test_the_zipped_verifier_imports_nothing_but_the_standard_library(zipped: Path) -> None:
    ended = run("-I", "-S", "-X", "importtime", zipped, of_status(0))
    assert ended.returncode == 0
    heavy = ("numpy", "sympy", "flint", "scipy", "rankproof", "site-packages")
    assert not [name for name in heavy if name.encode() in ended.stderr]


def test_the_command_writes_the_same_program_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bundle"]) == 0
    first = Path("verifier.pyz").read_bytes()
    assert main(["bundle"]) == 0
    assert Path("verifier.pyz").read_bytes() == first == bundle(FOLDER)
    assert "python -I -S verifier.pyz FILE" in capsys.readouterr().out


def test_the_command_keeps_a_file_that_is_no_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thesis.tex"
    path.write_text("years of work")
    assert main(["bundle", "-o", str(path)]) == 2
    assert path.read_text() == "years of work"
    assert "choose another name" in capsys.readouterr().err
