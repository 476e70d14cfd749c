"""One piece of a sweep, from random weights to runs: a state that is advanced step by step and may be stored at any step."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor

from rankproof.certificate.whole import write_whole
from rankproof.errors import FormatError, UsageError
from rankproof.train.adam import State, adam, start_adam
from rankproof.train.batch import make_batch
from rankproof.train.closed_form import ClosedForm
from rankproof.train.lbfgs import lbfgs, start_lbfgs
from rankproof.train.levenberg import PENALTIES, levenberg, start_levenberg
from rankproof.train.plan import Model, Plan, Run
from rankproof.train.sampled import Sampled

Say = Callable[[str], None]

STAGE_STEPS, LAST_STEPS = 40, 100
"""Steps of a stage of the path, and of its last stage, the one without a penalty."""

_SLICE = 20  # steps between two looks at the clock


@dataclass
class _Progress:
    """Where a piece is, apart from its tensors."""

    phase: str = "train"
    stage: int = 0
    step: int = 0
    history: list[tuple[int, list[float], list[float]]] = field(default_factory=list)
    path: list[tuple[float, list[float], list[float]]] = field(default_factory=list)
    trained: tuple[list[float], list[float]] | None = None


class Piece:
    """The training of the models of one piece.

    Parameters
    ----------
    plan
        The sweep.
    models
        Those of the piece.
    """

    def __init__(self, plan: Plan, models: Sequence[Model]) -> None:
        self.plan, self.batch = plan, make_batch(plan, models)
        self.objective = ClosedForm(plan, self.batch) if plan.polynomial else Sampled(plan, self.batch)
        self.degree = plan.target.space.form_degree if plan.polynomial else 2
        self.norm = _bombieri_norm(plan)
        self._loss = self._loss_function()
        self.progress = _Progress()
        self.state: State = self._start(self.batch.initial())
        self._marks = _marks(plan.steps)

    def _loss_function(self) -> Callable[[Tensor, int], Tensor]:
        objective, plan = self.objective, self.plan
        if isinstance(objective, ClosedForm):
            loss: Any = torch.compile(objective.loss) if plan.compile else objective.loss
            return lambda theta, step: loss(theta)
        if plan.compile:  # drawing inputs is not compiled: it seeds generators
            objective.loss_at = torch.compile(objective.loss_at)
        if plan.optimizer == "lbfgs":  # its line search compares losses, so the inputs have to stay the same
            return lambda theta, step: objective.loss(theta, 0)
        return objective.loss

    def _start(self, theta: Tensor) -> State:
        if self.plan.optimizer == "lm":
            return self._start_path(theta)
        return start_adam(theta) if self.plan.optimizer == "adam" else start_lbfgs(theta, self._loss)

    def _start_path(self, theta: Tensor) -> State:
        if not isinstance(self.objective, ClosedForm):
            raise UsageError("the path needs polynomial units")
        return start_levenberg(theta, self.objective)

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.progress.phase == "done"

    def advance(self, seconds: float) -> None:
        """Go on for some time, or until everything is done."""
        end = time.monotonic() + seconds
        while not self.done:
            for _ in range(_SLICE):
                self._step()
                if self.done:
                    return
            if time.monotonic() >= end:
                return

    def _step(self) -> None:
        if self.progress.phase == "train":
            self._train_step()
        else:
            self._path_step()

    def _train_step(self) -> None:
        plan, at = self.plan, self.progress
        if at.step in self._marks:
            at.history.append((at.step, *self._measure()))
        if plan.optimizer == "adam":
            self.state = adam(self.state, self._loss, self.batch.mask, at.step, plan.steps, plan.rate)
        elif plan.optimizer == "lbfgs":
            self.state = lbfgs(self.state, self._loss, self.batch.mask)
        elif isinstance(self.objective, ClosedForm):
            self.state = levenberg(self.state, self.objective, 0.0)
        at.step += 1
        if at.step == plan.steps:
            at.trained = self._measure()
            at.history.append((at.step, *at.trained))
            follows = plan.finish and plan.polynomial
            at.phase, at.step = ("path" if follows else "done"), 0
            if follows:
                # Levenberg-Marquardt without a penalty drifts to large weights, from which the path does not come
                # back; after it the path starts where training started.
                again = self.batch.initial() if plan.optimizer == "lm" else self.state["theta"]
                self.state = self._start_path(again)

    def _path_step(self) -> None:
        at, objective = self.progress, self.objective
        if not isinstance(objective, ClosedForm):
            raise UsageError("the path needs polynomial units")
        penalty = PENALTIES[at.stage]
        self.state = levenberg(self.state, objective, penalty)
        at.step += 1
        if at.step == (STAGE_STEPS if penalty else LAST_STEPS):
            at.path.append((penalty, *self._measure()))
            at.stage, at.step = at.stage + 1, 0
            self.state = self._start_path(self.state["theta"])
            if at.stage == len(PENALTIES):
                at.phase = "done"

    def _measure(self) -> tuple[list[float], list[float]]:
        theta = self.state["theta"]
        with torch.no_grad():
            exact = isinstance(self.objective, ClosedForm)
            losses = self.objective.loss(theta) if exact else self.objective.held_out(theta)  # pyright: ignore
            sizes = self.batch.sizes(theta, self.degree) / self.norm
        return losses.double().tolist(), sizes.double().tolist()

    def best(self) -> float:
        """Least loss so far, for a display."""
        rows = self.progress.path or self.progress.history
        return min(rows[-1][1]) if rows else 1.0

    def runs(self) -> list[Run]:
        """What became of the models; the piece must be done."""
        at = self.progress
        if at.trained is None or not self.done:
            raise UsageError("the piece is not trained to the end")
        last = at.path[-1] if at.path else (0.0, *at.trained)
        return [
            Run(
                *(model.units, model.width, model.seed),
                *(at.trained[0][i], at.trained[1][i], last[1][i], last[2][i]),
                tuple((step, losses[i], sizes[i]) for step, losses, sizes in at.history),
                tuple((penalty, losses[i], sizes[i]) for penalty, losses, sizes in at.path),
            )
            for i, model in enumerate(self.batch.models)
        ]

    def weights(self) -> Tensor:
        """Weights of all models, shape (M, H, 2n + m)."""
        return self.state["theta"]

    def save(self, path: Path) -> None:
        """Write everything that is needed to go on, under a temporary name first."""
        stored = {"plan": self.plan.to_json(), "state": self.state, "progress": vars(self.progress)}
        data = io.BytesIO()
        torch.save(stored, data)
        write_whole(path, data.getvalue())

    def load(self, path: Path) -> None:
        """Go on from a file that `save` wrote.

        Raises
        ------
        FormatError
            If it belongs to another plan, or is no such file.
        """
        try:
            stored = torch.load(path, map_location=self.batch.mask.device, weights_only=True)
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
            raise FormatError(f"{path} is a checkpoint of another sweep; choose another folder with -o")
        self.state = stored["state"]
        self.progress = _Progress(**stored["progress"])


def _marks(steps: int) -> set[int]:
    """Steps at which losses are recorded: none is far from the others on a logarithmic axis."""
    return {0, *(min(steps - 1, round(1.5**k)) for k in range(60) if round(1.5**k) < steps)}


def _bombieri_norm(plan: Plan) -> float:
    """Norm of the target as a symmetric tensor, in which the unit a^(d-1) b w has at most the norm |a|^(d-1) |b| |w|."""
    from collections import Counter
    from math import factorial, prod, sqrt

    d = plan.target.space.form_degree
    total = 0.0
    for word, value in plan.target.entries:
        count = factorial(d) / prod(factorial(k) for k in Counter(word[:d]).values())
        total += float(value) ** 2 / count  # pyright: ignore[reportArgumentType]
    return sqrt(total)


def train_piece(
    plan: Plan,
    number: int,
    *,
    folder: Path | None = None,
    every: float = 10.0,
    say: Say | None = None,
) -> list[Run]:
    """Train one piece of a plan, from its checkpoint where there is one.

    Parameters
    ----------
    plan
        The sweep.
    number
        Which of its pieces.
    folder
        Where the checkpoint is kept; ``None`` keeps none.
    every
        Seconds between two checkpoints.
    say
        Called with a line now and then.
    """
    piece = Piece(plan, plan.pieces()[number])
    path = None if folder is None else folder / f"piece-{number}.pt"
    if path is not None and path.exists():
        piece.load(path)
    while not piece.done:
        piece.advance(min(every, 1.0) if say else every)
        if say is not None:
            at = piece.progress
            say(
                f"piece {number + 1} of {len(plan.pieces())}: {at.phase} {at.stage or at.step}, best loss {piece.best():.1e}"
            )
        if path is not None:
            piece.save(path)
    return piece.runs()


__all__ = ["LAST_STEPS", "STAGE_STEPS", "Piece", "train_piece"]
