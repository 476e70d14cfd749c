"""Rows as a table on the screen, and as JSON from which a plot can be drawn."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.measure import Row


def line(found: Row) -> str:
    """Name, CPU time, ratio to the yardstick, and whether the reach is met."""
    compared = ""
    if found.ratio is not None:
        compared = f"{found.ratio:8.2f} x {found.yardstick} ({duration(found.yardstick_seconds)})"
    elif found.yardstick:
        compared = f"{'':8} {found.yardstick} is not installed"
    verdict = {True: "met", False: "MISSED", None: ""}[found.met]
    wanted = f"[{found.reach}: {verdict or 'not compared'}]" if found.reach else ""
    return f"  {found.name:28} {duration(found.seconds):>9} {compared:52} {wanted:36} {found.note}".rstrip()


def duration(seconds: float | None) -> str:
    """Three digits and a unit."""
    if seconds is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def write(rows: Sequence[Row], path: Path) -> None:
    """A JSON object with the rows and what is said about the machine: the number of its cores."""
    document = {
        "format": "rankproof-benchmarks",
        "version": 1,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "rows": [found.as_json() for found in rows],
    }
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="ascii")


BEGIN, END = "<!-- results: written by python -m benchmarks --page -->", "<!-- end of results -->"


def rewrite(page: Path, rows: Sequence[Row]) -> None:
    """Put the rows, a table a suite, between the two marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, found, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(f"{page} has no place for results; put the lines {BEGIN} and {END} into it")
    tables = [_table(suite, list(part)) for suite, part in groupby(rows, key=lambda found: found.suite)]
    page.write_text("\n\n".join([before + BEGIN, *tables, END + after]), encoding="utf-8")


def _table(suite: str, rows: Sequence[Row]) -> str:
    lines = [
        f"### {suite}",
        "",
        "| what | CPU time | yardstick | its time | ratio | wanted | |",
        "| --- | ---: | --- | ---: | ---: | --- | --- |",
    ]
    for found in rows:
        ratio = "" if found.ratio is None else f"{found.ratio:.2f}"
        verdict = {True: "", False: " **missed**", None: ""}[found.met]
        cells = [
            found.name,
            duration(found.seconds),
            found.yardstick,
            duration(found.yardstick_seconds),
            ratio,
            found.reach.replace("<=", "≤") + verdict,
            found.note.replace("<=", "≤").replace(">=", "≥"),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
