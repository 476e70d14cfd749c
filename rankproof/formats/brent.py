"""Brent's equations written out: ``111212: 1* 0*-1 +[ 1* 1* 1]+ ... = 1``, one equation a line, one triple a product.

The six digits are the indices of the entries of A, B and C. Every equation shows the coefficients of all products at its three
entries; together they give the factor matrices, and they must agree with one another. What the lines say about their own
sums is ignored.
"""

from __future__ import annotations

import re

from rankproof.errors import FormatError
from rankproof.formats.nested import number
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "brent"
SUMMARY = "text, Brent's equations 'ijklmn: a*b*c + ... = value', one triple a product"

_EQUATION = re.compile(r"^\s*(\d{6}):(.*?)\s=\s", re.MULTILINE)
_PRODUCT = re.compile(r"\s*([^*]+?)\s*\*\s*([^*]+?)\s*\*\s*([^*]+?)\s*")

_Entry = tuple[int, int]
_Rows = dict[_Entry, list[Scalar]]


def sniff(source: Source) -> bool:
    """Whether an equation occurs in the first lines."""
    return not source.is_binary and _EQUATION.search(source.text[:20_000]) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If the equations have different numbers of products, or disagree about a coefficient.
    """
    rows: tuple[_Rows, _Rows, _Rows] = ({}, {}, {})
    for match in _EQUATION.finditer(source.text):
        where = f"{source.name}, equation {match[1]}"
        triples = [_triple(part, where) for part in re.split(r"\+(?![^\[]*\])", match[2])]
        digits = [int(digit) for digit in match[1]]
        for axis, held in enumerate(rows):
            entry = digits[2 * axis], digits[2 * axis + 1]
            row = [triple[axis] for triple in triples]
            if held.setdefault(entry, row) != row:
                raise FormatError(
                    f"{where} disagrees with another equation about the entry {entry} of {'ABC'[axis]}"
                )
    if len({len(row) for held in rows for row in held.values()}) != 1:
        raise FormatError(f"{source.name}: the equations have different numbers of products")
    U, V, W = (_factor(held, source.name) for held in rows)
    return [Scheme(source.name, None, (U, V, W), format=NAME)]


def _triple(part: str, where: str) -> tuple[Scalar, Scalar, Scalar]:
    word = part.strip().removeprefix("[").removesuffix("]").strip()
    if match := _PRODUCT.fullmatch(word):
        a, b, c = match.groups()
        return number(a, where), number(b, where), number(c, where)
    if len(word) == 3 and set(word) <= {"0", "1"}:
        return int(word[0]), int(word[1]), int(word[2])
    raise FormatError(f"{where}: {word[:30]!r} is not a triple of coefficients such as 1*0*-1")


def _factor(rows: _Rows, where: str) -> Factor:
    height, width = (max(entry[axis] for entry in rows) for axis in range(2))
    if len(rows) != height * width or min(min(entry) for entry in rows) < 1:
        raise FormatError(f"{where}: the equations do not mention every entry of a {height}x{width} matrix")
    dense = [rows[i, j] for i in range(1, height + 1) for j in range(1, width + 1)]
    return Factor.of_vectors(len(dense), (enumerate(column) for column in zip(*dense, strict=True)))
