"""Where inputs come from: moments of measures, exact, and the quadratic form of a loss on coefficients."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError
from rankproof.problem.space import Space, Word

LOSSES = ("gaussian", "uniform", "rademacher", "sphere", "frobenius")
"""Population losses over N(0, I), the cube [-1, 1]^n, {-1, 1}^n and the unit sphere; and the Bombieri norm."""


def moment(loss: str, power: int) -> Fraction:
    """Moment of one coordinate of a product measure.

    Examples
    --------
    >>> moment("gaussian", 4), moment("uniform", 4), moment("rademacher", 4), moment("gaussian", 3)
    (Fraction(3, 1), Fraction(1, 5), Fraction(1, 1), Fraction(0, 1))
    """
    if power % 2:
        return Fraction(0)
    if loss in ("gaussian", "sphere"):  # the sphere's are the Gaussian ones over a common factor
        return Fraction(prod(range(1, power, 2)))
    return Fraction(1, power + 1) if loss == "uniform" else Fraction(1)


def gram(space: Space, loss: str, *, constant: bool = False) -> list[list[Fraction]]:
    """Inner products of the monomials of a space of forms, in the order of `Space.factor_words`.

    Parameters
    ----------
    space
        Of forms or of maps; only the number of variables and the degree matter.
    loss
        One of `LOSSES`.
    constant
        Whether the first variable always equals 1, as the input of biases does.

    Raises
    ------
    UsageError
        If there is no such loss, or it has no meaning with biases.

    Examples
    --------
    >>> gram(Space.form(2, 1), "gaussian", constant=True)
    [[Fraction(1, 1), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 1)]]
    """
    if loss not in LOSSES:
        raise UsageError(f"{loss!r} is not a loss; choose {', '.join(LOSSES[:-1])} or {LOSSES[-1]}")
    if constant and loss in ("sphere", "frobenius"):
        raise UsageError(
            f"the {loss} loss is for forms and has no place for biases; choose gaussian or uniform"
        )
    words = list(space.factor_words(0))
    n, d = space.factors[0]
    if loss == "frobenius":
        weights = [prod(factorial(k) for k in Counter(word).values()) for word in words]
        return [
            [Fraction(weights[i], factorial(d)) if i == j else Fraction(0) for j in range(len(words))]
            for i in range(len(words))
        ]
    scale = Fraction(1, prod(n + 2 * k for k in range(d))) if loss == "sphere" else Fraction(1)
    return [[scale * _expectation(one + other, loss, constant) for other in words] for one in words]


def _expectation(word: Word, loss: str, constant: bool) -> Fraction:
    return prod(
        (moment(loss, power) for variable, power in Counter(word).items() if variable or not constant),
        start=Fraction(1),
    )


@lru_cache(maxsize=32)
def factor(space: Space, loss: str, constant: bool) -> NDArray[np.float64]:
    """Matrix L with L L^T = gram: the loss of coefficients c is the square of the norm of c L.

    The form may be singular (on {-1, 1}^n the square of a variable is 1), hence eigenvalues instead of Cholesky.
    """
    matrix = np.array([[float(x) for x in row] for row in gram(space, loss, constant=constant)])
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def norm_squared(coefficients: dict[Word, Fraction], space: Space, loss: str, constant: bool) -> Fraction:
    """The loss of the zero function, exactly: the mean square of a form or map.

    Examples
    --------
    >>> norm_squared({(0, 0, 1): Fraction(1)}, Space.form(2, 3), "gaussian", False)
    Fraction(3, 1)
    """
    matrix = gram(space, loss, constant=constant)
    place = {word: at for at, word in enumerate(space.factor_words(0))}
    d = space.factors[0][1]
    outputs: dict[Word, list[tuple[int, Fraction]]] = {}
    for word, value in coefficients.items():
        outputs.setdefault(word[d:], []).append((place[word[:d]], value))
    return sum(
        (x * y * matrix[i][j] for row in outputs.values() for i, x in row for j, y in row), start=Fraction(0)
    )


__all__ = ["LOSSES", "factor", "gram", "moment", "norm_squared"]
