"""Rule ``landsberg-teitler``: rank of a catalecticant plus the dimension of a locus of multiple points."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, RANK, Claim
from ..forms import (
    Polynomial,
    check_no_common_zero,
    check_pairs,
    derivatives,
    exact_rank,
    multiply,
    read_form,
)
from ..matrix import rank_modulo
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Ring
from ..targets import Target, Word, factor_dimension
from ..units import check_operations
from .apolar_length import scheme_length
from .flattening import number_of_ways, read_prime, ways
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Family:
    """Points p(t) of multiplicity at least order + 1: n forms of one degree in the parameters ({} for zero)."""

    order: int
    parameters: int
    forms: list[Polynomial]
    point: list[int]
    prime: int
    macaulay: int | None


def read(witness: Any, context: Context) -> Family:
    order, parameters, degree, nodes, point, prime, macaulay = keys(
        witness,
        context.witness(),
        ("order", "parameters", "degree", "family", "point", "prime"),
        ("macaulay",),
    )
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    n = context.target.space.variables
    integer(order, context.witness("order"), 1, limits.DEGREE)
    integer(parameters, context.witness("parameters"), 1, limits.DIMENSION)
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    forms: list[Polynomial] = []
    for i, node in enumerate(sequence(nodes, context.witness("family"), least=n, most=n)):
        here = context.witness("family", i)
        forms.append(read_form(node, here, parameters, degree, QQ) if sequence(node, here) else {})
    for i, value in enumerate(sequence(point, context.witness("point"), least=parameters, most=parameters)):
        integer(value, context.witness("point", i), -(2**53) + 1, 2**53 - 1)
    prime, _ = read_prime(prime, MISSING, context)
    if macaulay is not MISSING:
        integer(macaulay, context.witness("macaulay"), 1, limits.DEGREE)
    return Family(order, parameters, forms, point, prime, None if macaulay is MISSING else macaulay)


def derive(family: Family, context: Context) -> Claim:
    target, s = context.target, family.order
    if context.over != "CC" or target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    if len(target.space.factors) != 1:
        raise Rejected("hypothesis", context.pointer, "the rule is about one form")
    n, d = target.space.factors[0]
    length = scheme_length(context)
    # One unit has the scheme of a point to the order length - 1; its square (cube, ...) must not reach F.
    if not 1 <= s <= d - length:
        raise Rejected("hypothesis", context.witness("order"), f"the order lies between 1 and {d - length}")
    check_hypothesis(family, context, length)
    form: Polynomial = dict(target.entries)
    found = equations(target, s)
    check_pairs(pairs_of_substitution(found, family, d - s), context.witness("family"))
    for equation in found:
        if substitute(equation, family):
            message = f"the family leaves the points of multiplicity {s + 1}"
            raise Rejected("not-in-locus", context.witness("family"), message)
    dimension = jacobian_rank(family, context) - 1
    rank = exact_rank(derivatives([form], n, s))
    return Claim(RANK, context.units.name, "CC", AT_LEAST, -(-(rank + dimension + 1) // length))


def check_hypothesis(family: Family, context: Context, length: int) -> None:
    """tied: F is concise. Otherwise no point p has p^length o F = 0."""
    target = context.target
    n, d = target.space.factors[0]
    if length == 1:
        if family.macaulay is not None:
            raise Rejected("hypothesis", context.witness("macaulay"), "tied units need no Macaulay degree")
        if exact_rank(derivatives([dict(target.entries)], n, 1)) != n:
            raise Rejected("hypothesis", context.pointer, "the form is not concise: it needs fewer variables")
        return
    if family.macaulay is None:
        raise Rejected("hypothesis", context.witness(), f"{context.units.name} units need a Macaulay degree")
    forms = equations(target, d - length)
    check_no_common_zero(
        forms, [length] * len(forms), n, family.macaulay, family.prime, context.witness("macaulay")
    )


def equations(target: Target, s: int) -> list[Polynomial]:
    """Equations in p of p^(d-s) o F = 0: the coefficients, in the variables of F, of the part of F(x + p) of degree s in x."""
    check_operations(
        sum(number_of_ways(word, target.space) for word in target.entries), limits.OPERATIONS, "/target"
    )
    by_word: dict[Word, Polynomial] = {}
    for word, value in target.entries.items():
        for rest, letters, times in ways([word], [s]):
            equation = by_word.setdefault(rest, {})
            equation[letters] = equation.get(letters, 0) + value * times
    return list(by_word.values())


def pairs_of_substitution(equations: list[Polynomial], family: Family, degree: int) -> int:
    """Pairs of terms that the substitution multiplies, at most: equations of one degree at forms of one degree."""
    longest = max(map(len, family.forms))
    e = max((len(word) for form in family.forms for word in form), default=0)
    sizes = [min(longest**j, factor_dimension(family.parameters, e * j)) for j in range(degree)]
    return sum(map(len, equations)) * longest * sum(sizes)


def substitute(equation: Polynomial, family: Family) -> Polynomial:
    """The equation at p(t), as a polynomial in t."""
    result: Polynomial = {}
    for letters, value in equation.items():
        term: Polynomial = {(): value}
        for letter in letters:
            term = multiply(term, family.forms[letter])
        for word, x in term.items():
            result[word] = result.get(word, 0) + x
    return {word: x for word, x in result.items() if x != 0}


def jacobian_rank(family: Family, context: Context) -> int:
    """Rank modulo the prime of the derivative of t -> p(t) at the point: at most the dimension of the cone of all p(t)."""
    p = family.prime
    modulo = Ring(f"GF({p})", prime=p)
    rows: list[dict[int, int]] = []
    for form in family.forms:
        row: dict[int, int] = {}
        for word, value in form.items():
            c = int(modulo.reduce(value, context.witness("family")))  # type: ignore[arg-type]
            for letter in set(word):
                rest = list(word)
                rest.remove(letter)
                monomial = prod(family.point[i] for i in rest)
                row[letter] = (row.get(letter, 0) + c * word.count(letter) * monomial) % p
        rows.append({column: x for column, x in row.items() if x})
    rank = rank_modulo(rows, p)
    if rank == 0:
        raise Rejected("degenerate-point", context.witness("point"), "the derivative of the family vanishes at the point")
    return rank


RULE = Rule(read, derive)
