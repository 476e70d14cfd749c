"""``rankproof bundle``: the verifier as one file that runs with nothing installed."""

from __future__ import annotations

import io
import zipfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rankproof.cli.command import Command
from rankproof.errors import UsageError

_DESCRIPTION = """\
Write the verifier as one zipped Python program. It needs a Python interpreter
(3.11 or later) and nothing else, and gives the verdicts and exit statuses of
'rankproof verify'. The same sources give the same bytes."""

_EXAMPLES = """\
examples:
  rankproof bundle
  python -I -S verifier.pyz x2y.json
  rankproof bundle -o check.pyz"""

# zipapp's own --main throws the exit status away, and every verdict would read as success.
_MAIN = b"import sys\n\nfrom verifier.cli import main\n\nsys.exit(main())\n"

_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip file can say; today's date would change the bytes


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        type=Path,
        default=Path("verifier.pyz"),
        help="default: verifier.pyz",
    )


def _run(arguments: Namespace) -> int:
    import rankproof.verifier
    from rankproof.certificate.whole import write_whole

    data = bundle(Path(rankproof.verifier.__file__).parent)
    path: Path = arguments.output
    if path.exists() and not zipfile.is_zipfile(path):
        raise UsageError(f"{path} exists and is no zipped program; choose another name with -o")
    write_whole(path, data)
    print(f"wrote {path}  {len(data) / 1000:.1f} kB; run it with: python -I -S {path} FILE")
    return 0


def bundle(folder: Path) -> bytes:
    """The zipped program of a folder that holds the verifier.

    Parameters
    ----------
    folder
        The package ``rankproof/verifier``, or a copy of it.

    Returns
    -------
    bytes
        A zip archive with a ``__main__.py``; the same bytes for the same sources.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {"__main__.py": _MAIN}
        for path in sorted(folder.rglob("*.py")):
            files[f"verifier/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


COMMAND = Command(
    name="bundle",
    summary="write the verifier as one file that needs only Python",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
