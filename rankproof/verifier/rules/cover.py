"""Rule ``cover``: over GF(p), widths of spaces of slices bound one another, by linear programming duality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil

from ..claims import AT_LEAST, RANK, Claim
from ..matrix import Work
from ..matrix_spaces import (
    Matrix,
    Vector,
    combination,
    concise,
    echelon,
    flat,
    points,
    products_bound,
    rank,
    residue,
    simple_bound,
    spanned_with,
    times,
    transposed,
)
from ..refusal import Rejected
from ..scalars import Rational
from ..targets import finite_field
from .cover_witness import Case, Cover, Leaf, Map, Node, read
from .over import field_refused, ring_of_lower_bound
from .rule import Context, Rule

Subspace = tuple[int, int]
"""The points that vanish on it, as bits; and a lower bound on its width."""


def derive(cover: Cover, context: Context) -> Claim:
    if finite_field(context.over) is None:
        raise field_refused(context, "GF(p)")
    ring = ring_of_lower_bound(context)
    if ring.prime != cover.prime:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    entries = context.target.over(ring).entries
    dimensions = [n for n, _ in context.target.space.factors]
    size = dimensions.pop(cover.factor)
    slices = [[[0] * dimensions[1] for _ in range(dimensions[0])] for _ in range(size)]
    for word, value in entries.items():
        i, j = word[: cover.factor] + word[cover.factor + 1 :]
        slices[word[cover.factor]][i][j] = int(value)  # type: ignore[arg-type]
    check = _Check(cover, [tuple(map(tuple, matrix)) for matrix in slices], context)
    for index, node in enumerate(cover.nodes):
        check.node(node, context.witness("nodes", index))
    return Claim(RANK, context.units.name, context.over, AT_LEAST, check.values[-1])


class _Check:
    """Goes through the nodes; ``spaces`` and ``values`` are those of the nodes so far."""

    def __init__(self, cover: Cover, slices: list[Matrix], context: Context) -> None:
        self.cover, self.p, self.slices = cover, cover.prime, slices
        self.work = Work()
        self.spaces: list[list[Matrix]] = []
        self.values: list[int] = []

    def node(self, node: Node, pointer: str) -> None:
        entries = len(self.slices[0]) * len(self.slices[0][0])
        self.work.spend(len(node.space) * entries * (len(self.slices) + len(node.space)))
        space = [combination(row, self.slices, self.p) for row in node.space]
        # A node without any matrix in it would make every statement about all of its points true.
        if rank(map(flat, space), self.p) != len(space):
            raise Rejected("dependent", f"{pointer}/space", "these combinations of the slices are linearly dependent")
        if node.products:
            value = self.products(space, *node.products, f"{pointer}/products")
        elif node.weights:
            value = _Duality(self, space, node, pointer).cover(node.weights)
        elif node.cases:
            value = _Duality(self, space, node, pointer).tree(node.bound, node.cases)
        else:
            value = self.exhaustion(space, node.added, f"{pointer}/added")
        self.spaces.append(space)
        self.values.append(value)

    def products(self, space: list[Matrix], factor: int, vectors: list[Vector], pointer: str) -> int:
        """Slices across the space that are of rank one may be taken as terms."""
        if factor == max({0, 1, 2} - {self.cover.factor}):
            space = list(map(transposed, space))
        slices = list(zip(*space, strict=True))
        products = [combination(vector, slices, self.p) for vector in vectors]
        for i, matrix in enumerate(products):
            if rank(matrix, self.p) != 1:
                raise Rejected("not-rank-one", f"{pointer}/vectors/{i}", "this slice is not of rank one")
        if rank(map(flat, products), self.p) != len(products):
            raise Rejected("dependent", f"{pointer}/vectors", "these slices are linearly dependent")
        return products_bound(slices, products, self.p)

    def exhaustion(self, space: list[Matrix], added: int, pointer: str) -> int:
        """No choice of so many matrices of rank one is enough."""
        space = concise(space, self.p)
        if len(space) + added > len(space[0]) * len(space[0][0]):
            raise Rejected("no-room", pointer, "there are not so many independent matrices: nothing is tried")
        if spanned_with(space, added, self.p, self.work):
            raise Rejected("spanned", pointer, f"the space is spanned with {added} matrices of rank one")
        return len(space) + added + 1

    def image(self, map_: Map, space: Sequence[Matrix]) -> list[Matrix]:
        rows, columns = len(map_.left), len(map_.right[0])
        self.work.spend(len(space) * rows * columns * (rows + columns))
        moved = map(transposed, space) if map_.transposes else space
        return [times(times(map_.left, matrix, self.p), map_.right, self.p) for matrix in moved]

    def width_of(self, subspace: list[Matrix], node: int | None, map_: int | None, pointer: str) -> int:
        """A lower bound: that of an earlier node into whose space a map takes the subspace, or one computed here."""
        if node is None:
            return simple_bound(subspace, self.p, self.work)
        if map_ is not None:
            subspace = self.image(self.cover.maps[map_], subspace)
        basis = echelon(map(flat, subspace), self.p)
        if any(any(residue(flat(matrix), basis, self.p)) for matrix in self.spaces[node]):
            raise Rejected("not-contained", pointer, f"the image of the subspace does not contain that of node {node}")
        return self.values[node]


class _Duality:
    """The points of a space, which are its linear functions up to scale, against subspaces of known width.

    A term stands for all images of its subspace under the symmetries of the node.
    """

    def __init__(self, check: _Check, space: list[Matrix], node: Node, pointer: str) -> None:
        self.p, self.work, self.pointer = check.p, check.work, pointer
        self.points = list(points(len(space), self.p))
        self.place = {point: i for i, point in enumerate(self.points)}
        self._masks: dict[Vector, int] = {}
        self.actions = [self._action(space, check, number) for number in node.symmetries]
        self.groups: list[list[Subspace]] = []
        for i, term in enumerate(node.terms):
            here = f"{pointer}/terms/{i}"
            start = tuple(echelon(term.subspace, self.p).values())
            if len(start) != len(term.subspace):
                raise Rejected("dependent", f"{here}/0", "these vectors are linearly dependent")
            chosen = [combination(row, space, self.p) for row in start]
            width = check.width_of(chosen, term.node, term.map, here)
            self.groups.append([(self._mask(image), width) for image in self._orbit(start)])

    def _action(self, space: list[Matrix], check: _Check, number: int) -> Matrix:
        """Rows: coordinates of the images of the basis of the space."""
        size = len(space)
        units = [tuple(int(i == j) for j in range(size)) for i in range(size)]
        tracked = echelon([(*flat(x), *unit) for x, unit in zip(space, units, strict=True)], self.p)
        rows: list[Vector] = []
        for image in check.image(check.cover.maps[number], space):
            rest = residue((*flat(image), *(0,) * size), tracked, self.p)
            if any(rest[:-size]):
                raise Rejected("not-a-symmetry", self.pointer, f"map {number} does not take the space to itself")
            rows.append(tuple(-x % self.p for x in rest[-size:]))
        if rank(rows, self.p) != size:
            raise Rejected("not-invertible", self.pointer, f"map {number} is not invertible on the space")
        return tuple(rows)

    def _orbit(self, start: Matrix) -> list[Matrix]:
        """Images of a subspace, in the order in which they are reached, breadth first."""
        found = {start: None}
        queue = [start]
        for subspace in queue:
            self.work.spend(10 * len(self.actions) * len(self.points[0]) ** 3)
            for action in self.actions:
                image = tuple(echelon(times(subspace, action, self.p), self.p).values())
                if image not in found:
                    found[image] = None
                    queue.append(image)
        return queue

    def _orbit_of_point(self, start: Vector) -> set[int]:
        found = {self.place[start]}
        queue = [start]
        for point in queue:
            self.work.spend(10 * len(self.actions) * len(point) ** 2)
            for action in self.actions:
                (image,) = transposed(times(action, transposed((point,)), self.p))
                (normal,) = echelon([image], self.p).values()
                if self.place[normal] not in found:
                    found.add(self.place[normal])
                    queue.append(normal)
        return found

    def _mask(self, subspace: Matrix) -> int:
        """The points that vanish on a subspace, as bits."""
        mask = (1 << len(self.points)) - 1
        for vector in subspace:
            if vector not in self._masks:
                self.work.spend(len(self.points) * len(vector))
                values = (sum(map(int.__mul__, point, vector)) % self.p for point in self.points)
                self._masks[vector] = sum(1 << i for i, value in enumerate(values) if not value)
            mask &= self._masks[vector]
        return mask

    def _loads(self, weighted: list[tuple[int, Rational]]) -> list[Rational]:
        """For every point the sum of the weights of the subspaces on which it does not vanish."""
        self.work.spend(len(self.points))
        total = sum(weight for _, weight in weighted)
        loads: list[Rational] = [total] * len(self.points)
        for mask, weight in weighted:
            self.work.spend(10 * mask.bit_count())
            for place in _bits(mask):
                loads[place] -= weight
        return loads

    def cover(self, weights: list[Rational]) -> int:
        weighted = [(mask, y) for group, y in zip(self.groups, weights, strict=True) for mask, _ in group]
        for place, load in enumerate(self._loads(weighted)):
            if load > 1:
                message = f"the weights at the point {self.points[place]} sum to {load}"
                raise Rejected("load", f"{self.pointer}/weights", message)
        return ceil(sum(y * width for group, y in zip(self.groups, weights, strict=True) for _, width in group))

    def tree(self, bound: int, cases: list[Case]) -> int:
        subspaces = list(chain.from_iterable(self.groups))
        absent: dict[int, int] = {}
        for i, case in enumerate(cases):
            here = f"{self.pointer}/cases/{i}"
            place = self.place[case.point]
            pending = [({place: 1}, dict(absent))]
            for j, entry in enumerate(case.tree):
                if not pending:
                    raise Rejected("tree", f"{here}/tree/{j}", "the tree has ended before")
                least, most = pending.pop()
                if isinstance(entry, list):
                    self._leaf(entry, bound, least, most, subspaces, f"{here}/tree/{j}")
                    continue
                place = self.place[entry]
                count = least.get(place, 0)
                self.work.spend(len(least) + len(most))
                pending += [({**least, place: count + 1}, most), (least, {**most, place: count})]
            if pending:
                raise Rejected("tree", f"{here}/tree", "a branch has no leaf")
            absent.update(dict.fromkeys(self._orbit_of_point(case.point), 0))
        if len(absent) != len(self.points):
            raise Rejected("cases", f"{self.pointer}/cases", "there are points in no case")
        return bound

    def _leaf(
        self,
        leaf: Leaf,
        bound: int,
        least: dict[int, int],
        most: dict[int, int],
        subspaces: list[Subspace],
        pointer: str,
    ) -> None:
        """Fewer terms than the bound are impossible, with at least and at most so many of some kinds."""
        if any(number >= len(subspaces) for number, _ in leaf):
            raise Rejected("leaf", pointer, f"there are {len(subspaces)} subspaces")
        total = sum(weight * subspaces[number][1] for number, weight in leaf)
        for place, load in enumerate(self._loads([(subspaces[number][0], weight) for number, weight in leaf])):
            if load > 1 and place not in most:
                raise Rejected("load", pointer, f"the weights at the point {self.points[place]} sum to {load}")
            total += (1 - load) * (least.get(place, 0) if load <= 1 else most[place])
        if total <= bound - 1:
            raise Rejected("leaf", pointer, f"at least {total} terms: that is no contradiction")


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


RULE = Rule(read, derive)
