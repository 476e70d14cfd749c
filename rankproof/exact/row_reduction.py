"""Dense vectors over QQ, GF(p) and number fields: echelon forms, kernels, and coordinates in a span."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankproof.problem.field import Field, Scalar

Vector = list[Scalar]


class Echelon:
    """A growing set of independent vectors, reduced so that coordinates and membership are quick.

    Parameters
    ----------
    ring
        Exact field of the coordinates.
    vectors
        Vectors to begin with; those that depend on earlier ones are left out.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> span = Echelon(QQ, [[1, 1, 0], [0, 2, 2]])
    >>> span.rest([1, 0, 0]), span.coordinates([1, 3, 2]), span.add([1, 3, 2])
    ([0, 0, 1], [1, 1], False)
    """

    def __init__(self, ring: Field, vectors: Iterable[Sequence[Scalar]] = ()) -> None:
        self.ring = ring
        self.given: list[Vector] = []
        self._rows: list[tuple[int, Vector, Vector]] = []
        for vector in vectors:
            self.add(vector)

    def __len__(self) -> int:
        return len(self.given)

    @property
    def pivots(self) -> list[int]:
        """Coordinates that are zero in every rest."""
        return [pivot for pivot, _, _ in self._rows]

    def _reduced(self, vector: Sequence[Scalar]) -> tuple[Vector, Vector]:
        rest: Vector = [self.ring.reduce(x) for x in vector]
        used: Vector = [0] * len(self.given)
        for pivot, row, combination in self._rows:
            if factor := rest[pivot]:
                rest = [self.ring.reduce(x - factor * y) if y else x for x, y in zip(rest, row, strict=True)]
                for k, y in enumerate(combination):
                    if y:
                        used[k] = self.ring.reduce(used[k] + factor * y)
        return rest, used

    def rest(self, vector: Sequence[Scalar]) -> Vector:
        """The representative of a vector modulo the span."""
        return self._reduced(vector)[0]

    def coordinates(self, vector: Sequence[Scalar]) -> Vector | None:
        """Coefficients of the vectors in ``given`` that give a vector; None when it is not in the span."""
        rest, used = self._reduced(vector)
        return None if any(rest) else used

    def add(self, vector: Sequence[Scalar]) -> bool:
        """Add a vector; say whether it is independent of those before."""
        rest, used = self._reduced(vector)
        pivot = next((i for i, x in enumerate(rest) if x), None)
        if pivot is None:
            return False
        scale = self.ring.inverse(rest[pivot])
        combination = [self.ring.reduce(-x * scale) for x in used] + [scale]
        self.given.append(list(vector))
        self._rows.append((pivot, [self.ring.reduce(x * scale) for x in rest], combination))
        return True


def null_space(rows: Iterable[Sequence[Scalar]], width: int, ring: Field) -> list[Vector]:
    """Basis of the vectors of a length on which all rows vanish.

    Examples
    --------
    >>> from rankproof.problem.field import gf
    >>> null_space([[1, 2, 0]], 3, gf(5))
    [[3, 1, 0], [0, 0, 1]]
    """
    span = Echelon(ring, rows)
    echelon: dict[int, Vector] = {}
    # Later rows are free of earlier pivots; from the last one back they are cleared of later ones.
    for pivot, row, _ in reversed(span._rows):
        work = row
        for other, cleared in echelon.items():
            if factor := work[other]:
                work = [ring.reduce(x - factor * y) if y else x for x, y in zip(work, cleared, strict=True)]
        echelon[pivot] = work
    basis: list[Vector] = []
    for free in range(width):
        if free not in echelon:
            vector: Vector = [0] * width
            vector[free] = 1
            for pivot, row in echelon.items():
                vector[pivot] = ring.reduce(-row[free])
            basis.append(vector)
    return basis
