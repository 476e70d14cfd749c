"""What an affine map recovers of a block, and what the exact even part adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from rankproof.blocks.block import GatedBlock
from rankproof.blocks.probe.collect import Activations
from rankproof.blocks.probe.gram import Moments, r2, scalar_mean_r2, total
from rankproof.blocks.reading import read
from rankproof.errors import RankproofError, UsageError

# The windows are cut into segments that end after so many twentieths of them. The first three quarters fit in the main
# split; folds hold out a fifth each; the curve fits on the beginning.
_EDGES = (0, 2, 4, 8, 12, 15, 16, 20)
_FITTING = 5
_FOLDS = ((0, 1), (2,), (3,), (4, 5), (6,))
_CURVE = (1, 2, 3, _FITTING)
FEWEST_WINDOWS = _EDGES[-1]

# So many of the loudest outputs are left out for the "ex-massive" line.
_MASSIVE = 8

# The identity of the even part is checked on so many rows, in float64.
_IDENTITY_ROWS = 512

WIDTHS = (16, 64, 256, 768)
"""Numbers of units that are kept of the exact even part."""


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


def mlp_of(module: Any) -> Mlp:
    """The block of a layer; its even part where it is gated, without biases, by a gate with sigma(z) - sigma(-z) = z."""
    try:
        gated = read(module)
        gated.check_bilinear()
    except RankproofError as error:
        return Mlp(module, None, str(error))
    return Mlp(module, gated)


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
        Plain numbers, ready for JSON.

    Notes
    -----
    The even part of a gated block without biases is exactly ``down [(gate x) * (up x)] / 2``; it is subtracted with
    coefficient 1 and the affine map is fitted to what is left, so there is no nonlinear fitting anywhere.
    """
    gated = mlp.gated
    order = None if gated is None else _loudest_units(activations, block, gated)
    segments, energy = [], 0.0
    for pieces in _segments(activations, block):
        parts = []
        for x in pieces:
            y = mlp.outputs(x).astype(np.float64)
            evens = [] if gated is None or order is None else _even_parts(gated, order, x)
            if evens:
                energy += float((evens[0] ** 2).sum())
            parts.append(Moments.of(x, np.concatenate([y, *(y - even for even in evens)], axis=1)))
        segments.append(total(parts))
    columns = len(segments[0].square) // (1 if gated is None else 2 + len(_widths(gated)))
    y, odd = slice(0, columns), slice(columns, 2 * columns)
    report = {"block": block, "rows": sum(s.rows for s in segments), **_main_split(segments, y)}
    report |= {"folds": _folds(segments, y, y), "curve": _curve(segments, y, y), "even": {"absent": mlp.why}}
    if gated is not None:
        report["even"] = {
            "r2": _score(segments[:_FITTING], segments[_FITTING:], y, odd),
            "folds": _folds(segments, y, odd),
            "curve": _curve(segments, y, odd),
            "identity_error": _identity_error(gated, activations, block),
            "energy": energy / float(total(segments).square[y].sum()),
            "truncated": _truncated(segments, y, _widths(gated)),
            "units": gated.units,
        }
    return report


def _segments(activations: Activations, block: int) -> Iterator[Iterator[np.ndarray]]:
    """Consecutive rows of a block, whole windows together, each segment in pieces."""
    count, length = activations.windows.ids.shape
    if count < FEWEST_WINDOWS:
        raise UsageError(
            f"{count} windows are too few; at least {FEWEST_WINDOWS} are needed, that is {FEWEST_WINDOWS * length} rows"
        )
    edges = [count * edge // FEWEST_WINDOWS for edge in _EDGES]
    for start, stop in pairwise(edges):
        yield activations.pieces(block, range(start * length, stop * length))


def _widths(gated: GatedBlock) -> list[int]:
    return [width for width in WIDTHS if width < gated.units]


def _products(gated: GatedBlock, x: np.ndarray) -> np.ndarray:
    """Values of the bilinear units on rows, shape (rows, units); float32 is what the block itself computes in."""
    gate, up = (w.T.astype(np.float32) for w in (gated.gate, gated.up))
    return gated.half * ((x @ gate) * (x @ up)).astype(np.float64)


def _loudest_units(activations: Activations, block: int, gated: GatedBlock) -> np.ndarray:
    """Units of the even part by their share of its energy on the first quarter of the rows, the loudest first."""
    rows = len(activations.inputs(block)) // 4
    pieces = activations.pieces(block, range(rows))
    energy = np.sum([(_products(gated, x) ** 2).sum(axis=0) for x in pieces], axis=0)
    return np.argsort(-energy * (gated.down**2).sum(axis=0), kind="stable")


def _even_parts(gated: GatedBlock, order: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    """The even part on rows, then what the loudest units alone give of it."""
    products, down = _products(gated, x)[:, order], gated.down[:, order].T
    edges = [0, *_widths(gated), gated.units]
    sums = np.cumsum([products[:, a:b] @ down[a:b] for a, b in pairwise(edges)], axis=0)
    return [sums[-1], *sums[:-1]]


def _main_split(segments: list[Moments], y: slice) -> dict[str, Any]:
    """An affine map fitted on the first three quarters, everything measured on the last."""
    fit, held = (total(part).targets(y) for part in (segments[:_FITTING], segments[_FITTING:]))
    coefficients = fit.affine()
    error, spread = held.error(coefficients), held.spread()
    constant = held.error(held.constant(fit.mean()))
    quiet = np.argsort(-fit.spread(), kind="stable")[_MASSIVE:]
    moving = spread > 0
    each = 1 - error[moving] / spread[moving]
    return {
        "r2": r2(error, spread),
        "r2_fit": r2(fit.error(coefficients), fit.spread()),
        "r2_median_output": float(np.median(each)) if len(each) else None,
        "r2_ex_massive": r2(error[quiet], spread[quiet]),
        "r2_scalar_mean": scalar_mean_r2(error, held),
        "constant_r2": r2(constant, spread),
        "constant_r2_scalar_mean": scalar_mean_r2(constant, held),
    }


def _score(fit: list[Moments], held: list[Moments], y: slice, target: slice) -> float:
    """R^2 of an affine map plus what was subtracted from y to get the target."""
    fitted, measured = total(fit).targets(target), total(held)
    return r2(measured.targets(target).error(fitted.affine()), measured.targets(y).spread())


def _folds(segments: list[Moments], y: slice, target: slice) -> dict[str, Any]:
    """Blocked folds: every fifth of the text is held out once."""
    values = []
    for fold in _FOLDS:
        others = [segment for number, segment in enumerate(segments) if number not in fold]
        values.append(_score(others, [segments[number] for number in fold], y, target))
    return {"mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1)), "values": values}


def _curve(segments: list[Moments], y: slice, target: slice) -> list[dict[str, Any]]:
    """R^2 on the same held-out rows of fits to more and more of the others."""
    rows = {n: sum(segment.rows for segment in segments[:n]) for n in _CURVE}
    return [
        {"rows": rows[n], "r2": _score(segments[:n], segments[_FITTING:], y, target)}
        for n in _CURVE
        if rows[n] > len(segments[0].gram)
    ]


def _truncated(segments: list[Moments], y: slice, widths: list[int]) -> list[dict[str, Any]]:
    """R^2 when only the loudest units of the even part are kept."""
    found = []
    for number, width in enumerate(widths, start=2):
        target = slice(number * y.stop, (number + 1) * y.stop)
        found.append({"units": width, "r2": _score(segments[:_FITTING], segments[_FITTING:], y, target)})
    return found


def _identity_error(gated: GatedBlock, activations: Activations, block: int) -> float:
    """Largest error of (f(x) + f(-x))/2 = even part on real inputs, relative to the largest output."""
    inputs = activations.inputs(block)
    chosen = np.linspace(0, len(inputs) - 1, min(_IDENTITY_ROWS, len(inputs))).astype(int)
    return gated.even_part_error(np.array(inputs[chosen], np.float64))
