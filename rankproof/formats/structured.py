"""Products of structured matrices, by the codes of flip-cpd: ``sg-222`` is a symmetric times a general 2x2 matrix.

Structures: g general, u upper triangular, l lower triangular, s symmetric, k skew-symmetric, w skew-symmetric but for an
independent diagonal. An entry (i, j) of a structured matrix is one of its parameters up to sign; those of a square structure
are numbered along the upper triangle, row by row. ``Xt`` is a matrix of structure X times the transpose of another one, of
which the upper triangle is computed. A letter behind the sizes leaves out results: a the first, b the last, c both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rankproof.problem.library import named
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

_NAME = re.compile(r"(?P<code>[a-z]{2,3})-(?P<n>\d)(?P<m>\d)(?P<p>\d)(?P<left_out>[abc]?)-rank\d+")
_WORDS = {
    "g": "general",
    "u": "upper triangular",
    "l": "lower triangular",
    "s": "symmetric",
    "k": "skew-symmetric",
    "w": "skew-symmetric with a diagonal",
}
# Only the upper triangle of these products is computed; of two upper triangular matrices the rest is zero.
_PACKED = ("uu",)

_Entry = tuple[int, int] | None


def described_by_name(name: str) -> Target | str | None:
    """The product that the name of a file of flip-cpd describes.

    Parameters
    ----------
    name
        Such as ``sg-222-rank6-rec-1-0-0-q.npy``; what it says about the rank is ignored.

    Returns
    -------
    Target, str or None
        A sentence for a code that is not known, None for any other name.
    """
    match = _NAME.match(name)
    if match is None:
        return None
    code = match["code"]
    if len(code) != 2 or code[0] not in _WORDS or code[1] not in (*_WORDS, "t"):
        return f"its name has the code {code!r} of no product of matrices that is known here"
    n, m, p = int(match["n"]), int(match["m"]), int(match["p"])
    square = code[0] == "g" or n == m
    fits = n == p if code[1] == "t" else code[1] == "g" or m == p
    if not (square and fits and min(n, m, p) > 0):
        return f"its name {match[0]!r} describes no product: a structured matrix is square"
    return structured_product(code[0], code[1], (n, m, p), match["left_out"])


def structured_product(left: str, right: str, shape: tuple[int, int, int], left_out: str = "") -> Target:
    """Product of an n x m and an m x p matrix with structures, as a tensor in their parameters.

    Parameters
    ----------
    left, right
        Letters of the structures; ``t`` on the right is the transpose of a matrix of the left structure.
    shape
        n, m, p.
    left_out
        ``a``, ``b`` or ``c``: which results are left out.

    Examples
    --------
    >>> structured_product("k", "g", (2, 2, 2))
    Target('skew-symmetric times general, 2x2x2' over QQ: 1x4x4 tensor, 4 entries)
    """
    n, m, p = shape
    if left == right == "g" and not left_out:
        return named("matmul", n, m, p)
    is_packed = right == "t" or f"{left}{right}" in _PACKED
    results = n * (n + 1) // 2 if is_packed else n * p
    skipped = {"": (), "a": (0,), "b": (results - 1,), "c": (0, results - 1)}[left_out]
    entries: dict[Word, int] = {}
    for i, j, k in _triples(n, m, p):
        a = _parameter(left, i, j, n, m)
        b = _parameter(left, k, j, n, m) if right == "t" else _parameter(right, j, k, m, p)
        if a is None or b is None or (is_packed and i > k):
            continue
        result = _packed(i, k, n) if is_packed else i * p + k
        if result not in skipped:
            word = (a[0], b[0], result)
            entries[word] = entries.get(word, 0) + a[1] * b[1]
    second = (left, n, m) if right == "t" else (right, m, p)
    space = Space.tensor(_parameters(left, n, m), _parameters(*second), results)
    return Target.from_entries(space, entries, text=_text(left, right, shape, left_out))


def _triples(n: int, m: int, p: int) -> Iterator[tuple[int, int, int]]:
    return ((i, j, k) for i in range(n) for j in range(m) for k in range(p))


def _parameters(structure: str, rows: int, columns: int) -> int:
    if structure == "g":
        return rows * columns
    return rows * (rows - 1) // 2 if structure == "k" else rows * (rows + 1) // 2


def _parameter(structure: str, i: int, j: int, rows: int, columns: int) -> _Entry:
    """Number of the parameter that stands at (i, j), and its sign; None where the entry is zero."""
    if structure == "g":
        return i * columns + j, 1
    if (structure == "u" and i > j) or (structure == "l" and i < j) or (structure == "k" and i == j):
        return None
    sign = -1 if structure in "kw" and i > j else 1
    if structure == "k":
        first, second = min(i, j), max(i, j)
        # Row by row above the diagonal.
        return first * (2 * rows - first - 1) // 2 + second - first - 1, sign
    return _packed(i, j, rows), sign


def _packed(i: int, j: int, n: int) -> int:
    """Place of (i, j) and (j, i) in the upper triangle, row by row."""
    first, second = min(i, j), max(i, j)
    return first * (2 * n - first - 1) // 2 + second


def _text(left: str, right: str, shape: tuple[int, int, int], left_out: str) -> str:
    second = f"transposed {_WORDS[left]}" if right == "t" else _WORDS[right]
    part = {
        "": "",
        "a": " without the first entry",
        "b": " without the last entry",
        "c": " without the first and last entry",
    }
    return f"{_WORDS[left]} times {second}, {'x'.join(map(str, shape))}{part[left_out]}"
