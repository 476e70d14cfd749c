"""``rankproof verify``: the verifier's own command, which here also reads other people's schemes.

Certificates go to `rankproof.verifier.cli` untouched, and nothing of the prover is imported for them. A scheme is turned
into the bytes of a certificate by `rankproof.formats`, and the verifier decides about those bytes.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli.command import Command
from rankproof.cli.files import is_certificate
from rankproof.errors import FormatError, UsageError

if TYPE_CHECKING:
    from rankproof.formats import SchemeCertificate
    from rankproof.verifier import Verdict

_DESCRIPTION = """\
Check certificates with exact arithmetic. Nothing but the verifier, a small
program that needs only Python's standard library, has to be trusted.

A scheme in a known format (AlphaTensor's, the catalogue's of fast matrix
multiplication, ...) is checked too: the terms are counted, the ring and the index
convention are found, and what the file or its name claims is ignored."""

_EXAMPLES = """\
examples:
  rankproof verify x2y.json
  rankproof verify certificates/                         every *.json below it
  rankproof verify x2y.json --expect "tied width of x**2*y = 3 over CC"
  rankproof verify smirnov333.txt --as "matmul(3,3,3)"   somebody's scheme

exit status:
  0  every file verified            1  rejected
  2  wrong usage                    3  unreadable, or no file
  4  undecided: a declared limit    5  conditional on a named theorem
  70 internal error                 for several files the worst: 70, 1, 3, 4, 5, 0"""

_USAGE = 2
# As in the verifier: a rejected file is worse than an unreadable one, and only "every file verified" is 0.
_WORST_FIRST = (70, 1, 3, 4, 5, 0)


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a certificate, a folder of *.json certificates, or a scheme"
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
        "--json", action="store_true", help="one JSON object a file (schema rankproof/verdict/1)"
    )
    schemes = parser.add_argument_group("schemes in other formats")
    schemes.add_argument(
        "--as",
        dest="as_text",
        metavar="TARGET",
        help='what the scheme is to decompose, such as "matmul(3,3,3)" (default: the matrix product of its sizes)',
    )
    schemes.add_argument(
        "--ring",
        metavar="RING",
        help="check over ZZ, QQ or GF(p) only (default: QQ, then GF(2) for integers)",
    )


def _run(arguments: Namespace) -> int:
    statuses: list[int] = []
    for is_scheme, group in groupby(arguments.files, key=lambda name: _is_scheme(name, arguments)):
        if is_scheme:
            for name in group:
                statuses += _verify_schemes(name, arguments)
        else:
            statuses.append(_verify_certificates(group, arguments))
        if statuses[-1] == _USAGE:
            return _USAGE
    return next(status for status in _WORST_FIRST if status in statuses)


def _is_scheme(name: str, arguments: Namespace) -> bool:
    """Whether a file goes through the formats; everything that may be meant as a certificate does not."""
    path = Path(name)
    if not path.is_file():
        return False
    if is_certificate(path):
        if arguments.as_text is not None or arguments.ring is not None:
            raise UsageError(
                f"{name} is a certificate; --as and --ring are for schemes, use --expect instead"
            )
        return False
    if arguments.as_text is not None or arguments.ring is not None or path.suffix.lower() != ".json":
        return True
    from rankproof.formats.reading import find_format

    return find_format(path.read_bytes()) is not None


def _verify_certificates(names: Iterable[str], arguments: Namespace) -> int:
    """Hand files to the verifier's own command."""
    from rankproof.verifier.cli import main

    argv = [f"--accept-theorem={theorem}" for theorem in arguments.accept_theorem]
    if arguments.expect is not None:
        argv.append(f"--expect={arguments.expect}")
    if arguments.json:
        argv.append("--json")
    return main([*argv, "--", *names])


def _verify_schemes(name: str, arguments: Namespace) -> list[int]:
    """Print one line for every scheme of a file; their exit statuses."""
    from rankproof.formats import verify_input
    from rankproof.verifier import Verdict
    from rankproof.verifier.cli import to_json, to_text

    try:
        found = verify_input(name, arguments.as_text, arguments.ring)
    except FormatError as error:
        verdict = Verdict("UNREADABLE", 3, "", "format", "", str(error))
        print(to_json(name, verdict) if arguments.json else _refusal(name, verdict))
        return [verdict.exit_status]
    statuses: list[int] = []
    for scheme in found:
        label = str(Path(name).with_name(scheme.label))
        verdict = _check(scheme, arguments)
        statuses.append(verdict.exit_status)
        if arguments.json:
            print(json.dumps(json.loads(to_json(label, verdict)) | _description(scheme)))
        elif verdict.code:
            print(_refusal(label, verdict))
        else:
            print(f"{to_text(label, verdict)}; {_counted(scheme)}")
    return statuses


def _check(scheme: SchemeCertificate, arguments: Namespace) -> Verdict:
    """The verifier's verdict on the certificate of a scheme, or the reason why there is none."""
    from rankproof.verifier import BadExpectation, Verdict, verify_bytes

    if scheme.data is None:
        return Verdict(
            "REJECTED", 1, "", "scheme", "", scheme.problem or "the scheme decomposes something else"
        )
    try:
        return verify_bytes(scheme.data, accept_theorems=arguments.accept_theorem, expect=arguments.expect)
    except BadExpectation as error:
        raise UsageError(str(error)) from error


def _refusal(label: str, verdict: Verdict) -> str:
    # A scheme has no JSON pointer: its place is in the sentence.
    return f"{verdict.word}  {label}  {verdict.message}"


def _counted(scheme: SchemeCertificate) -> str:
    """How many terms were counted, in which ring and in which convention the scheme holds, and what to know about it."""
    terms = f"{scheme.terms} terms over {scheme.ring}"
    return "; ".join(part for part in (terms, scheme.convention, scheme.note) if part)


def _description(scheme: SchemeCertificate) -> dict[str, object]:
    return {
        "target": scheme.target,
        "terms": scheme.terms,
        "ring": scheme.ring,
        "convention": scheme.convention,
        "kind": scheme.kind,
        "note": scheme.note,
    }


COMMAND = Command(
    name="verify",
    summary="check certificates, and schemes in other formats",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
