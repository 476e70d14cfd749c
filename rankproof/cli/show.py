"""``rankproof show``: read a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.errors import FormatError, UsageError

if TYPE_CHECKING:
    from rankproof.certificate.document import Certificate
    from rankproof.problem.target import Target
    from rankproof.show.verdict import Verdict

_DESCRIPTION = """\
Read a certificate: its target, what it states, and the proof step by step, with
decompositions written out as formulas. The verifier checks the file in the same
run; a file that it does not accept is shown as NOT VERIFIED. A scheme in another
format is turned into a certificate first.

--html makes a page that anybody can open: it explains both bounds, and a button
checks the certificate in the browser, with a second verifier and no network."""

_EXAMPLES = """\
examples:
  rankproof show x2y.json
  rankproof show x2y.json --latex              for a paper
  rankproof show x2y.json --latex x2y.tex      a document of its own
  rankproof show x2y.json --html x2y.html      a page that verifies itself
  rankproof show x2y.json --plot x2y.svg       the proof graph
  rankproof show x2y.json --sympy | python -   the upper bounds, checked by sympy
  rankproof show x2y.json --macaulay2          the same for Macaulay2
  rankproof show smirnov333.json --units 5     the first units of a long sum
  rankproof show factorizations_r.npz --scheme 3,3,3     somebody's scheme

exit status: that of 'rankproof verify', so that 0 means verified; 0 with
--no-verify"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a certificate, or a scheme in a format that 'rankproof verify' reads",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--latex",
        metavar="OUT.tex",
        nargs="?",
        const="",
        help="LaTeX to paste into a paper, or a whole document written to OUT.tex",
    )
    form.add_argument(
        "--html",
        metavar="OUT.html",
        nargs="?",
        const="",
        help="a page that holds the certificate and a verifier, printed or written to OUT.html",
    )
    form.add_argument(
        "--plot",
        "--graph",
        metavar="OUT",
        help="draw the proof graph; the ending chooses the format: .svg, .png, .pdf",
    )
    form.add_argument(
        "--sympy",
        action="store_true",
        help="a Python program that checks the explicit sums of units with sympy",
    )
    form.add_argument(
        "--macaulay2",
        action="store_true",
        help="a program that checks the explicit sums of units with Macaulay2",
    )
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

    _settle(arguments)
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
        _show(arguments, shown, data, verdict)
    except FormatError as error:
        raise FormatError(f"{arguments.file}: {error}") from error
    return 0 if verdict is None else verdict.exit_status


def _settle(arguments: Namespace) -> None:
    """Tell the file from the place to write to: ``--html FILE`` reads FILE, ``--html OUT.html FILE`` writes OUT.html.

    Raises
    ------
    UsageError
        If no file is named, or the place to write to has another ending, as a certificate that was named second would.
    """
    for option, ending in (("latex", ".tex"), ("html", ".html")):
        out = getattr(arguments, option)
        if out and arguments.file is None and not out.endswith(ending):
            arguments.file = out
            setattr(arguments, option, "")
        elif out and not out.endswith(ending):
            raise UsageError(f"--{option} {out}: the name of the file to write ends with {ending}")
    if arguments.file is None:
        raise UsageError("no file is named; rankproof show FILE")
    arguments.file = Path(arguments.file)


def _show(arguments: Namespace, shown: Certificate, data: bytes, verdict: Verdict | None) -> None:
    most = arguments.units
    if arguments.latex is not None:
        from rankproof.show import latex

        make = latex.document if arguments.latex else latex.certificate
        _put(make(shown, verdict, most_units=most), arguments.latex)
    elif arguments.html is not None:
        from rankproof.show.html import certificate as page

        name = arguments.file.with_suffix(".json").name
        _put(page(shown, verdict, data, file=name, most_units=most), arguments.html)
    elif arguments.plot is not None:
        from rankproof.show.graph import draw

        draw(shown, Path(arguments.plot))
        _wrote(Path(arguments.plot))
    elif arguments.sympy or arguments.macaulay2:
        from rankproof.show import recheck

        print((recheck.sympy if arguments.sympy else recheck.macaulay2)(shown, verdict))
    else:
        from rankproof.cli.console import output, write
        from rankproof.show.text import certificate as to_text

        console = output()
        write(console, to_text(shown, verdict, console, most_units=most))


def _put(text: str, out: str) -> None:
    """Print a text, or write it to a file and say so."""
    if not out:
        print(text)
        return
    try:
        Path(out).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}; choose another place") from error
    _wrote(Path(out))


def _wrote(path: Path) -> None:
    from rankproof.show.quantities import size_in_words

    print(f"wrote {path}   {size_in_words(path.stat().st_size)}")


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
