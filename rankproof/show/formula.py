"""Units, decompositions and border families as formulas.

Rational factors are pulled out of linear forms, so that a unit reads ``1/6*(x + y)**3`` however its vectors are scaled
in the certificate. That changes how the unit is written and not its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm

from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import Algebraic
from rankproof.problem.laurent import Laurent
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.notation import Notation, Terms

Vector = Sequence[object]


@dataclass(frozen=True)
class Formula:
    """An identity: what is written on the left, and the terms of the sum on the right.

    Attributes
    ----------
    left
        The target, or for a border family the target times a power of eps, with the error term.
    units
        One pair a unit: a rational coefficient, and the rest of the unit.
    """

    left: str
    units: tuple[tuple[Fraction, str], ...]
    notation: Notation

    def right(self) -> str:
        """The sum of the units."""
        return self.notation.sum(self.units)

    def line(self) -> str:
        """The whole identity in one line."""
        return f"{self.left} = {self.right()}"

    def lines(self) -> list[str]:
        """The units one a line, each with its sign."""
        written: list[str] = []
        for coefficient, body in self.units:
            sign = "-" if coefficient < 0 else "+" if written else " "
            written.append(f"{sign} {self.notation.term(coefficient, body)}")
        return written


def decomposition(target: Target, found: Decomposition, left: str, notation: Notation) -> Formula:
    """The identity ``left = sum of units``.

    Parameters
    ----------
    target
        Gives the names of the variables.
    found
        Its units are written in order.
    left
        What the target is called.
    notation
        `rankproof.show.notation.TEXT` or `LATEX`.
    """
    return Formula(left, _units(target, found, notation), notation)


def border_family(target: Target, found: BorderFamily, left: str, notation: Notation) -> Formula:
    """The identity ``eps**h*left + O(eps**(h+1)) = sum of units`` of a border family of order h."""
    h = found.order
    head = "" if h == 0 else notation.power(notation.eps, h)
    named = (
        notation.group(left) if head and ("+" in left or "-" in left) and not left.startswith("[") else left
    )
    error = notation.group(notation.power(notation.eps, h + 1))
    return Formula(
        f"{notation.product((head, named))}{notation.plus}{notation.order}{error}",
        _units(target, found, notation),
        notation,
    )


def variable_names(target: Target, model: str) -> tuple[tuple[str, ...], ...]:
    """Names of the coordinates of the vectors of a unit.

    The units of forms and maps use the target's own variables, or x1, x2, ...; product units use a0, a1, ... in the
    first factor, b0, ... in the second, and the matrix entries a11, a12, ... for a matrix multiplication.
    """
    if model != "product":
        return (target.variable_names(),)
    if target.name is not None and target.name[0] == "matmul":
        n, m, p = target.name[1]
        separator = "" if max(n, m, p) < 10 else "_"
        return tuple(
            tuple(f"{letter}{i + 1}{separator}{j + 1}" for i in range(rows) for j in range(columns))
            for letter, rows, columns in (("a", n, m), ("b", m, p), ("c", n, p))
        )
    return tuple(
        tuple(f"{chr(ord('a') + k)}{i}" for i in range(dimension))
        for k, (dimension, _) in enumerate(target.space.factors)
    )


def written_out(target: Target, model: str, notation: Notation) -> tuple[str, ...]:
    """The target as a sum of monomials, one sum an output, in the variables of the units of a model.

    Examples
    --------
    >>> from rankproof.show.notation import TEXT
    >>> written_out(Target.from_entries(Space.map(2, 2, 2), {(0, 0, 0): 1, (0, 1, 1): -2}), "tied", TEXT)
    ('x1**2', '-2*x1*x2')
    """
    names = [[notation.name(name) for name in factor] for factor in variable_names(target, model)]
    degree = len(target.space.factors) if model == "product" else target.space.form_degree
    outputs: list[Terms] = [[] for _ in range(1 if model == "product" else target.space.outputs)]
    for word, c in target.entries:
        if model == "product":
            monomial = notation.tensor.join(factor[i] for factor, i in zip(names, word, strict=True))
        else:
            runs = ((names[0][i], len(list(run))) for i, run in groupby(word[:degree]))
            monomial = notation.product(notation.power(name, exponent) for name, exponent in runs)
        coefficient = _coordinate(c, notation)
        place = outputs[word[degree] if len(word) > degree else 0]
        if len(coefficient) == 1:
            place.append((coefficient[0][0], notation.product((coefficient[0][1], monomial))))
        else:
            place.append((1, notation.product((notation.group(notation.sum(coefficient)), monomial))))
    return tuple(map(notation.sum, outputs))


def _units(
    target: Target, found: Decomposition | BorderFamily, notation: Notation
) -> tuple[tuple[Fraction, str], ...]:
    names = [[notation.name(name) for name in factor] for factor in variable_names(target, found.units_model)]
    factors_of = _product_factors if found.units_model == "product" else _form_factors
    rational = found.ring.characteristic == 0
    return tuple(
        _unit(*factors_of(found.units_model, target.space, unit, names), rational, notation)
        for unit in found.units
    )


Factors = list[tuple[Vector, int, list[str]]]


def powers(model: str, degree: int, vectors: int) -> tuple[int, ...]:
    """To which power each vector of a unit is raised, the weight included.

    Parameters
    ----------
    model
        Name of the unit model.
    degree
        Degree of the forms; unused for product units.
    vectors
        Number of vectors of a unit.

    Examples
    --------
    >>> powers("untied", 3, 3), powers("mixed:2", 5, 3)
    ((2, 1, 1), (3, 2, 1))
    """
    if model == "tied":
        return degree, 1
    if model in ("split", "product"):
        return (1,) * vectors
    k = 1 if model == "untied" else int(model.partition(":")[2])
    return degree - k, k, 1


def _form_factors(
    model: str, space: Space, unit: Sequence[Vector], names: list[list[str]]
) -> tuple[Factors, Vector | None]:
    """The linear forms of a unit with their powers, and its weight."""
    raised = powers(model, space.form_degree, len(unit))
    factors = [(form, power, names[0]) for form, power in zip(unit[:-1], raised[:-1], strict=True) if power]
    return factors, unit[-1]


def _product_factors(
    model: str, space: Space, unit: Sequence[Vector], names: list[list[str]]
) -> tuple[Factors, Vector | None]:
    return [(vector, 1, factor_names) for vector, factor_names in zip(unit, names, strict=True)], None


def _unit(
    factors: Factors, weight: Vector | None, rational: bool, notation: Notation
) -> tuple[Fraction, str]:
    """One unit as a rational coefficient and the product of everything else."""
    coefficient, head = (Fraction(1), "") if weight is None else _weight(weight, rational, notation)
    raised: list[tuple[str, int]] = []
    for vector, power, names in factors:
        scale, text = _linear_form(vector, names, rational, notation)
        coefficient *= scale**power
        if raised and raised[-1][0] == text:
            power += raised.pop()[1]
        raised.append((text, power))
    written = [notation.power(text, power) for text, power in raised]
    join = notation.tensor if weight is None else notation.times
    return coefficient, notation.product((head, join.join(written)))


def _weight(weight: Vector, rational: bool, notation: Notation) -> tuple[Fraction, str]:
    if len(weight) > 1:
        scale = _content(weight) if rational else Fraction(1)
        entries = (notation.sum(_coordinate(_divide(w, scale), notation)) for w in weight)
        return scale, notation.vector(entries)
    terms = _coordinate(weight[0], notation)
    if len(terms) == 1:
        coefficient, monomial = terms[0]
        return Fraction(coefficient), monomial
    return Fraction(1), notation.group(notation.sum(terms))


def _linear_form(
    vector: Vector, names: Sequence[str], rational: bool, notation: Notation
) -> tuple[Fraction, str]:
    """A linear form as a rational factor and a name, or a sum in parentheses."""
    scale = _content(vector) if rational else Fraction(1)
    terms: Terms = []
    for x, name in zip(vector, names, strict=True):
        coordinate = _coordinate(_divide(x, scale), notation)
        if len(coordinate) == 1:
            c, monomial = coordinate[0]
            terms.append((c, notation.product((monomial, name))))
        elif coordinate:
            terms.append((Fraction(1), notation.product((notation.group(notation.sum(coordinate)), name))))
    plain = len(terms) == 1 and terms[0][0] == 1 and terms[0][1] in names
    text = notation.sum(terms)
    return scale, text if plain else notation.group(text)


def _content(vector: Vector) -> Fraction:
    """The rational c for which vector/c has coprime integer coordinates, the first of them positive.

    It is 1 unless the coordinates are rational multiples of powers of one generator each, and not all zero.
    """
    rationals = [c for x in vector for c in _rational_parts(x)]
    if not any(rationals):
        return Fraction(1)
    denominator = lcm(*(c.denominator for c in rationals))
    size = Fraction(gcd(*(int(c * denominator) for c in rationals)), denominator)
    first = next(c for c in rationals if c)
    return size if first > 0 else -size


def _rational_parts(x: object) -> list[Fraction]:
    if isinstance(x, Laurent):
        return [part for _, c in x.terms for part in _rational_parts(c)]
    if isinstance(x, Algebraic):
        return list(x.coefficients)
    return [Fraction(x)]  # type: ignore[arg-type]


def _divide(x: object, scale: Fraction) -> object:
    return x if scale == 1 else x * (1 / scale)  # type: ignore[operator]


def _coordinate(x: object, notation: Notation) -> Terms:
    """A coordinate as a sum of rational multiples of monomials in the generator and eps."""
    if isinstance(x, Laurent):
        return [
            (c, notation.product((monomial, _power_of(notation.eps, e, notation))))
            for e, coefficient in x.terms
            for c, monomial in _coordinate(coefficient, notation)
        ]
    if isinstance(x, Algebraic):
        generator = notation.name(x.field.symbol)
        return [(c, _power_of(generator, k, notation)) for k, c in enumerate(x.coefficients) if c]
    c = Fraction(x)  # type: ignore[arg-type]
    return [(c, "")] if c else []


def _power_of(symbol: str, exponent: int, notation: Notation) -> str:
    return notation.power(symbol, exponent) if exponent else ""
