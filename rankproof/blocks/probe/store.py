"""Finished parts of a long computation on disk, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from rankproof.certificate.whole import make_folder, write_whole
from rankproof.errors import FormatError


@dataclass(frozen=True)
class Store:
    """A folder of parts that belong to one question.

    Attributes
    ----------
    folder
        One file a part, each written under a temporary name and renamed.
    key
        What the parts depend on, ready for JSON; parts of another question are refused.
    """

    folder: Path
    key: Mapping[str, Any]

    def __post_init__(self) -> None:
        make_folder(self.folder)
        path = self.folder / "question.json"
        asked = json.dumps(self.key, sort_keys=True)
        if not path.exists():
            write_whole(path, asked.encode())
        elif path.read_text(encoding="utf-8") != asked:
            raise FormatError(
                f"{self.folder} holds parts of a run with another model, text or choice of options; "
                "remove it, or name another folder with -o"
            )

    def has(self, number: int) -> bool:
        """Whether a part is there."""
        return self._path(number).exists()

    def put(self, number: int, arrays: Mapping[str, np.ndarray]) -> None:
        """Keep a part."""
        data = io.BytesIO()
        np.savez(data, allow_pickle=False, **arrays)
        write_whole(self._path(number), data.getvalue())

    def get(self, number: int) -> dict[str, np.ndarray]:
        """A part that is there."""
        try:
            with self._path(number).open("rb") as file, np.load(file) as part:
                return {name: part[name] for name in part.files}
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise FormatError(
                f"{self._path(number)} cannot be read ({error}); remove it and run again"
            ) from error

    def remembered(self, name: str, compute: Callable[[], Any]) -> Any:
        """A report ready for JSON: read when it is there, else computed and kept."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            found = compute()
            write_whole(path, json.dumps(found).encode())
            return found
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise FormatError(f"{path} cannot be read ({error}); remove it and run again") from error

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:05d}.npz"
