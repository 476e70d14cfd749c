"""The gate of d + 1 parameters between a block and its affine surrogate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rankproof.blocks.probe.swap import Affine
from rankproof.errors import UsageError

Values = NDArray[np.float64]

# Candidates among which held-out text chooses: weights of the penalty (the first paper's C = 1 is 1), and what is fitted.
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
KINDS = ("logistic", "regression")

# A token that the surrogate makes ten nats worse says as much as one nat: the regression is not for outliers.
_CLIP = 1.0

_NEWTON_STEPS = 25


@dataclass(frozen=True, eq=False)
class Gate:
    """Send a token through the surrogate when ``x @ weights + offset > 0``.

    Attributes
    ----------
    weights, offset
        The d + 1 parameters, for inputs as the block sees them.
    """

    weights: Values
    offset: float

    def routed(self, x: np.ndarray) -> NDArray[np.bool_]:
        """Which rows go through the surrogate."""
        return np.asarray(x, np.float64) @ self.weights + self.offset > 0

    def scores(self, x: np.ndarray) -> Values:
        """The larger, the more linear a row is thought to be."""
        return np.asarray(x, np.float64) @ self.weights


@dataclass(frozen=True, eq=False)
class Routed:
    """Block or surrogate, as the gate says.

    Attributes
    ----------
    gate, surrogate
        Who decides between the block and what.
    shift
        0 obeys the gate. Otherwise the decisions are those about tokens so many places away: the control with the
        same share routed and no knowledge of the token. The first token keeps its own decision: in many models it is an
        attention sink unlike all others, and a control that fails only there shows nothing.
    """

    gate: Gate
    surrogate: Affine
    shift: int = 0

    def __call__(self, x: Tensor, y: Tensor) -> Tensor:
        weights = torch.from_numpy(self.gate.weights).to(x.device)
        routed = x.double() @ weights + self.gate.offset > 0
        if self.shift:
            routed = torch.cat([routed[:, :1], routed[:, 1:].roll(self.shift, dims=1)], dim=1)
        return torch.where(routed[..., None], self.surrogate(x, y), y)


def fit_gate(x: Values, difference: Values, *, kind: str, penalty: float, share: float = 0.5) -> Gate:
    """Fit a gate to the cost of linearisation of single tokens.

    Parameters
    ----------
    x
        Inputs of the block, shape (rows, d).
    difference
        How many nats the surrogate makes each token worse, shape (rows,).
    kind
        ``logistic``: predict whether the difference is at most its quantile at ``share``, as the first paper does with
        the median; ``regression``: predict the difference itself, clipped to one nat.
    penalty
        Weight of the squared coefficients, in rows.
    share
        Share of tokens to route; the threshold is the score with so many rows of this text above it.
    """
    if kind not in KINDS:
        raise UsageError(f"{kind!r} is no kind of gate; there are {', '.join(KINDS)}")
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 0, scale, np.inf)
    z = (x - mean) / scale
    if kind == "logistic":
        slope = _logistic(z, difference <= np.quantile(difference, share), penalty)
    else:
        t = -np.clip(difference, -_CLIP, _CLIP)
        slope = np.linalg.solve(z.T @ z + penalty * np.eye(x.shape[1]), z.T @ (t - t.mean()))
    weights = slope / scale
    scores = x @ weights
    return Gate(weights, -float(np.quantile(scores, 1 - share)))


def _logistic(z: Values, labels: NDArray[np.bool_], penalty: float) -> Values:
    """Penalised logistic regression by Newton's method; the constant is not penalised. Coefficients of z."""
    design = np.concatenate([np.ones((len(z), 1)), z], axis=1)
    damping = np.full(design.shape[1], penalty)
    damping[0] = 1e-9
    beta = np.zeros(design.shape[1])
    for _ in range(_NEWTON_STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        gradient = design.T @ (labels - p) - damping * beta
        curvature = (design * (p * (1 - p))[:, None]).T @ design + np.diag(damping)
        step = np.linalg.solve(curvature, gradient)
        beta = beta + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return beta[1:]


def choose_gate(
    train: tuple[Values, Values], held: tuple[Values, Values], share: float = 0.5
) -> tuple[Gate, dict[str, Any]]:
    """The candidate whose routed tokens cost least on text that no candidate has seen.

    Parameters
    ----------
    train, held
        Inputs and differences; on the first the candidates are fitted, on the second one is chosen.
    share
        As in `fit_gate`.

    Returns
    -------
    Gate, dict
        The gate, and a report: its kind and penalty, its area under the curve and the share it routes on the held-out
        text, and how many candidates there were.
    """
    x, difference = held
    best: tuple[float, Gate, str, float] | None = None
    for kind in KINDS:
        for penalty in PENALTIES:
            gate = fit_gate(*train, kind=kind, penalty=penalty, share=share)
            # Per routed token: a candidate must not win by routing fewer.
            routed = gate.routed(x)
            price = float(difference[routed].mean()) if routed.any() else float("inf")
            if best is None or price < best[0]:
                best = (price, gate, kind, penalty)
    if best is None:
        raise UsageError("no candidate gates")
    _, gate, kind, penalty = best
    return gate, {
        "kind": kind,
        "penalty": penalty,
        "candidates": len(KINDS) * len(PENALTIES),
        "auc_selection": auc(gate.scores(x), difference <= np.median(difference)),
        "share_selection": float(gate.routed(x).mean()),
    }


def auc(scores: Values, labels: NDArray[np.bool_]) -> float | None:
    """Area under the ROC curve: the chance that a positive row has the larger score.

    Examples
    --------
    >>> auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    positive = int(labels.sum())
    negative = len(labels) - positive
    if not positive or not negative:
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # Mean rank of tied scores.
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[labels].sum() - positive * (positive + 1) / 2) / (positive * negative))
