"""README.md and the documentation say what the program does: their examples are run."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest
from console_blocks import ConsoleBlockParser, matches, rewritten, transcript
from sybil import Document
from sybil.example import SybilFailure
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts),
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def read(path: Path) -> Document:
    """Parse a page into examples."""
    return Document.parse(
        str(path), PythonCodeBlockParser(doctest_optionflags=FLAGS), ConsoleBlockParser(), SkipParser()
    )


def evaluate(path: Path, directory: Path) -> int:
    """Run a page's examples in order; their number."""
    document = read(path)
    document.namespace["directory"] = str(directory)
    count = 0
    for example in document.examples():
        example.evaluate()
        count += 1
    return count


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run_as_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    evaluate(page, tmp_path)


def test_the_readme_has_both_kinds_of_examples() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "```console" in text
    assert "```python" in text


@pytest.mark.parametrize(
    "body",
    [
        "```python\n>>> 1 + 1\n3\n```\n",
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one\n```\n",
        "```console\n$ exit 3\n```\n",
        "```console\n$ exit 3\n$ echo $?\n4\n```\n",
    ],
    ids=["python", "other output", "output not shown", "status not shown", "other status"],
)
def test_an_example_that_lies_is_noticed(body: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(body, encoding="utf-8")
    with pytest.raises(SybilFailure):
        evaluate(page, tmp_path)


def test_a_transcript_may_show_a_status_leave_out_lines_and_take_any_time(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ echo a; echo b; echo c\na\n...\nc\n$ echo checked in 7 ms  # any time\nchecked in 12.5 ms\n"
        "$ exit 3\n$ echo $?\n3\n```\n",
        encoding="utf-8",
    )
    assert evaluate(page, tmp_path) == 1


def test_a_duration_matches_only_a_duration() -> None:
    assert matches("in 3 ms\n", "in 0.4 s\n")
    assert not matches("in 3 ms\n", "in 3 units\n")


def test_rewriting_a_page_changes_the_outputs_that_differ_and_nothing_else() -> None:
    page = (
        "before\n\n```console\n$ cat > a.txt <<END\n> one\n> END\n$ cat a.txt\n{0}\n```\n\n"
        "```console\n$ cat a.txt; echo 5 ms\n...\n$ exit 3\n$ echo $?\n{1}\n```\nafter\n"
    )
    assert rewritten(page.format("two", "4")) == page.format("one", "3")
    assert rewritten(page.format("one", "3")) == page.format("one", "3")


def test_a_transcript_starts_with_a_command() -> None:
    with pytest.raises(ValueError, match="starts with"):
        transcript("output without a command\n")


def test_the_whole_certificate_of_the_format_page_verifies() -> None:
    from rankproof import verify

    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    whole = [block for block in blocks if '"format"' in block]
    assert len(whole) == 1
    assert verify(whole[0].encode()).word == "VERIFIED"
    changed = json.loads(whole[0])
    changed["conclusion"][0]["upper"] = 1
    assert verify(json.dumps(changed).encode()).word != "VERIFIED"


def test_the_readmes_test_command_is_what_continuous_integration_runs() -> None:
    assert "pip install '.[test]' && pytest" in (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert "pip install -q '.[test]'" in lines
    assert "pytest" in lines
