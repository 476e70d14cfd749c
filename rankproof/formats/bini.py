"""Kemper's "Bini" tables: ``Bini n m p r``, then one line a product with the vectors Gamma, Alpha, Beta split by semicolons."""

from __future__ import annotations

import re

from rankproof.errors import FormatError
from rankproof.formats.nested import number
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "bini"
SUMMARY = "text, a line 'Bini n m p r', then 'k ; Gamma ; Alpha ; Beta' for every product"

_HEADER = re.compile(r"^Bini\s+(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})\s+(\d{1,6})\s*$", re.MULTILINE)
_COLUMNS = re.compile(r"product\s+Gamma\s+Alpha\s+Beta")


def sniff(source: Source) -> bool:
    """Whether a line ``Bini n m p r`` occurs."""
    return not source.is_binary and _HEADER.search(source.text) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a line does not hold the vectors that the header announces.
    """
    header = _HEADER.search(source.text)
    if header is None:
        raise FormatError(f"{source.name} has no line 'Bini n m p r'")
    n, m, p, r = map(int, header.groups())
    sizes = (n * p, n * m, m * p)
    vectors: tuple[list[list[Scalar]], ...] = ([], [], [])
    for line_number, line in enumerate(source.text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(("#", "Bini")) or _COLUMNS.fullmatch(line):
            continue
        where = f"{source.name}, line {line_number}"
        parts = line.split(";")
        if len(parts) != 4:
            raise FormatError(f"{where}: {line[:40]!r} is not 'k ; Gamma ; Alpha ; Beta'")
        for place, part, size in zip(vectors, parts[1:], sizes, strict=True):
            place.append([number(word, where) for word in part.split()])
            if len(place[-1]) != size:
                raise FormatError(
                    f"{where}: a vector has {len(place[-1])} coordinates and {size} are announced"
                )
    if len(vectors[0]) != r:
        raise FormatError(f"{source.name} announces {r} products and lists {len(vectors[0])}")
    W, U, V = (
        Factor.of_vectors(size, map(enumerate, group)) for size, group in zip(sizes, vectors, strict=True)
    )
    return [Scheme(source.name, None, (U, V, W), format=NAME)]
