"""A file system that fails: the process dies, or the system refuses, at the k-th change of a folder.

Python announces every change of a file system to its audit hooks, whatever library makes it, and what a hook raises stops the
change.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Killed(BaseException):
    """The process is dead: from here on it changes nothing, not even to clean up."""


class Faults:
    """Counts the changes below a folder; from number ``at`` on, or at that one only, ``error`` is raised."""

    def __init__(self, folder: Path, at: int | None = None, error: int | None = None) -> None:
        self.folder, self.at, self.error = str(folder), at, error
        self.met = 0

    def heard(self, event: str, words: tuple[Any, ...]) -> None:
        path, *rest = words
        if event == "open":
            mode, flags = rest
            writes = set("wax+") & set(mode) if isinstance(mode, str) else flags & WRITING
            if not writes:
                return
        elif event not in CHANGES:
            return
        if not isinstance(path, (str, bytes, os.PathLike)) or not os.path.abspath(
            os.fsdecode(path)
        ).startswith(self.folder):
            return
        number = self.met
        self.met += 1
        if self.at is None or number < self.at:
            return
        if self.error is None:
            raise Killed
        if event != "os.remove":
            raise OSError(self.error, os.strerror(self.error), path)


_active: list[Faults] = []
_hooked: list[bool] = []


def _hook(event: str, words: tuple[Any, ...]) -> None:
    if _active and words:
        _active[-1].heard(event, words)


@contextmanager
def faults(folder: Path, at: int | None = None, error: int | None = None) -> Iterator[Faults]:
    """Let changes below a folder fail: from number ``at`` on; with ``error`` by the system, else by the end of the process."""
    if not _hooked:
        # A hook cannot be taken away again: it stays, and does nothing outside this context.
        sys.addaudithook(_hook)
        _hooked.append(True)
    plan = Faults(folder, at, error)
    _active.append(plan)
    try:
        yield plan
    finally:
        _active.remove(plan)


REFUSALS = {"full": errno.ENOSPC, "read-only": errno.EROFS, "forbidden": errno.EACCES}
