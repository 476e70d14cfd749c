"""How close units come to a target, as a person reads it: the evidence, and the family with its price."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from rankproof.exact.border_families import error_order, exponents, growth
from rankproof.exact.interpolation import interpolated
from rankproof.show.answers import labelled, target_line, unwrapped
from rankproof.show.formula import border_family
from rankproof.show.notation import TEXT
from rankproof.show.quantities import plural, seconds_in_words

if TYPE_CHECKING:
    from rankproof.bounds.degeneration import Result
    from rankproof.numeric.degeneration import Evidence
    from rankproof.problem.decomposition import BorderFamily, Decomposition
    from rankproof.problem.field import Field
    from rankproof.problem.target import Target

MOST_UNITS = 12
"""Units that are written out; ``rankproof show`` writes more."""


def summary(
    target: Target,
    units: str,
    over: Field,
    seed: int,
    result: Result,
    exact: Decomposition | None,
    at_least: int,
) -> RenderableType:
    """The target, what the paths look like, the random starts, and what was made exact.

    Parameters
    ----------
    target, units, over, seed
        What was asked.
    result
        What the search for a family found.
    exact
        A sum without eps, where one was found.
    at_least
        A proved lower bound on the border rank.
    """
    asked = f"{plural(result.width, f'{units} unit')} over {over}, seed {seed}; {seconds_in_words(result.seconds)}"
    lines = [target_line(target), labelled("degenerate", Text(asked))]
    if result.evidence.paths:
        lines += _evidence(result.evidence)
    if at_least > result.width:
        lines.append(labelled("", Text(f"proved: the border rank is at least {at_least}")))
    if result.fits:
        tried = ", ".join(
            f"{result.reached.get(q, 0)} of {count} at eps**{q}" for q, count in sorted(result.fits.items())
        )
        lines.append(labelled("fits", Text(f"to paths that become families in floating point: {tried}")))
    if exact is not None:
        lines.append(labelled("exact", Text(f"{plural(len(exact), 'unit')} over {exact.ring}, without eps")))
    elif result.family is not None:
        lines += _family(target, result.family, result)
    elif result.successes:
        lines += [labelled("" if k else "not exact", Text(line)) for k, line in enumerate(result.tried)]
    return Group(*lines, Text())


def _evidence(evidence: Evidence) -> list[RenderableType]:
    best = evidence.best
    slopes = (
        f"residual ~ ridge**{best.residual_slope:.2f}, largest unit ~ ridge**{best.term_slope + 0:.2f};"
        f" at ridge {best.ridges[-1]:.0e} they are {best.residuals[-1]:.1e} and {best.terms[-1]:.2g}"
        " times the norm of the target"
    )
    agree = f"{evidence.agreeing} of {plural(len(evidence.paths), 'path')} of fading regularisation"
    verdict = {
        "exact": f"exact: the residual of {agree} tends to 0, and the units stay bounded",
        "border": f"border: the residual of {agree} tends to 0 while the units grow without bound",
        "plateau": f"plateau: the residual of {agree} stays away from 0",
    }[evidence.verdict]
    return [labelled("looks", Text(verdict)), labelled("", Text(slopes))]


def _family(target: Target, family: BorderFamily, result: Result) -> list[RenderableType]:
    how = result.tried[-1].removesuffix(": exact")
    made = f"{plural(len(family), 'unit')} over {family.ring}[eps, 1/eps]: {how}"
    lines: list[RenderableType] = [labelled("family", Text(made))]
    if len(family) <= MOST_UNITS:
        identity = border_family(target, family, "target", TEXT)
        first, *others = identity.lines()
        lines.append(unwrapped([f"{identity.left} =", first, *others]))
    h, e = growth(family), error_order(family, target)
    error = "no error" if e is None else f"an error of order {_power(e)}"
    lines.append(labelled("price", Text(f"{error} for units that grow like {_power(-h)}")))
    present, exact = exponents(family, target), interpolated(family, target.space)
    values = plural(len(present), "value")
    lines.append(labelled("rank", Text(f"at most {len(exact)}, by interpolation at {values} of eps")))
    return lines


def _power(e: int) -> str:
    return "1" if e == 0 else "eps" if e == 1 else f"eps**{e}"


__all__ = ["summary"]
