"""Rule ``t-bound``: units whose point lies off a hypersurface, counted by the apolar algebras of t^L o F and t^(L+1) o F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import Polynomial, apply, outputs, quotient_dimension, read_form
from ..reading import integer, keys
from ..refusal import Unreadable
from .apolar_length import scheme_length
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Hypersurface:
    degree: int
    form: Polynomial


def read(witness: Any, context: Context) -> Hypersurface:
    degree, node = keys(witness, context.witness(), ("degree", "form"))
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    space, ring = context.target.space, context.target.ring
    return Hypersurface(degree, read_form(node, context.witness("form"), space.variables, degree, ring))


def derive(hypersurface: Hypersurface, context: Context) -> Claim:
    target = context.target
    if context.over != "CC" or target.ring.prime:
        raise field_refused(context, "CC")
    length, e = scheme_length(context), hypersurface.degree
    forms, degree = outputs(target), target.space.form_degree
    # The exponent is the scheme length of the unit: with a smaller one the bound is false (x^2 y, untied, t = Y).
    for _ in range(length):
        forms, degree = [apply(hypersurface.form, form) for form in forms], degree - e
    larger = quotient_dimension(forms, degree)
    smaller = quotient_dimension([apply(hypersurface.form, form) for form in forms], degree - e)
    return Claim(RANK, context.units.name, "CC", AT_LEAST, -(-(larger - smaller) // (e * length)))


RULE = Rule(read, derive)
