"""Every command that writes: how it is run, and what has to be there for it."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from blocks.small_models import llama_gguf

from rankproof.cli import main
from rankproof.verifier import verify_bytes

PLAN = """\
[m]
title = "Monomials"
[m.targets]
x2 = { target = "x**2", units = "tied" }
xy = { target = "x*y", units = "untied" }
"""
KARATSUBA = "m = (a1 + a2)(b1 + b2)\nc1 = a1 b1\nc3 = a2 b2\nc2 = m - c1 - c3\n"


@dataclass(frozen=True)
class Writing:
    """Words of a command, and what prepares its folder; a slow one is run less often."""

    words: tuple[str, ...]
    prepare: Callable[[], object] = lambda: None
    extra: str = ""
    slow: bool = False


def _old() -> None:
    assert main(["certify", "x*y", "--no-border", "-q", "-o", "out.json"]) == 0


def _plan() -> None:
    Path("certificates").mkdir()
    Path("certificates/targets.toml").write_text(PLAN)


def _to_add() -> None:
    _plan()
    assert main(["certify", "x**2", "--units", "tied", "-q", "-o", "given.json"]) == 0


def _built() -> None:
    _plan()
    assert main(["collection", "build", "--root", "certificates"]) == 0
    Path("certificates/README.md").unlink()


COLLECTION = ("--root", "certificates")
COMMANDS = {
    "certify": Writing(("certify", "x*y", "-q", "--no-border", "-o", "out.json"), _old),
    "certify by degree": Writing(("certify", "x**2+y", "-q", "--no-border", "-o", "out.json")),
    "search": Writing(("search", "x**2*y", "--units", "untied", "--width", "1", "-q", "-o", "out.json")),
    "degenerate": Writing(
        ("degenerate", "x**2*y", "--units", "tied", "--width", "2", "-o", "out.json"), slow=True
    ),
    "floor": Writing(("floor", "x**2*y", "--units", "tied", "--width", "1", "-o", "out.json")),
    "convert": Writing(
        ("convert", "karatsuba.txt", "out.json", "--as", "polymul(2,2)", "--force"),
        lambda: Path("karatsuba.txt").write_text(KARATSUBA),
    ),
    "bundle": Writing(("bundle", "-o", "out.pyz")),
    "generic": Writing(
        ("generic", "--degree", "2", "--variables", "2", "--outputs", "1", "--plot", "out.png"),
        extra="matplotlib",
        slow=True,
    ),
    "train": Writing(
        ("train", "x*y", "--widths", "1", "--units", "untied", "--seeds", "1", "--steps", "2", "--no-finish")
        + ("--budget", "0", "--checkpoint", "0.001", "-o", "sweep"),
        extra="torch",
    ),
    "collection build": Writing(("collection", "build", *COLLECTION), _plan),
    "collection add": Writing(("collection", "add", "given.json", "--as", "m/x2", *COLLECTION), _to_add),
    "collection page": Writing(("collection", "page", *COLLECTION), _built),
    "block": Writing(
        ("block", "small.gguf", "--block", "1", "--keep", "4", "-o", "out.json"),
        lambda: llama_gguf(Path("small.gguf")),
    ),
}


def is_whole(path: Path) -> bool:
    """Whether a file is what its name says, from the first byte to the last."""
    data = path.read_bytes()
    if path.suffix == ".json":
        tree = json.loads(data)
        if isinstance(tree, dict) and tree.get("format") == "rankproof-certificate":
            return verify_bytes(data, weights=[str(path.parent)]).ok
        return True
    if path.suffix == ".pyz":
        return zipfile.ZipFile(path).testzip() is None
    if path.suffix == ".png":
        return data.endswith(b"IEND\xaeB`\x82")
    return bool(data)


def visible(folder: Path) -> dict[str, bytes]:
    """Every file but the hidden ones, which are parts that a dead process left behind."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def restore(folder: Path, before: Path) -> None:
    """Empty a folder and fill it with what was there before."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(before, folder, dirs_exist_ok=True)
