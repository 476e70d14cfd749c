"""The population loss of polynomial units in closed form, its residual and its Jacobian.

A unit's coefficients are linear in the products of the monomials of a of degree d - 1 with b, so the whole loss is a sum of
squares: |(c(units) - c(target)) L|^2 with L L^T the moments of the measure. Being a difference of coefficients, not of
squares, it stays accurate down to the square of the rounding error.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import torch
from torch import Tensor

from rankproof.errors import UsageError
from rankproof.problem.space import Space
from rankproof.train.batch import Batch
from rankproof.train.measures import factor, norm_squared
from rankproof.train.plan import Plan

MAX_TABLE = 1 << 24
"""Entries of the largest table; beyond, the loss by inner products of units (`pairs`) needs none."""


class ClosedForm:
    """Residuals of all blocks of a batch, scaled so that the zero function has loss 1.

    Parameters
    ----------
    plan
        With polynomial units.
    batch
        Its blocks.
    """

    def __init__(self, plan: Plan, batch: Batch) -> None:
        space = plan.target.space
        self.batch, self.degree = batch, space.form_degree
        n, m, d = space.variables_count, space.outputs, self.degree
        entries = dict(plan.target.entries)
        scale = sqrt(norm_squared(entries, space, plan.loss, plan.bias))  # pyright: ignore[reportArgumentType]
        forms = Space.form(n, d)
        if forms.dimension * Space.form(n, max(d - 1, 1)).dimension * n > MAX_TABLE:
            raise UsageError(f"{forms.dimension} coefficients are too many for the loss in closed form")
        lower = factor(forms, plan.loss, plan.bias) / scale
        place = {word: at for at, word in enumerate(forms.words())}
        target = np.zeros((len(place), m))
        for word, value in entries.items():
            target[place[word[:d]], word[d] if m > 1 else 0] = float(value)  # pyright: ignore[reportArgumentType]
        like = batch.mask
        self.powers = [_Powers(n, k, like) for k in range(d)]
        self.target = torch.as_tensor(lower.T @ target).to(like)
        self.once = torch.as_tensor(_shift(n, d - 1, place, lower)).to(like)
        self.twice = torch.as_tensor(_shift_twice(n, d - 2, place, lower)).to(like) if d > 1 else None

    def residual(self, theta: Tensor) -> Tensor:
        """Shape (M, residuals)."""
        a, b, w = self.batch.split(theta)
        p = self.powers[-1](a)
        mixed = torch.einsum("mhp,mhi,mho->mpio", p, b, w)
        return (torch.einsum("mpio,pir->mro", mixed, self.once) - self.target).flatten(1)

    def loss(self, theta: Tensor) -> Tensor:
        """Relative loss of every block."""
        return self.residual(theta).square().sum(dim=1)

    def jacobian(self, theta: Tensor) -> Tensor:
        """Derivatives of the residual, shape (M, residuals, H (2n + m))."""
        a, b, w = self.batch.split(theta)
        d, untied = self.degree, self.batch.untied
        along_b = torch.einsum("mhp,pir->mhir", self.powers[-1](a), self.once)
        unit = torch.einsum("mhir,mhi->mhr", along_b, b)
        along_a = d * along_b
        if self.twice is not None:
            moved = torch.einsum("mhp,mhi,pijr->mhjr", self.powers[-2](a), b, self.twice)
            along_a = torch.where(untied[..., None], (d - 1) * moved, along_a)
        elif d == 1:
            along_a = torch.where(untied[..., None], 0.0, along_a)
        eye = torch.eye(w.shape[2], dtype=w.dtype, device=w.device)
        parts = [torch.einsum("mhir,mho->mrohi", part, w) for part in (along_a, along_b)]
        parts.append(torch.einsum("mhr,op->mrohp", unit, eye))
        whole = torch.cat(parts, dim=4) * self.batch.mask[:, None, None]
        return whole.flatten(3).flatten(1, 2)


class _Powers:
    """All monomials of degree k of a vector, times their multinomial numbers: the coefficients of (a.x)^k."""

    def __init__(self, n: int, k: int, like: Tensor) -> None:
        self.steps: list[tuple[Tensor, Tensor]] = []
        counts = np.ones(1)
        for length in range(1, k + 1):
            words = list(Space.form(n, length).words())
            earlier: dict[tuple[int, ...], int] = {(): 0}
            if length > 1:
                earlier = {word: at for at, word in enumerate(Space.form(n, length - 1).words())}
            parents = torch.tensor([earlier[word[:-1]] for word in words], device=like.device)
            last = torch.tensor([word[-1] for word in words], device=like.device)
            self.steps.append((parents, last))
            # multinomial(word) = multinomial(parent) * length / (multiplicity of the last letter)
            counts = np.array([counts[earlier[word[:-1]]] * length / word.count(word[-1]) for word in words])
        self.counts = torch.as_tensor(counts).to(like)

    def __call__(self, a: Tensor) -> Tensor:
        result = torch.ones_like(a[..., :1])
        for parents, last in self.steps:
            result = result[..., parents] * a[..., last]
        return result * self.counts


def _shift(n: int, k: int, place: dict[tuple[int, ...], int], lower: np.ndarray) -> np.ndarray:
    """Table (monomial of degree k, variable, residual): what their product contributes."""
    words = list(Space.form(n, k).words()) if k else [()]
    return np.array([[lower[place[tuple(sorted((*word, i)))]] for i in range(n)] for word in words])


def _shift_twice(n: int, k: int, place: dict[tuple[int, ...], int], lower: np.ndarray) -> np.ndarray:
    """Table (monomial of degree k, variable, variable, residual)."""
    words = list(Space.form(n, k).words()) if k else [()]
    return np.array(
        [[[lower[place[tuple(sorted((*word, i, j)))]] for j in range(n)] for i in range(n)] for word in words]
    )


__all__ = ["MAX_TABLE", "ClosedForm"]
