"""A collection as a site: the list, and a page a certificate that verifies itself in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.certificate.document import Certificate
from rankproof.collection.build import Record, read_verified
from rankproof.collection.plan import Entry, Family
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.html import asset, page_script, page_style
from rankproof.show.html import certificate as page
from rankproof.show.listing import Listed, listing
from rankproof.show.verdict import Recorded

TITLE = "Certificates"

MOST_UNITS = 300
"""Units of one decomposition that a page writes out; the certificate has all of them."""


@dataclass(frozen=True)
class Site:
    """What was written: how many pages of certificates, and bytes of all files together."""

    pages: int
    size: int


def write_site(root: Path, families: Sequence[Family], records: Mapping[str, Record], out: Path) -> Site:
    """Write ``index.html`` and a page a certificate; all share one style sheet and one script.

    Nothing is verified again: a page says VERIFIED of the bytes of which the verifier said so when they were written down.

    Parameters
    ----------
    root
        Folder of the collection.
    families
        The plan.
    records
        What was written down about the files.
    out
        Folder of the site; made when it is not there.

    Raises
    ------
    FormatError
        If a file is missing, or is not the one that the verifier accepted when it was written.
    """
    listed: list[Listed] = []
    texts: dict[str, str] = {"page.css": page_style(), "page.js": page_script(), "list.js": asset("list.js")}
    for family in families:
        for entry in family.entries:
            data = read_verified(root, entry, records)
            shown, record = _read(entry, data), records[entry.path]
            address = f"{entry.path.removesuffix('.json')}.html"
            known = f"{entry.known} ({entry.source})" if entry.known else ""
            listed.append(
                Listed(shown.target.text, address, family.title, shown, len(data), record.claim, known)
            )
            verdict = Recorded(record.sha256, record.claim)
            texts[address] = page(
                shown,
                verdict,
                data,
                file=f"{entry.name}.json",
                most_units=MOST_UNITS,
                shared="../",
                back="../index.html",
            )
    texts["index.html"] = listing(TITLE, listed, "page.css", "list.js")
    size = 0
    for name, text in texts.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(text.encode())
    return Site(len(listed), size)


def _read(entry: Entry, data: bytes) -> Certificate:
    """The certificate; for a block whose weights are not here a form stands in, of the degree that all blocks have."""
    text = (
        entry.text
        if entry.block is None or entry.block.output is None
        else f"{entry.text}, output {entry.block.output}"
    )

    def stand_in(told: dict[str, Any]) -> Target:
        return replace(Target.from_entries(Space.form(1, 2), {(0, 0): 1}, text=text), block=told)

    shown = Certificate.from_bytes(data, stand_in)
    return shown if entry.block is not None else replace(shown, target=replace(shown.target, text=text))


__all__ = ["Site", "write_site"]
