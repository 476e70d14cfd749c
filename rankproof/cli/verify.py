"""``rankproof verify``: the verifier's own command, which here also reads other people's schemes.

Certificates go to `rankproof.verifier.cli` untouched, and nothing of the prover is imported for them. A scheme is turned
into the bytes of a certificate by `rankproof.formats`, and the verifier decides about those bytes.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from time import monotonic

from rankproof.cli.command import Command
from rankproof.cli.files import is_certificate
from rankproof.errors import UsageError

_DESCRIPTION = """\
Check certificates with exact arithmetic. Nothing but the verifier, a small
program that needs only Python's standard library, has to be trusted.

A scheme in a known format (AlphaTensor's, AlphaEvolve's, the catalogues of
fast matrix multiplication, ...) is checked too: the terms are counted, the ring
and the index convention are found, and what the file or its name claims is
ignored. The verdicts about a folder of schemes are printed as a table."""

_EXAMPLES = """\
examples:
  rankproof verify x2y.json
  rankproof verify certificates/                         every *.json below it
  rankproof verify x2y.json --expect "tied width of x**2*y = 3 over CC"
  rankproof verify block12.json --weights model.gguf     a block of a model
  rankproof verify smirnov333.txt --as "matmul(3,3,3)"   somebody's scheme
  rankproof verify schemes/                              all schemes below it

exit status:
  0  every file verified            1  rejected
  2  wrong usage                    3  unreadable, or no file
  4  undecided: a declared limit, or no target to compare with
  5  conditional on a named theorem
  70 internal error                 for several files the worst: 70, 1, 3, 4, 5, 0"""

_USAGE = 2
_NO_FILE = 3
# As in the verifier: a rejected file is worse than an unreadable one, and only "every file verified" is 0.
_WORST_FIRST = (70, 1, 3, 4, 5, 0)


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a certificate, a scheme, or a folder of either"
    )
    parser.add_argument(
        "--expect",
        metavar="STATEMENT",
        help="reject a valid certificate of anything else: 'tied width of x**2*y = 3 over CC', or a claim hash",
    )
    parser.add_argument(
        "--accept-theorem",
        metavar="NAME",
        action="append",
        default=[],
        help="accept a published theorem as an axiom; the verdict lists the names it needs",
    )
    parser.add_argument(
        "--weights",
        metavar="FILE",
        action="append",
        default=[],
        help="weights file of a target that is a block of a model; also looked for beside the certificate",
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a file (schema rankproof/verdict/1)"
    )
    schemes = parser.add_argument_group("schemes in other formats")
    schemes.add_argument(
        "--as",
        dest="as_text",
        metavar="TARGET",
        help='what the scheme is to decompose, such as "matmul(3,3,3)" or a file of a tensor (default: what the file says,'
        " else the product of its sizes)",
    )
    schemes.add_argument(
        "--ring",
        metavar="RING",
        help="check over ZZ, QQ, GF(p) or QQ(sqrt(3)) only (default: the ring of the coefficients, then GF(2) for integers)",
    )
    schemes.add_argument(
        "--let",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="value of a symbol or placeholder in the file, such as a=1/2 or 1013=sqrt(3)",
    )
    schemes.add_argument("--table", action="store_true", help="print a table also for single files")


def _run(arguments: Namespace) -> int:
    statuses: list[int] = []
    done: set[Path] = set()
    for kind, group in groupby(arguments.files, key=lambda name: _kind(name, arguments)):
        if kind == "certificate":
            statuses.append(_verify_certificates(group, arguments))
        else:
            for name in group:
                verify = _verify_folder if kind == "folder" else _verify_schemes
                statuses += verify(Path(name), arguments, done)
        if statuses and statuses[-1] == _USAGE:
            return _USAGE
    return next((status for status in _WORST_FIRST if status in statuses), 0)


def _kind(name: str, arguments: Namespace) -> str:
    """``scheme`` or ``folder`` for what goes through the formats; everything that may be meant as a certificate does not."""
    path = Path(name)
    asks_for_schemes = arguments.as_text is not None or arguments.ring is not None or arguments.table
    if path.is_dir():
        from rankproof.cli.schemes import contents

        return "folder" if asks_for_schemes or contents(path).schemes else "certificate"
    if not path.is_file():
        return "certificate"
    if is_certificate(path):
        if arguments.as_text is not None or arguments.ring is not None:
            raise UsageError(
                f"{name} is a certificate; --as and --ring are for schemes, use --expect instead"
            )
        return "certificate"
    if asks_for_schemes or path.suffix.lower() != ".json":
        return "scheme"
    from rankproof.formats.reading import find_format
    from rankproof.formats.source import Source

    return "certificate" if find_format(Source.of(path)) is None else "scheme"


def _verify_certificates(names: Iterable[str], arguments: Namespace) -> int:
    """Hand files to the verifier's own command."""
    from rankproof.verifier.cli import main

    argv = [f"--accept-theorem={theorem}" for theorem in arguments.accept_theorem]
    argv += [f"--weights={path}" for path in arguments.weights]
    if arguments.expect is not None:
        argv.append(f"--expect={arguments.expect}")
    if arguments.json:
        argv.append("--json")
    return main([*argv, "--", *names])


def _verify_schemes(path: Path, arguments: Namespace, done: set[Path]) -> list[int]:
    """Print one line for every scheme of a file; their exit statuses."""
    from rankproof.cli.schemes import table, verify_scheme_file, wanted_of
    from rankproof.formats.reading import find_format
    from rankproof.formats.source import Source

    # A scheme that is spread over several files is verified with the first of them.
    if path in done:
        return []
    format = find_format(Source.of(path))
    if format is not None:
        done.update(path.with_name(member) for member in format.members(path.name))
    rows = verify_scheme_file(path, wanted_of(arguments))
    if arguments.table and not arguments.json:
        _print(table(rows))
    else:
        _print(row.as_json() if arguments.json else row.as_line() for row in rows)
    return [row.status for row in rows]


def _verify_folder(path: Path, arguments: Namespace, _: set[Path]) -> list[int]:
    """Print a table of everything in a folder; the exit statuses."""
    from rankproof.cli.console import progress
    from rankproof.cli.schemes import contents, footer, table, verify_folder, wanted_of

    start = monotonic()
    found = contents(path)
    with progress(not arguments.json) as say:
        rows = verify_folder(path, found, wanted_of(arguments), say)
    if arguments.json:
        _print(row.as_json() for row in rows)
    else:
        _print(table(rows))
        print()
        print(footer(rows, len(found.others), monotonic() - start))
    return [row.status for row in rows] or [_NO_FILE]


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


COMMAND = Command(
    name="verify",
    summary="check certificates, and schemes in other formats",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
