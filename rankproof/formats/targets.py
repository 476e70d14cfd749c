"""Targets in other people's files: arrays of integers, sparse tensors, and what a scheme decomposes."""

from __future__ import annotations

import re
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np

from rankproof.errors import FormatError, TargetError
from rankproof.problem.space import MAX_DIMENSION, MAX_FACTORS, Space, Word
from rankproof.problem.target import Target

# A dense array is a convenience; a tensor that needs more memory than this has a sparse format.
_MAX_DENSE_BYTES = 2**28
_MAX_SPARSE_BYTES = 2**28


def read_target(path: Path) -> Target:
    """The target that a file holds.

    Parameters
    ----------
    path
        ``.npy``, or ``.npz`` with one array: an array of integers of order k, read as a tensor. ``.tns``: a sparse
        tensor, see `read_sparse`. Anything else: a scheme in one of `rankproof.formats.FORMATS`, whose target is taken once
        the scheme is found to decompose it.

    Raises
    ------
    FormatError
        If the file cannot be read.
    TargetError
        If its numbers are not exact, or do not make a target.
    """
    suffix = path.suffix.lower()
    if suffix == ".tns":
        return read_sparse(path)
    if suffix == ".npy" and not _is_scheme(path):
        return _tensor(_load(path), path)
    if suffix == ".npz" and (name := _only_array(path)) is not None:
        return _tensor(_load(path, name), path)
    return _of_schemes(path)


def _is_scheme(path: Path) -> bool:
    """Whether an array is the one of a scheme, and no tensor."""
    from rankproof.formats.flip_cpd import sniff
    from rankproof.formats.source import Source

    with path.open("rb") as file:
        return sniff(Source(path.name, file.read(4096)))


def _load(path: Path, name: str | None = None) -> np.ndarray:
    try:
        if name is None:
            # Mapped, so that the size can be refused before anything is read.
            loaded = np.load(path, mmap_mode="r", allow_pickle=False)
        else:
            with zipfile.ZipFile(path) as archive:
                if archive.getinfo(f"{name}.npy").file_size > _MAX_DENSE_BYTES:
                    raise FormatError(_too_large(path))
            with np.load(path, allow_pickle=False) as archive:
                loaded = archive[name]
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is not an array of integers in numpy's format: {error}") from error
    if loaded.nbytes > _MAX_DENSE_BYTES:
        raise FormatError(_too_large(path))
    return np.asarray(loaded)


def _too_large(path: Path) -> str:
    return f"{path} holds more than {_MAX_DENSE_BYTES >> 20} MiB; write its entries that are not zero as a .tns file"


def _only_array(path: Path) -> str | None:
    """Name of the array of an archive that holds one tensor; None when it is an archive of schemes."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist()]
    except (OSError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is not a .npz archive: {error}") from error
    # AlphaTensor's archives call their schemes "2,2,3".
    return names[0] if len(names) == 1 and "," not in names[0] else None


def _tensor(array: np.ndarray, path: Path) -> Target:
    try:
        return Target.from_array(array)
    except TargetError as error:
        raise TargetError(f"{path}: {error}") from error


_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_QUOTIENT = re.compile(r"[+-]?[0-9]{1,4000}/0*[1-9][0-9]{0,3999}")


def read_sparse(path: Path) -> Target:
    """The tensor of a ``.tns`` file.

    One entry a line: its indices from 1, then an integer or a quotient of integers; ``#`` begins a comment. The dimensions
    are the largest indices, unless the file begins with the header that pyttb and the Tensor Toolbox for MATLAB
    write: ``sptensor``, the order, the dimensions, the number of entries.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    FormatError
        If a line is none of these, or an entry is given twice.
    """
    if path.stat().st_size > _MAX_SPARSE_BYTES:
        raise FormatError(f"{path} is larger than {_MAX_SPARSE_BYTES >> 20} MiB and is not read")
    try:
        text = path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not a sparse tensor in ASCII: {error}") from error
    lines = [
        (number, words)
        for number, line in enumerate(text.splitlines(), start=1)
        if (words := line.partition("#")[0].split())
    ]
    dims: tuple[int, ...] | None = None
    if lines and lines[0][1] == ["sptensor"]:
        dims, lines = _header(lines, path)
    entries: dict[Word, int | Fraction] = {}
    for number, words in lines:
        word = tuple(_index(index, path, number, MAX_DIMENSION) - 1 for index in words[:-1])
        order = len(next(iter(entries), word))
        if not 1 <= len(word) <= MAX_FACTORS or len(word) != order:
            raise FormatError(
                f"{path}, line {number}: {len(word)} indices where {order or 'at least one'} are expected"
            )
        if word in entries:
            raise FormatError(f"{path}, line {number}: the entry {' '.join(words[:-1])} is given twice")
        entries[word] = _number(words[-1], path, number)
    if not entries:
        raise FormatError(f"{path} holds no entries; write one a line: the indices from 1, then the value")
    largest = tuple(max(word[k] for word in entries) + 1 for k in range(len(next(iter(entries)))))
    dims = largest if dims is None else dims
    if len(dims) != len(largest) or any(n < index for n, index in zip(dims, largest, strict=True)):
        raise FormatError(
            f"{path}: the dimensions {' '.join(map(str, dims))} of the header do not fit the entries"
        )
    if len(dims) == 2 and dims[1] == 1:
        # An axis of length 1 behind a matrix carries nothing, and a tensor of order 2 may not have it.
        dims, entries = dims[:1], {word[:1]: c for word, c in entries.items()}
    return Target.from_entries(Space.tensor(*dims), entries)


Lines = list[tuple[int, list[str]]]


def _header(lines: Lines, path: Path) -> tuple[tuple[int, ...], Lines]:
    """Dimensions from the header of a sptensor, and the lines of its entries."""
    if len(lines) < 4:
        raise FormatError(
            f"{path}: the header of a sptensor has four lines: sptensor, order, dimensions, entries"
        )
    announced, entries = lines[3][1], lines[4:]
    if announced != [str(len(entries))]:
        raise FormatError(
            f"{path}: the header announces {' '.join(announced)} entries, and {len(entries)} follow"
        )
    return tuple(_index(word, path, lines[2][0], MAX_DIMENSION) for word in lines[2][1]), entries


def _index(word: str, path: Path, number: int, largest: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10 and 1 <= int(word) <= largest):
        raise FormatError(
            f"{path}, line {number}: {word!r} is not an index; indices are integers from 1 to {largest}"
        )
    return int(word)


def _number(word: str, path: Path, number: int) -> int | Fraction:
    if _INTEGER.fullmatch(word):
        return int(word)
    if _QUOTIENT.fullmatch(word):
        return Fraction(word)
    raise FormatError(
        f"{path}, line {number}: {word!r} is not exact; write an integer or a quotient such as 1/2"
    )


def _of_schemes(path: Path) -> Target:
    # Matching a scheme loads more than reading an array needs.
    from rankproof.formats.checking import verify_input

    found = verify_input(path)
    targets = {scheme.target: scheme.match.target for scheme in found if scheme.match is not None}
    if not targets:
        raise FormatError(found[0].problem or f"{path}: {found[0].note or 'it holds no scheme'}")
    if len(targets) > 1:
        some = ", ".join(list(targets)[:4]) + (", ..." if len(targets) > 4 else "")
        raise FormatError(
            f"{path} holds schemes for {len(targets)} targets; ask about one of them by name: {some}"
        )
    return next(iter(targets.values()))
