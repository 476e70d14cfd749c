"""``rankproof verify``: certificates through the verifier's own command, schemes through the formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from formats.small_schemes import BINI, as_npz, as_text, strassen

from rankproof.cli import main
from rankproof.verifier.cli import main as verifier_main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def certificate() -> Path:
    assert main(["certify", "x**2*y", "-q", "-o", "x2y.json"]) == 0
    return Path("x2y.json")


def false(certificate: Path, name: str) -> Path:
    """A copy that claims one more."""
    document = json.loads(certificate.read_bytes())
    document["conclusion"][0]["lower"] += 1
    path = Path(name)
    path.write_text(json.dumps(document))
    return path


def test_the_command_prints_what_the_verifier_run_alone_prints(
    certificate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    false(certificate, "false.json")
    Path("broken.json").write_text("{}")
    for words in (
        ["x2y.json"],
        ["x2y.json", "--json"],
        ["false.json"],
        ["broken.json"],
        ["absent.json"],
        ["x2y.json", "false.json", "broken.json"],
        ["."],
        ["x2y.json", "--expect", "untied width of x**2*y = 1 over QQ"],
        ["x2y.json", "--expect", "untied width of x**2*y = 2 over QQ"],
        ["x2y.json", "--expect", "gibberish"],
        ["x2y.json", "--accept-theorem", "Fermat"],
    ):
        status = main(["verify", *words])
        here = capsys.readouterr()
        assert (verifier_main(words), capsys.readouterr()) == (status, here), words


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["x2y.json"], 0),
        (["false.json"], 1),
        (["broken.json"], 3),
        (["absent.json"], 3),
        (["x2y.json", "false.json", "broken.json"], 1),
        (["x2y.json", "strassen.txt"], 0),
        (["strassen.txt", "broken.json"], 3),
        (["strassen.txt", "false.json"], 1),
        (["broken.json", "wrong.txt"], 1),
        (["empty"], 3),
    ],
)
def test_the_worst_of_several_files_counts(names: list[str], status: int, certificate: Path) -> None:
    false(certificate, "false.json")
    Path("broken.json").write_text("{}")
    Path("empty").mkdir()
    Path("strassen.txt").write_text(as_text(strassen()))
    A, B, C = strassen()
    A[0, 0] += 1
    Path("wrong.txt").write_text(as_text((A, B, C)))
    assert main(["verify", *names]) == status


def test_a_scheme_is_counted_and_its_ring_and_convention_are_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The name lies about everything.
    Path("matmul_5x5x5_rank_1.txt").write_text(as_text(strassen()))
    assert main(["verify", "matmul_5x5x5_rank_1.txt"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("VERIFIED  matmul_5x5x5_rank_1.txt  product width of matmul(2,2,2) ")
    assert "7 terms over ZZ; row-major" in line
    assert line.count("\n") == 1


def test_every_scheme_of_an_archive_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    A, B, C = strassen()
    C[0, 0] += 1
    Path("two.npz").write_bytes(as_npz(_2_2_2=strassen(), wrong=(A, B, C)))
    assert main(["verify", "two.npz"]) == 1
    good, bad = capsys.readouterr().out.splitlines()
    assert good.startswith("VERIFIED  two.npz:2,2,2  ")
    assert bad.startswith("REJECTED  two.npz:wrong  ")
    assert "coefficient" in bad


def test_a_scheme_is_compared_with_the_target_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("scheme.txt").write_text(as_text(strassen()))
    assert main(["verify", "scheme.txt", "--as", "matmul(2,2,3)"]) == 1
    assert capsys.readouterr().out.startswith("REJECTED  scheme.txt  ")
    assert main(["verify", "scheme.txt", "--as", "matmul(2,2,2)", "--ring", "GF(3)"]) == 0
    assert "over GF(3)" in capsys.readouterr().out
    assert main(["verify", "scheme.txt", "--as", "no_such_target(2)"]) in (2, 3)


def test_a_scheme_can_be_expected_to_prove_a_statement(capsys: pytest.CaptureFixture[str]) -> None:
    Path("scheme.txt").write_text(as_text(strassen()))
    assert main(["verify", "scheme.txt", "--expect", "product width of matmul(2,2,2) <= 7 over QQ"]) == 0
    assert main(["verify", "scheme.txt", "--expect", "product width of matmul(2,2,2) <= 6 over QQ"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("REJECTED  scheme.txt  ")
    assert main(["verify", "scheme.txt", "--expect", "gibberish"]) == 2


def test_the_json_of_a_scheme_is_a_verdict_with_what_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("scheme.txt").write_text(as_text(strassen()))
    assert main(["verify", "scheme.txt", "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["schema"], verdict["verdict"], verdict["exit"]) == ("rankproof/verdict/1", "VERIFIED", 0)
    assert (verdict["target"], verdict["terms"], verdict["ring"], verdict["kind"]) == (
        "matmul(2,2,2)",
        7,
        "ZZ",
        "exact",
    )


def test_an_approximate_scheme_shows_a_border_rank_only(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bini.txt").write_text(BINI if isinstance(BINI, str) else as_text(BINI))
    assert main(["verify", "bini.txt"]) == 0
    line = capsys.readouterr().out
    assert "product border width of matmul(" in line
    assert "this is a border rank, not a rank" in line


def test_a_file_in_no_known_format_is_unreadable(capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.txt").write_text("nothing to see")
    assert main(["verify", "notes.txt"]) == 3
    assert capsys.readouterr().out.startswith("UNREADABLE  notes.txt  ")


def test_options_for_schemes_are_refused_for_a_certificate(
    certificate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(certificate), "--as", "matmul(2,2,2)"]) == 2
    assert "use --expect" in capsys.readouterr().err
