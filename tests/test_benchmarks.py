"""The benchmark suite runs, its rows say what they compare, and its JSON and its page hold them all."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from benchmarks import __main__ as command  # noqa: E402
from benchmarks import border_apolarity, measure, report  # noqa: E402


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command, without changing the environment of the tests."""
    monkeypatch.setattr(command, "single_thread", lambda: None)
    return lambda *arguments: command.main(list(map(str, arguments)))


@pytest.mark.slow
def test_a_quick_run_writes_every_row(
    run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, page = tmp_path / "results.json", tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    assert run("dense", "--quick", "--output", output, "--page", page) == 0
    document = json.loads(output.read_text(encoding="ascii"))
    assert document["format"] == "rankproof-benchmarks"
    assert {row["yardstick"] for row in document["rows"]} == {"LAPACK LU", "python-flint nmod_mat"}
    for row in document["rows"]:
        assert row["ratio"] == row["seconds"] / row["yardstick_seconds"] > 0
    text, printed = page.read_text(encoding="utf-8"), capsys.readouterr().out
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    for row in document["rows"]:
        assert row["name"] in text
        assert row["name"] in printed


def test_a_suite_that_does_not_exist_is_refused(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("nosuch")
    assert "there is no suite nosuch" in capsys.readouterr().err


def test_what_is_wanted_is_judged_by_ratio_and_time() -> None:
    assert measure.row("s", "n", 1, 2.0, "other", 4.0, most_ratio=0.5, most_seconds=2).met
    assert measure.row("s", "n", 1, 2.0, "other", 4.0, most_ratio=0.4, most_seconds=9).met is False
    assert measure.row("s", "n", 1, 2.0, "other", 4.0, most_ratio=1, most_seconds=1).met is False
    assert measure.row("s", "n", 1, 2.0, "other", None, most_ratio=1).met is None
    assert "is not installed" in report.line(measure.row("s", "n", 1, 2.0, "other", None, most_ratio=1))


def test_nothing_is_remembered_between_two_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repeated call of a cached function would be timed as nothing."""
    calls: list[int] = []

    @lru_cache
    def cached() -> None:
        calls.append(1)

    module = ModuleType("rankproof.invented")
    module.cached = cached  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rankproof.invented", module)
    measure.best(cached, 3)
    assert len(calls) == 3


def test_the_table_of_border_apolarity_and_covers_has_verified_rows():
    border = border_apolarity.border_row("x*y*z", 4, "")
    assert (border.verdict, border.claim) == ("VERIFIED", "border tied CC ≥ 4, border untied CC ≥ 2")
    cover = border_apolarity.cover_row("polymul(3,3)", 2, 6, "1, 2, 3")
    assert (cover.verdict, cover.claim) == ("VERIFIED", "GF(2) ≥ 6")
    assert str(cover).startswith("| polymul(3,3) | GF(2) ≥ 6 | all choices of 0 added | ")
