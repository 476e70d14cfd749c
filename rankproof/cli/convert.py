"""``rankproof convert``: write a scheme in another format, once the verifier has accepted it."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli.command import Command
from rankproof.errors import UsageError

if TYPE_CHECKING:
    from rankproof.cli.products import Verified
    from rankproof.formats.writing import Writer

_DESCRIPTION = """\
Write a scheme in another format: a file in any format that 'rankproof verify'
reads, or a certificate. The verifier checks the scheme first, and nothing is
written unless it accepts. The format follows from the ending of OUT:

  .json  certificate       .exp  text, one product a line
  .txt   fast-matmul       .npz  arrays u, v, w
  .m2    Macaulay2         .tex  LaTeX

or is named: --format json writes factor matrices u, v, w as JSON."""

_EXAMPLES = """\
examples:
  rankproof convert smirnov333.txt smirnov333.json     a certificate
  rankproof convert smirnov333.json smirnov333.exp     and back to text
  rankproof convert factorizations_r.npz laderman.tex --scheme 3,3,3
  rankproof convert factorizations_f2.npz texts/ --format exp
  rankproof convert strassen.exp - --format json       to the console

exit status: 0 when the file was written, else that of 'rankproof verify'"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "input", metavar="IN", type=Path, help="a scheme in any known format, or a certificate"
    )
    parser.add_argument(
        "output", metavar="OUT", help="the file to write; a folder for all schemes of IN; - for the console"
    )
    parser.add_argument("--format", metavar="FORMAT", help="what to write, whatever the ending of OUT")
    parser.add_argument(
        "--as",
        dest="as_text",
        metavar="TARGET",
        help="what the scheme decomposes (default: as 'rankproof verify')",
    )
    parser.add_argument("--ring", metavar="RING", help="check over this ring only")
    parser.add_argument(
        "--let",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="value of a symbol or placeholder in IN",
    )
    parser.add_argument("--scheme", metavar="KEY", help="which scheme of a file of several")
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")


def _run(arguments: Namespace) -> int:
    from rankproof.certificate.whole import make_folder
    from rankproof.cli.products import one, verified_products
    from rankproof.cli.schemes import wanted_of
    from rankproof.formats.writing import writer_of

    path: Path = arguments.input
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    to_folder = arguments.output.endswith(("/", os.sep)) or Path(arguments.output).is_dir()
    if (to_folder or arguments.output == "-") and arguments.format is None:
        raise UsageError(f"{arguments.output} does not say which format to write; name one with --format")
    writer = writer_of(arguments.format, arguments.output)
    found = verified_products(path, wanted_of(arguments), arguments.scheme)
    if arguments.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(writer.write(one(found, path).products))
        sys.stdout.buffer.flush()
        return 0
    if not to_folder:
        chosen = one(found, path)
        _write(Path(arguments.output), chosen, writer, force=arguments.force)
        return 0
    folder = Path(arguments.output)
    make_folder(folder)
    for scheme in found:
        _write(folder / _file_name(path, scheme, writer), scheme, writer, force=arguments.force)
    return 0


def _write(path: Path, scheme: Verified, writer: Writer, *, force: bool) -> None:
    from rankproof.certificate.whole import write_whole

    if path.exists() and not force:
        raise UsageError(f"{path} exists; choose another file, or overwrite it with --force")
    write_whole(path, writer.write(scheme.products))
    products = scheme.products
    kind = "border family" if products.is_family else "decomposition"
    print(
        f"wrote {path}  {writer.name}: {kind} of {products.target.text}, {len(products.proof)} products over"
        f" {products.ring_name}, {products.proof.additions()} additions"
    )


def _file_name(path: Path, scheme: Verified, writer: Writer) -> str:
    """A file name for one scheme of several, made of the name of the file and the key."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", scheme.key).strip("-")
    return "-".join(filter(None, (path.stem, key))) + (writer.suffix or ".json")


COMMAND = Command(
    name="convert",
    summary="write a scheme in another format",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
