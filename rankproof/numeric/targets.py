"""From exact targets to floating-point objectives."""

from __future__ import annotations

import numpy as np

from rankproof.errors import UsageError
from rankproof.numeric.factors import Array
from rankproof.numeric.objective import Objective
from rankproof.numeric.polynomials import PolynomialObjective
from rankproof.numeric.tensors import TensorObjective
from rankproof.problem.field import Algebraic, NumberField, Scalar
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

MAX_ENTRIES = 1 << 24
"""Entries of a dense target: 128 MB of floats."""


def objective(target: Target, units: str, width: int, *, complex_units: bool = False) -> Objective:
    """Distance of a sum of units to a target.

    Parameters
    ----------
    target
        Over QQ or a number field.
    units
        Name of a unit model that lives in its space.
    width
        Number of units.
    complex_units
        Whether the units have complex coordinates; a target without real coordinates needs them.

    Raises
    ------
    UsageError
        If the units do not live in the space, the target is over a finite field, or it is too large to be dense.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> f = objective(read_targets("x**2*y")[0], "tied", 3)
    >>> f.size, f.residual(np.zeros((1, f.size))).shape
    (9, (1, 4, 1))
    """
    if why := unit_model(units).accepts(target.space):
        raise UsageError(why)
    if target.ring.characteristic:
        raise UsageError(f"floating point knows nothing of {target.ring}; search over QQ, RR or CC")
    if target.space.dimension > MAX_ENTRIES:
        raise UsageError(
            f"{target.text} has {target.space.dimension} coordinates, and a dense search takes {MAX_ENTRIES} at most"
        )
    values = {word: floating(x) for word, x in target.entries}
    is_complex = complex_units or any(value.imag for value in values.values())
    dtype = np.complex128 if is_complex else np.float64
    if units == "product":
        array = np.zeros([n for n, _ in target.space.factors], dtype)
        for word, value in values.items():
            array[word] = value if is_complex else value.real
        return TensorObjective(array, width, complex_units=is_complex)
    space = target.space
    n, d, m = space.variables_count, space.form_degree, space.outputs
    coefficients: Array = np.zeros((space.dimension // m, m), dtype)
    place = {word: at for at, word in enumerate(space.factor_words(0))}
    for word, value in values.items():
        coefficients[place[word[:d]], word[d] if m > 1 else 0] = value if is_complex else value.real
    return PolynomialObjective(units, n, d, powers(units, d), width, coefficients, complex_units=is_complex)


def powers(units: str, degree: int) -> tuple[int, ...]:
    """How often each linear form of a polynomial unit occurs.

    Examples
    --------
    >>> powers("tied", 4), powers("untied", 4), powers("mixed:2", 4), powers("split", 4)
    ((4,), (3, 1), (2, 2), (1, 1, 1, 1))
    """
    if units == "tied":
        return (degree,)
    if units == "split":
        return (1,) * degree
    k = 1 if units == "untied" else int(units.partition(":")[2])
    return degree - k, k


def floating(x: Scalar) -> complex:
    """Value of an exact number: an irrational one at the real root of its field, or at one complex root."""
    if not isinstance(x, Algebraic):
        return complex(float(x))
    a = floating_root(x.field)
    return complex(sum(float(c) * a**k for k, c in enumerate(x.coefficients)))


def floating_root(field: NumberField) -> complex:
    """The root that stands for the generator of a number field: the declared real one, else one with Im > 0."""
    roots = np.roots(field.minimal_polynomial[::-1])
    if field.real_root is None:
        return complex(max(roots, key=lambda z: (z.imag, z.real)))
    low, high = (float(end) for end in field.real_root)
    # The interval holds one real root; with rounding, the root closest to it.
    return complex(min(roots, key=lambda z: abs(z.imag) + max(low - z.real, z.real - high, 0.0)).real)


__all__ = ["floating", "floating_root", "objective", "powers"]
