"""Directions in which a target has a point of multiplicity d - 1: the zeros p of p^2 o F_j = 0, covered by subspaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from rankproof.exact.apolarity import Form, derivatives, outputs
from rankproof.exact.quadric_factors import linear_factors_of_quadric
from rankproof.problem.field import QQ
from rankproof.problem.space import Word
from rankproof.problem.target import Target


@dataclass(frozen=True)
class Product:
    """On its subspace the combination of equations is left * right: its children have left = 0 and right = 0."""

    combination: list[tuple[int, Fraction]]
    left: Form
    right: Form
    children: tuple[int, int]


@dataclass(frozen=True)
class Line:
    """A subspace of dimension 1."""

    direction: tuple[Fraction, ...]


Node = Product | Line | None
"""None stands for the origin."""


def equations(target: Target) -> list[dict[Word, Fraction]]:
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


def cover(
    equations: Sequence[Mapping[Word, Fraction]], n: int, most: int, out_of_time: Callable[[], bool]
) -> list[Node] | None:
    """Nodes of a tree of products that covers all zeros of the equations, children after their parents.

    None when some subspace shows no product, or the tree grows beyond ``most`` nodes or takes too long.
    """
    identity = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    waiting: list[list[list[Fraction]]] = [identity]
    tree: list[Node] = []
    while len(tree) < len(waiting):
        if out_of_time() or len(waiting) > most:
            return None
        basis = waiting[len(tree)]
        if len(basis) <= 1:
            tree.append(Line(tuple(basis[0])) if basis else None)
            continue
        product = _product(equations, basis)
        if product is None:
            return None
        combination, left, right = product
        children = [_section(basis, form) for form in ([left] if left == right else [left, right])]
        first = len(waiting)
        waiting += children
        tree.append(Product(combination, left, right, (first, first + len(children) - 1)))
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
        found = (
            [(k, x / scale) for k, x in sorted(combination.items())],
            _lifted(left, basis),
            _lifted(right, basis),
        )
        if found[1] == found[2]:
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
