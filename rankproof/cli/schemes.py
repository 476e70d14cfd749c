"""Schemes in other formats on the command line: found in folders, verified, and put into a table."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.cli.files import is_certificate
from rankproof.errors import FormatError, RankproofError, UsageError

if TYPE_CHECKING:
    from rankproof.formats import SchemeCertificate
    from rankproof.problem.field import Scalar
    from rankproof.problem.target import Target
    from rankproof.verifier import Verdict

CONSISTENT = "CONSISTENT"
"""The word for decompositions that could only be compared with one another: nothing is proved."""
_UNDECIDED_STATUS = 4

# In the order of the footer; whatever else a verdict says comes after them.
_WORDS = ("VERIFIED", "CONDITIONAL", CONSISTENT, "UNDECIDED", "REJECTED", "UNREADABLE")
_HEADINGS = ("file", "format", "target", "products", "ring", "convention", "verdict", "reason")
# A longer convention is one that failed, and its sentence repeats it.
_WIDEST_CELL = 60


@dataclass(frozen=True)
class Wanted:
    """What a person asks about schemes.

    Attributes
    ----------
    target
        What they are to decompose, or ``sum`` for whatever the products add up to; None to find out.
    ring
        The ring to check over; None to find out.
    symbols
        Values of symbols in the files.
    accept_theorems, expect
        For the verifier.
    """

    target: Target | str | None = None
    ring: str | None = None
    symbols: Mapping[str, Scalar] = field(default_factory=dict)
    accept_theorems: Sequence[str] = ()
    expect: str | None = None


def wanted_of(arguments: Namespace) -> Wanted:
    """What the options of a command ask about schemes.

    Raises
    ------
    UsageError, TargetError
        If the target is none, or more than one.
    """
    from rankproof.cli.asking import read_target
    from rankproof.formats.checking import SUM

    target: Target | str | None = None
    if arguments.as_text == SUM:
        target = SUM
    elif arguments.as_text is not None:
        asked = read_target(arguments.as_text)
        if len(asked) != 1:
            raise UsageError(
                f"{arguments.as_text} is {len(asked)} targets, one a degree; a scheme is compared with one, such as"
                " matmul(2,2,3)"
            )
        target = asked[0].target
    theorems = getattr(arguments, "accept_theorem", [])
    expect = getattr(arguments, "expect", None)
    return Wanted(target, arguments.ring, read_symbols(arguments.let), theorems, expect)


@dataclass(frozen=True)
class Row:
    """One scheme, or one file that could not be read, with the verdict.

    Attributes
    ----------
    label
        File, and key inside the file.
    word, status
        The verdict and its exit status.
    reason
        What is proved, or why nothing is.
    verdict
        The verifier's, or the one that stands for it where it was not asked.
    scheme
        The finding of the formats; None for a certificate and for a file that cannot be read.
    format
        Name of the format.
    """

    label: str
    word: str
    status: int
    reason: str
    verdict: Verdict
    scheme: SchemeCertificate | None = None
    format: str = ""

    def cells(self, skipped: int) -> tuple[str, ...]:
        """The row as text, in the order of the headings, without so many characters of a folder in front of the label."""
        scheme, label = self.scheme, self.label[skipped:]
        if scheme is None:
            return (label, self.format, "", "", "", "", self.word, self.reason)
        target = scheme.target or f"{'x'.join(map(str, scheme.sizes))} tensor"
        products = f"{scheme.terms}{' border' if scheme.kind == 'border' else ''}"
        convention = scheme.convention if scheme.data is not None else ""
        return (label, self.format, target, products, scheme.ring, convention, self.word, self.reason)

    def as_line(self) -> str:
        """The row as the verifier's own command prints a file."""
        from rankproof.verifier.cli import to_text

        if self.verdict.code or self.word == CONSISTENT:
            # A scheme has no JSON pointer: its place is in the sentence.
            return f"{self.word}  {self.label}  {self.reason}"
        line = to_text(self.label, self.verdict)
        return line if self.scheme is None else f"{line}; {_counted(self.scheme)}"

    def as_json(self) -> str:
        """The row as one JSON object."""
        from rankproof.verifier.cli import to_json

        value: dict[str, Any] = json.loads(to_json(self.label, self.verdict))
        return json.dumps(value | ({} if self.scheme is None else _description(self.scheme)))


def verify_scheme_file(path: Path, wanted: Wanted, name: str = "", key: str | None = None) -> list[Row]:
    """Verify the schemes of a file.

    Parameters
    ----------
    path
        The file.
    wanted
        What is asked.
    name
        How the file is called in the rows; its path by default.
    key
        Verify the scheme of this key only.

    Raises
    ------
    UsageError
        If the options do not fit.
    """
    from rankproof.formats import verify_input
    from rankproof.formats.reading import find_format
    from rankproof.formats.source import Source

    name, format = name or str(path), None
    try:
        format = find_format(Source.of(path))
        found = verify_input(path, wanted.target, wanted.ring, wanted.symbols, key)
    except FormatError as error:
        called = "" if format is None else format.name
        reason = str(error).removeprefix(f"{path.name}: ")
        return [_refused(name, "UNREADABLE", 3, "format", reason, format=called)]
    return [_row(str(Path(name).with_name(scheme.label)), scheme, wanted) for scheme in found]


def _row(label: str, scheme: SchemeCertificate, wanted: Wanted) -> Row:
    from rankproof.verifier import BadExpectation, verify_bytes

    if scheme.is_consistent:
        return _refused(label, CONSISTENT, _UNDECIDED_STATUS, "no-target", scheme.note, scheme)
    if scheme.data is None:
        problem = scheme.problem or "the scheme decomposes something else"
        if scheme.is_undecided:
            return _refused(label, "UNDECIDED", _UNDECIDED_STATUS, "limit-scheme", problem, scheme)
        return _refused(label, "REJECTED", 1, "scheme", problem, scheme)
    try:
        verdict = verify_bytes(scheme.data, accept_theorems=wanted.accept_theorems, expect=wanted.expect)
    except BadExpectation as error:
        raise UsageError(str(error)) from error
    reason = verdict.message if verdict.code else "; ".join(filter(None, (_bound(verdict), scheme.note)))
    return Row(label, verdict.word, verdict.exit_status, reason, verdict, scheme, scheme.format)


def _refused(
    label: str,
    word: str,
    status: int,
    code: str,
    reason: str,
    scheme: SchemeCertificate | None = None,
    format: str = "",
) -> Row:
    from rankproof.verifier import Verdict

    verdict = Verdict(word, status, "", code, "", reason)
    return Row(label, word, status, reason, verdict, scheme, scheme.format if scheme else format)


def _bound(verdict: Verdict) -> str:
    """What is proved about a scheme, in a few words."""
    answers = [answer for answer in verdict.conclusion if answer["upper"] is not None]
    if not answers:
        return ""
    quantity = answers[0]["quantity"].replace("_", " ")
    return f"{quantity} <= {answers[0]['upper']} over {', '.join(answer['field'] for answer in answers)}"


def _counted(scheme: SchemeCertificate) -> str:
    """How many terms were counted, in which ring and in which convention the scheme holds, and what to know about it."""
    terms = f"{scheme.terms} terms over {scheme.ring}"
    return "; ".join(part for part in (terms, scheme.convention, scheme.note) if part)


def _description(scheme: SchemeCertificate) -> dict[str, object]:
    return {
        "format": scheme.format,
        "target": scheme.target,
        "sizes": list(scheme.sizes),
        "terms": scheme.terms,
        "ring": scheme.ring,
        "convention": scheme.convention,
        "kind": scheme.kind,
        "note": scheme.note,
    }


# Folders


@dataclass(frozen=True)
class Contents:
    """What a folder holds, everything below it included, in the order of the names.

    Attributes
    ----------
    schemes
        One file for every scheme file, or for every group of files that make up one scheme.
    certificates
        Files that call themselves certificates.
    others
        Files in no known format.
    """

    schemes: tuple[Path, ...]
    certificates: tuple[Path, ...]
    others: tuple[Path, ...]


def contents(folder: Path) -> Contents:
    """Sort the files below a folder by what they are."""
    from rankproof.formats.reading import find_format
    from rankproof.formats.source import Source

    schemes: list[Path] = []
    certificates: list[Path] = []
    others: list[Path] = []
    together: set[Path] = set()
    for path in _files(folder):
        if path in together:
            continue
        if is_certificate(path):
            certificates.append(path)
            continue
        try:
            format = find_format(Source.of(path))
        except FormatError:
            format = None
        if format is None:
            others.append(path)
            continue
        schemes.append(path)
        together.update(path.with_name(member) for member in format.members(path.name))
    return Contents(tuple(schemes), tuple(certificates), tuple(others))


def _files(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders.sort()
        yield from (path for name in sorted(names) if (path := Path(here, name)).is_file())


def verify_folder(
    folder: Path, found: Contents, wanted: Wanted, say: Callable[[str], None] | None
) -> list[Row]:
    """Verify everything in a folder; with a target only the schemes whose sizes fit, unless none does."""
    rows: list[Row] = []
    for path in found.schemes:
        if say is not None:
            say(f"{len(rows)} verdicts, {path.name}")
        rows += verify_scheme_file(path, wanted, str(path.relative_to(folder)))
    if wanted.target is not None:
        rows = [row for row in rows if row.scheme is None or row.scheme.convention] or rows
    for path in found.certificates:
        rows.append(_certificate_row(path, str(path.relative_to(folder)), wanted))
    return sorted(rows, key=_folder_of)


def _folder_of(row: Row) -> str:
    return os.path.split(row.label.partition(":")[0])[0]


def _certificate_row(path: Path, name: str, wanted: Wanted) -> Row:
    from rankproof.verifier import BadExpectation, verify_bytes

    try:
        verdict = verify_bytes(
            path.read_bytes(), accept_theorems=wanted.accept_theorems, expect=wanted.expect
        )
    except BadExpectation as error:
        raise UsageError(str(error)) from error
    reason = (
        f"{verdict.code} at {verdict.pointer or '/'}: {verdict.message}" if verdict.code else _short(verdict)
    )
    return Row(name, verdict.word, verdict.exit_status, reason, verdict, format="certificate")


def _short(verdict: Verdict) -> str:
    return "; ".join(verdict.statements)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of an aligned table, one group a folder; the last column is as long as it needs to be."""
    split = [(_folder_of(row), row) for row in rows]
    lines = [(folder, row.cells(len(folder) + 1 if folder else 0)) for folder, row in split]
    columns = range(len(_HEADINGS) - 1)
    widths = [
        min(_WIDEST_CELL, max(len(cells[k]) for cells in (_HEADINGS, *(c for _, c in lines))))
        for k in columns
    ]
    yield _aligned(_HEADINGS, widths)
    for folder, group in groupby(lines, key=lambda line: line[0]):
        if folder:
            yield f"{folder}/"
        for _, cells in group:
            yield _aligned(cells, widths)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells[:-1], widths, strict=True)]
    return "  ".join([*padded, cells[-1]]).rstrip()


def footer(rows: Sequence[Row], others: int, seconds: float) -> str:
    """How many verdicts of each kind there are."""
    counts = Counter(row.word for row in rows)
    ordered = [*_WORDS, *sorted(counts.keys() - set(_WORDS))]
    parts = [f"{counts[word]} {word.lower()}" for word in ordered if counts[word]]
    left = f"; {others} other {'file' if others == 1 else 'files'} in no known format" if others else ""
    return f"{', '.join(parts) or 'nothing to verify'}{left}; {seconds:.1f} s"


def read_symbols(assignments: Iterable[str]) -> dict[str, Scalar]:
    """Values of ``NAME=VALUE`` options.

    Raises
    ------
    UsageError
        If one is not of that form, or its value is no exact number.

    Examples
    --------
    >>> {name: str(x) for name, x in read_symbols(["a=1/2", "1013=sqrt(3)"]).items()}
    {'a': '1/2', '1013': 'sqrt3'}
    """
    from rankproof.formats.arithmetic import read_scalar

    values: dict[str, Scalar] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name.strip().isalnum():
            raise UsageError(f"--let {assignment}: write NAME=VALUE, such as a=1/2 or X=sqrt(3)")
        try:
            values[name.strip()] = read_scalar(text, f"--let {assignment}")
        except RankproofError as error:
            raise UsageError(str(error)) from error
    return values
