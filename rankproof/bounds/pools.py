"""Linear forms to choose from: structured ones first, random ones where nothing is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from rankproof.bounds.explicit import Vector, direction
from rankproof.exact.linear_systems import solve
from rankproof.problem.field import QQ, Field
from rankproof.problem.target import Target

_SMALL_GRID = 81
"""Vectors with coordinates -1, 0, 1 (and -2, 2) are all taken when there are at most this many."""

_AH_EXCEPTIONS = {(3, 4): 6, (4, 4): 10, (5, 4): 15, (5, 3): 8}


def structured_forms(variables: Sequence[int], n: int, ring: Field) -> list[Vector]:
    """Coordinates x_i, then x_i + x_j and x_i - x_j, then everything with small coordinates if that is not too much.

    Parameters
    ----------
    variables
        Places of the variables that occur.
    n
        Length of the vectors.
    ring
        Forms that coincide up to scale over this field are listed once.
    """
    found: dict[Vector, None] = {}
    for form in _structured(variables, n):
        if any(ring.reduce(x) for x in form):
            found.setdefault(direction(form, ring)[0])
    return list(found)


def _structured(variables: Sequence[int], n: int) -> Iterator[tuple[int, ...]]:
    for i in variables:
        yield _vector({i: 1}, n)
    for i, j in combinations(variables, 2):
        yield _vector({i: 1, j: 1}, n)
        yield _vector({i: 1, j: -1}, n)
    for size in (1, 2):
        values = [0] + [s * x for x in range(1, size + 1) for s in (1, -1)]
        if len(values) ** len(variables) <= _SMALL_GRID:
            for point in product(values, repeat=len(variables)):
                if any(point):
                    yield _vector(dict(zip(variables, point, strict=True)), n)


def _vector(coordinates: dict[int, int], n: int) -> tuple[int, ...]:
    return tuple(coordinates.get(k, 0) for k in range(n))


def moment_forms(variables: Sequence[int], n: int, ring: Field) -> list[Vector]:
    """The vectors (1, t, t^2, ...) for small t, which evaluate polynomials."""
    points = ([t**k for k in range(len(variables))] for t in (1, -1, 2, -2))
    found = [_vector(dict(zip(variables, point, strict=True)), n) for point in points]
    return list(dict.fromkeys(direction(v, ring)[0] for v in found if any(ring.reduce(x) for x in v)))


def random_forms(
    count: int, variables: Sequence[int], n: int, ring: Field, rng: np.random.Generator
) -> list[Vector]:
    """Different random forms with small coordinates, up to scale."""
    found: dict[Vector, None] = {}
    size = 2
    for attempt in range(20 * count):
        point = rng.integers(-size, size + 1, len(variables)).tolist()
        if any(ring.reduce(x) for x in point):
            found.setdefault(direction(_vector(dict(zip(variables, point, strict=True)), n), ring)[0])
        if len(found) == count:
            break
        if attempt % count == count - 1:
            # Small coordinates give short certificates, and too few of them give special positions.
            size += 1
    return list(found)


def generic_tied_rank(n: int, d: int) -> int:
    """Number of powers that a general form of degree d >= 2 in n variables needs over an algebraically closed field.

    References
    ----------
    Alexander, Hirschowitz, *Polynomial interpolation in several variables*, Journal of Algebraic Geometry 4 (1995).
    """
    if d == 2:
        return n
    return _AH_EXCEPTIONS.get((n, d), -(-comb(n + d - 1, d) // n))


def ternary_cubic_detectors(cubic: Target, variables: Sequence[int]) -> list[Vector]:
    """Three detectors for a rational cubic in three variables: a basis in whose coordinates x*y*z does not occur.

    For independent points p and q with (F(p, q, p), F(p, q, q)) not zero, F being the polar form, the kernel of F(p, q, .)
    has a point r outside their span; the detectors are the dual basis of p, q, r. Empty when no such p, q are found.
    """
    coefficients = {tuple(variables.index(x) for x in word): Fraction(c) for word, c in cubic.entries}  # type: ignore[arg-type]

    def polar(p: Sequence[int], q: Sequence[int]) -> list[Fraction]:
        form = [Fraction(0)] * 3
        for (i, j, k), c in coefficients.items():
            for a, b, e in ((i, j, k), (i, k, j), (j, i, k), (j, k, i), (k, i, j), (k, j, i)):
                form[e] += c * p[a] * q[b] / 6
        return form

    points = [p for p in product((0, 1, -1, 2), repeat=3) if any(p)]
    for p, q in combinations(points, 2):
        l = polar(p, q)
        if not (_dot(l, p) or _dot(l, q)):
            continue
        for r in ((l[1], -l[0], 0), (l[2], 0, -l[0]), (0, l[2], -l[1])):
            columns = [dict(enumerate(column)) for column in zip(p, q, r, strict=True)]
            unit_sides = [{i: 1} for i in range(3)]
            # Row i of the inverse of the matrix (p | q | r) is the form that is 1 at the i-th point, 0 at the others.
            dual = solve(columns, unit_sides, QQ)
            if dual is not None and all(any(x) for x in dual):
                n = cubic.space.variables_count
                return [
                    direction(tuple(dict(zip(variables, form, strict=True)).get(k, 0) for k in range(n)), QQ)[
                        0
                    ]
                    for form in dual
                ]
    return []


def _dot(l: Sequence[Fraction], p: Sequence[int]) -> Fraction:
    return sum((x * y for x, y in zip(l, p, strict=True)), Fraction(0))
