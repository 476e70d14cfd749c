"""Rule ``border-apolarity``: every stable family of spaces that a limit of r rank-one tensors would leave is refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..forms import Polynomial, read_form
from ..matrix import Work
from ..parametric import (
    Row,
    add,
    constant,
    constant_rank,
    rank_at_every_point,
    ratio,
    scaled,
    solved,
    variables,
)
from ..reading import integer, is_object, keys, sequence, show
from ..refusal import Rejected, Undecided, Unreadable
from ..scalars import QQ, Rational
from .over import field_refused
from .rule import Context, Rule

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
PAIRS = ((0, 1), (1, 2), (2, 0))
WORDS = ("210", "120", "candidate", "empty")


@dataclass(frozen=True)
class Symmetry:
    """A torus by the weights of the basis vectors of the three factors, and raising operators with their roots."""

    weights: list[list[Weight]]
    rho: Weight
    raising: list[list[Matrix]]


@dataclass(frozen=True)
class Refutation:
    refuted: int
    symmetry: Symmetry
    pairs: list[tuple[Cell, list[Proof]]]
    """The two factors, and the proof of every leaf of the replay: a word, or a polynomial to split on."""


def read(witness: Any, context: Context) -> Refutation:
    refuted, weights, rho, raising, pairs = keys(
        witness, context.witness(), ("refuted", "weights", "rho", "raising", "pairs")
    )
    space = context.target.space
    if sum(power for _, power in space.factors) != 3 or context.units.name not in ("product", "tied"):
        message = "the rule is about tensors of order 3, and about tied units of degree 3 in all"
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", message)
    integer(refuted, context.witness("refuted"), 1, 2**20)
    dimensions = dimensions_of(context)
    here = context.witness("rho")
    direction = tuple(
        integer(x, f"{here}/{i}", -(2**20), 2**20)
        for i, x in enumerate(sequence(rho, here, least=1, most=64))
    )
    here = context.witness("weights")
    by_factor = [
        [
            _read_weight(weight, f"{here}/{f}/{i}", len(direction))
            for i, weight in enumerate(sequence(listed, f"{here}/{f}", least=n, most=n))
        ]
        for f, (listed, n) in enumerate(
            zip(sequence(weights, here, least=3, most=3), dimensions, strict=True)
        )
    ]
    here = context.witness("raising")
    operators = [
        [
            _read_matrix(matrix, f"{here}/{k}/{f}", n)
            for f, (matrix, n) in enumerate(
                zip(sequence(operator, f"{here}/{k}", least=3, most=3), dimensions, strict=True)
            )
        ]
        for k, operator in enumerate(sequence(raising, here))
    ]
    return Refutation(refuted, Symmetry(by_factor, direction, operators), _read_pairs(pairs, context))


def _read_weight(node: Any, pointer: str, length: int) -> Weight:
    entries = sequence(node, pointer, least=length, most=length)
    return tuple(integer(x, f"{pointer}/{i}", -(2**20), 2**20) for i, x in enumerate(entries))


def _read_matrix(node: Any, pointer: str, n: int) -> Matrix:
    matrix: Matrix = {}
    seen: set[Cell] = set()
    for position, entry in enumerate(sequence(node, pointer)):
        here = f"{pointer}/{position}"
        i, j, x = sequence(entry, here, least=3, most=3)
        integer(i, f"{here}/0", 0, n - 1)
        integer(j, f"{here}/1", 0, n - 1)
        if integer(x, f"{here}/2", -(2**20), 2**20) == 0:
            raise Unreadable("zero-entry", f"{here}/2", "zero entries are left out")
        if (i, j) in seen:
            raise Unreadable("repeated", here, "an entry is given twice")
        seen.add((i, j))
        matrix.setdefault(j, []).append((i, x))
    return matrix


def _read_pairs(node: Any, context: Context) -> list[tuple[Cell, list[Proof]]]:
    pairs: list[tuple[Cell, list[Proof]]] = []
    for position, pair in enumerate(sequence(node, context.witness("pairs"), least=1, most=3)):
        here = context.witness("pairs", position)
        factors, leaves = keys(pair, here, ("factors", "leaves"))
        first, second = sequence(factors, f"{here}/factors", least=2, most=2)
        chosen = integer(first, f"{here}/factors/0", 0, 2), integer(second, f"{here}/factors/1", 0, 2)
        if chosen not in PAIRS:
            raise Unreadable("out-of-range", f"{here}/factors", "the pairs are [0, 1], [1, 2] and [2, 0]")
        if chosen in [factors for factors, _ in pairs]:
            raise Unreadable("repeated", f"{here}/factors", "a pair of factors is treated twice")
        proofs = [
            _read_proof(leaf, f"{here}/leaves/{i}")
            for i, leaf in enumerate(sequence(leaves, f"{here}/leaves"))
        ]
        pairs.append((chosen, proofs))
    return pairs


def _read_proof(node: Any, pointer: str) -> Proof:
    if not is_object(node):
        if node not in WORDS:
            raise Unreadable(
                "unknown-proof", pointer, f"{show(node)} is none of {', '.join(WORDS)} or a split"
            )
        return node
    (terms,) = keys(node, pointer, ("split",))
    polynomial: Polynomial = {}
    for i, term in enumerate(sequence(terms, f"{pointer}/split", least=1)):
        word = sequence(sequence(term, f"{pointer}/split/{i}", least=2, most=2)[0], f"{pointer}/split/{i}/0")
        polynomial |= read_form([term], f"{pointer}/split/{i}", limits.PARAMETERS, len(word), QQ)
    if len(polynomial) != len(terms):
        raise Unreadable("repeated", f"{pointer}/split", "a word is given twice")
    return polynomial


def dimensions_of(context: Context) -> list[int]:
    return [n for n, power in context.target.space.factors for _ in range(power)]


def derive(data: Refutation, context: Context) -> Claim:
    if context.over != "CC" or context.target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    dimensions = dimensions_of(context)
    tensor, work = tensor_of(context), Work()
    check_symmetry(tensor, data.symmetry, context)
    survivors: dict[Cell, list[list[Row]]] = {}
    for position, (factors, proofs) in enumerate(data.pairs):
        here = context.witness("pairs", position)
        if data.refuted >= dimensions[factors[0]] * dimensions[factors[1]]:
            message = f"{data.refuted} is not less than the dimension of the product of the two factors"
            raise Rejected("rank-too-large", f"{here}/factors", message)
        replay = Replay(tensor, dimensions, data, factors, proofs, f"{here}/leaves", work)
        survivors[factors] = replay.candidates()
    if all(survivors.values()):
        if len(survivors) < 3:
            message = "every pair has candidates: all three pairs are needed, and all triples of candidates"
            raise Rejected("candidates", context.witness("pairs"), message)
        check_triples(survivors, dimensions, data.refuted, work, context)
    return Claim(BORDER, context.units.name, "CC", AT_LEAST, data.refuted + 1)


def tensor_of(context: Context) -> Tensor:
    """The target as a tensor of order 3, symmetric in the letters of a symmetric factor."""
    tensor: Tensor = {}
    for word, value in context.target.entries.items():
        arrangements = [sorted(set(permutations(piece))) for piece in context.target.space.split(word)]
        choices = list(product(*arrangements))
        for choice in choices:
            i, j, k = chain(*choice)
            tensor[i, j, k] = ratio(value, len(choices))
    return tensor


def check_symmetry(tensor: Tensor, symmetry: Symmetry, context: Context) -> None:
    """The group fixes the line of the tensor, and its operators raise the height: it is connected and solvable."""
    weights = symmetry.weights
    totals = {_sum(weights[0][i], weights[1][j], weights[2][k]) for i, j, k in tensor}
    if len(totals) != 1:
        raise Rejected(
            "not-homogeneous", context.witness("weights"), "the entries of the target differ in weight"
        )
    for number, operator in enumerate(symmetry.raising):
        here = context.witness("raising", number)
        alpha = root(operator, weights)
        if alpha is None:
            raise Rejected(
                "not-a-root", here, "the entries of an operator all change the weight by one vector"
            )
        if height(alpha, symmetry.rho) <= 0:
            raise Rejected("not-raising", here, "the operator does not raise the height")
        moved: dict[Any, Rational] = {}
        for index, value in tensor.items():
            for factor in range(3):
                for i, x in operator[factor].get(index[factor], ()):
                    image = (*index[:factor], i, *index[factor + 1 :])
                    moved[image] = moved.get(image, 0) + x * value
        if any(moved.values()):
            raise Rejected("not-a-symmetry", here, "the operator does not annihilate the target")


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


def _sum(*weights: Weight) -> Weight:
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
        data: Refutation,
        factors: Cell,
        proofs: Sequence[Proof],
        pointer: str,
        work: Work,
    ) -> None:
        self.rank, self.pointer, self.work, self.proofs = data.refuted, pointer, work, proofs
        self.used = 0
        self.found: list[list[Row]] = []
        first, second = factors
        third = 3 - first - second
        self.sides = dimensions[first], dimensions[second]
        slices: dict[int, dict[Cell, Rational]] = {}
        for index, value in tensor.items():
            slices.setdefault(index[third], {})[index[first], index[second]] = value
        self.slices = echelon([slices[k] for k in sorted(slices)], work)
        self._set_up(data.symmetry, first, second)

    def _set_up(self, symmetry: Symmetry, first: int, second: int) -> None:
        left, right = symmetry.weights[first], symmetry.weights[second]
        self.cells: dict[Weight, list[Cell]] = {}
        self.work.spend(100 * self.sides[0] * self.sides[1] * (1 + len(symmetry.raising)))
        for cell in product(range(self.sides[0]), range(self.sides[1])):
            if cell not in self.slices:
                self.cells.setdefault(_sum(left[cell[0]], right[cell[1]]), []).append(cell)
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
        self.raised = {w: [(_sum(w, alpha), images) for alpha, images in operators] for w in self.order}

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


def check_triples(
    survivors: Mapping[Cell, list[list[Row]]],
    dimensions: Sequence[int],
    rank: int,
    work: Work,
    context: Context,
) -> None:
    """For every triple of candidates the spaces E (x) C, E' (x) A and E'' (x) B meet in dimension less than r.

    The meet is the kernel of the map from E (x) C to the quotients by the other two.
    """
    bases = {
        factors: [
            echelon([{cell: x[()] for cell, x in row.items()} for row in rows], work) for rows in listed
        ]
        for factors, listed in survivors.items()
    }
    needed = rank * (dimensions[2] - 1) + 1
    for first, basis in enumerate(bases[0, 1]):
        products = [
            {(*cell, k): x for cell, x in row.items()} for row in basis.values() for k in range(dimensions[2])
        ]
        quotients = [
            [[modulo(row, other, factors, work) for row in products] for other in bases[factors]]
            for factors in PAIRS[1:]
        ]
        for second, left in enumerate(quotients[0]):
            for third, right in enumerate(quotients[1]):
                rows = [
                    {(0, c): x for c, x in u.items()} | {(1, c): x for c, x in v.items()}
                    for u, v in zip(left, right, strict=True)
                ]
                found = constant_rank(rows, work)
                if found < needed:
                    message = (
                        f"for candidates {first}, {second}, {third} the rank is {found}; {needed} is needed"
                    )
                    raise Rejected("triple", context.witness("pairs"), message)


def modulo(
    row: Mapping[tuple[int, ...], Rational],
    basis: Mapping[Cell, Mapping[Cell, Rational]],
    factors: Cell,
    work: Work,
) -> dict[tuple[int, ...], Rational]:
    """A tensor modulo the product of a subspace of two factors, in reduced echelon form, with the third factor."""
    first, second = factors
    result: dict[tuple[int, ...], Rational] = {}
    for index, x in row.items():
        pivot = index[first], index[second]
        # A pivot is minus the rest of its row.
        terms = (
            {cell: -y for cell, y in basis[pivot].items() if cell != pivot} if pivot in basis else {pivot: 1}
        )
        work.spend(100 * len(terms))
        for cell, y in terms.items():
            place = list(index)
            place[first], place[second] = cell
            result[tuple(place)] = result.get(tuple(place), 0) + x * y
    return {place: x for place, x in result.items() if x}


RULE = Rule(read, derive)
