"""Results of experiments as tables, for a terminal and for a page; and the verdicts on the claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table as RichTable

from rankproof.show.quantities import interval
from rankproof.train.claims import Verdict, exact_widths

Result = Mapping[str, Any]
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Titles of the columns, and rows."""


def widths_table(result: Result) -> Table:
    """Certified and found widths of the targets of a polynomial experiment, and the least cost of an exact block."""
    titles = ("target", "tied", "found", "untied", "found", "projections", "parameters")
    rows: list[tuple[str, ...]] = []
    for case in result["cases"]:
        certified = {own["units"]: own for own in case["certified"]}
        exact = exact_widths(case)
        row = [case["target"]]
        for units in ("tied", "untied"):
            row += [_certified(certified.get(units)), _found(case["found"][units])]
        for cost in ("projections", "parameters"):
            both = [
                "none" if (w := exact[u]) is None else str(w * case["costs"][u][cost])
                for u in ("tied", "untied")
            ]
            row.append(" / ".join(both))
        rows.append(tuple(row))
    return titles, rows


def _certified(own: Mapping[str, Any] | None) -> str:
    if own is None:
        return "not asked"
    exact, border = interval(own["lower"], own["upper"]), interval(own["border_lower"], own["border_upper"])
    return exact if exact == border else f"{exact}, border {border}"


def _found(found: Mapping[str, Any]) -> str:
    exact, close = found["exact"], found["close"]
    text = "none" if exact is None else str(exact)
    return text if close in (None, exact) else f"{text} ({close})"


def comparisons_table(result: Result) -> Table:
    """Pairs of arms at equal cost: difference of their losses with its 95% interval."""
    titles = ("equal", "one projection", "two projections", "difference", "less loss")
    rows = [
        (
            row["by"],
            f"{row['tied']}, {row['tied_width']}",
            f"{row['untied']}, {row['untied_width']}",
            f"{row['difference']:+.4f} ± {row['half']:.4f}",
            {"open": "open", "tied": row["tied"], "untied": row["untied"]}[row["better"]],
        )
        for row in result["comparisons"]
    ]
    return titles, rows


def levels_table(result: Result) -> Table:
    """What every arm reaches at its best rate."""
    titles = ("units", "width", "rate", "loss")
    rows = [
        (row["kind"], str(row["width"]), f"{row['rate']:g}", f"{row['loss']:.4f} ± {row['half']:.4f}")
        for row in result["levels"]
    ]
    return titles, rows


def throughput_table(result: Result) -> Table:
    """Model-steps per second, stacked and in a loop over modules."""
    titles = ("units", "width", "models", "stacked", "loop", "ratio")
    rows = [
        (
            row["units"],
            str(row["width"]),
            str(row["models"]),
            f"{row['stacked']:.0f}",
            f"{row['loop']:.0f}",
            f"{row['stacked'] / row['loop']:.1f}",
        )
        for row in result["throughput"]
    ]
    return titles, rows


def verdict_table(found: Sequence[Verdict]) -> Table:
    """Claims, what was seen of them, and the numbers."""
    return ("claim", "seen", "numbers", "experiments"), [
        (one.claim, one.word, one.evidence, one.source) for one in found
    ]


def tables_of(result: Result) -> list[Table]:
    """The tables of a result of any experiment."""
    if "cases" in result:
        return [widths_table(result)]
    tables = [levels_table(result), comparisons_table(result)]
    return [*tables, throughput_table(result)] if result.get("throughput") else tables


def markdown(table: Table) -> str:
    """The table on a page.

    Examples
    --------
    >>> print(markdown((("a", "b"), [("1", "x|y")])))
    | a | b |
    | --- | --- |
    | 1 | x\\|y |
    """
    titles, rows = table
    lines = [titles, ("---",) * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def printed(table: Table) -> RichTable:
    """The table on a terminal."""
    titles, rows = table
    grid = RichTable(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for title in titles:
        grid.add_column(title)
    for row in rows:
        grid.add_row(*row)
    return grid


__all__ = [
    "Table",
    "comparisons_table",
    "levels_table",
    "markdown",
    "printed",
    "tables_of",
    "throughput_table",
    "verdict_table",
    "widths_table",
]
