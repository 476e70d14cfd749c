"""Sums of units as functions of their coordinates: residual, gradient and Gauss-Newton matrix, many points at a time.

A point is one row of length `size`: the factor matrices one after another, each of shape (length of the vector, width). With
J the derivative of the sum of units, `gradient` is J^H R and `gram` is J^H J; for complex points the sum is holomorphic in
the coordinates, so these are all that a Gauss-Newton step needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from rankproof.errors import UsageError
from rankproof.numeric.factors import Array, Factors


class Objective(ABC):
    """Squared distance of a sum of units to a target that is scaled to a largest entry near 1.

    Parameters
    ----------
    units_model
        Name of the unit model.
    lengths
        Lengths of the vectors of one unit.
    powers
        How often each vector occurs in the product; 1 for the last one.
    width
        Number of units.
    target
        Entries of the target in an orthonormal basis, any shape; real or complex, finite.

    Attributes
    ----------
    size
        Number of coordinates of a point.
    norm
        Norm of the scaled target.
    scale
        The power of two next to the largest entry of the target: what the last vectors are multiplied by in the end.
    """

    def __init__(
        self, units_model: str, lengths: Sequence[int], powers: Sequence[int], width: int, target: Array
    ) -> None:
        if width < 1:
            raise UsageError(f"a sum of {width} units cannot be searched for; give a width of at least 1")
        self.units_model, self.lengths, self.powers = units_model, tuple(lengths), tuple(powers)
        self.width = width
        ends = np.cumsum([n * width for n in self.lengths])
        self.size = int(ends[-1])
        self.slices = tuple(
            slice(int(e) - n * width, int(e)) for e, n in zip(ends, self.lengths, strict=True)
        )
        largest = float(np.abs(target).max(initial=0.0))
        # A power of two, so that a coordinate is a simple rational with the scale when it is one without.
        self.scale = 2.0 ** round(np.log2(largest)) if largest else 1.0
        self._targets = {target.dtype: target / self.scale}
        self.norm = float(np.linalg.norm(target / self.scale))
        self.dtype = np.dtype(np.complex128 if np.iscomplexobj(target) else np.float64)

    @property
    def is_zero(self) -> bool:
        """Whether the target is zero."""
        return not next(iter(self._targets.values())).any()

    def target(self, dtype: np.dtype) -> Array:
        """The scaled target in another precision."""
        if dtype not in self._targets:
            self._targets[dtype] = next(iter(self._targets.values())).astype(dtype)
        return self._targets[dtype]

    def unpack(self, x: Array) -> list[Array]:
        """Factor matrices of points: views of shape (points, length, width)."""
        return [
            x[:, part].reshape(len(x), n, self.width)
            for part, n in zip(self.slices, self.lengths, strict=True)
        ]

    def pack(self, matrices: Sequence[Array]) -> Array:
        """Points of factor matrices, the inverse of `unpack`."""
        return np.concatenate([m.reshape(len(m), -1) for m in matrices], axis=1)

    def factors(self, x: Array) -> Factors:
        """The sum of units of one point, for the target as it was given."""
        *first, last = (m[0].copy() for m in self.unpack(x[None] if x.ndim == 1 else x))
        return Factors(self.units_model, (*first, last * self.scale))

    def point(self, factors: Factors) -> Array:
        """The point of a sum of units, the inverse of `factors`."""
        *first, last = factors.matrices
        return self.pack([m[None] for m in (*first, last / self.scale)])[0]

    def balanced(self, x: Array) -> Array:
        """Points with the same sums in which all vectors of a unit have equal norms."""
        matrices = self.unpack(x)
        norms = [np.sqrt((np.abs(m) ** 2).sum(axis=1)) for m in matrices]
        total = np.ones_like(norms[0])
        for norm, p in zip(norms, self.powers, strict=True):
            total *= norm**p
        common = total ** (1 / sum(self.powers))
        # A unit with a vector that is zero is zero.
        scales = [np.divide(common, norm, out=np.zeros_like(norm), where=norm > 0) for norm in norms]
        return self.pack([m * c[:, None] for m, c in zip(matrices, scales, strict=True)])

    def normalised(self, x: Array, slot: int) -> Array:
        """Points with the same sums in which all vectors but one of a unit have norm 1."""
        matrices = self.unpack(x)
        result, scale = [], np.ones((len(x), self.width))
        for m, p in zip(matrices, self.powers, strict=True):
            norm = np.sqrt((np.abs(m) ** 2).sum(axis=1))
            norm[norm == 0] = 1.0
            result.append(m / norm[:, None])
            scale = scale * norm**p
        # The power of the slot is 1: what its own normalisation took away is part of the scale.
        result[slot] = result[slot] * scale[:, None]
        return self.pack(result)

    def largest(self, x: Array) -> Array:
        """Largest norm of a unit relative to that of the target: bounded near decompositions, not along degenerations."""
        total = np.ones((len(x), self.width))
        for m, p in zip(self.unpack(x), self.powers, strict=True):
            total *= np.sqrt((np.abs(m) ** 2).sum(axis=1)) ** p
        return total.max(axis=1) / (self.norm or 1.0)

    def cost(self, residual: Array) -> Array:
        """Squared norms of residuals, entry by entry: the Gram formula loses all digits near a solution."""
        flat = residual.reshape(len(residual), -1)
        return np.einsum("bn,bn->b", flat.conj(), flat).real

    @abstractmethod
    def residual(self, x: Array) -> Array:
        """Sum of the units minus the scaled target, one a point."""

    @abstractmethod
    def gradient(self, x: Array, residual: Array) -> Array:
        """J^H R, shape (points, size)."""

    @abstractmethod
    def gram(self, x: Array, *, lower: bool = False) -> Array:
        """J^H J, shape (points, size, size); with `lower` the part above the diagonal may be left out."""

    def linear_system(self, x: Array, residual: Array, slot: int) -> tuple[Array, Array]:
        """The blocks of `gram` and `gradient` that belong to one vector of the units."""
        part = self.slices[slot]
        return self.gram(x)[:, part, part].copy(), self.gradient(x, residual)[:, part]

    @abstractmethod
    def jacobian(self, x: Array) -> Array:
        """J, shape (points, entries, size): for small sizes, and for whoever needs its rank."""


def finite_array(values: object) -> Array:
    """Floats or complex numbers of whatever a caller hands over as a tensor; integers are converted.

    Raises
    ------
    UsageError
        If it holds something else than numbers, NaN or an infinity, or has no entries.
    """
    array = np.asarray(values)
    if array.dtype == object:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise UsageError(f"the tensor holds something that is not a number: {error}") from error
    if array.dtype.kind not in "biufc" or array.ndim < 1 or not array.size:
        raise UsageError(
            f"a tensor of numbers is needed, not an array of type {array.dtype} and shape {array.shape}"
        )
    array = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    if not np.isfinite(array).all():
        raise UsageError(
            "the tensor holds NaN or an infinity; replace or remove these entries before the search"
        )
    return array


__all__ = ["Objective", "finite_array"]
