"""Zeros of a form modulo a prime, and its second derivatives there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import flint
import numpy as np

from rankproof.exact.apolarity import Form, contract


def zeros(form: Form, n: int, p: int, lines: int, rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Zeros on random lines."""
    for _ in range(lines):
        u, v = rng.integers(0, p, (2, n)).tolist()
        along = [flint.nmod_poly([a, b], p) for a, b in zip(u, v, strict=True)]
        total = flint.nmod_poly([0], p)
        for word, value in form.items():
            term = flint.nmod_poly([value], p)
            for i in word:
                term *= along[i]
            total += term
        if total.degree() < 1:
            continue
        for factor, _ in total.factor()[1]:
            if factor.degree() == 1:
                t = -int(factor[0]) * pow(int(factor[1]), -1, p) % p
                yield tuple((a + t * b) % p for a, b in zip(u, v, strict=True))


def _value(form: Form, point: Sequence[int], p: int) -> int:
    total = 0
    for word, value in form.items():
        for i in word:
            value = value * point[i] % p
        total += value
    return total % p


def hessian_rank(form: Form, n: int, point: Sequence[int], p: int) -> int:
    """Rank of the matrix of second derivatives at a point."""
    slopes = [contract({(i,): 1}, form, p) for i in range(n)]
    hessian = [[_value(contract({(j,): 1}, slope, p), point, p) for j in range(n)] for slope in slopes]
    return flint.nmod_mat(hessian, p).rank()
