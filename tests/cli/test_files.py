"""Names of certificates, and what is never overwritten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.cli import main
from rankproof.cli.files import MAX_STEM, check_writable, file_name, is_certificate
from rankproof.errors import UsageError


@given(st.text(max_size=200))
def test_a_file_name_is_safe_whatever_the_text(text: str) -> None:
    name = file_name(text)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9+._-]*\.json", name)
    assert len(name) <= MAX_STEM + len(".json")


def test_long_texts_with_the_same_beginning_have_different_names() -> None:
    first, second = (file_name("x*y + " * 50 + last) for last in ("z", "w"))
    assert first != second


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_certificate_of_the_same_target_is_replaced(here: Path) -> None:
    assert main(["certify", "x*y", "-q", "--no-border"]) == 0
    first = Path("xy.json").read_bytes()
    assert main(["certify", "x*y", "-q"]) == 0
    assert Path("xy.json").read_bytes() != first
    assert [path.name for path in here.iterdir()] == ["xy.json"]


def test_a_certificate_of_another_target_with_the_same_name_is_kept(here: Path) -> None:
    assert main(["certify", "x*y", "-q"]) == 0
    first = Path("xy.json").read_bytes()
    assert main(["certify", "-x*y", "-q"]) == 0
    assert Path("xy.json").read_bytes() == first
    assert len(list(here.iterdir())) == 2


@pytest.mark.parametrize("options", [[], ["-o", "xy.json"]])
def test_a_file_that_is_no_certificate_is_never_overwritten(
    here: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("xy.json").write_text("precious")
    assert main(["certify", "x*y", *options]) == 2
    assert Path("xy.json").read_text() == "precious"
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "is not a rankproof certificate; choose another file with -o" in printed.err


def test_a_folder_that_is_missing_is_found_out_before_the_search(here: Path) -> None:
    with pytest.raises(UsageError, match="the folder nowhere does not exist"):
        check_writable(Path("nowhere") / "x.json")
    with pytest.raises(UsageError, match="is a folder"):
        check_writable(here)


def test_the_certificate_that_a_target_comes_from_is_kept(here: Path) -> None:
    assert main(["certify", "x*y", "-q", "--no-border"]) == 0
    first = Path("xy.json").read_bytes()
    assert main(["certify", "xy.json", "-q"]) == 0
    assert Path("xy.json").read_bytes() == first
    assert is_certificate(Path("xy-certified.json"))


def test_every_degree_has_a_file_of_its_own(here: Path) -> None:
    assert main(["certify", "x**2+y", "-q", "-o", "both.json"]) == 0
    assert sorted(path.name for path in here.iterdir()) == ["both-degree1.json", "both-degree2.json"]


def test_nothing_is_written_when_nothing_is_to_be(here: Path) -> None:
    assert main(["certify", "x*y", "--no-write", "-q"]) == 0
    assert list(here.iterdir()) == []
