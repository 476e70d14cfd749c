"""The products of a scheme in the coordinates of a target, as units of a proof."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm, prod

import numpy as np

from rankproof.formats.convention import Convention
from rankproof.formats.scheme import Coefficient, Scheme, SparseVector
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import Field, Scalar, rational
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target

Vector = tuple[Coefficient, ...]


def units_of(
    scheme: Scheme, target: Target, field: Field, convention: Convention, order: int
) -> Decomposition | BorderFamily:
    """The products of a scheme, read in a convention, over QQ, a number field or GF(p).

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
    dims = [n for n, _ in target.space.factors]
    if all(factor.is_small for factor in scheme.factors):
        return Decomposition("product", field, _small_units(scheme, dims, field, convention))  # type: ignore[arg-type]
    # maps lead from our index to theirs.
    inverse = [np.argsort(m).tolist() for m in convention.maps]
    columns = [scheme.factors[role].vectors for role in convention.roles]
    units: list[tuple[Vector, ...]] = []
    for t in scheme.whole.tolist():
        vectors = [_reduced(vectors[t], field) for vectors in columns]
        if all(vectors):
            parts = zip(_cleared(vectors), inverse, dims, strict=True)
            units.append(tuple(_dense(vector, index, n) for vector, index, n in parts))
    if scheme.is_family:
        return BorderFamily("product", field, order, tuple(units))
    return Decomposition("product", field, tuple(units))  # type: ignore[arg-type]


def _small_units(
    scheme: Scheme, dims: list[int], field: Field, convention: Convention
) -> tuple[tuple[Vector, ...], ...]:
    """The same for small rationals: one dense matrix of integers a factor, with one row a product."""
    matrices: list[np.ndarray] = []
    for role, positions, n in zip(convention.roles, convention.maps, dims, strict=True):
        factor = scheme.factors[role]
        dense = np.zeros((factor.columns, n), dtype=np.int64)
        dense[factor.products, np.argsort(positions)[factor.places]] = factor.values
        matrices.append(dense)
    denominator = prod(factor.denominator for factor in scheme.factors)
    if p := field.characteristic:
        inverse = int(field.inverse(denominator)) if denominator != 1 else 1  # type: ignore[arg-type]
        matrices = [matrix % p for matrix in matrices]
        # Both factors are below 2^31.
        matrices[-1] = matrices[-1] * inverse % p
    kept = np.logical_and.reduce([matrix.any(axis=1) for matrix in matrices])
    *first, last = (matrix[kept] for matrix in matrices)
    if p or denominator == 1:
        return tuple(zip(*(_rows(matrix) for matrix in (*first, last)), strict=True))
    contents = [np.gcd.reduce(matrix, axis=1) for matrix in first]
    first = [matrix // content[:, None] for matrix, content in zip(first, contents, strict=True)]
    factors = [prod(row) for row in zip(*(content.tolist() for content in contents), strict=True)]
    quotients: dict[int, Coefficient] = {}
    divided: list[Vector] = []
    for row, c in zip(last.tolist(), factors, strict=True):
        numerators = [x * c for x in row]
        for x in numerators:
            if x not in quotients:
                quotients[x] = rational(Fraction(x, denominator))
        divided.append(tuple(quotients[x] for x in numerators))
    return tuple(zip(*(_rows(matrix) for matrix in first), divided, strict=True))


def _rows(matrix: np.ndarray) -> list[Vector]:
    return [tuple(row) for row in matrix.tolist()]


def coefficient(terms: Mapping[int, Scalar]) -> Coefficient:
    """A coefficient by its terms at powers of eps, as a plain number when it does not depend on eps."""
    laurent = Laurent.from_mapping(terms)
    return laurent.coefficient(0) if laurent.is_constant else laurent


def _reduced(vector: SparseVector, field: Field) -> SparseVector:
    """The vector over a field, without the coordinates that vanish there."""
    values = ((i, _over(x, field)) for i, x in vector)
    return tuple((i, x) for i, x in values if x)


def _over(x: Coefficient, field: Field) -> Coefficient:
    if isinstance(x, Laurent):
        return coefficient(dict(x.over(field).terms))
    return field.reduce(x)


def _cleared(vectors: list[SparseVector]) -> list[SparseVector]:
    """The same product with coprime integers in all vectors but the last, where all coordinates are rational."""
    entries = [x for vector in vectors for _, x in vector]
    if not any(isinstance(x, Fraction) for x in entries):
        return vectors
    if not all(isinstance(x, int | Fraction) for x in entries):
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
