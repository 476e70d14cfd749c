"""Low-rank bilinear probes of what an affine map leaves of a block: tied against untied, closed form and trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from rankproof.blocks.block import GatedBlock
from rankproof.blocks.probe.collect import Activations
from rankproof.blocks.probe.gram import Moments, Values, r2, total
from rankproof.blocks.probe.linearity import FEWEST_WINDOWS, Mlp
from rankproof.errors import UsageError

# Residual directions whose quadratic moments are computed, the loudest ones.
_DIRECTIONS = 8

# Rows further out than this quantile are left out of the moments: third moments would see nothing else.
_INSIDE = 0.99

_BATCH = 512
_RATE = 3e-3

Units = tuple[Values, Values]
"""Bilinear units ``(z @ left) * (z @ right)`` of whitened inputs; tied when left is right. Shapes (d, units)."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Whitened inputs z and what the affine map leaves of the outputs, in float32."""

    z: np.ndarray
    left_over: np.ndarray

    def moments(self, units: Units) -> Moments:
        """Moments of ``[1, z, units]`` with what is left over."""
        left, right = units
        q = (self.z @ left) * (self.z @ right)
        return Moments.of(np.concatenate([self.z, q], axis=1), self.left_over)


@dataclass(frozen=True, eq=False)
class _Whitening:
    """``z = (x - mean) @ into`` has unit covariance; ``x - mean = z @ back``."""

    mean: Values
    into: Values
    back: Values

    @classmethod
    def of(cls, fit: Moments) -> _Whitening:
        mean = fit.gram[0, 1:] / fit.rows
        values, vectors = np.linalg.eigh(fit.gram[1:, 1:] / fit.rows - np.outer(mean, mean))
        kept = values > 1e-7 * values[-1]
        vectors, scale = vectors[:, kept], np.sqrt(values[kept])
        return cls(mean, vectors / scale, (vectors * scale).T)


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
        Batches of the training.

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
    count, length = activations.windows.ids.shape
    if count < FEWEST_WINDOWS:
        raise UsageError(
            f"{count} windows are too few for a bilinear probe; at least {FEWEST_WINDOWS} are needed"
        )
    edges = [length * (count * share // 20) for share in (0, 12, 15, 20)]
    parts = [range(*pair) for pair in zip(edges, edges[1:], strict=False)]
    fit, held = (
        total([Moments.of(x, mlp.outputs(x)) for x in activations.pieces(block, parts[k])]) for k in (0, 2)
    )
    affine, whitening, spread = fit.affine(), _Whitening.of(fit), held.spread()
    fitting, stopping, measuring = (_rows(activations, block, mlp, part, affine, whitening) for part in parts)

    def measured(units: Units) -> float:
        return r2(measuring.moments(units).error(fitting.moments(units).affine()), spread)

    spectra = _spectra(fitting)
    starts = {
        "tied": _tied(spectra, units),
        "untied": _untied(spectra, units),
        "tied_projections": _tied(spectra, 2 * units),
    }
    found: dict[str, Any] = {"block": block, "units": units, "r2_affine": r2(held.error(affine), spread)}
    for name, start in starts.items():
        trained = _trained(fitting, stopping, start, epochs, rng)
        found[name] = {"closed": measured(start), "trained": measured(trained)}
    if mlp.gated is not None:
        found["own"] = measured(_own(mlp.gated, fit, whitening, units))
    return found


def _rows(
    activations: Activations, block: int, mlp: Mlp, part: range, affine: Values, whitening: _Whitening
) -> _Rows:
    z, left_over = [], []
    for x in activations.pieces(block, part):
        z.append(((x - whitening.mean) @ whitening.into).astype(np.float32))
        left_over.append((mlp.outputs(x) - affine[0] - x @ affine[1:]).astype(np.float32))
    return _Rows(np.concatenate(z), np.concatenate(left_over))


def _spectra(rows: _Rows) -> list[tuple[Values, Values]]:
    """Eigenvalues and eigenvectors of the quadratic moments of the loudest directions of the residual."""
    second = (rows.left_over.T @ rows.left_over).astype(np.float64)
    directions = np.linalg.eigh(second)[1][:, -_DIRECTIONS:].astype(np.float32)
    norms = (rows.z**2).sum(axis=1)
    inside = norms <= np.quantile(norms, _INSIDE)
    z, along = rows.z[inside], rows.left_over[inside] @ directions
    moments = ((z * along[:, k : k + 1]).T @ z for k in range(along.shape[1]))
    spectra = (np.linalg.eigh(m.astype(np.float64) / (2 * len(z))) for m in moments)
    return [(values, vectors) for values, vectors in spectra]


def _tied(spectra: list[tuple[Values, Values]], units: int) -> Units:
    found = [(abs(value), vectors[:, i]) for values, vectors in spectra for i, value in enumerate(values)]
    chosen = sorted(found, key=lambda pair: -pair[0])[:units]
    left = np.stack([vector for _, vector in chosen], axis=1)
    return left, left


def _untied(spectra: list[tuple[Values, Values]], units: int) -> Units:
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


def _own(gated: GatedBlock, fit: Moments, whitening: _Whitening, units: int) -> Units:
    """The loudest units of the block itself, by their energy at the second moment of the inputs."""
    second = fit.gram[1:, 1:] / fit.rows
    a, b, both = (
        np.einsum("ij,jk,ik->i", left, second, right, optimize=True)
        for left, right in ((gated.gate, gated.gate), (gated.up, gated.up), (gated.gate, gated.up))
    )
    loud = np.argsort(-(a * b + 2 * both**2) * (gated.down**2).sum(axis=0), kind="stable")[:units]
    # In terms of z a unit is the same up to an affine map, which least squares takes care of.
    return whitening.back @ gated.gate[loud].T, whitening.back @ gated.up[loud].T


def _trained(fitting: _Rows, stopping: _Rows, start: Units, epochs: int, rng: np.random.Generator) -> Units:
    """Units trained by Adam on the residual from the closed form on, the best pass on the stopping rows."""
    tied = start[0] is start[1]
    (z, r), (z_stop, r_stop) = (
        (torch.from_numpy(rows.z), torch.from_numpy(rows.left_over)) for rows in (fitting, stopping)
    )
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
    left_kept, right_kept = (part.double().numpy() for part in kept)
    return (left_kept, left_kept) if tied else (left_kept, right_kept)


def _write_weights(q: torch.Tensor, r: torch.Tensor) -> torch.Tensor:
    centred = (q - q.mean(dim=0)).double()
    gram = centred.T @ centred
    ridge = 1e-6 * float(gram.diagonal().mean()) * torch.eye(len(gram), dtype=torch.float64)
    return torch.linalg.solve(gram + ridge, centred.T @ r.double()).float()
