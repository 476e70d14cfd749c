"""Batched training against a plain loop over modules: model-steps of Adam per second, the same losses, in one run.

python -m benchmarks.training [--device cpu] [--steps 200] [--seeds 16]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import torch
from torch import Tensor, nn

from rankproof.problem.parse import read_targets
from rankproof.train.adam import adam, start_adam
from rankproof.train.batch import make_batch
from rankproof.train.closed_form import ClosedForm
from rankproof.train.plan import Model, Plan

TARGETS = ("x**2*y", "x*y - z*w", "x*y*z", "x**3+y**3+z**3", "x**2-y**2; 2*x*y")


class Block(nn.Module):
    """One block as anybody would write it: three parameters, and its population loss."""

    def __init__(self, plan: Plan, model: Model) -> None:
        super().__init__()
        alone = make_batch(replace(plan, widths=(model.width,)), [model])
        n, theta = alone.inputs, alone.initial()
        self.form, self.tied = ClosedForm(plan, alone), model.units == "tied"
        self.a, self.w = nn.Parameter(theta[..., :n].clone()), nn.Parameter(theta[..., 2 * n :].clone())
        self.b = None if self.tied else nn.Parameter(theta[..., n : 2 * n].clone())

    def forward(self) -> Tensor:
        b = self.a if self.b is None else self.b
        return self.form.loss(torch.cat([self.a, b, self.w], dim=2)).sum()


def loop_of_modules(plan: Plan, models: list[Model], steps: int) -> tuple[float, float]:
    """Seconds, and the sum of the last losses."""
    blocks = [Block(plan, model) for model in models]
    begun = time.perf_counter()
    total = 0.0
    for block in blocks:
        optimizer = torch.optim.Adam(block.parameters(), lr=plan.rate, eps=1e-15)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, eta_min=plan.rate / 100)
        for _ in range(steps):
            optimizer.zero_grad()
            block().backward()
            optimizer.step()
            schedule.step()
        total += float(block().detach())
    return time.perf_counter() - begun, total


def batched(plan: Plan, models: list[Model], steps: int) -> tuple[float, float]:
    """Seconds, and the sum of the last losses."""
    batch = make_batch(plan, models)
    form = ClosedForm(plan, batch)
    state = start_adam(batch.initial())
    begun = time.perf_counter()
    for step in range(steps):
        state = adam(state, lambda theta, _: form.loss(theta), batch.mask, step, steps, plan.rate)
    return time.perf_counter() - begun, float(form.loss(state["theta"]).sum())


def main() -> None:
    """Print one row a target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=16)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(
        f"{'target':<18}{'models':>7}{'loop':>12}{'batched':>12}{'ratio':>8}   model-steps per second on {options.device}"
    )
    for text in TARGETS:
        (target,) = read_targets(text)
        plan = Plan(
            target, widths=tuple(range(1, 7)), seeds=options.seeds, device=options.device, optimizer="adam"
        )
        models = [
            Model(units, width, seed)
            for units in plan.units
            for width in plan.widths
            for seed in range(plan.seeds)
        ]
        batched(plan, models, 3)
        slow, alone = loop_of_modules(plan, models, options.steps)
        fast, together = batched(plan, models, options.steps)
        if abs(alone - together) > 1e-6 * alone:
            raise SystemExit(f"{text}: the losses differ, {alone} and {together}")
        work = len(models) * options.steps
        print(f"{text:<18}{len(models):>7}{work / slow:>12.0f}{work / fast:>12.0f}{slow / fast:>8.1f}")


if __name__ == "__main__":
    main()
