"""Nested lists of numbers in text: ``{{1, 0}, {1/2, -1}}``, ``[[1,0],[1/2,-1]]``."""

from __future__ import annotations

import re
from fractions import Fraction

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import Lookup, read_scalar
from rankproof.problem.field import Scalar, rational

Nested = list["Nested"] | Scalar

_PLAIN = re.compile(r"[+-]?\d{1,18}")
_QUOTIENT = re.compile(r"[+-]?\d{1,18}/0*[1-9]\d{0,17}")
_DEEPEST = 8


def read_nested(text: str, brackets: str, where: str, lookup: Lookup | None = None) -> Nested:
    """The value of one nested list.

    Parameters
    ----------
    text
        The list and nothing else.
    brackets
        The opening and the closing bracket.
    where
        How errors call it.
    lookup
        Values of names.

    Raises
    ------
    FormatError
        If brackets do not match, or an entry is no number.
    """
    opening, closing = brackets
    known: dict[str, Scalar] = {}
    stack: list[list[Nested]] = [[]]
    # A missing comma must not join two numbers, nor an empty place stand for one.
    expects_comma = False
    for token in re.findall(rf"[{re.escape(brackets)},]|[^{re.escape(brackets)},]+", text):
        word = token.strip()
        if not word:
            continue
        if (word == ",") != expects_comma and word != closing:
            raise FormatError(
                f"{where}: {'a comma is missing' if expects_comma else 'an entry is missing'} at {word[:20]!r}"
            )
        if word == opening:
            if len(stack) > _DEEPEST:
                raise FormatError(f"{where}: lists are nested too deep")
            stack.append([])
        elif word == closing:
            if len(stack) < 2 or (stack[-1] and not expects_comma):
                raise FormatError(f"{where}: a bracket {closing} is not expected where it stands")
            done = stack.pop()
            stack[-1].append(done)
            expects_comma = True
        elif word == ",":
            expects_comma = False
        else:
            if word not in known:
                known[word] = number(word, where, lookup)
            stack[-1].append(known[word])
            expects_comma = True
    if len(stack) != 1 or len(stack[0]) != 1:
        raise FormatError(f"{where}: brackets {brackets} do not match")
    return stack[0][0]


def number(word: str, where: str, lookup: Lookup | None = None) -> Scalar:
    """An exact number, the usual ones without a formula's reader."""
    if _PLAIN.fullmatch(word):
        return int(word)
    if _QUOTIENT.fullmatch(word):
        return rational(Fraction(word))
    return read_scalar(word, where, lookup)


def as_matrix(value: Nested, where: str) -> list[list[Scalar]]:
    """A list of equally long lists of numbers.

    Raises
    ------
    FormatError
        If it is none, or has no entry.
    """
    if not isinstance(value, list) or not value or not all(isinstance(row, list) for row in value):
        raise FormatError(f"{where} is not a matrix: a list of rows is expected")
    width = len(value[0])  # type: ignore[arg-type]
    for number_, row in enumerate(value, 1):
        if len(row) != width or not width or any(isinstance(x, list) for x in row):  # type: ignore[arg-type,union-attr]
            raise FormatError(f"{where}, row {number_}: {width} numbers are expected, as in row 1")
    return value  # type: ignore[return-value]


def flattened(matrices: list[list[list[Scalar]]], where: str) -> tuple[int, list[list[tuple[int, Scalar]]]]:
    """Size and sparse columns of matrices of one shape, row by row.

    Raises
    ------
    FormatError
        If their shapes differ.
    """
    shape = len(matrices[0]), len(matrices[0][0])
    columns: list[list[tuple[int, Scalar]]] = []
    for k, matrix in enumerate(matrices, 1):
        if (len(matrix), len(matrix[0])) != shape:
            raise FormatError(
                f"{where}, product {k}: a {len(matrix)}x{len(matrix[0])} matrix where the first product has a"
                f" {shape[0]}x{shape[1]} one"
            )
        columns.append(
            [(i * shape[1] + j, x) for i, row in enumerate(matrix) for j, x in enumerate(row) if x]
        )
    return shape[0] * shape[1], columns
