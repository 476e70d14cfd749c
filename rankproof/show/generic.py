"""Generic widths as a table: how many units, input projections and parameters almost all targets need."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rankproof.bounds.generic import GenericWidth


def table(widths: Sequence[GenericWidth]) -> RenderableType:
    """One block for every space of targets, one line a kind of unit."""
    parts: list[RenderableType] = []
    for _, group in groupby(widths, key=lambda width: width.variables):
        if parts:
            parts.append(Text())
        parts += _block(list(group))
    return Group(*parts)


def interval(lower: int, upper: int) -> str:
    """Both bounds, or the value when they agree.

    Examples
    --------
    >>> interval(3, 3), interval(2, 4)
    ('3', '2..4')
    """
    return str(upper) if lower == upper else f"{lower}..{upper}"


def _block(widths: Sequence[GenericWidth]) -> list[RenderableType]:
    first = widths[0]
    grid = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="")
    grid.add_column("units", no_wrap=True)
    for column in ("width", "projections", "parameters"):
        grid.add_column(column, justify="right", no_wrap=True)
    grid.add_column("at least", overflow="fold")
    for w in widths:
        grid.add_row(
            Text(w.units),
            *(Text(interval(w.lower * each, w.upper * each)) for each in (1, w.projections, w.cone)),
            Text(w.lower_reason),
        )
    lines: list[RenderableType] = [Text(heading(first)), Text(), grid, Text()]
    for what, each in (
        ("units", [1] * len(widths)),
        ("input projections", [w.projections for w in widths]),
        ("parameters", [w.cone for w in widths]),
    ):
        lines.append(Text(f"fewest {what:18} {_fewest(widths, each)}"))
    return lines


def heading(width: GenericWidth) -> str:
    """What the widths of a block are about."""
    n, d, m = width.variables, width.degree, width.outputs
    forms = f"forms of degree {d}" if m == 1 else f"{m} forms of degree {d}"
    names = "1 variable" if n == 1 else f"{n} variables"
    return f"generic width over CC: {forms} in {names}, {width.dimension} coefficients"


def _fewest(widths: Sequence[GenericWidth], each: Sequence[int]) -> str:
    """The kinds that need the least of something, and how certain that is."""
    least = min(w.upper * k for w, k in zip(widths, each, strict=True))
    best = [w.units for w, k in zip(widths, each, strict=True) if w.upper * k == least]
    rivals = [
        w.units for w, k in zip(widths, each, strict=True) if w.units not in best and w.lower * k <= least
    ]
    open_ = f" (perhaps {', '.join(rivals)})" if rivals else ""
    return f"{least}  {', '.join(best)}{open_}"
