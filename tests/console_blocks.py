"""Sybil parser for ``console`` blocks: runs every ``$ command`` and compares its standard output.

A block is a transcript. A line ``$ command``, continued by lines ``> ...``, is run by bash in the document's temporary
directory; the lines up to the next command are its expected standard output, with ``...`` for anything. Durations and
sizes of files are compared as such, not by their value. ``echo $?`` sees the exit status of the command before it; a
command whose status is not shown that way must exit with 0.

``python tests/console_blocks.py PAGE ...`` rewrites the outputs of the pages that differ from what the program prints
now. Read the change before you commit it.
"""

from __future__ import annotations

import difflib
import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sybil import Example
from sybil.evaluators.doctest import OutputChecker
from sybil.parsers.myst import CodeBlockParser

MEASURES = {
    "<time>": re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|s)\b"),
    "<size>": re.compile(r"\b\d+(?:\.\d+)? ?(?:B|kB|MB)\b"),
}
TIMEOUT_SECONDS = 180


def transcript(source: str) -> list[tuple[str, str]]:
    """Commands of a block, each with its expected output."""
    pairs: list[tuple[str, list[str]]] = []
    for line in source.splitlines():
        if line.startswith("$ "):
            pairs.append((line[2:].partition("  # ")[0].rstrip(), []))
        elif line.startswith("> ") and pairs and not pairs[-1][1]:
            pairs[-1] = (f"{pairs[-1][0]}\n{line[2:]}", [])
        elif pairs:
            pairs[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"a console block starts with '$ command', not with {line!r}")
    return [(command, "\n".join(lines).rstrip() + "\n" if any(lines) else "") for command, lines in pairs]


def run(command: str, directory: Path, last_status: int) -> subprocess.CompletedProcess[str]:
    """Run one command of a transcript."""
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "NO_COLOR": "1",
        "COLUMNS": "96",
    }
    return subprocess.run(
        ["bash", "-c", f"(exit {last_status})\n{command}"],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


def matches(want: str, got: str) -> bool:
    """Whether an output is the one in the transcript."""
    for word, pattern in MEASURES.items():
        want, got = pattern.sub(word, want), pattern.sub(word, got)
    return OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def evaluate(example: Example) -> str | None:
    """Run a console block; text that explains the first difference, or nothing."""
    directory = Path(example.namespace["directory"])
    status = 0
    steps = transcript(example.parsed)
    for position, (command, want) in enumerate(steps):
        done = run(command, directory, status)
        status = done.returncode
        shown = position + 1 < len(steps) and "$?" in steps[position + 1][0]
        if not matches(want, done.stdout):
            difference = "\n".join(
                difflib.unified_diff(want.splitlines(), done.stdout.splitlines(), "page", "program")
            )
            return f"$ {command}\n{difference}\nstandard error:\n{done.stderr}"
        if status and not shown:
            return f"$ {command}\nexit status {status}\nstandard error:\n{done.stderr}"
    return None


class ConsoleBlockParser(CodeBlockParser):
    """Finds ```` ```console ```` blocks."""

    def __init__(self) -> None:
        super().__init__(language="console", evaluator=evaluate)


def rewritten(page: str) -> str:
    """A page with the outputs of its transcripts as the program prints them now; outputs that match stay."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)

        def block(found: re.Match[str]) -> str:
            status = 0
            lines = []
            sources = re.split(r"^(?=\$ )", found[1], flags=re.MULTILINE)[1:]
            for (command, want), source in zip(transcript(found[1]), sources, strict=True):
                done = run(command, directory, status)
                status = done.returncode
                continued = source.splitlines()[: command.count("\n") + 1]
                output = want if matches(want, done.stdout) else done.stdout
                lines += [*continued, *(line.rstrip() for line in output.splitlines())]
            return "\n".join(["```console", *lines, "```"])

        return re.sub(r"^```console\n(.*?)^```$", block, page, flags=re.MULTILINE | re.DOTALL)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument)
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
