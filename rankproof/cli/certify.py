"""``rankproof certify``: search for bounds, prove them, write the certificate."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import asking, numbers
from rankproof.cli.asking import Asked
from rankproof.cli.command import Command
from rankproof.cli.files import check_writable, file_name, free_name
from rankproof.errors import NothingProved

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from rankproof.certificate.steps import Conclusion
    from rankproof.problem.field import Field
    from rankproof.prove import Proof

_DESCRIPTION = """\
Find out how many units a polynomial or tensor needs: lower bounds by algebra,
upper bounds by explicit decompositions, over each field, exactly and arbitrarily
well. What is found is written as a certificate, after the verifier has checked
its bytes. What stays unknown is shown as an interval.

An inhomogeneous polynomial is answered degree by degree (units without biases),
or with --bias as its homogenisation (units with biases)."""

_EXAMPLES = """\
examples:
  rankproof certify "x**2*y"
  rankproof certify "x**2-y**2; 2*x*y" --field RR,CC       a polynomial map
  rankproof certify "matmul(2,2,3)"                        a tensor with a name
  rankproof certify "x**2+y**2+z**2" --units untied --field "GF(7),QQ(i)"
  rankproof certify "x**2 + x*y + y" --bias -o biased.json
  rankproof certify tensor.npy --json                      an array of integers
  rankproof certify "x*y*z" --floor                        how near fewer come
  rankproof certify "elementary(3,4)" -v                   what every method did

exit status:
  0  a certificate was written     1  an interval stays open (only with --exact)
  2  wrong usage                   3  the target cannot be read
  4  nothing was proved            70 a bug in rankproof"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help=asking.HELP)
    asked = parser.add_argument_group("what is asked")
    asked.add_argument(
        "--units",
        metavar="LIST",
        help="tied, untied, mixed:k, split, product, separated by commas (default: tied,untied for polynomials and"
        " maps, product for tensors)",
    )
    asked.add_argument(
        "--field",
        metavar="LIST",
        help="QQ, RR, CC, GF(p), QQ(sqrt(3)), QQ(t**3-2), separated by commas (default: QQ,RR,CC for a rational target)",
    )
    border = asked.add_mutually_exclusive_group()
    border.add_argument(
        "--border",
        dest="border",
        action="store_true",
        default=True,
        help="ask about border ranks too (default)",
    )
    border.add_argument("--no-border", dest="border", action="store_false", help="ask about ranks only")
    asked.add_argument(
        "--floor",
        action="store_true",
        help="add the floors of all smaller widths: how close so few units come at most",
    )
    asked.add_argument(
        "--bias", action="store_true", help="units with biases: answer the homogenised polynomial"
    )
    search = parser.add_argument_group("the search")
    search.add_argument(
        "--budget",
        metavar="SECONDS",
        type=numbers.seconds,
        default=10.0,
        help="time for the search (default: 10)",
    )
    search.add_argument(
        "--seed", metavar="N", type=numbers.seed, default=0, help="seed of every random choice (default: 0)"
    )
    search.add_argument(
        "--theorems",
        action="store_true",
        help="allow bounds that rest on published theorems; the certificate is then CONDITIONAL on them",
    )
    search.add_argument("--exact", action="store_true", help="exit with status 1 if an interval stays open")
    output = parser.add_argument_group("output")
    written = output.add_mutually_exclusive_group()
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
    output.add_argument("--json", action="store_true", help="one JSON object a target instead of the table")
    output.add_argument(
        "-v",
        "--verbose",
        "--explain",
        action="store_true",
        help="also show what every method did, and how long",
    )
    output.add_argument("-q", "--quiet", action="store_true", help="write the certificate and print nothing")


def _run(arguments: Namespace) -> int:
    from rankproof.cli.console import output, write
    from rankproof.cli.options import read_fields, read_units

    units, fields = read_units(arguments.units), read_fields(arguments.field)
    targets = asking.read_target(arguments.target, affine=arguments.bias, fields=fields)
    paths = _paths(arguments, targets)
    console = output()
    is_open, unproved = False, 0
    for index, (asked, path) in enumerate(zip(targets, paths, strict=True)):
        try:
            proof = _prove(arguments, asked, units, fields, arguments.budget / len(targets))
            proof, floors = _with_floors(proof, arguments) if arguments.floor else (proof, ())
        except NothingProved as failure:
            if len(targets) == 1:
                raise
            # The other degrees are questions of their own; the status still says that one is missing.
            unproved = failure.exit_status
            print(f"rankproof: {asked.target.text}: {failure}", file=sys.stderr)
            continue
        if path is not None:
            proof.certificate.write(path)
        is_open = is_open or any(answer.lower != answer.upper for answer in proof.answers)
        if arguments.json:
            print(json.dumps(_object(arguments, asked, proof, path, floors)))
        elif not arguments.quiet:
            if index:
                console.print()
            write(console, _shown(console, asked, proof, path, floors, explain=arguments.verbose))
    return unproved or int(arguments.exact and is_open)


def _prove(
    arguments: Namespace,
    asked: Asked,
    units: tuple[str, ...] | None,
    fields: tuple[Field, ...] | None,
    budget: float,
) -> Proof:
    from rankproof.cli.console import progress
    from rankproof.prove import certify

    with progress(not arguments.quiet) as say:
        return certify(
            asked.target,
            units=units or asked.units,
            fields=fields,
            border=arguments.border,
            budget=budget,
            seed=arguments.seed,
            theorems=arguments.theorems,
            command=arguments.command_line,
            progress=say,
        )


def _with_floors(proof: Proof, arguments: Namespace) -> tuple[Proof, tuple[Conclusion, ...]]:
    from rankproof.floors import with_floors

    certificate, verdict, floors = with_floors(proof.certificate, seed=arguments.seed)
    return replace(proof, certificate=certificate, data=certificate.to_bytes(), verdict=verdict), floors


def _object(
    arguments: Namespace, asked: Asked, proof: Proof, path: Path | None, floors: Sequence[Conclusion]
) -> dict[str, Any]:
    """The JSON object of one target; with ``--floor`` also a list ``floors``."""
    from rankproof.problem.question import Floor

    written = answers_object(asked, proof, path, explain=arguments.verbose)
    if arguments.floor:
        written["floors"] = [
            {"units": f.units, "width": f.quantity.width, "loss": f.quantity.loss, "floor": str(f.lower)}
            for f in floors
            if isinstance(f.quantity, Floor)
        ]
    return written


def _paths(arguments: Namespace, targets: Sequence[Asked]) -> list[Path | None]:
    """Where each certificate goes, checked before the search begins."""
    if arguments.no_write:
        return [None] * len(targets)
    chosen: Path | None = arguments.output
    paths: list[Path | None] = []
    for asked in targets:
        if chosen is None:
            path = free_name(Path(file_name(asked.called)), asked.target)
            if asked.origin is not None and path.exists() and path.samefile(asked.origin):
                path = path.with_name(f"{path.stem}-certified.json")
        else:
            path = chosen
        if len(targets) > 1 and (chosen is not None or path in paths):
            path = path.with_name(f"{path.stem}-degree{asked.target.space.form_degree}{path.suffix}")
        check_writable(path)
        paths.append(path)
    return paths


def answers_object(asked: Asked, proof: Proof, path: Path | None, *, explain: bool = False) -> dict[str, Any]:
    """The JSON object of ``--json``, schema ``rankproof/answers/1``.

    Parameters
    ----------
    asked, proof
        The question and what was proved.
    path
        Where the certificate was written, if it was.
    explain
        Add ``report``: what every method did.
    """
    target, space = proof.target, proof.target.space
    polynomial = space.is_polynomial and (target.variables is not None or not space.is_tensor)
    written: dict[str, Any] = {
        "schema": "rankproof/answers/1",
        "target": target.text,
        "degree": space.form_degree if polynomial else space.degree,
        "variables": list(target.variable_names()) if polynomial else None,
        "outputs": space.outputs if polynomial else 1,
        "space": [list(factor) for factor in space.factors],
        "part_of": asked.part_of,
        "homogenised": asked.homogenised,
        "answers": [
            {
                "units": answer.units,
                "field": str(answer.field),
                "quantity": answer.quantity,
                "lower": answer.lower,
                "upper": answer.upper,
                "lower_rule": answer.lower_rule,
                "upper_rule": answer.upper_rule,
                "lower_reason": answer.lower_reason,
                "upper_reason": answer.upper_reason,
            }
            for answer in proof.answers
        ],
        "numerics": [
            {
                "units": belief.units,
                "field": str(belief.field),
                "width": belief.width,
                "quantity": belief.quantity,
                "starts": belief.starts,
                "reached": belief.reached,
                "residual": belief.residual,
            }
            for belief in proof.beliefs
        ],
        "certificate": None if path is None else str(path),
        "verified": proof.verdict.ok,
        "theorems": list(proof.verdict.theorems),
        "seconds": round(proof.seconds, 3),
        "version": __version__,
    }
    if explain:
        written["report"] = [
            {
                "method": outcome.method,
                "units": outcome.units,
                "field": str(outcome.field),
                "status": outcome.status,
                "detail": outcome.detail,
                "seconds": round(outcome.seconds, 3),
            }
            for outcome in proof.report
        ]
    return written


def _shown(
    console: Console,
    asked: Asked,
    proof: Proof,
    path: Path | None,
    floors: Sequence[Conclusion],
    *,
    explain: bool,
) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    from rankproof.show import answers
    from rankproof.show.quantities import floor_in_words, seconds_in_words, size_in_words

    parts = [answers.answers(proof, console, note=asked.note)]
    for index, floor in enumerate(floors):
        label = "" if index else "floor"
        parts.append(answers.labelled(label, Text(floor_in_words(floor, proof.target.space))))
    if proof.verdict.theorems:
        parts.append(answers.labelled("conditional", Text(f"on {', '.join(proof.verdict.theorems)}")))
    size, time = size_in_words(len(proof.data)), seconds_in_words(proof.check_seconds)
    checked = f"{size}, checked by the verifier in {time}"
    if path is None:
        parts.append(answers.labelled("not written", Text(checked)))
    else:
        parts.append(answers.labelled("wrote", Text(f"{path}   {checked}")))
    if explain:
        parts += [Text(), answers.report(proof)]
    return Group(*parts)


COMMAND = Command(
    name="certify",
    summary="bound how many units a target needs, and write the proof",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
