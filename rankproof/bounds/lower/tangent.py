"""Untied ranks from below by derivatives: few detectors leave a direction along which the target is a sum of few powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from rankproof.bounds.lower.t_bound import bound_of, operators
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import complex_only, encode_form, is_affordable, lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolarity import Form, contract, derivatives, outputs, primitive
from rankproof.exact.flattening import flattening_rank
from rankproof.exact.quadric_factors import linear_factors_of_quadric
from rankproof.problem.field import QQ, Field
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_NODES = 60
MAX_EQUATIONS = 600
PRIME = 1048573
SECONDS = 2.0


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The bound of a tree of products that covers all directions, with the best bound on every leaf."""
    n = target.space.variables_count
    best = lower_so_far(known, units, field, "rank", target)
    border_best = lower_so_far(known, units, field, "border_rank", target)
    if border_best >= n or not is_affordable(target):
        return []
    equations = _equations(target)
    if len(equations) > MAX_EQUATIONS:
        budget.remark("too many equations for the directions")
        return []
    tree = _tree(equations, n, budget.share(SECONDS))
    if tree is None:
        return []
    found: list[Bound] = []
    directions = {k: node for k, node in enumerate(tree) if isinstance(node, _Line)}
    for quantity, known_value in (("border_rank", border_best), ("rank", best)):
        leaves = {k: _leaf(target, line, quantity == "rank", n) for k, line in directions.items()}
        value = min([n, *(value for value, _ in leaves.values())])
        if value <= known_value or (found and value <= found[-1].claim.value):
            continue
        uses_operator = any("operator" in witness for _, witness in leaves.values())
        nodes = [leaves[k][1] if k in leaves else _encoded(node) for k, node in enumerate(tree)]
        claim = Claim("rank" if uses_operator else "border_rank", units, field, ">=", value)
        reason = (
            f"{len(directions)} tangent directions, along each the derivative needs {value} powers at least"
            if directions
            else "no point of multiplicity d - 1"
        )
        found.append(Bound(claim, "tangent", {"nodes": nodes}, reason))
    return found


@dataclass(frozen=True)
class _Product:
    combination: list[tuple[int, Fraction]]
    left: Form
    right: Form
    children: tuple[int, int]


@dataclass(frozen=True)
class _Line:
    direction: tuple[Fraction, ...]


_Node = _Product | _Line | None
"""None stands for the origin."""


def _encoded(node: _Node) -> dict[str, Any]:
    if not isinstance(node, _Product):
        return {}
    return {
        "combination": [[number, encode_scalar(QQ.reduce(x))] for number, x in node.combination],
        "left": encode_form(node.left),
        "right": encode_form(node.right),
        "branches": list(node.children),
    }


def _equations(target: Target) -> list[dict[Word, Fraction]]:
    """Quadrics in p of p^2 o F_j = 0, sorted by output and monomial as the certificate format numbers them."""
    by_word: dict[tuple[int, Word], dict[Word, Fraction]] = {}
    for output, form in enumerate(outputs(target)):
        for word, value in form.items():
            for letters, rest, factor in derivatives(word, 2):
                # The derivative by X_i^2 has the factor 2 that the expansion of F(x + p) does not have.
                share = Fraction(factor, 2 if letters[0] == letters[1] else 1)
                equation = by_word.setdefault((output, rest), {})
                equation[letters] = equation.get(letters, Fraction(0)) + Fraction(value) * share  # type: ignore[arg-type]
    return [by_word[key] for key in sorted(by_word)]


def _tree(equations: Sequence[Mapping[Word, Fraction]], n: int, budget: Budget) -> list[_Node] | None:
    """Nodes of a tree of products, children after their parents; None when some subspace shows no product."""
    identity = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    waiting: list[list[list[Fraction]]] = [identity]
    tree: list[_Node] = []
    while len(tree) < len(waiting):
        if budget.exhausted() or len(waiting) > MAX_NODES:
            budget.remark("the tree of directions is too large")
            return None
        basis = waiting[len(tree)]
        if len(basis) <= 1:
            tree.append(_Line(tuple(basis[0])) if basis else None)
            continue
        product = _product(equations, basis)
        if product is None:
            return None
        combination, left, right = product
        children = [_section(basis, form) for form in ([left] if left == right else [left, right])]
        first = len(waiting)
        waiting += children
        tree.append(_Product(combination, left, right, (first, first + len(children) - 1)))
    return tree


def _product(
    equations: Sequence[Mapping[Word, Fraction]], basis: Sequence[Sequence[Fraction]]
) -> tuple[list[tuple[int, Fraction]], Form, Form] | None:
    """A combination of the equations that is a product of two linear forms on a subspace, squares first."""
    restricted = [_restricted(equation, basis) for equation in equations]
    candidates: list[tuple[dict[int, Fraction], dict[Word, Fraction]]] = [
        ({k: Fraction(1)}, form) for k, form in enumerate(restricted) if form
    ]
    candidates += _reduced(candidates)
    best: tuple[list[tuple[int, Fraction]], Form, Form] | None = None
    for combination, form in candidates:
        factors = linear_factors_of_quadric(form, len(basis))
        if factors is None:
            continue
        scale, left, right = factors
        lifted = tuple(_lifted(factor, basis) for factor in (left, right))
        found = ([(k, x / scale) for k, x in sorted(combination.items())], *lifted)
        if lifted[0] == lifted[1]:
            return found
        best = best or found
    return best


def _restricted(
    equation: Mapping[Word, Fraction], basis: Sequence[Sequence[Fraction]]
) -> dict[Word, Fraction]:
    result: dict[Word, Fraction] = {}
    for (i, j), value in equation.items():
        for s, u in enumerate(basis):
            if not u[i]:
                continue
            for t, v in enumerate(basis):
                if v[j]:
                    word = (min(s, t), max(s, t))
                    result[word] = result.get(word, Fraction(0)) + value * u[i] * v[j]
    return {word: x for word, x in result.items() if x}


def _reduced(
    candidates: Sequence[tuple[dict[int, Fraction], dict[Word, Fraction]]],
) -> list[tuple[dict[int, Fraction], dict[Word, Fraction]]]:
    """Reduced echelon form of the span, with the combinations that give its rows."""
    rows: list[tuple[dict[int, Fraction], dict[Word, Fraction]]] = []
    for combination, form in candidates:
        combination, form = dict(combination), dict(form)
        for other, pivot_form in rows:
            pivot = min(pivot_form)
            if pivot in form:
                _subtract(form, pivot_form, form[pivot] / pivot_form[pivot], combination, other)
        if form:
            pivot = min(form)
            for other, other_form in rows:
                if pivot in other_form:
                    _subtract(other_form, form, other_form[pivot] / form[pivot], other, combination)
            rows.append((combination, form))
    return rows


def _subtract(
    form: dict[Word, Fraction],
    pivot_form: Mapping[Word, Fraction],
    factor: Fraction,
    combination: dict[int, Fraction],
    other: Mapping[int, Fraction],
) -> None:
    for total, part in ((form, pivot_form), (combination, other)):
        for key, x in part.items():
            value = total.get(key, Fraction(0)) - factor * x  # type: ignore[call-overload]
            if value:
                total[key] = value  # type: ignore[index]
            else:
                total.pop(key, None)  # type: ignore[call-overload]


def _lifted(form: Mapping[int, Fraction], basis: Sequence[Sequence[Fraction]]) -> Form:
    """A linear form on the ambient space with the given values on the basis, which is in echelon form."""
    pivots = [next(i for i, x in enumerate(vector) if x) for vector in basis]
    return {(pivots[t],): QQ.reduce(x) for t, x in sorted(form.items())}


def _section(basis: Sequence[Sequence[Fraction]], form: Form) -> list[list[Fraction]]:
    """Basis, in reduced echelon form, of the part of a subspace where a linear form vanishes."""
    values = [sum((Fraction(x) * vector[i] for (i,), x in form.items()), Fraction(0)) for vector in basis]  # type: ignore[arg-type]
    n = len(basis[0])
    kernel = [
        [values[t] * basis[s][i] - values[s] * basis[t][i] for i in range(n)]
        for s in [next(k for k, value in enumerate(values) if value)]
        for t in range(len(basis))
        if t != s
    ]
    entries = [flint.fmpq(x.numerator, x.denominator) for row in kernel for x in row]
    echelon, rank = flint.fmpq_mat(len(kernel), n, entries).rref() if kernel else (None, 0)
    if echelon is None:
        return []
    return [[Fraction(int(echelon[i, j].p), int(echelon[i, j].q)) for j in range(n)] for i in range(rank)]


def _leaf(target: Target, line: _Line, for_rank: bool, enough: int) -> tuple[int, dict[str, Any]]:
    """Best bound for the tied width of the derivative along a line, and the leaf that shows it."""
    direction = primitive({(i,): x for i, x in enumerate(line.direction) if x})
    entries: dict[Word, Any] = {}
    for output, form in enumerate(outputs(target)):
        for word, value in contract(direction, form).items():
            entries[word if target.space.outputs == 1 else (*word, output)] = value
    if not entries:
        return 0, {"order": 0}
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    derived = Target.from_entries(type(target.space).map(n, d - 1, m), entries, target.ring)
    value, witness = 0, {"order": 0}
    for order in range(d):
        orders = (order,) if m == 1 else (order, 0)
        rank = flattening_rank(derived, orders, PRIME).rank if 0 < sum(orders) < d - 1 + (m > 1) else 1
        if rank > value:
            value, witness = rank, {"order": order}
    if for_rank and value < enough:
        for operator in operators(derived, 1):
            bound = bound_of(derived, operator, 1)
            if bound > value:
                value = bound
                witness = {"degree": len(next(iter(operator))), "operator": encode_form(operator)}
    return value, witness


def _works_over(target: Target, question: Question) -> Field | None:
    if target.ring != QQ or target.space.form_degree < 3:
        return None
    return complex_only(target, question)


METHOD = Method(
    name="tangent",
    rule="tangent",
    side="lower",
    summary="derivatives along the directions that few detectors leave",
    units=("untied", "mixed:k"),
    tier="A",
    fields="CC (so RR, QQ)",
    works_over=_works_over,
    find=find,
)
