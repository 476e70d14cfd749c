"""Border rank of tensors of order 3 from below: all stable spaces that a limit would leave, and why each is impossible.

The enumeration and its order are those of the rule ``border-apolarity`` (docs/format.md): the certificate holds one word a
leaf, and the verifier replays the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

import flint

from rankproof.exact.congruence import fraction
from rankproof.exact.polynomial_factors import irreducible_factors
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.exact.symmetry import Symmetry, Tensor, Weight, height

Cell = tuple[int, int]
Entry = Any
"""A rational (fmpq), or a polynomial in the parameters (fmpq_mpoly) that is not constant."""
Row = dict[Any, Entry]
Space = dict[Weight, dict[Cell, Row]]
Leaf = str | list[tuple[tuple[int, ...], Fraction]]
"""A word, or the terms of a polynomial to split on."""

PAIRS: tuple[Cell, ...] = ((0, 1), (1, 2), (2, 0))
PRIME = 2**31 - 1
PARAMETERS = 24
MAX_SPLITS = 6
"""Nested splits tried at one leaf."""

MAX_CANDIDATES = 64
"""Spaces of one pair that may survive; the triples of three pairs are all looked at."""

MAX_TRIPLES = 20_000

CONTEXT = flint.fmpq_mpoly_ctx.get(tuple(f"t{i}" for i in range(PARAMETERS)), flint.Ordering.degrevlex)
GENERATORS = CONTEXT.gens()
ONE = flint.fmpq(1)


class GivenUp(Exception):
    """The enumeration is too large, or a family could not be refuted; the argument says which."""


@dataclass
class PairProof:
    """The leaves of one pair of factors in the order of the replay, and the spaces that survive."""

    factors: Cell
    leaves: list[Leaf] = field(default_factory=list)
    candidates: list[list[Row]] = field(default_factory=list)


def refute(
    tensor: Tensor,
    dimensions: Sequence[int],
    symmetry: Symmetry,
    rank: int,
    out_of_time: Callable[[], bool],
) -> list[PairProof]:
    """Pairs with proofs that show that the border rank is more than ``rank``.

    Parameters
    ----------
    tensor
        Non-zero entries by index.
    dimensions
        Shape of the tensor.
    symmetry
        A group that fixes the tensor up to scale.
    rank
        The border rank to refute.
    out_of_time
        Asked now and then; the search ends with `GivenUp` when it says so.

    Returns
    -------
    list[PairProof]
        One pair without survivors, or all three pairs when no triple of survivors is possible.

    Raises
    ------
    GivenUp
        When nothing is refuted.
    """
    proofs: dict[Cell, PairProof] = {}
    reason = "no pair of factors has a product larger than the rank"
    flattening_ranks = [len(_echelon(_slices(tensor, pair))) for pair in PAIRS]
    for _, pair in sorted(zip(flattening_ranks, PAIRS, strict=True), reverse=True):
        if rank >= dimensions[pair[0]] * dimensions[pair[1]]:
            continue
        try:
            proof = Enumeration(tensor, dimensions, symmetry, rank, pair, out_of_time).run()
        except GivenUp as stopped:
            if out_of_time():
                raise
            reason = str(stopped)
            continue
        if not proof.candidates:
            return [proof]
        proofs[pair] = proof
    if len(proofs) < 3:
        raise GivenUp(reason)
    ordered = [proofs[pair] for pair in PAIRS]
    if not _triples_refuted([proof.candidates for proof in ordered], dimensions, rank, out_of_time):
        raise GivenUp("a triple of candidates passes every test")
    return ordered


class Enumeration:
    """The stable subspaces of one pair of factors."""

    def __init__(
        self,
        tensor: Tensor,
        dimensions: Sequence[int],
        symmetry: Symmetry,
        rank: int,
        pair: Cell,
        out_of_time: Callable[[], bool],
    ) -> None:
        first, second = pair
        self.sides = dimensions[first], dimensions[second]
        self.rank, self.out_of_time = rank, out_of_time
        self.proof = PairProof(pair)
        self.slices = _echelon(_slices(tensor, pair))
        self.cells: dict[Weight, list[Cell]] = {}
        for i, j in product(range(self.sides[0]), range(self.sides[1])):
            if (i, j) not in self.slices:
                weight = _plus(symmetry.weights[first][i], symmetry.weights[second][j])
                self.cells.setdefault(weight, []).append((i, j))
        self.order = sorted(self.cells, key=lambda w: (-height(w, symmetry.rho), w))
        self.operators = [
            (root, self._modulo_slices(x[first], x[second]))
            for root, x in zip(symmetry.roots, symmetry.raising, strict=True)
        ]

    def _modulo_slices(
        self, left: Mapping[Cell, int], right: Mapping[Cell, int]
    ) -> dict[Cell, dict[Cell, flint.fmpq]]:
        images: dict[Cell, dict[Cell, flint.fmpq]] = {}
        for i, j in (cell for cells in self.cells.values() for cell in cells):
            image: Row = {}
            for (k, column), x in left.items():
                if column == i:
                    _accumulate(image, (k, j), flint.fmpq(x))
            for (k, column), x in right.items():
                if column == j:
                    _accumulate(image, (i, k), flint.fmpq(x))
            for cell in [cell for cell in image if cell in self.slices]:
                _subtract(image, image[cell], self.slices[cell])
            images[i, j] = image
        return images

    def run(self) -> PairProof:
        """Visit every leaf."""
        left = self.rank - len(self.slices)
        if left >= 0:
            self._visit(0, left, {}, [], 0)
        return self.proof

    def _visit(self, place: int, left: int, space: Space, equations: list[Entry], parameters: int) -> None:
        if not left:
            self._leaf([row for rows in space.values() for row in rows.values()], equations, [], 0)
            return
        if self.out_of_time():
            raise GivenUp("out of time")
        for index in range(place, len(self.order)):
            if sum(len(self.cells[w]) for w in self.order[index:]) < left:
                return
            weight = self.order[index]
            cells = self.cells[weight]
            for size in range(1, min(len(cells), left) + 1):
                for pivots in combinations(cells, size):
                    rows, following = _cell_of_grassmannian(cells, pivots, parameters)
                    extended = {**space, weight: rows}
                    new = [*equations, *self._closure(weight, rows, space)]
                    branch = _solve([row for known in extended.values() for row in known.values()], new, [])
                    if branch is None:
                        continue
                    updated = iter(branch[0])
                    replaced = {w: {pivot: next(updated) for pivot in known} for w, known in extended.items()}
                    self._visit(index + 1, left - size, replaced, branch[1], following)

    def _closure(self, weight: Weight, rows: Mapping[Cell, Row], space: Space) -> Iterator[Entry]:
        for row in rows.values():
            for root, images in self.operators:
                image: Row = {}
                for cell, x in row.items():
                    for target, y in images[cell].items():
                        _accumulate(image, target, x * y)
                for pivot, above in space.get(_plus(weight, root), {}).items():
                    if pivot in image:
                        _subtract(image, image[pivot], above)
                for cell in sorted(image):
                    yield image[cell]

    def _leaf(self, rows: list[Row], equations: list[Entry], nonzero: list[Entry], depth: int) -> None:
        branch = _solve(rows, equations, nonzero)
        if branch is None:
            self.proof.leaves.append("empty")
            return
        rows, equations, nonzero = branch
        everything = [row for _, row in sorted(self.slices.items())] + rows
        remaining: list[Entry] = []
        for side, word in ((0, "210"), (1, "120")):
            found, rest = rank_everywhere(self._products(everything, side), nonzero)
            if found > self.rank * (self.sides[side] - 1):
                self.proof.leaves.append(word)
                return
            remaining += rest
        if not _parameters([x for row in rows for x in row.values()] + equations + nonzero):
            self.proof.leaves.append("candidate")
            self.proof.candidates.append(everything)
            if len(self.proof.candidates) > MAX_CANDIDATES:
                raise GivenUp(f"more than {MAX_CANDIDATES} candidates")
            return
        factor = _factor_to_split_on(remaining, nonzero)
        if factor is None or depth == MAX_SPLITS:
            raise GivenUp("a family of candidates with parameters")
        self.proof.leaves.append(_terms(factor))
        self._leaf(rows, [*equations, factor], nonzero, depth + 1)
        self._leaf(rows, equations, [*nonzero, factor], depth + 1)

    def _products(self, rows: Sequence[Row], side: int) -> list[Row]:
        """Images of row (x) e_k in wedge^2 of one factor times the other."""
        found: list[Row] = []
        for row in rows:
            for k in range(self.sides[side]):
                image: Row = {}
                for cell, x in row.items():
                    i = cell[side]
                    if i != k:
                        image[min(i, k), max(i, k), cell[1 - side]] = x if i < k else -x
                found.append(image)
        return found


def _cell_of_grassmannian(
    cells: Sequence[Cell], pivots: Sequence[Cell], first: int
) -> tuple[dict[Cell, Row], int]:
    rows: dict[Cell, Row] = {}
    for pivot in pivots:
        row: Row = {pivot: ONE}
        for cell in cells:
            if cell > pivot and cell not in pivots:
                if first == PARAMETERS:
                    raise GivenUp(f"a family with more than {PARAMETERS} parameters")
                row[cell] = GENERATORS[first]
                first += 1
        rows[pivot] = row
    return rows, first


def rank_everywhere(rows: Sequence[Row], nonzero: Sequence[Entry]) -> tuple[int, list[Entry]]:
    """A rank that holds wherever the polynomials ``nonzero`` do not vanish, and the entries that were left unused."""
    rank = 0
    constant: list[Row] = []
    remaining: list[Entry] = []
    for block in _blocks(rows):
        if any(_is_polynomial(x) for row in block for x in row.values()):
            found, left = _rank_by_units(block, nonzero)
            rank += found
            remaining += left
        else:
            constant += block
    return rank + constant_rank(constant), remaining


def constant_rank(rows: Sequence[Mapping[Any, flint.fmpq]]) -> int:
    """Rank modulo a prime of a rational matrix."""
    columns: dict[Any, int] = {}
    sparse: dict[int, dict[int, int]] = {}
    for i, row in enumerate(rows):
        scale = lcm(*(int(x.q) for x in row.values())) if row else 1
        reduced = {c: int(x.p) * (scale // int(x.q)) % PRIME for c, x in row.items()}
        sparse[i] = {columns.setdefault(c, len(columns)): x for c, x in reduced.items() if x}
    return rank_mod_p(sparse, PRIME).rank


def _blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Classes of rows that are linked by common columns, each in the given order."""
    parent: dict[Any, Any] = {}

    def find(x: Any) -> Any:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for row in rows:
        names = iter(row)
        first = next(names, None)
        for other in names:
            parent[find(other)] = find(first)
    classes: dict[Any, list[Row]] = {}
    for row in rows:
        if row:
            classes.setdefault(find(next(iter(row))), []).append(row)
    yield from classes.values()


def _rank_by_units(block: Sequence[Row], nonzero: Sequence[Entry]) -> tuple[int, list[Entry]]:
    rows = [dict(row) for row in block]
    rank = 0
    while True:
        place = _unit(rows, nonzero)
        if place is None:
            return rank, [x for row in rows for x in row.values()]
        i, column = place
        pivot = rows.pop(i)
        unit = pivot[column]
        rank += 1
        for row in rows:
            if column not in row:
                continue
            factor = row[column]
            if _is_polynomial(unit):
                for c in row:
                    row[c] = row[c] * unit
            else:
                factor = factor / unit
            _subtract(row, factor, pivot)


def _unit(rows: Sequence[Row], nonzero: Sequence[Entry]) -> tuple[int, Any] | None:
    """The pivot that the rule takes: a constant if there is one, of the units the first in the order of the format."""
    polynomials: list[tuple[int, int, int, Any]] = []
    constants: list[tuple[int, int, Any]] = []
    for i, row in enumerate(rows):
        for column, x in row.items():
            if _is_polynomial(x):
                polynomials.append((len(x), len(row), i, column))
            else:
                constants.append((len(row), i, column))
    if constants:
        return min(constants)[1:]
    for _, _, i, column in sorted(polynomials):
        if not _is_polynomial(_without_factors(rows[i][column], nonzero)):
            return i, column
    return None


Branch = tuple[list[Row], list[Entry], list[Entry]]


def _solve(rows: list[Row], equations: Sequence[Entry], nonzero: Sequence[Entry]) -> Branch | None:
    """Use equations that are linear in a parameter with a constant coefficient; None when the branch is empty."""
    equations, nonzero = list(equations), list(nonzero)
    while True:
        if any(x == 0 for x in nonzero):
            return None
        nonzero = [x for x in nonzero if _is_polynomial(x)]
        equations = [left for x in equations if x != 0 and (left := _without_factors(x, nonzero)) != 0]
        if any(not _is_polynomial(x) for x in equations):
            return None
        found = next(((x, t) for x in equations for t in sorted(_parameters([x])) if _is_linear(x, t)), None)
        if found is None:
            return rows, equations, nonzero
        equation, t = found
        coefficient = equation.derivative(t).leading_coefficient()
        values = list(GENERATORS)
        values[t] = GENERATORS[t] - equation / coefficient

        def substituted(x: Entry, values: list[Any] = values, t: int = t) -> Entry:
            if not _is_polynomial(x) or not x.degrees()[t]:
                return x
            return _tidy(x.compose(*values, ctx=CONTEXT))

        rows = [{c: y for c, x in row.items() if (y := substituted(x)) != 0} for row in rows]
        equations = [substituted(x) for x in equations]
        nonzero = [substituted(x) for x in nonzero]


def _is_linear(x: Entry, t: int) -> bool:
    return x.degrees()[t] == 1 and x.derivative(t).is_constant()


def _without_factors(x: Entry, nonzero: Sequence[Entry]) -> Entry:
    for factor in nonzero:
        while _is_polynomial(x):
            quotient, rest = divmod(x, factor)
            if rest != 0:
                break
            x = _tidy(quotient)
    return x


def _factor_to_split_on(remaining: Sequence[Entry], nonzero: Sequence[Entry]) -> Entry | None:
    """The simplest irreducible factor of the entries that no pivot could use."""
    polynomials = {str(x): x for x in remaining if _is_polynomial(x)}
    factors = {str(f): f for x in polynomials.values() for f, _ in (irreducible_factors(x) or (1, []))[1]}
    new = [f for f in factors.values() if _is_polynomial(_without_factors(f, nonzero))]
    return min(new, key=lambda f: (f.total_degree(), len(f), str(f)), default=None)


def _terms(x: Entry) -> list[tuple[tuple[int, ...], Fraction]]:
    terms = [
        (tuple(i for i, e in enumerate(exponents) for _ in range(int(e))), fraction(flint.fmpq(c)))
        for exponents, c in x.terms()
    ]
    return sorted(terms, key=lambda term: (len(term[0]), term[0]))


def _parameters(entries: Sequence[Entry]) -> set[int]:
    return {i for x in entries if _is_polynomial(x) for i, e in enumerate(x.degrees()) if e}


def _is_polynomial(x: Entry) -> bool:
    return isinstance(x, flint.fmpq_mpoly)


def _tidy(x: Entry) -> Entry:
    if isinstance(x, flint.fmpq_mpoly) and x.is_constant():
        return flint.fmpq(x.leading_coefficient()) if x != 0 else flint.fmpq(0)
    return x


def _accumulate(row: Row, column: Any, x: Entry) -> None:
    total = _tidy(row[column] + x) if column in row else x
    if total == 0:
        row.pop(column, None)
    else:
        row[column] = total


def _subtract(row: Row, factor: Entry, other: Mapping[Any, Entry]) -> None:
    for column, x in other.items():
        _accumulate(row, column, _tidy(-factor * x))


def _plus(left: Weight, right: Weight) -> Weight:
    return tuple(x + y for x, y in zip(left, right, strict=True))


def _slices(tensor: Tensor, pair: Cell) -> list[Row]:
    first, second = pair
    third = 3 - first - second
    found: dict[int, Row] = {}
    for index, value in tensor.items():
        found.setdefault(index[third], {})[index[first], index[second]] = value
    return [found[k] for k in sorted(found)]


def _echelon(rows: Sequence[Row]) -> dict[Any, Row]:
    """Reduced echelon basis of a span by pivot, the least column of a row."""
    columns = sorted({c for row in rows for c in row})
    if not columns:
        return {}
    matrix, rank = flint.fmpq_mat([[row.get(c, 0) for c in columns] for row in rows]).rref()
    basis: dict[Any, Row] = {}
    for i in range(rank):
        row = {c: matrix[i, j] for j, c in enumerate(columns) if matrix[i, j] != 0}
        basis[min(row)] = row
    return basis


def _triples_refuted(
    candidates: Sequence[Sequence[list[Row]]],
    dimensions: Sequence[int],
    rank: int,
    out_of_time: Callable[[], bool],
) -> bool:
    """Whether for all triples the three spaces of degree (111) meet in less than ``rank`` dimensions."""
    if len(candidates[0]) * len(candidates[1]) * len(candidates[2]) > MAX_TRIPLES:
        raise GivenUp("too many triples of candidates")
    bases = [[_echelon(rows) for rows in listed] for listed in candidates]
    for basis in bases[0]:
        vectors = [
            {(*cell, k): x for cell, x in row.items()} for row in basis.values() for k in range(dimensions[2])
        ]
        quotients = [
            [[_quotient(vector, other, pair) for vector in vectors] for other in bases[number]]
            for number, pair in ((1, PAIRS[1]), (2, PAIRS[2]))
        ]
        for left in quotients[0]:
            for right in quotients[1]:
                if out_of_time():
                    raise GivenUp("out of time")
                rows = [
                    {(0, c): x for c, x in u.items()} | {(1, c): x for c, x in v.items()}
                    for u, v in zip(left, right, strict=True)
                ]
                if constant_rank(rows) <= rank * (dimensions[2] - 1):
                    return False
    return True


def _quotient(vector: Row, basis: Mapping[Cell, Row], pair: Cell) -> Row:
    """A tensor modulo the product of a subspace of two factors with the third."""
    result: Row = {}
    for index, x in vector.items():
        cell = index[pair[0]], index[pair[1]]
        for other, y in basis[cell].items() if cell in basis else ((cell, -ONE),):
            if other == cell and cell in basis:
                continue
            place = list(index)
            place[pair[0]], place[pair[1]] = other
            _accumulate(result, tuple(place), -x * y)
    return result
