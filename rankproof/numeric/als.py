"""Alternating least squares for product units: compiled loops for small tensors, a dimension tree for large ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankproof.errors import UsageError
from rankproof.numeric.factors import Array, Factors
from rankproof.numeric.mttkrp import khatri_rao, sweep
from rankproof.numeric.objective import finite_array

COMPILED_UP_TO = 8_000
"""Non-zero entries times units up to which compiled loops beat matrix products."""

SMALLEST = 1e-14
"""Damping of a singular system, relative to its trace."""

BLOCK = 100_000
"""Entries whose differences are computed at a time."""

EXTRAPOLATE = 10
"""Sweeps between two attempts of a line search."""


@dataclass(frozen=True)
class AlsResult:
    """Where alternating least squares ended.

    Attributes
    ----------
    factors
        The factor matrices.
    cost
        Squared distance to the tensor, entry by entry.
    sweeps
        Number of sweeps.
    """

    factors: Factors
    cost: float
    sweeps: int


def als(
    tensor: object,
    start: Sequence[Array],
    *,
    sweeps: int = 200,
    damping: float = 0.0,
    fade: float = 1.0,
    line_search: bool = False,
    goal: float = 0.0,
    check_every: int = 50,
) -> AlsResult:
    """Improve factor matrices one after another.

    Parameters
    ----------
    tensor
        Array of numbers, order k.
    start
        Factor matrices to start from, shapes (n_i, width).
    sweeps
        Greatest number of sweeps over all factor matrices.
    damping
        Weight of the distance to the last iterate: a proximal step, which gets through swamps.
    fade
        What the damping is multiplied by after every sweep.
    line_search
        Whether to try long steps in the direction of the last sweeps, accepted when they come closer.
    goal
        Squared distance at which to stop, looked at every `check_every` sweeps and computed entry by entry: the usual formula
        with Gram matrices cannot tell 1e-8 from 0.
    check_every
        Sweeps between two looks.

    Returns
    -------
    AlsResult
        Singular systems are damped, so that zero tensors and more units than can be independent do no harm.

    Raises
    ------
    UsageError
        If the shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> result = als(np.ones((2, 3, 4)), [rng.random((n, 1)) for n in (2, 3, 4)])
    >>> result.cost < 1e-25
    True
    """
    array = np.ascontiguousarray(finite_array(tensor))
    matrices = [finite_array(matrix) for matrix in start]
    widths = {matrix.shape[1] if matrix.ndim == 2 else -1 for matrix in matrices}
    if [matrix.shape[0] for matrix in matrices] != list(array.shape) or len(widths) != 1:
        raise UsageError(
            f"a tensor of shape {array.shape} needs factor matrices of shapes (n, width) with these n, not of shapes"
            f" {[matrix.shape for matrix in matrices]}"
        )
    engine = _engine(array, matrices)
    done, cost = 0, np.inf
    while done < sweeps and cost > goal:
        before = engine.copy() if line_search else []
        count = min(check_every if not line_search else EXTRAPOLATE, sweeps - done)
        engine.run(count, damping)
        done += count
        damping *= fade**count
        cost = engine.cost()
        if line_search:
            cost = _extrapolate(engine, before, cost, done)
    return AlsResult(Factors("product", tuple(engine.matrices())), cost if done else engine.cost(), done)


def _extrapolate(engine: _Engine, before: list[Array], cost: float, done: int) -> float:
    """Go on in the direction of the last sweeps for as long as it helps; the squared distance that is reached."""
    length = float(done) ** (1 / 3)
    while length < 1e4:
        here = engine.copy()
        engine.set([new + length * (new - old) for new, old in zip(here, before, strict=True)])
        reached = engine.cost()
        if not reached < cost:
            engine.set(here)
            return cost
        cost, length = reached, 4 * length
    return cost


class _Engine:
    """Factor matrices with the operations that a run needs; here by matrix products on the dense tensor."""

    def __init__(self, tensor: Array, matrices: list[Array]) -> None:
        self.tensor = tensor
        self._conjugate = tensor.conj() if np.iscomplexobj(tensor) else tensor
        dtype = np.result_type(tensor, *matrices)
        self._matrices = [m.astype(dtype) for m in matrices]
        self._grams = [m.conj().T @ m for m in self._matrices]
        self._damping = 0.0

    def run(self, count: int, damping: float) -> None:
        """So many sweeps."""
        self._damping = damping
        sweep(self._conjugate, self._matrices, self._update, count)

    def _update(self, mode: int, product: Array) -> Array:
        r = product.shape[1]
        gram = np.ones((r, r), self._grams[0].dtype)
        for m, other in enumerate(self._grams):
            if m != mode:
                gram = gram * other
        trace = float(np.trace(gram).real)
        gram[np.diag_indices(r)] += self._damping + SMALLEST * trace + 1e-300
        side = product.conj() + self._damping * self._matrices[mode]
        matrix = np.linalg.solve(gram, side.T).T
        self._grams[mode] = matrix.conj().T @ matrix
        return matrix

    def cost(self) -> float:
        """Squared distance, entry by entry."""
        cut = max(1, self.tensor.ndim // 2)
        left = khatri_rao(self._matrices[:cut])
        right = khatri_rao(self._matrices[cut:]) if self.tensor.ndim > 1 else np.ones((1, left.shape[1]))
        flat, total = self.tensor.reshape(left.shape[0], -1), 0.0
        # Block by block: the differences of a large tensor would leave the cache.
        rows = max(1, BLOCK // flat.shape[1])
        for k in range(0, len(flat), rows):
            rest = left[k : k + rows] @ right.T
            rest -= flat[k : k + rows]
            total += float(np.vdot(rest, rest).real)
        return total

    def copy(self) -> list[Array]:
        """The factor matrices as they are now."""
        return [m.copy() for m in self._matrices]

    def set(self, matrices: list[Array]) -> None:
        """Replace the factor matrices."""
        self._matrices = [m.copy() for m in matrices]
        self._grams = [m.conj().T @ m for m in self._matrices]

    def matrices(self) -> list[Array]:
        """The factor matrices."""
        return self._matrices


class _CompiledEngine(_Engine):
    """The same by compiled loops over the non-zero entries of a real tensor."""

    def __init__(self, tensor: Array, matrices: list[Array]) -> None:
        from rankproof.numeric import compiled

        self._compiled: Any = compiled
        self.starts = np.concatenate([[0], np.cumsum(tensor.shape)]).astype(np.int64)
        entries = np.argwhere(tensor).astype(np.int64)
        self.values = tensor[tuple(entries.T)].astype(np.float64)
        self.entries = np.ascontiguousarray(entries + self.starts[:-1])
        self.F = np.concatenate(matrices).astype(np.float64)
        r = self.F.shape[1]
        self._gram_stack = np.zeros((tensor.ndim, r, r))
        self._work = np.zeros((max(tensor.shape) + r, r))

    def run(self, count: int, damping: float) -> None:
        self._compiled.als_sweeps(
            self.entries,
            self.values,
            self.starts,
            self.F,
            self._gram_stack,
            self._work,
            float(damping),
            1.0,
            count,
        )

    def cost(self) -> float:
        return float(self._compiled.squared_distance(self.entries, self.values, self.starts, self.F))

    def copy(self) -> list[Array]:
        return [m.copy() for m in self.matrices()]

    def set(self, matrices: list[Array]) -> None:
        self.F = np.concatenate(matrices)

    def matrices(self) -> list[Array]:
        return [self.F[a:b] for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]


def _engine(tensor: Array, matrices: list[Array]) -> _Engine:
    is_real = not np.iscomplexobj(tensor) and not any(np.iscomplexobj(m) for m in matrices)
    small = np.count_nonzero(tensor) * matrices[0].shape[1] <= COMPILED_UP_TO
    return (_CompiledEngine if is_real and small else _Engine)(tensor, matrices)


__all__ = ["AlsResult", "als"]
