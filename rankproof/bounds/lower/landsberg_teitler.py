"""Ranks from below by a catalecticant and a family of points at which the form vanishes to a high order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, ring_of
from rankproof.bounds.operators import (
    common_zero_degree,
    complex_only,
    encode_form,
    is_affordable,
    lower_so_far,
    scheme_length,
)
from rankproof.certificate.claim import Claim
from rankproof.exact.apolarity import Form, derivatives, hilbert_function, outputs, residues
from rankproof.exact.apolarity import product as times
from rankproof.exact.flattening import good_prime
from rankproof.problem.field import CC, QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_SUBSETS = 5000
"""Sets of coordinates looked at."""

MAX_POINTS = 400
"""Points with coordinates 0, 1, -1 looked at."""

MAX_TERMS = 3000
"""Terms of the equations that are checked exactly."""

RESTARTS = 8
SECONDS = 2.0


@dataclass(frozen=True)
class Family:
    """Points p(t): one form in the parameters a variable, all of one degree; a point where their derivative has full rank."""

    parameters: int
    degree: int
    forms: tuple[Form, ...]
    point: tuple[int, ...]
    dimension: int
    name: str


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over linear families and families of matrices of rank one."""
    n, d = target.space.variables_count, target.space.form_degree
    if not is_affordable(target):
        budget.remark("the catalecticants are too large for exact ranks")
        return []
    length = scheme_length(units)
    best = lower_so_far(known, units, field, "rank", target)
    ranks = hilbert_function(residues(target)[0], d, residues(target)[1])
    checked = hypothesis(target, units, field)
    if checked is None:
        return []
    found: list[Bound] = []
    part = budget.share(SECONDS)
    for order in range(1, d - length + 1):
        if -(-(ranks[order] + n) // length) <= best:
            continue
        for family in families(target, order, rng, part):
            value = -(-(ranks[order] + family.dimension) // length)
            if value <= best:
                continue
            best = value
            witness: dict[str, Any] = {
                "order": order,
                **encode_family(family),
                **checked,
            }
            share = f", {length} a unit" if length > 1 else ""
            reason = (
                f"catalecticant of order {order} has rank {ranks[order]}, and {family.name} of dimension"
                f" {family.dimension} of points of multiplicity {order + 1}{share}"
            )
            found = [Bound(Claim("rank", units, field, ">=", value), "landsberg-teitler", witness, reason)]
    if part.exhausted():
        budget.remark("out of time before every family was tried")
    return found


def hypothesis(target: Target, units: str, field: Field) -> dict[str, int] | None:
    """Prime and Macaulay degree of a witness; None when the form is not concise, or a point p has p^L o F = 0."""
    n, d = target.space.variables_count, target.space.form_degree
    length = scheme_length(units)
    prime, _ = good_prime(target, field)
    if length == 1:
        forms, p = residues(target)
        return {"prime": prime} if hilbert_function(forms, d, p)[1] == n else None
    if d <= length:
        return None
    found = equations(target, d - length, prime)
    modulo = [{w: int(x) % prime for w, x in equation.items()} for equation in found]
    degree = common_zero_degree(modulo, n, prime)
    return None if degree is None else {"prime": prime, "macaulay": degree}


def encode_family(family: Family) -> dict[str, Any]:
    """A family as a witness writes it."""
    return {
        "parameters": family.parameters,
        "degree": family.degree,
        "family": [encode_form(form) for form in family.forms],
        "point": list(family.point),
    }


def equations(target: Target, order: int, p: int = 0) -> list[Form]:
    """Equations of the points p with p^(d-s) o F = 0, s the order: the derivatives of F of order s."""
    (form,) = outputs(target)
    by_operator: dict[Word, Form] = {}
    for word, value in form.items():
        for letters, rest, factor in derivatives(word, order):
            if x := _modulo(value, p) * factor:
                by_operator.setdefault(letters, {})[rest] = x
    return list(by_operator.values())


def _modulo(value: Any, p: int) -> Any:
    return value.numerator * pow(value.denominator, -1, p) % p if p else value


def families(target: Target, order: int, rng: np.random.Generator, budget: Budget) -> Iterator[Family]:
    """Families of points of multiplicity above an order, larger ones later."""
    n = target.space.variables_count
    found = equations(target, order)
    coordinates = _coordinate_subspace(target, order)
    if coordinates:
        yield _linear([[int(i == j) for i in range(n)] for j in coordinates], "a coordinate subspace")
    if sum(map(len, found)) > MAX_TERMS:
        budget.remark("too many equations for families that are not coordinate subspaces")
        return
    for rows in range(2, n):
        if n % rows == 0 and n // rows >= 2:
            family = _rank_one(rows, n // rows)
            if family.dimension > len(coordinates) and _vanish(found, family.forms):
                yield family
    basis = _linear_subspace(found, n, rng, budget)
    if len(basis) > len(coordinates):
        family = _linear(basis, "a linear subspace")
        if _vanish(found, family.forms):
            yield family


def _coordinate_subspace(target: Target, order: int) -> tuple[int, ...]:
    """A largest set of variables of which every monomial of the form has fewer than d - order."""
    n, d = target.space.variables_count, target.space.form_degree
    monomials = [word for word, _ in target.entries]
    tried = 0
    for size in range(n - 1, 0, -1):
        if tried + comb(n, size) > MAX_SUBSETS:
            # The largest sets are few; those in the middle are too many to look at.
            continue
        for chosen in combinations(range(n), size):
            tried += 1
            members = set(chosen)
            if all(sum(i in members for i in word) < d - order for word in monomials):
                return chosen
    return ()


def _linear(basis: Sequence[Sequence[int]], name: str) -> Family:
    q, n = len(basis), len(basis[0])
    forms: tuple[Form, ...] = tuple({(k,): basis[k][i] for k in range(q) if basis[k][i]} for i in range(n))
    return Family(q, 1, forms, (0,) * q, q, name)


def _rank_one(rows: int, columns: int) -> Family:
    """Matrices a b^T, entries numbered row by row."""
    forms: tuple[Form, ...] = tuple({(i, rows + j): 1} for i in range(rows) for j in range(columns))
    point = (1,) + (0,) * (rows - 1) + (1,) + (0,) * (columns - 1)
    return Family(
        rows + columns,
        2,
        forms,
        point,
        rows + columns - 1,
        f"the cone of {rows} x {columns} matrices of rank 1",
    )


def _vanish(found: Sequence[Form], family: Sequence[Form]) -> bool:
    """Whether equations vanish identically on a family."""
    for equation in found:
        total: Form = {}
        for word, value in equation.items():
            term: Form = {(): value}
            for i in word:
                term = times(term, family[i])
            for w, x in term.items():
                total[w] = total.get(w, 0) + x
        if any(total.values()):
            return False
    return True


def _linear_subspace(
    found: Sequence[Form], n: int, rng: np.random.Generator, budget: Budget
) -> list[list[int]]:
    """Vectors with entries 0, 1, -1 whose span seems to satisfy the equations, as many as a greedy search finds."""
    if 3**n // 2 > MAX_POINTS:
        return []
    points = [p for p in product((0, 1, -1), repeat=n) if next((x for x in p if x), 0) == 1]
    floats = [[(list(word), float(x)) for word, x in equation.items()] for equation in found]

    def inside(vector: Any) -> bool:
        return all(abs(sum(c * float(np.prod(vector[w])) for w, c in equation)) < 1e-9 for equation in floats)

    zeros = [np.array(p, dtype=np.float64) for p in points if inside(np.array(p, dtype=np.float64))]
    best: list[Any] = []
    for _ in range(RESTARTS if zeros else 0):
        basis: list[Any] = []
        for k in rng.permutation(len(zeros)):
            if budget.exhausted():
                break
            trial = [*basis, zeros[k]]
            if np.linalg.matrix_rank(np.array(trial)) < len(trial):
                continue
            # A few points of the span; the caller checks the identity.
            mixtures = rng.integers(-7, 8, size=(4, len(trial))).astype(np.float64)
            if all(inside(mixture @ np.array(trial)) for mixture in mixtures):
                basis = trial
        if len(basis) > len(best):
            best = basis
    return [[int(x) for x in vector] for vector in best]


def works_over(target: Target, question: Question) -> Field | None:
    """Over CC, for one form over QQ."""
    one_form = len(target.space.factors) == 1 and ring_of(target, question) == QQ
    return CC if one_form and complex_only(target, question) else None


METHOD = Method(
    name="landsberg_teitler",
    rule="landsberg-teitler",
    side="lower",
    summary="rank of a catalecticant plus the dimension of a family of points of high multiplicity",
    units=("tied", "untied", "mixed:k"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=works_over,
    find=find,
)
