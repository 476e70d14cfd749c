"""AlphaEvolve's notebook: cells that assign ``decomposition_245 = (np.array(...), np.array(...), np.array(...))``.

The cells are read as text; nothing in a notebook is run.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import numpy as np

from rankproof.errors import FormatError
from rankproof.formats.alphatensor import exact_number
from rankproof.formats.arithmetic import square_root
from rankproof.formats.scheme import Coefficient, Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import rational

NAME = "alphaevolve"
SUMMARY = "notebook .ipynb, cells decomposition_nmp = (np.array(...), ...), columns are products"

_ASSIGNMENT = re.compile(r"^(?P<name>decomposition_\w+)\s*=\s*\(", re.MULTILINE)
_ARRAY = re.compile(r"np\.array\(\s*\[(?P<rows>\s*\[[^()]*\])\s*\]\s*(?:,\s*dtype\s*=\s*np\.\w+\s*)?\)")
_NUMBER = re.compile(r"\s*([^,\s]+(?:\s*[-+]\s*[^,\s]+)?)\s*")
_REAL = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_COMPLEX = re.compile(rf"(?P<real>{_REAL})?(?:(?P<imaginary>{_REAL})j)?")


def sniff(source: Source) -> bool:
    """Whether the file is a notebook in which a decomposition is assigned."""
    return source.data.lstrip()[:1] == b"{" and b'"cells"' in source.data and b"decomposition_" in source.data


def read(source: Source) -> list[Scheme]:
    """Schemes of a notebook, in its order.

    Raises
    ------
    FormatError
        If the file is no notebook, or an assignment is not one of three matrices of numbers.
    """
    try:
        cells = json.loads(source.data)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"{source.name} is a damaged notebook: {error}") from None
    schemes = [_scheme(text, match, source.name) for text in texts for match in _ASSIGNMENT.finditer(text)]
    if not schemes:
        raise FormatError(
            f"{source.name} assigns no decomposition_... = (np.array(...), np.array(...), np.array(...))"
        )
    return schemes


def _scheme(text: str, match: re.Match[str], source: str) -> Scheme:
    where = f"{source}:{match['name']}"
    arrays: list[re.Match[str]] = []
    position = match.end()
    while len(arrays) < 3:
        found = _ARRAY.match(text, _skipped(text, position))
        if found is None:
            raise FormatError(
                f"{where}: array {len(arrays) + 1} of three is not np.array([[...], ...]) of numbers"
            )
        arrays.append(found)
        position = found.end()
    remarks: list[str] = []
    U, V, W = (_factor(array["rows"], where, remarks) for array in arrays)
    if not U.columns == V.columns == W.columns:
        raise FormatError(f"{where}: the arrays have {U.columns}, {V.columns} and {W.columns} columns")
    return Scheme(source, match["name"], (U, V, W), remarks[0] if remarks else "", NAME)


def _skipped(text: str, position: int) -> int:
    while text[position : position + 1] in (",", " ", "\n", "\t") and position < len(text):
        position += 1
    return position


def _factor(rows: str, where: str, remarks: list[str]) -> Factor:
    words = [_NUMBER.findall(row) for row in re.findall(r"\[([^\[\]]*)\]", rows)]
    if len({len(row) for row in words}) != 1:
        raise FormatError(f"{where}: the rows of an array have different lengths")
    known: dict[str, Coefficient] = {}
    for word in {word for row in words for word in row}:
        known[word] = _exact(word, where, remarks)
    matrix: Any = np.empty((len(words), len(words[0])), dtype=object)
    for i, row in enumerate(words):
        matrix[i] = [known[word] for word in row]
    return Factor.of_matrix(matrix)


def _exact(word: str, where: str, remarks: list[str]) -> Coefficient:
    """A float or complex number as numpy prints it; the floats that are meant are dyadic, and print exactly."""
    compact = "".join(word.split())
    match = _COMPLEX.fullmatch(compact)
    if not compact or match is None:
        raise FormatError(f"{where}: {word[:30]!r} is not a number")
    real, imaginary = (
        exact_number(float(part), where, remarks) if part else 0
        for part in (match["real"], match["imaginary"])
    )
    if not imaginary:
        return real
    return rational(Fraction(real)) + square_root(-1) * imaginary  # type: ignore[operator,arg-type]
