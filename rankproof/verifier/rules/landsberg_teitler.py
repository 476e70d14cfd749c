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
    """Points p(t): n forms of one degree in the parameters ({} for zero), and a point where they are differentiated."""

    parameters: int
    forms: list[Polynomial]
    point: list[int]
    pointer: str


@dataclass(frozen=True)
class Multiple:
    """A family of points of multiplicity at least order + 1."""

    order: int
    family: Family
    prime: int
    macaulay: int | None


def read(witness: Any, context: Context) -> Multiple:
    order, *family, prime, macaulay = keys(
        witness,
        context.witness(),
        ("order", "parameters", "degree", "family", "point", "prime"),
        ("macaulay",),
    )
    order, prime, macaulay = read_numbers(order, prime, macaulay, context)
    return Multiple(order, read_family(family, context.witness(), context), prime, macaulay)


def read_numbers(order: Any, prime: Any, macaulay: Any, context: Context) -> tuple[int, int, int | None]:
    """Order, prime and the Macaulay degree, if there is one; refuses targets that are neither forms nor maps."""
    if not context.units.powers:
        raise Unreadable(
            "units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps"
        )
    integer(order, context.witness("order"), 1, limits.DEGREE)
    prime, _ = read_prime(prime, MISSING, context)
    if macaulay is not MISSING:
        integer(macaulay, context.witness("macaulay"), 1, limits.DEGREE)
    return order, prime, None if macaulay is MISSING else macaulay


def read_family(values: list[Any], pointer: str, context: Context) -> Family:
    """The values of `parameters`, `degree`, `family` and `point`."""
    parameters, degree, nodes, point = values
    n = context.target.space.variables
    integer(parameters, f"{pointer}/parameters", 1, limits.DIMENSION)
    integer(degree, f"{pointer}/degree", 1, limits.DEGREE)
    forms: list[Polynomial] = []
    for i, node in enumerate(sequence(nodes, f"{pointer}/family", least=n, most=n)):
        here = f"{pointer}/family/{i}"
        forms.append(read_form(node, here, parameters, degree, QQ) if sequence(node, here) else {})
    for i, value in enumerate(sequence(point, f"{pointer}/point", least=parameters, most=parameters)):
        integer(value, f"{pointer}/point/{i}", -(2**53) + 1, 2**53 - 1)
    return Family(parameters, forms, point, pointer)


def derive(data: Multiple, context: Context) -> Claim:
    length, s = check_hypotheses(data.order, data.prime, data.macaulay, context), data.order
    dimension = dimension_of(data.family, s, data.prime, context)
    rank = exact_rank(derivatives([dict(context.target.entries)], s))
    return Claim(RANK, context.units.name, "CC", AT_LEAST, -(-(rank + dimension) // length))


def dimension_of(family: Family, s: int, prime: int, context: Context) -> int:
    """Dimension, at least, of the cone of the p(t), all of which satisfy p^(d-s) o F = 0."""
    target = context.target
    found = equations(target, s)
    check_pairs(
        pairs_of_substitution(found, family, target.space.form_degree - s), f"{family.pointer}/family"
    )
    for equation in found:
        if substitute(equation, family):
            message = f"the family leaves the points of multiplicity {s + 1}"
            raise Rejected("not-in-locus", f"{family.pointer}/family", message)
    return jacobian_rank(family, prime)


def check_hypotheses(s: int, prime: int, macaulay: int | None, context: Context) -> int:
    """tied: F is concise. Otherwise no point p has p^length o F = 0. Returns the length of the scheme of a unit."""
    target = context.target
    if context.over != "CC" or target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    if len(target.space.factors) != 1:
        raise Rejected("hypothesis", context.pointer, "the rule is about one form")
    n, d = target.space.factors[0]
    length = scheme_length(context)
    # One unit has the scheme of a point to the order length - 1; its square (cube, ...) must not reach F.
    if not 1 <= s <= d - length:
        raise Rejected("hypothesis", context.witness("order"), f"the order lies between 1 and {d - length}")
    if length == 1:
        if macaulay is not None:
            raise Rejected("hypothesis", context.witness("macaulay"), "tied units need no Macaulay degree")
        if exact_rank(derivatives([dict(target.entries)], 1)) != n:
            raise Rejected("hypothesis", context.pointer, "the form is not concise: it needs fewer variables")
        return length
    if macaulay is None:
        raise Rejected("hypothesis", context.witness(), f"{context.units.name} units need a Macaulay degree")
    forms = equations(target, d - length)
    check_no_common_zero(forms, [length] * len(forms), n, macaulay, prime, context.witness("macaulay"))
    return length


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


def jacobian_rank(family: Family, p: int) -> int:
    """Rank modulo the prime of the derivative of t -> p(t) at the point: at most the dimension of the cone of all p(t)."""
    modulo = Ring(f"GF({p})", prime=p)
    rows: list[dict[int, int]] = []
    for form in family.forms:
        row: dict[int, int] = {}
        for word, value in form.items():
            c = int(modulo.reduce(value, f"{family.pointer}/family"))  # type: ignore[arg-type]
            for letter in set(word):
                rest = list(word)
                rest.remove(letter)
                monomial = prod(family.point[i] for i in rest)
                row[letter] = (row.get(letter, 0) + c * word.count(letter) * monomial) % p
        rows.append({column: x for column, x in row.items() if x})
    rank = rank_modulo(rows, p)
    if rank == 0:
        raise Rejected(
            "degenerate-point",
            f"{family.pointer}/point",
            "the derivative of the family vanishes at the point",
        )
    return rank


RULE = Rule(read, derive)
