"""What a numerical search did, as a person reads it."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from rankproof.show.answers import labelled, target_line
from rankproof.show.quantities import plural, seconds_in_words

if TYPE_CHECKING:
    from rankproof.bounds.numerical import Result
    from rankproof.problem.field import Field
    from rankproof.problem.target import Target

BORDER = 1e-2
"""Relative residual below which a search without a solution comes close; above it is just a local minimum."""

LARGE = 5.0
"""Norm of a unit, relative to the target's, from which on units cancel each other."""


def summary(
    target: Target, units: str, over: Field, seed: int, result: Result, *, near: bool = False
) -> RenderableType:
    """The target, the restarts, the best solution, and how it was made exact; `near` when it was only proved to be near."""
    asked = f"{plural(result.width, f'{units} unit')} over {over}, seed {seed}"
    starts = (
        f"{len(result.costs)}, of which {result.successes} reach a solution in floating point;"
        f" {median(result.steps):.0f} steps each; {seconds_in_words(result.seconds)}"
    )
    lines = [
        target_line(target),
        labelled("search", Text(asked)),
        labelled("starts", Text(starts)),
        labelled("residual", Text(f"{result.residual:.1e} at best, relative to the target")),
    ]
    if result.successes:
        lines.append(labelled("solution", Text(_solution(result))))
    if result.decomposition is not None:
        found = result.decomposition
        made = f"{plural(len(found), 'unit')} over {found.ring}, from start {result.restart}"
        lines.append(labelled("exact", Text(f"{made}: {result.tried[-1].removesuffix(': exact')}")))
    elif result.successes:
        lines += [labelled("" if k else "not exact", Text(line)) for k, line in enumerate(result.tried)]
        if near:
            proved = f"{plural(result.width, 'exact unit')} over {over}, by a contraction"
            lines.append(labelled("proved near", Text(proved)))
    elif result.residual < BORDER and result.largest > LARGE:
        lines.append(labelled("", Text(_LIKE_A_LIMIT)))
    return Group(*lines, Text())


_LIKE_A_LIMIT = (
    "the closest sums have units that are much larger than the target and cancel each other, as near a"
    " border rank"
)


def _solution(result: Result) -> str:
    family = f"a family of dimension {result.nullity}" if result.nullity else "isolated"
    return (
        f"{family}; condition {result.condition:.0f}; largest unit {result.largest:.1f} times the norm of the"
        " target"
    )


__all__ = ["summary"]
