"""Border families as decompositions: sums of units whose coordinates are polynomials in eps, up to a power of eps.

A sum of units with coordinates in K[eps, 1/eps] that tends to a target can be brought to polynomials in eps by moving powers
of eps between the vectors of a unit and to the target: then it is eps^q times the target and higher terms. Terms above eps^q in
a coordinate change nothing below eps^(q+1), so such a family is a decomposition of eps^q T over K[eps] / eps^(q+1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.errors import UsageError
from rankproof.numeric.factors import Array
from rankproof.numeric.objective import Objective


class JetObjective(Objective):
    """Distance of a sum of units over K[eps] / eps^(q+1) to eps^q times a target.

    Parameters
    ----------
    base
        The same units and the same target without eps.
    order
        The power q of eps at which the target stands; all lower powers are to vanish.

    Notes
    -----
    Coordinate i of a vector of length n has its coefficient of eps^j at place j n + i. Products are computed at roots of unity:
    the coefficients of a polynomial are the discrete Fourier transform of its values there.

    Examples
    --------
    >>> from rankproof.numeric.tensors import TensorObjective
    >>> W = np.zeros((2, 2, 2)); W[0, 0, 1] = W[0, 1, 0] = W[1, 0, 0] = 1
    >>> f = JetObjective(TensorObjective(W, 2), 1)
    >>> plus, minus = [1, 0, 0, 1], [1, 0, 0, 0]
    >>> x = f.pack([np.array([[plus, [s * c for c in minus]]]).transpose(0, 2, 1) for s in (1.0, 1.0, -1.0)])
    >>> float(f.cost(f.residual(x))[0]) < 1e-30
    True
    """

    def __init__(self, base: Objective, order: int) -> None:
        if order < 1:
            raise UsageError(f"a family of order {order} is no border family; give an order of at least 1")
        self.base, self.order = base, order
        target = base.target(base.dtype) * base.scale
        stacked = np.zeros((order + 1, *target.shape), base.dtype)
        stacked[order] = target
        super().__init__(
            base.units_model, [n * (order + 1) for n in base.lengths], base.powers, base.width, stacked
        )
        # The product of all vectors has degree q times this; one point more makes it exact.
        self._nodes = order * sum(base.powers) + 1
        angles = np.arange(self._nodes) / self._nodes
        powers = np.arange(order + 1)
        self._values = np.exp(2j * np.pi * np.outer(angles, powers))
        self._back = self._values.conj().T / self._nodes

    def residual(self, x: Array) -> Array:
        points = len(x)
        used, weights = self._half(x.dtype)
        at = self._at_nodes(x, used)
        values = self.base.residual(at) + self.base.target(at.dtype)
        shape = values.shape[1:]
        total = self._coefficients(values.reshape(points, len(used), -1), used, weights, x.dtype)
        return total.reshape(points, self.order + 1, *shape) - self.target(x.dtype)

    def gradient(self, x: Array, residual: Array) -> Array:
        J = self.jacobian(x)
        return np.matmul(J.conj().transpose(0, 2, 1), residual.reshape(len(x), -1, 1))[:, :, 0]

    def gram(self, x: Array, *, lower: bool = False) -> Array:
        J = self.jacobian(x)
        return np.matmul(J.conj().transpose(0, 2, 1), J)

    def jacobian(self, x: Array) -> Array:
        points, q = len(x), self.order
        used, weights = self._half(x.dtype)
        values = self.base.jacobian(self._at_nodes(x, used))
        entries = values.shape[1]
        jets = self._coefficients(values.reshape(points, len(used), -1), used, weights, x.dtype)
        jets = jets.reshape(points, q + 1, entries, -1)
        J = np.zeros((points, q + 1, entries, self.size), x.dtype)
        for part, own, n in zip(self.slices, self.base.slices, self.base.lengths, strict=True):
            block = J[..., part].reshape(points, q + 1, entries, q + 1, n * self.width)
            for j in range(q + 1):
                # The coefficient of eps^j in a vector enters that of eps^(j + k) by the derivative's coefficient of eps^k.
                block[:, j:, :, j] = jets[:, : q + 1 - j, :, own]
            J[..., part] = block.reshape(points, q + 1, entries, -1)
        return J.reshape(points, -1, self.size)

    def coefficients(self, x: Array) -> list[Array]:
        """Coefficients of the vectors of one point: arrays of shape (q + 1, length, width)."""
        return [
            m[0].reshape(self.order + 1, n, self.width)
            for m, n in zip(self.unpack(x[None]), self.base.lengths, strict=True)
        ]

    def of_coefficients(self, vectors: Sequence[Array]) -> Array:
        """The point of given coefficients, the inverse of `coefficients`."""
        return np.concatenate([v.reshape(-1) for v in vectors])

    def _half(self, dtype: np.dtype) -> tuple[Array, Array]:
        """Which nodes are needed, and how much each counts: real polynomials have conjugate values at conjugate nodes."""
        if dtype.kind == "c":
            return np.arange(self._nodes), np.ones(self._nodes)
        used = np.arange(self._nodes // 2 + 1)
        weights = np.where((used == 0) | (2 * used == self._nodes), 1.0, 2.0)
        return used, weights

    def _at_nodes(self, x: Array, used: Array) -> Array:
        """Points of the objective without eps, one after another for every node."""
        parts = []
        for m, n in zip(self.unpack(x), self.base.lengths, strict=True):
            jets = m.reshape(len(x), self.order + 1, n * self.width)
            parts.append(np.matmul(self._values[used], jets))
        return np.concatenate(parts, axis=2).reshape(len(x) * len(used), self.base.size)

    def _coefficients(self, values: Array, used: Array, weights: Array, dtype: np.dtype) -> Array:
        """Coefficients up to eps^q of polynomials given by their values at the nodes."""
        result = np.matmul(self._back[:, used] * weights, values)
        return result if dtype.kind == "c" else np.ascontiguousarray(result.real)


def seeded(objective: Objective, points: Array, terms: Sequence[float], order: int) -> Array:
    """Coefficients of a family of some order that runs through points on a path on which the units grow without bound.

    Parameters
    ----------
    objective
        Distance of a sum of units without eps.
    points
        More points of a path than the order, one a row, at which the same coordinates of the units are largest.
    terms
        Sizes of the largest units there, which are taken for eps^-order.
    order
        The order q of the family.

    Returns
    -------
    Array
        A point of `JetObjective`, not yet a solution.

    Notes
    -----
    Every vector but the last one of a unit is scaled to have a coordinate 1, always the same one, and the last vector
    takes the scales and is multiplied by eps^q. Then polynomials of degree q in eps are fitted to all coordinates.
    """
    eps = np.asarray(terms, dtype=float) ** (-1.0 / order)
    units = np.arange(objective.width)
    scale = np.ones((len(points), objective.width), points.dtype)
    vectors: list[Array] = []
    matrices = objective.unpack(points)
    for m, p in zip(matrices[:-1], objective.powers, strict=False):
        size = m[:, np.abs(m[-1]).argmax(axis=0), units]
        # A vector that has died out stays zero.
        size = np.where(size == 0, 1, size)
        vectors.append(m / size[:, None])
        scale = scale * size**p
    vectors.append(matrices[-1] * scale[:, None] * (eps**order)[:, None, None])
    powers = np.vander(eps, order + 1, increasing=True)
    fitted = [np.linalg.lstsq(powers, v.reshape(len(points), -1), rcond=None)[0] for v in vectors]
    return np.concatenate([c.reshape(-1) for c in fitted])


__all__ = ["JetObjective", "seeded"]
