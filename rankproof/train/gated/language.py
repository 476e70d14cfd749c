"""Small causal transformers over bytes, stacked: all models of a piece are one tensor program."""

from __future__ import annotations

from math import log, sqrt

import torch
from torch import Tensor, nn
from torch.nn import functional

from rankproof.train.gated.arms import GatedPlan, Shape
from rankproof.train.gated.blocks import (
    Gates,
    PlainBlock,
    Weights,
    apply_block,
    block_weights,
    generator,
    linear,
    stacked,
)
from rankproof.train.gated.text import corpus

_HELD_OUT = 128  # windows of text, evenly spaced in the held-out part
_PART = 16  # held-out windows that are evaluated at once


class Language:
    """The models of a piece on text, with losses in bits a byte.

    A layer adds causal attention and a block to the residual stream, each after a normalisation to mean square 1.

    Parameters
    ----------
    plan, shape
        What is trained.
    like
        A tensor of the wanted device and precision.
    """

    def __init__(self, plan: GatedPlan, shape: Shape, like: Tensor) -> None:
        self.plan, self.shape, self.like = plan, shape, like
        self.gates, self.corpus = Gates(shape), corpus()
        self.weights = stacked(shape, self._initial, like)
        self.training = self.corpus.split("training")
        self._splits: dict[str, Tensor] = {}

    def _initial(self, name: str, seed: int) -> Weights:
        plan, source = self.plan, generator(seed, "attention")
        d, v = plan.size, self.corpus.alphabet

        def normal(*shape: int, spread: float) -> Tensor:
            return torch.randn(shape, generator=source, dtype=torch.float64) * spread

        weights = {
            "embed": normal(v, d, spread=0.5),
            "place": normal(plan.context, d, spread=0.1),
            "head": normal(d, v, spread=1 / sqrt(d)),
        }
        for layer in range(plan.layers):
            weights[f"qkv {layer}"] = normal(d, 3 * d, spread=1 / sqrt(d))
            weights[f"mix {layer}"] = normal(d, d, spread=1 / sqrt(2 * plan.layers * d))
            block = block_weights(self.shape, name, seed, d, d, layer)
            block["w"] = block["w"] / sqrt(2 * plan.layers)
            weights |= {f"{key} {layer}": value for key, value in block.items()}
        return weights

    def loss(self, weights: Weights, data: Tensor) -> Tensor:
        """Bits a byte of every model on windows of shape (models, windows, context + 1)."""
        before, after = data[..., :-1], data[..., 1:]
        models, rows = before.shape[0], before.shape[1]
        which = torch.arange(models, device=data.device)[:, None, None]
        x = weights["embed"][which, before] + weights["place"][:, None, : before.shape[2]]
        x = x.flatten(1, 2)
        for layer in range(self.plan.layers):
            x = x + self._attention(weights, layer, normed(x), rows)
            block = {key: weights[f"{key} {layer}"] for key in ("a", "b", "w") if f"{key} {layer}" in weights}
            x = x + apply_block(self.gates, block, normed(x))
        scores = torch.bmm(normed(x), weights["head"])
        losses = functional.cross_entropy(scores.flatten(0, 1), after.flatten(), reduction="none")
        return losses.view(models, -1).mean(dim=1) / log(2)

    def _attention(self, weights: Weights, layer: int, x: Tensor, rows: int) -> Tensor:
        models, _, d = x.shape
        parts = torch.bmm(x, weights[f"qkv {layer}"]).view(
            models * rows, -1, 3, self.plan.heads, d // self.plan.heads
        )
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return torch.bmm(mixed.transpose(1, 2).reshape(models, -1, d), weights[f"mix {layer}"])

    def data(self, step: int) -> Tensor:
        """Windows of a step for all models."""
        length, last = self.plan.context + 1, len(self.training) - self.plan.context
        rows = []
        for seed in self.shape.seeds:
            starts = torch.randint(last, (self.plan.batch,), generator=generator(seed, "windows", step))
            rows.append(self.training[starts[:, None] + torch.arange(length)])
        return torch.stack(rows).to(self.like.device).repeat(len(self.shape.activations), 1, 1)

    def measure(self, weights: Weights, split: str) -> list[float]:
        """Bits a byte on windows of the held-out part, ``validation`` or ``test``."""
        if split not in self._splits:
            text = self.corpus.split(split)
            starts = torch.linspace(0, len(text) - self.plan.context - 1, _HELD_OUT).long()
            self._splits[split] = text[starts[:, None] + torch.arange(self.plan.context + 1)].to(
                self.like.device
            )
        models = len(self.shape.models())
        with torch.no_grad():
            parts = [
                self.loss(weights, part.expand(models, -1, -1)) for part in self._splits[split].split(_PART)
            ]
        return torch.stack(parts).double().mean(dim=0).tolist()

    def plain(self, weights: Weights, index: int) -> nn.Module:
        """One of the models as a module that computes its loss from its data."""
        name, _ = self.shape.models()[index]
        return _PlainLanguage(self.plan, name, {key: value[index] for key, value in weights.items()})

    def data_of(self, data: Tensor, index: int) -> tuple[Tensor]:
        """The part of one model."""
        return (data[index],)


def normed(x: Tensor) -> Tensor:
    """Scaled to mean square 1 along the last axis."""
    return functional.rms_norm(x, x.shape[-1:])


class _PlainLanguage(nn.Module):
    def __init__(self, plan: GatedPlan, name: str, weights: Weights) -> None:
        super().__init__()
        self.heads, layers = plan.heads, range(plan.layers)
        self.embed = nn.Embedding.from_pretrained(weights["embed"].clone(), freeze=False)
        self.place = nn.Parameter(weights["place"].clone())
        self.qkv = nn.ModuleList(linear(weights[f"qkv {layer}"]) for layer in layers)
        self.mix = nn.ModuleList(linear(weights[f"mix {layer}"]) for layer in layers)
        self.blocks = nn.ModuleList(
            PlainBlock(
                name,
                {key: weights[f"{key} {layer}"] for key in ("a", "b", "w") if f"{key} {layer}" in weights},
            )
            for layer in layers
        )
        self.head = linear(weights["head"])

    def forward(self, windows: Tensor) -> Tensor:
        before, after = windows[:, :-1], windows[:, 1:]
        x = self.embed(before) + self.place[: before.shape[1]]
        rows, length, d = x.shape
        for qkv, mix, block in zip(self.qkv, self.mix, self.blocks, strict=True):
            parts = qkv(normed(x)).view(rows, length, 3, self.heads, d // self.heads)
            q, k, v = parts.permute(2, 0, 3, 1, 4)
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + mix(mixed.transpose(1, 2).reshape(rows, length, d))
            x = x + block(normed(x))
        scores = self.head(normed(x))
        return functional.cross_entropy(scores.flatten(0, 1), after.flatten()) / log(2)


__all__ = ["Language", "normed"]
