"""Subspaces of a product of two spaces that are stable under a solvable group: all of them, in the order of docs/format.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from . import limits
from .forms import Polynomial
from .matrix import Work
from .parametric import Row, add, constant, rank_at_every_point, ratio, scaled, solved, variables
from .refusal import Rejected, Undecided
from .scalars import Rational

Weight = tuple[int, ...]
Cell = tuple[int, int]
"""Basis vector e_i (x) f_j of the product of two factors."""
Matrix = dict[int, list[tuple[int, int]]]
"""By column j the pairs (i, entry)."""
Tensor = dict[tuple[int, int, int], Rational]
Space = dict[Weight, dict[Cell, Row]]
"""By weight the rows of its echelon matrix, by pivot."""
Proof = str | Polynomial
"""One of WORDS, or a polynomial to split on."""


@dataclass(frozen=True)
class Symmetry:
    """A torus by the weights of the basis vectors of the three factors, and raising operators with their roots."""

    weights: list[list[Weight]]
    rho: Weight
    raising: list[list[Matrix]]


def root(operator: Sequence[Matrix], weights: Sequence[Sequence[Weight]]) -> Weight | None:
    """The vector by which all entries change the weight; None if there is none."""
    found = {
        tuple(x - y for x, y in zip(weights[f][i], weights[f][j], strict=True))
        for f, matrix in enumerate(operator)
        for j, column in matrix.items()
        for i, _ in column
    }
    return found.pop() if len(found) == 1 else None


def height(weight: Weight, rho: Weight) -> int:
    return sum(x * y for x, y in zip(weight, rho, strict=True))


def weight_sum(*weights: Weight) -> Weight:
    return tuple(map(sum, zip(*weights, strict=True)))


class Replay:
    """All stable subspaces E of A (x) B that contain T(C*) and have dimension r, in the order of the format.

    E is T(C*) and a subspace of the cells that are no pivots of T(C*): for every weight an echelon matrix, whose free
    entries are parameters.
    """

    def __init__(
        self,
        tensor: Tensor,
        dimensions: Sequence[int],
        symmetry: Symmetry,
        rank: int,
        factors: Cell,
        proofs: Sequence[Proof],
        pointer: str,
        work: Work,
    ) -> None:
        self.rank, self.pointer, self.work, self.proofs = rank, pointer, work, proofs
        self.used = 0
        self.found: list[list[Row]] = []
        first, second = factors
        third = 3 - first - second
        self.sides = dimensions[first], dimensions[second]
        slices: dict[int, dict[Cell, Rational]] = {}
        for index, value in tensor.items():
            slices.setdefault(index[third], {})[index[first], index[second]] = value
        self.slices = echelon([slices[k] for k in sorted(slices)], work)
        self._set_up(symmetry, first, second)

    def _set_up(self, symmetry: Symmetry, first: int, second: int) -> None:
        left, right = symmetry.weights[first], symmetry.weights[second]
        self.cells: dict[Weight, list[Cell]] = {}
        self.work.spend(100 * self.sides[0] * self.sides[1] * (1 + len(symmetry.raising)))
        for cell in product(range(self.sides[0]), range(self.sides[1])):
            if cell not in self.slices:
                self.cells.setdefault(weight_sum(left[cell[0]], right[cell[1]]), []).append(cell)
        self.order = sorted(self.cells, key=lambda w: (-height(w, symmetry.rho), w))
        # How many dimensions are left from a place of the order on.
        self.room = [0]
        for weight in reversed(self.order):
            self.room.insert(0, self.room[0] + len(self.cells[weight]))
        operators = [
            (root(operator, symmetry.weights) or (), self._on_cells(operator[first], operator[second]))
            for operator in symmetry.raising
        ]
        # For every weight and every operator: where it leads, and what it does.
        self.raised = {w: [(weight_sum(w, alpha), images) for alpha, images in operators] for w in self.order}

    def _on_cells(self, left: Matrix, right: Matrix) -> dict[Cell, dict[Cell, Polynomial]]:
        """The operator on cells, modulo T(C*)."""
        images: dict[Cell, dict[Cell, Polynomial]] = {}
        for i, j in (cell for cells in self.cells.values() for cell in cells):
            image: dict[Cell, Rational] = {(k, j): x for k, x in left.get(i, ())}
            for k, x in right.get(j, ()):
                image[i, k] = image.get((i, k), 0) + x
            for pivot in [cell for cell in image if cell in self.slices]:
                factor = image[pivot]
                for cell, x in self.slices[pivot].items():
                    image[cell] = image.get(cell, 0) - factor * x
            images[i, j] = {cell: {(): x} for cell, x in image.items() if x}
        return images

    def candidates(self) -> list[list[Row]]:
        """Replay, check the proof of every leaf, and return the spaces that no rank refutes."""
        left = self.rank - len(self.slices)
        if left > limits.APOLAR_DIMENSION:
            raise Undecided(
                "limit-apolar", self.pointer, f"subspaces of dimension {left} are to be enumerated"
            )
        if left >= 0:
            self._visit(0, left, {}, [], 0)
        if self.used < len(self.proofs):
            raise Rejected("leaves", f"{self.pointer}/{self.used}", "there are more proofs than leaves")
        return self.found

    def _visit(
        self, place: int, left: int, space: Space, equations: list[Polynomial], parameters: int
    ) -> None:
        if not left:
            self._leaf([row for rows in space.values() for row in rows.values()], equations, [], 0)
            return
        for index in range(place, len(self.order)):
            if self.room[index] < left:
                return
            weight = self.order[index]
            cells = self.cells[weight]
            for size in range(1, min(len(cells), left) + 1):
                for pivots in combinations(cells, size):
                    self.work.spend(1000 + 100 * size * len(self.raised[weight]))
                    rows, last = self._echelon_rows(cells, pivots, parameters)
                    new = [*equations, *self._closure(weight, rows, space)]
                    flat = [row for known in (*space.values(), rows) for row in known.values()]
                    branch = solved(flat, new, [], self.work)
                    if branch is not None:
                        # Pivots are 1 and stay: the rows come back in their places.
                        places = [
                            (w, pivot) for w, known in (*space.items(), (weight, rows)) for pivot in known
                        ]
                        updated: Space = {}
                        for (w, pivot), row in zip(places, branch[0], strict=True):
                            updated.setdefault(w, {})[pivot] = row
                        self._visit(index + 1, left - size, updated, branch[1], last)

    def _echelon_rows(
        self, cells: Sequence[Cell], pivots: Sequence[Cell], first: int
    ) -> tuple[dict[Cell, Row], int]:
        """The echelon matrix with these pivots and new parameters, and the number of the next parameter."""
        rows: dict[Cell, Row] = {}
        for pivot in pivots:
            row: Row = {pivot: {(): 1}}
            for cell in cells:
                if cell > pivot and cell not in pivots:
                    row[cell] = {(first,): 1}
                    first += 1
            rows[pivot] = row
        if first > limits.PARAMETERS:
            raise Undecided(
                "limit-parameters", self.pointer, f"a family with more than {limits.PARAMETERS} parameters"
            )
        return rows, first

    def _closure(self, weight: Weight, rows: dict[Cell, Row], space: Space) -> Iterator[Polynomial]:
        """What must vanish for every operator to map the rows into the space above them."""
        for row in rows.values():
            for higher, images in self.raised[weight]:
                image: Row = {}
                for cell, entry in row.items():
                    image = add(image, entry, images[cell], self.work)
                for pivot, above in space.get(higher, {}).items():
                    if pivot in image:
                        image = add(image, scaled(image[pivot], -1), above, self.work)
                yield from (image[cell] for cell in sorted(image))

    def _leaf(
        self, rows: list[Row], equations: list[Polynomial], nonzero: list[Polynomial], depth: int
    ) -> None:
        here = f"{self.pointer}/{self.used}"
        if self.used == len(self.proofs):
            raise Rejected("leaves", self.pointer, f"there are more than {self.used} leaves")
        if depth > limits.SPLITS:
            raise Undecided("limit-splits", here, f"more than {limits.SPLITS} nested splits")
        proof = self.proofs[self.used]
        self.used += 1
        branch = solved(rows, equations, nonzero, self.work)
        if (branch is None) != (proof == "empty"):
            message = "the equations do not contradict each other" if branch else "the branch is empty"
            raise Rejected("empty", here, message)
        if branch is None:
            return
        rows, equations, nonzero = branch
        known = variables([*(x for row in rows for x in row.values()), *equations, *nonzero])
        if not isinstance(proof, str):
            if constant(proof) or not variables([proof]) <= known:
                raise Rejected(
                    "split", here, "a split is on a polynomial in parameters of its branch, not constant"
                )
            self._leaf(rows, [*equations, proof], nonzero, depth + 1)
            self._leaf(rows, equations, [*nonzero, proof], depth + 1)
        elif proof == "candidate":
            if known:
                raise Rejected("parameters", here, "a candidate has no parameters")
            self.found.append(self._all_rows(rows))
        else:
            self._check_rank(self._all_rows(rows), nonzero, int(proof == "120"), here)

    def _all_rows(self, rows: list[Row]) -> list[Row]:
        """A basis of E, of length r: the pivots of T(C*) are no cells of the other rows."""
        slices: list[Row] = [
            {cell: {(): x} for cell, x in row.items()} for _, row in sorted(self.slices.items())
        ]
        return slices + rows

    def _check_rank(self, rows: list[Row], nonzero: list[Polynomial], side: int, here: str) -> None:
        """The map E (x) A -> wedge^2 A (x) B, or with B for A (side 1), has rank at least r a - r + 1."""
        a = self.sides[side]
        products: list[Row] = []
        for row in rows:
            for k in range(a):
                image: Row = {}
                for cell, x in row.items():
                    i, j = cell[side], cell[1 - side]
                    if i != k:
                        image[min(i, k), max(i, k), j] = x if i < k else scaled(x, -1)
                products.append(image)
        needed = self.rank * (a - 1) + 1
        rank = rank_at_every_point(products, nonzero, self.work)
        if rank < needed:
            raise Rejected("rank", here, f"the rank is only seen to be at least {rank}; {needed} is needed")


def echelon(rows: list[dict[Any, Any]], work: Work) -> dict[Any, dict[Any, Rational]]:
    """Reduced echelon basis of the span over QQ, by pivot: the least column of its row, zero in the other rows."""
    basis: dict[Any, dict[Any, Rational]] = {}
    for row in rows:
        row = dict(row)
        for pivot in [c for c in row if c in basis]:
            row = _less(row, row[pivot], basis[pivot], work)
        if row:
            pivot = min(row)
            row = {c: ratio(x, row[pivot]) for c, x in row.items()}
            basis = {c: _less(known, known.get(pivot, 0), row, work) for c, known in basis.items()}
            basis[pivot] = row
    return basis


def _less(
    left: dict[Any, Rational], factor: Rational, right: dict[Any, Rational], work: Work
) -> dict[Any, Rational]:
    if not factor:
        return left
    work.spend(100 * len(right))
    result = dict(left)
    for c, x in right.items():
        result[c] = result.get(c, 0) - factor * x
    return {c: x for c, x in result.items() if x}
