"""``rankproof collection``: build, check and list a folder of certificates."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.errors import FormatError, UsageError

if TYPE_CHECKING:
    from rankproof.collection.build import Outcome
    from rankproof.collection.check import Checked
    from rankproof.collection.plan import Entry, Family

_DESCRIPTION = """\
A collection is a folder with a plan, targets.toml, and one certificate a target.
'build' proves what the plan asks and keeps the better of old and new, 'verify'
runs the verifier alone, as one zipped program, over all files, and 'page' writes
the table README.md."""

_EXAMPLES = """\
examples:
  rankproof collection build                   what is missing, or asked anew
  rankproof collection build --only monomials/  one family
  rankproof collection build --again --processes 4
  rankproof collection verify --with javascript
  rankproof collection page --html site        a site, with search and filters
  rankproof collection add w.json --as tensors/w3

exit status:
  0  done; every file verified      1  something was not proved, or refused
  2  wrong usage                    3  the plan or a file cannot be read"""

_FAILED = 1


def _configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    shared = ArgumentParser(add_help=False)
    shared.add_argument(
        "--root",
        metavar="DIR",
        type=Path,
        default=Path("certificates"),
        help="the folder (default: certificates)",
    )
    chosen = ArgumentParser(add_help=False)
    chosen.add_argument(
        "--only", metavar="TEXT", default="", help="only files whose place FAMILY/NAME.json holds TEXT"
    )
    chosen.add_argument(
        "--processes",
        metavar="N",
        type=numbers.positive,
        default=1,
        help="how many run at the same time (default: 1)",
    )

    chosen.add_argument(
        "--weights",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="weights file of certificates about blocks of a model; without it these are left alone",
    )

    def action(name: str, summary: str, *parents: ArgumentParser) -> ArgumentParser:
        return actions.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=RawDescriptionHelpFormatter,
            parents=[shared, *parents],
            allow_abbrev=False,
        )

    build = action("build", "prove what is missing, and write the table", chosen)
    build.add_argument(
        "--again", action="store_true", help="prove everything again; a file that says more stays"
    )
    verify = action("verify", "run the verifier alone over all files", chosen)
    verify.add_argument(
        "--with",
        dest="others",
        metavar="COMMAND",
        action="append",
        default=[],
        help="another verifier to compare with: 'javascript' for the second one of this package, or a command",
    )
    page = action("page", "write the table, or a site")
    page.add_argument(
        "--html",
        metavar="DIR",
        type=Path,
        help="write a site: a list with search and filters, and a page a certificate that verifies itself",
    )
    add = action("add", "put a certificate in, beside what is there")
    add.add_argument("file", metavar="FILE", type=Path, help="a certificate that the verifier accepts")
    add.add_argument("--as", dest="place", metavar="FAMILY/NAME", required=True, help="an entry of the plan")


def _run(arguments: Namespace) -> int:
    return {"build": _build, "verify": _verify, "page": _page, "add": _add}[arguments.action](arguments)


def _plan(arguments: Namespace) -> tuple[Family, ...]:
    from rankproof.collection.plan import PLAN, read_plan

    return read_plan(arguments.root / PLAN)


def _chosen(families: tuple[Family, ...], only: str) -> list[Entry]:
    entries = [entry for family in families for entry in family.entries if only in entry.path]
    if not entries:
        raise UsageError(f"--only {only}: no place in the plan holds this text")
    return entries


def _build(arguments: Namespace) -> int:
    from rankproof.cli.console import progress
    from rankproof.collection.build import build

    families = _plan(arguments)
    entries = _chosen(families, arguments.only)
    if not arguments.weights:
        # Blocks that are there stay as they are; for others the build says what it needs.
        entries = [e for e in entries if e.block is None or not (arguments.root / e.path).is_file()]
    done = 0

    def say(outcome: Outcome) -> None:
        nonlocal done
        done += 1
        if show is not None:
            show(f"{done} of {len(entries)}: {outcome.entry.path} {outcome.word}")
        if outcome.word != "kept":
            seconds = f"  {outcome.record.prove:.1f} s" if outcome.record else ""
            print(
                f"{outcome.word:10}{outcome.entry.path}{seconds}{outcome.message and '  ' + outcome.message}",
                flush=True,
            )

    with progress() as show:
        outcomes = build(
            arguments.root,
            entries,
            again=arguments.again,
            processes=arguments.processes,
            weights=arguments.weights,
            say=say,
        )
    counts = {
        word: sum(outcome.word == word for outcome in outcomes)
        for word in ("proved", "improved", "unchanged", "kept", "failed")
    }
    print(", ".join(f"{count} {word}" for word, count in counts.items() if count))
    if not counts["failed"] and _is_complete(arguments.root, families):
        _write_page(arguments.root, families)
    return _FAILED if counts["failed"] else 0


def _is_complete(root: Path, families: tuple[Family, ...]) -> bool:
    return all((root / entry.path).is_file() for family in families for entry in family.entries)


def _page(arguments: Namespace) -> int:
    if arguments.html is not None:
        return _write_site(arguments.root, _plan(arguments), arguments.html)
    _write_page(arguments.root, _plan(arguments))
    return 0


def _write_page(root: Path, families: tuple[Family, ...]) -> None:
    from rankproof.certificate.whole import write_whole
    from rankproof.collection.build import read_index
    from rankproof.collection.page import PAGE, page

    write_whole(root / PAGE, page(root, families, read_index(root)).encode())
    print(f"wrote {root / PAGE}")


def _write_site(root: Path, families: tuple[Family, ...], out: Path) -> int:
    from rankproof.collection.build import read_index
    from rankproof.collection.site import write_site
    from rankproof.show.quantities import size_in_words

    try:
        site = write_site(root, families, read_index(root), out)
    except OSError as error:
        raise UsageError(f"cannot write to {out}: {error.strerror}; choose another folder") from error
    print(f"wrote {out / 'index.html'} and {site.pages} pages, {size_in_words(site.size)}")
    return 0


def _add(arguments: Namespace) -> int:
    from rankproof.collection.build import add

    entry = next((e for e in _chosen(_plan(arguments), "") if e.path == f"{arguments.place}.json"), None)
    if entry is None:
        raise UsageError(f"--as {arguments.place}: the plan has no such entry; add it to targets.toml first")
    outcome = add(arguments.root, entry, arguments.file)
    print(f"{outcome.word}  {entry.path}")
    return 0


def _verify(arguments: Namespace) -> int:
    import shlex
    import tempfile

    import rankproof.verifier
    from rankproof.cli.bundle import bundle
    from rankproof.collection.check import Verifier, check, second_verifier

    entries = _chosen(_plan(arguments), arguments.only)
    names = {path.name for path in arguments.weights}
    left = [entry for entry in entries if entry.block is not None and entry.block.model not in names]
    files = [entry.path for entry in entries if entry not in left]
    missing = [file for file in files if not (arguments.root / file).is_file()]
    if missing:
        raise FormatError(
            f"{arguments.root / missing[0]} is missing, and {len(missing) - 1} more; run 'rankproof collection build'"
        )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "verifier.pyz")
        program.write_bytes(bundle(Path(rankproof.verifier.__file__).parent))
        verifiers = [Verifier("verifier.pyz", (sys.executable, "-I", "-S", str(program)))]
        for text in arguments.others:
            if text == "javascript":
                verifiers.append(second_verifier())
                continue
            words = shlex.split(text)
            verifiers.append(
                Verifier(text, tuple(os.path.abspath(w) if os.path.isfile(w) else w for w in words))
            )
        checked = check(arguments.root, files, verifiers, arguments.processes, arguments.weights)
    for model in dict.fromkeys(entry.block.model for entry in left if entry.block is not None):
        count = sum(entry.block is not None and entry.block.model == model for entry in left)
        print(f"{count} files are about blocks of {model}, and were not checked; give it with --weights")
    return _report(checked)


def _report(checked: Checked) -> int:
    from rankproof.show.quantities import seconds_in_words, size_in_words

    refused, divergent = checked.refused(), checked.divergent()
    for file, name, opinion in refused:
        print(
            f"{opinion.word}  {file}  {opinion.code} at {opinion.pointer or '/'}: {opinion.message}  [{name}]"
        )
    for file in divergent:
        print(f"DIVERGES  {file}")
    for name, seconds in checked.seconds.items():
        verified = sum(said[name].word == "VERIFIED" for said in checked.opinions.values())
        size, time = size_in_words(checked.size), seconds_in_words(seconds)
        print(f"{name}: {verified} of {len(checked.opinions)} files verified, {size} in {time}")
    if len(checked.seconds) > 1:
        print(f"{len(divergent)} divergences")
    return _FAILED if refused or divergent else 0


COMMAND = Command(
    name="collection",
    summary="build, check and list a folder of certificates",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
