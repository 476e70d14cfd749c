"""Border ranks of maps from below: the outputs but one, plus the least width of a combination of the outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, factorial, prod
from typing import Any

import numpy as np

from rankproof.bounds.lower.flattening import unit_rank
from rankproof.bounds.lower.signature import isotropic_codimension
from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.bounds.operators import encode_form, lower_so_far, upper_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolarity import Form, contract, macaulay_degree, outputs, words
from rankproof.exact.flattening import good_prime, residue
from rankproof.exact.pencils import determinant_polynomial, inertias, separating_points
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_RANK = 6
"""Size of the minors: their expansion grows with the factorial."""

MAX_MINORS = 400
MAX_OPERATORS = 40
MAX_SIDE = 30
SECONDS = 3.0


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound by minors (over CC or GF(p)) or by a pencil (over RR)."""
    best = lower_so_far(known, units, field, "border_rank", target)
    upper = upper_so_far(known, units, field, target)
    part = budget.share(SECONDS)
    if field == RR:
        return _pencil(target, units, best, part)
    return _minors(
        target.over(field) if field.characteristic else target, units, field, best, upper, part, rng
    )


# Over RR: two outputs


def _pencil(target: Target, units: str, best: int, budget: Budget) -> list[Bound]:
    found: list[Bound] = []
    n, d = target.space.variables_count, target.space.form_degree
    for half in range(d // 2, 0, -1):
        codimension = isotropic_codimension(units, d, half)
        side = comb(n + half - 1, half)
        if codimension is None or side > MAX_SIDE:
            continue
        for operator in _operators(n, d - 2 * half):
            if budget.exhausted():
                budget.remark("out of time before every operator was tried")
                return found
            first, second = (_square_form(contract(operator, form), n, half) for form in outputs(target))
            f = determinant_polynomial(first, second)
            if not f:
                continue
            points = separating_points(f)
            covered = inertias(first, second, points)
            least = min(
                rank if units == "tied" else -(-max(positive, negative) // codimension)
                for positive, negative, rank in covered
            )
            if 1 + least > best:
                best = 1 + least
                witness = {
                    "argument": "pencil",
                    "half": half,
                    "operator": encode_form(operator),
                    "points": [encode_scalar(QQ.reduce(t)) for t in points],
                }
                reason = f"1, and {least} for every real combination of the two outputs"
                found = [
                    Bound(Claim("border_rank", units, RR, ">=", best), "output-substitution", witness, reason)
                ]
    return found


def _operators(n: int, degree: int) -> Iterator[Form]:
    monomials = words(n, degree)
    if len(monomials) <= MAX_OPERATORS:
        yield from ({word: 1} for word in monomials)
    if degree:
        yield {(i,) * degree: 1 for i in range(n)}


def _square_form(form: Mapping[Word, Any], n: int, half: int) -> list[list[Any]]:
    monomials = words(n, half)

    def entry(u: Word, v: Word) -> Any:
        word = tuple(sorted(u + v))
        return form.get(word, 0) * prod(factorial(word.count(x)) for x in set(word))

    return [[entry(u, v) for v in monomials] for u in monomials]


# Over CC and GF(p): minors of a flattening of all combinations


def _minors(
    target: Target,
    units: str,
    field: Field,
    best: int,
    upper: int | None,
    budget: Budget,
    rng: np.random.Generator,
) -> list[Bound]:
    space = target.space
    n, d, m = space.variables_count, space.form_degree, space.outputs
    prime, root = good_prime(target, field)
    for order in range(1, d // 2 + 1):
        k = unit_rank(units, target, (order, 0))
        matrix = _matrix(target, order, prime, root)
        side = min(comb(n + order - 1, order), comb(n + d - order - 1, d - order))
        for rank in range(min(side, MAX_RANK), 0, -1):
            value = m - 1 + -(-rank // k)
            # The largest rank that gives a value is the hardest; the smallest is enough.
            if -(-(rank - 1) // k) == -(-rank // k) or value <= best:
                continue
            if upper is not None and value > upper:
                continue
            if budget.exhausted():
                budget.remark("out of time before every size of minors was tried")
                return []
            chosen = _without_common_zero(matrix, m, rank, prime, budget, rng)
            if chosen is None:
                continue
            places, degree = chosen
            witness: dict[str, Any] = {
                "argument": "minors",
                "order": order,
                "rank": rank,
                "minors": [{"rows": list(rows), "columns": list(columns)} for rows, columns in places],
                "macaulay": degree,
                "prime": prime,
            }
            if root is not None:
                witness["root"] = root
            reason = (
                f"{m - 1}, and {-(-rank // k)} for every combination of the outputs, of rank {rank} at least"
            )
            claim = Claim("border_rank", units, field, ">=", value)
            return [Bound(claim, "output-substitution", witness, reason)]
    return []


Entries = dict[tuple[int, int], dict[int, int]]
Place = tuple[tuple[int, ...], tuple[int, ...]]


def _matrix(target: Target, order: int, p: int, root: int | None) -> Entries:
    """Entries of the flattening of a combination of the outputs: linear forms in its coefficients, modulo p."""
    n, d = target.space.variables_count, target.space.form_degree
    rows = {word: i for i, word in enumerate(words(n, order))}
    columns = {word: j for j, word in enumerate(words(n, d - order))}
    entries: Entries = {}
    for output, form in enumerate(outputs(target)):
        for word, value in form.items():
            x = residue(value, p, root)
            for letters in set(combinations(word, order)):
                rest = list(word)
                times = 1
                for letter in letters:
                    rest.remove(letter)
                for letter in set(letters):
                    times *= comb(word.count(letter), letters.count(letter))
                if y := x * times % p:
                    entries.setdefault((rows[letters], columns[tuple(rest)]), {})[output] = y
    return entries


def _without_common_zero(
    matrix: Entries, m: int, rank: int, p: int, budget: Budget, rng: np.random.Generator
) -> tuple[list[Place], int] | None:
    """Minors of a size without a common zero, and the Macaulay degree that shows it."""
    rows = sorted({i for i, _ in matrix})
    columns = sorted({j for _, j in matrix})
    if comb(len(rows), rank) * comb(len(columns), rank) > 20 * MAX_MINORS:
        drawn: Iterator[Place] = (
            (_draw(rows, rank, rng), _draw(columns, rank, rng)) for _ in range(4 * MAX_MINORS)
        )
    else:
        drawn = ((r, c) for r in combinations(rows, rank) for c in combinations(columns, rank))
    found: dict[tuple[tuple[Word, int], ...], Place] = {}
    for place in drawn:
        if budget.exhausted() or len(found) == MAX_MINORS:
            break
        minor = _determinant(matrix, place, p)
        if minor:
            # A multiple of a minor that is there already adds nothing.
            scale = pow(next(iter(sorted(minor.items())))[1], -1, p)
            found.setdefault(tuple(sorted((word, x * scale % p) for word, x in minor.items())), place)
    forms: list[dict[Word, int]] = [dict(form) for form in found]
    degree = macaulay_degree(forms, m, p, m * (rank - 1) + 1, 2000) if forms else None
    if degree is None:
        return None
    places = list(found.values())
    # Fewer minors make a shorter certificate.
    kept = list(range(len(places)))
    for k in range(len(places)):
        fewer = [i for i in kept if i != k]
        if len(places) <= 40 and fewer and macaulay_degree([forms[i] for i in fewer], m, p, degree, 2000):
            kept = fewer
    return [places[i] for i in kept], degree


def _draw(items: Sequence[int], size: int, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(sorted(items[int(i)] for i in rng.permutation(len(items))[:size]))


def _determinant(matrix: Entries, place: Place, p: int) -> dict[Word, int]:
    rows, columns = place
    partial: dict[tuple[int, ...], dict[Word, int]] = {(): {(): 1}}
    for i in rows:
        following: dict[tuple[int, ...], dict[Word, int]] = {}
        for used, minor in partial.items():
            for k, j in enumerate(columns):
                entry = matrix.get((i, j))
                if k in used or not entry:
                    continue
                sign = -1 if sum(u > k for u in used) % 2 else 1
                total = following.setdefault(tuple(sorted((*used, k))), {})
                for word, x in minor.items():
                    for letter, y in entry.items():
                        key = tuple(sorted((*word, letter)))
                        total[key] = (total.get(key, 0) + sign * x * y) % p
        partial = following
    full = partial.get(tuple(range(len(columns))), {})
    return {word: x for word, x in full.items() if x}


def _works_over(target: Target, question: Question) -> Field | None:
    space = target.space
    if space.outputs < 2 or space.form_degree < 2:
        return None
    real = space.outputs == 2 and target.ring == QQ and RR.includes(question.field)
    return RR if real and question.field != CC else complex_or_finite(target, question)


METHOD = Method(
    name="output_substitution",
    rule="output-substitution",
    side="lower",
    summary="outputs but one, plus the least width of a combination of the outputs",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="RR (so QQ) for two outputs, CC, GF(p)",
    works_over=_works_over,
    find=find,
)
