"""Factors of polynomials in several variables."""

from __future__ import annotations

from typing import Any


def irreducible_factors(polynomial: Any) -> tuple[Any, list[tuple[Any, int]]] | None:
    """Constant and irreducible factors with multiplicities of a multivariate polynomial of flint; None when flint gives up.

    It compares the coefficients of factors to put them in order, and fails when one of them does not fit into a machine word.

    Examples
    --------
    >>> import flint
    >>> x, y = flint.fmpz_mpoly_ctx.get(["x", "y"]).gens()
    >>> irreducible_factors(x**2 - y**2)[1] == [(x - y, 1), (x + y, 1)]
    True
    >>> irreducible_factors(flint.fmpz(10) ** 60 * x**2 - y**2) is None
    True
    """
    try:
        constant, factors = polynomial.factor()
    except OverflowError:
        return None
    return constant, [(factor, int(multiplicity)) for factor, multiplicity in factors]
