"""Generated regressions: sums of products of different variables, or a smooth random network."""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor, nn

from rankproof.train.gated.arms import GatedPlan, Shape
from rankproof.train.gated.blocks import (
    Gates,
    PlainBlock,
    Weights,
    apply_block,
    block_weights,
    generator,
    stacked,
)

PRODUCTS = 2
"""Products of two different variables in an output of the task ``products``."""

_HELD_OUT = 4096
_TEACHER = 4  # hidden units of the teacher for each output


class Regression:
    """The models of a piece on inputs x ~ N(0, I), fresh ones every step; each seed has a task of its own.

    In the task ``products`` every output is the sum of two products of different variables, an indefinite quadratic form of
    signature (2, 2): as many untied units as products are exact, twice as many tied ones. The task ``teacher`` is a
    random layer of tanh units, which no arm contains.

    Parameters
    ----------
    plan, shape
        What is trained.
    like
        A tensor of the wanted device and precision.
    """

    def __init__(self, plan: GatedPlan, shape: Shape, like: Tensor) -> None:
        self.plan, self.shape, self.like = plan, shape, like
        self.gates = Gates(shape)
        self.weights = stacked(shape, lambda name, seed: block_weights(shape, name, seed, *plan.block), like)
        self.targets = [_Target(plan, seed, like) for seed in shape.seeds]
        self._splits: dict[str, tuple[Tensor, Tensor]] = {}

    def loss(self, weights: Weights, data: tuple[Tensor, Tensor]) -> Tensor:
        """Mean squared error of every model, relative to the variance of the outputs."""
        x, y = data
        return (apply_block(self.gates, weights, x) - y).square().mean(dim=(1, 2))

    def data(self, step: int) -> tuple[Tensor, Tensor]:
        """Inputs and outputs of a step for all models."""
        return self._draw("inputs", step, self.plan.batch)

    def measure(self, weights: Weights, split: str) -> list[float]:
        """Loss on held-out inputs, ``validation`` or ``test``."""
        if split not in self._splits:
            self._splits[split] = self._draw(split, 0, _HELD_OUT)
        with torch.no_grad():
            return self.loss(weights, self._splits[split]).double().tolist()

    def plain(self, weights: Weights, index: int) -> nn.Module:
        """One of the models as a module that computes its loss from its data."""
        name, _ = self.shape.models()[index]
        return _PlainRegression(name, {key: value[index] for key, value in weights.items()})

    def data_of(self, data: tuple[Tensor, Tensor], index: int) -> tuple[Tensor, Tensor]:
        """The part of one model."""
        return data[0][index], data[1][index]

    def _draw(self, stream: str, number: int, count: int) -> tuple[Tensor, Tensor]:
        inputs, outputs = [], []
        for seed, target in zip(self.shape.seeds, self.targets, strict=True):
            x = torch.randn((count, self.plan.size), generator=generator(seed, stream, number)).to(self.like)
            inputs.append(torch.cat([x, torch.ones_like(x[:, :1])], dim=1))
            outputs.append(target(x))
        times = len(self.shape.activations)
        return torch.stack(inputs).repeat(times, 1, 1), torch.stack(outputs).repeat(times, 1, 1)


class _Target:
    """The function of a seed, with outputs of mean 0 and variance 1."""

    def __init__(self, plan: GatedPlan, seed: int, like: Tensor) -> None:
        source = generator(seed, "task")
        n, m = plan.size, plan.outputs
        self.products = plan.task == "products"
        if self.products:
            rows = [torch.randperm(n, generator=source)[: 2 * PRODUCTS] for _ in range(m)]
            self.places = torch.stack(rows).to(like.device)
            return
        k = _TEACHER * m
        self.inner = (torch.randn((n, k), generator=source) * 2 / sqrt(n)).to(like)
        self.shift = torch.randn(k, generator=source).to(like)
        self.outer = (torch.randn((k, m), generator=source) / sqrt(k)).to(like)
        probe = self._network(torch.randn((1 << 14, n), generator=source).to(like))
        self.mean, self.spread = probe.mean(dim=0), probe.std(dim=0)

    def _network(self, x: Tensor) -> Tensor:
        return torch.tanh(x @ self.inner + self.shift) @ self.outer

    def __call__(self, x: Tensor) -> Tensor:
        if not self.products:
            return (self._network(x) - self.mean) / self.spread
        chosen = x[:, self.places]
        return (chosen[..., :PRODUCTS] * chosen[..., PRODUCTS:]).sum(dim=2) / sqrt(PRODUCTS)


class _PlainRegression(nn.Module):
    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__()
        self.block = PlainBlock(name, weights)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return nn.functional.mse_loss(self.block(x), y)


__all__ = ["PRODUCTS", "Regression"]
