"""What the commands share that look for units of one target, of one kind, over one field."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli import asking, numbers
from rankproof.cli.files import check_writable, file_name, free_name
from rankproof.errors import TargetError, UsageError

if TYPE_CHECKING:
    from rankproof.bounds.method import Bound
    from rankproof.cli.asking import Asked
    from rankproof.problem.field import Field
    from rankproof.prove import Proof

LOWER_SECONDS = 0.5
"""Time for lower bounds, so that the certificate states an interval; 'rankproof certify' takes longer for better ones."""


def configure(parser: ArgumentParser, *, width_required: bool) -> None:
    """Add the options: target, units, width, field, those of the search, and those of the output."""
    parser.add_argument("target", metavar="TARGET", help=asking.HELP)
    parser.add_argument(
        "--units",
        metavar="NAME",
        help="product, tied, untied, mixed:k or split (default: product for tensors)",
    )
    parser.add_argument(
        "--width", metavar="N", type=numbers.positive, required=width_required, help="number of units"
    )
    parser.add_argument(
        "--field", metavar="FIELD", help="where the coordinates lie: QQ, RR or CC (default: RR)"
    )
    parser.add_argument(
        "--budget",
        metavar="SECONDS",
        type=numbers.seconds,
        default=60.0,
        help="time for the search (default: 60)",
    )
    parser.add_argument(
        "--starts", metavar="N", type=numbers.positive, help="greatest number of starting points"
    )
    parser.add_argument(
        "--seed", metavar="N", type=numbers.seed, default=0, help="seed of the starts (default: 0)"
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=numbers.positive,
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


def only(asked: list[Asked]) -> Asked:
    """The one target that was asked about.

    Raises
    ------
    TargetError
        If an inhomogeneous polynomial has several.
    """
    if len(asked) > 1:
        degrees = ", ".join(str(one.target.space.form_degree) for one in asked)
        raise TargetError(
            f"the polynomial has parts of degree {degrees}; ask about one homogeneous part at a time"
        )
    return asked[0]


def one_kind(option: str | None, asked: Asked) -> str:
    """The kind of unit of ``--units``; product for tensors when it is absent.

    Raises
    ------
    UsageError
        If several are named, or none for a polynomial.
    """
    from rankproof.cli.options import read_units

    named = read_units(option) or asked.units
    space, target = asked.target.space, asked.target
    if named is None and space.is_tensor and not (space.is_polynomial and target.variables):
        named = ("product",)
    if named is None or len(named) != 1:
        raise UsageError(
            "name one kind of unit with --units: tied, untied, mixed:k or split; product for tensors"
        )
    return named[0]


def one_field(option: str | None, asked: Asked) -> Field:
    """The field of ``--field``; when it is absent RR, or CC for a target without real coefficients.

    Raises
    ------
    UsageError
        If the target is over a finite field, or the field is none that floating point can search.
    """
    from rankproof.problem.field import CC, RR, Field

    ring = asked.target.ring
    if ring.characteristic:
        raise UsageError(f"the search is in floating point, and the target lives over {ring}")
    if option is None:
        return RR if RR.includes(ring) else CC
    over = Field.parse(option)
    if over not in (ring, RR, CC) or not over.includes(ring):
        raise UsageError(
            f"--field {over}: search for coordinates in {ring}, RR or CC, as far as it contains {ring}"
        )
    return over


def certificate_path(output: Path | None, asked: Asked) -> Path:
    """Where the certificate goes: what ``-o`` says, or a name made from the target.

    Raises
    ------
    UsageError
        If nothing can be written there.
    """
    path: Path = output or free_name(Path(file_name(asked.called)), asked.target)
    if output is None and asked.origin is not None and path.exists() and path.samefile(asked.origin):
        path = path.with_name(f"{path.stem}-found.json")
    check_writable(path)
    return path


def prove(arguments: Namespace, asked: Asked, units: str, bounds: Sequence[Bound]) -> Proof:
    """The certificate of what was found, with the lower bounds that cost little."""
    from rankproof.prove import certify

    return certify(
        asked.target,
        units=(units,),
        budget=LOWER_SECONDS,
        seed=arguments.seed,
        command=arguments.command_line,
        given=bounds,
        sides=("lower",),
    )


def print_proof(asked: Asked, proof: Proof, path: Path | None) -> None:
    """What a certificate states, and where it is."""
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


__all__ = [
    "LOWER_SECONDS",
    "certificate_path",
    "configure",
    "one_field",
    "one_kind",
    "only",
    "print_proof",
    "prove",
]
