"""Many blocks as one tensor: all seeds, widths and kinds of units of a piece.

The weights of M blocks are one tensor of shape (M, H, 2n + m): for each of at most H units its detector a, its value b
and its write vector w. Blocks with fewer units, and the values of tied units, are masked with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rankproof.errors import UsageError
from rankproof.train.plan import Model, Plan

# Streams of random numbers of one seed: initial weights, training inputs, inputs of the final measurement.
_WEIGHTS, INPUTS, HELD_OUT = 0, 1, 2


@dataclass(frozen=True)
class Batch:
    """The blocks of a piece and the shape of their tensor.

    Attributes
    ----------
    models
        In the order of the tensor's first axis.
    inputs, outputs
        Numbers n and m.
    untied
        Shape (M, 1, 1): which blocks have a value b of their own.
    mask
        Shape (M, H, 2n + m): 1 where there is a weight.
    """

    models: tuple[Model, ...]
    inputs: int
    outputs: int
    untied: Tensor
    mask: Tensor

    @property
    def width(self) -> int:
        """Greatest number of units."""
        return self.mask.shape[1]

    def split(self, theta: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Detectors, values and write vectors; in tied blocks the value is the detector."""
        n = self.inputs
        a, b, w = theta[..., :n], theta[..., n : 2 * n], theta[..., 2 * n :]
        return a, torch.where(self.untied, b, a), w

    def sizes(self, theta: Tensor, degree: int) -> Tensor:
        """Size of the largest unit |a|^(d-1) |b| |w| of every block."""
        a, b, w = self.split(theta)
        return (a.norm(dim=2) ** (degree - 1) * b.norm(dim=2) * w.norm(dim=2)).amax(dim=1)

    def initial(self) -> Tensor:
        """Random weights: of each block from its own generator, so that they do not depend on the others."""
        theta = torch.zeros_like(self.mask)
        n = self.inputs
        for index, model in enumerate(self.models):
            drawn = torch.randn(
                (model.width, 2 * n + self.outputs), generator=generator(model, _WEIGHTS), dtype=torch.float64
            )
            drawn[:, : 2 * n] *= n**-0.5
            drawn[:, 2 * n :] *= model.width**-0.5
            theta[index, : model.width] = drawn.to(theta)
        return theta * self.mask


def device_of(plan: Plan) -> torch.device:
    """The device of a plan; see `device_named`."""
    return device_named(plan.device)


def device_named(name: str) -> torch.device:
    """A device of torch.

    Raises
    ------
    UsageError
        If torch does not know it, or it is not there.
    """
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"--device {name} cannot be used here ({reason}); take --device cpu") from error
    return device


def make_batch(plan: Plan, models: Sequence[Model]) -> Batch:
    """The tensors of a piece."""
    device, dtype = device_of(plan), getattr(torch, plan.dtype)
    n, m = plan.target.space.variables_count, plan.target.space.outputs
    widths = torch.tensor([model.width for model in models], device=device)
    untied = torch.tensor([model.units == "untied" for model in models], device=device)[:, None, None]
    here = (
        torch.arange(max(model.width for model in models), device=device)[None, :, None]
        < widths[:, None, None]
    )
    mask = here.expand(-1, -1, 2 * n + m).to(dtype).clone()
    mask[..., n : 2 * n] *= untied.to(dtype)
    return Batch(tuple(models), n, m, untied, mask)


def generator(model: Model, stream: int, chunk: int = 0, device: str = "cpu") -> torch.Generator:
    """Generator of one stream of a model: independent of the other models, and of where the model is trained."""
    kind = 1 if model.units == "untied" else 0
    # Mixed by a multiplier that is coprime to 2^63, so that neighbouring seeds do not start neighbouring streams.
    number = (((model.seed * 8191 + model.width) * 2 + kind) * 4 + stream) * 1_000_003 + chunk
    return torch.Generator(device=device).manual_seed(number * 0x9E3779B97F4A7C15 % (1 << 63))


__all__ = ["HELD_OUT", "INPUTS", "Batch", "device_named", "device_of", "generator", "make_batch"]
