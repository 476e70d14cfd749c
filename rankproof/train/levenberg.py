"""Levenberg-Marquardt for all blocks of a batch at once, with a penalty on the weights that may vanish along a path.

Minimises |r(theta)|^2 + penalty |theta|^2. Where the infimum of the loss is attained, the path of a vanishing penalty ends
at bounded weights; where it is not, weights grow like a power of the penalty; above a positive floor the loss stays.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from rankproof.train.adam import State
from rankproof.train.batch import Batch

PENALTIES = tuple(10.0**-k for k in range(2, 13)) + (0.0,)
"""The path: one stage for each, the last without a penalty."""

_LEAST, _GREATEST = 1e-18, 1e12  # damping: below it is no damping in double precision, above no step


class SumOfSquares(Protocol):
    """A loss that is a sum of squares of residuals, for every block of a batch."""

    batch: Batch

    def residual(self, theta: Tensor) -> Tensor:
        """Shape (M, residuals)."""
        ...

    def jacobian(self, theta: Tensor) -> Tensor:
        """Shape (M, residuals, weights)."""
        ...


def start_levenberg(theta: Tensor, objective: SumOfSquares) -> State:
    """Before the first step."""
    damping = torch.full((theta.shape[0],), 1e-2, dtype=theta.dtype, device=theta.device)
    return {
        "theta": theta,
        "residual": objective.residual(theta),
        "damping": damping,
        "raise": 2 + 0 * damping,
    }


def levenberg(state: State, objective: SumOfSquares, penalty: float) -> State:
    """One step of every block, taken where it lowers the penalised loss (damping after Nielsen)."""
    theta, residual, damping = state["theta"], state["residual"], state["damping"]
    flat = theta.flatten(1)
    jacobian = objective.jacobian(theta)
    step = _solve(jacobian, residual, flat, damping, penalty)
    trial = theta + step.view_as(theta)
    moved = objective.residual(trial)
    before = residual.square().sum(dim=1) + penalty * flat.square().sum(dim=1)
    after = moved.square().sum(dim=1) + penalty * trial.flatten(1).square().sum(dim=1)
    model = residual + torch.einsum("mep,mp->me", jacobian, step)
    foreseen = model.square().sum(dim=1) + penalty * (flat + step).square().sum(dim=1)
    gain = (before - after) / (before - foreseen).clamp(min=1e-300)
    taken = (after < before) & torch.isfinite(after)
    shrink = (1 - (2 * gain - 1) ** 3).clamp(min=1 / 3, max=1.0)
    new_damping = torch.where(taken, damping * shrink, damping * state["raise"])
    return {
        "theta": torch.where(taken[:, None, None], trial, theta),
        "residual": torch.where(taken[:, None], moved, residual),
        "damping": new_damping.clamp(min=_LEAST, max=_GREATEST),
        "raise": torch.where(taken, 2.0, (2 * state["raise"]).clamp(max=1e6)),
    }


def _solve(jacobian: Tensor, residual: Tensor, flat: Tensor, damping: Tensor, penalty: float) -> Tensor:
    """Minimise |r + J s|^2 + penalty |theta + s|^2 + damping |s|^2, by the smaller of the two Gram matrices."""
    total = damping + penalty
    rows, columns = jacobian.shape[1:]
    if rows <= columns:
        share = (penalty / total)[:, None]
        right = residual - share * torch.einsum("mep,mp->me", jacobian, flat)
        small = jacobian @ jacobian.mT + total[:, None, None] * torch.eye(rows).to(jacobian)
        return -share * flat - torch.einsum("mep,me->mp", jacobian, _positive_solve(small, right))
    small = jacobian.mT @ jacobian + total[:, None, None] * torch.eye(columns).to(jacobian)
    right = torch.einsum("mep,me->mp", jacobian, residual) + penalty * flat
    return -_positive_solve(small, right)


def _positive_solve(matrix: Tensor, right: Tensor) -> Tensor:
    """Where rounding spoils the factorisation the result is not finite, and the step is refused."""
    root, failed = torch.linalg.cholesky_ex(matrix)
    solved = torch.cholesky_solve(right[..., None], root)[..., 0]
    return torch.where((failed > 0)[:, None], torch.nan, solved)


__all__ = ["PENALTIES", "SumOfSquares", "levenberg", "start_levenberg"]
