"""MATLAB assignments ``A = [...]``, ``B = 1/2*[B1,B2]``: factor matrices with one column a product, as Tichavsky writes them.

Understood are matrices of numbers or formulas, a number times a matrix, matrices side by side, a choice of columns
``A(:,[1:5,12:23])``, and ``syms``. A symbol without a value is 1; the scheme is then one member of a family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import read_scalar
from rankproof.formats.nested import number
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "matlab"
SUMMARY = "MATLAB text A = [...], B = [...], C = [...], columns are products"

_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z]\w*)\s*=\s*(?P<value>.+)", re.DOTALL)
_SCALED = re.compile(r"(?P<factor>[^\[\]*]+(?:/[^\[\]*]+)?)\*\s*(?P<rest>[\[A-Za-z].*)", re.DOTALL)
_COLUMNS = re.compile(r"(?P<name>[A-Za-z]\w*)\(\s*:\s*,\s*\[?(?P<columns>[\d:,\s]+)\]?\s*\)")
_NAMES = re.compile(r"\s*[A-Za-z]\w*(?:[\s,]+[A-Za-z]\w*)*\s*")
_OPENING = re.compile(r"(?:syms\s+\w|[A-Za-z]\w*\s*=\s*(?:[\d./]+\s*\*\s*)?\[)")
_FACTORS = (("A", "B", "C"), ("U", "V", "W"))
_MAX_ENTRIES = 2**24

_Matrix = list[list[Scalar]]


def sniff(source: Source) -> bool:
    """Whether the first statement declares symbols or assigns a matrix."""
    if source.is_binary:
        return False
    first = next((line for line in source.text.splitlines() if line.split("%")[0].strip()), "")
    return _OPENING.match(first.strip()) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a statement is none of those understood, or the factor matrices are missing or do not fit together.
    """
    symbols: dict[str, Scalar] = dict(source.symbols)
    assumed: list[str] = []
    matrices: dict[str, _Matrix] = {}
    for line, statement in _statements(source.text):
        where = f"{source.name}, line {line}"
        words = statement.split()
        if words[0] == "syms":
            free = [word for word in words[1:] if word not in ("real", "positive") and word not in symbols]
            assumed += free
            symbols.update(dict.fromkeys(free, 1))
            continue
        match = _ASSIGNMENT.fullmatch(statement)
        if match is None:
            raise FormatError(f"{where}: {statement[:40]!r} is not an assignment NAME = [...]")
        matrices[match["name"]] = _value(match["value"].strip(), matrices, symbols, where)
    chosen = next((names for names in _FACTORS if all(name in matrices for name in names)), None)
    if chosen is None:
        raise FormatError(f"{source.name} assigns no matrices A, B and C (or U, V and W)")
    U, V, W = (_factor(matrices[name]) for name in chosen)
    if not U.columns == V.columns == W.columns:
        raise FormatError(
            f"{source.name}: the matrices have {U.columns}, {V.columns} and {W.columns} columns; they need one a product"
        )
    remark = (
        f"with {', '.join(f'{name} = 1' for name in assumed)}; --let chooses other values" if assumed else ""
    )
    return [Scheme(source.name, None, (U, V, W), remark, NAME)]


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Statements with the number of their first line; a bracket keeps a statement open over several lines."""
    held: list[str] = []
    start, depth = 1, 0
    for number_, line in enumerate(text.splitlines(), 1):
        line = line.split("%")[0]
        if not held:
            start = number_
        depth += line.count("[") - line.count("]")
        held.append(line)
        if depth > 0:
            continue
        statement = "\n".join(held).strip().rstrip(";").strip()
        held, depth = [], 0
        if statement:
            yield start, statement
    if any(line.strip() for line in held):
        yield start, "\n".join(held).strip()


def _value(text: str, matrices: dict[str, _Matrix], symbols: dict[str, Scalar], where: str) -> _Matrix:
    if text.startswith("["):
        if not text.endswith("]"):
            raise FormatError(f"{where}: a matrix ends with ]")
        inside = text[1:-1]
        if _NAMES.fullmatch(inside) and not any(name in symbols for name in re.findall(r"\w+", inside)):
            return _side_by_side(
                [_named(name, matrices, where) for name in re.findall(r"\w+", inside)], where
            )
        return _literal(inside, symbols, where)
    if match := _COLUMNS.fullmatch(text):
        return _chosen(_named(match["name"], matrices, where), match["columns"], where)
    if match := _SCALED.fullmatch(text):
        factor = read_scalar(match["factor"], where, symbols.get)
        return [[factor * x for x in row] for row in _value(match["rest"].strip(), matrices, symbols, where)]
    return _named(text, matrices, where)


def _named(name: str, matrices: dict[str, _Matrix], where: str) -> _Matrix:
    if name not in matrices:
        raise FormatError(f"{where}: {name[:40]!r} is not a matrix assigned before")
    return matrices[name]


def _literal(text: str, symbols: dict[str, Scalar], where: str) -> _Matrix:
    known: dict[str, Scalar] = {}
    rows: _Matrix = []
    for line in re.split(r"[;\n]", text):
        words = [word.strip() for word in line.split(",")] if "," in line else line.split()
        if not any(words):
            continue
        for word in words:
            if word not in known:
                known[word] = number(word, where, symbols.get)
        rows.append([known[word] for word in words])
        if len(rows[-1]) != len(rows[0]):
            raise FormatError(
                f"{where}: row {len(rows)} of the matrix has {len(rows[-1])} entries and row 1 has {len(rows[0])}"
            )
    if not rows or len(rows) * len(rows[0]) > _MAX_ENTRIES:
        raise FormatError(f"{where}: a matrix is empty or too large")
    return rows


def _side_by_side(blocks: list[_Matrix], where: str) -> _Matrix:
    if len({len(block) for block in blocks}) != 1:
        raise FormatError(f"{where}: matrices with different numbers of rows stand side by side")
    return [[x for part in row for x in part] for row in zip(*blocks, strict=True)]


def _chosen(matrix: _Matrix, text: str, where: str) -> _Matrix:
    columns: list[int] = []
    for part in re.split(r"[,\s]+", text.strip()):
        first, _, last = part.partition(":")
        if not first or (":" in part and not last) or not (first + last).isdigit():
            raise FormatError(f"{where}: {part!r} is not a column or a range of columns such as 1:5")
        columns += range(int(first), int(last or first) + 1)
        if (
            len(columns) > _MAX_ENTRIES
            or max(columns, default=1) > len(matrix[0])
            or min(columns, default=1) < 1
        ):
            raise FormatError(f"{where}: a column is chosen that the matrix does not have")
    return [[row[k - 1] for k in columns] for row in matrix]


def _factor(matrix: _Matrix) -> Factor:
    return Factor.of_vectors(len(matrix), (enumerate(column) for column in zip(*matrix, strict=True)))
