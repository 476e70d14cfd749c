"""Linearise one block after another while the rest is trained, and train without linearising as the control."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from rankproof.blocks.probe.collect import BATCH
from rankproof.blocks.probe.gram import Moments, Values, total
from rankproof.blocks.probe.model import LanguageModel, Replacement
from rankproof.blocks.probe.paired import cost
from rankproof.blocks.probe.swap import Affine, swap_together
from rankproof.blocks.probe.text import Windows

# Added to the correlation matrix when a map is fitted to the rows of the moment, of which there are few.
_RIDGE = 1e-3


@dataclass(frozen=True)
class Recipe:
    """How much is trained.

    Attributes
    ----------
    steps
        Optimiser steps after each linearised block.
    tokens
        Tokens of a step: the beginning of one window.
    rate
        AdamW's learning rate for the network.
    gate_steps, gate_rate, gate_penalty
        The same for the gates of the second phase, and the weight of the mean share of the block that they let through.
    """

    steps: int = 50
    tokens: int = 128
    rate: float = 2e-5
    gate_steps: int = 50
    gate_rate: float = 2e-2
    gate_penalty: float = 0.1


@dataclass(frozen=True)
class Texts:
    """Disjoint texts: for fitting maps, for training and for measuring."""

    fit: Windows
    tune: Windows
    measure: Windows


def linearise(
    model: LanguageModel,
    texts: Texts,
    order: Sequence[int],
    recipe: Recipe,
    rng: np.random.Generator,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Replace blocks by frozen affine maps one after another, training everything else in between.

    Parameters
    ----------
    model
        Is changed and put back in the end.
    texts
        No document is in two of them.
    order
        Blocks, the first to be linearised first.
    recipe
        How much is trained.
    rng
        Order of the training text and the bootstrap.
    say
        Told what is being done.

    Returns
    -------
    dict
        For every stage the cost in perplexity of the linearised and trained model, and **the same training without any
        linearisation**: without this control, what the text teaches is taken for what the linear map does.
    """
    training = _Training(model, texts, recipe, rng.permutation(len(texts.tune)), say)
    base = training.measured({})
    seed = int(rng.integers(2**32, size=2)[0])

    def priced(losses: np.ndarray) -> dict[str, Any]:
        return cost(base, losses, texts.measure.documents, np.random.default_rng(seed))

    saved = {name: value.clone() for name, value in model.network.state_dict().items()}
    try:
        stages, maps = _linearised(training, order, priced)
        phases = _two_phases(training, maps, priced)
        model.network.load_state_dict(saved)
        controls = _control(training, len(order), priced)
    finally:
        model.network.load_state_dict(saved)
        model.network.requires_grad_(False)
    for stage, control in zip(stages, controls, strict=True):
        stage["control"] = control
    return {
        "recipe": asdict(recipe),
        "windows": {"fit": len(texts.fit), "tune": len(texts.tune), "measure": len(texts.measure)},
        "stages": stages,
        "two_phase": phases,
    }


Price = Callable[[np.ndarray], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class _Training:
    """Steps on one window each; step after step the same windows for the linearised model and for the control."""

    model: LanguageModel
    texts: Texts
    recipe: Recipe
    batches: np.ndarray
    say: Callable[[str], None]

    def optimiser(self) -> torch.optim.Optimizer:
        self.model.network.requires_grad_(True)
        return torch.optim.AdamW(self.model.network.parameters(), lr=self.recipe.rate, weight_decay=0.01)

    def stage(self, number: int, maps: Mapping[int, Affine], optimiser: torch.optim.Optimizer) -> None:
        with self.model.swapped(maps):
            for step in range(number * self.recipe.steps, (number + 1) * self.recipe.steps):
                self.step(step, optimiser)
                self.say(f"training step {step + 1} with {len(maps)} linearised blocks")

    def step(
        self, number: int, optimiser: torch.optim.Optimizer, more: Callable[[], Tensor | float] = lambda: 0.0
    ) -> None:
        """One step; ``more`` is added to the loss once the model has run."""
        window = int(self.batches[number % len(self.batches)])
        ids = self.texts.tune.ids[window : window + 1, : self.recipe.tokens + 1]
        optimiser.zero_grad(set_to_none=True)
        loss = self.model.nll(ids).mean() + more()
        loss.backward()
        nn.utils.clip_grad_norm_([p for group in optimiser.param_groups for p in group["params"]], 1.0)
        optimiser.step()

    def measured(self, swaps: Mapping[int, Replacement]) -> np.ndarray:
        self.say(f"measuring with {len(swaps)} swapped blocks")
        return swap_together(self.model, self.texts.measure, swaps)


def _linearised(
    training: _Training, order: Sequence[int], priced: Price
) -> tuple[list[dict[str, Any]], dict[int, Affine]]:
    maps: dict[int, Affine] = {}
    stages = []
    optimiser = training.optimiser()
    for number, block in enumerate(order):
        training.say(f"block {block}: fitting its map on {training.texts.fit.ids.size} rows")
        coefficients = _fit_now(training.model, training.texts.fit, block, maps)
        maps[block] = Affine.of(coefficients, training.model.device)
        untrained = priced(training.measured(maps))
        training.stage(number, maps, optimiser)
        trained = priced(training.measured(maps))
        stages.append({"blocks": list(order[: number + 1]), "before_training": untrained, "trained": trained})
    return stages, maps


def _control(training: _Training, stages: int, priced: Price) -> list[dict[str, Any]]:
    optimiser = training.optimiser()
    found = []
    for number in range(stages):
        training.stage(number, {}, optimiser)
        found.append(priced(training.measured({})))
    return found


def _fit_now(model: LanguageModel, windows: Windows, block: int, maps: Mapping[int, Affine]) -> Values:
    """The affine map of a block of the model as it is now."""
    parts: list[Moments] = []

    def hear(_block: int, x: Tensor, y: Tensor) -> None:
        parts.append(Moments.of(*(v.detach().flatten(0, 1).float().cpu().numpy() for v in (x, y))))
        raise _Heard

    with torch.inference_mode(), model.swapped(maps), model.listening(hear, [block]):
        for start in range(0, len(windows), BATCH):
            # What the layers above would compute is not needed.
            with suppress(_Heard):
                model.nll(windows.ids[start : start + BATCH])
    return total(parts).affine(ridge=_RIDGE)


class _Heard(Exception):
    """Stops a forward pass once the block in question has run."""


class SoftGate(nn.Module):
    """``g y + (1 - g) surrogate(x)`` with ``g = sigmoid(x @ weights + offset)`` of d + 1 parameters.

    Attributes
    ----------
    hard
        Whether g is rounded to 0 or 1.
    open
        Mean of g over the tokens of the last call.
    shares
        The same for every call.
    """

    def __init__(self, surrogate: Affine, scale: Tensor) -> None:
        super().__init__()
        self.surrogate = surrogate
        self.scale = scale
        self.weights = nn.Parameter(torch.zeros_like(scale))
        self.offset = nn.Parameter(torch.zeros((), device=scale.device))
        self.hard = False
        self.open: Any = 0.0
        self.shares: list[float] = []

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        g = torch.sigmoid((x / self.scale) @ self.weights + self.offset)
        if self.hard:
            g = (g > 0.5).to(x.dtype)
        self.open = g.mean()
        self.shares.append(float(self.open.detach()))
        return g[..., None] * y + (1 - g[..., None]) * self.surrogate(x, y)


def _two_phases(training: _Training, maps: Mapping[int, Affine], priced: Price) -> dict[str, Any]:
    """Second phase: the trained network is frozen and gates mix the old blocks back in."""
    model, texts, recipe = training.model, training.texts, training.recipe
    model.network.requires_grad_(False)
    gates = {block: SoftGate(affine, _scale(model, texts.fit, block)) for block, affine in maps.items()}
    parameters = [p for gate in gates.values() for p in gate.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=recipe.gate_rate, weight_decay=0.0)

    def openness() -> Any:
        return recipe.gate_penalty * sum(gate.open for gate in gates.values()) / len(gates)

    with model.swapped(gates):
        for step in range(recipe.gate_steps):
            training.step(len(maps) * recipe.steps + step, optimiser, openness)
            training.say(f"gates: training step {step + 1}")
    found: dict[str, Any] = {"blocks": list(maps)}
    for name, hard in (("soft", False), ("hard", True)):
        for gate in gates.values():
            gate.hard, gate.shares = hard, []
        found[name] = priced(training.measured(gates))
        found[name]["share_of_block"] = {str(b): float(np.mean(gate.shares)) for b, gate in gates.items()}
    return found


def _scale(model: LanguageModel, windows: Windows, block: int) -> Tensor:
    """Root mean square of every input of a block, so that the gates' coefficients are comparable."""
    squares: list[Tensor] = []

    def hear(_block: int, x: Tensor, _y: Tensor) -> None:
        squares.append((x.float() ** 2).flatten(0, 1).mean(dim=0))

    with torch.no_grad(), model.listening(hear, [block]):
        model.nll(windows.ids[:BATCH])
    return torch.sqrt(squares[0]).clamp_min(1e-6)
