"""Exact solutions of linear systems over QQ, GF(p) and number fields."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from rankproof.exact.rank_mod_p import connected_blocks, rank_mod_p
from rankproof.problem.field import Algebraic, Field, NumberField, Scalar

Column = Mapping[Any, Scalar]
"""Non-zero coordinates of a vector, by whatever names the coordinates have."""

_LARGE_PRIME = 2**61 - 1
"""Pivots over QQ are chosen modulo this prime; a wrong choice is noticed, because the solution is checked."""


def solve(columns: Sequence[Column], sides: Sequence[Column], ring: Field) -> list[list[Scalar]] | None:
    """Coefficients x with sum_j x[j] * columns[j] = side, for every right side.

    Parameters
    ----------
    columns
        Vectors with coordinates in the ring.
    sides
        The right sides, with coordinates in the ring.
    ring
        QQ, GF(p), or a number field.

    Returns
    -------
    list or None
        For every right side one coefficient a column, none but those of independent columns unless columns are irrational; None
        when some right side is not in the span of the columns.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> solve([{"x": 2}, {"x": 1, "y": 1}], [{"x": 1, "y": 3}], QQ)
    [[-1, 3]]
    """
    if ring.number_field is not None:
        if any(isinstance(x, Algebraic) for column in columns for x in column.values()):
            return _solve_by_restriction(columns, sides, ring.number_field)
        return _solve_by_coordinates(columns, sides, ring.number_field)
    p = ring.characteristic
    names: dict[Hashable, int] = {}
    for column in columns:
        for name in column:
            names.setdefault(name, len(names))
    if any(name not in names for side in sides for name, x in side.items() if x):
        return None
    scales = [1 if p else lcm(*(as_fraction(x).denominator for x in c.values())) for c in columns]
    rows: dict[int, dict[int, int]] = {}
    for j, (column, scale) in enumerate(zip(columns, scales, strict=True)):
        for name, x in column.items():
            if value := int(as_fraction(x) * scale):
                rows.setdefault(names[name], {})[j] = value
    right = [{names[name]: x for name, x in side.items() if x} for side in sides]
    if any(i not in rows for side in right for i in side):
        return None
    found: list[list[Scalar]] = [[0] * len(columns) for _ in sides]
    for block in connected_blocks(rows):
        if not any(i in side for side in right for i in block):
            continue
        solution = _solve_block(block, right, p)
        if solution is None:
            return None
        for j, values in solution.items():
            for k, x in enumerate(values):
                if x:
                    found[k][j] = ring.reduce(x * scales[j])
    return found


def as_fraction(x: Scalar) -> Fraction:
    """A rational number as a fraction; TypeError for an irrational one."""
    if isinstance(x, Algebraic):
        raise TypeError(f"{x} is not rational")
    return Fraction(x)


def _solve_by_coordinates(
    columns: Sequence[Column], sides: Sequence[Column], field: NumberField
) -> list[list[Scalar]] | None:
    # The matrix is rational, so that every coordinate on 1, a, a^2, ... is a system of its own.
    parts: list[dict[Hashable, Scalar]] = []
    for side in sides:
        coordinates: list[dict[Hashable, Scalar]] = [{} for _ in range(field.degree)]
        for name, x in side.items():
            for k, c in enumerate(x.coefficients if isinstance(x, Algebraic) else (x,)):
                if c:
                    coordinates[k][name] = c
        parts += coordinates
    solutions = solve(columns, parts, Field("QQ"))
    if solutions is None:
        return None
    n = field.degree
    return [
        [field.element(as_fraction(solutions[i + k][j]) for k in range(n)) for j in range(len(columns))]
        for i in range(0, len(solutions), n)
    ]


def _solve_by_restriction(
    columns: Sequence[Column], sides: Sequence[Column], field: NumberField
) -> list[list[Scalar]] | None:
    # A column with factor x_0 + x_1*a + ... is a sum of the columns times 1, a, ..., written by their rational coordinates.
    n = field.degree
    powers = [field.element([0] * k + [1]) for k in range(n)]
    multiples = [_coordinates({name: x * a for name, x in c.items()}) for c in columns for a in powers]
    solutions = solve(multiples, [_coordinates(side) for side in sides], Field("QQ"))
    if solutions is None:
        return None
    return [
        [field.element(as_fraction(x) for x in solution[n * j : n * j + n]) for j in range(len(columns))]
        for solution in solutions
    ]


def _coordinates(vector: Column) -> dict[tuple[Hashable, int], Scalar]:
    """Coordinates over QQ, by name and power of the generator."""
    return {
        (name, k): c
        for name, x in vector.items()
        for k, c in enumerate(x.coefficients if isinstance(x, Algebraic) else (x,))
        if c
    }


def _solve_block(
    block: dict[int, dict[int, int]], sides: Sequence[Mapping[int, Scalar]], p: int
) -> dict[int, list[Scalar]] | None:
    """Solution on one block of the matrix: for every pivot column its coefficient in every right side."""
    q = p or _LARGE_PRIME
    reduced = {i: {j: r for j, x in row.items() if (r := x % q)} for i, row in block.items()}
    pivots = rank_mod_p({i: row for i, row in reduced.items() if row}, q, pivots=True)
    size = pivots.rank
    if size == 0:
        return None
    square = [block[i].get(j, 0) for i in pivots.rows for j in pivots.columns]
    names = sorted(block)
    whole = [block[i].get(j, 0) for i in names for j in pivots.columns]
    if p:
        matrix = flint.nmod_mat(size, size, [x % p for x in square], p)
        b = flint.nmod_mat(
            size, len(sides), [int(as_fraction(side.get(i, 0))) % p for i in pivots.rows for side in sides], p
        )
        x = matrix.solve(b)
        full = flint.nmod_mat(len(names), size, [v % p for v in whole], p)
        wanted = flint.nmod_mat(
            len(names), len(sides), [int(as_fraction(side.get(i, 0))) % p for i in names for side in sides], p
        )
        if full * x != wanted:
            return None
        return {j: [int(x[k, s]) for s in range(len(sides))] for k, j in enumerate(pivots.columns)}
    # flint solves integral systems: every right side is multiplied by its common denominator.
    common = [lcm(*(as_fraction(x).denominator for x in side.values())) for side in sides]
    scaled = [{i: int(as_fraction(x) * c) for i, x in side.items()} for side, c in zip(sides, common, strict=True)]
    b = flint.fmpz_mat(size, len(sides), [side.get(i, 0) for i in pivots.rows for side in scaled])
    x: Any = flint.fmpz_mat(size, size, square).solve(b)
    wanted = flint.fmpz_mat(len(names), len(sides), [side.get(i, 0) for i in names for side in scaled])
    if flint.fmpq_mat(flint.fmpz_mat(len(names), size, whole)) * x != flint.fmpq_mat(wanted):
        return None
    return {
        j: [Fraction(int(x[k, s].p), int(x[k, s].q)) / c for s, c in enumerate(common)]
        for k, j in enumerate(pivots.columns)
    }
