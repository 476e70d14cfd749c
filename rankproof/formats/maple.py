"""The Maple files of the catalogue of fast matrix multiplication: a ``TriadSet`` of triples of matrices."""

from __future__ import annotations

import re

from rankproof.errors import FormatError
from rankproof.formats.mathematica import matrix_factors
from rankproof.formats.nested import as_matrix, read_nested
from rankproof.formats.scheme import Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "maple"
SUMMARY = "Maple, TriadSet([Triad([Matrix(...), Matrix(...), Matrix(...)]), ...])"

_TRIADS = re.compile(r"TriadSet\s*\(\s*\[")
# The names of the matrices before, and Maple's own check behind the list, are no part of the scheme.
_MATRIX = re.compile(r"Matrix\s*\(\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\[\[(?:[^()]|\([^()]*\))*?\]\])\s*\)")
_TRIAD = re.compile(r"Triad\s*\(\s*\[(.*?\))\s*\]\s*\)", re.DOTALL)


def sniff(source: Source) -> bool:
    """Whether a ``TriadSet`` occurs."""
    return not source.is_binary and _TRIADS.search(source.text) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a triad does not hold three matrices of the announced sizes.
    """
    opening = _TRIADS.search(source.text)
    if opening is None:
        raise FormatError(f"{source.name} has no TriadSet")
    matrices: tuple[list[list[list[Scalar]]], ...] = ([], [], [])
    for k, triad in enumerate(_TRIAD.finditer(source.text, opening.end() - 1), 1):
        where = f"{source.name}, triad {k}"
        found = list(_MATRIX.finditer(triad[1]))
        if len(found) != 3:
            raise FormatError(f"{where}: three matrices Matrix(rows, columns, [[...]]) are expected")
        for place, match in zip(matrices, found, strict=True):
            matrix = as_matrix(read_nested(match[3], "[]", where, source.symbols.get), where)
            if (len(matrix), len(matrix[0])) != (int(match[1]), int(match[2])):
                raise FormatError(
                    f"{where}: a matrix does not have the {match[1]}x{match[2]} entries that it announces"
                )
            place.append(matrix)
    announced = len(re.findall(r"Triad\s*\(", source.text[opening.end() :]))
    if not matrices[0] or announced != len(matrices[0]):
        raise FormatError(f"{source.name}: {announced} triads begin and {len(matrices[0])} can be read")
    return [Scheme(source.name, None, matrix_factors(matrices, source.name), format=NAME)]
