"""Rule ``signature``: squares of apolar forms against signature or a local anisotropic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial, prod
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..forms import Polynomial, apply, outputs, read_form
from ..primes import is_prime
from ..quadratic import anisotropic_dimension, diagonalise_exact
from ..reading import MISSING, integer, keys, sequence
from ..refusal import Rejected, Undecided, Unreadable
from ..scalars import Rational, sign
from ..targets import factor_dimension, factor_words
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Operators:
    """One operator of degree d - 2 ``half`` for every output ({} for zero), and a place, or None for the real one."""

    half: int
    forms: list[Polynomial]
    place: int | None


def read(witness: Any, context: Context) -> Operators:
    half, nodes, place = keys(witness, context.witness(), ("half", "operators"), ("place",))
    space = context.target.space
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    integer(half, context.witness("half"), 1, max(space.form_degree // 2, 1))
    degree = space.form_degree - 2 * half
    if degree < 0:
        raise Unreadable("out-of-range", context.witness("half"), "the degree must be at least 2")
    sequence(nodes, context.witness("operators"), least=space.outputs, most=space.outputs)
    forms: list[Polynomial] = []
    for i, node in enumerate(nodes):
        here = context.witness("operators", i)
        ring = context.target.ring
        forms.append(read_form(node, here, space.variables, degree, ring) if sequence(node, here) else {})
    if place is not MISSING and not is_prime(integer(place, context.witness("place"), 2, 2**53 - 1)):
        raise Unreadable("not-prime", context.witness("place"), f"{place} is not a prime")
    return Operators(half, forms, None if place is MISSING else place)


def derive(operators: Operators, context: Context) -> Claim:
    target, name = context.target, context.units.name
    n = target.space.variables
    if target.ring.prime:
        raise field_refused(context, "RR, or QQ at a place,")
    size = factor_dimension(n, operators.half)
    if size > limits.DIMENSION:
        raise Undecided("limit-dimension", context.witness("half"), f"a form in {size} variables")
    check_operations(10 * size**3, limits.OPERATIONS, context.witness("half"))
    combined: Polynomial = {}
    for operator, form in zip(operators.forms, outputs(target), strict=True):
        for word, value in apply(operator, form).items():
            combined[word] = combined.get(word, 0) + value
    diagonal = diagonalise_exact(square_form(combined, n, operators.half))
    if operators.place is None:
        field = target.ring.number_field
        if context.over != "RR" or (field is not None and field.real_root is None):
            raise field_refused(context, "RR, or QQ at a place,")
        positive = sum(sign(x) > 0 for x in diagonal)
        bound = -(-max(positive, len(diagonal) - positive) // isotropic_codimension(operators.half, context))
    else:
        if context.over != "QQ" or target.ring.name != "QQ":
            raise field_refused(context, "RR, or QQ at a place,")
        if name not in ("tied", "untied", "mixed:1"):
            raise Rejected("hypothesis", context.pointer, f"at a place nothing is proved about {name} units")
        rational: list[Rational] = diagonal  # type: ignore[assignment]
        bound = (len(rational) + anisotropic_dimension(rational, operators.place)) // 2
    return Claim(BORDER, name, context.over, AT_LEAST, bound)


def square_form(form: Polynomial, n: int, half: int) -> list[list[Any]]:
    """Matrix of h -> h^2 o form on the forms h of degree ``half``: entry (u, v) is the derivative by u and v."""
    words = list(factor_words(n, half))

    def entry(u: tuple[int, ...], v: tuple[int, ...]) -> Any:
        word = tuple(sorted(u + v))
        # A form of degree 2*half, differentiated by a monomial of its own degree: exponents factorial.
        return form.get(word, 0) * prod(factorial(word.count(x)) for x in set(word))

    return [[entry(u, v) for v in words] for u in words]


def isotropic_codimension(half: int, context: Context) -> int:
    """Conditions on h that one unit imposes so that h^2 kills it (and everything divisible by h^2 does)."""
    name, d = context.units.name, context.target.space.form_degree
    if name in ("tied", "untied"):
        return 1
    if name == "split":
        if d != 2 * half:
            message = "split units are covered only when the operators have degree 0"
            raise Rejected("hypothesis", context.pointer, message)
        return comb(d, half) // 2
    return (context.units.powers[1] + 2) // 2  # mixed:k: half of k + 1, rounded up


RULE = Rule(read, derive)
