"""Files that are not part of the package, where tests find values that nobody here made.

RANKPROOF_EXTERNAL_DATA names the folder of foreign files, with ``atlas.json`` in it or next to it. Without the variable they
are looked for in the folders beside the project. Tests that need them are skipped when they are absent.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def _places() -> tuple[Path, ...]:
    """Folders in which foreign files may lie, the likeliest first."""
    if named := os.environ.get("RANKPROOF_EXTERNAL_DATA"):
        return Path(named), Path(named).parent
    beside = (folder for folder in sorted(_ROOT.parent.iterdir()) if (folder / "atlas.json").is_file())
    return tuple(place for folder in beside for place in (folder / "data", folder))


def data_folder() -> Path:
    """Folder of foreign files; skips the test when there is none."""
    if _places() and _places()[0].is_dir():
        return _places()[0]
    pytest.skip("no foreign files; set RANKPROOF_EXTERNAL_DATA to their folder")


def atlas_file() -> Path | None:
    """The atlas of known values; None when there is none."""
    return next((place / "atlas.json" for place in _places() if (place / "atlas.json").is_file()), None)


def atlas() -> dict[str, Any]:
    """The atlas of known values; skips the test when it is absent."""
    path = atlas_file()
    if path is None:
        pytest.skip("no atlas.json; set RANKPROOF_EXTERNAL_DATA to the folder next to it")
    return _read(path)


@lru_cache(maxsize=1)
def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))
