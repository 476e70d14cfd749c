"""An oracle for the truth of certificates that shares no code with the verifier or the prover.

It does not follow the steps of a certificate. Lower bounds it finds for itself: from exact ranks over the field itself, from
the classification of quadratic forms, and for small tensors over finite fields from all sums of tensors of rank one. From the
steps it takes units only, which it expands with sympy. A conclusion is *true* when it follows from what the oracle knows,
*false* when the opposite does, and otherwise the oracle *cannot tell*.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from .closure import Bounds, askable, asked, units_for
from .problem import NotSense, Problem, problem
from .quadrics import known
from .ranks import flattening_bounds, koszul_bound, koszul_shape
from .tensors import tensor_facts
from .uppers import upper_bounds

TRUE, FALSE, UNKNOWN = "true", "false", "cannot tell"


def judge(tree: Mapping[str, Any]) -> tuple[str, str]:
    """Whether the conclusion of a certificate is true, and about which answer that is said."""
    try:
        target = problem(tree)
        bounds = facts(target, tree)
    except NotSense as error:
        return FALSE, str(error)
    verdict, about = TRUE, ""
    for answer in tree["conclusion"]:
        question = answer["units"], answer["field"], answer["quantity"]
        lower, upper = bounds.lower.get(question, 0), bounds.upper.get(question)
        if not askable(target, answer["field"]):
            return FALSE, f"{question} has no meaning"
        claimed = answer.get("upper")
        if (upper is not None and answer["lower"] > upper) or (claimed is not None and claimed < lower):
            return FALSE, f"{question} claimed {answer['lower']}..{claimed}, known {lower}..{upper}"
        if answer["lower"] > lower or (claimed is not None and (upper is None or claimed < upper)):
            verdict, about = (
                UNKNOWN,
                f"{question} claimed {answer['lower']}..{claimed}, known {lower}..{upper}",
            )
    return verdict, about


def facts(target: Problem, tree: Mapping[str, Any]) -> Bounds:
    """All bounds that the oracle can establish about the questions of a certificate."""
    fields = [name for name in asked(tree) if askable(target, name)]
    bounds = Bounds(target, fields)
    mentioned = {s["claim"]["units"] for s in tree["steps"]} | {a["units"] for a in tree["conclusion"]}
    units = [name for name in units_for(target) if name in mentioned]
    orders = {tuple(s["witness"]["orders"]) for s in tree["steps"] if s["rule"] == "flattening"}
    for field in fields:
        ring = target.ring if field == "CC" else field
        if ring != "CC" and field in ("CC", *[f for f in fields if f.startswith("GF(")]):
            for name, value in flattening_bounds(target, units, ring, orders).items():
                bounds.at_least((name, field, "border_rank"), max(1, value))
    for step in tree["steps"]:
        if step["rule"] == "koszul" and step["claim"]["over"] in fields:
            name, field = step["claim"]["units"], step["claim"]["over"]
            ring = target.ring if field == "CC" else field
            value = koszul_bound(target, name, ring, koszul_shape(step["witness"]))
            bounds.at_least((name, field, "border_rank"), value)
    for (name, field), (lower, upper) in known(target, fields).items():
        bounds.at_least((name, field, "border_rank"), lower)
        if upper is not None:
            bounds.at_most((name, field, "rank"), upper)
    if "CC" in fields and (rank := coprime(target)):
        bounds.at_least(("tied", "CC", "rank"), rank)
    called = tree["target"]
    name_of = (called["name"], tuple(called["parameters"])) if "name" in called else None
    for relation, quantity, name, field, value in tensor_facts(target, fields, name_of):
        (bounds.at_most if relation == "<=" else bounds.at_least)((name, field, quantity), value)
    for quantity, name, field, value in upper_bounds(target, tree["steps"]):
        bounds.at_most((name, field, quantity), value)
    bounds.close()
    if any(bounds.lower.get(q, 0) > u for q, u in bounds.upper.items()):
        raise AssertionError("the oracle contradicts itself")
    return bounds


def coprime(target: Problem) -> int:
    """Rank of a sum of monomials without common variables (Carlini, Catalisano, Geramita 2012), or 0."""
    if not target.is_form or target.degree < 2:
        return 0
    words = list(target.entries)
    if sum(len(set(word)) for word in words) != len({x for word in words for x in word}):
        return 0
    exponents = [sorted(word.count(x) for x in set(word)) for word in words]
    return sum(prod(e + 1 for e in powers[1:]) for powers in exponents)
