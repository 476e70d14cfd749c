"""Targets that are the even part of a feed-forward block of a weights file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from functools import partial
from operator import mul
from typing import Any, BinaryIO

from . import limits
from .packed import Packing, combine, largest
from .reading import MISSING, integer, keys, sequence, string
from .refusal import Rejected, Undecided, Unreadable
from .scalars import QQ
from .targets import Space, Target, Word
from .units import check_operations
from .weights import Matrix, Table, read_matrix, read_table, refused

HERE = "/target/block"
MOST = 2**53 - 1


def read_block(node: Any, weights: Sequence[str]) -> Target:
    """The forms ``sum over l of (u . w_l) (a_l . x) (b_l . x)``, one for every direction u."""
    block, directions, inputs = keys(node, "/target", ("block", "directions"), ("inputs",))
    file, sha256, *roles = keys(block, HERE, ("file", "sha256", "gate", "up", "down"))
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._+ -]{0,250}", string(file, f"{HERE}/file")):
        raise Unreadable("bad-name", f"{HERE}/file", "a plain file name, without folders")
    if not re.fullmatch("[0-9a-f]{64}", string(sha256, f"{HERE}/sha256")):
        raise Unreadable("bad-hash", f"{HERE}/sha256", "64 hexadecimal digits")
    read = [
        _read_role(role, f"{HERE}/{name}") for role, name in zip(roles, ("gate", "up", "down"), strict=True)
    ]
    _read_vectors(directions, "/target/directions")
    if inputs is not MISSING:
        _read_vectors(inputs, "/target/inputs")
    with _find(file, sha256, weights) as opened:
        opened.seek(0)
        table = read_table(opened)
        gate, up, down = (_matrix(opened, table, *role) for role in read)
    if (len(gate), len(gate[0])) != (len(up), len(up[0])) or len(down[0]) != len(gate):
        raise refused("gate and up have one shape, and a column of down for every row")
    u = _vectors(directions, len(down), "/target/directions")
    v = None if inputs is MISSING else _vectors(inputs, len(gate[0]), "/target/inputs")
    entries = _entries(gate, up, down, u, v)
    n = len(v or gate[0])
    space = Space(((n, 2),) if len(u) == 1 else ((n, 2), (len(u), 1)))
    alone = directions[0] if len(u) == 1 else None
    output = f"output {alone}" if type(alone) is int else f"{len(u)} output{'s' * (len(u) > 1)}"
    where = f" on {n} inputs" if v else ""
    label = f"{output} of the even part of {ascii(roles[2]['tensor'])[1:-1]}{where} (sha256 {sha256})"
    return Target(space, QQ, entries, None, label)


def _read_role(node: Any, pointer: str) -> tuple[str, bool, tuple[int, int, int] | None]:
    """Name of the tensor, whether it is transposed, and the rows taken: first, step, count."""
    name, transposed, rows = keys(node, pointer, ("tensor",), ("transposed", "rows"))
    string(name, f"{pointer}/tensor")
    if transposed is not MISSING:
        integer(transposed, f"{pointer}/transposed", 1, 1)
    if rows is MISSING:
        return name, transposed == 1, None
    first, step, count = sequence(rows, f"{pointer}/rows", least=3, most=3)
    for place, (x, least) in enumerate(((first, 0), (step, 1), (count, 1))):
        integer(x, f"{pointer}/rows/{place}", least, MOST)
    return name, transposed == 1, (first, step, count)


def _read_vectors(node: Any, pointer: str) -> None:
    """Coordinates, or vectors of integers that are not zero."""
    for k, vector in enumerate(sequence(node, pointer, least=1, most=limits.DIMENSION)):
        here = f"{pointer}/{k}"
        if type(vector) is int:
            integer(vector, here, 0, MOST)
            continue
        for i, x in enumerate(sequence(vector, here)):
            integer(x, f"{here}/{i}", -MOST, MOST)
        if not any(vector):
            raise Unreadable("zero-vector", here, "the vector is zero")


def _vectors(node: list[Any], length: int, pointer: str) -> Matrix:
    """The vectors written out."""
    vectors = [[int(k == x) for k in range(length)] if type(x) is int else x for x in node]
    for k, vector in enumerate(vectors):
        if len(vector) != length or not any(vector):
            raise Rejected(
                "weights", f"{pointer}/{k}", f"no vector, or no coordinate, of a space of dimension {length}"
            )
    return vectors


def _find(file: str, sha256: str, weights: Sequence[str]) -> BinaryIO:
    """The file with this hash, among files and as ``file`` in folders; the name is only where to look."""
    for path in weights:
        path = os.path.join(path, file) if os.path.isdir(path) else path
        if not os.path.isfile(path):
            continue
        opened = open(path, "rb")  # noqa: SIM115 - the caller closes what is returned
        digest = hashlib.sha256()
        for piece in iter(partial(opened.read, 1 << 20), b""):
            digest.update(piece)
        if digest.hexdigest() == sha256:
            return opened
        opened.close()
    message = f"the weights are needed: the file with sha256 {sha256}, called {file} when this was made"
    raise Undecided("weights-needed", f"{HERE}/sha256", message)


def _matrix(
    file: BinaryIO, table: Table, name: str, transposed: bool, rows: tuple[int, int, int] | None
) -> Matrix:
    matrix = read_matrix(file, table, name)
    if transposed:
        matrix = [list(column) for column in zip(*matrix, strict=True)]
    if rows is None:
        return matrix
    first, step, count = rows
    if first + step * (count - 1) >= len(matrix):
        raise refused(f"{name!a} has {len(matrix)} rows")
    return [matrix[first + step * k] for k in range(count)]


def _entries(gate: Matrix, up: Matrix, down: Matrix, u: Matrix, v: Matrix | None) -> dict[Word, int]:
    units, n = len(gate), len(v or gate[0])
    work = units * (n * n * len(u) + len(v or ()) * len(gate[0])) // 8
    check_operations(work, limits.OPERATIONS, "/target")
    if n > limits.DIMENSION or len(u) * n * (n + 1) // 2 > limits.ENTRIES:
        raise Undecided("limit-entries", "/target", f"{len(u)} forms in {n} variables")
    if v is not None:
        gate, up = _product(gate, v), _product(up, v)
    columns = [list(column) for column in zip(*gate, strict=True)]
    weights = _product([list(direction) for direction in u], [list(row) for row in zip(*down, strict=True)])
    packing = Packing(n, units * largest(weights) * largest(gate) * largest(up))
    packed = [packing.pack(row) for row in up]
    entries: dict[Word, int] = {}
    for k, weight in enumerate(weights):
        product = [packing.unpack(combine(map(mul, weight, column), packed)) for column in columns]
        for i in range(n):
            for j in range(i, n):
                value = product[i][j] + (product[j][i] if i != j else 0)
                if value:
                    entries[(i, j, k) if len(u) > 1 else (i, j)] = value
    if not entries:
        raise refused("the even part is zero")
    return entries


def _product(matrix: Matrix, v: Matrix) -> Matrix:
    """The scalar products of the rows of the matrix with the vectors v."""
    packing = Packing(len(v), len(v[0]) * largest(matrix) * largest(v))
    columns = [packing.pack(column) for column in zip(*v, strict=True)]
    return [packing.unpack(combine(row, columns)) for row in matrix]
