"""Run the second verifier, rankproof/verifier_js, in one process of Node."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rankproof.collection.check import second_verifier
from rankproof.errors import UsageError


class NoVerdict(AssertionError):
    """The second verifier ended, or was stopped, before it had answered for all certificates."""

    def __init__(self, answers: list[dict[str, Any]], words: str) -> None:
        super().__init__(f"{len(answers)} answers: {words}")
        self.answers = answers


def program() -> tuple[str, ...]:
    """The command that runs it; skips the test where there is no Node."""
    try:
        return second_verifier().command
    except UsageError as error:
        pytest.skip(str(error))


def second_verdicts(
    certificates: Iterable[bytes], *, weights: Path | None = None, seconds: float = 300
) -> list[dict[str, Any]]:
    """What the second verifier says about certificates, in their order.

    Raises
    ------
    NoVerdict
        If it has not answered for all of them in this time; the answers before are kept.
    """
    lines = b"".join(base64.b64encode(data) + b"\n" for data in certificates)
    options = [] if weights is None else ["--weights", str(weights)]
    try:
        done = subprocess.run(
            [*program(), "--batch", *options], input=lines, capture_output=True, check=False, timeout=seconds
        )
        output, words = done.stdout, done.stderr.decode()[-2000:]
    except subprocess.TimeoutExpired as error:
        output, words = error.stdout or b"", "stopped"
    answers = [json.loads(line) for line in output.splitlines(keepends=True) if line.endswith(b"\n")]
    if len(answers) != lines.count(b"\n"):
        raise NoVerdict(answers, words)
    return answers
