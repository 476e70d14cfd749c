"""Adam for all blocks of a batch at once; every block has its own moments, so that none depends on another."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi

import torch
from torch import Tensor

State = dict[str, Tensor]
Loss = Callable[[Tensor, int], Tensor]
"""Loss of every block, given their weights and the number of the step."""

# Kingma and Ba's constants. A small epsilon: near an exact solution the gradients are far below 1e-8.
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-15


def gradient(loss: Loss, theta: Tensor, step: int) -> tuple[Tensor, Tensor]:
    """Losses and their gradients. The sum separates: each block's gradient is its own."""
    leaf = theta.detach().requires_grad_(True)
    losses = loss(leaf, step)
    (slope,) = torch.autograd.grad(losses.sum(), leaf)
    return losses.detach(), slope


def start_adam(theta: Tensor) -> State:
    """Adam before its first step."""
    return {"theta": theta, "mean": torch.zeros_like(theta), "square": torch.zeros_like(theta)}


def adam(state: State, loss: Loss, mask: Tensor, step: int, steps: int, rate: float) -> State:
    """One step of Adam; the learning rate falls along a cosine to a hundredth."""
    theta = state["theta"]
    _, slope = gradient(loss, theta, step)
    slope = slope * mask
    mean = torch.lerp(state["mean"], slope, 1 - _BETA1)
    square = _BETA2 * state["square"] + (1 - _BETA2) * slope.square()
    now = rate * (0.01 + 0.99 * (1 + cos(pi * step / steps)) / 2)
    corrected = (square / (1 - _BETA2 ** (step + 1))).sqrt() + _EPSILON
    theta = theta - now / (1 - _BETA1 ** (step + 1)) * mean / corrected
    return {"theta": theta, "mean": mean, "square": square}
