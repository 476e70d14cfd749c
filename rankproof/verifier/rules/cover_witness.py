"""The witness of the rule ``cover``: maps, and nodes, each a space of slices and why it has its width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..matrix_spaces import Matrix, Vector
from ..reading import MISSING, integer, is_list, is_object, keys, sequence
from ..refusal import Undecided, Unreadable
from ..scalars import SAFE, Rational, read_rational
from .flattening import read_prime
from .rule import Context


@dataclass(frozen=True)
class Map:
    """X -> left X right, or left X^t right."""

    left: Matrix
    right: Matrix
    transposes: bool


@dataclass(frozen=True)
class Term:
    """A subspace of the space of a node; perhaps an earlier node, and a map to the space of that."""

    subspace: list[Vector]
    node: int | None
    map: int | None


Leaf = list[tuple[int, Rational]]
"""Numbers of subspaces, with weights."""


@dataclass(frozen=True)
class Case:
    """A point that occurs, and a tree in preorder, where a point is a branch."""

    point: Vector
    tree: list[Vector | Leaf]


@dataclass(frozen=True)
class Node:
    """``weights`` belong to a cover, ``bound`` and ``cases`` to a case tree; else there are products, or a number."""

    space: list[Vector]
    symmetries: Sequence[int] = ()
    terms: Sequence[Term] = ()
    weights: list[Rational] | None = None
    bound: int = 0
    cases: list[Case] | None = None
    products: tuple[int, list[Vector]] | None = None
    added: int = 0


@dataclass(frozen=True)
class Cover:
    prime: int
    factor: int
    maps: list[Map]
    nodes: list[Node]


def read(witness: Any, context: Context) -> Cover:
    prime, factor, nodes, maps = keys(witness, context.witness(), ("prime", "factor", "nodes"), ("maps",))
    factors = context.target.space.factors
    if len(factors) != 3:
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about tensors with three factors")
    prime, _ = read_prime(prime, MISSING, context)
    integer(factor, context.witness("factor"), 0, 2)
    if any(prime**n >= SAFE for n, _ in factors):
        raise Undecided("limit-cover", context.witness("prime"), "vectors of this length do not fit into integers")
    return _Reader(prime, factor, [n for n, _ in factors], context).cover(nodes, maps)


@dataclass(frozen=True)
class _Reader:
    prime: int
    factor: int
    dimensions: list[int]
    context: Context

    def cover(self, nodes: Any, maps: Any) -> Cover:
        here = self.context.witness("maps")
        listed = [] if maps is MISSING else sequence(maps, here, least=1)
        read_maps = [self.map(node, f"{here}/{i}") for i, node in enumerate(listed)]
        here = self.context.witness("nodes")
        read_nodes = [
            self.node(node, f"{here}/{i}", i, len(read_maps)) for i, node in enumerate(sequence(nodes, here, least=1))
        ]
        return Cover(self.prime, self.factor, read_maps, read_nodes)

    def vector(self, node: Any, pointer: str, length: int) -> Vector:
        """The digits of an integer to the base p, the lowest first."""
        value = integer(node, pointer, 0, self.prime**length - 1)
        digits: list[int] = []
        for _ in range(length):
            value, digit = divmod(value, self.prime)
            digits.append(digit)
        return tuple(digits)

    def vectors(self, node: Any, pointer: str, length: int, least: int, most: int) -> list[Vector]:
        listed = sequence(node, pointer, least=least, most=most)
        return [self.vector(x, f"{pointer}/{i}", length) for i, x in enumerate(listed)]

    def point(self, node: Any, pointer: str, length: int) -> Vector:
        vector = self.vector(node, pointer, length)
        if next((x for x in vector if x), 0) != 1:
            raise Unreadable("not-normal", pointer, "the first coordinate of a point that is not zero is 1")
        return vector

    def map(self, node: Any, pointer: str) -> Map:
        left, right, swap = keys(node, pointer, ("left", "right"), ("transposed",))
        rows, columns = self.dimensions[: self.factor] + self.dimensions[self.factor + 1 :]
        transposes = swap is not MISSING
        if transposes:
            integer(swap, f"{pointer}/transposed", 1, 1)
        inner = (columns, rows) if transposes else (rows, columns)
        return Map(
            tuple(self.vectors(left, f"{pointer}/left", inner[0], rows, rows)),
            tuple(self.vectors(right, f"{pointer}/right", columns, inner[1], inner[1])),
            transposes,
        )

    def node(self, node: Any, pointer: str, index: int, maps: int) -> Node:
        kind = next((k for k in ("products", "added", "cases") if is_object(node) and k in node), "weights")
        optional = ("symmetries",) if kind in ("cases", "weights") else ()
        required = {"cases": ("space", "terms", "bound", "cases"), "weights": ("space", "terms", "weights")}
        values = keys(node, pointer, required.get(kind, ("space", kind)), optional)
        size = self.dimensions[self.factor]
        space = self.vectors(values[0], f"{pointer}/space", size, 1, size)
        lines = (self.prime ** len(space) - 1) // (self.prime - 1)
        if lines > limits.COVER_POINTS:
            raise Undecided("limit-cover", f"{pointer}/space", f"{lines} points; at most {limits.COVER_POINTS}")
        if kind == "products":
            return Node(space, products=self.products(values[1], f"{pointer}/products"))
        if kind == "added":
            return Node(space, added=integer(values[1], f"{pointer}/added", 0, SAFE))
        here = f"{pointer}/symmetries"
        listed = [] if values[-1] is MISSING else sequence(values[-1], here, least=1)
        symmetries = [integer(x, f"{here}/{i}", 0, maps - 1) for i, x in enumerate(listed)]
        here = f"{pointer}/terms"
        terms = [
            self.term(term, f"{here}/{i}", len(space), index, maps)
            for i, term in enumerate(sequence(values[1], here, least=1))
        ]
        if kind == "weights":
            return Node(space, symmetries, terms, weights=self.weights(values[2], f"{pointer}/weights", len(terms)))
        bound = integer(values[2], f"{pointer}/bound", 1, SAFE)
        here = f"{pointer}/cases"
        cases = [self.case(x, f"{here}/{i}", len(space)) for i, x in enumerate(sequence(values[3], here, least=1))]
        return Node(space, symmetries, terms, bound=bound, cases=cases)

    def term(self, node: Any, pointer: str, dimension: int, nodes: int, maps: int) -> Term:
        parts = sequence(node, pointer, least=1, most=3)
        subspace = self.vectors(parts[0], f"{pointer}/0", dimension, 1, dimension)
        to = integer(parts[1], f"{pointer}/1", 0, nodes - 1) if len(parts) > 1 else None
        by = integer(parts[2], f"{pointer}/2", 0, maps - 1) if len(parts) > 2 else None
        return Term(subspace, to, by)

    def weights(self, node: Any, pointer: str, count: int) -> list[Rational]:
        listed = sequence(node, pointer, least=count, most=count)
        return [self.weight(x, f"{pointer}/{i}") for i, x in enumerate(listed)]

    def weight(self, node: Any, pointer: str) -> Rational:
        value = read_rational(node, pointer)
        if value <= 0:
            raise Unreadable("out-of-range", pointer, "weights are positive")
        return value

    def case(self, node: Any, pointer: str, dimension: int) -> Case:
        point, tree = keys(node, pointer, ("point", "tree"))
        here = f"{pointer}/tree"
        entries: list[Vector | Leaf] = []
        for i, entry in enumerate(sequence(tree, here, least=1)):
            leaf = is_list(entry)
            entries.append(self.leaf(entry, f"{here}/{i}") if leaf else self.point(entry, f"{here}/{i}", dimension))
        return Case(self.point(point, f"{pointer}/point", dimension), entries)

    def leaf(self, node: list[Any], pointer: str) -> Leaf:
        leaf: Leaf = []
        for i, pair in enumerate(node):
            number, weight = sequence(pair, f"{pointer}/{i}", least=2, most=2)
            leaf.append((integer(number, f"{pointer}/{i}/0", 0, SAFE), self.weight(weight, f"{pointer}/{i}/1")))
        return leaf

    def products(self, node: Any, pointer: str) -> tuple[int, list[Vector]]:
        factor, vectors = keys(node, pointer, ("factor", "vectors"))
        along = integer(factor, f"{pointer}/factor", 0, 2)
        if along == self.factor:
            raise Unreadable("out-of-range", f"{pointer}/factor", "the products are slices along another factor")
        size = self.dimensions[along]
        return along, self.vectors(vectors, f"{pointer}/vectors", size, 1, size)
