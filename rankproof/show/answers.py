"""What `certify` found, as a person reads it: the table of answers, the separation, and the report of the methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rankproof.problem.question import QUANTITIES, Floor, Quantity
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.quantities import interval, plural, seconds_in_words
from rankproof.show.remarks import remarks, upper_reason

if TYPE_CHECKING:
    from rankproof.bounds.method import Outcome
    from rankproof.certificate.document import Conclusion
    from rankproof.prove import Answer, Proof

LONGEST_TARGET = 300
"""Characters of a target that are printed; the rest is in the certificate."""

FORMULA_MARGIN = 17
"""Blanks in front of a formula that has its own lines."""

_LABEL_WIDTH = 12


def shape_in_words(space: Space) -> str:
    """What kind of object lives in a space.

    Examples
    --------
    >>> shape_in_words(Space.form(2, 3)), shape_in_words(Space.tensor(4, 6, 6))
    ('degree 3, 2 variables', '4x6x6 tensor')
    """
    if space.is_tensor and len(space.factors) > 2:
        return f"{'x'.join(str(dimension) for dimension, _ in space.factors)} tensor"
    if not space.is_polynomial:
        return f"{space}"
    words = [f"degree {space.form_degree}", plural(space.variables_count, "variable")]
    if space.outputs > 1:
        words.append(plural(space.outputs, "output"))
    return ", ".join(words)


def unit_in_words(units: str, space: Space) -> str:
    """One unit of a model as a formula.

    Examples
    --------
    >>> unit_in_words("tied", Space.form(2, 3)), unit_in_words("untied", Space.form(2, 3))
    ('w*a^3', 'w*a^2*b')
    """
    if units == "product":
        return "(x)".join(chr(ord("a") + k) for k in range(len(space.factors)))
    d = space.form_degree
    if units == "tied":
        powers = [("a", d)]
    elif units == "split":
        return "*".join(("w", *(f"l{k + 1}" for k in range(d)))) if d <= 3 else f"w*l1*...*l{d}"
    else:
        k = 1 if units == "untied" else int(units.partition(":")[2])
        powers = [("a", d - k), ("b", k)]
    return "*".join(("w", *(name if power == 1 else f"{name}^{power}" for name, power in powers if power)))


def target_line(target: Target, note: str = "") -> RenderableType:
    """The target and what kind of object it is; ``note`` says how it came out of what was asked."""
    text = target.text
    if len(text) > LONGEST_TARGET:
        cut = text.rfind(" ", 0, LONGEST_TARGET)
        text = (
            f"{text[: cut if cut > 0 else LONGEST_TARGET]} ... ({plural(len(target.entries), 'coefficient')})"
        )
    described = Text.assemble((text, "bold"), "      ", shape_in_words(target.space))
    return labelled("target", Text.assemble(described, f"\n{note}") if note else described)


def labelled(label: str, body: RenderableType) -> RenderableType:
    """A line or paragraph with its label in the margin."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=_LABEL_WIDTH, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label), body)
    return grid


def unwrapped(lines: Iterable[str]) -> RenderableType:
    """Lines with a margin, as long as they are: a formula that is cut at the edge could not be copied.

    They have to be printed with ``crop=False``.
    """
    margin = " " * FORMULA_MARGIN
    return Text("\n".join(f"{margin}{line}" for line in lines), no_wrap=True, overflow="ignore")


def answers(proof: Proof, console: Console, *, note: str = "") -> RenderableType:
    """The target, the table of answers and what they say about units.

    Parameters
    ----------
    proof
        What `rankproof.prove.certify` returned.
    console
        Where it will be printed: a narrow one gets the reasons below the table, a wide one beside it.
    note
        How the target came out of what was asked, such as its being one degree of an inhomogeneous polynomial.
    """
    found = [replace(answer, upper_reason=upper_reason(proof, answer)) for answer in proof.answers]
    models = list(dict.fromkeys(answer.units for answer in found))
    columns = _columns(found, models)
    beside = _table(found, proof.target.space, models, columns, reasons=found)
    parts: list[RenderableType] = [target_line(proof.target, note), Text()]
    if Measurement.get(console, console.options.update(max_width=10_000), beside).maximum <= console.width:
        parts.append(beside)
    else:
        bare = _table(found, proof.target.space, models, columns)
        parts += [bare, Text(), _reasons_below(found, models)]
    for index, remark in enumerate(remarks(proof)):
        if not index:
            parts.append(Text())
        parts.append(labelled("" if index else "separation", Text(remark.sentence)))
        if remark.identity:
            parts.append(unwrapped([remark.identity]))
    for index, belief in enumerate(proof.beliefs):
        if not index:
            parts.append(Text())
        parts.append(labelled("" if index else "numerics", Text(f"{belief}", style="dim")))
    return Group(*parts, Text())


def conclusion(stated: Sequence[Conclusion], space: Space) -> RenderableType:
    """The table of what a certificate states, without reasons."""
    models = list(dict.fromkeys(answer.units for answer in stated))
    return _table(stated, space, models, _columns(stated, models))


def report(proof: Proof) -> RenderableType:
    """What every method did, in the order in which they ran."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for heading in ("method", "units", "over"):
        table.add_column(heading, no_wrap=True)
    table.add_column("time", no_wrap=True, justify="right")
    table.add_column("result", overflow="fold")
    for outcome in proof.report:
        table.add_row(*(Text(cell) for cell in _outcome_cells(outcome)))
    return table


def _outcome_cells(outcome: Outcome) -> tuple[str, ...]:
    place = outcome.method, outcome.units, str(outcome.field)
    if outcome.status == "not applicable":
        return (outcome.method, outcome.units, "", "", outcome.status)
    result = f"{outcome.status}: {outcome.detail}" if outcome.detail else outcome.status
    return (*place, seconds_in_words(outcome.seconds) if outcome.seconds else "", result)


# The table


Column = tuple[str, Quantity | Floor, str]
"""Heading, quantity and field."""


def _columns(found: Sequence[Answer | Conclusion], models: Sequence[str]) -> list[Column]:
    """A rank column a field, then the border columns, equal ones as one, and a column a floor."""
    columns: list[Column] = []
    for quantity in QUANTITIES:
        fields = list(dict.fromkeys(str(answer.field) for answer in found if answer.quantity == quantity))
        groups: dict[tuple[str, ...], list[str]] = {}
        for field in fields:
            content = tuple(_cell(found, units, quantity, field) for units in models)
            groups.setdefault(content if quantity == "border_rank" else (field,), []).append(field)
        for names in groups.values():
            heading = names[0] if quantity == "rank" else f"border ({', '.join(names)})"
            columns.append((heading, quantity, names[0]))
    floors = dict.fromkeys((a.quantity, str(a.field)) for a in found if isinstance(a.quantity, Floor))
    return columns + [(f"{quantity} ({field})", quantity, field) for quantity, field in floors]


def _cell(found: Iterable[Answer | Conclusion], units: str, quantity: Quantity | Floor, field: str) -> str:
    for answer in found:
        if (answer.units, answer.quantity, str(answer.field)) == (units, quantity, field):
            return interval(answer.lower, answer.upper)
    return ""


def _table(
    found: Sequence[Answer | Conclusion],
    space: Space,
    models: Sequence[str],
    columns: Sequence[Column],
    reasons: Sequence[Answer] = (),
) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="", collapse_padding=False)
    table.add_column("units", no_wrap=True)
    table.add_column("", no_wrap=True)
    for heading, _, _ in columns:
        table.add_column(heading, no_wrap=True, justify="right")
    if reasons:
        table.add_column("why at least", overflow="fold")
        table.add_column("why at most", overflow="fold")
    for units in models:
        cells = [Text(units), Text(unit_in_words(units, space), style="dim")]
        cells += [Text(_cell(found, units, quantity, field), style="bold") for _, quantity, field in columns]
        if reasons:
            cells += [Text("\n".join(_reasons(reasons, units, side))) for side in ("lower", "upper")]
        table.add_row(*cells)
    return table


def _reasons(found: Iterable[Answer], units: str, side: str) -> list[str]:
    """The reasons of one side, each once, with the questions it answers where there are several."""
    groups: dict[str, list[Answer]] = {}
    for answer in found:
        reason = answer.lower_reason if side == "lower" else answer.upper_reason
        if answer.units == units and reason:
            groups.setdefault(reason, []).append(answer)
    if len(groups) <= 1:
        return list(groups)
    return [f"{_questions(group)}: {reason}" for reason, group in groups.items()]


def _questions(group: Iterable[Answer]) -> str:
    """Which questions a group of answers is about: ``QQ, RR; border CC``."""
    by_quantity: dict[str, list[str]] = {}
    for answer in group:
        by_quantity.setdefault(str(answer.quantity), []).append(str(answer.field))
    return "; ".join(
        ("" if quantity == "rank" else "border ") + ", ".join(fields)
        for quantity, fields in by_quantity.items()
    )


def _reasons_below(found: Sequence[Answer], models: Sequence[str]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for units in models:
        first = units
        for side, words in (("lower", "at least"), ("upper", "at most")):
            for index, reason in enumerate(_reasons(found, units, side)):
                grid.add_row(Text(first), Text(words if index == 0 else ""), Text(reason))
                first = ""
    return grid


__all__ = [
    "FORMULA_MARGIN",
    "LONGEST_TARGET",
    "answers",
    "conclusion",
    "labelled",
    "report",
    "shape_in_words",
    "target_line",
    "unwrapped",
    "unit_in_words",
]
