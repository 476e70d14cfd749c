"""Argument ``discriminant`` of the rule ``binary``: the discriminants of all operators that kill the form are c times squares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod
from typing import Any

from ..binary import apolar_forms, coefficients, moments
from ..claims import AT_LEAST, RANK, Claim
from ..forms import Polynomial, apply, exact_rank, multiply, read_form
from ..reading import integer, keys, sequence
from ..refusal import Rejected
from ..scalars import QQ, Rational, read_rational
from .binary_squares import MOST_DISCRIMINANT, discriminant
from .over import field_refused
from .rule import Context


@dataclass(frozen=True)
class Discriminant:
    """Operators of one degree, a number, and a form in as many parameters as there are operators."""

    degree: int
    operators: list[Polynomial]
    constant: Rational
    square_root: Polynomial


def read(witness: Any, context: Context) -> Discriminant:
    _, degree, nodes, constant, root = keys(
        witness, context.witness(), ("argument", "degree", "operators", "constant", "square_root")
    )
    integer(degree, context.witness("degree"), 2, MOST_DISCRIMINANT)
    operators = [
        read_form(node, context.witness("operators", k), 2, degree, QQ)
        for k, node in enumerate(sequence(nodes, context.witness("operators"), least=1))
    ]
    form = read_form(root, context.witness("square_root"), len(operators), degree - 1, QQ)
    return Discriminant(degree, operators, read_rational(constant, context.witness("constant")), form)


def derive(data: Discriminant, context: Context) -> Claim:
    if context.over not in ("QQ", "RR"):
        raise field_refused(context, "QQ and RR")
    if context.units.name != "tied":
        raise Rejected("hypothesis", context.pointer, "this argument is about tied units")
    c, w = Fraction(data.constant), data.degree
    if c >= 0 and (context.over == "RR" or is_square(c)):
        raise Rejected(
            "hypothesis", context.witness("constant"), f"{c} is the square of a number in {context.over}"
        )
    form = dict(context.target.entries)
    for k, operator in enumerate(data.operators):
        if apply(operator, form):
            raise Rejected(
                "not-apolar", context.witness("operators", k), "the operator does not kill the target"
            )
    if exact_rank([dict(g) for g in data.operators]) != len(
        apolar_forms(moments(coefficients(context.target)), w)
    ):
        raise Rejected(
            "incomplete", context.witness("operators"), "other operators of this degree kill the target"
        )
    # Coefficients h_j of the sum of t_k times the k-th operator.
    h = [
        {(k,): g[word] for k, g in enumerate(data.operators) if (word := (0,) * (w - j) + (1,) * j) in g}
        for j in range(w + 1)
    ]
    # The resultant is a multiple of the discriminant, which is known for one product of linear forms.
    resultant = substituted(discriminant(w), [{(): x} for x in split(w)])
    known: Polynomial = {(): prod((i - j) ** 2 for i in range(w) for j in range(i))}
    found = substituted(discriminant(w), h)
    square = multiply(data.square_root, data.square_root)
    if multiply(known, found) != multiply(multiply(resultant, {(): data.constant}), square):
        message = "the discriminant is not the constant times the square of the form"
        raise Rejected("not-a-square", context.witness("square_root"), message)
    return Claim(RANK, "tied", context.over, AT_LEAST, w + 1)


def split(w: int) -> list[int]:
    """Coefficients of the product of X - i Y for i below w."""
    form = [1]
    for i in range(w):
        form = [x - i * y for x, y in zip([*form, 0], [0, *form], strict=True)]
    return form


def substituted(polynomial: Polynomial, values: list[Polynomial]) -> Polynomial:
    """The polynomial with polynomials in place of its variables."""
    total: Polynomial = {}
    for word, x in polynomial.items():
        term: Polynomial = {(): x}
        for letter in word:
            term = multiply(term, values[letter])
        for key, y in term.items():
            total[key] = total.get(key, 0) + y
    return {key: y for key, y in total.items() if y != 0}


def is_square(x: Fraction) -> bool:
    """Whether a rational that is not negative is the square of one."""
    return isqrt(x.numerator * x.denominator) ** 2 == x.numerator * x.denominator
