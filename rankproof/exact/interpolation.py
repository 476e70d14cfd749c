"""From a border family to an exact decomposition: its values at several eps, combined."""

from __future__ import annotations

from rankproof.errors import UsageError
from rankproof.exact.linear_systems import solve
from rankproof.exact.tensor_sums import dimensions
from rankproof.problem.decomposition import BorderFamily, Decomposition, ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.space import Space


def interpolated(family: BorderFamily, space: Space | None = None) -> Decomposition:
    """An exact decomposition of the limit of a border family.

    Parameters
    ----------
    family
        Units with the sum eps^h T + higher terms, over a field with more elements than the sum has powers of eps.
    space
        Where T lives; product units say it themselves.

    Returns
    -------
    Decomposition
        At most as many units as the family has times the number of powers of eps in its sum; units that do not depend on eps,
        up to a factor, are merged.

    Raises
    ------
    UsageError
        If the space of other than product units is not given, or the field is too small.

    Notes
    -----
    If the exponents e_1, ..., e_k occur in the sum, weights w_j with sum of w_j c_j^e = 1 for e = h and 0 for the others give
    T as the sum of w_j times the value at eps = c_j. For distinct positive rational c_j the matrix (c_j^e) is invertible.

    Examples
    --------
    >>> import rankproof as rp
    >>> family = rp.known_scheme("W", 3, border=True)
    >>> exact = rp.interpolated(family)
    >>> len(family), len(exact), exact.residual(rp.parse("W(3)"))
    (2, 4, {})
    """
    ring = family.ring
    if space is None:
        if family.units_model != "product":
            raise UsageError(
                f"say in which space these {family.units_model} units live: Space.form(n, d), for instance"
            )
        space = Space.tensor(*dimensions(family))
    total = family.expand(space)
    exponents = sorted({e for value in total.values() for e, _ in value.terms})
    if family.order not in exponents:
        raise UsageError(f"nothing stands at eps^{family.order}; give the order at which the limit is")
    points = _points(exponents, ring)
    columns = [{e: _power(c, e, ring) for e in exponents} for c in points]
    solutions = solve(columns, [{family.order: 1}], ring)
    if solutions is None:
        raise UsageError(
            f"{ring} has too few elements to separate {len(exponents)} powers of eps; use a larger field"
        )
    merged: dict[tuple[tuple[Scalar, ...], ...], Scalar] = {}
    for c, w in zip(points, solutions[0], strict=True):
        for unit in family.units if w else ():
            values = [tuple(_at(x, c, ring) for x in vector) for vector in unit]
            if all(map(any, values)):
                # Every unit is linear in its last vector: that carries the factors, and is scaled like the others if it can be.
                key, factor = (
                    _normal(values, ring) if family.units_model == "product" else _weighted(values, ring)
                )
                merged[key] = ring.reduce(merged.get(key, 0) + w * factor)
    units: list[ExactUnit] = [
        (*key[:-1], tuple(ring.reduce(factor * x) for x in key[-1]))
        for key, factor in merged.items()
        if factor
    ]
    return Decomposition(family.units_model, ring, tuple(units))


def _points(exponents: list[int], ring: Field) -> list[int]:
    """As many non-zero elements as there are exponents; in a finite field all, to be sure."""
    p = ring.characteristic
    if p and p <= len(exponents):
        raise UsageError(
            f"{ring} has too few elements to separate {len(exponents)} powers of eps; use a larger field"
        )
    return list(range(1, min(p, 4 * len(exponents)) if p else len(exponents) + 1))


def _power(c: int, e: int, ring: Field) -> Scalar:
    base = c if e >= 0 else ring.inverse(c)
    total: Scalar = 1
    for _ in range(abs(e)):
        total = ring.reduce(total * base)
    return total


def _at(x: Scalar | Laurent, c: int, ring: Field) -> Scalar:
    if not isinstance(x, Laurent):
        return x
    return ring.reduce(sum((a * _power(c, e, ring) for e, a in x.terms), start=0))


def _weighted(
    vectors: list[tuple[Scalar, ...]], ring: Field
) -> tuple[tuple[tuple[Scalar, ...], ...], Scalar]:
    """Forms as they are, weights with first entry 1, and the factor that was taken out of these."""
    weights, factor = _normal(vectors[-1:], ring)
    return (*vectors[:-1], *weights), factor


def _normal(vectors: list[tuple[Scalar, ...]], ring: Field) -> tuple[tuple[tuple[Scalar, ...], ...], Scalar]:
    """Vectors with first entry 1, and the factor that was taken out."""
    factor: Scalar = 1
    normal: list[tuple[Scalar, ...]] = []
    for vector in vectors:
        first = next(x for x in vector if x)
        inverse = ring.inverse(first)
        normal.append(tuple(ring.reduce(x * inverse) for x in vector))
        factor = ring.reduce(factor * first)
    return tuple(normal), factor
