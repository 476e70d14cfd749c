"""Untied ranks from below by derivatives: few detectors leave a direction along which the target is a sum of few powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankproof.bounds.lower.t_bound import bound_of, operators
from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.operators import complex_only, encode_form, is_affordable, lower_so_far
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolarity import contract, outputs, primitive
from rankproof.exact.directions import Line, Node, Product, cover, equations
from rankproof.exact.flattening import flattening_rank
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
    quadrics = equations(target)
    if len(quadrics) > MAX_EQUATIONS:
        budget.remark("too many equations for the directions")
        return []
    tree = cover(quadrics, n, MAX_NODES, budget.share(SECONDS).exhausted)
    if tree is None:
        return []
    found: list[Bound] = []
    directions = {k: node for k, node in enumerate(tree) if isinstance(node, Line)}
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


def _encoded(node: Node) -> dict[str, Any]:
    if not isinstance(node, Product):
        return {}
    return {
        "combination": [[number, encode_scalar(QQ.reduce(x))] for number, x in node.combination],
        "left": encode_form(node.left),
        "right": encode_form(node.right),
        "branches": list(node.children),
    }


def _leaf(target: Target, line: Line, for_rank: bool, enough: int) -> tuple[int, dict[str, Any]]:
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
    if question.units not in ("untied", "mixed:1") or target.ring != QQ or target.space.form_degree < 3:
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
