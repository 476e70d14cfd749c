"""The products of a scheme in the coordinates of a target, as units of a proof."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

import numpy as np

from rankproof.formats.convention import Convention
from rankproof.formats.scheme import Coefficient, Scheme, SparseVector
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import Field, rational
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target

Vector = tuple[Coefficient, ...]


def units_of(
    scheme: Scheme, target: Target, field: Field, convention: Convention, order: int
) -> Decomposition | BorderFamily:
    """The products of a scheme, read in a convention, over QQ or GF(p).

    Products that vanish over the field are left out. Over QQ the denominators of a product are moved to its
    last vector, where they often cancel; that changes its vectors and not the product.

    Parameters
    ----------
    scheme, target, field, convention
        What is written in whose coordinates.
    order
        Power of eps at which a family has the target.

    Returns
    -------
    Decomposition or BorderFamily
        A family when some coefficient of the scheme depends on eps.
    """
    # maps lead from our index to theirs.
    inverse = [np.argsort(m).tolist() for m in convention.maps]
    dims = [n for n, _ in target.space.factors]
    units: list[tuple[Vector, ...]] = []
    for product in scheme.products():
        vectors = [_reduced(product[role], field) for role in convention.roles]
        if all(vectors):
            parts = zip(_cleared(vectors), inverse, dims, strict=True)
            units.append(tuple(_dense(vector, index, n) for vector, index, n in parts))
    if scheme.is_family:
        return BorderFamily("product", field, order, tuple(units))
    return Decomposition("product", field, tuple(units))  # type: ignore[arg-type]


def coefficient(terms: dict[int, int | Fraction]) -> Coefficient:
    """A coefficient by its terms at powers of eps, as a plain number when it does not depend on eps."""
    laurent = Laurent.from_mapping(terms)  # type: ignore[arg-type]
    return laurent.coefficient(0) if laurent.is_constant else laurent  # type: ignore[return-value]


def _reduced(vector: SparseVector, field: Field) -> SparseVector:
    """The vector over a field, without the coordinates that vanish there."""
    values = ((i, _over(x, field)) for i, x in vector)
    return tuple((i, x) for i, x in values if x)


def _over(x: Coefficient, field: Field) -> Coefficient:
    if isinstance(x, Laurent):
        return coefficient(dict(x.over(field).terms))  # type: ignore[arg-type]
    return field.reduce(x)  # type: ignore[return-value]


def _cleared(vectors: list[SparseVector]) -> list[SparseVector]:
    """The same product with coprime integers in all vectors but the last; unchanged when it is integral or depends on eps."""
    entries = [x for vector in vectors for _, x in vector]
    if not any(isinstance(x, Fraction) for x in entries) or any(isinstance(x, Laurent) for x in entries):
        return vectors
    *first, last = vectors
    factor = Fraction(1)
    cleared: list[SparseVector] = []
    for vector in first:
        rationals = [Fraction(x) for _, x in vector]  # type: ignore[arg-type]
        denominator = lcm(*(x.denominator for x in rationals))
        integers = [x.numerator * (denominator // x.denominator) for x in rationals]
        content = gcd(*integers)
        factor *= Fraction(content, denominator)
        cleared.append(tuple((i, x // content) for (i, _), x in zip(vector, integers, strict=True)))
    scaled = tuple((i, rational(x * factor)) for i, x in last)  # type: ignore[operator,arg-type]
    return [*cleared, scaled]


def _dense(vector: SparseVector, index: list[int], n: int) -> Vector:
    dense: list[Coefficient] = [0] * n
    for i, x in vector:
        dense[index[i]] = x
    return tuple(dense)
