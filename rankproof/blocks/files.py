"""Files of named tensors: GGUF and safetensors, read exactly and only as far as asked."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rankproof.blocks.dequantise import FLOATS, GGML, Encoding, decoded
from rankproof.errors import FormatError

_LARGEST_HEADER = 1 << 28
"""Bytes of a header; the vocabulary of a language model takes a few millions."""


@dataclass(frozen=True)
class StoredTensor:
    """Where a tensor stands in its file.

    Attributes
    ----------
    shape
        Row-major, the last index running fastest. (GGUF lists the sizes the other way round.)
    encoding
        How its numbers are stored; None when they cannot be read here.
    kind
        The name of the encoding as the file gives it.
    offset
        First byte in the file.
    """

    shape: tuple[int, ...]
    encoding: Encoding | None
    kind: str
    offset: int

    @property
    def size(self) -> int:
        """Bytes in the file; 0 when the encoding is unknown."""
        if self.encoding is None:
            return 0
        return prod(self.shape) // self.encoding.count * self.encoding.size


@dataclass(frozen=True)
class TensorFile:
    """A file of named tensors.

    Attributes
    ----------
    path
        Where it is.
    tensors
        What it holds, by name.
    metadata
        Keys and values of a GGUF file, or the ``__metadata__`` of a safetensors file.
    """

    path: Path
    tensors: Mapping[str, StoredTensor]
    metadata: Mapping[str, Any] = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        """Hash of the whole file, in hexadecimal."""
        digest = hashlib.sha256()
        with self.path.open("rb") as file:
            while piece := file.read(1 << 22):
                digest.update(piece)
        return digest.hexdigest()

    def read(self, name: str) -> NDArray[np.float64]:
        """Exact values of a tensor.

        Parameters
        ----------
        name
            As the file calls it.

        Returns
        -------
        ndarray
            float64 without any rounding, in the tensor's shape.

        Raises
        ------
        FormatError
            If there is no such tensor, its encoding is not known, the file ends too early, or a value is no number.
        """
        stored = self.tensors.get(name)
        if stored is None:
            raise FormatError(f"{self.path} has no tensor {name}")
        if stored.encoding is None:
            known = ", ".join(e.name for e in GGML.values())
            raise FormatError(f"{self.path}: {name} is stored as {stored.kind}; known are {known}")
        with self.path.open("rb") as file:
            file.seek(stored.offset)
            cells = file.read(stored.size)
        if len(cells) != stored.size:
            raise FormatError(
                f"{self.path} ends inside the tensor {name}: it is truncated; fetch the file again"
            )
        values = decoded(cells, stored.encoding).reshape(stored.shape)
        if not np.isfinite(values).all():
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(values))[0])
            raise FormatError(
                f"{self.path}: {name} holds {values[place]} at {list(place)}, which is no number"
            )
        return values


def open_tensors(path: str | Path) -> TensorFile:
    """Read the table of contents of a GGUF or safetensors file.

    Parameters
    ----------
    path
        The file; which of the two it is, is seen from its first bytes.

    Raises
    ------
    FormatError
        If it is neither, or is truncated.
    """
    path = Path(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        try:
            found = _open_gguf(path, file) if file.read(4) == b"GGUF" else _open_safetensors(path, file, size)
        except (struct.error, UnicodeDecodeError, OverflowError, MemoryError):
            raise FormatError(f"{path} ends inside its header, or the header is damaged") from None
    for name, stored in found.tensors.items():
        if stored.offset + stored.size > size:
            raise FormatError(
                f"{path} is truncated: {name} ends at byte {stored.offset + stored.size}, the file at {size}"
            )
    return found


class _Reader:
    """Little-endian values one after the other."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def take(self, code: str) -> Any:
        cells = self.file.read(struct.calcsize(f"<{code}"))
        values = struct.unpack(f"<{code}", cells)
        return values[0] if len(values) == 1 else values

    def text(self) -> str:
        length = self.take("Q")
        if length > _LARGEST_HEADER:
            raise OverflowError
        return self.file.read(length).decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, count = self.take("I"), self.take("Q")
            if count > _LARGEST_HEADER:
                raise OverflowError
            if inner in _GGUF_SCALARS:
                return list(
                    struct.unpack(
                        f"<{count}{_GGUF_SCALARS[inner]}",
                        self.file.read(count * struct.calcsize(_GGUF_SCALARS[inner])),
                    )
                )
            return [self.value(inner) for _ in range(count)]
        if kind not in _GGUF_SCALARS:
            raise OverflowError
        return self.take(_GGUF_SCALARS[kind])


_GGUF_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


def _open_gguf(path: Path, file: BinaryIO) -> TensorFile:
    reader = _Reader(file)
    version = reader.take("I")
    if version not in (2, 3):
        raise FormatError(f"{path} is GGUF of version {version}; versions 2 and 3 are read")
    tensor_count, pair_count = reader.take("Q"), reader.take("Q")
    metadata: dict[str, Any] = {}
    for _ in range(pair_count):
        key = reader.text()
        metadata[key] = reader.value(reader.take("I"))
    table: list[tuple[str, tuple[int, ...], int, int]] = []
    for _ in range(tensor_count):
        name = reader.text()
        sizes = tuple(reader.take("Q") for _ in range(reader.take("I")))
        table.append((name, sizes[::-1], reader.take("I"), reader.take("Q")))
    alignment = int(metadata.get("general.alignment", 32)) or 32
    start = -(-file.tell() // alignment) * alignment
    tensors: dict[str, StoredTensor] = {}
    for name, shape, kind, offset in table:
        encoding = GGML.get(kind)
        if encoding is not None and (not shape or shape[-1] % encoding.count):
            raise FormatError(f"{path}: the rows of {name} are no whole blocks of {encoding.name}")
        label = f"type {kind}" if encoding is None else encoding.name
        tensors[name] = StoredTensor(shape, encoding, label, start + offset)
    return TensorFile(path, tensors, metadata)


def _open_safetensors(path: Path, file: BinaryIO, size: int) -> TensorFile:
    file.seek(0)
    length = struct.unpack("<Q", file.read(8))[0]
    if length > min(size, _LARGEST_HEADER):
        raise FormatError(f"{path} is neither GGUF nor safetensors, or it is truncated inside its header")
    try:
        header = json.loads(file.read(length))
        tensors = {
            name: StoredTensor(
                tuple(entry["shape"]),
                FLOATS.get(entry["dtype"]),
                entry["dtype"],
                8 + length + entry["data_offsets"][0],
            )
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        raise FormatError(f"{path} is neither GGUF nor safetensors") from None
    for name, stored in tensors.items():
        first, last = header[name]["data_offsets"]
        if stored.encoding is not None and last - first != stored.size:
            raise FormatError(f"{path}: {name} takes {last - first} bytes, its shape {stored.size}")
    return TensorFile(path, tensors, header.get("__metadata__", {}))
