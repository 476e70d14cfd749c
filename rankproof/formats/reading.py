"""The formats of schemes that can be read, and the one function that reads them all."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rankproof.errors import FormatError
from rankproof.formats import alphatensor, fast_matmul
from rankproof.formats.scheme import Scheme

_HEAD_BYTES = 2**16
_MAX_FILE_BYTES = 2**29


@dataclass(frozen=True)
class Format:
    """A file format of schemes.

    Attributes
    ----------
    name
        Name in messages and in the documentation.
    summary
        One line for a list of formats.
    sniff
        Whether the first bytes of a file look like this format.
    read
        Schemes from the bytes of a file and its name; raises FormatError.
    """

    name: str
    summary: str
    sniff: Callable[[bytes], bool]
    read: Callable[[bytes, str], list[Scheme]]


# Tried from top to bottom: a format that any text could be comes last. One file a format.
FORMATS: tuple[Format, ...] = (
    Format(alphatensor.NAME, alphatensor.SUMMARY, alphatensor.sniff, alphatensor.read),
    Format(fast_matmul.NAME, fast_matmul.SUMMARY, fast_matmul.sniff, fast_matmul.read),
)


def find_format(head: bytes) -> Format | None:
    """The format that the first bytes of a file belong to, decided by these alone; None when no format knows them."""
    return next((format for format in FORMATS if format.sniff(head[:_HEAD_BYTES])), None)


def read_schemes(path: str | os.PathLike[str]) -> list[Scheme]:
    """Schemes of a file in any known format.

    Parameters
    ----------
    path
        The file. Its name is used in messages only: the format is recognised by the content.

    Raises
    ------
    FormatError
        If the file cannot be opened, belongs to no known format, or breaks the rules of its format.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise FormatError(f"{path.name} is larger than {_MAX_FILE_BYTES >> 20} MiB and is not read")
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}") from None
    format = find_format(data)
    if format is None:
        known = "; ".join(f"{f.name} ({f.summary})" for f in FORMATS)
        raise FormatError(f"{path.name} is in no known format of schemes; the known ones are {known}")
    return format.read(data, path.name)
