"""The page of a collection: what is proved about every target, what is open, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rankproof.certificate.steps import Conclusion
from rankproof.collection.build import Record, read_certificate, read_verified
from rankproof.collection.plan import Entry, Family
from rankproof.problem.question import Floor
from rankproof.show.listing import USUAL, cell, short, short_number
from rankproof.show.quantities import size_in_words

PAGE = "README.md"
"""Name of the page in the folder of a collection."""

_INTRODUCTION = """\
Every file here is the proof of what its line says. Nothing has to be believed: `rankproof verify certificates/`
checks them all, and so does the verifier alone, `python -I -S verifier.pyz certificates/`, which needs Python and
nothing else.

One line a target and kind of unit. A column a field: the width over it, and after the stroke the border width
(over the complex numbers where the field has none of its own). `17..18` is what is proved of a number that is
still open; what the literature says about it stands below the table. Seconds are those of the search and of the
check on the machine that built the file. The claim hash names what is proved, whatever the proof: `rankproof
verify FILE --expect HASH` accepts nothing else. Of floors the table says what the loss of so many units is at least,
to six digits; the file has it exactly.

This page is made by `rankproof collection page`; what goes in stands in `targets.toml`."""


def page(root: Path, families: Sequence[Family], records: Mapping[str, Record]) -> str:
    """The page in Markdown.

    Parameters
    ----------
    root
        Folder of the collection.
    families
        The plan.
    records
        What was written down about the files.

    Raises
    ------
    FormatError
        If a file is missing, or is not the one that the verifier accepted when it was written.
    """
    rows = {family.name: [_read(root, entry, records) for entry in family.entries] for family in families}
    everything = [row for part in rows.values() for row in part]
    return "\n".join(_lines(families, rows, everything)) + "\n"


class _Row:
    """One file with everything that its lines say."""

    def __init__(self, entry: Entry, data: bytes, record: Record) -> None:
        self.entry, self.size, self.record = entry, len(data), record
        self.certificate = read_certificate(data)

    @property
    def widths(self) -> list[Conclusion]:
        return [a for a in self.certificate.conclusion if not isinstance(a.quantity, Floor)]

    @property
    def floors(self) -> list[tuple[Floor, Conclusion]]:
        return [(a.quantity, a) for a in self.certificate.conclusion if isinstance(a.quantity, Floor)]

    @property
    def open(self) -> list[Conclusion]:
        return [answer for answer in self.widths if answer.lower != answer.upper]


def _read(root: Path, entry: Entry, records: Mapping[str, Record]) -> _Row:
    data = read_verified(root, entry, records)
    return _Row(entry, data, records[entry.path])


def _lines(
    families: Sequence[Family], rows: Mapping[str, list[_Row]], everything: list[_Row]
) -> Iterator[str]:
    answers = [answer for row in everything for answer in row.widths]
    floors = sum(len(row.floors) for row in everything)
    closed = sum(answer.lower == answer.upper for answer in answers)
    size = size_in_words(sum(row.size for row in everything))
    seconds = sum(row.record.verify for row in everything)
    yield "# Certificates"
    yield ""
    yield _INTRODUCTION
    yield ""
    yield f"* {len(everything)} files, {size}, checked one after the other in {seconds:.0f} seconds."
    yield f"* {len(answers)} questions about widths, {closed} of them answered by one number; {floors} floors."
    yield "* No published theorem is relied on: every rule is proved on its page."
    yield ""
    yield "| family | files | open |"
    yield "| --- | --- | --- |"
    for family in families:
        count = sum(bool(row.open) for row in rows[family.name])
        yield f"| [{family.title}](#{_anchor(family.title)}) | {len(family.entries)} | {count or ''} |"
    for family in families:
        yield ""
        yield f"## {family.title}"
        yield ""
        if family.about:
            yield family.about
            yield ""
        yield from _table(rows[family.name])


def _anchor(title: str) -> str:
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def _table(rows: list[_Row]) -> Iterator[str]:
    widths, floors = [row for row in rows if row.widths], [row for row in rows if row.floors]
    if widths:
        yield "| target | units | QQ | RR | CC | other fields | rules | size | prove, check | claim |"
        yield "| --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: | --- |"
        for row in widths:
            yield from _file(row)
    if widths and floors:
        yield ""
    if floors:
        yield "| target | units | loss | at least, width by width | rules | size | prove, check | claim |"
        yield "| --- | --- | --- | --- | --- | ---: | ---: | --- |"
        for row in floors:
            yield from _floors(row)
    remarks = [row for row in rows if row.open and row.entry.known]
    if remarks:
        yield ""
        for row in remarks:
            yield f"* `{short(row.entry.text)}`: {row.entry.known} ({row.entry.source})."
    models = {(row.entry.block.model, row.entry.block.sha256) for row in rows if row.entry.block}
    if models:
        yield ""
        for model, sha256 in sorted(models):
            yield f"* Checked together with `{model}`, sha256 `{sha256}`: `rankproof collection verify --weights {model}`."


def _file(row: _Row) -> Iterator[str]:
    name, rest = _ends(row)
    for units in dict.fromkeys(answer.units for answer in row.widths):
        own = [answer for answer in row.widths if answer.units == units]
        cells = [cell(own, field) for field in USUAL]
        others = dict.fromkeys(str(answer.field) for answer in own)
        cells.append(", ".join(f"{field}: {cell(own, field)}" for field in others if field not in USUAL))
        yield f"| {name} | {units} | {' | '.join(cells)} | {rest} |"
        name, rest = "", " | | | "


def _floors(row: _Row) -> Iterator[str]:
    name, rest = _ends(row)
    for units, loss in dict.fromkeys((answer.units, floor.loss) for floor, answer in row.floors):
        said = ", ".join(
            f"{floor.width}: {short_number(answer.lower)}"
            for floor, answer in row.floors
            if (answer.units, floor.loss) == (units, loss)
        )
        yield f"| {name} | {units} | {loss} | {said} | {rest} |"
        name, rest = "", " | | | "


def _ends(row: _Row) -> tuple[str, str]:
    """The first and the last cells of the lines of a file."""
    rules = ", ".join(dict.fromkeys(step.rule for step in row.certificate.steps))
    block = row.entry.block
    called = (
        row.entry.text
        if block is None or block.output is None
        else f"{row.entry.text}, output {block.output}"
    )
    name = f"[`{short(called)}`]({row.entry.path})".replace("|", "\\|")
    return name, (
        f"{rules} | {size_in_words(row.size)} | {row.record.prove:.1f}, {row.record.verify:.2f} s"
        f" | `{row.record.claim[:12]}`"
    )
