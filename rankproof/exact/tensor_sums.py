"""Sums of rank-one tensors made from others: Kronecker, outer and direct products, base change, restriction.

Everything here takes decompositions and border families into product units alike, and gives a decomposition when all that
went in were decompositions. Nothing is checked against a target: whoever uses the result does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankproof.errors import UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit, FamilyVector
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.space import Word

TensorSum = Decomposition | BorderFamily
Coordinate = Scalar | Laurent
Matrix = Sequence[Sequence[Scalar]]


def kronecker(left: TensorSum, right: TensorSum) -> TensorSum:
    """Kronecker product: factor s of the result is the product of both factors s, the pair (i, j) at place i*n + j.

    Here n is the dimension on the right. The lengths multiply, and the orders of border families add up.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> one = Decomposition("product", QQ, (((1, 2), (0, 1)),))
    >>> kronecker(one, one).units
    (((1, 2, 2, 4), (0, 0, 0, 1)),)
    """
    ring = _common_ring(left, right)
    if _factors(left) != _factors(right):
        raise UsageError(
            f"a Kronecker product needs tensors of one order, and these have orders {_factors(left)} and {_factors(right)}"
        )
    units = [
        tuple(_outer(u, v, ring) for u, v in zip(one, two, strict=True))
        for one in left.units
        for two in right.units
    ]
    return joined(ring, order_of(left) + order_of(right), units)


def outer_product(left: TensorSum, right: TensorSum) -> TensorSum:
    """Outer product: the factors of the left tensor, and then those of the right one.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> one = Decomposition("product", QQ, (((1, 2), (0, 1)),))
    >>> len(outer_product(one, one).units[0])
    4
    """
    ring = _common_ring(left, right)
    units = [(*one, *two) for one in left.units for two in right.units]
    return joined(ring, order_of(left) + order_of(right), units)


def added(left: TensorSum, right: TensorSum) -> TensorSum:
    """Sum of two tensors of one space. The lengths add up; the border family of lower order is multiplied by a power of eps."""
    ring = _common_ring(left, right)
    order = max(order_of(left), order_of(right))
    return joined(ring, order, [*_at_order(left, order, ring), *_at_order(right, order, ring)])


def direct_sum(left: TensorSum, right: TensorSum) -> TensorSum:
    """Direct sum: every factor of the result is the sum of both, the left one first.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> one = Decomposition("product", QQ, (((1, 2), (1,)),))
    >>> direct_sum(one, one).units
    (((1, 2, 0, 0), (1, 0)), ((0, 0, 1, 2), (0, 1)))
    """
    first, second = dimensions(left), dimensions(right)
    if len(first) != len(second):
        raise UsageError(
            f"a direct sum needs tensors of one order, and these have orders {len(first)} and {len(second)}"
        )
    dims = [a + b for a, b in zip(first, second, strict=True)]
    return added(
        placed(left, [range(a) for a in first], dims),
        placed(right, [range(a, a + b) for a, b in zip(first, second, strict=True)], dims),
    )


def permuted(total: TensorSum, order: Sequence[int]) -> TensorSum:
    """The factors in another order: factor s of the result is factor ``order[s]``."""
    if sorted(order) != list(range(_factors(total))):
        raise UsageError(f"{list(order)} is no order of {_factors(total)} factors; write each of them once")
    units = [tuple(unit[s] for s in order) for unit in total.units]
    return joined(total.ring, order_of(total), units)


def placed(total: TensorSum, places: Sequence[Sequence[int]], dims: Sequence[int]) -> TensorSum:
    """Coordinate i of factor s moved to place ``places[s][i]`` of ``dims[s]``; what has no place (-1) is set to zero.

    This is a renumbering of the bases, an embedding into larger spaces, or the restriction to a sub-tensor.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> placed(Decomposition("product", QQ, (((1, 2), (3, 4)),)), [(1, 0), (-1, 0)], (2, 1)).units
    (((2, 1), (4,)),)
    """
    units: list[FamilyUnit] = []
    for unit in total.units:
        moved: list[FamilyVector] = []
        for vector, place, n in zip(unit, places, dims, strict=True):
            new: list[Coordinate] = [0] * n
            for x, i in zip(vector, place, strict=True):
                if i >= 0:
                    new[i] = x
            moved.append(tuple(new))
        units.append(tuple(moved))
    return joined(total.ring, order_of(total), units)


def with_bases_changed(total: TensorSum, matrices: Sequence[Matrix], ring: Field) -> TensorSum:
    """Every factor s mapped by a matrix: vector v becomes ``matrices[s] v``. Matrices need not be square or invertible.

    Parameters
    ----------
    total
        What is mapped.
    matrices
        One a factor, as rows with entries in the ring.
    ring
        Exact field that contains the ring of the units.
    """
    units = [
        tuple(
            tuple(_dot(row, vector, ring) for row in matrix)
            for vector, matrix in zip(unit, matrices, strict=True)
        )
        for unit in total.units
    ]
    return joined(ring, order_of(total), units)


def changed_tensor(
    entries: Mapping[Word, Scalar], matrices: Sequence[Matrix], ring: Field
) -> dict[Word, Scalar]:
    """Coefficients of a tensor after every factor was mapped by a matrix, as `with_bases_changed` does to its units."""
    current = dict(entries)
    for s, matrix in enumerate(matrices):
        columns = [
            {k: row[i] for k, row in enumerate(matrix) if row[i]}
            for i in range(len(matrix[0]) if matrix else 0)
        ]
        mapped: dict[Word, Scalar] = {}
        for word, c in current.items():
            for k, x in columns[word[s]].items():
                new = (*word[:s], k, *word[s + 1 :])
                mapped[new] = mapped.get(new, 0) + c * x
        current = {word: value for word, c in mapped.items() if (value := ring.reduce(c))}
    return current


def without_zeros(total: TensorSum) -> TensorSum:
    """The units that have no zero vector, where a restriction may have made some."""
    units = [unit for unit in total.units if all(any(vector) for vector in unit)]
    return joined(total.ring, order_of(total), units)


def over(total: TensorSum, ring: Field) -> TensorSum:
    """The same units with coordinates in normal form over another field."""
    units = [
        tuple(
            tuple(_plain(x.over(ring)) if isinstance(x, Laurent) else ring.reduce(x) for x in v) for v in unit
        )
        for unit in total.units
    ]
    return without_zeros(joined(ring, order_of(total), units))


def joined(ring: Field, order: int, units: Sequence[FamilyUnit]) -> TensorSum:
    """A decomposition when nothing depends on eps, else a border family."""
    if order == 0 and not any(isinstance(x, Laurent) for unit in units for vector in unit for x in vector):
        return Decomposition("product", ring, tuple(units))  # type: ignore[arg-type]
    return BorderFamily("product", ring, order, tuple(units))


def order_of(total: TensorSum) -> int:
    """The power of eps at which the tensor stands; 0 for a decomposition."""
    return total.order if isinstance(total, BorderFamily) else 0


def dimensions(total: TensorSum) -> tuple[int, ...]:
    """Lengths of the vectors of the units."""
    if not total.units:
        raise UsageError("a sum of no units has no dimensions; give at least one unit")
    return tuple(len(vector) for vector in total.units[0])


def _factors(total: TensorSum) -> int:
    return len(dimensions(total))


def _common_ring(left: TensorSum, right: TensorSum) -> Field:
    for ring, other in ((left.ring, right.ring), (right.ring, left.ring)):
        if ring.includes(other):
            return ring
    raise UsageError(f"units over {left.ring} and {right.ring} cannot be combined; bring both to one field")


def _at_order(total: TensorSum, order: int, ring: Field) -> list[FamilyUnit]:
    shift = order - order_of(total)
    if not shift:
        return list(total.units)
    power = Laurent.power(shift)
    return [(*unit[:-1], tuple(_product(x, power, ring) for x in unit[-1])) for unit in total.units]


def _outer(u: FamilyVector, v: FamilyVector, ring: Field) -> FamilyVector:
    return tuple(_product(x, y, ring) for x in u for y in v)


def _dot(row: Sequence[Scalar], vector: FamilyVector, ring: Field) -> Coordinate:
    total: Coordinate = 0
    for x, y in zip(row, vector, strict=True):
        if x and y:
            total = _sum(total, _product(x, y, ring), ring)
    return total


def _product(x: Coordinate, y: Coordinate, ring: Field) -> Coordinate:
    if not x or not y:
        return 0
    if isinstance(x, Laurent) or isinstance(y, Laurent):
        return _plain((as_laurent(x) * as_laurent(y)).over(ring))
    return ring.reduce(x * y)


def _sum(x: Coordinate, y: Coordinate, ring: Field) -> Coordinate:
    if isinstance(x, Laurent) or isinstance(y, Laurent):
        return _plain((as_laurent(x) + as_laurent(y)).over(ring))
    return ring.reduce(x + y)


def _plain(x: Laurent) -> Coordinate:
    """A Laurent polynomial that does not depend on eps as a number."""
    return x.coefficient(0) if x.is_constant else x
