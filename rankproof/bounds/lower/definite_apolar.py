"""Real ranks from below: an operator without real zeros that kills the target, against the apolar algebra."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import encode_form, is_affordable, lower_so_far, operator_text, scheme_length
from rankproof.bounds.pencils import combinations_with_many
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolarity import (
    Form,
    apolar_dimension,
    derivatives,
    kernel,
    outputs,
    primitive,
    product,
    words,
)
from rankproof.exact.congruence import diagonalise
from rankproof.problem.field import QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_SIDE = 35
"""Monomials of the squares."""

Square = tuple[Fraction, Form]
Gram = dict[tuple[int, int], int]
"""Entries on and above the diagonal of a symmetric matrix on the monomials of degree h."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound from the least degree in which a positive definite sum of squares kills the target."""
    if not is_affordable(target):
        budget.remark("the catalecticants are too large for exact ranks")
        return []
    best = lower_so_far(known, units, RR, "rank", target)
    dimension, length = apolar_dimension(target), scheme_length(units)
    for half in range(1, target.space.form_degree // 2 + 1):
        value = -(-dimension // (2 * half * length))
        if value <= best:
            return []
        if comb(target.space.variables_count + half - 1, half) > MAX_SIDE:
            budget.remark(f"too many squares of degree {2 * half}")
            return []
        squares = definite_squares(target, half, rng, budget)
        if squares is None:
            continue
        witness = {"half": half, "squares": [[encode_scalar(c), encode_form(q)] for c, q in squares]}
        share = f" times {length}" if length > 1 else ""
        reason = (
            f"apolar algebra of dimension {dimension}, {_name(squares, target)} of degree {2 * half}{share}"
            " has no real zero"
        )
        return [Bound(Claim("rank", units, RR, ">=", value), "definite-apolar", witness, reason)]
    return []


def definite_squares(
    target: Target, half: int, rng: np.random.Generator, budget: Budget
) -> list[Square] | None:
    """A sum of squares of independent forms that span everything and that kills the target; None when none is found."""
    side = comb(target.space.variables_count + half - 1, half)
    for diagonal in (True, False):
        grams = killing_grams(target, half, diagonal)
        if not grams:
            continue
        matrices = np.zeros((len(grams), side, side))
        for k, gram in enumerate(grams):
            for (i, j), x in gram.items():
                matrices[k, i, j] = matrices[k, j, i] = x
        if not _may_be_definite(matrices):
            continue
        for coefficients in combinations_with_many(matrices, side - 1, rng, budget, solver=not diagonal):
            squares = _exact_squares(grams, coefficients, words(target.space.variables_count, half))
            if squares is not None:
                return squares
    return None


def _may_be_definite(matrices: np.ndarray) -> bool:
    """Whether every variable of the squares has a diagonal entry in some matrix."""
    return bool(np.einsum("pii->pi", matrices).any(axis=0).all())


def killing_grams(target: Target, half: int, diagonal: bool) -> list[Gram]:
    """Basis of the symmetric (or diagonal) matrices G for which m^T G m kills the target, m the monomials of degree h."""
    monomials = words(target.space.variables_count, half)
    places = [
        (i, j) for i in range(len(monomials)) for j in range(i, len(monomials)) if i == j or not diagonal
    ]
    products: dict[tuple[int, ...], list[int]] = {}
    for k, (i, j) in enumerate(places):
        products.setdefault(tuple(sorted(monomials[i] + monomials[j])), []).append(k)
    rows: dict[object, dict[int, Fraction]] = {}
    for output, form in enumerate(outputs(target)):
        for word, value in form.items():
            for letters, rest, factor in derivatives(word, 2 * half):
                for k in products.get(letters, ()):
                    i, j = places[k]
                    # An entry off the diagonal stands for two.
                    rows.setdefault((output, rest), {})[k] = Fraction(value) * factor * (1 if i == j else 2)  # type: ignore[arg-type]
    return [{places[k]: x for k, x in vector.items()} for vector in kernel(list(rows.values()), len(places))]


def _exact_squares(
    grams: Sequence[Gram], coefficients: Sequence[Fraction], monomials: Sequence[tuple[int, ...]]
) -> list[Square] | None:
    side = len(monomials)
    matrix = [[Fraction(0)] * side for _ in range(side)]
    for gram, c in zip(grams, coefficients, strict=True):
        for (i, j), x in gram.items():
            matrix[i][j] += c * x
            matrix[j][i] = matrix[i][j]
    weights, rows = diagonalise(matrix)
    if len(weights) < side or any(c <= 0 for c in weights):
        return None
    squares: list[Square] = []
    for c, row in zip(weights, rows, strict=True):
        form = {word: x for word, x in zip(monomials, row, strict=True) if x}
        simple = primitive(form)
        ratio = next(form[word] / x for word, x in simple.items())  # type: ignore[operator]
        squares.append((c * ratio**2, simple))
    return squares


def _name(squares: Sequence[Square], target: Target) -> str:
    total: Form = {}
    for c, q in squares:
        for word, x in product(q, q).items():
            total[word] = total.get(word, 0) + c * x
    return operator_text(primitive({w: x for w, x in total.items() if x}), target) or "a sum of squares"


def _works_over(target: Target, question: Question) -> Field | None:
    field = question.field
    return RR if target.ring == QQ and RR.includes(field) and not field.characteristic else None


METHOD = Method(
    name="definite_apolar",
    rule="definite-apolar",
    side="lower",
    summary="dimension of the apolar algebra over the degree of a killing operator without real zeros",
    units=("tied", "untied", "mixed:k"),
    tier="A",
    fields="RR (so QQ)",
    works_over=_works_over,
    find=find,
)
