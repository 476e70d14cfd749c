"""``rankproof search``: look for a sum of so many units in floating point, and make it exact."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import asking
from rankproof.cli.command import Command
from rankproof.cli.files import check_writable, file_name, free_name
from rankproof.errors import NothingProved, TargetError, UsageError

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

_LOWER_SECONDS = 0.5
"""Time for lower bounds, so that the certificate states an interval; 'rankproof certify' takes longer for better ones."""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help=asking.HELP)
    parser.add_argument(
        "--units",
        metavar="NAME",
        help="product, tied, untied, mixed:k or split (default: product for tensors)",
    )
    parser.add_argument("--width", metavar="N", type=_positive, help="number of units")
    parser.add_argument(
        "--lift",
        metavar="FILE",
        type=Path,
        help="lift a scheme over GF(p) to the rationals instead of starting at random",
    )
    parser.add_argument("--scheme", metavar="KEY", help="which scheme of a FILE of several")
    parser.add_argument(
        "--field", metavar="FIELD", default=None, help="where the coordinates lie: QQ, RR or CC (default: RR)"
    )
    parser.add_argument(
        "--budget", metavar="SECONDS", type=_seconds, default=60.0, help="time for the search (default: 60)"
    )
    parser.add_argument("--starts", metavar="N", type=_positive, help="greatest number of random starts")
    parser.add_argument(
        "--seed", metavar="N", type=_natural, default=0, help="seed of the starts (default: 0)"
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=_positive,
        default=1,
        help=f"how many processes work (default: 1; this machine has {os.cpu_count() or 1} processors)",
    )
    written = parser.add_mutually_exclusive_group()
    written.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        type=Path,
        help="the certificate (default: a name made from the target)",
    )
    written.add_argument(
        "--no-write", action="store_true", help="write no certificate; it is checked all the same"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the summary")
    parser.add_argument("-q", "--quiet", action="store_true", help="write the certificate and print nothing")


def _run(arguments: Namespace) -> int:
    from rankproof.bounds.numerical import search
    from rankproof.cli.console import progress

    asked = _one(asking.read_target(arguments.target))
    units, over = _units(arguments, asked), _field(arguments, asked)
    if (arguments.width is None) == (arguments.lift is None):
        raise UsageError("say how many units to search for with --width, or which scheme to lift with --lift")
    path = None if arguments.no_write else _path(arguments, asked)
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
    proof = None if bound is None else _prove(arguments, asked, units, bound)
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
    proof = _prove(arguments, asked, "product", bound)
    if path is not None:
        proof.certificate.write(path)
    if arguments.json:
        print(lifting.as_json(asked, modular, found, proof, path))
    elif not arguments.quiet:
        lifting.show(asked, modular, label, found)
        _print_proof(asked, proof, path)
    return 0


def _one(asked: list[Asked]) -> Asked:
    if len(asked) > 1:
        degrees = ", ".join(str(one.target.space.form_degree) for one in asked)
        raise TargetError(
            f"the polynomial has parts of degree {degrees}; search for one homogeneous part at a time"
        )
    return asked[0]


def _units(arguments: Namespace, asked: Asked) -> str:
    from rankproof.cli.options import read_units

    named = read_units(arguments.units) or asked.units
    space, target = asked.target.space, asked.target
    if named is None and space.is_tensor and not (space.is_polynomial and target.variables):
        named = ("product",)
    if named is None or len(named) != 1:
        raise UsageError(
            "name one kind of unit with --units: tied, untied, mixed:k or split; product for tensors"
        )
    return named[0]


def _field(arguments: Namespace, asked: Asked) -> Field:
    from rankproof.problem.field import CC, RR, Field

    ring = asked.target.ring
    if ring.characteristic:
        raise UsageError(f"the search is in floating point, and the target lives over {ring}")
    if arguments.field is None:
        return RR if RR.includes(ring) else CC
    over = Field.parse(arguments.field)
    if over not in (ring, RR, CC) or not over.includes(ring):
        raise UsageError(
            f"--field {over}: search for coordinates in {ring}, RR or CC, as far as it contains {ring}"
        )
    return over


def _path(arguments: Namespace, asked: Asked) -> Path:
    path: Path = arguments.output or free_name(Path(file_name(asked.called)), asked.target)
    if (
        arguments.output is None
        and asked.origin is not None
        and path.exists()
        and path.samefile(asked.origin)
    ):
        path = path.with_name(f"{path.stem}-found.json")
    check_writable(path)
    return path


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


def _prove(arguments: Namespace, asked: Asked, units: str, bound: Bound) -> Proof:
    """The certificate of what was found, with the lower bounds that cost little."""
    from rankproof.prove import certify

    return certify(
        asked.target,
        units=(units,),
        budget=_LOWER_SECONDS,
        seed=arguments.seed,
        command=arguments.command_line,
        given=[bound],
        sides=("lower",),
    )


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
        _print_proof(asked, proof, path)


def _print_proof(asked: Asked, proof: Proof, path: Path | None) -> None:
    """What the certificate states, and where it is."""
    from rich.text import Text

    from rankproof.cli.console import output, write
    from rankproof.show.answers import conclusion, labelled
    from rankproof.show.quantities import seconds_in_words, size_in_words

    console = output()
    write(console, conclusion(proof.certificate.conclusion, asked.target.space))
    console.print()
    size, time = size_in_words(len(proof.data)), seconds_in_words(proof.check_seconds)
    checked = f"{size}, checked by the verifier in {time}"
    line = ("not written", checked) if path is None else ("wrote", f"{path}   {checked}")
    write(console, labelled(line[0], Text(line[1])))


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a seed; give an integer that is not negative")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < seconds < 1e9:
        raise ArgumentTypeError(f"{text} is not a positive number of seconds")
    return seconds


COMMAND = Command(
    name="search",
    summary="look for a sum of so many units numerically, and make it exact",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
