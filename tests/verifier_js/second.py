"""Run the second verifier, rankproof/verifier_js, in one process of Node."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rankproof.collection.check import second_verifier
from rankproof.errors import UsageError


def program() -> tuple[str, ...]:
    """The command that runs it; skips the test where there is no Node."""
    try:
        return second_verifier().command
    except UsageError as error:
        pytest.skip(str(error))


def second_verdicts(
    certificates: Iterable[bytes], *, weights: Path | None = None, seconds: float = 300
) -> Iterator[dict[str, Any]]:
    """What the second verifier says about certificates, in their order."""
    lines = b"".join(base64.b64encode(data) + b"\n" for data in certificates)
    options = [] if weights is None else ["--weights", str(weights)]
    done = subprocess.run(
        [*program(), "--batch", *options],
        input=lines,
        capture_output=True,
        check=False,
        timeout=seconds,
    )
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != lines.count(b"\n"):
        raise AssertionError(f"{len(answers)} answers: {done.stderr.decode()[-2000:]}")
    return map(json.loads, answers)
