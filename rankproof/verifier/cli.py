"""``rankproof verify`` and the verifier run alone: files in, one line a file and an exit status out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from . import limits
from .rules import RULES
from .statement import BadExpectation
from .verdict import INTERNAL, REJECTED, UNREADABLE, USAGE, VERIFIED, Verdict, verify_bytes

STATUSES = """\
exit status: 0 every file verified; 1 rejected; 2 usage; 3 unreadable, or no file; 4 undecided (a declared limit);
5 conditional on a named theorem; 70 internal error. For several files the worst counts: 70, 1, 3, 4, 5, 0.
"""

# A rejected file is worse than an unreadable one; nothing but "every file verified" is 0.
_WORST_FIRST = (INTERNAL, REJECTED, UNREADABLE, 4, 5, VERIFIED)


def parser() -> argparse.ArgumentParser:
    """Options of ``verify``."""
    result = argparse.ArgumentParser(
        prog="rankproof verify",
        description="Check certificates with exact arithmetic. Nothing but this verifier needs to be trusted.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("files", nargs="+", metavar="FILE", help="certificate, or a folder of *.json certificates")
    result.add_argument(
        "--expect",
        metavar="STATEMENT",
        help="reject a valid certificate of anything else: 'tied width of x**2*y = 3 over CC', or a claim hash",
    )
    result.add_argument(
        "--accept-theorem",
        metavar="NAME",
        action="append",
        default=[],
        help="accept a published theorem as an axiom; the verdict lists the names it needs",
    )
    result.add_argument(
        "--weights",
        metavar="FILE",
        action="append",
        default=[],
        help="weights file, or its folder, of a target that is a block of a model; also looked for beside the certificate",
    )
    result.add_argument("--json", action="store_true", help="one JSON object a file (schema rankproof/verdict/1)")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Verify files; the exit status is the worst of all verdicts."""
    try:
        options = parser().parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    known = sorted({theorem for rule in RULES.values() for theorem in rule.theorems})
    for name in options.accept_theorem:
        if name not in known:
            print(f"rankproof verify: no rule rests on {name!r}; known: {', '.join(known)}", file=sys.stderr)
            return USAGE
    paths = _expand(options.files)
    if not paths:
        print("rankproof verify: no certificate found", file=sys.stderr)
        return UNREADABLE
    statuses: list[int] = []
    for path in paths:
        try:
            verdict = _verify_file(path, options)
        except BadExpectation as error:
            print(f"rankproof verify: {error}", file=sys.stderr)
            return USAGE
        statuses.append(verdict.exit_status)
        print(to_json(path, verdict) if options.json else to_text(path, verdict))
    return next(status for status in _WORST_FIRST if status in statuses)


def _expand(names: Sequence[str]) -> list[str]:
    """Files named, and every *.json below the folders named, in the order of their names."""
    paths: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            paths.append(name)
            continue
        for folder, folders, files in os.walk(name):
            folders.sort()
            paths.extend(os.path.join(folder, file) for file in sorted(files) if file.endswith(".json"))
    return paths


def _verify_file(path: str, options: argparse.Namespace) -> Verdict:
    try:
        with open(path, "rb") as file:
            # One byte more than the limit is enough to know that the file is beyond it.
            data = file.read(limits.FILE_BYTES + 1)
    except OSError as error:
        return Verdict("UNREADABLE", UNREADABLE, "", "no-file", "", error.strerror or str(error))
    try:
        weights = [*options.weights, os.path.dirname(path) or os.curdir]
        return verify_bytes(data, accept_theorems=options.accept_theorem, expect=options.expect, weights=weights)
    except BadExpectation:
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}; this is a bug in the verifier and proves nothing"
        return Verdict("ERROR", INTERNAL, "", "internal", "", message)


def to_text(path: str, verdict: Verdict) -> str:
    """One line: the verdict, the file, and what is proved or why not."""
    name = ascii(path)[1:-1]
    if verdict.code:
        return f"{verdict.word}  {name}  {verdict.code} at {verdict.pointer or '/'}: {verdict.message}"
    line = f"{verdict.word}  {name}  {'; '.join(verdict.statements)}"
    if verdict.theorems:
        accepted = "accepting" if verdict.ok else "if one accepts"
        line += f"  [{accepted}: {', '.join(verdict.theorems)}]"
    return line


def to_json(path: str, verdict: Verdict) -> str:
    """The verdict as one JSON object."""
    return json.dumps(
        {
            "schema": "rankproof/verdict/1",
            "file": path,
            "verdict": verdict.word,
            "exit": verdict.exit_status,
            "code": verdict.code,
            "pointer": verdict.pointer,
            "message": verdict.message,
            "statements": list(verdict.statements),
            "conclusion": [dict(answer) for answer in verdict.conclusion],
            "theorems": list(verdict.theorems),
            "sha256": verdict.sha256,
            "claim": verdict.claim_hash,
        }
    )
