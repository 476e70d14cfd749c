"""PLinOpt's sparse matrices: three files ``NAME_L.sms``, ``NAME_R.sms``, ``NAME_P.sms`` for one scheme.

A file has a line ``rows columns R``, one line ``row column value`` an entry, numbered from 1, and ends with ``0 0 0``. L and R
have one row a product, P one column. A comment may say that a number or a letter stands for a square root. A scheme may be
split into a sparse part ``NAME-ALT`` and a change of basis ``NAME-CoB``, which are multiplied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import read_scalar, square_root
from rankproof.formats.nested import number
from rankproof.formats.polynomial_products import about_polynomials
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar, rational
from rankproof.problem.space import MAX_DIMENSION

NAME = "plinopt"
SUMMARY = "three files of sparse matrices NAME_L.sms, NAME_R.sms, NAME_P.sms; products are rows of L and R, columns of P"

_NAME = re.compile(r"(?P<stem>.+?)(?P<part>-ALT|-CoB)?_(?P<side>[LRP])\.sms")
_HEADER = re.compile(r"(\d{1,7})\s+(\d{1,7})\s+[A-Za-z]")
_ENTRY = re.compile(r"(\d{1,7})\s+(\d{1,7})\s+(\S.*)")
_PLACEHOLDER = re.compile(
    r"(?P<sign>\d{2,9}|[A-Za-z]\w*) is a place\w* for (?:a |the )?"
    r"(?:sqrt\((?P<root>-?\d{1,9})\)|square root of (?P<of>-?\d{1,9}))"
)
_MAX_ENTRIES = 2**22

_Row = dict[int, Scalar]


@dataclass(frozen=True)
class _Matrix:
    """A sparse matrix by rows, and the comments of its file."""

    rows: tuple[_Row, ...]
    columns: int
    comments: tuple[str, ...]

    def times(self, other: _Matrix, where: str) -> _Matrix:
        """Product of two matrices, the comments of both."""
        if self.columns != len(other.rows):
            raise FormatError(
                f"{where}: a {len(self.rows)}x{self.columns} matrix cannot be multiplied by a"
                f" {len(other.rows)}x{other.columns} change of basis"
            )
        rows: list[_Row] = []
        for row in self.rows:
            total: _Row = {}
            for k, x in row.items():
                for j, y in other.rows[k].items():
                    total[j] = total.get(j, 0) + x * y
            rows.append({j: _plain(x) for j, x in total.items() if x})
        return _Matrix(tuple(rows), other.columns, self.comments + other.comments)

    def factor(self, *, transposed: bool = False) -> Factor:
        """Factor with one product a row, or a column."""
        if not transposed:
            return Factor.of_vectors(self.columns, (sorted(row.items()) for row in self.rows))
        columns: list[list[tuple[int, Scalar]]] = [[] for _ in range(self.columns)]
        for i, row in enumerate(self.rows):
            for j, x in row.items():
                columns[j].append((i, x))
        return Factor.of_vectors(len(self.rows), columns)


def members(name: str) -> tuple[str, ...]:
    """The files that belong to one scheme, by the name of one of them."""
    found = _NAME.fullmatch(name)
    if found is None:
        return (name,)
    parts = ("-ALT", "-CoB") if found["part"] else ("",)
    return tuple(f"{found['stem']}{part}_{side}.sms" for part in parts for side in "LRP")


def sniff(source: Source) -> bool:
    """Whether the file is a sparse matrix with a name that says which one."""
    if source.is_binary or _NAME.fullmatch(source.name) is None:
        return False
    first = next((line for line in source.text.splitlines() if line.strip() and not line.startswith("#")), "")
    return _HEADER.fullmatch(first.strip()) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme that a file is a part of.

    Raises
    ------
    FormatError
        If one of the other files is missing, a file is damaged, or the scheme is no decomposition.
    """
    name = _NAME.fullmatch(source.name)
    if name is None:
        raise FormatError(
            f"{source.name}: the name of a sparse matrix of a scheme ends in _L.sms, _R.sms or _P.sms"
        )
    stem = name["stem"]
    label = f"{stem}{'-ALT' if name['part'] else ''}_{{L,R,P}}.sms"
    if name["part"]:
        _require_change_of_basis(source, stem, name["part"])
        inner = {side: _matrix(source, f"{stem}-ALT_{side}.sms", label) for side in "LRP"}
        outer = {side: _matrix(source, f"{stem}-CoB_{side}.sms", label) for side in "LRP"}
        L, R = inner["L"].times(outer["L"], label), inner["R"].times(outer["R"], label)
        P = outer["P"].times(inner["P"], label)
    else:
        L, R, P = (_matrix(source, f"{stem}_{side}.sms", label) for side in "LRP")
    comments = L.comments + R.comments + P.comments
    _refuse_recursion(stem, comments, label)
    if not len(L.rows) == len(R.rows) == P.columns:
        raise FormatError(
            f"{label}: L and R have {len(L.rows)} and {len(R.rows)} rows and P has {P.columns} columns; each needs one a product"
        )
    about = about_polynomials(stem, comments, (L.columns, R.columns, len(P.rows)))
    scheme = Scheme(
        label, None, (L.factor(), R.factor(), P.factor(transposed=True)), _remark(comments), NAME, about
    )
    return [scheme]


def _require_change_of_basis(source: Source, stem: str, part: str) -> None:
    if part == "-ALT" and source.beside(f"{stem}-CoB_L.sms") is None:
        raise FormatError(
            f"{source.name} is the sparse part of a scheme, which is no scheme without its change of basis; {stem}-CoB_L.sms,"
            " ..._R.sms and ..._P.sms are missing beside it"
        )
    if part == "-CoB" and source.beside(f"{stem}-ALT_L.sms") is None:
        raise FormatError(
            f"{source.name} is a change of basis, which is no scheme without the sparse part {stem}-ALT that it belongs to"
        )


def _refuse_recursion(stem: str, comments: tuple[str, ...], label: str) -> None:
    if re.match(r"\d+x\d+T_\d+\+\d+", stem) or any("^T" in comment for comment in comments):
        raise FormatError(
            f"{label} multiplies a matrix by its own transpose with recursive calls, in which a product also stands for its"
            " transpose: that is no bilinear decomposition, and its products cannot be checked one by one"
        )


def _remark(comments: tuple[str, ...]) -> str:
    found = next((comment for comment in comments if "recur" in comment.lower()), None)
    return "" if found is None else f"a comment in it says: {found}"


def _matrix(source: Source, name: str, label: str) -> _Matrix:
    other = source if name == source.name else source.beside(name)
    if other is None:
        raise FormatError(
            f"{label}: {name} is missing beside {source.name}; a scheme needs the three files L, R and P"
        )
    comments: list[str] = []
    placeholders: dict[str, Scalar] = {}
    rows: list[_Row] = []
    columns, count = -1, 0
    for line_number, line in enumerate(other.text.splitlines(), 1):
        line = line.strip()
        where = f"{name}, line {line_number}"
        if line.startswith("#"):
            comments.append(line.lstrip("# ").rstrip())
        elif columns < 0 and line:
            header = _HEADER.fullmatch(line)
            if header is None:
                raise FormatError(
                    f"{where}: {line[:40]!r} is not the line 'rows columns R' that a sparse matrix begins with"
                )
            if max(int(header[1]), int(header[2])) > MAX_DIMENSION * 50:
                raise FormatError(f"{where}: the matrix is too large")
            rows, columns = [{} for _ in range(int(header[1]))], int(header[2])
            placeholders = _placeholders(comments, other.symbols)
        elif line:
            entry = _ENTRY.fullmatch(line)
            if entry is None:
                raise FormatError(f"{where}: {line[:40]!r} is not 'row column value'")
            i, j = int(entry[1]), int(entry[2])
            if (i, j) == (0, 0):
                return _Matrix(tuple(rows), columns, tuple(comments))
            if not (1 <= i <= len(rows) and 1 <= j <= columns) or j - 1 in rows[i - 1]:
                raise FormatError(f"{where}: entry {i} {j} is outside the matrix or given twice")
            rows[i - 1][j - 1] = _value(entry[3], placeholders, where)
            count += 1
            if count > _MAX_ENTRIES:
                raise FormatError(f"{name} has more than {_MAX_ENTRIES} entries")
    raise FormatError(f"{name} ends without the line 0 0 0; it is damaged")


def _placeholders(comments: list[str], symbols: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """What numbers and letters stand for, as the comments of a file declare it or a person says."""
    found: dict[str, Scalar] = {}
    for comment in comments:
        for match in _PLACEHOLDER.finditer(comment):
            found[match["sign"]] = square_root(int(match["root"] or match["of"]))
    return {**found, **symbols}


def _value(word: str, placeholders: dict[str, Scalar], where: str) -> Scalar:
    word = word.strip().rstrip(";")
    if any(letter.isalpha() for letter in word):
        return read_scalar(word, where, placeholders.get)
    value = Fraction(number(word, where))  # type: ignore[arg-type]
    for sign, x in placeholders.items():
        # 2026/3 is twice 1013/3.
        if sign.isdigit() and value.numerator % int(sign) == 0:
            return _plain(x * (value / int(sign)))
    return rational(value)


def _plain(x: Scalar) -> Scalar:
    return rational(x) if isinstance(x, Fraction) else x
