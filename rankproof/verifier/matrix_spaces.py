"""Spaces of matrices over GF(p): how many matrices of rank one it takes to span a space that contains a given one.

A vector is a tuple of residues, a matrix a tuple of rows, a space a list of linearly independent matrices. The width of
a space is the least number of matrices of rank one whose span contains it; the proofs of the bounds on it are on the
page of the rule ``cover``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from math import comb

from .matrix import Work

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


def echelon(rows: Iterable[Sequence[int]], p: int) -> dict[int, Vector]:
    """Reduced echelon basis of the span of the rows, by pivot column, in increasing order of the pivots."""
    basis: dict[int, Vector] = {}
    for row in rows:
        rest = residue(row, basis, p)
        pivot = next((column for column, x in enumerate(rest) if x), None)
        if pivot is None:
            continue
        scale = pow(rest[pivot], -1, p)
        leading = {pivot: tuple(x * scale % p for x in rest)}
        basis = {column: residue(other, leading, p) for column, other in basis.items()} | leading
    return dict(sorted(basis.items()))


def residue(vector: Sequence[int], basis: dict[int, Vector], p: int) -> Vector:
    """The vector modulo the span of a reduced echelon basis: zero at all pivots."""
    rest = tuple(vector)
    for column, row in basis.items():
        factor = rest[column]
        if factor:
            rest = tuple([(x - factor * y) % p for x, y in zip(rest, row, strict=True)])
    return rest


def rank(rows: Iterable[Sequence[int]], p: int) -> int:
    return len(echelon(rows, p))


def flat(matrix: Matrix) -> Vector:
    """All entries, row after row."""
    return tuple(chain.from_iterable(matrix))


def combination(coefficients: Sequence[int], matrices: Sequence[Matrix], p: int) -> Matrix:
    """A linear combination of matrices."""
    chosen = [(c, matrix) for c, matrix in zip(coefficients, matrices, strict=True) if c]
    rows, columns = range(len(matrices[0])), range(len(matrices[0][0]))
    return tuple(tuple([sum(c * m[i][j] for c, m in chosen) % p for j in columns]) for i in rows)


def transposed(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def times(left: Matrix, right: Matrix, p: int) -> Matrix:
    columns = transposed(right)
    return tuple(tuple([sum(map(int.__mul__, row, column)) % p for column in columns]) for row in left)


def points(dimension: int, p: int) -> Iterator[Vector]:
    """One vector of every line through the origin: those whose first coordinate that is not zero is 1."""
    for place in range(dimension):
        for rest in product(range(p), repeat=dimension - place - 1):
            yield (0,) * place + (1,) + rest


def concise(space: Sequence[Matrix], p: int) -> list[Matrix]:
    """The space without superfluous rows and columns: those at the pivots determine the others."""
    columns = list(echelon(chain.from_iterable(space), p))
    rows = list(echelon(chain.from_iterable(map(transposed, space)), p))
    return [tuple(tuple(matrix[i][j] for j in columns) for i in rows) for matrix in space]


def simple_bound(space: Sequence[Matrix], p: int, work: Work) -> int:
    """The largest of the ranks of the three flattenings, and of the average rank with all lines weighted alike."""
    space = concise(space, p)
    rows, columns = len(space[0]), len(space[0][0])
    lines = (p ** len(space) - 1) // (p - 1)
    work.spend(lines * rows * columns * (len(space) + min(rows, columns)))
    total = sum(rank(combination(point, space, p), p) for point in points(len(space), p))
    return max(len(space), rows, columns, -(-total // p ** (len(space) - 1)))


def products_bound(slices: Sequence[Matrix], products: Sequence[Matrix], p: int) -> int:
    """Number of given matrices of rank one in the span of the slices, and what the others need at least."""
    basis = echelon(map(flat, products), p)
    others: list[Matrix] = []
    for matrix in slices:
        larger = echelon([*basis.values(), flat(matrix)], p)
        if len(larger) > len(basis):
            basis = larger
            others.append(matrix)
    sides = (products, others), (list(map(transposed, products)), list(map(transposed, others)))
    return len(products) + max(len(others), *(_rows_left(*side, p) for side in sides))


def _rows_left(products: Sequence[Matrix], others: Sequence[Matrix], p: int) -> int:
    """Least rank of all rows of the other matrices, whatever multiples of the products are added to these."""
    # Combinations of rows in which no product takes part stay what they are; the rest is looked at modulo the products.
    untouched = null_space(transposed(tuple(column for matrix in products for column in transposed(matrix))), p)
    kept = echelon((row for matrix in others for row in times(untouched, matrix, p)), p)
    taken = echelon([*kept.values(), *chain.from_iterable(products)], p)
    return len(kept) + rank((residue(row, taken, p) for matrix in others for row in matrix), p)


def null_space(rows: Matrix, p: int) -> Matrix:
    """A basis of the linear relations between the rows of a matrix."""
    width, size = len(rows[0]), len(rows)
    basis = echelon(((*row, *(int(i == j) for j in range(size))) for i, row in enumerate(rows)), p)
    return tuple(row[width:] for pivot, row in basis.items() if pivot >= width)


def spanned_with(space: Sequence[Matrix], added: int, p: int, work: Work) -> bool:
    """Whether the space and so many matrices of rank one, independent modulo it, span what is spanned by rank one.

    Every choice is tried. ``space`` is concise, and there is room for so many independent matrices.
    """
    rows, columns = len(space[0]), len(space[0][0])
    singles = (p**rows - 1) * (p**columns - 1) // (p - 1) ** 2
    work.spend(10 * singles * (len(space) + 1) * rows * columns)
    basis = echelon(map(flat, space), p)
    pack, add = packing(p, rows * columns)
    inside: list[Vector] = []
    classes: dict[int, list[Vector]] = {}
    directions: dict[int, None] = {}
    for column, row in product(points(rows, p), points(columns, p)):
        matrix = flat(tuple(tuple(x * y % p for y in row) for x in column))
        rest = residue(matrix, basis, p)
        first = next((x for x in rest if x), 0)
        if not first:
            inside.append(matrix)
            continue
        scale = pow(first, -1, p)
        directions[pack([x * scale % p for x in rest])] = None
        for c in range(1, p):
            classes.setdefault(pack([x * c % p for x in rest]), []).append(matrix)
    work.spend(10 * comb(len(directions), added) * p**added)
    full, order = len(space) + added, list(directions)

    def extended(start: int, subspace: list[int], found: list[Vector], left: int) -> bool:
        if not left:
            if len(found) < full:
                return False
            work.spend(len(found) * full * len(found[0]))
            return rank(found, p) == full
        old = set(subspace)
        for place in range(start, len(order)):
            if order[place] in old:
                continue
            layer = [add(order[place], x) for x in subspace]
            more = [matrix for x in layer for matrix in classes.get(x, ())]
            larger = list(subspace)
            for _ in range(p - 1 if left > 1 else 0):
                larger += layer
                layer = [add(order[place], x) for x in layer]
            if extended(place + 1, larger, found + more, left - 1):
                return True
        return False

    return extended(0, [0], inside, added)


def packing(p: int, length: int) -> tuple[Callable[[Sequence[int]], int], Callable[[int, int], int]]:
    """Vectors written into single integers, and the sum of two of these, with all coordinates reduced at once."""
    width = (4 * p - 1).bit_length()
    ones = sum(1 << width * i for i in range(length))
    # A coordinate of a sum is below 2p <= half: adding half - p carries into the highest bit exactly when it is p or more.
    half = 1 << (width - 1)
    lift, carries = ones * (half - p), ones * half

    def pack(vector: Sequence[int]) -> int:
        return sum(x << width * i for i, x in enumerate(vector))

    def add(x: int, y: int) -> int:
        total = x + y
        return total - ((total + lift & carries) >> (width - 1)) * p

    return pack, add
