"""Rule ``real-plane-cubic``: five real cubes, by the signs in a sum of four."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import Polynomial, apply, check_no_common_zero, multiply, read_form
from ..quadratic import diagonalise_exact
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Number, Ring, sign
from ..targets import Word
from .flattening import read_prime
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Signs:
    """Three operators of degree 2, the factors of their Jacobian determinant, and an operator that is nowhere negative."""

    operators: list[Polynomial]
    linear: Polynomial
    quadric: Polynomial
    positive: Polynomial
    macaulay: int
    prime: int


def read(witness: Any, context: Context) -> Signs:
    nodes, linear, quadric, positive, macaulay, prime = keys(
        witness, context.witness(), ("operators", "linear", "quadric", "positive", "macaulay", "prime")
    )
    if context.units.name != "tied" or context.target.space.factors != ((3, 3),):
        raise Unreadable(
            "units-do-not-fit",
            f"{context.pointer}/claim/units",
            "the rule is about cubes, in three variables",
        )
    operators = [
        read_form(node, context.witness("operators", i), 3, 2, QQ)
        for i, node in enumerate(sequence(nodes, context.witness("operators"), least=3, most=3))
    ]
    integer(macaulay, context.witness("macaulay"), 2, limits.DEGREE)
    return Signs(
        operators,
        read_form(linear, context.witness("linear"), 3, 1, QQ),
        read_form(quadric, context.witness("quadric"), 3, 2, QQ),
        read_form(positive, context.witness("positive"), 3, 2, QQ),
        macaulay,
        read_prime(prime, MISSING, context)[0],
    )


def derive(signs: Signs, context: Context) -> Claim:
    if context.over != "RR" or context.target.ring != QQ:
        raise field_refused(context, "RR, and for coefficients in QQ,")
    form = dict(context.target.entries)
    for key, operators in (("operators", signs.operators), ("positive", [signs.positive])):
        if any(apply(operator, form) for operator in operators):
            raise Rejected("not-apolar", context.witness(key), "an operator does not kill the target")
    check_no_square(form, signs, context)
    if multiply(signs.linear, signs.quadric) != jacobian(signs.operators):
        raise Rejected(
            "not-the-product", context.witness("quadric"), "the Jacobian determinant is another form"
        )
    for key, form in (("quadric", signs.quadric), ("positive", signs.positive)):
        if -1 in map(sign, diagonalise_exact(gram(form))):
            raise Rejected("not-definite", context.witness(key), "the form has negative values")
    return Claim(RANK, "tied", "RR", AT_LEAST, 5)


def check_no_square(form: Polynomial, signs: Signs, context: Context) -> None:
    """Refuse unless no derivative of the form, over the complex numbers, is a square of a linear form, or zero."""
    # The matrix of the derivative by t_0 X + t_1 Y + t_2 Z: linear forms in t.
    matrix = [[apply({tuple(sorted((i, j))): 1}, form) for j in range(3)] for i in range(3)]
    pairs = list(combinations(range(3), 2))
    minors: list[Polynomial] = []
    for i, k in pairs:
        for j, l in pairs:
            product = multiply(matrix[i][j], matrix[k][l])
            for word, x in multiply(matrix[i][l], matrix[k][j]).items():
                product[word] = product.get(word, 0) - x
            minors.append({word: x for word, x in product.items() if x != 0})
    modulo = Ring(f"GF({signs.prime})", prime=signs.prime)
    reduced = [{w: modulo.reduce(x, context.witness("prime")) for w, x in minor.items()} for minor in minors]
    check_no_common_zero(
        reduced, [2] * len(minors), 3, signs.macaulay, signs.prime, context.witness("macaulay")
    )


def jacobian(operators: list[Polynomial]) -> Polynomial:
    """Determinant of the first derivatives of three quadratic forms."""
    slopes = [[apply({(j,): 1}, q) for j in range(3)] for q in operators]
    total: Polynomial = {}
    for a, b, c in permutations(range(3)):
        odd = (a > b) + (a > c) + (b > c)
        for word, x in multiply(multiply(slopes[0][a], slopes[1][b]), slopes[2][c]).items():
            total[word] = total.get(word, 0) + (-x if odd % 2 else x)
    return {word: x for word, x in total.items() if x != 0}


def gram(quadric: Polynomial) -> list[list[Number]]:
    """Twice the symmetric matrix of a quadratic form."""
    return [
        [quadric.get((i, i), 0) * 2 if i == j else quadric.get(pair(i, j), 0) for j in range(3)]
        for i in range(3)
    ]


def pair(i: int, j: int) -> Word:
    return (i, j) if i < j else (j, i)


RULE = Rule(read, derive)
