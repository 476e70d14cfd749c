"""Rule ``apolar-length``: the length of the scheme of the units against the apolar algebra (Ranestad, Schreyer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import Polynomial, apply, check_no_common_zero, outputs, quotient_dimension, read_form
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from .flattening import image_modulo, read_prime
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Operators:
    """Operators of one degree that kill the target, and the degree in which they span everything modulo the prime."""

    degree: int
    forms: list[Polynomial]
    macaulay: int
    prime: int
    root: int | None


def read(witness: Any, context: Context) -> Operators:
    degree, nodes, macaulay, prime, root = keys(
        witness, context.witness(), ("degree", "operators", "macaulay", "prime"), ("root",)
    )
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    integer(macaulay, context.witness("macaulay"), degree, limits.DEGREE)
    n = context.target.space.variables
    forms = [
        read_form(node, context.witness("operators", i), n, degree, context.target.ring)
        for i, node in enumerate(sequence(nodes, context.witness("operators"), least=1))
    ]
    prime, root = read_prime(prime, root, context)
    return Operators(degree, forms, macaulay, prime, root)


def derive(operators: Operators, context: Context) -> Claim:
    target = context.target
    if context.over != "CC" or target.ring.prime:
        raise field_refused(context, "CC")
    length = scheme_length(context)
    forms, n = outputs(target), target.space.variables
    for i, operator in enumerate(operators.forms):
        if any(apply(operator, form) for form in forms):
            raise Rejected("not-apolar", context.witness("operators", i), "the operator does not kill the target")
    images = [
        image_modulo(g, target.ring, operators.prime, operators.root, context) for g in operators.forms
    ]
    degrees = [operators.degree] * len(images)
    check_no_common_zero(images, degrees, n, operators.macaulay, operators.prime, context.witness("macaulay"))
    dimension = quotient_dimension(forms, target.space.form_degree)
    divisor = operators.degree * length
    return Claim(RANK, context.units.name, "CC", AT_LEAST, -(-dimension // divisor))


def scheme_length(context: Context) -> int:
    """Largest length of the scheme of one unit: a point, or a curvilinear scheme of length k + 1."""
    name = context.units.name
    if name == "split":
        raise Rejected("hypothesis", context.pointer, "a split unit has no scheme of bounded length here")
    # tied 1, untied 2, mixed:k k + 1
    return 1 if name == "tied" else context.units.powers[1] + 1


RULE = Rule(read, derive)
