"""Forms that are products of linear forms over QQ or GF(p)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

import flint

from rankproof.exact.polynomial_factors import irreducible_factors
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
        A constant, and different linear forms with their multiplicities, the highest first; None when a factor is not linear,
        or the coefficients are too long.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> linear_factors({(0, 0): 1, (0, 1): 2, (1, 1): 1}, 2, QQ)
    (1, [((1, 1), 2)])
    >>> linear_factors({(0, 0): 1, (1, 1): 1}, 2, QQ) is None
    True
    """
    names = [f"x{i}" for i in range(n)]
    terms, scale = _integral_terms(form, n, ring)
    if ring.characteristic:
        context = flint.nmod_mpoly_ctx.get(names, modulus=ring.characteristic)
    else:
        context = flint.fmpz_mpoly_ctx.get(names)
    parts = irreducible_factors(context.from_dict(terms))
    if parts is None:
        return None
    constant, factors = parts
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


def divided_by_linear_factors(form: Mapping[Word, Scalar], n: int) -> Iterator[tuple[Vector, dict[Word, Scalar]]]:
    """Linear factors of a form over QQ, each once, with what is left when the form is divided by it.

    Examples
    --------
    >>> list(divided_by_linear_factors({(0, 0, 0): 1, (0, 1, 1): 1}, 2))
    [((1, 0), {(0, 0): 1, (1, 1): 1})]
    """
    terms, scale = _integral_terms(form, n, Field("QQ"))
    context = flint.fmpz_mpoly_ctx.get([f"x{i}" for i in range(n)])
    whole = context.from_dict(terms)
    parts = irreducible_factors(whole)
    for factor, _ in parts[1] if parts else ():
        if factor.total_degree() != 1:
            continue
        vector = [0] * n
        for exponents, c in factor.to_dict().items():
            vector[exponents.index(1)] = int(c)
        rest: dict[Word, Scalar] = {
            tuple(i for i, e in enumerate(exponents) for _ in range(int(e))): Fraction(int(c), scale)
            for exponents, c in (whole // factor).to_dict().items()
        }
        yield tuple(vector), {word: Field("QQ").reduce(c) for word, c in rest.items()}


def _integral_terms(
    form: Mapping[Word, Scalar], n: int, ring: Field
) -> tuple[dict[tuple[int, ...], int], int]:
    """Integer coefficients by exponents, and what the form was multiplied by."""
    scale = 1 if ring.characteristic else lcm(*(Fraction(c).denominator for c in form.values()))  # type: ignore[arg-type]
    terms: dict[tuple[int, ...], int] = {}
    for word, c in form.items():
        exponents = [0] * n
        for x in word:
            exponents[x] += 1
        terms[tuple(exponents)] = int(c * scale)  # type: ignore[arg-type]
    return terms, scale
