"""The page of results says what the files of the collection prove."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rankproof.collection.build import read_certificate

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"\| .*\| (?P<question>[^|=]+) = (?P<interval>\S+) \| `(?P<file>\S+)` \|")


def _rows() -> list[tuple[str, str, str]]:
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    found = [
        match.group("question", "interval", "file")
        for match in map(_ROW.fullmatch, text.splitlines())
        if match
    ]
    # Header and rule of three tables are the only other lines of tables.
    assert len(found) == sum(line.startswith("|") for line in text.splitlines()) - 6
    return found


@pytest.mark.parametrize(("question", "interval", "file"), _rows())
def test_a_row_says_what_its_file_states(question: str, interval: str, file: str) -> None:
    stated = read_certificate((ROOT / "certificates" / file).read_bytes()).conclusion
    assert {str(answer.question): answer.interval for answer in stated}[question] == interval
