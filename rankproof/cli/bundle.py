"""``rankproof bundle``: a verifier as one file that runs with nothing installed."""

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
'rankproof verify'. With --javascript, the second verifier as one script for Node.
The same sources give the same bytes."""

_EXAMPLES = """\
examples:
  rankproof bundle
  python -I -S verifier.pyz x2y.json
  rankproof bundle -o check.pyz
  rankproof bundle --javascript
  node verifier.js x2y.json"""

# zipapp's own --main throws the exit status away, and every verdict would read as success.
_MAIN = b"import sys\n\nfrom verifier.cli import main\n\nsys.exit(main())\n"

_HEAD = b"// The JavaScript verifier of rankproof: node verifier.js [--json] FILE... There is nothing else to install."

# The verdicts, lines and exit statuses of `rankproof verify`, as rankproof/verifier_js/cli.mjs gives them.
_NODE = b"""
const { readFileSync } = require("node:fs");
const words = process.argv.slice(2);
const files = words.filter((word) => !word.startsWith("--"));
const statuses = new Set();
for (const file of files) {
  let said;
  try {
    said = rankproofVerify(readFileSync(file), []);
  } catch (error) {
    if (error.syscall === undefined) throw error;
    said = { verdict: "UNREADABLE", exit: 3, code: "no-file", pointer: "", message: error.message };
    Object.assign(said, { conclusion: [], theorems: [], claim: "", sha256: "" });
  }
  statuses.add(said.exit);
  const reason = said.code ? `${said.code} at ${said.pointer || "/"}: ${said.message}` : said.claim;
  const line = JSON.stringify({ schema: "rankproof/verdict/1", file, ...said });
  console.log(words.includes("--json") ? line : `${said.verdict}  ${file}  ${reason}`);
}
if (!files.length) console.error("usage: node verifier.js [--json] FILE...");
process.exitCode = files.length ? ([70, 1, 3, 4, 5].find((status) => statuses.has(status)) ?? 0) : 2;
"""

_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip file can say; today's date would change the bytes


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        type=Path,
        help="default: verifier.pyz, or verifier.js",
    )
    parser.add_argument(
        "--javascript", action="store_true", help="the second verifier, written in JavaScript, for Node"
    )


def _run(arguments: Namespace) -> int:
    import rankproof.verifier
    from rankproof.certificate.whole import write_whole

    script: bool = arguments.javascript
    path: Path = arguments.output or Path("verifier.js" if script else "verifier.pyz")
    data = javascript() if script else bundle(Path(rankproof.verifier.__file__).parent)
    if path.exists() and not (path.read_bytes().startswith(_HEAD) if script else zipfile.is_zipfile(path)):
        raise UsageError(f"{path} exists and is no bundled verifier; choose another name with -o")
    write_whole(path, data)
    print(
        f"wrote {path}  {len(data) / 1000:.1f} kB; run it with: {'node' if script else 'python -I -S'} {path} FILE"
    )
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


def javascript() -> bytes:
    """The second verifier as one script for Node; the same bytes for the same sources."""
    from rankproof.show.script import default_script

    return b"\n".join((_HEAD, default_script().encode(), _NODE))


COMMAND = Command(
    name="bundle",
    summary="write the verifier as one file that needs only Python",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
