"""Options that hold lists of mathematical names: units and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankproof.errors import UsageError

if TYPE_CHECKING:
    from rankproof.problem.field import Field


def split_names(text: str, option: str) -> tuple[str, ...]:
    """The names of a list, split at the commas outside parentheses.

    Parameters
    ----------
    text
        Such as ``QQ,GF(7),QQ(sqrt(3))``.
    option
        The option it was given to, for the error.

    Raises
    ------
    UsageError
        If a name is empty or given twice, or the parentheses do not match.

    Examples
    --------
    >>> split_names("QQ, GF(7)", "--field")
    ('QQ', 'GF(7)')
    """
    names: list[str] = []
    depth, start = 0, 0
    for position, character in enumerate(f"{text},"):
        if character == "," and depth == 0:
            names.append(text[start:position].strip())
            start = position + 1
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        if depth < 0:
            break
    if depth:
        raise UsageError(f"{option} {text}: the parentheses do not match")
    if not all(names):
        raise UsageError(f"{option} {text}: an empty name; write names separated by single commas")
    repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if repeated is not None:
        raise UsageError(f"{option} {text}: {repeated} is there twice")
    return tuple(names)


def read_units(text: str | None) -> tuple[str, ...] | None:
    """The unit models of ``--units``; ``None`` leaves the choice to the target."""
    if text is None:
        return None
    from rankproof.problem.units import unit_model

    return tuple(unit_model(name).name for name in split_names(text, "--units"))


def read_fields(text: str | None) -> tuple[Field, ...] | None:
    """The fields of ``--field``; ``None`` leaves the choice to the target."""
    if text is None:
        return None
    from rankproof.problem.field import Field

    return tuple(Field.parse(name) for name in split_names(text, "--field"))
