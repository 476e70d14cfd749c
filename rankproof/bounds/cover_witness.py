"""Bounds on the widths of subspaces, written down as the witness of the rule ``cover`` (docs/format.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.covers import Covers, Products, Simple, Trees, Weights
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.grassmannians import orbits, rref
from rankproof.exact.matrix_spaces import MatrixMap, coordinates
from rankproof.exact.subspace_classes import Symmetry, inverse_of

Residues = NDArray[np.int64]


def encoded(rows: Residues, p: int) -> list[int]:
    """Vectors as the integers whose digits to the base p, lowest first, they are.

    Examples
    --------
    >>> encoded(np.array([[1, 2], [0, 1]]), 3)
    [7, 3]
    """
    return [sum(int(x) * p**i for i, x in enumerate(row)) for row in rows]


def _orbit(start: Residues, actions: Sequence[Residues], p: int) -> list[Residues]:
    """Images of a subspace under all products of actions, breadth first."""
    found = {start.tobytes()}
    queue = [start]
    for subspace in queue:
        for action in actions:
            (image,) = rref((subspace @ action % p)[None], p)
            if image.tobytes() not in found:
                found.add(image.tobytes())
                queue.append(image)
    return queue


def _total(kept: dict[int, list[Residues]]) -> int:
    return sum(map(len, kept.values()))


class Writer:
    """Writes the nodes that one bound needs.

    Parameters
    ----------
    covers
        The bounds, with their reasons.
    frame
        Rows by which the space is given: its basis as combinations of the slices of the target.
    factor
        The factor of the target along which it is sliced.
    rng
        Chooses symmetries that fix a subspace.
    stop
        Asked whether time is over; then fewer symmetries are looked for.
    """

    def __init__(
        self, covers: Covers, frame: Residues, factor: int, rng: np.random.Generator, stop: Callable[[], bool]
    ) -> None:
        self._covers, self._frame, self._factor = covers, frame, factor
        self._classes, self._p = covers.classes, covers.p
        self._rng, self._stop = rng, stop
        self._nodes: list[dict[str, Any]] = []
        self._places: dict[int, int] = {}
        self._maps: dict[tuple[bytes, bytes, bool], int] = {}
        self._listed: list[dict[str, Any]] = []

    def witness(self, number: int) -> dict[str, Any]:
        """The witness for the bound of one class, whose node comes last."""
        self._node(number)
        witness: dict[str, Any] = {"prime": self._p, "factor": self._factor}
        if self._listed:
            witness["maps"] = self._listed
        return witness | {"nodes": self._nodes}

    def _node(self, number: int) -> int:
        if number in self._places:
            return self._places[number]
        why = self._covers.reasons[number]
        basis = self._classes.representatives[number]
        node: dict[str, Any] = {"space": encoded(basis @ self._frame % self._p, self._p)}
        if isinstance(why, Products):
            others = [axis for axis in range(3) if axis != self._factor]
            node["products"] = {"factor": others[why.axis - 1], "vectors": encoded(why.vectors, self._p)}
        elif isinstance(why, Weights):
            self._cover(node, number, why)
        elif isinstance(why, Trees):
            self._cases(node, number, why)
        else:
            # The bound is computed by the verifier: the whole space is the only term.
            node |= {"terms": [[encoded(np.eye(len(basis), dtype=np.int64), self._p)]], "weights": [1]}
        self._nodes.append(node)
        self._places[number] = len(self._nodes) - 1
        return self._places[number]

    def _cover(self, node: dict[str, Any], number: int, why: Weights) -> None:
        groups = {
            d: self._classes.inside(number, d) for d in {self._classes.dimensions[j] for j in why.weights}
        }
        wanted = {}
        for j in why.weights:
            local, classes = groups[self._classes.dimensions[j]]
            wanted[j] = local[classes == j].astype(np.int64)
        symmetries, kept = self._symmetries(number, wanted)
        if symmetries:
            node["symmetries"] = [self._map(symmetry[0]) for symmetry in symmetries]
        node["terms"], node["weights"] = [], []
        for j, weight in why.weights.items():
            for local in kept[j]:
                node["terms"].append(self._term(number, j, local))
                node["weights"].append(encode_scalar(weight))

    def _term(self, number: int, j: int, local: Residues) -> list[Any]:
        term: list[Any] = [encoded(local, self._p)]
        if isinstance(self._covers.reasons[j], Simple):
            return term
        basis = local @ self._classes.representatives[number] % self._p
        back = inverse_of(self._classes.carried(j, basis), self._p)
        term.append(self._node(j))
        if not (back[1] == self._classes.identity()[1]).all():
            term.append(self._map(back[0]))
        return term

    def _symmetries(
        self, number: int, wanted: dict[int, Residues]
    ) -> tuple[list[Symmetry], dict[int, list[Residues]]]:
        """Few symmetries of a representative, and one of the wanted subspaces for every orbit under them."""
        chosen: list[Symmetry] = []
        kept = self._one_each(number, chosen, wanted)
        for symmetry in self._classes.stabilisers(number, self._rng, self._stop):
            fewer = self._one_each(number, [*chosen, symmetry], wanted)
            # A map takes about as many bytes as three terms.
            if _total(fewer) + 3 < _total(kept):
                chosen, kept = [*chosen, symmetry], fewer
        return chosen, kept

    def _one_each(
        self, number: int, chosen: Sequence[Symmetry], wanted: dict[int, Residues]
    ) -> dict[int, list[Residues]]:
        basis = self._classes.representatives[number]
        found = {}
        for j, local in wanted.items():
            place = {row.tobytes(): i for i, row in enumerate(local)}
            images = []
            for _, action in chosen:
                moved = rref(local @ self._turned(basis, action) % self._p, self._p)
                images.append(np.array([place[row.tobytes()] for row in moved]))
            found[j] = [local[i] for i in np.unique(orbits(images, len(local)))]
        return found

    def _cases(self, node: dict[str, Any], number: int, why: Trees) -> None:
        """Terms are numbered as the verifier numbers them: orbit after orbit, each breadth first."""
        basis = self._classes.representatives[number]
        actions = [self._turned(basis, action) for _, action in why.symmetries]
        if why.symmetries:
            node["symmetries"] = [self._map(symmetry[0]) for symmetry in why.symmetries]
        node["terms"], node["bound"], node["cases"] = [], self._covers.bounds[number], []
        places: dict[bytes, int] = {}

        def place(local: Residues) -> int:
            if local.tobytes() not in places:
                (j,) = self._classes.classes_of((local @ basis % self._p)[None])
                node["terms"].append(self._term(number, int(j), local))
                for image in _orbit(local, actions, self._p):
                    places[image.tobytes()] = len(places)
            return places[local.tobytes()]

        for point, tree in why.cases:
            entries: list[Any] = []
            for entry in tree:
                if isinstance(entry, list):
                    entries.append([[place(local), encode_scalar(weight)] for local, weight in entry])
                else:
                    entries.extend(encoded(entry[None], self._p))
            node["cases"].append({"point": encoded(point[None], self._p)[0], "tree": entries})

    def _turned(self, basis: Residues, action: Residues) -> Residues:
        turned = coordinates(basis @ action % self._p, basis, self._p)
        if turned is None:
            raise ArithmeticError("a symmetry of a subspace does not fix it")
        return turned

    def _map(self, map_: MatrixMap) -> int:
        key = map_.left.tobytes(), map_.right.tobytes(), map_.transposes
        if key not in self._maps:
            self._maps[key] = len(self._listed)
            entry: dict[str, Any] = {
                "left": encoded(map_.left, self._p),
                "right": encoded(map_.right, self._p),
            }
            self._listed.append(entry | ({"transposed": 1} if map_.transposes else {}))
        return self._maps[key]
