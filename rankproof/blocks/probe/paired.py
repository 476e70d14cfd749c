"""Costs in perplexity from paired per-token differences, with intervals by resampling documents."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Resamplings; the ends of a 95% interval then move by about a hundredth of its length from seed to seed.
RESAMPLES = 10_000
_LEVEL = (2.5, 97.5)


def cost(
    base: NDArray[np.float64], changed: NDArray[np.float64], documents: np.ndarray, rng: np.random.Generator
) -> dict[str, Any]:
    """What a change of the model costs in perplexity.

    Parameters
    ----------
    base, changed
        Negative log-likelihood of the same tokens, shape (windows, tokens), before and after the change.
    documents
        Shape (windows,): number of the document of each window. Whole documents are resampled, because the tokens of a
        document are not independent.
    rng
        Source of the resampling.

    Returns
    -------
    dict
        ``perplexity`` after the change; ``percent``, the relative cost ``100 (exp(mean difference) - 1)``; ``interval``,
        its 95% percentile interval; ``unpaired_interval``, what the interval would be if the two models were measured on
        different texts, for comparison; ``documents``, how many were resampled.

    Examples
    --------
    >>> base = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> cost(base, base + np.log(1.1), np.array([0, 1]), np.random.default_rng(0))["percent"]
    10.0
    """
    before, after, sizes = (
        _sums(base, documents),
        _sums(changed, documents),
        _sums(np.ones_like(base), documents),
    )
    picks = rng.integers(len(sizes), size=(2, RESAMPLES, len(sizes)))
    counts = sizes[picks].sum(axis=2)
    paired = (after - before)[picks[0]].sum(axis=1) / counts[0]
    unpaired = after[picks[0]].sum(axis=1) / counts[0] - before[picks[1]].sum(axis=1) / counts[1]
    return {
        "perplexity": round(float(np.exp(after.sum() / sizes.sum())), 4),
        "percent": _percent((after - before).sum() / sizes.sum()),
        "interval": [_percent(v) for v in np.percentile(paired, _LEVEL)],
        "unpaired_interval": [_percent(v) for v in np.percentile(unpaired, _LEVEL)],
        "documents": len(sizes),
    }


def perplexity(base: NDArray[np.float64], documents: np.ndarray, rng: np.random.Generator) -> dict[str, Any]:
    """Perplexity with its 95% interval by resampling documents; arguments as in `cost`."""
    sums, sizes = _sums(base, documents), _sums(np.ones_like(base), documents)
    picks = rng.integers(len(sizes), size=(RESAMPLES, len(sizes)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    return {
        "perplexity": round(float(np.exp(sums.sum() / sizes.sum())), 4),
        "interval": [round(float(np.exp(v)), 4) for v in np.percentile(means, _LEVEL)],
        "tokens": int(sizes.sum()),
        "documents": len(sizes),
    }


def _percent(difference: float) -> float:
    # A broken model is reported as broken, not as an overflow.
    return round(100 * float(np.expm1(min(float(difference), 500.0))), 4)


def _sums(values: NDArray[np.float64], documents: np.ndarray) -> NDArray[np.float64]:
    """Sum over the windows of each document."""
    _, group = np.unique(documents, return_inverse=True)
    return np.bincount(group, weights=np.asarray(values, np.float64).sum(axis=1)).astype(np.float64)
