"""Five real cubes for the plane cubics whose sums of four complex cubes are never real: by signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import common_zero_degree, encode_form, lower_so_far
from rankproof.bounds.pencils import definite_combination
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, contract, killing_operators, outputs, product
from rankproof.exact.congruence import signature
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.linear_factors import divided_by_linear_factors
from rankproof.problem.field import QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

DENOMINATOR = 12
"""Of the coefficients of a definite operator, once the largest is 1."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound 5, if the signs of the Jacobian determinant exclude four real cubes."""
    if lower_so_far(known, units, RR, "rank", target) >= 5:
        return []
    (form,) = outputs(target)
    operators = killing_operators(target, 2)
    if len(operators) != 3:
        return []
    prime, _ = good_prime(target, field)
    degree = common_zero_degree(_minors(form, prime), 3, prime)
    if degree is None:
        return []
    for linear, rest in divided_by_linear_factors(_jacobian(operators), 3):
        line = {(i,): x for i, x in enumerate(linear) if x}
        sign = _sign(rest)
        positive = _positive(operators, line, form) if sign else None
        if positive is None:
            continue
        witness = {
            "operators": [encode_form(q) for q in operators],
            "linear": encode_form({word: sign * x for word, x in line.items()}),
            "quadric": encode_form({word: QQ.reduce(sign * x) for word, x in rest.items()}),
            "positive": encode_form(positive),
            "macaulay": degree,
            "prime": prime,
        }
        reason = "four real cubes would have coefficients of one sign and a sum of signs that vanishes"
        return [Bound(Claim("rank", units, RR, ">=", 5), "real-plane-cubic", witness, reason)]
    return []


def _jacobian(operators: Sequence[Form]) -> Form:
    """Determinant of the first derivatives of three quadratic forms."""
    slopes = [[contract({(j,): 1}, q) for j in range(3)] for q in operators]
    total: Form = {}
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for first, second, sign in ((j, k, 1), (k, j, -1)):
            term = product(product(slopes[0][i], slopes[1][first]), slopes[2][second])
            for word, x in term.items():
                total[word] = total.get(word, 0) + sign * x
    return {word: x for word, x in total.items() if x}


def _minors(form: Form, p: int) -> list[dict[tuple[int, ...], int]]:
    """Minors of size 2 of the second derivatives of t_0 X o F + t_1 Y o F + t_2 Z o F, modulo a prime."""
    matrix = [[contract({tuple(sorted((i, j))): 1}, form) for j in range(3)] for i in range(3)]
    pairs = list(combinations(range(3), 2))
    found: list[dict[tuple[int, ...], int]] = []
    for i, k in pairs:
        for j, l in pairs:
            minor = product(matrix[i][j], matrix[k][l])
            for word, x in product(matrix[i][l], matrix[k][j]).items():
                minor[word] = minor.get(word, 0) - x
            reduced = {w: residue(x, p, None) for w, x in minor.items()}
            found.append({w: x for w, x in reduced.items() if x})
    return [minor for minor in found if minor]


def _sign(quadric: Form) -> int:
    """1 or -1 if the values of a quadratic form all have this sign, else 0."""
    positive, negative = signature(_matrix(quadric))
    return 0 if positive and negative else 1 if positive else -1


def _matrix(quadric: Form) -> list[list[Fraction]]:
    """Twice the symmetric matrix of a quadratic form."""
    return [
        [Fraction(quadric.get((min(i, j), max(i, j)), 0)) * (2 if i == j else 1) for j in range(3)]
        for i in range(3)
    ]


def _positive(operators: Sequence[Form], line: Form, form: Form) -> Form | None:
    """An operator that kills the form and has no negative values."""
    for candidate in _candidates(operators, line):
        if contract(candidate, form):
            continue
        positive, negative = signature(_matrix(candidate))
        if positive and not negative:
            return candidate
    return None


def _candidates(operators: Sequence[Form], line: Form) -> Iterator[Form]:
    yield product(line, line)
    matrices = np.array([[[float(x) for x in row] for row in _matrix(q)] for q in operators])
    weights, _ = definite_combination(matrices)
    if weights is not None:
        largest = float(np.abs(weights).max())
        rounded = [Fraction(float(w) / largest).limit_denominator(DENOMINATOR) for w in weights]
        total: Form = {}
        for c, q in zip(rounded, operators, strict=True):
            for word, x in q.items():
                total[word] = total.get(word, 0) + c * x
        yield {word: QQ.reduce(x) for word, x in total.items() if x}


def _works_over(target: Target, question: Question) -> Field | None:
    cubic = target.space.factors == ((3, 3),) and target.ring == QQ
    return RR if cubic and RR.includes(question.field) else None


METHOD = Method(
    name="real_plane_cubic",
    rule="real-plane-cubic",
    side="lower",
    summary="plane cubics that are no sum of four real cubes, by signs",
    units=("tied",),
    tier="A",
    fields="RR (so QQ)",
    works_over=_works_over,
    find=find,
)
