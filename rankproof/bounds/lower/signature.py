"""Real border ranks from below by the signature of a quadratic form, and rational ones by a p-adic place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import encode_form, lower_so_far, operator_text
from rankproof.bounds.pencils import combinations_with_many
from rankproof.bounds.quadratic import diagonal
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, contract, outputs, words
from rankproof.exact.hilbert import REAL, witt_index_rational
from rankproof.exact.real_embedding import sign
from rankproof.problem.field import QQ, RR, Algebraic, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_SIDE = 70
"""Side of the quadratic form: the verifier diagonalises it exactly."""

MAX_CELLS = 400_000
"""Entries of all matrices of a pencil together."""

SECONDS = 8.0
FACTORING_SECONDS = 1.0

Operators = list[Form]
"""One operator an output; an empty one is zero."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best real bound found, and over QQ the best one at a prime when it is better still."""
    if field == RR and any(b.rule == "signature" and b.claim.units == units for b in known):
        # Found when the question was asked over QQ.
        return []
    found: list[Bound] = []
    best = lower_so_far(known, units, RR, "border_rank", target)
    d = target.space.form_degree
    for half in range(d // 2, 0, -1):
        codimension = isotropic_codimension(units, d, half)
        side = comb(target.space.variables_count + half - 1, half)
        if codimension is None or -(-side // codimension) <= best:
            continue
        count = target.space.outputs * comb(target.space.variables_count + d - 2 * half - 1, d - 2 * half)
        if side > MAX_SIDE or count * side**2 > MAX_CELLS:
            budget.remark(f"quadratic forms on the forms of degree {half} are too large")
            continue
        for operators in candidates(target, half, best * codimension, rng, budget.share(SECONDS)):
            positive, negative = inertia(target, operators, half)
            value = -(-max(positive, negative) // codimension)
            if value > best:
                best = value
                found = [
                    _bound(target, units, RR, value, half, operators, f"signature ({positive}, {negative})")
                ]
    if field == QQ and units in ("untied", "mixed:1"):
        found += _at_a_prime(target, units, budget, max(best, lower_so_far(known, units, QQ, "rank", target)))
    return found


def isotropic_codimension(units: str, d: int, half: int) -> int | None:
    """Conditions that one unit imposes on an isotropic subspace; None where nothing is proved."""
    if units in ("tied", "untied"):
        return 1
    if units == "split":
        return comb(d, half) // 2 if d == 2 * half else None
    return (int(units.partition(":")[2]) + 2) // 2


def candidates(
    target: Target, half: int, more_than: int, rng: np.random.Generator, budget: Budget
) -> Iterator[Operators]:
    """Operators worth an exact look: short ones, then what the search over all combinations finds."""
    n, d = target.space.variables_count, target.space.form_degree
    monomials = words(n, d - 2 * half)
    basis = [(j, word) for j in range(target.space.outputs) for word in monomials]
    matrices = np.array([_floats(target, _single(target, j, {word: 1}), half) for j, word in basis])
    given = more_than
    for operators, matrix in _short(target, half, matrices):
        if budget.exhausted():
            budget.remark("out of time before every short operator was tried")
            return
        values = np.linalg.eigvalsh(matrix)
        tolerance = 1e-9 * max(1e-300, float(np.abs(values).max()))
        count = max(int((values > tolerance).sum()), int((values < -tolerance).sum()))
        if count > given:
            given = count
            yield operators
    # A quadratic form over the monomials has as many squares as its rank at most.
    if len(basis) > 1:
        for coefficients in combinations_with_many(matrices, given, rng, budget):
            yield _combined(target, basis, coefficients)


def _short(target: Target, half: int, matrices: Any) -> Iterator[tuple[Operators, Any]]:
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    monomials = words(n, d - 2 * half)
    width = len(monomials)
    for j in range(m):
        for k, word in enumerate(monomials):
            yield _single(target, j, {word: 1}), matrices[j * width + k]
    every = [(j, k) for j in range(m) for k in range(width)]
    squares = [
        (j, k) for j, k in every if all(c % 2 == 0 for c in map(monomials[k].count, set(monomials[k])))
    ]
    for chosen in (every, squares):
        if len(chosen) > 1:
            operators: Operators = [{} for _ in range(m)]
            for j, k in chosen:
                operators[j][monomials[k]] = 1
            yield operators, sum(matrices[j * width + k] for j, k in chosen)
    if len(every) <= 12:
        for a in range(len(every)):
            for b in range(a):
                for s in (1, -1):
                    operators = [{} for _ in range(m)]
                    (i, k), (j, l) = every[b], every[a]
                    operators[i][monomials[k]] = 1
                    operators[j][monomials[l]] = s
                    yield operators, matrices[b] + s * matrices[a]


def _single(target: Target, output: int, form: Form) -> Operators:
    return [form if j == output else {} for j in range(target.space.outputs)]


def _combined(
    target: Target, basis: Sequence[tuple[int, Any]], coefficients: Sequence[Fraction]
) -> Operators:
    operators: Operators = [{} for _ in range(target.space.outputs)]
    for (j, word), x in zip(basis, coefficients, strict=True):
        if x:
            operators[j][word] = x.numerator if x.denominator == 1 else x
    return operators


def square_form(target: Target, operators: Operators) -> Form:
    """The form G = sum of g_j o F_j of degree 2 * half."""
    total: Form = {}
    for operator, form in zip(operators, outputs(target), strict=True):
        for word, x in contract(operator, form).items():
            total[word] = total.get(word, 0) + x
    return total


def _entries(form: Mapping[Any, Scalar], n: int, half: int) -> Iterator[tuple[int, int, Scalar]]:
    """Entries on and above the diagonal of the matrix of h -> h^2 o G."""
    monomials = words(n, half)
    for i, u in enumerate(monomials):
        for j in range(i, len(monomials)):
            word = tuple(sorted(u + monomials[j]))
            if word in form:
                yield i, j, form[word] * prod(factorial(word.count(x)) for x in set(word))


def _floats(target: Target, operators: Operators, half: int) -> Any:
    n = target.space.variables_count
    side = comb(n + half - 1, half)
    matrix = np.zeros((side, side))
    for i, j, x in _entries(square_form(target, operators), n, half):
        matrix[i, j] = matrix[j, i] = _float(x)
    return matrix


def _float(x: Scalar) -> float:
    if not isinstance(x, Algebraic):
        return float(x)
    root = x.field.real_root
    # Only a search depends on this value: the middle of the isolating interval, bisected where the sign is known.
    low, high = root if root is not None else (Fraction(0), Fraction(0))
    generator = x.field.generator()
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sign(generator - middle) > 0 else (low, middle)
    point = float((low + high) / 2)
    return float(sum(float(c) * point**k for k, c in enumerate(x.coefficients)))


def weights(target: Target, operators: Operators, half: int) -> tuple[Scalar, ...]:
    """Non-zero diagonal of the quadratic form, exactly."""
    n = target.space.variables_count
    form: Form = {}
    for i, j, x in _entries(square_form(target, operators), n, half):
        form[i, j] = x if i == j else 2 * x
    return diagonal(form, comb(n + half - 1, half), target.ring).weights


def inertia(target: Target, operators: Operators, half: int) -> tuple[int, int]:
    """Numbers of positive and negative squares."""
    signs = [sign(x) for x in weights(target, operators, half)]
    return signs.count(1), signs.count(-1)


def _at_a_prime(target: Target, units: str, budget: Budget, best: int) -> list[Bound]:
    """The best bound at a prime over the monomial operators."""
    found: list[Bound] = []
    n, d = target.space.variables_count, target.space.form_degree
    for half in range(d // 2, 0, -1):
        side = comb(n + half - 1, half)
        # The anisotropic kernel over a p-adic field has dimension 4 at most.
        if side > MAX_SIDE or (side + min(side, 4)) // 2 <= best:
            continue
        for j in range(target.space.outputs):
            for word in words(n, d - 2 * half):
                if budget.exhausted():
                    budget.remark("out of time before every place was tried")
                    return found
                operators = _single(target, j, {word: 1})
                entries = [Fraction(x) for x in weights(target, operators, half)]  # type: ignore[arg-type]
                if (len(entries) + min(len(entries), 4)) // 2 <= best:
                    continue
                witt = witt_index_rational(entries, min(FACTORING_SECONDS, budget.left()))
                value = len(entries) - witt.index
                if value > best and witt.place != REAL and witt.place < 2**53:
                    best = value
                    why = f"rank {len(entries)}, anisotropic part of dimension {2 * value - len(entries)} at {witt.place}"
                    found = [_bound(target, units, QQ, value, half, operators, why, place=witt.place)]
    return found


def _bound(
    target: Target,
    units: str,
    over: Field,
    value: int,
    half: int,
    operators: Operators,
    why: str,
    **place: int,
) -> Bound:
    witness = {"half": half, "operators": [encode_form(form) for form in operators], **place}
    text = (
        operator_text(operators[0], target)
        if len(operators) == 1 and 2 * half < target.space.form_degree
        else ""
    )
    of = f" of the derivative by {text}" if text else ""
    reason = f"quadratic form{of} on the operators of degree {half}: {why}"
    return Bound(Claim("border_rank", units, over, ">=", value), "signature", witness, reason)


def _works_over(target: Target, question: Question) -> Field | None:
    field = question.field
    if field.characteristic or target.ring.characteristic or target.space.form_degree < 2:
        return None
    if target.ring.number_field is not None:
        # A field of coefficients without a real embedding has no signature.
        return RR if RR.includes(target.ring) and RR.includes(field) else None
    if field.number_field is not None:
        return RR if RR.includes(field) else None
    return field if field in (QQ, RR) else None


METHOD = Method(
    name="signature",
    rule="signature",
    side="lower",
    summary="signature of squares of operators on a derivative, or a p-adic place",
    units=("untied", "mixed:k", "split"),
    tier="A",
    fields="RR (so QQ), QQ",
    works_over=_works_over,
    find=find,
)
