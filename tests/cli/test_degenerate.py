"""``rankproof degenerate``: what is printed, what is written, and the exit statuses."""

from __future__ import annotations

import json

import pytest

from rankproof.cli import main
from rankproof.verifier import verify_bytes


def run(capsys, *arguments):
    status = main(["degenerate", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_border_family_is_printed_written_and_verified(capsys, in_a_folder):
    status, out, _ = run(capsys, "W(3)", "--width", "2")
    assert status == 0
    said = " ".join(out.split())
    assert "border: the residual of" in said and "units grow without bound" in said
    assert "target + O(eps) =" in said and "units that grow like eps**-1" in said
    assert "rank at most 4, by interpolation at 2 values of eps" in said
    verdict = verify_bytes((in_a_folder / "W-3.json").read_bytes())
    assert verdict.ok and any("border" in statement for statement in verdict.statements)


def test_an_exact_width_gives_a_certificate_of_the_rank(capsys, in_a_folder):
    status, out, _ = run(capsys, "x*y", "--units", "tied", "--width", "2", "-o", "xy.json")
    assert status == 0 and "exact: the residual of" in " ".join(out.split()) and "without eps" in out
    assert verify_bytes((in_a_folder / "xy.json").read_bytes()).ok


def test_a_refuted_width_says_what_is_proved_and_writes_nothing(capsys, in_a_folder):
    status, out, err = run(capsys, "W(3)", "--width", "1")
    assert status == 4 and list(in_a_folder.iterdir()) == []
    assert "plateau: the residual of 16 of 16 paths" in " ".join(out.split())
    assert "proved to be at least 2" in err


def test_json_says_everything_in_one_object(capsys):
    status, out, _ = run(capsys, "x**2*y", "--units", "tied", "--width", "2", "--json", "-o", "f.json")
    said = json.loads(out)
    assert status == 0 and said["schema"] == "rankproof/degenerate/1"
    assert said["evidence"]["verdict"] == "border" and len(said["evidence"]["path"]) == 11
    assert said["found"]["kind"] == "border family" and said["found"]["width"] == 2
    assert said["found"]["error_order"] >= 1 and said["found"]["exponents"][0] == 0
    assert said["verified"] and said["certificate"] == "f.json"


def test_json_of_a_failure_has_no_certificate(capsys):
    status, out, err = run(capsys, "W(3)", "--width", "1", "--json")
    said = json.loads(out)
    assert status == 4 and err and said["found"] is None and said["certificate"] is None
    assert said["border_rank_at_least"] == 2 and not said["verified"]


def test_quiet_prints_nothing_and_writes_the_certificate(capsys, in_a_folder):
    assert run(capsys, "W(3)", "--width", "2", "-q") == (0, "", "")
    assert [path.name for path in in_a_folder.iterdir()] == ["W-3.json"]


@pytest.mark.parametrize(
    "arguments, status, sentence",
    [
        (("x*y", "--width", "2"), 2, "--units"),
        (("x*y", "--units", "tied,untied", "--width", "2"), 2, "one kind"),
        (("x*y", "--units", "product", "--width", "2"), 2, "product"),
        (("x*y", "--units", "tied", "--width", "2", "--field", "GF(7)"), 2, "RR or CC"),
        (("x*y", "--units", "tied", "--width", "2", "-o", "nowhere/x.json"), 2, "does not exist"),
        (("x*y", "--units", "tied", "--width", "0"), 2, "positive"),
        (("x*y", "--units", "tied", "--width", "2", "--seed", "-1"), 2, "seed"),
        (("x*y", "--units", "tied", "--width", "2", "--budget", "0"), 2, "positive"),
        (("x - x", "--units", "tied", "--width", "2"), 3, "zero"),
        (("x**2 + y", "--units", "tied", "--width", "2"), 3, "one homogeneous part"),
        (("x*", "--units", "tied", "--width", "2"), 3, ""),
        (("missing.json", "--width", "2"), 3, "no file"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(capsys, arguments, status, sentence):
    said, _, err = run(capsys, *arguments)
    assert said == status and sentence in err and "Traceback" not in err
