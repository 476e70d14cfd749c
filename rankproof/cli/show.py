"""``rankproof show``: read a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.errors import FormatError

if TYPE_CHECKING:
    from rankproof.problem.target import Target

_DESCRIPTION = """\
Read a certificate: its target, what it states, and the proof step by step, with
decompositions written out as formulas. The verifier checks the file in the same
run; a file that it does not accept is shown as NOT VERIFIED. A scheme in another
format is turned into a certificate first."""

_EXAMPLES = """\
examples:
  rankproof show x2y.json
  rankproof show x2y.json --latex              for a paper
  rankproof show smirnov333.json --units 5     the first units of a long sum
  rankproof show factorizations_r.npz --scheme 3,3,3     somebody's scheme

exit status: that of 'rankproof verify', so that 0 means verified; 0 with
--no-verify"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a certificate, or a scheme in a format that 'rankproof verify' reads",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="LaTeX for a paper instead of text")
    form.add_argument("--html", action="store_true", help="one page of HTML instead of text")
    parser.add_argument(
        "--units",
        metavar="N",
        type=numbers.positive,
        help="write out at most N units of each decomposition (default: all)",
    )
    parser.add_argument(
        "--accept-theorem",
        metavar="NAME",
        action="append",
        default=[],
        help="accept a published theorem as an axiom",
    )
    parser.add_argument(
        "--weights",
        metavar="FILE",
        action="append",
        default=[],
        help="weights file of a target that is a block of a model; also looked for beside the certificate",
    )
    parser.add_argument("--no-verify", action="store_true", help="do not run the verifier: NOT VERIFIED")
    schemes = parser.add_argument_group("schemes in other formats")
    schemes.add_argument("--as", dest="as_text", metavar="TARGET", help="what the scheme decomposes")
    schemes.add_argument("--ring", metavar="RING", help="check over this ring only")
    schemes.add_argument(
        "--let", metavar="NAME=VALUE", action="append", default=[], help="value of a symbol in the file"
    )
    schemes.add_argument("--scheme", metavar="KEY", help="which scheme of a file of several")


def _run(arguments: Namespace) -> int:
    from rankproof.certificate.document import Certificate
    from rankproof.show.steps import check_units
    from rankproof.verifier import verify_bytes

    data = _bytes_of(arguments)
    weights = [*arguments.weights, str(arguments.file.parent)]
    verdict = None
    if not arguments.no_verify:
        verdict = verify_bytes(data, accept_theorems=arguments.accept_theorem, weights=weights)

    def block(told: Any) -> Target:
        from rankproof.bounds.block_forms import target_of_file

        return target_of_file(told, weights)

    try:
        shown = Certificate.from_bytes(data, block)
        check_units(shown)
    except FormatError as error:
        raise FormatError(f"{arguments.file}: {error}") from error
    if arguments.latex:
        from rankproof.show.latex import certificate as to_latex

        print(to_latex(shown, verdict, most_units=arguments.units))
    elif arguments.html:
        from rankproof.show.html import certificate as to_html

        print(to_html(shown, verdict, most_units=arguments.units))
    else:
        from rankproof.cli.console import output, write
        from rankproof.show.text import certificate as to_text

        console = output()
        write(console, to_text(shown, verdict, console, most_units=arguments.units))
    return 0 if verdict is None else verdict.exit_status


def _bytes_of(arguments: Namespace) -> bytes:
    """The bytes of a certificate: those of the file, or those of the certificate that a scheme is turned into."""
    from rankproof.cli.files import is_certificate

    path: Path = arguments.file
    if is_certificate(path):
        return path.read_bytes()
    from rankproof.formats.reading import find_format
    from rankproof.formats.source import Source

    if find_format(Source.of(path)) is None:
        # What is no scheme either is refused as a certificate, with the place where it stops being one.
        return path.read_bytes()
    from rankproof.cli.products import one, verified_products
    from rankproof.cli.schemes import wanted_of

    return one(verified_products(path, wanted_of(arguments), arguments.scheme), path).data


COMMAND = Command(
    name="show",
    summary="read a certificate: what it states, and its proof step by step",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
