"""Files that are written whole: whoever reads one sees the old file or the new one, never a part."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from rankproof.errors import UsageError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(path: Path, data: bytes, *, keep: bool = False) -> None:
    """Write a file, or leave what was there.

    Parameters
    ----------
    path
        Where to; the folder exists.
    data
        The whole file.
    keep
        When the place does not take the file, put it into the folder for temporary files: it took long to find.

    Raises
    ------
    UsageError
        If it cannot be written; the sentence names the cause, and where the file was kept.
    """
    # Same folder, so that the last step is a rename inside one file system.
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException as error:
        # A folder that does not let go of the part says why below.
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        place = _kept(path, data) if keep else None
        kept = "" if place is None else f"; what was found is kept in {place}"
        raise UsageError(f"cannot write {path}: {_cause(error)}{kept}") from error


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where they are missing.

    Raises
    ------
    UsageError
        If it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {path}: {_cause(error)}") from error


def _cause(error: OSError) -> str:
    repair = "make room, or choose another place" if error.errno in _FULL else "choose another place"
    return f"{error.strerror}; {repair}"


def _kept(path: Path, data: bytes) -> Path | None:
    """Where a file that could not be written was put instead, if anywhere."""
    place = Path(tempfile.gettempdir()) / f"{path.stem}-{secrets.token_hex(4)}{path.suffix}"
    try:
        write_whole(place, data)
    except UsageError:
        return None
    return place


__all__ = ["make_folder", "write_whole"]
