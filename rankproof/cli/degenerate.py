"""``rankproof degenerate``: how close so many units come to a target, and an exact family that tends to it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import asking, one_target
from rankproof.cli.command import Command
from rankproof.errors import NothingProved

if TYPE_CHECKING:
    from rankproof.bounds.degeneration import Result
    from rankproof.bounds.method import Bound
    from rankproof.cli.asking import Asked
    from rankproof.problem.decomposition import BorderFamily, Decomposition
    from rankproof.problem.field import Field
    from rankproof.prove import Proof

_DESCRIPTION = """\
Say how close a given number of units comes to a target, and prove it where
they come arbitrarily close. The best sums of units are followed as a
regularisation fades away, and look

  exact    the units stay bounded and the residual tends to 0,
  border   the residual tends to 0 and the units grow without bound,
  plateau  the residual stays away from 0.

Then a family of units with coordinates in QQ[eps, 1/eps] that tends to the
target is looked for from random starts, made simple, and checked exactly; for
'exact' it is a sum without eps. The certificate states a border rank, or a
rank. What the numbers look like proves nothing.

The same seed gives the same result, whatever the number of processes, unless
the time runs out."""

_EXAMPLES = """\
examples:
  rankproof degenerate "x**2*y" --units tied --width 2
  rankproof degenerate "W(3)" --width 2
  rankproof degenerate "coppersmith_winograd(2)" --width 4 --budget 120
  rankproof degenerate "x*u**2 + y*u*v + z*v**2" --units tied --width 5

exit status:
  0  an exact family, or sum, was found and its certificate written
  2  wrong usage                   3  the target cannot be read
  4  nothing exact was found       70 a bug in rankproof"""

_REFUTED = 16
"""Paths that are followed for their own sake, where it is proved that so few units are too few."""


@dataclass
class _Found:
    """What the search came to.

    Attributes
    ----------
    result
        The evidence, and the family if there is one.
    exact
        A sum without eps, where the evidence says that there is one and it was recovered.
    at_least
        A proved lower bound on the border rank.
    proof
        The certificate of the family or sum.
    """

    result: Result
    exact: Decomposition | None
    at_least: int
    proof: Proof | None


def _configure(parser: ArgumentParser) -> None:
    one_target.configure(parser, width_required=True)


def _run(arguments: Namespace) -> int:
    asked = one_target.only(asking.read_target(arguments.target))
    units = one_target.one_kind(arguments.units, asked)
    over = one_target.one_field(arguments.field, asked)
    path = None if arguments.no_write else one_target.certificate_path(arguments.output, asked)
    found = _search(arguments, asked, units, over)
    if found.proof is not None and path is not None:
        found.proof.certificate.write(path)
    if arguments.json:
        print(json.dumps(_object(arguments, asked, units, over, found, path)))
    elif not arguments.quiet:
        _print(arguments, asked, units, over, found, path)
    if found.proof is None:
        raise NothingProved(_failure(units, over, found))
    return 0


def _search(arguments: Namespace, asked: Asked, units: str, over: Field) -> _Found:
    from rankproof.bounds.degeneration import degenerate
    from rankproof.bounds.numerical import search
    from rankproof.cli.console import progress

    at_least = _lower_bound(arguments, asked, units, over)
    with progress(not arguments.quiet) as say:
        result = degenerate(
            asked.target,
            units,
            arguments.width,
            over,
            seed=arguments.seed,
            seconds=arguments.budget,
            processes=arguments.processes,
            # Where so few units are refuted, the evidence is all that can be had.
            paths=min(arguments.starts or 1_000_000, _REFUTED if at_least > arguments.width else 1_000_000),
            progress=say,
        )
        exact = None
        if result.evidence.verdict == "exact":
            exact = search(
                asked.target,
                units,
                arguments.width,
                over,
                seed=arguments.seed,
                seconds=max(1.0, arguments.budget - result.seconds),
                processes=arguments.processes,
                progress=say,
            ).decomposition
    bounds = _bounds(asked, units, result, exact)
    return _Found(
        result, exact, at_least, one_target.prove(arguments, asked, units, bounds) if bounds else None
    )


def _lower_bound(arguments: Namespace, asked: Asked, units: str, over: Field) -> int:
    """What is quickly proved about the border rank from below."""
    from rankproof.problem.field import CC, RR
    from rankproof.prove import certify

    limit = CC if over == CC else RR
    try:
        proof = certify(
            asked.target,
            units=(units,),
            fields=(limit,),
            budget=min(one_target.LOWER_SECONDS, arguments.budget),
            seed=arguments.seed,
            sides=("lower",),
        )
    except NothingProved:
        return 1
    return max((answer.lower for answer in proof.answers if answer.quantity == "border_rank"), default=1)


def _bounds(asked: Asked, units: str, result: Result, exact: Decomposition | None) -> list[Bound]:
    """The sum without eps; or the family, and the sum of its values at several eps."""
    from rankproof.bounds.explicit import decomposition_bound, family_bound
    from rankproof.exact.interpolation import interpolated

    target = asked.target
    if exact is not None:
        return [decomposition_bound(target, units, exact.ring, exact.units)]
    family = result.family
    if family is None:
        return []
    reason = f"{len(family)} units in eps, along a path of fading regularisation"
    values = interpolated(family, target.space)
    return [
        family_bound(target, units, family.ring, family.order, family.units, reason),
        decomposition_bound(
            target, units, values.ring, values.units, f"values of {len(family)} units in eps"
        ),
    ]


def _failure(units: str, over: Field, found: _Found) -> str:
    result = found.result
    wanted = f"{result.width} {units} units over {over}"
    if found.at_least > result.width:
        return (
            f"{wanted} stay away from the target: the border rank is proved to be at least {found.at_least}"
        )
    verdict = result.evidence.verdict
    if verdict == "exact":
        return f"{wanted} reach the target in floating point, and none could be made exact"
    if result.successes:
        return (
            f"{result.successes} of {sum(result.fits.values())} fits reach a family of {wanted} in floating point,"
            " and none could be made exact; give more time with --budget, another --seed or another --field"
        )
    looks = "seem to come arbitrarily close" if verdict == "border" else "seem to stay away from it"
    return f"{wanted} {looks}, and no exact family was found; this proves nothing"


def _object(
    arguments: Namespace, asked: Asked, units: str, over: Field, found: _Found, path: Path | None
) -> dict[str, Any]:
    """The JSON object of ``--json``, schema ``rankproof/degenerate/1``."""
    result, evidence = found.result, found.result.evidence
    best = evidence.best if evidence.paths else None
    return {
        "schema": "rankproof/degenerate/1",
        "target": asked.target.text,
        "units": units,
        "width": result.width,
        "field": str(over),
        "seed": arguments.seed,
        "evidence": None
        if best is None
        else {
            "verdict": evidence.verdict,
            "paths": len(evidence.paths),
            "agreeing": evidence.agreeing,
            "residual": best.residuals[-1],
            "largest_unit": best.terms[-1],
            "residual_slope": best.residual_slope,
            "unit_slope": best.term_slope,
            "path": [list(row) for row in zip(best.ridges, best.residuals, best.terms, strict=True)],
        },
        "border_rank_at_least": found.at_least,
        "fits": {str(q): count for q, count in sorted(result.fits.items())},
        "families": {str(q): count for q, count in sorted(result.reached.items())},
        "tried": result.tried,
        "found": _found_object(found, asked),
        "certificate": None if found.proof is None or path is None else str(path),
        "verified": found.proof is not None and found.proof.verdict.ok,
        "seconds": round(result.seconds, 3),
        "version": __version__,
    }


def _found_object(found: _Found, asked: Asked) -> dict[str, Any] | None:
    from rankproof.exact.border_families import error_order, exponents, growth

    if found.exact is not None:
        return {"kind": "decomposition", "width": len(found.exact), "ring": str(found.exact.ring)}
    family: BorderFamily | None = found.result.family
    if family is None:
        return None
    return {
        "kind": "border family",
        "width": len(family),
        "ring": str(family.ring),
        "growth": growth(family),
        "error_order": error_order(family, asked.target),
        "exponents": list(exponents(family, asked.target)),
    }


def _print(
    arguments: Namespace, asked: Asked, units: str, over: Field, found: _Found, path: Path | None
) -> None:
    from rankproof.cli.console import output, write
    from rankproof.show.degenerate import summary

    console = output()
    write(
        console, summary(asked.target, units, over, arguments.seed, found.result, found.exact, found.at_least)
    )
    if found.proof is not None:
        one_target.print_proof(asked, found.proof, path)


COMMAND = Command(
    name="degenerate",
    summary="say how close so many units come, with an exact border family",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
