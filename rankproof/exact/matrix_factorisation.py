"""Exact sparse matrices as sums of products of a column and a row: rank factorisations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from rankproof.problem.field import Field, Scalar

Row = TypeVar("Row", bound=Hashable)
Column = TypeVar("Column", bound=Hashable)


def rank_factorisation(
    matrix: Mapping[Row, Mapping[Column, Scalar]], ring: Field
) -> list[tuple[dict[Row, Scalar], dict[Column, Scalar]]]:
    """Shortest list of pairs (u, v) with matrix = sum of u v^T, by elimination over an exact field.

    Parameters
    ----------
    matrix
        Non-zero entries by row and column, whatever the rows and columns are called.
    ring
        The field of the entries.

    Returns
    -------
    list
        As many pairs as the rank. Pivots of low fill are taken first, so that a sparse matrix has sparse factors.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> rank_factorisation({"a": {0: 2, 1: 4}, "b": {0: 1, 1: 2}}, QQ)
    [({'a': 1, 'b': Fraction(1, 2)}, {0: 2, 1: 4})]
    """
    rows = {i: dict(row) for i, row in matrix.items() if row}
    order = {i: k for k, i in enumerate(rows)}
    members: dict[Column, set[Row]] = {}
    for i, row in rows.items():
        for j in row:
            members.setdefault(j, set()).add(i)
    factors: list[tuple[dict[Row, Scalar], dict[Column, Scalar]]] = []
    while rows:
        i = min(rows, key=lambda r: (len(rows[r]), order[r]))
        pivot_row = rows.pop(i)
        for j in pivot_row:
            members[j].discard(i)
        column = min(pivot_row, key=lambda j: len(members[j]))
        inverse = ring.inverse(pivot_row[column])
        u: dict[Row, Scalar] = {i: 1}
        for other in sorted(members[column], key=order.__getitem__):
            row = rows[other]
            factor = ring.reduce(row[column] * inverse)
            u[other] = factor
            for j, value in pivot_row.items():
                total = ring.reduce(row.get(j, 0) - factor * value)
                if total:
                    row[j] = total
                    members[j].add(other)
                elif row.pop(j, 0):
                    members[j].discard(other)
            if not row:
                del rows[other]
        factors.append((u, pivot_row))
    return factors


def matrix_rank(matrix: Mapping[Row, Mapping[Column, Scalar]], ring: Field) -> int:
    """Rank over an exact field."""
    return len(rank_factorisation(matrix, ring))


def row_basis(
    matrix: Mapping[Row, Mapping[Column, Scalar]], order: Iterable[Row], ring: Field
) -> dict[Row, dict[Row, Scalar]]:
    """Rows that form a basis, taken greedily in the given order, and all rows in terms of them.

    Returns
    -------
    dict
        For every basis row r the column of coefficients {i: c} with matrix[i] = sum of c * matrix[r] over the basis rows.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> row_basis({"a": {0: 2}, "b": {0: 1}, "c": {1: 5}}, "bca", QQ)
    {'b': {'b': 1, 'a': 2}, 'c': {'c': 1}}
    """
    # Echelon rows: pivot column, the row with 1 at the pivot, and what combination of basis rows it is.
    echelon: list[tuple[Column, dict[Column, Scalar], dict[Row, Scalar]]] = []
    basis: dict[Row, dict[Row, Scalar]] = {}
    for i in order:
        rest = dict(matrix[i])
        combination: dict[Row, Scalar] = {}
        for pivot, row, parts in echelon:
            if factor := rest.get(pivot, 0):
                _add(rest, row, -factor, ring)
                _add(combination, parts, factor, ring)
        if not rest:
            for r, c in combination.items():
                basis[r][i] = c
            continue
        basis[i] = {i: 1}
        pivot = next(iter(rest))
        inverse = ring.inverse(rest[pivot])
        parts = {r: ring.reduce(-c * inverse) for r, c in combination.items()} | {i: inverse}
        echelon.append((pivot, {j: ring.reduce(x * inverse) for j, x in rest.items()}, parts))
    return basis


def _add(total: dict[Column, Scalar], row: Mapping[Column, Scalar], factor: Scalar, ring: Field) -> None:
    for j, x in row.items():
        if value := ring.reduce(total.get(j, 0) + factor * x):
            total[j] = value
        else:
            total.pop(j, None)
