"""Signs of elements of number fields at their real root."""

from __future__ import annotations

from fractions import Fraction

from rankproof.errors import UsageError
from rankproof.problem.field import Algebraic, Scalar
from rankproof.problem.univariate import evaluate


def sign(x: Scalar) -> int:
    """-1, 0 or 1; an irrational number is taken at the real root that its field declares.

    Raises
    ------
    UsageError
        If the field of an irrational number declares no real root.

    Examples
    --------
    >>> from rankproof.problem.field import NumberField
    >>> a = NumberField.sqrt(2).generator()
    >>> sign(a - 1), sign(2 * a - 3)
    (1, -1)
    """
    if not isinstance(x, Algebraic):
        return (x > 0) - (x < 0)
    if x.field.real_root is None:
        raise UsageError(f"{x} has no sign: {x.field} has no declared real root; declare one or ask over CC")
    low, high = x.field.real_root
    f = x.field.minimal_polynomial
    rises = evaluate(f, high) > 0
    # The element does not vanish at the root, so intervals that shrink to the root separate its value from 0.
    while True:
        least, most = _range(x.coefficients, low, high)
        if least > 0 or most < 0:
            return 1 if least > 0 else -1
        middle = (low + high) / 2
        if (evaluate(f, middle) > 0) == rises:
            high = middle
        else:
            low = middle


def _range(coefficients: tuple[Fraction, ...], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """An interval that contains the values of a polynomial on [low, high], by Horner's rule."""
    least = most = Fraction(0)
    for c in reversed(coefficients):
        ends = (least * low, least * high, most * low, most * high)
        least, most = min(ends) + c, max(ends) + c
    return least, most
