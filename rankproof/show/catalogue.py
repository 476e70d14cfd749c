"""The catalogues as tables: methods, and targets that have a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rankproof.bounds.method import Method
    from rankproof.problem.library import NamedTarget


def methods(catalogue: Iterable[Method]) -> RenderableType:
    """Methods in the order in which they are tried: name, bound, units, fields, tier and rule, and what they do."""
    parts: list[RenderableType] = []
    catalogue = tuple(catalogue)
    for side, heading in (("lower", "lower bounds"), ("upper", "upper bounds")):
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="", expand=False)
        table.add_column(heading, no_wrap=True)
        table.add_column("units", overflow="fold", min_width=8)
        table.add_column("fields", overflow="fold", min_width=6)
        table.add_column("tier", no_wrap=True)
        table.add_column("rule", no_wrap=True)
        table.add_column("what it does", overflow="fold", min_width=16)
        for method in catalogue:
            if method.side == side:
                row = (method.name, ", ".join(method.units), method.fields, method.tier, method.rule, method.summary)
                table.add_row(*(Text(cell) for cell in row))
        parts += [Text(), table] if parts else [table]
    return Group(*parts)


def named_targets(catalogue: Iterable[NamedTarget]) -> RenderableType:
    """Named targets: how each is written, and what it is."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    table.add_column("target", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for named in catalogue:
        table.add_row(Text(named.signature), Text(named.summary))
    return table
