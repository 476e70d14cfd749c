"""The JavaScript verifier as one classic script, so that a page can hold it and open from a disk.

Browsers load no modules from file://. The modules of ``rankproof/verifier_js`` use a small part of the syntax of
modules: named imports and exported declarations. That part is translated here, and anything else is refused: every
module becomes a function that is called once, in the order in which they depend on each other.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath

from rankproof.errors import FormatError

FOLDER = Path(__file__).resolve().parent.parent / "verifier_js"
"""The modules of the JavaScript verifier."""

ENTRY = "verify.mjs"
"""The module that exports ``verify(bytes, accepted)``."""

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.\.?/[\w./-]+\.mjs)";[ \t]*\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function\*? ?|class |const )([\w$]+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import\b|export\b)|\bimport\s*[.(]", re.MULTILINE)


def verifier_script(folder: Path = FOLDER, entry: str = ENTRY) -> str:
    """A script that defines ``rankproofVerify``, the function ``verify`` of the entry module.

    Parameters
    ----------
    folder
        Where the modules are.
    entry
        Name of the module to start from; what it does not need is left out.

    Raises
    ------
    FormatError
        If a module is missing, uses other syntax of modules, or modules need each other in a circle.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     _ = Path(name, "a.mjs").write_text('export const one = 1;\\n')
    ...     _ = Path(name, "verify.mjs").write_text(
    ...         'import { one as I } from "./a.mjs";\\nexport function verify() {\\n  return I;\\n}\\n')
    ...     print(verifier_script(Path(name)))
    const rankproofVerify = (() => {
    "use strict";
    // a.mjs
    const module0 = (() => {
    const one = 1;
    return { one };
    })();
    // verify.mjs
    const module1 = (() => {
    const { one: I } = module0;
    function verify() {
      return I;
    }
    return { verify };
    })();
    return module1.verify;
    })();
    """
    modules = _Modules(folder)
    modules.add(PurePosixPath(entry), ())
    if "verify" not in modules.exports[PurePosixPath(entry)]:
        raise FormatError(f"{folder / entry} does not export verify")
    parts = ["const rankproofVerify = (() => {", '"use strict";', *modules.written]
    parts += [f"return {modules.names[PurePosixPath(entry)]}.verify;", "})();"]
    script = "\n".join(parts)
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise FormatError(
            f"the modules of {folder} hold </script or <!--, which would end the script of a page"
        )
    return script


@cache
def default_script() -> str:
    """The script of the verifier that comes with this package."""
    return verifier_script()


class _Modules:
    """Modules that are translated already, in the order in which they have to run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[PurePosixPath, str] = {}
        self.exports: dict[PurePosixPath, tuple[str, ...]] = {}
        self.written: list[str] = []

    def add(self, path: PurePosixPath, waiting: tuple[PurePosixPath, ...]) -> None:
        """Translate a module after all that it imports."""
        if path in self.names:
            return
        if path in waiting:
            raise FormatError(
                f"{' -> '.join(map(str, (*waiting, path)))}: modules need each other in a circle"
            )
        try:
            source = (self.folder / path).read_text(encoding="utf-8")
        except OSError as error:
            raise FormatError(f"{self.folder / path}: {error.strerror}") from error
        lines: list[str] = []
        for match in _IMPORT.finditer(source):
            other = _resolved(path.parent / match[2])
            self.add(other, (*waiting, path))
            lines.append(self._bindings(path, match[1], other))
        body = _IMPORT.sub("", source)
        exported = tuple(_EXPORT.findall(body))
        body = _EXPORT.sub("", body)
        if left := _LEFT.search(body):
            line = body.count("\n", 0, left.start()) + 1
            raise FormatError(f"{self.folder / path}: {left[0].strip()!r} near line {line} is not translated")
        name = f"module{len(self.names)}"
        self.names[path], self.exports[path] = name, exported
        returned = f"return {{ {', '.join(exported)} }};"
        self.written += [
            f"// {path}",
            f"const {name} = (() => {{",
            *lines,
            body.rstrip("\n"),
            returned,
            "})();",
        ]

    def _bindings(self, path: PurePosixPath, imported: str, other: PurePosixPath) -> str:
        pairs = [part.split(" as ") for part in imported.replace("\n", " ").split(",") if part.strip()]
        names = [[word.strip() for word in pair] for pair in pairs]
        for own, *_ in names:
            if own not in self.exports[other]:
                raise FormatError(f"{self.folder / path} imports {own}, which {other} does not export")
        return f"const {{ {', '.join(': '.join(pair) for pair in names)} }} = {self.names[other]};"


def _resolved(path: PurePosixPath) -> PurePosixPath:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)


__all__ = ["default_script", "verifier_script"]
