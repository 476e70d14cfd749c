"""Write the corpus: ``python -m tests.corpus.make`` from the root of the repository.

Every file comes from ``recipes``; ``expected.json`` holds the verdict that each must get. The files are committed, and a
test compares them with what this script would write.
"""

from __future__ import annotations

import json
from pathlib import Path

from .recipes import CASES
from .recipes.building import Case
from .recipes.weights import WEIGHTS

FOLDER = Path(__file__).resolve().parent
KINDS = ("accept", "reject", "unreadable", "undecided", "weights")


def contents(cases: list[Case]) -> dict[str, bytes]:
    """Every file of the corpus by its path inside the folder."""
    files = {case.path: case.data for case in cases}
    if len(files) != len(cases):
        raise ValueError("two cases have one path")
    lines = [
        f"{json.dumps(case.path)}: {json.dumps([case.word, case.code, case.pointer])}"
        for case in sorted(cases, key=lambda case: case.path)
    ]
    files |= {f"weights/{name}": data for name, data in WEIGHTS.items()}
    return files | {"expected.json": ("{" + ",\n ".join(lines) + "}\n").encode("ascii")}


def found(folder: Path = FOLDER) -> dict[str, bytes]:
    """The files that are there."""
    paths = [path for kind in KINDS for path in (folder / kind).rglob("*") if path.is_file()]
    expected = folder / "expected.json"
    paths += [expected] if expected.exists() else []
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def write(folder: Path = FOLDER) -> tuple[int, int]:
    """Write what differs and remove what is no longer made; the numbers of files written and removed."""
    wanted, present = contents(CASES), found(folder)
    stale = [path for path in present if path not in wanted]
    for path in stale:
        (folder / path).unlink()
    new = [path for path, data in wanted.items() if present.get(path) != data]
    for path in new:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(wanted[path])
    return len(new), len(stale)


if __name__ == "__main__":
    written, removed = write()
    print(f"{len(CASES)} files; {written} written, {removed} removed")
