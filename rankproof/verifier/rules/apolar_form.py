"""Rule ``apolar-form``: an operator with distinct (or real) linear factors that kills a binary form bounds it from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..binary import act, check_sizes, coefficients, is_real_rooted, is_squarefree, moments, product
from ..claims import AT_MOST, BORDER, RANK, Claim
from ..forms import read_form
from ..reading import integer, keys
from ..refusal import Rejected
from ..scalars import Number, Ring
from ..targets import read_ring
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class ApolarForm:
    """An operator of one degree with coefficients in a ring."""

    ring: Ring
    form: list[Number]


def read(witness: Any, context: Context) -> ApolarForm:
    ring_node, degree, node = keys(witness, context.witness(), ("ring", "degree", "form"))
    ring = read_ring(ring_node, context.witness("ring"), context.rings)
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    form: list[Number] = [0] * (degree + 1)
    for word, value in read_form(node, context.witness("form"), 2, degree, ring).items():
        form[sum(word)] = value
    return ApolarForm(ring, form)


def derive(operator: ApolarForm, context: Context) -> Claim:
    target, ring, here = context.target, operator.ring, context.pointer
    space, name = target.space, context.units.name
    if len(space.factors) != 1 or space.variables != 2:
        raise Rejected("hypothesis", here, "the rule is about one form in two variables")
    if name not in ("tied", "untied"):
        raise Rejected("hypothesis", here, f"the rule says nothing about {name} units")
    if target.ring.prime or ring.prime:
        raise Rejected("characteristic", here, "the rule is about fields of characteristic 0")
    if target.ring.number_field is not None and ring.name not in ("QQ", target.ring.name):
        raise Rejected("ring", context.witness("ring"), f"the coefficients of the target are in {target.ring.name}")
    fields = [r.number_field for r in (target.ring, ring) if r.number_field is not None]
    if context.over not in ("CC", "RR") or (context.over == "RR" and any(f.real_root is None for f in fields)):
        raise field_refused(context, "CC, and over RR when the coefficients are real,")
    d, r = space.form_degree, len(operator.form) - 1
    if name == "tied" and r > d + 1:
        raise Rejected("hypothesis", context.witness("degree"), f"the degree is at most {d + 1} for tied units")
    check_sizes([*target.entries.values(), *operator.form], max(d, r), here)
    killing = operator.form if name == "tied" else product(operator.form, operator.form)
    if any(x != 0 for x in act(killing, moments(coefficients(target)))):
        square = "" if name == "tied" else "square of the "
        raise Rejected("not-apolar", context.witness("form"), f"the {square}operator does not kill the target")
    if context.over == "RR" and not is_real_rooted(operator.form):
        raise Rejected("not-real", context.witness("form"), "not all linear factors of the operator are real")
    # Factors that coincide are limits of distinct ones.
    quantity = RANK if is_squarefree(operator.form) else BORDER
    return Claim(quantity, name, context.over, AT_MOST, r)


RULE = Rule(read, derive)
