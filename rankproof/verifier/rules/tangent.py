"""Rule ``tangent``: few untied units leave a direction along which the derivative is a sum of few powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..forms import (
    Polynomial,
    apply,
    derivatives,
    exact_rank,
    multiply,
    outputs,
    quotient_dimension,
    read_form,
)
from ..reading import MISSING, integer, is_object, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Number, inverse, read_rational
from ..targets import Target, Word
from ..units import check_operations
from .flattening import number_of_ways, ways
from .over import field_refused
from .rule import Context, Rule

UNITS = ("untied", "mixed:1")


@dataclass(frozen=True)
class Branch:
    """On the subspace at hand a combination of the equations is left * right: one of the two vanishes."""

    combination: list[tuple[int, Number]]
    left: Polynomial
    right: Polynomial
    children: tuple[int, int]


@dataclass(frozen=True)
class Leaf:
    """The origin, or a line, whose derivative is bounded by a catalecticant (order) or by a t-bound (operator)."""

    order: int | None
    operator: Polynomial | None
    degree: int


def read(witness: Any, context: Context) -> list[Branch | Leaf]:
    (nodes,) = keys(witness, context.witness(), ("nodes",))
    if context.units.name not in UNITS or context.target.space.form_degree < 3:
        message = "the rule is about untied units and degree at least 3"
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", message)
    tree: list[Branch | Leaf] = []
    expected = {0}
    listed = sequence(nodes, context.witness("nodes"), least=1)
    for index, node in enumerate(listed):
        here = context.witness("nodes", index)
        if index not in expected:
            raise Unreadable("orphan", here, "every node but the first is a child of exactly one earlier node")
        if is_object(node) and "branches" in node:
            branch = _read_branch(node, here, index, len(listed), context)
            if expected & set(branch.children):
                raise Unreadable("orphan", f"{here}/branches", "a node is the child of two nodes")
            expected |= set(branch.children)
            tree.append(branch)
        else:
            tree.append(_read_leaf(node, here, context))
    return tree


def _read_branch(node: Any, here: str, index: int, size: int, context: Context) -> Branch:
    combination, left, right, children = keys(node, here, ("combination", "left", "right", "branches"))
    n = context.target.space.variables
    terms: list[tuple[int, Number]] = []
    for i, pair in enumerate(sequence(combination, f"{here}/combination", least=1)):
        number, coefficient = sequence(pair, f"{here}/combination/{i}", least=2, most=2)
        integer(number, f"{here}/combination/{i}/0", 0, limits.ENTRIES)
        terms.append((number, read_rational(coefficient, f"{here}/combination/{i}/1")))
    first, second = sequence(children, f"{here}/branches", least=2, most=2)
    integer(first, f"{here}/branches/0", index + 1, size - 1)
    integer(second, f"{here}/branches/1", index + 1, size - 1)
    forms = read_form(left, f"{here}/left", n, 1, QQ), read_form(right, f"{here}/right", n, 1, QQ)
    if (first == second) != (forms[0] == forms[1]):
        message = "a square has one branch, written twice; a product of two forms has two"
        raise Unreadable("repeated", f"{here}/branches/1", message)
    return Branch(terms, *forms, (first, second))


def _read_leaf(node: Any, here: str, context: Context) -> Leaf:
    order, degree, operator = keys(node, here, (), ("order", "degree", "operator"))
    if (degree is MISSING) != (operator is MISSING) or (order is not MISSING and operator is not MISSING):
        raise Unreadable("missing-key", here, "a leaf has an order, or a degree and an operator, or nothing")
    d, n = context.target.space.form_degree, context.target.space.variables
    if order is not MISSING:
        return Leaf(integer(order, f"{here}/order", 0, d - 1), None, 0)
    if operator is MISSING:
        return Leaf(None, None, 0)
    integer(degree, f"{here}/degree", 1, limits.DEGREE)
    return Leaf(None, read_form(operator, f"{here}/operator", n, degree, QQ), degree)


def derive(tree: list[Branch | Leaf], context: Context) -> Claim:
    target = context.target
    if context.over != "CC" or target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    n = target.space.variables
    quadrics = equations(target, context)
    bound, quantity = n, BORDER
    subspaces: dict[int, list[Polynomial]] = {0: [{(i,): 1} for i in range(n)]}
    for index, node in enumerate(tree):
        basis = subspaces.pop(index)
        here = context.witness("nodes", index)
        if isinstance(node, Branch):
            check_branch(node, quadrics, basis, here)
            subspaces[node.children[0]] = section(basis, node.left)
            subspaces[node.children[1]] = section(basis, node.right)
        elif len(basis) > 1:
            raise Rejected("not-a-line", here, f"the subspace of this leaf has dimension {len(basis)}")
        elif basis:
            bound = min(bound, tied_width_of_derivative(node, basis[0], target, here))
            if node.operator is not None:
                # The t-bound holds for rank only.
                quantity = RANK
    return Claim(quantity, context.units.name, "CC", AT_LEAST, bound)


def equations(target: Target, context: Context) -> list[Polynomial]:
    """Quadrics in p whose common zeros are the p with p^2 o F_j = 0 for all outputs, sorted by output and monomial."""
    space = target.space
    d = space.form_degree
    check_operations(
        sum(number_of_ways(word, space) for word in target.entries), limits.OPERATIONS, context.pointer
    )
    by_word: dict[tuple[Word, Word], Polynomial] = {}
    for word, value in target.entries.items():
        for rest, letters, times in ways([word[:d]], [d - 2]):
            equation = by_word.setdefault((word[d:], rest), {})
            equation[letters] = equation.get(letters, 0) + value * times
    return [by_word[key] for key in sorted(by_word)]


def check_branch(node: Branch, quadrics: Sequence[Polynomial], basis: list[Polynomial], here: str) -> None:
    """The combination minus left * right vanishes on the subspace."""
    difference = {word: -value for word, value in multiply(node.left, node.right).items()}
    for position, (number, coefficient) in enumerate(node.combination):
        if number >= len(quadrics):
            message = f"there are {len(quadrics)} equations"
            raise Rejected("no-such-equation", f"{here}/combination/{position}/0", message)
        for word, value in quadrics[number].items():
            difference[word] = difference.get(word, 0) + coefficient * value
    if restricted(difference, basis):
        raise Rejected("not-a-product", here, "on its subspace the combination is not the product of the two forms")


def restricted(quadric: Mapping[Word, Number], basis: list[Polynomial]) -> Polynomial:
    """The quadric on the span of the basis, as a polynomial in the coordinates of the basis."""
    # Coordinate x_i on the subspace is a linear form in the coordinates of the basis.
    coordinates: dict[int, Polynomial] = {}
    for t, vector in enumerate(basis):
        for (i,), value in vector.items():
            coordinates.setdefault(i, {})[(t,)] = value
    result: Polynomial = {}
    for (i, j), value in quadric.items():
        for word, x in multiply(coordinates.get(i, {}), coordinates.get(j, {})).items():
            result[word] = result.get(word, 0) + value * x
    return {word: x for word, x in result.items() if x != 0}


def section(basis: list[Polynomial], form: Polynomial) -> list[Polynomial]:
    """Basis of the part of the subspace where a linear form vanishes."""
    values = [sum((form.get(word, 0) * x for word, x in vector.items()), start=0) for vector in basis]
    pivot = next((i for i, value in enumerate(values) if value != 0), None)
    if pivot is None:
        return basis
    scale = inverse(values[pivot])
    smaller: list[Polynomial] = []
    for i, vector in enumerate(basis):
        if i != pivot:
            factor = values[i] * scale
            words = vector.keys() | basis[pivot].keys()
            combined = {w: vector.get(w, 0) - factor * basis[pivot].get(w, 0) for w in words}
            smaller.append({w: x for w, x in combined.items() if x != 0})
    return smaller


def tied_width_of_derivative(leaf: Leaf, direction: Polynomial, target: Target, here: str) -> int:
    """Lower bound for the tied width of the derivative of the target along the direction."""
    d = target.space.form_degree
    forms = [apply(direction, form) for form in outputs(target)]
    if leaf.order is not None:
        return exact_rank(derivatives(forms, leaf.order))
    if leaf.operator is None:
        raise Rejected("no-bound", here, "the leaf is a line and names no bound for its derivative")
    once = [apply(leaf.operator, form) for form in forms]
    twice = [apply(leaf.operator, form) for form in once]
    e = leaf.degree
    difference = quotient_dimension(once, d - 1 - e) - quotient_dimension(twice, d - 1 - 2 * e)
    return -(-difference // e)


RULE = Rule(read, derive)
