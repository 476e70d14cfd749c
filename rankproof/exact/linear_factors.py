"""Forms that are products of linear forms over QQ or GF(p)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import flint

from rankproof.problem.field import Field, Scalar
from rankproof.problem.space import Word

Vector = tuple[Scalar, ...]


def linear_factors(
    form: Mapping[Word, Scalar], n: int, ring: Field
) -> tuple[Scalar, list[tuple[Vector, int]]] | None:
    """Factor a form completely, if all its irreducible factors over the ring are linear.

    Parameters
    ----------
    form
        Non-zero coefficients by word, over QQ or GF(p).
    n
        Number of variables.
    ring
        QQ or GF(p).

    Returns
    -------
    tuple or None
        A constant, and different linear forms with their multiplicities, the highest first; None when a factor is not linear.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> linear_factors({(0, 0): 1, (0, 1): 2, (1, 1): 1}, 2, QQ)
    (1, [((1, 1), 2)])
    >>> linear_factors({(0, 0): 1, (1, 1): 1}, 2, QQ) is None
    True
    """
    names = [f"x{i}" for i in range(n)]
    scale = 1 if ring.characteristic else lcm(*(Fraction(c).denominator for c in form.values()))  # type: ignore[arg-type]
    terms: dict[tuple[int, ...], int] = {}
    for word, c in form.items():
        exponents = [0] * n
        for x in word:
            exponents[x] += 1
        terms[tuple(exponents)] = int(c * scale)  # type: ignore[arg-type]
    if ring.characteristic:
        context = flint.nmod_mpoly_ctx.get(names, modulus=ring.characteristic)
    else:
        context = flint.fmpz_mpoly_ctx.get(names)
    constant, factors = context.from_dict(terms).factor()
    found: list[tuple[Vector, int]] = []
    for factor, multiplicity in factors:
        vector = [0] * n
        for exponents, c in factor.to_dict().items():
            if sum(exponents) != 1:
                return None
            vector[exponents.index(1)] = int(c)
        found.append((tuple(vector), int(multiplicity)))
    found.sort(key=lambda pair: -pair[1])
    return ring.reduce(Fraction(int(constant), scale)), found
