"""JSON with a straight-line program: sums that occur often are computed once and named by an index.

``u`` and ``v`` give the linear forms of the products as sparse sums of matrix entries and of the sums in ``u_fresh`` and
``v_fresh``, whose indices continue those of the entries. ``w`` has one sparse sum an entry of the result, over the
products and the sums in ``w_fresh``. Reading expands all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankproof.errors import FormatError
from rankproof.formats.json_matrices import exact
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "json-program"
SUMMARY = 'JSON with a straight-line program: "u_fresh", "u", ... of {index, value}'

_Sum = dict[int, Scalar]
_MAX_TERMS = 2**22


def sniff(source: Source) -> bool:
    """Whether the file is a JSON object with the parts of a program."""
    value = source.json
    return value is not None and {"u", "v", "w", "u_fresh", "n"} <= value.keys()


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If an index points to nothing that comes before it, or a value is not exact.
    """
    value = source.json or {}
    n, m, p = _shape(value["n"], source.name)
    U = _expanded(value, "u", n * m, source.name)
    V = _expanded(value, "v", m * p, source.name)
    if len(U) != len(V):
        raise FormatError(f"{source.name}: u has {len(U)} products and v has {len(V)}")
    W = _expanded(value, "w", len(U), source.name)
    columns: list[list[tuple[int, Scalar]]] = [[] for _ in U]
    for entry, row in enumerate(W):
        for product, x in row.items():
            columns[product].append((entry, x))
    factors = (
        Factor.of_vectors(n * m, (sorted(u.items()) for u in U)),
        Factor.of_vectors(m * p, (sorted(v.items()) for v in V)),
        Factor.of_vectors(len(W), columns),
    )
    return [Scheme(source.name, None, factors, format=NAME)]


def _shape(value: object, where: str) -> tuple[int, int, int]:
    if (
        not isinstance(value, list)
        or len(value) != 3
        or not all(type(x) is int and 0 < x < 1000 for x in value)
    ):
        raise FormatError(f'{where}: "n" is not the shape [n, m, p] of a matrix product')
    n, m, p = value
    return n, m, p


def _expanded(value: dict[str, Any], name: str, inputs: int, where: str) -> list[_Sum]:
    """Sums over the inputs alone, one an item of the list of that name."""
    known: list[_Sum] = [{i: 1} for i in range(inputs)]
    for key in (f"{name}_fresh", name):
        items = value.get(key, [])
        if not isinstance(items, list):
            raise FormatError(f"{where}, {key} is not a list of sums")
        sums: list[_Sum] = []
        for k, item in enumerate(items):
            done = _sum(item, known, f"{where}, {key}, item {k}")
            sums.append(done)
            if key != name:
                # A sum may use those before it.
                known.append(done)
            if sum(map(len, sums)) > _MAX_TERMS:
                raise FormatError(f"{where}, {key}: the sums have more than {_MAX_TERMS} terms when expanded")
    return sums


def _sum(item: object, known: Sequence[_Sum], where: str) -> _Sum:
    if not isinstance(item, list):
        raise FormatError(f"{where} is not a list of terms")
    total: _Sum = {}
    for term in item:
        index = term.get("index") if isinstance(term, dict) else None
        if type(index) is not int or not 0 <= index < len(known):
            raise FormatError(f"{where}: the index {index!r} names none of the {len(known)} values before it")
        c = exact(term.get("value"), where)
        for i, x in known[index].items():
            total[i] = total.get(i, 0) + c * x
    return {i: x for i, x in total.items() if x}
