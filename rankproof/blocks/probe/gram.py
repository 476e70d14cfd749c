"""Least squares from sums: moments of rows that are seen once and never held together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add as _plus

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

# Directions of the standardised inputs with less than this share of the largest variance carry rounding errors only:
# activations are float32, whose squares know 14 digits at the very best.
_NEGLIGIBLE = 1e-12


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over rows of inputs x (with a leading 1) and targets t.

    Attributes
    ----------
    gram
        Sum of ``[1, x] [1, x]'``, shape (d + 1, d + 1); its corner counts the rows.
    cross
        Sum of ``[1, x] t'``, shape (d + 1, k); its first row is the sum of the targets.
    square
        Sum of ``t**2``, shape (k,).

    Examples
    --------
    >>> x = np.arange(6.0)[:, None]
    >>> moments = Moments.of(x, 2 * x + 1)
    >>> np.round(moments.affine(), 9).ravel().tolist()
    [1.0, 2.0]
    """

    gram: Values
    cross: Values
    square: Values

    @classmethod
    def of(cls, x: np.ndarray, t: np.ndarray) -> Moments:
        """Moments of rows x of shape (rows, d) and t of shape (rows, k)."""
        design = np.concatenate([np.ones((len(x), 1)), np.asarray(x, np.float64)], axis=1)
        t = np.asarray(t, np.float64)
        return cls(design.T @ design, design.T @ t, np.einsum("ij,ij->j", t, t))

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.gram + other.gram, self.cross + other.cross, self.square + other.square)

    def __sub__(self, other: Moments) -> Moments:
        return Moments(self.gram - other.gram, self.cross - other.cross, self.square - other.square)

    @property
    def rows(self) -> int:
        return round(float(self.gram[0, 0]))

    def targets(self, columns: slice) -> Moments:
        """The same rows with some of the targets."""
        return Moments(self.gram, self.cross[:, columns], self.square[columns])

    def mean(self) -> Values:
        """Mean of every target, shape (k,)."""
        return self.cross[0] / self.rows

    def spread(self) -> Values:
        """Sum of squares of every target about its own mean, shape (k,)."""
        return np.maximum(self.square - self.cross[0] ** 2 / self.rows, 0.0)

    def affine(self, *, ridge: float = 0.0) -> Values:
        """Least-squares coefficients of the targets on ``[1, x]``, shape (d + 1, k).

        Parameters
        ----------
        ridge
            Added to the correlation matrix of the inputs; 0 is ordinary least squares.

        Notes
        -----
        The inputs are centred and scaled first: the residual stream has coordinates a hundred times louder than the others,
        and the normal equations square the condition number. Directions in which the rows do not vary get the
        coefficient 0.
        """
        mean = self.gram[0, 1:] / self.rows
        covariance = self.gram[1:, 1:] / self.rows - np.outer(mean, mean)
        scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        scale[scale <= _NEGLIGIBLE * (1 + np.abs(mean))] = np.inf
        correlation = covariance / scale[:, None] / scale
        with_targets = (self.cross[1:] / self.rows - np.outer(mean, self.mean())) / scale[:, None]
        values, vectors = np.linalg.eigh(correlation)
        kept = values > _NEGLIGIBLE * max(float(values[-1]), 1e-300)
        vectors, values = vectors[:, kept], values[kept] + ridge
        slope = (vectors @ ((vectors.T @ with_targets) / values[:, None])) / scale[:, None]
        return np.concatenate([(self.mean() - mean @ slope)[None], slope])

    def error(self, coefficients: Values) -> Values:
        """Sum of squared errors of affine predictions, one for every target, shape (k,)."""
        fitted = np.einsum("ij,ij->j", coefficients, self.gram @ coefficients)
        return np.maximum(self.square - 2 * np.einsum("ij,ij->j", coefficients, self.cross) + fitted, 0.0)

    def constant(self, values: Values) -> Values:
        """Coefficients of the predictor that always says the same, shape (d + 1, k)."""
        return np.concatenate([values[None], np.zeros((len(self.gram) - 1, len(values)))])


def total(parts: list[Moments]) -> Moments:
    """Moments of all rows of several parts."""
    return reduce(_plus, parts)


def r2(error: Values, spread: Values) -> float:
    """One minus the share of the spread that is left, all outputs together.

    Parameters
    ----------
    error
        Sum of squared errors of every output.
    spread
        Sum of squares of every output about its own mean **on the same rows**; a constant prediction then never has a
        positive value.
    """
    whole = float(spread.sum())
    return 1.0 - float(error.sum()) / whole if whole > 0 else float("nan")


def scalar_mean_r2(error: Values, held_out: Moments) -> float:
    """The same with one mean over all outputs: what `how linear` studies sometimes report.

    Notes
    -----
    Outputs with different means are spread about the common mean although none of them varies. A predictor that knows
    the means and nothing else is therefore rewarded; see the constant predictor's line in a report.
    """
    count = held_out.rows * len(held_out.square)
    common = float(held_out.cross[0].sum()) / count
    whole = float(held_out.square.sum()) - count * common**2
    return 1.0 - float(error.sum()) / whole if whole > 0 else float("nan")
