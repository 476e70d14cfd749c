"""Rule ``apolar-form``: an operator with distinct (or real) linear factors that kills a binary form bounds it from above."""

from __future__ import annotations

from typing import Any

from .. import limits
from ..binary import act, check_sizes, coefficients, is_real_rooted, is_squarefree, moments, product
from ..claims import AT_MOST, BORDER, RANK, Claim
from ..forms import read_form
from ..reading import integer, keys
from ..refusal import Rejected
from ..scalars import Number
from .over import field_refused
from .rule import Context, Rule


def read(witness: Any, context: Context) -> list[Number]:
    degree, node = keys(witness, context.witness(), ("degree", "form"))
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    operator: list[Number] = [0] * (degree + 1)
    for word, value in read_form(node, context.witness("form"), 2, degree, context.target.ring).items():
        operator[sum(word)] = value
    return operator


def derive(operator: list[Number], context: Context) -> Claim:
    """Check in the order of the rule's page."""
    target, here = context.target, context.pointer
    space, name = target.space, context.units.name
    if len(space.factors) != 1 or space.variables != 2:
        raise Rejected("hypothesis", here, "the rule is about one form in two variables")
    if name not in ("tied", "untied"):
        raise Rejected("hypothesis", here, f"the rule says nothing about {name} units")
    field = target.ring.number_field
    real = field is None or field.real_root is not None
    if target.ring.prime or (context.over != "CC" and not (context.over == "RR" and real)):
        raise field_refused(context, "CC, and over RR when the coefficients are real,")
    d, r = space.form_degree, len(operator) - 1
    if name == "tied" and r > d + 1:
        raise Rejected("hypothesis", context.witness("degree"), f"the degree is at most {d + 1} for tied units")
    check_sizes([*target.entries.values(), *operator], max(d, r), here)
    killing = operator if name == "tied" else product(operator, operator)
    if any(x != 0 for x in act(killing, moments(coefficients(target)))):
        square = "" if name == "tied" else "square of the "
        raise Rejected("not-apolar", context.witness("form"), f"the {square}operator does not kill the target")
    if context.over == "RR" and not is_real_rooted(operator):
        raise Rejected("not-real", context.witness("form"), "not all linear factors of the operator are real")
    # Factors that coincide are limits of distinct ones.
    quantity = RANK if is_squarefree(operator) else BORDER
    return Claim(quantity, name, context.over, AT_MOST, r)


RULE = Rule(read, derive)
