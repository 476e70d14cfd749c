"""L-BFGS for all blocks of a batch at once, each with its own memory and its own step length."""

from __future__ import annotations

import torch
from torch import Tensor

from rankproof.train.adam import Loss, State, gradient

MEMORY = 12
_BACKTRACKS = 25
_SUFFICIENT = 1e-4  # Armijo's constant


def start_lbfgs(theta: Tensor, loss: Loss) -> State:
    """L-BFGS before its first step. The loss must not change between steps: it is always that of step 0."""
    losses, slope = gradient(loss, theta, 0)
    blocks, size = theta.shape[0], theta[0].numel()
    empty = theta.new_zeros((MEMORY, blocks, size))
    return {
        "theta": theta,
        "loss": losses,
        "slope": slope.flatten(1),
        "moves": empty,
        "changes": empty.clone(),
        "inverse": theta.new_zeros((MEMORY, blocks)),
    }


def lbfgs(state: State, loss: Loss, mask: Tensor) -> State:
    """One step: the direction of two loops, and steps halved until the loss has fallen enough."""
    flat = mask.flatten(1)
    slope = state["slope"] * flat
    direction = _direction(state, slope)
    descent = (direction * slope).sum(dim=1)
    # Where the memory points uphill, or is empty, the direction is that of steepest descent.
    bad = ~(descent < 0)
    scale = 1 / slope.norm(dim=1).clamp(min=1e-300)
    first = state["inverse"][0] == 0
    direction = torch.where(bad[:, None], -slope, direction)
    descent = torch.where(bad, -slope.square().sum(dim=1), descent)
    length = torch.where(first | bad, scale.clamp(max=1.0), torch.ones_like(scale))
    theta, losses, found = _backtrack(state, loss, direction, descent, length)
    _, raw = gradient(loss, theta, 0)
    new_slope = raw.flatten(1) * flat
    move, change = (theta - state["theta"]).flatten(1), new_slope - slope
    curvature = (move * change).sum(dim=1)
    keep = found & (curvature > 1e-10 * move.norm(dim=1) * change.norm(dim=1)) & (curvature > 0)
    inverse = torch.where(keep, 1 / curvature.clamp(min=1e-300), 0.0)
    stuck = ~found
    return {
        "theta": theta,
        "loss": losses,
        "slope": new_slope,
        "moves": _push(state["moves"], move, keep, stuck),
        "changes": _push(state["changes"], change, keep, stuck),
        "inverse": _push(state["inverse"][..., None], inverse[:, None], keep, stuck)[..., 0],
    }


def _direction(state: State, slope: Tensor) -> Tensor:
    moves, changes, inverse = state["moves"], state["changes"], state["inverse"]
    q, weights = slope, []
    for move, change, rho in zip(moves, changes, inverse, strict=True):
        weight = rho * (move * q).sum(dim=1)
        weights.append(weight)
        q = q - weight[:, None] * change
    newest = changes[0].square().sum(dim=1)
    scale = torch.where(inverse[0] > 0, 1 / (inverse[0] * newest).clamp(min=1e-300), 1.0)
    q = scale[:, None] * q
    for move, change, rho, weight in reversed(list(zip(moves, changes, inverse, weights, strict=True))):
        q = q + (weight - rho * (change * q).sum(dim=1))[:, None] * move
    return -q


def _backtrack(
    state: State, loss: Loss, direction: Tensor, descent: Tensor, length: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    theta, before = state["theta"], state["loss"]
    best, losses = theta, before
    found = torch.zeros_like(before, dtype=torch.bool)
    for _ in range(_BACKTRACKS):
        trial = theta + (length[:, None] * direction).view_as(theta)
        with torch.no_grad():
            value = loss(trial, 0)
        fine = ~found & (value <= before + _SUFFICIENT * length * descent)
        best = torch.where(fine[:, None, None], trial, best)
        losses = torch.where(fine, value, losses)
        found = found | fine
        if bool(found.all()):
            break
        length = torch.where(found, length, length / 2)
    return best, losses, found


def _push(memory: Tensor, new: Tensor, keep: Tensor, stuck: Tensor) -> Tensor:
    """The memory with a new entry in front where it is kept, and empty where no step was found."""
    pushed = torch.cat([new[None], memory[:-1]])
    result = torch.where(keep[None, :, None], pushed, memory)
    return torch.where(stuck[None, :, None], 0.0, result)


__all__ = ["MEMORY", "lbfgs", "start_lbfgs"]
