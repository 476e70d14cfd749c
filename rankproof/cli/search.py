"""``rankproof search``: look for a sum of so many units in floating point, and make it exact."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import asking, one_target
from rankproof.cli.command import Command
from rankproof.errors import NothingProved, UsageError

if TYPE_CHECKING:
    from rankproof.bounds.method import Bound
    from rankproof.bounds.numerical import Result
    from rankproof.cli.asking import Asked
    from rankproof.problem.field import Field
    from rankproof.prove import Proof

_DESCRIPTION = """\
Look for a sum of a given number of units from random starts, in floating point,
and make it exact: coordinates are moved to simple values for as long as the
others can follow, and then recognised as rational or algebraic numbers. Where
that fails, as for most forms, a contraction may show that exact real or
complex units exist near the approximate ones. Either way a certificate is
written; what floating point alone finds proves nothing.

The same seed gives the same result, whatever the number of processes, unless
the time runs out."""

_EXAMPLES = """\
examples:
  rankproof search "matmul(2,2,2)" --width 7
  rankproof search "matmul(3,3,3)" --width 23 --processes 2 --budget 300
  rankproof search "x**2*y*z" --units tied --width 6 --field QQ
  rankproof search "x**2*y**2" --units untied --width 2      needs a square root
  rankproof search "x**2*y**2" --units tied --width 3 --field CC
  rankproof search "matmul(3,4,5)" --lift factorizations_f2.npz --scheme 3,4,5

exit status:
  0  an exact sum was found and its certificate written
  2  wrong usage                   3  the target cannot be read
  4  no exact sum was found        70 a bug in rankproof"""

_SOLUTIONS = 20
"""Solutions in floating point after which an exact sum is no longer waited for, if one is proved to exist."""


def _configure(parser: ArgumentParser) -> None:
    one_target.configure(parser, width_required=False)
    parser.add_argument(
        "--lift",
        metavar="FILE",
        type=Path,
        help="lift a scheme over GF(p) to the rationals instead of starting at random",
    )
    parser.add_argument("--scheme", metavar="KEY", help="which scheme of a FILE of several")


def _run(arguments: Namespace) -> int:
    from rankproof.bounds.numerical import search
    from rankproof.cli.console import progress

    asked = one_target.only(asking.read_target(arguments.target))
    units = one_target.one_kind(arguments.units, asked)
    over = one_target.one_field(arguments.field, asked)
    if (arguments.width is None) == (arguments.lift is None):
        raise UsageError("say how many units to search for with --width, or which scheme to lift with --lift")
    path = None if arguments.no_write else one_target.certificate_path(arguments.output, asked)
    if arguments.lift is not None:
        return _run_lift(arguments, asked, path)
    near = _Near(asked, units, over)
    with progress(not arguments.quiet) as say:
        result = search(
            asked.target,
            units,
            arguments.width,
            over,
            seed=arguments.seed,
            restarts=arguments.starts or 1_000_000_000,
            seconds=arguments.budget,
            processes=arguments.processes,
            enough=near.settled,
            progress=say,
        )
    bound = _exact(asked, units, result) or near.bound(result)
    proof = None if bound is None else one_target.prove(arguments, asked, units, [bound])
    if proof is not None and path is not None:
        proof.certificate.write(path)
    if arguments.json:
        print(json.dumps(_object(arguments, asked, units, over, result, proof, path)))
    elif not arguments.quiet:
        _print(arguments, asked, units, over, result, proof, path)
    if proof is None:
        raise NothingProved(_failure(units, over, result))
    return 0


def _run_lift(arguments: Namespace, asked: Asked, path: Path | None) -> int:
    from rankproof.bounds.explicit import decomposition_bound
    from rankproof.cli import lifting

    modular, label = lifting.modular_scheme(arguments, asked)
    found = lifting.lifted_to_the_rationals(asked, modular, label)
    bound = decomposition_bound(asked.target, "product", found.ring, found.units)
    proof = one_target.prove(arguments, asked, "product", [bound])
    if path is not None:
        proof.certificate.write(path)
    if arguments.json:
        print(lifting.as_json(asked, modular, found, proof, path))
    elif not arguments.quiet:
        lifting.show(asked, modular, label, found)
        one_target.print_proof(asked, proof, path)
    return 0


def _exact(asked: Asked, units: str, result: Result) -> Bound | None:
    from rankproof.bounds.explicit import decomposition_bound

    found = result.decomposition
    return None if found is None else decomposition_bound(asked.target, units, found.ring, found.units)


@dataclass
class _Near:
    """Real or complex units that are proved to exist near the best solution: as good as exact ones, and not as short."""

    asked: Asked
    units: str
    over: Field
    tried: int = 0
    found: Bound | None = None

    def bound(self, result: Result) -> Bound | None:
        from rankproof.bounds.explicit import near_bound

        if self.found is None and result.successes > self.tried and result.factors is not None:
            self.tried = result.successes
            self.found = near_bound(self.asked.target, self.units, self.over, result.factors.units())
        return self.found

    def settled(self, result: Result) -> bool:
        """Whether enough solutions could not be made exact, so that units that exist will do."""
        return result.successes >= _SOLUTIONS and self.bound(result) is not None


def _failure(units: str, over: Field, result: Result) -> str:
    if result.successes:
        return (
            f"{result.successes} of {len(result.costs)} starts reach {result.width} {units} units over {over} in floating"
            " point, and none could be made exact; give more time with --budget, another --seed or another --field"
        )
    return (
        f"none of {len(result.costs)} starts reaches {result.width} {units} units over {over}"
        f" (best relative residual {result.residual:.1e}); this proves nothing about fewer or other starts"
    )


def _object(
    arguments: Namespace,
    asked: Asked,
    units: str,
    over: Field,
    result: Result,
    proof: Proof | None,
    path: Path | None,
) -> dict[str, Any]:
    """The JSON object of ``--json``, schema ``rankproof/search/1``."""
    found = result.decomposition
    return {
        "schema": "rankproof/search/1",
        "target": asked.target.text,
        "units": units,
        "width": result.width,
        "field": str(over),
        "seed": arguments.seed,
        "starts": len(result.costs),
        "solutions": result.successes,
        "steps": result.steps,
        "residual": result.residual,
        "family_dimension": result.nullity if result.successes else None,
        "condition": result.condition if result.successes else None,
        "largest_unit": result.largest,
        "tried": result.tried,
        "found": None
        if found is None
        else {"width": len(found), "ring": str(found.ring), "start": result.restart},
        "certificate": None if proof is None or path is None else str(path),
        "verified": proof is not None and proof.verdict.ok,
        "seconds": round(result.seconds, 3),
        "version": __version__,
    }


def _print(
    arguments: Namespace,
    asked: Asked,
    units: str,
    over: Field,
    result: Result,
    proof: Proof | None,
    path: Path | None,
) -> None:
    from rankproof.cli.console import output, write
    from rankproof.show.search import summary

    write(output(), summary(asked.target, units, over, arguments.seed, result, near=proof is not None))
    if proof is not None:
        one_target.print_proof(asked, proof, path)


COMMAND = Command(
    name="search",
    summary="look for a sum of so many units numerically, and make it exact",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
