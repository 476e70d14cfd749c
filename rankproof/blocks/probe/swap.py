"""What it costs to swap one block at a time, token by token, and several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rankproof.blocks.probe.collect import BATCH, Activations
from rankproof.blocks.probe.gram import Moments, Values, total
from rankproof.blocks.probe.linearity import Mlp
from rankproof.blocks.probe.model import LanguageModel, Replacement
from rankproof.blocks.probe.store import Store
from rankproof.blocks.probe.text import Windows


@dataclass(frozen=True, eq=False)
class Affine:
    """The map ``x -> x @ slope + offset`` in the place of a block."""

    slope: Tensor
    offset: Tensor

    @classmethod
    def of(cls, coefficients: Values, device: torch.device) -> Affine:
        """From least-squares coefficients, shape (d + 1, outputs)."""
        found = torch.from_numpy(np.asarray(coefficients, np.float32)).to(device)
        return cls(found[1:].contiguous(), found[0].contiguous())

    def __call__(self, x: Tensor, _y: Tensor) -> Tensor:
        return x @ self.slope + self.offset


def fit_affine(activations: Activations, block: int, mlp: Mlp) -> Values:
    """Least-squares affine map of a block on all collected rows, shape (d + 1, outputs)."""
    return total([Moments.of(x, mlp.outputs(x)) for x in activations.pieces(block)]).affine()


@dataclass(frozen=True, eq=False)
class Variant:
    """One block, swapped.

    Attributes
    ----------
    name
        Key of its results.
    block
        Its number.
    replacement
        What stands in its place.
    """

    name: str
    block: int
    replacement: Replacement


def swap_one_at_a_time(
    model: LanguageModel,
    windows: Windows,
    variants: Sequence[Variant],
    store: Store,
    *,
    keep_inputs: bool = False,
    say: Callable[[str], None],
) -> None:
    """Measure every token under every variant; the results are added to a store, which resumes.

    Parameters
    ----------
    model, windows
        What is run on what.
    variants
        Each swaps one block; the layers below it are not computed again.
    store
        Receives, for every batch of windows, ``base`` and each variant's name: arrays of shape (windows, length - 1);
        with ``keep_inputs`` also ``x-NAME``, the inputs of the block.
    """
    count = len(windows)
    for start in range(0, count, BATCH):
        if store.has(start):
            continue
        batch = windows.ids[start : start + BATCH]
        found = _batch(model, batch, variants, keep_inputs)
        store.put(start, found)
        say(f"{min(start + BATCH, count)} of {count} windows with {len(variants)} swapped blocks")


def _batch(
    model: LanguageModel, ids: np.ndarray, variants: Sequence[Variant], keep_inputs: bool
) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    hidden: dict[int, Tensor] = {}
    with torch.inference_mode():
        with ExitStack() as stack:
            for block in {variant.block for variant in variants}:
                handle = model.layers[block].register_forward_pre_hook(
                    lambda _module, inputs, block=block: hidden.__setitem__(block, inputs[0])
                )
                stack.callback(handle.remove)
            found["base"] = model.nll(ids).cpu().numpy()
        for variant in variants:

            def replace(x: Tensor, y: Tensor, variant: Variant = variant) -> Tensor:
                if keep_inputs:
                    found[f"x-{variant.name}"] = x.float().cpu().numpy()
                return variant.replacement(x, y)

            with (
                model.entering(variant.block, hidden[variant.block]),
                model.swapped({variant.block: replace}),
            ):
                found[variant.name] = model.nll(ids).cpu().numpy()
    return found


def swap_together(
    model: LanguageModel, windows: Windows, replacements: Mapping[int, Replacement]
) -> NDArray[np.float64]:
    """Negative log-likelihoods with several blocks swapped at once, shape (windows, length - 1)."""
    parts = []
    with torch.inference_mode(), model.swapped(replacements):
        for start in range(0, len(windows), BATCH):
            parts.append(model.nll(windows.ids[start : start + BATCH]).cpu().numpy())
    return np.concatenate(parts)


def results(store: Store, windows: Windows) -> dict[str, np.ndarray]:
    """All arrays of a finished store, the windows in their order."""
    parts = [store.get(start) for start in range(0, len(windows), BATCH)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
