"""The population loss by fresh samples, for units that are not polynomials."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor
from torch.nn import functional

from rankproof.train.activations import activation
from rankproof.train.batch import HELD_OUT, INPUTS, Batch, generator
from rankproof.train.measures import norm_squared
from rankproof.train.plan import Plan

GATES: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda z: z,
    "sigmoid": torch.sigmoid,
    "relu": functional.relu,
    "relu2": lambda z: functional.relu(z).square(),
    "silu": functional.silu,
    "gelu": functional.gelu,
}

# Steps whose inputs are drawn at once: a call of a generator costs more than the numbers it draws.
_CHUNK = 32
_HELD_OUT_SAMPLES = 4096


class Sampled:
    """Losses of all blocks of a batch on inputs of their own, scaled so that the zero function has loss 1.

    Parameters
    ----------
    plan
        With units that have a gate.
    batch
        Its blocks.
    """

    def __init__(self, plan: Plan, batch: Batch) -> None:
        space = plan.target.space
        self.plan, self.batch = plan, batch
        chosen = activation(plan.activation)
        self.gate, self.gated = GATES[chosen.gate], chosen.gated
        entries = dict(plan.target.entries)
        self.scale = sqrt(norm_squared(entries, space, plan.loss, plan.bias))  # pyright: ignore[reportArgumentType]
        self.target = TargetFunction(plan, batch.mask)
        self._chunk, self._inputs = -1, batch.mask
        self._held_out: Tensor | None = None

    def outputs(self, theta: Tensor, x: Tensor) -> Tensor:
        """Values of the blocks at inputs of shape (M, samples, n): (M, samples, m)."""
        a, b, w = self.batch.split(theta)
        hidden = self.gate(x @ a.mT)
        if self.gated:
            hidden = hidden * (x @ b.mT)
        return hidden @ w

    def loss(self, theta: Tensor, step: int) -> Tensor:
        """Relative loss of every block on the inputs of a step."""
        return self.loss_at(theta, self._inputs_of(step))

    def loss_at(self, theta: Tensor, x: Tensor) -> Tensor:
        """Relative loss of every block at given inputs."""
        difference = (self.outputs(theta, x) - self.target(x)) / self.scale
        return difference.square().sum(dim=2).mean(dim=1)

    def held_out(self, theta: Tensor) -> Tensor:
        """Relative loss on inputs that no step uses, the same for all steps."""
        if self._held_out is None:
            self._held_out = self._draw(HELD_OUT, 0, _HELD_OUT_SAMPLES)
        return self.loss_at(theta, self._held_out)

    def _inputs_of(self, step: int) -> Tensor:
        chunk, place = divmod(step, _CHUNK)
        if chunk != self._chunk:
            self._chunk, self._inputs = chunk, self._draw(INPUTS, chunk, _CHUNK * self.plan.samples)
        return self._inputs[:, place * self.plan.samples : (place + 1) * self.plan.samples]

    def _draw(self, stream: int, chunk: int, count: int) -> Tensor:
        n, like = self.batch.inputs, self.batch.mask
        device = like.device.type
        drawn = [
            torch.randn(
                (count, n),
                generator=generator(model, stream, chunk, device),
                dtype=like.dtype,
                device=like.device,
            )
            for model in self.batch.models
        ]
        x = torch.stack(drawn)
        if self.plan.loss == "uniform":
            x = torch.erf(x * 0.5**0.5)  # the distribution function makes normal numbers uniform on (-1, 1)
        elif self.plan.loss == "rademacher":
            x = torch.where(x >= 0, 1.0, -1.0).to(x.dtype)
        elif self.plan.loss == "sphere":
            x = x / x.norm(dim=2, keepdim=True)
        if self.plan.bias:
            x[..., 0] = 1.0
        return x


class TargetFunction:
    """The target as a function of inputs of shape (..., n)."""

    def __init__(self, plan: Plan, like: Tensor) -> None:
        space = plan.target.space
        d, m = space.form_degree, space.outputs
        words = [word[:d] for word, _ in plan.target.entries]
        self.letters = torch.tensor(words, device=like.device)
        write = torch.zeros((len(words), m), dtype=torch.float64)
        for at, (word, value) in enumerate(plan.target.entries):
            write[at, word[d] if m > 1 else 0] = float(value)  # pyright: ignore[reportArgumentType]
        self.write = write.to(like)

    def __call__(self, x: Tensor) -> Tensor:
        product = x[..., self.letters[:, 0]]
        for k in range(1, self.letters.shape[1]):
            product = product * x[..., self.letters[:, k]]
        return product @ self.write


__all__ = ["GATES", "Sampled", "TargetFunction"]
