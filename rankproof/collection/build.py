"""Prove what the plan asks, and keep the better of old and new."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rankproof.certificate.document import Certificate
from rankproof.certificate.producer import program_version
from rankproof.certificate.steps import Conclusion, Step
from rankproof.certificate.whole import make_folder, write_whole
from rankproof.collection.found import found
from rankproof.collection.plan import Entry
from rankproof.errors import FormatError, RankproofError, SelfCheckFailed, UsageError, WorkerLost
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

INDEX = "index.json"
"""Name of the record of a collection: for every file what was asked, and how long it took."""

_INDEX_FORMAT = "rankproof-collection"


@dataclass(frozen=True)
class Record:
    """What is written down about a file besides the file itself.

    Attributes
    ----------
    asked
        Hash of what the plan asks; when the plan changes, the file is proved again.
    sha256
        Hash of the file, of whose bytes the verifier has said VERIFIED.
    claim
        Hash of what it proves.
    prove, verify
        Seconds of the search that gave the file, and of the check of its bytes in the same process.
    """

    asked: str
    sha256: str
    claim: str
    prove: float
    verify: float


@dataclass(frozen=True)
class Outcome:
    """What became of one entry: ``proved``, ``improved``, ``unchanged``, ``kept`` (not asked again) or ``failed``."""

    entry: Entry
    word: str
    message: str = ""
    record: Record | None = None


def asked(entry: Entry) -> str:
    """Hash of everything in an entry that decides what is searched."""
    fields = None if entry.fields is None else [field.name for field in entry.fields]
    words: list[Any] = [entry.text, entry.tensor, entry.units, fields, entry.budget, entry.bias]
    words += [str(floor) for floor in entry.floors]
    if entry.block is not None:
        words.append(asdict(entry.block))
    text = json.dumps(words)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_verified(root: Path, entry: Entry, records: Mapping[str, Record]) -> bytes:
    """Bytes of a file of the collection.

    Raises
    ------
    FormatError
        If it is missing, or is not the one that the verifier accepted when it was written.
    """
    path = root / entry.path
    if not path.is_file() or entry.path not in records:
        raise FormatError(f"{path} is missing; run 'rankproof collection build' first")
    data = path.read_bytes()
    if sha256_of(data) != records[entry.path].sha256:
        raise FormatError(f"{path} is not the file that was verified when it was built; build it again")
    return data


def prove_entry(entry: Entry, old: bytes | None, weights: Sequence[Path] = ()) -> tuple[bytes, Record]:
    """Bytes of the best certificate that the search and the old file give together, and their record.

    The bytes do not depend on the clock as long as every method ends within its share of the budget: the producer entry holds the
    command and not the time.

    Raises
    ------
    RankproofError
        If nothing is proved, or the verifier refuses what was found.
    """
    begun = time.perf_counter()
    target, steps, questions = found(entry, weights)
    seconds = time.perf_counter() - begun
    if old is not None and entry.block is None:
        kept = Certificate.from_bytes(old)
        if verify_bytes(old).ok and kept.target == target:
            steps += [_moved(step, len(steps)) for step in kept.steps]
            questions = list(dict.fromkeys([*questions, *(answer.question for answer in kept.conclusion)]))
    producer = {"program": "rankproof", "version": program_version(), "command": entry.command}
    data = Certificate.build(target, steps, questions, producer).to_bytes()
    begun = time.perf_counter()
    verdict = verify_bytes(data, weights=[str(path) for path in weights])
    check = time.perf_counter() - begun
    if not verdict.ok:
        raise SelfCheckFailed(
            f"{entry.path}: the verifier says {verdict.word} ({verdict.code}): {verdict.message}; this is a defect of"
            " rankproof, please report the target"
        )
    return data, Record(asked(entry), verdict.sha256, verdict.claim_hash, round(seconds, 2), round(check, 3))


def _moved(step: Step, places: int) -> Step:
    return replace(step, premises=tuple(place + places for place in step.premises))


def build(
    root: Path,
    entries: Sequence[Entry],
    *,
    again: bool = False,
    processes: int = 1,
    weights: Sequence[Path] = (),
    say: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Prove the entries that are not proved yet, or whose entry in the plan has changed.

    A file is never replaced by one that says less about a question, and every file is written whole. The record is written after
    every file, so that a build that was stopped goes on where it was.

    Parameters
    ----------
    root
        Folder of the collection.
    entries
        Of the plan.
    again
        Prove all of them, also those that are there.
    processes
        How many entries are proved at the same time.
    weights
        Weights files, for entries that are blocks of models.
    say
        Called with each outcome as it comes.

    Raises
    ------
    UsageError
        If another process builds the same collection.
    WorkerLost
        If a process that proves was killed; what is finished is kept.
    """
    with alone(root):
        return _build(root, entries, again, processes, weights, say)


def _build(
    root: Path,
    entries: Sequence[Entry],
    again: bool,
    processes: int,
    weights: Sequence[Path],
    say: Callable[[Outcome], None],
) -> list[Outcome]:
    records = read_index(root)
    waiting: list[Entry] = []
    outcomes: list[Outcome] = []
    for entry in entries:
        if not again and _is_there(root, entry, records):
            outcomes.append(Outcome(entry, "kept", record=records[entry.path]))
            say(outcomes[-1])
        else:
            waiting.append(entry)
    for entry, result in _run(waiting, root, processes, weights):
        outcome = _store(root, entry, result, records)
        outcomes.append(outcome)
        say(outcome)
    return outcomes


def _is_there(root: Path, entry: Entry, records: dict[str, Record]) -> bool:
    record, data = records.get(entry.path), read_old(root / entry.path)
    return (
        record is not None
        and data is not None
        and record.asked == asked(entry)
        and record.sha256 == sha256_of(data)
    )


Result = tuple[bytes, Record] | RankproofError


def _run(
    entries: Sequence[Entry], root: Path, processes: int, weights: Sequence[Path]
) -> Iterator[tuple[Entry, Result]]:
    """Every entry with its result, in the order in which they are ready."""
    if processes == 1:
        for entry in entries:
            yield entry, _attempt(entry, read_old(root / entry.path), weights)
        return
    pool = ProcessPoolExecutor(processes)
    try:
        rest = iter(entries)
        running: dict[Future[Result], Entry] = {}
        while True:
            # No more are handed out than run, so that an interrupt ends the build at once.
            for entry in rest:
                running[pool.submit(_attempt, entry, read_old(root / entry.path), weights)] = entry
                if len(running) == processes:
                    break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenProcessPool as error:
        raise WorkerLost(
            "a process of the build was killed, perhaps for want of memory; what is finished is kept: run the same command"
            " again with fewer --processes"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _attempt(entry: Entry, old: bytes | None, weights: Sequence[Path]) -> Result:
    try:
        return prove_entry(entry, old, weights)
    except RankproofError as error:
        return error


def _store(root: Path, entry: Entry, result: Result, records: dict[str, Record]) -> Outcome:
    if isinstance(result, RankproofError):
        return Outcome(entry, "failed", str(result))
    data, record = result
    path = root / entry.path
    old = read_old(path)
    word = "proved" if old is None else "improved" if _says_more(data, old) else "unchanged"
    make_folder(path.parent)
    write_whole(path, data, keep=True)
    records[entry.path] = record
    write_index(root, records)
    return Outcome(entry, word, record=record)


def _says_more(new: bytes, old: bytes) -> bool:
    before = _answers(read_certificate(old).conclusion)
    return any(
        before.get(question) != answer
        for question, answer in _answers(read_certificate(new).conclusion).items()
    )


def read_certificate(data: bytes) -> Certificate:
    """Certificate of a file, also when its target is a block whose weights are not here: then a form stands in for the target."""
    return Certificate.from_bytes(data, block=lambda _: Target.from_entries(Space.form(1, 1), {(0,): 1}))


def _answers(stated: Iterable[Conclusion]) -> dict[Question, tuple[int | Fraction, int | Fraction | None]]:
    return {answer.question: (answer.lower, answer.upper) for answer in stated}


def read_old(path: Path) -> bytes | None:
    """The bytes of a file, None where there is none."""
    return path.read_bytes() if path.is_file() else None


def sha256_of(data: bytes) -> str:
    """Hash of a file."""
    return hashlib.sha256(data).hexdigest()


def read_index(root: Path) -> dict[str, Record]:
    """The records of a collection; empty where there is none yet.

    Raises
    ------
    FormatError
        If the file is no record of a collection.
    """
    path = root / INDEX
    if not path.is_file():
        return {}
    try:
        document: Any = json.loads(path.read_bytes())
        if document["format"] != _INDEX_FORMAT:
            raise ValueError(document["format"])
        return {name: Record(**record) for name, record in document["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(
            f"{path} is no record of a collection ({error}); remove it, and the next build proves everything again"
        ) from error


def write_index(root: Path, records: dict[str, Record]) -> None:
    """Write the records, whole or not at all."""
    lines = ",\n  ".join(
        f"{json.dumps(name)}: {json.dumps(asdict(records[name]))}" for name in sorted(records)
    )
    text = f'{{"format": "{_INDEX_FORMAT}",\n "files": {{\n  {lines}}}}}\n'
    write_whole(root / INDEX, text.encode())


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Keep other processes from writing a collection at the same time; where the system cannot, trust the caller.

    Raises
    ------
    UsageError
        If another process writes it.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    # A lock of the folder itself leaves no file behind, and ends with the process however it ends.
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(folder)
        raise UsageError(
            f"another process is writing {root}; wait until it has ended, and run this again"
        ) from error
    try:
        yield
    finally:
        os.close(folder)


def add(root: Path, entry: Entry, file: Path) -> Outcome:
    """Put a certificate of an entry's target into the collection, together with what is there.

    Raises
    ------
    FormatError
        If the file is no certificate of this target, or the verifier does not accept it.
    """
    data, target = file.read_bytes(), entry.target()
    given = Certificate.from_bytes(data)
    verdict = verify_bytes(data)
    if not verdict.ok:
        raise FormatError(f"{file}: the verifier says {verdict.word} ({verdict.code}): {verdict.message}")
    if (given.target.space, given.target.ring, given.target.entries) != (
        target.space,
        target.ring,
        target.entries,
    ):
        raise FormatError(f"{file} is about {given.target.text}, and {entry.path} about {entry.text}")
    with alone(root):
        return _add(root, entry, target, given)


def _add(root: Path, entry: Entry, target: Target, given: Certificate) -> Outcome:
    records = read_index(root)
    old = read_old(root / entry.path)
    kept = given if old is None else Certificate.from_bytes(old)
    steps = [*kept.steps, *(_moved(step, len(kept.steps)) for step in given.steps)]
    questions = dict.fromkeys(answer.question for answer in (*kept.conclusion, *given.conclusion))
    merged = Certificate.build(target, steps, questions, kept.producer if old else given.producer)
    begun = time.perf_counter()
    verdict = verify_bytes(merged.to_bytes())
    if not verdict.ok:
        raise SelfCheckFailed(f"{entry.path}: the verifier refuses two proofs together: {verdict.message}")
    spent = records[entry.path].prove if entry.path in records else 0.0
    # Not asked yet: the next build searches, and keeps what is better here.
    record = Record("", verdict.sha256, verdict.claim_hash, spent, round(time.perf_counter() - begun, 3))
    return _store(root, entry, (merged.to_bytes(), record), records)
