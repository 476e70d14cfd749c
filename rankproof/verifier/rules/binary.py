"""Rule ``binary``: lower bounds for one form in two variables. The witness names the argument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..binary import (
    act,
    apolar_forms,
    check_sizes,
    coefficients,
    distinct_roots,
    is_real_rooted,
    is_squarefree,
    largest_multiplicity,
    moments,
    primitive,
    splits_modulo,
    total,
)
from ..claims import AT_LEAST, BORDER, RANK, Claim
from ..primes import is_prime
from ..quadratic import diagonalise_exact
from ..reading import integer, is_object, keys, sequence, string
from ..refusal import Rejected, Unreadable
from ..scalars import Rational, read_rational, sign
from . import binary_discriminant, binary_squares
from .over import field_refused
from .rule import Context, Rule


@dataclass(frozen=True)
class Argument:
    """One way to bound from below: the keys of its witness are read first, then the claim is derived."""

    read: Callable[[Any, Context], Any]
    derive: Callable[[Any, Context], Claim]


def read(witness: Any, context: Context) -> tuple[Argument, Any]:
    name = string(witness.get("argument"), context.witness("argument")) if is_object(witness) else ""
    argument = ARGUMENTS.get(name)
    if argument is None:
        known = ", ".join(ARGUMENTS)
        raise Unreadable("unknown-argument", context.witness("argument"), f"the argument is one of {known}")
    return argument, argument.read(witness, context)


def derive(witness: tuple[Argument, Any], context: Context) -> Claim:
    argument, data = witness
    space, here = context.target.space, context.pointer
    if len(space.factors) != 1 or space.variables != 2:
        raise Rejected("hypothesis", here, "the rule is about one form in two variables")
    if context.target.ring.name != "QQ":
        raise Rejected("hypothesis", here, "the rule needs a target with rational coefficients")
    check_sizes(list(context.target.entries.values()), space.form_degree, here)
    return argument.derive(data, context)


def read_nothing(witness: Any, context: Context) -> None:
    keys(witness, context.witness(), ("argument",))


# Tied units and the generator of least degree


def generator(context: Context) -> tuple[list[int], int]:
    """The apolar form g of least degree r, unique up to a factor, and d + 2 - r, for tied units.

    Every apolar form of a degree below d + 2 - r is a multiple of g.
    """
    if context.units.name != "tied":
        raise Rejected("hypothesis", context.pointer, "this argument is about tied units")
    form = moments(coefficients(context.target))
    d = len(form) - 1
    degree = 1
    # Degree d + 1 kills everything, so the search ends.
    while not (basis := apolar_forms(form, degree)):
        degree += 1
    if 2 * degree >= d + 2:
        raise Rejected("hypothesis", context.pointer, f"no apolar form has a degree below {d + 2 - degree}")
    return primitive(basis[0]), d + 2 - degree


def derive_repeated(_: None, context: Context) -> Claim:
    """The generator has a repeated factor."""
    if context.over != "CC":
        raise field_refused(context, "CC")
    g, bound = generator(context)
    if is_squarefree(g):
        raise Rejected("hypothesis", context.pointer, "the apolar form of least degree has no repeated factor")
    return Claim(RANK, "tied", "CC", AT_LEAST, bound)


def derive_not_real(_: None, context: Context) -> Claim:
    """The generator has a factor that is not real."""
    if context.over != "RR":
        raise field_refused(context, "RR")
    g, bound = generator(context)
    if is_real_rooted(g):
        raise Rejected("hypothesis", context.pointer, "the apolar form of least degree has real factors only")
    return Claim(BORDER, "tied", "RR", AT_LEAST, bound)


@dataclass(frozen=True)
class Place:
    """A prime p, and an approximation of a root of the minimal polynomial in the p-adic integers."""

    prime: int
    root: int | None


def read_not_split(witness: Any, context: Context) -> Place:
    _, prime, root = keys(witness, context.witness(), ("argument", "prime"), ("root",))
    # Powers modulo the prime are taken of forms of degree at most 64.
    if not is_prime(integer(prime, context.witness("prime"), 2, 2**31 - 1)):
        raise Unreadable("not-prime", context.witness("prime"), f"{prime} is not a prime")
    return Place(prime, binary_squares.read_root(root, context))


def derive_not_split(place: Place, context: Context) -> Claim:
    """The generator is no product of linear forms modulo a prime."""
    binary_squares.check_local_field(place.prime, place.root, context)
    g, bound = generator(context)
    if splits_modulo(g, place.prime):
        message = f"modulo {place.prime} the apolar form of least degree is a product of linear forms"
        raise Rejected("hypothesis", context.witness("prime"), message)
    return Claim(BORDER, "tied", context.over, AT_LEAST, bound)


# Real roots of the target itself


def derive_real_rooted(_: None, context: Context) -> Claim:
    """All roots of the target are real."""
    if context.over != "RR":
        raise field_refused(context, "RR")
    tied = context.units.name == "tied"
    if not tied and context.units.name != "untied":
        raise Rejected("hypothesis", context.pointer, "this argument is about tied and untied units")
    form = coefficients(context.target)
    d = len(form) - 1
    if not is_real_rooted(form):
        raise Rejected("hypothesis", context.pointer, "not all roots of the target are real")
    if largest_multiplicity(form) > (d - 1 if tied else d - 2):
        unit = "a power of a linear form" if tied else "one unit"
        raise Rejected("hypothesis", context.pointer, f"the target is {unit}")
    quantity = BORDER if distinct_roots(form) == d else RANK
    return Claim(quantity, context.units.name, "RR", AT_LEAST, d if tied else (d + 1) // 2)


# A positive combination of Hessians


@dataclass(frozen=True)
class Hessians:
    """Points with positive weights."""

    degree: int
    points: list[tuple[Rational, Rational, Rational]]


def read_hessian(witness: Any, context: Context) -> Hessians:
    _, degree, nodes = keys(witness, context.witness(), ("argument", "degree", "points"))
    integer(degree, context.witness("degree"), 2, limits.DEGREE)
    points: list[tuple[Rational, Rational, Rational]] = []
    for i, node in enumerate(sequence(nodes, context.witness("points"), least=1, most=limits.DEGREE)):
        values = sequence(node, context.witness("points", i), least=3, most=3)
        x, y, weight = (read_rational(value, context.witness("points", i, j)) for j, value in enumerate(values))
        if weight <= 0:
            raise Unreadable("out-of-range", context.witness("points", i, 2), "weights are positive")
        points.append((x, y, weight))
    return Hessians(degree, points)


def derive_hessian(hessians: Hessians, context: Context) -> Claim:
    """No apolar form of the degree has real roots only: a sum of Hessians is positive on all of them."""
    if context.over != "RR":
        raise field_refused(context, "RR")
    if context.units.name != "tied":
        raise Rejected("hypothesis", context.pointer, "this argument is about tied units")
    r, d = hessians.degree, context.target.space.form_degree
    if r > d:
        raise Rejected("hypothesis", context.witness("degree"), f"every form of a degree beyond {d} is apolar")
    basis = apolar_forms(moments(coefficients(context.target)), r)
    size = len(basis)
    gram: list[list[Any]] = [[0] * size for _ in range(size)]
    for x, y, weight in hessians.points:
        xx = [(r - j) * (r - j - 1) * power(x, r - j - 2) * power(y, j) for j in range(r + 1)]
        xy = [(r - j) * j * power(x, r - j - 1) * power(y, j - 1) for j in range(r + 1)]
        yy = [j * (j - 1) * power(x, r - j) * power(y, j - 2) for j in range(r + 1)]
        u, v, w = ([act(h, values)[0] for h in basis] for values in (xx, xy, yy))
        for i in range(size):
            for j in range(size):
                # Twice the bilinear form of h_xx h_yy - h_xy^2.
                gram[i][j] = total([gram[i][j], weight * (u[i] * w[j] + u[j] * w[i] - 2 * v[i] * v[j])])
    check_sizes([x for row in gram for x in row], size, context.witness("points"))
    diagonal = diagonalise_exact(gram)
    if len(diagonal) != size or any(sign(x) < 0 for x in diagonal):
        message = f"the sum of Hessians is not positive definite on the apolar forms of degree {r}"
        raise Rejected("not-definite", context.witness("points"), message)
    return Claim(BORDER, "tied", "RR", AT_LEAST, r + 1)


def power(x: Rational, exponent: int) -> Rational:
    """x^exponent; where the factor before it is zero the exponent may be negative."""
    return x**exponent if exponent >= 0 else 0


ARGUMENTS = {
    "repeated-factor": Argument(read_nothing, derive_repeated),
    "non-real-root": Argument(read_nothing, derive_not_real),
    "not-split": Argument(read_not_split, derive_not_split),
    "real-rooted": Argument(read_nothing, derive_real_rooted),
    "hessian": Argument(read_hessian, derive_hessian),
    "squares": Argument(binary_squares.read_squares, binary_squares.derive_squares),
    "distinct-squares": Argument(binary_squares.read_distinct, binary_squares.derive_distinct),
    "discriminant": Argument(binary_discriminant.read, binary_discriminant.derive),
    "anisotropic": Argument(binary_squares.read_anisotropic, binary_squares.derive_anisotropic),
}

RULE = Rule(read, derive)
