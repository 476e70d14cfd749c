"""The verifier's command: what it prints, and exit statuses that processes really end with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus.judging import FOLDER, files

from rankproof.verifier import cli, limits
from rankproof.verifier.cli import main

GOOD = FOLDER / "accept" / "nonzero" / "x2y.json"
REJECTED = FOLDER / "reject" / "nonzero" / "over-rr.json"
UNREADABLE = FOLDER / "unreadable" / "nonzero" / "a-witness.json"
UNDECIDED = FOLDER / "undecided" / "fields" / "degree-25.json"
CONDITIONAL = FOLDER / "accept" / "coprime-monomials" / "x2y.json"


def ended(*words: object, flags: tuple[str, ...] = (), seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    """``python -m rankproof.verifier`` as a process."""
    command = [sys.executable, *flags, "-m", "rankproof.verifier", *map(str, words)]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(FOLDER.parents[1])}
    return subprocess.run(command, capture_output=True, env=environment, check=False, timeout=300)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ([GOOD], 0),
        ([REJECTED], 1),
        ([], 2),
        (["--no-such-option", GOOD], 2),
        (["--accept-theorem", "Fermat 1637", GOOD], 2),
        (["--expect", "it is fine", GOOD], 2),
        ([UNREADABLE], 3),
        (["no-such-file.json"], 3),
        ([UNDECIDED], 4),
        ([CONDITIONAL], 5),
        (["--accept-theorem", "Carlini-Catalisano-Geramita 2012", CONDITIONAL], 0),
        (["--expect", "tied width of x**2*y >= 1 over CC", GOOD], 0),
        (["--expect", "tied width of x**2*y >= 2 over CC", GOOD], 1),
        (["--help"], 0),
    ],
    ids=str,
)
def test_a_process_ends_with_the_status_of_its_verdict(words: list[object], status: int) -> None:
    process = ended(*words)
    assert process.returncode == status, process.stderr


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        ([GOOD, GOOD], 0),
        ([CONDITIONAL, GOOD], 5),
        ([GOOD, UNDECIDED, CONDITIONAL], 4),
        ([UNDECIDED, UNREADABLE, GOOD], 3),
        ([UNREADABLE, REJECTED, UNDECIDED], 1),
        (["absent.json", GOOD], 3),
    ],
)
def test_of_several_files_the_worst_counts(paths: list[Path], status: int) -> None:
    assert main([str(path) for path in paths]) == status


def test_a_bug_in_the_verifier_is_status_70_and_worse_than_a_rejection(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(cli, "verify_bytes", broken)
    assert main([str(GOOD), "absent.json"]) == 70
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ERROR")
    assert "ZeroDivisionError" in lines[0]
    assert "proves nothing" in lines[0]


def test_a_folder_stands_for_its_certificates_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("b/2.json", "a/1.json", "a/0.json", "a/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(GOOD.read_bytes())
    assert main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1][-8:] for line in lines] == ["a/0.json", "a/1.json", "b/2.json"]


def test_a_folder_without_certificates_is_not_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no certificate found" in captured.err


def test_a_line_says_the_verdict_the_file_and_what_is_proved_or_why_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main([str(GOOD), str(REJECTED), str(UNREADABLE), str(CONDITIONAL)])
    good, rejected, unreadable, conditional = capsys.readouterr().out.splitlines()
    assert good.startswith(f"VERIFIED  {GOOD}  tied width of x**2*y >= 1 over CC, RR")
    assert rejected.startswith(
        f"REJECTED  {REJECTED}  field at /steps/0/claim/over: this rule concludes over"
    )
    assert unreadable.startswith(f"UNREADABLE  {UNREADABLE}  unknown-key at /steps/0/witness/prime: ")
    assert conditional.startswith("CONDITIONAL")
    assert conditional.endswith("[if one accepts: Carlini-Catalisano-Geramita 2012]")
    main(["--accept-theorem", "Carlini-Catalisano-Geramita 2012", str(CONDITIONAL)])
    assert capsys.readouterr().out.rstrip().endswith("[accepting: Carlini-Catalisano-Geramita 2012]")


def test_json_has_one_object_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json", str(GOOD), str(REJECTED)])
    good, rejected = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert good["schema"] == rejected["schema"] == "rankproof/verdict/1"
    assert (good["verdict"], good["exit"], good["code"], good["file"]) == ("VERIFIED", 0, "", str(GOOD))
    assert good["conclusion"] == [{"upper": None, **a} for a in json.loads(GOOD.read_bytes())["conclusion"]]
    assert (rejected["verdict"], rejected["exit"], rejected["code"]) == ("REJECTED", 1, "field")
    assert rejected["pointer"] == "/steps/0/claim/over"
    assert rejected["statements"] == rejected["conclusion"] == []
    assert len(good["sha256"]) == len(good["claim"]) == 64
    assert rejected["claim"] == ""


def test_no_more_than_the_limit_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 1000)
    assert main(["/dev/zero"]) == 4
    assert "limit-bytes" in capsys.readouterr().out


def test_names_of_files_are_printed_in_ascii(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h\u00f6he\n.json"
    path.write_bytes(GOOD.read_bytes())
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert out.count("\n") == 1


QUICK = [
    FOLDER / demand.name
    for demand in files()
    if len(demand.data) < 50_000 and "undecided/" not in demand.name
]


def test_verdicts_are_the_same_bytes_under_any_hash_seed_and_without_asserts() -> None:
    outputs = [
        ended("--json", "--weights", FOLDER / "weights", "--", *QUICK, seed="1").stdout,
        ended("--json", "--weights", FOLDER / "weights", "--", *QUICK, seed="4242").stdout,
        ended("--json", "--weights", FOLDER / "weights", "--", *QUICK, flags=("-O",), seed="7").stdout,
    ]
    assert outputs[0].count(b"\n") == len(QUICK)
    assert outputs[0] == outputs[1] == outputs[2]
    found = [json.loads(line) for line in outputs[2].splitlines()]
    expected = {str(FOLDER / demand.name): demand.finding for demand in files()}
    assert all((v["verdict"], v["code"], v["pointer"]) == expected[v["file"]] for v in found)
