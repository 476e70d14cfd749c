"""Blocks of one shape, stacked: their gates, their initial weights, and the plain module that each of them is."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from math import pi, sqrt

import numpy as np
import torch
from torch import Tensor, nn

from rankproof.train.activations import activation
from rankproof.train.gated.arms import Shape
from rankproof.train.sampled import GATES

Weights = dict[str, Tensor]
"""Named weights of all models of a piece; the first axis is the model."""


class Gates:
    """What happens between the projections and the write vectors, model by model.

    Parameters
    ----------
    shape
        Its models of one activation stand together, so that each gate is applied to one slice.
    """

    def __init__(self, shape: Shape) -> None:
        self.untied = shape.units == "untied"
        self.gates = [gate_of(name, self.untied) for name in shape.activations]
        self.count = len(shape.seeds)

    def __call__(self, a: Tensor, b: Tensor | None) -> Tensor:
        parts = [
            gate(
                a[k * self.count : (k + 1) * self.count],
                None if b is None else b[k * self.count : (k + 1) * self.count],
            )
            for k, gate in enumerate(self.gates)
        ]
        return parts[0] if len(parts) == 1 else torch.cat(parts)


def gate_of(name: str, untied: bool) -> Callable[[Tensor, Tensor | None], Tensor]:
    """The value of a unit as a function of its projections a.x and b.x; a tied unit has no b."""
    chosen = activation(name)
    gate = GATES[chosen.gate]

    def value(a: Tensor, b: Tensor | None) -> Tensor:
        if untied and b is not None:
            return gate(a) * b
        return gate(a) * a if chosen.gated else gate(a)

    return value


def mean_square(name: str, untied: bool) -> float:
    """Mean square of a unit at independent standard normal projections: write weights are divided by its root.

    Examples
    --------
    >>> round(mean_square("reglu", True), 3), round(mean_square("bilinear", False), 3)
    (0.5, 3.0)
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(96)
    z = torch.as_tensor(nodes)
    values = gate_of(name, untied)(
        z, torch.ones_like(z)
    ).square()  # b is independent of a, and its square has mean 1
    return float((values * torch.as_tensor(weights / sqrt(2 * pi))).sum())


def generator(seed: int, stream: str, number: int = 0) -> torch.Generator:
    """Generator of one stream of a seed, the same for all arms."""
    mixed = (seed * 1_000_003 + zlib.crc32(stream.encode())) * 1_000_033 + number
    return torch.Generator().manual_seed(mixed * 0x9E3779B97F4A7C15 % (1 << 63))


def stacked(shape: Shape, draw: Callable[[str, int], Weights], like: Tensor) -> Weights:
    """The weights of all models: each is drawn alone, from its activation and seed, and does not depend on the others."""
    drawn = [draw(name, seed) for name, seed in shape.models()]
    return {key: torch.stack([one[key] for one in drawn]).to(like) for key in drawn[0]}


def block_weights(shape: Shape, name: str, seed: int, inputs: int, outputs: int, layer: int = 0) -> Weights:
    """Initial weights of one block: projections of unit variance, an output of unit variance."""
    source = generator(seed, f"block {layer}")
    h = shape.width
    weights = {"a": torch.randn((inputs, h), generator=source, dtype=torch.float64) / sqrt(inputs)}
    w = torch.randn((h, outputs), generator=source, dtype=torch.float64)
    if shape.units == "untied":
        weights["b"] = torch.randn((inputs, h), generator=source, dtype=torch.float64) / sqrt(inputs)
    weights["w"] = w / sqrt(h * mean_square(name, shape.units == "untied"))
    return weights


def apply_block(gates: Gates, weights: Weights, x: Tensor) -> Tensor:
    """Values of the blocks at inputs of shape (models, rows, inputs)."""
    b = torch.bmm(x, weights["b"]) if gates.untied else None
    return torch.bmm(gates(torch.bmm(x, weights["a"]), b), weights["w"])


class PlainBlock(nn.Module):
    """One block as anybody would write it."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__()
        self.gate = gate_of(name, "b" in weights)
        self.a = linear(weights["a"])
        self.b = linear(weights["b"]) if "b" in weights else None
        self.w = linear(weights["w"])

    def forward(self, x: Tensor) -> Tensor:
        """The value at rows of inputs."""
        return self.w(self.gate(self.a(x), None if self.b is None else self.b(x)))


def linear(matrix: Tensor) -> nn.Linear:
    layer = nn.Linear(*matrix.shape, bias=False, dtype=matrix.dtype, device=matrix.device)
    with torch.no_grad():
        layer.weight.copy_(matrix.T)
    return layer


__all__ = [
    "Gates",
    "PlainBlock",
    "Weights",
    "apply_block",
    "block_weights",
    "gate_of",
    "generator",
    "linear",
    "mean_square",
    "stacked",
]
