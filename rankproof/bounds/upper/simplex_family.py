"""Forms l^(d-2) q from above: powers at the vertices of a small simplex around l, two more than q has rank where l vanishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from rankproof.bounds.explicit import family_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.exact.congruence import diagonalise
from rankproof.exact.linear_factors import divided_by_linear_factors
from rankproof.problem.decomposition import FamilyUnit
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_ENTRIES = 2_000
"""Factoring a form with more terms can take long and cannot be interrupted."""

Vector = tuple[Fraction, ...]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    r"""A border family, when it is shorter than what is known.

    Notes
    -----
    Let q = q_0 + l m, where q_0 has rank r and does not involve l. There are r + 1 linear forms u_i and weights c_i with
    sum of c_i u_i = 0 and sum of c_i u_i^2 = q_0, the vertices of a simplex around 0. Then

    .. math:: \sum_i c_i \bigl((l + \varepsilon u_i)^d - l^d\bigr)
              = \varepsilon^2 \binom{d}{2} l^{d-2} q_0 + O(\varepsilon^3),

    and eps^2 times a multiple of m, added to one of the forms, gives l^(d-1) m.
    """
    d, n = target.space.form_degree, target.space.variables_count
    most = best_known(known, Question(units, field, "border_rank"), "<=", target)
    for l, q in _powers_with_rest(target.as_dict(), n, d - 2):
        pivot = max(range(n), key=lambda i: (l[i] != 0, -abs(l[i]), -i))
        square, along = _around(l, q, pivot)
        weights, forms = diagonalise(square)
        count = len(weights) + 2
        if not weights or (most is not None and most <= count):
            continue
        found = _family(l, along, weights, [tuple(map(Fraction, g)) for g in forms], d)
        reason = f"a power of a linear form times a quadric: {count} powers in eps"
        return [family_bound(target, units, QQ, 2, found, reason)]
    return []


def _powers_with_rest(form: Mapping[Word, Scalar], n: int, k: int) -> list[tuple[Vector, dict[Word, Scalar]]]:
    """Linear forms whose k-th power divides the form, with the quotient."""
    found: list[tuple[Vector, dict[Word, Scalar]]] = []
    for l, rest in divided_by_linear_factors(form, n):
        quotient: dict[Word, Scalar] | None = rest
        for _ in range(k - 1):
            quotient = dict(divided_by_linear_factors(quotient, n)).get(l) if quotient else None
        if quotient is not None:
            found.append((tuple(map(_fraction, l)), quotient))
    return found


def _around(l: Vector, q: Mapping[Word, Scalar], pivot: int) -> tuple[list[list[Fraction]], Vector]:
    """The matrix of q where l vanishes, in the other variables, and m with q = that + l m.

    With x_p = (l - sum of l_j x_j) / l_p every monomial x_p y becomes one without x_p, and l times a linear form.
    """
    n = len(l)
    matrix = [[Fraction(0)] * n for _ in range(n)]
    for (i, j), c in q.items():
        matrix[i][j] += _fraction(c) / 2
        matrix[j][i] += _fraction(c) / 2
    change = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    # The variable x_p stands for l from here on.
    change[pivot] = [Fraction(1) / l[pivot] if j == pivot else -l[j] / l[pivot] for j in range(n)]
    moved = [
        [
            sum((change[a][i] * matrix[a][b] * change[b][j] for a in range(n) for b in range(n)), Fraction(0))
            for j in range(n)
        ]
        for i in range(n)
    ]
    along = [2 * moved[pivot][j] if j != pivot else Fraction(0) for j in range(n)]
    along = [x + moved[pivot][pivot] * y for x, y in zip(along, l, strict=True)]
    for i in range(n):
        moved[i][pivot] = moved[pivot][i] = Fraction(0)
    return moved, tuple(along)


def _family(
    l: Vector, along: Vector, weights: Sequence[Fraction], forms: Sequence[Vector], d: int
) -> list[FamilyUnit]:
    r, n = len(weights), len(l)
    vertices = _simplex([Fraction(w) for w in weights])
    scale = Fraction(2, d * (d - 1))
    units: list[FamilyUnit] = []
    for place, (c, point) in enumerate(vertices):
        u = [sum((x * g[j] for x, g in zip(point, forms, strict=True)), Fraction(0)) for j in range(n)]
        second = [x / (c * scale * d) if place == r else Fraction(0) for x in along]
        form = tuple(
            Laurent.from_mapping({0: _plain(x), 1: _plain(y), 2: _plain(z)}) if y or z else _plain(x)
            for x, y, z in zip(l, u, second, strict=True)
        )
        units.append((form, (_plain(c * scale),)))
    total = sum((c for c, _ in vertices), Fraction(0))
    units.append((tuple(map(_plain, l)), (_plain(-total * scale),)))
    return units


def _simplex(weights: Sequence[Fraction]) -> list[tuple[Fraction, Vector]]:
    """r + 1 weights c and points u of K^r with sum of c u = 0 and sum of c u u^T the diagonal matrix of the r weights.

    With M the diagonal matrix of the weights and one more, and R = 1 - 2 M w w^T / w^T M w, R M R^T = M: M is the sum of the
    M_ii times the squares of the columns of R. Scaled so that the last coordinates are 1, they are (u, 1).
    """
    r = len(weights)
    total = sum(weights, Fraction(0))
    last = next(Fraction(s) for s in range(1, 5) if total + s and total != s)
    diagonal = [*weights, last]
    norm = total + last
    found: list[tuple[Fraction, Vector]] = []
    for i, c in enumerate(diagonal):
        column = [Fraction(int(i == j)) - 2 * diagonal[j] / norm for j in range(r + 1)]
        height = column[r]
        found.append((c * height**2, tuple(x / height for x in column[:r])))
    return found


def _fraction(x: Scalar) -> Fraction:
    return Fraction(x)  # type: ignore[arg-type]


def _plain(x: Fraction) -> int | Fraction:
    return x.numerator if x.denominator == 1 else x


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    if (
        question.quantity != "border_rank"
        or question.field.characteristic
        or target.ring != QQ
        or len(space.factors) > 1
        or space.form_degree < 3
        or space.variables_count < 2
        or len(target.entries) > MAX_ENTRIES
    ):
        return None
    return QQ


METHOD = Method(
    name="simplex_family",
    rule="border-family",
    side="upper",
    summary="a power of a linear form times a quadric: powers at the vertices of a small simplex",
    units=("tied",),
    tier="A",
    fields="QQ (so RR, CC)",
    works_over=_works_over,
    find=find,
)
