"""The catalogues as tables: methods, and targets that have a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rankproof.bounds.method import Method
    from rankproof.problem.library import NamedTarget


class Rule(Protocol):
    """What the catalogue says about a rule of the verifier."""

    @property
    def theorems(self) -> tuple[str, ...]: ...


def methods(catalogue: Iterable[Method]) -> RenderableType:
    """Methods in the order in which they are tried: name, tier and rule, what they do, units and fields."""
    parts: list[RenderableType] = []
    catalogue = tuple(catalogue)
    for side, heading in (("lower", "lower bounds"), ("upper", "upper bounds")):
        parts += [Text(), Text(heading, style="bold")] if parts else [Text(heading, style="bold")]
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for method in catalogue:
            if method.side != side:
                continue
            rule = "" if method.rule == method.name else f", checked by {method.rule}"
            table.add_row(Text(f"  {method.name}"), Text(f"{method.summary}"))
            table.add_row(
                Text(),
                Text(
                    f"{', '.join(method.units)}; over {method.fields}; tier {method.tier}{rule}", style="dim"
                ),
            )
        parts.append(table)
    return Group(*parts)


def rules(table: Mapping[str, Rule], catalogue: Iterable[Method]) -> RenderableType:
    """The verifier's rules: which methods use them, and on which published theorems they rest."""
    catalogue = tuple(catalogue)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, rule in table.items():
        users = list(dict.fromkeys(method.name for method in catalogue if method.rule == name))
        proved = f"rests on {', '.join(rule.theorems)}" if rule.theorems else "proved on its page"
        used = f"used by {', '.join(users)}" if users else "used by certificates made elsewhere"
        grid.add_row(Text(f"  {name}"), Text(f"{proved}; {used}"))
    return Group(Text("rules of the verifier", style="bold"), grid)


def named_targets(catalogue: Iterable[NamedTarget]) -> RenderableType:
    """Named targets: how each is written, and what it is."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    table.add_column("target", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for named in catalogue:
        table.add_row(Text(named.signature), Text(named.summary))
    return table
