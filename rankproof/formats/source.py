"""A file that somebody gave: its bytes, its name, and the files that lie beside it."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from lzma import LZMAError
from pathlib import Path
from typing import Any

from rankproof.errors import FormatError
from rankproof.problem.field import Scalar

MAX_FILE_BYTES = 2**29
# The largest published scheme has 3.2 MB; a zip file can announce far more than it holds.
MAX_ENTRY_BYTES = 2**28
_MAX_TOTAL_BYTES = 2**31


@dataclass(frozen=True)
class Source:
    """A file to read.

    Attributes
    ----------
    name
        Its name, for labels and errors. No format is recognised by it, but a format that writes a scheme into
        several files finds the others by their names.
    data
        Its bytes.
    folder
        Where it lies; None when it lies nowhere.
    symbols
        Values for symbols in it, such as a parameter of a family of schemes or a placeholder for a square root.
    """

    name: str
    data: bytes
    folder: Path | None = None
    symbols: Mapping[str, Scalar] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str | os.PathLike[str], symbols: Mapping[str, Scalar] | None = None) -> Source:
        """The source at a path.

        Raises
        ------
        FormatError
            If the file cannot be opened, or is too large.
        """
        path = Path(path)
        try:
            if path.stat().st_size > MAX_FILE_BYTES:
                raise FormatError(f"{path.name} is larger than {MAX_FILE_BYTES >> 20} MiB and is not read")
            return cls(path.name, path.read_bytes(), path.parent, symbols or {})
        except OSError as error:
            raise FormatError(f"{path} cannot be read: {error.strerror or error}") from None

    @cached_property
    def text(self) -> str:
        """The bytes as text; a byte that is no UTF-8 stands in a comment, or is refused as no number."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def is_binary(self) -> bool:
        """Whether the first bytes are those of no text."""
        return b"\0" in self.data[:4096]

    @cached_property
    def json(self) -> dict[str, Any] | None:
        """The JSON object that the file holds, decimals as text; None when it holds something else."""
        if self.data.lstrip()[:1] != b"{":
            return None
        try:
            value = json.loads(self.data, parse_float=str)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def beside(self, name: str) -> Source | None:
        """Another file of the same folder; None when there is none of that name."""
        if self.folder is None or not (self.folder / name).is_file():
            return None
        return Source.of(self.folder / name, self.symbols)

    def arrays(self) -> Iterator[tuple[str, bytes]]:
        """The arrays of a ``.npz`` archive, one after the other: their names, and the bytes of ``.npy`` files.

        Raises
        ------
        FormatError
            If the archive is damaged or too large, or holds something else.
        """
        try:
            with zipfile.ZipFile(BytesIO(self.data)) as archive:
                entries = [info for info in archive.infolist() if not info.filename.endswith("/")]
                if sum(info.file_size for info in entries) > _MAX_TOTAL_BYTES:
                    raise FormatError(
                        f"{self.name} unpacks to more than {_MAX_TOTAL_BYTES >> 20} MiB and is not read"
                    )
                for info in entries:
                    yield self._key(info), archive.read(info)
        # zipfile reports encryption as RuntimeError and an unknown compression as NotImplementedError.
        except (
            zipfile.BadZipFile,
            zlib.error,
            LZMAError,
            EOFError,
            RuntimeError,
            OSError,
            ValueError,
        ) as error:
            raise FormatError(f"{self.name} is a damaged .npz file: {error}") from None

    def _key(self, info: zipfile.ZipInfo) -> str:
        key = info.filename.removesuffix(".npy")
        if key == info.filename:
            raise FormatError(
                f"{self.name} contains {info.filename}, which is not a .npy array; it is no .npz of schemes"
            )
        if info.file_size > MAX_ENTRY_BYTES:
            raise FormatError(
                f"{self.name}:{key} unpacks to more than {MAX_ENTRY_BYTES >> 20} MiB and is not read"
            )
        return key

    @property
    def is_archive(self) -> bool:
        """Whether the file begins like a zip archive."""
        return self.data.startswith((b"PK\x03\x04", b"PK\x05\x06"))
