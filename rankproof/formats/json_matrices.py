"""JSON with factor matrices ``u``, ``v``, ``w`` that have one row a product, as Perminov's collection writes them.

The list ``multiplications`` beside them is ignored: for sizes from 10 on its names are ambiguous (``b111``).
"""

from __future__ import annotations

import json

from rankproof.errors import FormatError
from rankproof.formats.listing import Coordinate, Products
from rankproof.formats.nested import number
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "json"
SUMMARY = 'JSON {"u": rows, "v": rows, "w": rows}, rows are products'


def sniff(source: Source) -> bool:
    """Whether the file is a JSON object with the matrices and no straight-line program."""
    value = source.json
    return value is not None and {"u", "v", "w"} <= value.keys() and "u_fresh" not in value


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a matrix is none, an entry is not an exact number, or the numbers of rows differ.
    """
    value = source.json or {}
    U, V, W = (_factor(value[key], f"{source.name}, {key}", source) for key in "uvw")
    if not U.columns == V.columns == W.columns:
        raise FormatError(
            f"{source.name}: u, v, w have {U.columns}, {V.columns} and {W.columns} rows; they need one a product, equally many"
        )
    return [Scheme(source.name, None, (U, V, W), format=NAME)]


def exact(x: object, where: str) -> Scalar:
    """A number of a JSON file: an integer, or a string such as ``"1/2"``.

    Raises
    ------
    FormatError
        If it is something else.
    """
    if type(x) is int:
        return x
    if isinstance(x, str):
        return number(x.strip(), where)
    raise FormatError(f'{where}: {x!r} is not a number; write an integer or a string such as "1/2"')


def _factor(rows: object, where: str, source: Source) -> Factor:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise FormatError(f"{where} is not a matrix: a list of rows is expected")
    size = len(rows[0])
    for k, row in enumerate(rows, 1):
        if len(row) != size:
            raise FormatError(f"{where}, row {k} has {len(row)} entries and row 1 has {size}")
    vectors = [
        [(i, exact(x, f"{where}, row {k}")) for i, x in enumerate(row) if x] for k, row in enumerate(rows, 1)
    ]
    return Factor.of_vectors(size, vectors)


def write(products: Products) -> bytes:
    """The text of a file, third factor transposed: fractions are strings, everything else integers.

    Raises
    ------
    UsageError
        If the coefficients depend on eps or are irrational.
    """
    products.require(NAME, rational=True, exact=True)
    shape = {"n": list(products.shape)} if products.shape else {"sizes": list(products.sizes)}
    columns = zip(*products.transposed(), strict=True)
    matrices = {
        key: [[_encoded(x) for x in vector] for vector in group]
        for key, group in zip("uvw", columns, strict=True)
    }
    head = {**shape, "m": len(products.proof), "z2": products.proof.ring.characteristic == 2}
    lines = [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for key, rows in matrices.items():
        written = ",\n".join(f"        {json.dumps(row)}" for row in rows)
        lines.append(f"    {json.dumps(key)}: [\n{written}\n    ]")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _encoded(x: Coordinate) -> int | str:
    return x if isinstance(x, int) else str(x)
