"""Product units: sums of v1 (x) ... (x) vk, with the structured Gauss-Newton matrix of a CP decomposition."""

from __future__ import annotations

from functools import reduce
from operator import mul

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.objective import Objective, finite_array


class TensorObjective(Objective):
    """Distance of a sum of product units to a tensor.

    Parameters
    ----------
    tensor
        Array of numbers, any order; integers are converted.
    width
        Number of units.
    complex_units
        Whether the units have complex coordinates; a complex tensor has them anyway.

    Notes
    -----
    The blocks of J^H J are Hadamard products of the Gram matrices of the factors and outer products of columns [1]_, so it
    costs as much as writing it down, and J itself is never formed.

    References
    ----------
    .. [1] A.-H. Phan, P. Tichavský, A. Cichocki, "Low complexity damped Gauss-Newton algorithms for CANDECOMP/PARAFAC",
       SIAM J. Matrix Anal. Appl. 34 (2013), 126-147.

    Examples
    --------
    >>> f = TensorObjective(np.ones((2, 2)), 1)
    >>> f.cost(f.residual(np.ones((1, f.size))))
    array([0.])
    """

    def __init__(self, tensor: object, width: int, *, complex_units: bool = False) -> None:
        array = finite_array(tensor)
        if complex_units:
            array = array.astype(np.complex128)
        super().__init__("product", array.shape, (1,) * array.ndim, width, array)
        # The middle cut: both halves have about as many entries.
        sizes = np.log(array.shape).cumsum()
        self._cut = int(np.argmin(np.abs(sizes[:-1] - sizes[-1] / 2))) + 1 if array.ndim > 1 else 0

    def residual(self, x: Array) -> Array:
        left, right = self._halves(self.unpack(x))
        total = np.matmul(left, right.transpose(0, 2, 1)).reshape(len(x), *self.lengths)
        total -= self.target(x.dtype)
        return total

    def gradient(self, x: Array, residual: Array) -> Array:
        matrices = [m.conj() for m in self.unpack(x)]
        left, right = self._halves(matrices)
        folded = residual.reshape(len(x), left.shape[1], right.shape[1])
        groups = (
            (matrices[: self._cut], np.matmul(folded, right)),
            (matrices[self._cut :], np.matmul(folded.transpose(0, 2, 1), left)),
        )
        parts: list[Array] = []
        for group, contracted in groups:
            parts += _contract_all_but_one(contracted, group)
        return self.pack(parts)

    def gram(self, x: Array, *, lower: bool = False) -> Array:
        matrices = self.unpack(x)
        points, k = len(x), len(matrices)
        products = [np.matmul(m.conj().transpose(0, 2, 1), m) for m in matrices]
        H = np.zeros((points, self.size, self.size), x.dtype)
        for m, n in enumerate(self.lengths):
            others = _hadamard([products[l] for l in range(k) if l != m], products[m])
            diagonal = self._block(H, m, m)
            for i in range(n):
                diagonal[:, i, :, i, :] = others
            for q in range(m):
                W = _hadamard([products[l] for l in range(k) if l not in (m, q)], products[m])
                V = matrices[m][:, :, None, :] * W[:, None]
                columns = matrices[q].conj().transpose(0, 2, 1)
                np.multiply(V[:, :, :, None, :], columns[:, None, :, :, None], out=self._block(H, m, q))
                if not lower:
                    below = H[:, self.slices[m], self.slices[q]]
                    H[:, self.slices[q], self.slices[m]] = below.conj().transpose(0, 2, 1)
        return H

    def jacobian(self, x: Array) -> Array:
        matrices = self.unpack(x)
        points = len(x)
        parts = []
        for m, n in enumerate(self.lengths):
            before = _khatri_rao(matrices[:m], points, self.width, x.dtype)
            after = _khatri_rao(matrices[m + 1 :], points, self.width, x.dtype)
            outer = before[:, :, None] * after[:, None]
            part = np.zeros((points, before.shape[1], n, after.shape[1], n, self.width), x.dtype)
            for i in range(n):
                part[:, :, i, :, i] = outer
            parts.append(part.reshape(points, -1, n * self.width))
        return np.concatenate(parts, axis=2)

    def _block(self, H: Array, m: int, q: int) -> Array:
        """A view of one block as (points, coordinate, unit, coordinate, unit)."""
        block = H[:, self.slices[m], self.slices[q]]
        return block.reshape(len(H), self.lengths[m], self.width, self.lengths[q], self.width)

    def _halves(self, matrices: list[Array]) -> tuple[Array, Array]:
        points, dtype = len(matrices[0]), matrices[0].dtype
        return (
            _khatri_rao(matrices[: self._cut], points, self.width, dtype),
            _khatri_rao(matrices[self._cut :], points, self.width, dtype),
        )


def _hadamard(products: list[Array], like: Array) -> Array:
    return reduce(mul, products) if products else np.ones_like(like)


def _khatri_rao(matrices: list[Array], points: int, width: int, dtype: np.dtype) -> Array:
    """Column-wise Kronecker products, the first factor slowest; a row of ones for no matrices."""
    if not matrices:
        return np.ones((points, 1, width), dtype)
    result = matrices[0]
    for matrix in matrices[1:]:
        result = (result[:, :, None] * matrix[:, None]).reshape(points, -1, width)
    return result


def _contract_all_but_one(contracted: Array, group: list[Array]) -> list[Array]:
    """For every matrix of the group the contraction of the array with all others of it."""
    if not group:
        return []
    points, width = len(contracted), contracted.shape[2]
    shaped = contracted.reshape(points, *(m.shape[1] for m in group), width)
    if len(group) == 1:
        return [shaped]
    parts = []
    for kept in range(len(group)):
        part = shaped
        for l in reversed(range(len(group))):
            if l != kept:
                # Axes: points, modes of the group that are left, units.
                shape = [1] * part.ndim
                shape[0], shape[l + 1], shape[-1] = group[l].shape
                part = (part * group[l].reshape(shape)).sum(axis=l + 1)
        parts.append(part)
    return parts


__all__ = ["TensorObjective"]
