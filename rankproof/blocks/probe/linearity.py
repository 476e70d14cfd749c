"""What an affine map recovers of a block, and what the exact even part adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from rankproof.blocks.activations import activation_named
from rankproof.blocks.block import GatedBlock
from rankproof.blocks.probe.collect import Activations
from rankproof.blocks.probe.gram import Moments, r2, scalar_mean_r2, total
from rankproof.errors import RankproofError, UsageError

# The rows are cut into so many consecutive segments; three quarters of them fit, and five folds have equal parts.
SEGMENTS = 20
_FITTING = 15
_FOLDS = 5

# So many of the loudest outputs are left out for the "ex-massive" line.
_MASSIVE = 8

# The identity of the even part is checked on so many rows, in float64.
_IDENTITY_ROWS = 512

# Numbers of units that are kept of the exact even part.
WIDTHS = (16, 64, 256, 768)


@dataclass(frozen=True, eq=False)
class Mlp:
    """A feed-forward block as a function on rows, with its even part when that is bilinear.

    Attributes
    ----------
    module
        The block of the model.
    gated
        Its exact weights, None where the even part is not bilinear.
    why
        The reason why not.
    """

    module: Any
    gated: GatedBlock | None
    why: str = ""

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """Outputs on rows, shape (rows, outputs), computed as the model computes them."""
        device = next(self.module.parameters()).device
        with torch.inference_mode():
            y = self.module(torch.from_numpy(np.ascontiguousarray(x, np.float32)).to(device)[None])
            return y[0].float().cpu().numpy()

    def products(self, x: np.ndarray) -> np.ndarray:
        """Values of the bilinear units on rows, ``(gate x) * (up x) / 2``, shape (rows, units)."""
        block = _gated(self)
        device = next(self.module.parameters()).device
        with torch.inference_mode():
            rows = torch.from_numpy(np.ascontiguousarray(x, np.float32)).to(device)
            gate, up = self.module.gate_proj.weight, self.module.up_proj.weight
            return (block.half * (rows @ gate.T) * (rows @ up.T)).cpu().numpy()


def mlp_of(module: Any) -> Mlp:
    """The block of a layer; its even part where it has gate, up and down without inner biases.

    Raises
    ------
    RankproofError
        Never: an ungated block has no bilinear even part, which the result says in words.
    """
    names = ("gate_proj", "up_proj", "down_proj")
    if any(not hasattr(module, name) for name in names):
        return Mlp(module, None, "the block has no gate")
    if any(getattr(module, name).bias is not None for name in names):
        return Mlp(module, None, "the block has biases")
    activation = type(module.act_fn).__name__.lower()
    try:
        name = activation_named(activation)
        weights = (getattr(module, name_).weight for name_ in names)
        return Mlp(module, GatedBlock.from_torch(*weights, activation=name))
    except RankproofError as error:
        return Mlp(module, None, str(error))


def _gated(mlp: Mlp) -> GatedBlock:
    if mlp.gated is None:
        raise UsageError(f"the even part of the block is not bilinear: {mlp.why}")
    return mlp.gated


def recoverability(activations: Activations, block: int, mlp: Mlp) -> dict[str, Any]:
    """Report on one block: R^2 of affine maps and of affine maps plus the exact even part, all on held-out rows.

    Parameters
    ----------
    activations
        Inputs of the block on the text.
    block
        Its number.
    mlp
        The block.

    Returns
    -------
    dict
        Plain numbers, ready for JSON. ``null`` stands for what a block without a bilinear even part does not have.

    Notes
    -----
    The even part of a gated block without biases is exactly ``down [(gate x) * (up x)] / 2``; it is subtracted with
    coefficient 1 and the affine map is fitted to what is left, so there is no nonlinear fitting anywhere.
    """
    order = _loudest_units(activations, block, mlp) if mlp.gated else None
    segments, fit, held = [], [], []
    energy = 0.0
    for number, x in enumerate(_segments(activations, block)):
        whole, truncated = _targets(mlp, x, order)
        segments.append(Moments.of(x, whole))
        if mlp.gated:
            energy += float(((whole[:, : whole.shape[1] // 2] - whole[:, whole.shape[1] // 2 :]) ** 2).sum())
        if truncated is not None:
            (fit if number < _FITTING else held).append(Moments.of(x, truncated))
    d = segments[0].cross.shape[1] // (2 if mlp.gated else 1)
    y, odd = slice(0, d), slice(d, 2 * d)
    report = {"block": block, "rows": int(sum(s.rows for s in segments)), **_contiguous(segments, y)}
    report["folds"] = _folds(segments, y, y)
    report["curve"] = _curve(segments, y, y)
    report["even"] = None if mlp.gated else {"absent": mlp.why}
    if mlp.gated:
        even = {
            "r2": _split(segments, y, odd),
            "folds": _folds(segments, y, odd),
            "curve": _curve(segments, y, odd),
        }
        even["identity_error"] = _identity_error(mlp, activations, block)
        even["energy"] = energy / float(total(segments).square[y].sum())
        even["truncated"] = _truncated(fit, held, total(segments[_FITTING:]).targets(y))
        even["units"] = mlp.gated.units
        report["even"] = even
    return report


def _segments(activations: Activations, block: int) -> Iterator[np.ndarray]:
    """Consecutive rows of a block, whole windows together."""
    count, length = activations.windows.ids.shape
    if count < SEGMENTS:
        raise UsageError(
            f"{count} windows are too few; at least {SEGMENTS} are needed, that is {SEGMENTS * length} rows"
        )
    inputs = activations.inputs(block)
    edges = np.linspace(0, count, SEGMENTS + 1).round().astype(int) * length
    for start, stop in pairwise(edges):
        yield np.array(inputs[start:stop])


def _loudest_units(activations: Activations, block: int, mlp: Mlp) -> np.ndarray:
    """Units of the even part by their share of its energy on the first segments, the loudest first."""
    energy = np.zeros(_gated(mlp).units)
    for number, x in enumerate(_segments(activations, block)):
        if number == 5:
            break
        energy += (mlp.products(x).astype(np.float64) ** 2).sum(axis=0)
    return np.argsort(-energy * (_gated(mlp).down ** 2).sum(axis=0), kind="stable")


def _targets(mlp: Mlp, x: np.ndarray, order: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Outputs and outputs minus the even part; outputs minus truncated even parts."""
    y = mlp.outputs(x).astype(np.float64)
    if order is None:
        return y, None
    block = _gated(mlp)
    products = mlp.products(x).astype(np.float64)[:, order]
    down = block.down[:, order].T
    edges = [0, *(w for w in WIDTHS if w < block.units), block.units]
    parts = [products[:, a:b] @ down[a:b] for a, b in pairwise(edges)]
    sums = [y - even for even in np.cumsum(parts, axis=0)]
    return np.concatenate([y, sums[-1]], axis=1), np.concatenate(sums[:-1], axis=1) if sums[:-1] else None


def _contiguous(segments: list[Moments], y: slice) -> dict[str, Any]:
    """The main split: an affine map fitted on the first three quarters, everything measured on the last."""
    fit, held = (total(part).targets(y) for part in (segments[:_FITTING], segments[_FITTING:]))
    coefficients = fit.affine()
    error, spread = held.error(coefficients), held.spread()
    constant = held.error(held.constant(fit.mean()))
    quiet = np.argsort(-fit.spread(), kind="stable")[_MASSIVE:]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = 1 - error / spread
    each = each[np.isfinite(each)]
    return {
        "r2": r2(error, spread),
        "r2_fit": r2(fit.error(coefficients), fit.spread()),
        "r2_median_output": float(np.median(each)) if len(each) else None,
        "r2_ex_massive": r2(error[quiet], spread[quiet]),
        "r2_scalar_mean": scalar_mean_r2(error, held),
        "constant_r2": r2(constant, spread),
        "constant_r2_scalar_mean": scalar_mean_r2(constant, held),
    }


def _split(segments: list[Moments], y: slice, target: slice, fitting: int = _FITTING) -> float:
    fit, held = total(segments[:fitting]), total(segments[_FITTING:])
    return r2(held.targets(target).error(fit.targets(target).affine()), held.targets(y).spread())


def _folds(segments: list[Moments], y: slice, target: slice) -> dict[str, Any]:
    """Blocked folds: every fifth of the text is held out once."""
    whole, values = total(segments), []
    size = SEGMENTS // _FOLDS
    for fold in range(_FOLDS):
        held = total(segments[fold * size : (fold + 1) * size])
        coefficients = (whole - held).targets(target).affine()
        values.append(r2(held.targets(target).error(coefficients), held.targets(y).spread()))
    return {"mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1)), "values": values}


def _curve(segments: list[Moments], y: slice, target: slice) -> list[dict[str, Any]]:
    """R^2 on the same held-out rows of fits to more and more of the others."""
    points = [n for n in (2, 4, 8, _FITTING) if total(segments[:n]).rows > len(segments[0].gram)]
    return [{"rows": total(segments[:n]).rows, "r2": _split(segments, y, target, n)} for n in points]


def _truncated(fit: list[Moments], held: list[Moments], outputs: Moments) -> list[dict[str, Any]]:
    """R^2 when only the loudest units of the even part are kept."""
    if not fit:
        return []
    d, all_fit, all_held = len(outputs.square), total(fit), total(held)
    rows = []
    for number, width in enumerate(WIDTHS[: len(all_fit.square) // d]):
        columns = slice(number * d, (number + 1) * d)
        error = all_held.targets(columns).error(all_fit.targets(columns).affine())
        rows.append({"units": width, "r2": r2(error, outputs.spread())})
    return rows


def _identity_error(mlp: Mlp, activations: Activations, block: int) -> float:
    """Largest error of (f(x) + f(-x))/2 = even part on real inputs, relative to the largest output."""
    inputs = activations.inputs(block)
    chosen = np.linspace(0, len(inputs) - 1, min(_IDENTITY_ROWS, len(inputs))).astype(int)
    return _gated(mlp).even_part_error(np.array(inputs[chosen], np.float64))


__all__ = ["Mlp", "WIDTHS", "mlp_of", "recoverability"]
