"""Training of one piece of a comparison, with checkpoints; and its speed against a loop over modules."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor

from rankproof.certificate.whole import write_whole
from rankproof.errors import FormatError, UsageError
from rankproof.train.batch import device_named
from rankproof.train.gated.arms import GatedPlan, Shape
from rankproof.train.gated.blocks import Weights
from rankproof.train.gated.comparison import Outcome
from rankproof.train.gated.language import Language
from rankproof.train.gated.regression import Regression

_BETAS, _EPSILON = (0.9, 0.99), 1e-8
_WARM, _LAST = 0.05, 0.05  # share of the steps over which the rate rises; last rate relative to the greatest
_MARKS = 8  # validation losses along the way
_SLICE = 10  # steps between two looks at the clock


class GatedPiece:
    """The models of a shape, and how far their training is.

    Parameters
    ----------
    plan, shape
        What is trained.
    """

    def __init__(self, plan: GatedPlan, shape: Shape) -> None:
        self.plan, self.shape = plan, shape
        like = torch.zeros(1, dtype=getattr(torch, plan.dtype), device=device_named(plan.device))
        self.task: Any = (Language if plan.task == "language" else Regression)(plan, shape, like)
        self.weights: Weights = {key: value.requires_grad_(True) for key, value in self.task.weights.items()}
        # Adam works element by element, so that a sum of losses trains every model as if it were alone.
        self.optimizer = torch.optim.Adam(
            list(self.weights.values()), lr=shape.rate, betas=_BETAS, eps=_EPSILON
        )
        self.loss: Any = torch.compile(self.task.loss) if plan.compile else self.task.loss
        self.step = 0
        self.history: list[tuple[int, list[float]]] = []

    @property
    def done(self) -> bool:
        """Whether all steps are made."""
        return self.step >= self.plan.steps

    def advance(self, seconds: float) -> None:
        """Go on for some time, or until all steps are made."""
        end = time.monotonic() + seconds
        while not self.done:
            for _ in range(min(_SLICE, self.plan.steps - self.step)):
                self._one_step()
            if time.monotonic() >= end:
                return

    def _one_step(self) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.shape.rate, self.step, self.plan.steps)
        self.optimizer.zero_grad()
        self.loss(self.weights, self.task.data(self.step)).sum().backward()
        self.optimizer.step()
        self.step += 1
        if self.step % max(1, self.plan.steps // _MARKS) == 0 or self.done:
            self.history.append((self.step, self.task.measure(self.weights, "validation")))

    def outcomes(self) -> list[Outcome]:
        """What became of the models; all steps must be made."""
        if not self.done:
            raise UsageError("the piece is not trained to the end")
        test = self.task.measure(self.weights, "test")
        last = self.history[-1][1]
        return [
            Outcome(
                *(name, self.shape.units, self.shape.width, self.shape.rate, seed, last[i], test[i]),
                tuple((step, losses[i]) for step, losses in self.history),
            )
            for i, (name, seed) in enumerate(self.shape.models())
        ]

    def save(self, path: Path) -> None:
        """Write everything that is needed to go on, under a temporary name first."""
        weights = {key: value.detach() for key, value in self.weights.items()}
        stored = {
            "plan": self.plan.to_json(),
            "weights": weights,
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "history": self.history,
        }
        data = io.BytesIO()
        torch.save(stored, data)
        write_whole(path, data.getvalue())

    def load(self, path: Path) -> None:
        """Go on from a file that `save` wrote.

        Raises
        ------
        FormatError
            If it is no such file, or belongs to another plan.
        """
        try:
            stored = torch.load(path, map_location=self.task.like.device, weights_only=True)
            same = stored["plan"] == self.plan.to_json()
        except (
            OSError,
            RuntimeError,
            EOFError,
            LookupError,
            ValueError,
            TypeError,
            UnpicklingError,
        ) as error:
            raise FormatError(
                f"{path} is not a checkpoint; remove it and its piece is trained again"
            ) from error
        if not same:
            raise FormatError(f"{path} is a checkpoint of another comparison; choose another folder with -o")
        with torch.no_grad():
            for key, value in stored["weights"].items():
                self.weights[key].copy_(value)
        self.optimizer.load_state_dict(stored["optimizer"])
        self.step, self.history = stored["step"], stored["history"]


def rate_at(rate: float, step: int, steps: int) -> float:
    """Learning rate of a step: a short rise, then a cosine to a twentieth.

    Examples
    --------
    >>> [round(rate_at(1.0, step, 100), 2) for step in (0, 4, 5, 99)]
    [0.2, 1.0, 1.0, 0.05]
    """
    warm = max(1, int(_WARM * steps))
    if step < warm:
        return rate * (step + 1) / warm
    return rate * (_LAST + (1 - _LAST) * (1 + cos(pi * (step - warm) / max(1, steps - warm))) / 2)


def train_shape(
    plan: GatedPlan,
    number: int,
    folder: Path | None,
    every: float,
    threads: int,
    say: Callable[[str], None] | None,
) -> list[Outcome]:
    """Train one piece of a plan, from its checkpoint where there is one: what is sent to a process or a worker."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        piece = GatedPiece(plan, plan.shapes()[number])
        path = None if folder is None else folder / f"piece-{number}.pt"
        if path is not None and path.exists():
            piece.load(path)
        while not piece.done:
            piece.advance(min(every, 2.0) if say else every)
            if say is not None:
                say(f"piece {number + 1} of {len(plan.shapes())}: step {piece.step} of {plan.steps}")
            if path is not None:
                piece.save(path)
        return piece.outcomes()
    finally:
        torch.set_num_threads(before)


@dataclass(frozen=True)
class Throughput:
    """Model-steps per second of a piece, stacked and as a loop over modules.

    Attributes
    ----------
    models, steps
        How many of each.
    stacked, loop
        Model-steps per second.
    difference
        Greatest relative difference of a last loss: the two compute the same.
    """

    models: int
    steps: int
    stacked: float
    loop: float
    difference: float


def throughput(plan: GatedPlan, shape: Shape, steps: int) -> Throughput:
    """Train a piece for some steps, stacked and module by module, from the same weights on the same data."""
    piece = GatedPiece(plan, shape)
    models = len(shape.models())
    data = [piece.task.data(step) for step in range(steps + 1)]
    modules = [piece.task.plain({k: v.detach() for k, v in piece.weights.items()}, i) for i in range(models)]
    piece.loss(piece.weights, data[0]).sum().backward()  # compiles, and warms up

    def stacked_step(step: int) -> None:
        piece.optimizer.zero_grad()
        piece.loss(piece.weights, data[step]).sum().backward()
        piece.optimizer.step()

    fast = _seconds(stacked_step, steps, piece.task.like)
    optimizers = [
        torch.optim.Adam(m.parameters(), lr=shape.rate, betas=_BETAS, eps=_EPSILON) for m in modules
    ]

    def loop_step(step: int) -> None:
        for index, (module, optimizer) in enumerate(zip(modules, optimizers, strict=True)):
            optimizer.zero_grad()
            module(*piece.task.data_of(data[step], index)).backward()
            optimizer.step()

    slow = _seconds(loop_step, steps, piece.task.like)
    with torch.no_grad():
        together = piece.task.loss(piece.weights, data[steps])
        alone = torch.stack([m(*piece.task.data_of(data[steps], i)) for i, m in enumerate(modules)])
    difference = float(((together - alone).abs() / alone.abs()).max())
    return Throughput(models, steps, models * steps / fast, models * steps / slow, difference)


def throughputs(
    plan: GatedPlan, steps: int, threads: int, say: Callable[[str], None] | None = None
) -> list[Throughput]:
    """Throughput of every shape of a plan, at its first rate.

    Parameters
    ----------
    plan
        What would be trained.
    steps
        How many are measured.
    threads
        Of torch.
    say
        Called with a line now and then.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    rows: list[Throughput] = []
    try:
        for shape in plan.shapes():
            if shape.rate == plan.rates[0]:
                if say is not None:
                    say(f"throughput: {shape.units} units, width {shape.width}")
                rows.append(throughput(plan, shape, steps))
    finally:
        torch.set_num_threads(before)
    return rows


def _seconds(step: Callable[[int], None], steps: int, like: Tensor) -> float:
    def wait() -> None:
        if like.device.type == "cuda":
            torch.cuda.synchronize(like.device)

    wait()
    begun = time.perf_counter()
    for number in range(steps):
        step(number)
    wait()
    return time.perf_counter() - begun


__all__ = ["GatedPiece", "Throughput", "rate_at", "throughput", "throughputs", "train_shape"]
