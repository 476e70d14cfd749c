"""Low-rank bilinear probes of what an affine map leaves of a block: tied against untied, closed form and trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from rankproof.blocks.probe.collect import Activations
from rankproof.blocks.probe.gram import Moments, Values, r2, total
from rankproof.blocks.probe.linearity import Mlp
from rankproof.errors import UsageError

# Residual directions whose quadratic moments are computed, the loudest ones.
_DIRECTIONS = 8

# Rows further out than this quantile are left out of the moments: third moments would see nothing else.
_INSIDE = 0.99

_PIECE = 2048
_BATCH = 512
_RATE = 3e-3


@dataclass(frozen=True, eq=False)
class Units:
    """Bilinear units ``((x - mean) @ left) * ((x - mean) @ right)``; tied when left is right.

    Attributes
    ----------
    mean
        Shape (d,).
    left, right
        Shape (d, units).
    """

    mean: Values
    left: Values
    right: Values

    def values(self, x: np.ndarray) -> Values:
        """Shape (rows, units)."""
        centred = np.asarray(x, np.float64) - self.mean
        return (centred @ self.left) * (centred @ self.right)


@dataclass(frozen=True, eq=False)
class _Split:
    """Rows of one block: for fitting, for deciding when to stop, for measuring. No window is in two of them."""

    activations: Activations
    block: int
    mlp: Mlp
    fit: NDArray[np.int64]
    stop: NDArray[np.int64]
    measure: NDArray[np.int64]

    def pieces(self, rows: NDArray[np.int64]) -> Iterator[tuple[Values, Values]]:
        """Inputs and outputs, a piece at a time, in float64."""
        inputs = self.activations.inputs(self.block)
        for start in range(0, len(rows), _PIECE):
            x = np.array(inputs[rows[start : start + _PIECE]])
            yield x.astype(np.float64), self.mlp.outputs(x).astype(np.float64)


def bilinear_probes(
    activations: Activations,
    block: int,
    mlp: Mlp,
    *,
    units: int = 16,
    epochs: int = 6,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """What few bilinear units add to an affine map, on held-out rows.

    Parameters
    ----------
    activations, block, mlp
        The block and its inputs.
    units
        Number r of units.
    epochs
        Passes over the fitting rows when units are trained; the best pass on rows of their own is kept, never the best
        on the measured rows.
    rng
        Starting point and batches of the training.

    Returns
    -------
    dict
        ``r2_affine`` and the R^2 of affine map plus units: ``tied`` and ``untied`` with r units, ``tied_projections``
        with 2 r tied units, which project the input as often as r untied ones; each in closed form and trained; and
        ``own``, the block's r loudest units with weights fitted anew.

    Notes
    -----
    In closed form: for whitened z and a direction u of the residual r, the best quadratic form under a Gaussian z is half of
    the moment ``E[(u . r) z z']``. Its eigenvalues of one sign after the other give the units by the theorem on
    quadratic forms: a tied unit takes one eigenvector, an untied unit one of each sign. The write weights then come from
    least squares on [1, x, units].
    """
    split = _split(activations, block, mlp)
    fit = total([Moments.of(x, y) for x, y in split.pieces(split.fit)])
    affine = fit.affine()
    held = total([Moments.of(x, y) for x, y in split.pieces(split.measure)])
    mean, whitening = _whitening(fit)
    spectra = _spectra(split, affine, mean, whitening)
    starts = {
        "tied": _tied(spectra, units),
        "untied": _untied(spectra, units),
        "tied_projections": _tied(spectra, 2 * units),
    }
    found: dict[str, Any] = {"units": units, "r2_affine": r2(held.error(affine), held.spread())}
    for name, (left, right) in starts.items():
        closed = Units(mean, whitening @ left, whitening @ right)
        tied = name != "untied"
        trained = _trained(split, affine, mean, whitening, (left, right), tied, epochs, rng)
        found[name] = {"closed": _measured(split, closed), "trained": _measured(split, trained)}
    if mlp.gated is not None:
        found["own"] = _measured(split, _own(mlp, fit, units))
    return found


def _split(activations: Activations, block: int, mlp: Mlp) -> _Split:
    count = len(activations.windows)
    if count < 8:
        raise UsageError(f"{count} windows are too few for a bilinear probe; at least 8 are needed")
    edges = (0, count * 3 // 5, count * 3 // 4, count)
    parts = [activations.rows_of(range(a, b)) for a, b in pairwise(edges)]
    return _Split(activations, block, mlp, *parts)


def _whitening(fit: Moments) -> tuple[Values, Values]:
    """Mean of the inputs and P of shape (d, kept) with ``(x - mean) @ P`` of unit covariance."""
    mean = fit.gram[0, 1:] / fit.rows
    covariance = fit.gram[1:, 1:] / fit.rows - np.outer(mean, mean)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-7 * values[-1]
    return mean, vectors[:, kept] / np.sqrt(values[kept])


def _spectra(split: _Split, affine: Values, mean: Values, whitening: Values) -> list[tuple[Values, Values]]:
    """Eigenvalues and eigenvectors of the moments of the loudest directions of the residual."""
    d = affine.shape[1]
    second, norms = np.zeros((d, d)), []
    for x, y in split.pieces(split.fit):
        residual = y - affine[0] - x @ affine[1:]
        second += residual.T @ residual
        norms.append((((x - mean) @ whitening) ** 2).sum(axis=1))
    limit = float(np.quantile(np.concatenate(norms), _INSIDE))
    directions = np.linalg.eigh(second)[1][:, -min(_DIRECTIONS, d) :]
    kept = whitening.shape[1]
    moments, rows = np.zeros((directions.shape[1], kept, kept), np.float32), 0
    for (x, y), norm in zip(split.pieces(split.fit), norms, strict=True):
        inside = norm <= limit
        z = ((x[inside] - mean) @ whitening).astype(np.float32)
        residual = ((y - affine[0] - x @ affine[1:])[inside] @ directions).astype(np.float32)
        rows += len(z)
        for k in range(len(moments)):
            moments[k] += (z * residual[:, k : k + 1]).T @ z
    return [tuple(np.linalg.eigh(m.astype(np.float64) / (2 * rows))) for m in moments]


def _tied(spectra: list[tuple[Values, Values]], units: int) -> tuple[Values, Values]:
    found = [(abs(value), vectors[:, i]) for values, vectors in spectra for i, value in enumerate(values)]
    chosen = sorted(found, key=lambda pair: -pair[0])[:units]
    left = np.stack([vector for _, vector in chosen], axis=1)
    return left, left


def _untied(spectra: list[tuple[Values, Values]], units: int) -> tuple[Values, Values]:
    found: list[tuple[float, Values, Values]] = []
    for values, vectors in spectra:
        n = len(values)
        for i in range(n // 2):
            # The i-th largest with the i-th smallest; a pair of one sign is not a product of real forms.
            low, high = min(values[i], 0.0), max(values[n - 1 - i], 0.0)
            plus, minus = np.sqrt(high) * vectors[:, n - 1 - i], np.sqrt(-low) * vectors[:, i]
            found.append((low**2 + high**2, plus + minus, plus - minus))
    chosen = sorted(found, key=lambda triple: -triple[0])[:units]
    left, right = (np.stack([t[k] for t in chosen], axis=1) for k in (1, 2))
    return left / np.linalg.norm(left, axis=0), right / np.linalg.norm(right, axis=0)


def _own(mlp: Mlp, fit: Moments, units: int) -> Units:
    """The loudest units of the block itself, by their energy at the covariance of the inputs."""
    if mlp.gated is None:
        raise UsageError(f"the even part of the block is not bilinear: {mlp.why}")
    block, second = mlp.gated, fit.gram[1:, 1:] / fit.rows
    a, b = (np.einsum("ij,jk,ik->i", w, second, w) for w in (block.gate, block.up))
    both = np.einsum("ij,jk,ik->i", block.gate, second, block.up)
    energy = (a * b + 2 * both**2) * (block.down**2).sum(axis=0)
    loud = np.argsort(-energy, kind="stable")[:units]
    return Units(np.zeros(block.inputs), block.gate[loud].T, block.up[loud].T)


def _measured(split: _Split, units: Units) -> float:
    """R^2 on the measured rows after least squares on [1, x, units]."""

    def moments(rows: NDArray[np.int64]) -> Moments:
        return total([Moments.of(np.hstack([x, units.values(x)]), y) for x, y in split.pieces(rows)])

    held = moments(split.measure)
    return r2(held.error(moments(split.fit).affine()), held.spread())


def _trained(
    split: _Split,
    affine: Values,
    mean: Values,
    whitening: Values,
    start: tuple[Values, Values],
    tied: bool,
    epochs: int,
    rng: np.random.Generator,
) -> Units:
    """Units trained by Adam on the residual from the closed form on, the best pass on the stopping rows."""

    def prepared(rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        parts = [((x - mean) @ whitening, y - affine[0] - x @ affine[1:]) for x, y in split.pieces(rows)]
        z, r = (np.concatenate(part).astype(np.float32) for part in zip(*parts, strict=True))
        return torch.from_numpy(z), torch.from_numpy(r)

    (z, r), (z_stop, r_stop) = prepared(split.fit), prepared(split.stop)
    loudness = float((r**2).mean()) or 1.0
    left = nn.Parameter(torch.from_numpy(start[0].astype(np.float32)))
    right = left if tied else nn.Parameter(torch.from_numpy(start[1].astype(np.float32)))
    write = nn.Parameter(_write_weights((z @ left.detach()) * (z @ right.detach()), r))
    optimiser = torch.optim.Adam([left, write] if tied else [left, right, write], lr=_RATE)

    def loss(z: torch.Tensor, r: torch.Tensor) -> torch.Tensor:
        q = (z @ left) * (z @ right)
        return (((q - q.mean(dim=0)) @ write - r) ** 2).mean() / loudness

    best, kept = float("inf"), (left.detach().clone(), right.detach().clone())
    for epoch in range(epochs + 1):
        with torch.no_grad():
            now = float(loss(z_stop, r_stop))
        if now < best:
            best, kept = now, (left.detach().clone(), right.detach().clone())
        if epoch == epochs:
            break
        order = torch.from_numpy(rng.permutation(len(z)))
        for batch in order.split(_BATCH):
            optimiser.zero_grad(set_to_none=True)
            loss(z[batch], r[batch]).backward()
            nn.utils.clip_grad_norm_(optimiser.param_groups[0]["params"], 1.0)
            optimiser.step()
    return Units(mean, *(whitening @ part.double().numpy() for part in kept))


def _write_weights(q: torch.Tensor, r: torch.Tensor) -> torch.Tensor:
    centred = (q - q.mean(dim=0)).double()
    gram = centred.T @ centred
    ridge = 1e-6 * float(gram.diagonal().mean()) * torch.eye(len(gram), dtype=torch.float64)
    return torch.linalg.solve(gram + ridge, centred.T @ r.double()).float()
