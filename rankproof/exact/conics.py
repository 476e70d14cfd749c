"""Conics that are pairs of lines, and the points where two such pairs meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from rankproof.exact.congruence import lagrange
from rankproof.exact.factoring import square_part
from rankproof.problem.field import QQ, Field, NumberField, Scalar, number

_LARGEST = 10**6
"""Square roots of larger integers are not worth a field of their own."""

Line = tuple[Scalar, ...]
Gram = Sequence[Sequence[Fraction]]


def determinant(a: Gram) -> Fraction:
    """Determinant of a matrix of order 3."""
    minors = _cross(a[1], a[2])
    return sum((Fraction(a[0][i] * minors[i]) for i in range(3)), Fraction(0))  # type: ignore[arg-type]


def line_pair(gram: Gram) -> tuple[int, Line, Line] | None:
    """A conic of rank 2 as u^2 - D w^2 up to a factor, D a squarefree integer; None when the rank is not 2.

    Examples
    --------
    >>> line_pair([[1, 0, 0], [0, -8, 0], [0, 0, 0]])
    (2, (1, 0, 0), (0, 2, 0))
    """
    weights, forms = lagrange(
        [list(map(QQ.reduce, row)) for row in gram], QQ.reduce, QQ.inverse, lambda m, i: i
    )
    if len(weights) != 2:
        return None
    alpha, beta = Fraction(weights[0]), Fraction(weights[1])  # type: ignore[arg-type]
    ratio = -beta / alpha
    D, s = square_part(ratio.numerator * ratio.denominator)
    factor = Fraction(s, ratio.denominator)
    return D, tuple(map(QQ.reduce, forms[0])), tuple(QQ.reduce(x * factor) for x in forms[1])


@lru_cache(maxsize=256)
def with_square_roots(D: int, E: int) -> tuple[Field, Scalar, Scalar] | None:
    """The least field with square roots of two squarefree integers, and the roots; None when it would be hard to name.

    Its real embedding, if both integers are positive, takes the positive roots.
    """
    if D == 1 and E == 1:
        return QQ, 1, 1
    if max(abs(D), abs(E)) > _LARGEST:
        return None
    if D == E or 1 in (D, E):
        ring = quadratic(D if D != 1 else E)
        root = ring.number_field.generator() if ring.number_field else 1
        return ring, (1 if D == 1 else root), (1 if E == 1 else root)
    f = ((D - E) ** 2, 0, -2 * (D + E), 0, 1)
    symbol = "_".join("sqrt" + str(x).replace("-", "m") for x in (D, E))
    if len(symbol) > 16:
        return None
    field = NumberField.from_polynomial(f, symbol)
    a = field.generator()
    first: Scalar = (a**3 - (3 * D + E) * a) * Fraction(1, 2 * (E - D))
    return number(field), first, a - first


def quadratic(D: int) -> Field:
    """The field of the square root of a squarefree integer other than 1, by the name it is usually given."""
    symbol = "i" if D == -1 else f"sqrt{D}" if D > 0 else f"sqrtm{-D}"
    return number(NumberField.sqrt(D, symbol))


def meeting_points(
    first: tuple[int, Line, Line], second: tuple[int, Line, Line]
) -> tuple[Field, list[Line]] | None:
    """The four points where two pairs of lines meet; None when they are not four, or their field would be hard to name."""
    found = with_square_roots(first[0], second[0])
    if found is None:
        return None
    ring, *roots = found
    pairs = [
        [tuple(ring.reduce(x + s * root * y) for x, y in zip(u, w, strict=True)) for s in (1, -1)]
        for (_, u, w), root in zip((first, second), roots, strict=True)
    ]
    points = [tuple(map(ring.reduce, _cross(l, m))) for l in pairs[0] for m in pairs[1]]
    return (ring, points) if _distinct(points, ring) else None


def points_on_lines(
    first: tuple[int, Line, Line], gram: Gram
) -> tuple[int, int, Callable[[], list[Line]]] | None:
    """Where two rational lines meet a conic: two integers, and the four points over the field of their square roots.

    Returns
    -------
    tuple or None
        Squarefree integers D and E, and a function that makes the points, or an empty list when they are not four; None when
        the lines are not rational or one of them touches the conic.
    """
    if first[0] != 1:
        return None
    _, u, w = first
    parts: list[tuple[int, Fraction, Fraction, Fraction, Line, Line]] = []
    for s in (1, -1):
        line = tuple(x + s * y for x, y in zip(u, w, strict=True))
        p, q = _two_points(line)
        a, b, c = _value(gram, p, p), 2 * _value(gram, p, q), _value(gram, q, q)
        if not a:
            p, q, a, c = q, p, c, a
        disc = b * b - 4 * a * c
        if not a or not disc:
            return None
        D, root = square_part(disc.numerator * disc.denominator)
        parts.append((D, a, b, Fraction(root, disc.denominator), p, q))

    def points() -> list[Line]:
        found = with_square_roots(parts[0][0], parts[1][0])
        if found is None:
            return []
        ring, *roots = found
        made: list[Line] = []
        for (_, a, b, r, p, q), root in zip(parts, roots, strict=True):
            for s in (1, -1):
                t = (s * r * root - b) * (1 / (2 * a))
                made.append(tuple(ring.reduce(t * x + y) for x, y in zip(p, q, strict=True)))
        return made if _distinct(made, ring) else []

    return parts[0][0], parts[1][0], points


def _two_points(line: Line) -> tuple[Line, Line]:
    """Two rational points of a line."""
    k = next(i for i, x in enumerate(line) if x)
    made: list[Line] = []
    for j in range(3):
        if j != k:
            point: list[Scalar] = [0, 0, 0]
            point[j], point[k] = line[k], -line[j]
            made.append(tuple(point))
    return made[0], made[1]


def _value(gram: Gram, p: Line, q: Line) -> Fraction:
    return sum((Fraction(p[i] * gram[i][j] * q[j]) for i in range(3) for j in range(3)), Fraction(0))  # type: ignore[arg-type]


def _distinct(points: Sequence[Line], ring: Field) -> bool:
    """Whether points are points, and no two of them the same."""
    return all(any(p) for p in points) and all(
        any(map(ring.reduce, _cross(p, q))) for i, p in enumerate(points) for q in points[:i]
    )


def _cross(u: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Scalar, ...]:
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
