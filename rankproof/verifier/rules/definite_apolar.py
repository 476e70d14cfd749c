"""Rule ``definite-apolar``: an apolar form without real zeros, against the apolar algebra, over RR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import (
    Polynomial,
    apply,
    check_pairs,
    exact_rank,
    multiply,
    outputs,
    quotient_dimension,
    read_form,
)
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Rational, read_rational
from ..targets import factor_dimension
from .apolar_length import scheme_length
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Squares:
    """g = sum of c_i q_i^2 with c_i > 0 and forms q_i of degree ``half``."""

    half: int
    terms: list[tuple[Rational, Polynomial]]


def read(witness: Any, context: Context) -> Squares:
    half, nodes = keys(witness, context.witness(), ("half", "squares"))
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    integer(half, context.witness("half"), 1, limits.DEGREE)
    terms: list[tuple[Rational, Polynomial]] = []
    for i, node in enumerate(sequence(nodes, context.witness("squares"), least=1)):
        here = context.witness("squares", i)
        weight, form = sequence(node, here, least=2, most=2)
        c = read_rational(weight, f"{here}/0")
        if c <= 0:
            raise Unreadable("out-of-range", f"{here}/0", "the weight of a square is positive")
        terms.append((c, read_form(form, f"{here}/1", context.target.space.variables, half, QQ)))
    return Squares(half, terms)


def derive(squares: Squares, context: Context) -> Claim:
    target = context.target
    if context.over != "RR" or target.ring != QQ:
        raise field_refused(context, "RR, and for coefficients in QQ,")
    length = scheme_length(context)
    n, forms = target.space.variables, outputs(target)
    # The q_i span all forms of degree ``half``: at a real zero of g all of them vanish, so all monomials do.
    if exact_rank([dict(q) for _, q in squares.terms]) != factor_dimension(n, squares.half):
        message = f"the squared forms do not span the forms of degree {squares.half}"
        raise Rejected("not-definite", context.witness("squares"), message)
    check_pairs(sum(len(q) ** 2 for _, q in squares.terms), context.witness("squares"))
    g: Polynomial = {}
    for weight, q in squares.terms:
        for word, value in multiply(q, q).items():
            g[word] = g.get(word, 0) + weight * value
    if any(apply(g, form) for form in forms):
        raise Rejected("not-apolar", context.witness("squares"), "the sum of squares does not kill the target")
    divisor = 2 * squares.half * length
    dimension = quotient_dimension(forms, target.space.form_degree)
    return Claim(RANK, context.units.name, "RR", AT_LEAST, -(-dimension // divisor))


RULE = Rule(read, derive)
