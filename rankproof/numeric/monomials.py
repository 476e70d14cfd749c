"""Tables of monomials, and powers of linear forms in an orthonormal basis of symmetric tensors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import factorial, prod

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.problem.space import Space, Word


@lru_cache(maxsize=64)
def words(n: int, k: int) -> tuple[Word, ...]:
    """Monomials of degree k in n variables, in the order of `Space.words`."""
    return tuple(Space.form(n, k).words()) if k else ((),)


@lru_cache(maxsize=64)
def shifts(n: int, k: int) -> tuple[Array, ...]:
    """For every variable the places, among the monomials of degree k + 1, of its multiples of those of degree k."""
    place = {word: at for at, word in enumerate(words(n, k + 1))}
    return tuple(np.array([place[tuple(sorted((*word, i)))] for word in words(n, k)]) for i in range(n))


@lru_cache(maxsize=64)
def norms(n: int, d: int) -> Array:
    """Norms of the monomials: the coordinate of c * x^a in the orthonormal basis is c times this."""
    counts = [prod(factorial(word.count(i)) for i in set(word)) for word in words(n, d)]
    return np.sqrt(np.array(counts, dtype=np.float64) / factorial(d))


def product(forms: Sequence[Array], powers: Sequence[int]) -> Array:
    """Plain coefficients of products of powers of linear forms.

    Parameters
    ----------
    forms
        Arrays of shape (points, variables, width).
    powers
        One exponent a form.

    Returns
    -------
    Array
        Shape (points, monomials, width).

    Examples
    --------
    >>> product([np.array([[[1.0], [2.0]]])], [2])[0, :, 0]
    array([1., 4., 4.])
    """
    points, n, width = forms[0].shape
    result = np.ones((points, 1, width), forms[0].dtype)
    k = 0
    for form, p in zip(forms, powers, strict=True):
        for _ in range(p):
            longer = np.zeros((points, len(words(n, k + 1)), width), form.dtype)
            for i, shift in enumerate(shifts(n, k)):
                longer[:, shift] += result * form[:, i, None]
            result, k = longer, k + 1
    return result


__all__ = ["norms", "product", "shifts", "words"]
