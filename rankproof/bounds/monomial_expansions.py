"""Monomials as sums of powers of linear forms with rational coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, gcd, prod

from rankproof.exact.linear_systems import solve
from rankproof.problem.field import QQ

Powers = list[tuple[tuple[int, ...], Fraction]]
"""Linear forms by their coefficients, each with the weight of its power."""


def power_sum_length(exponents: Sequence[int], p: int = 0) -> int:
    """Number of powers that `power_sum` needs at most in characteristic p."""
    positive = [a for a in exponents if a]
    if len(positive) < 2:
        return 1
    signed = prod(a + 1 for a in positive) // 2
    if len(positive) == 2:
        return min(signed, sum(positive))
    return signed if p else _scaled_grid_length(positive)


def power_sum(exponents: Sequence[int], p: int = 0) -> Powers:
    r"""Write a monomial as a sum of powers of linear forms.

    Parameters
    ----------
    exponents
        Exponents a_1, ..., a_n of the variables, at least one of them positive.
    p
        The characteristic: when it is not 0, no denominator has a prime factor above the degree.

    Returns
    -------
    list
        Pairs (l, w) with x^a equal to the sum of w * l^d, d being the sum of the exponents.

    Notes
    -----
    In general this is the polarization

    .. math:: x^a = \frac{1}{d!\, 2^d} \sum_{0 \le j \le a} (-1)^{|j|} \prod_i \binom{a_i}{j_i}
              \Bigl(\sum_i (a_i - 2 j_i) x_i\Bigr)^d,

    in which j and a - j give the same power: floor(prod(a_i + 1) / 2) powers are left, and the denominators have no
    prime factor above d. Two variables need at most d powers, and more of them (prod(a_i + 1) - prod(a_i - 1)) / 2 powers with
    denominators that may have any prime factors [1]_.

    References
    ----------
    .. [1] Han, Moon, *A new bound for the Waring rank of monomials*, SIAM Journal on Applied Algebra and Geometry 6 (2022).

    Examples
    --------
    >>> power_sum((1, 1))
    [((1, 1), Fraction(1, 4)), ((1, -1), Fraction(-1, 4))]
    """
    positive = [i for i, a in enumerate(exponents) if a]
    if len(positive) == 1:
        return [(tuple(int(i == positive[0]) for i in range(len(exponents))), Fraction(1))]
    if len(positive) == 2:
        i, j = positive
        if exponents[i] + exponents[j] < prod(exponents[k] + 1 for k in positive) // 2:
            return [
                (tuple({i: s, j: t}.get(k, 0) for k in range(len(exponents))), w)
                for (s, t), w in _binary_power_sum(exponents[i], exponents[j])
            ]
    if not p and _scaled_grid_length(exponents) < prod(a + 1 for a in exponents) // 2:
        return _scaled_grid(exponents)
    d = sum(exponents)
    unit = Fraction(1, factorial(d) * 2**d)
    terms: Powers = []
    for j in product(*(range(a + 1) for a in exponents)):
        opposite = tuple(a - k for a, k in zip(exponents, j, strict=True))
        if j >= opposite:
            # j = a - j is the zero form; of every other pair the first is kept, with twice the weight.
            break
        sign = -1 if sum(j) % 2 else 1
        weight = 2 * sign * prod(comb(a, k) for a, k in zip(exponents, j, strict=True)) * unit
        terms.append((tuple(a - 2 * k for a, k in zip(exponents, j, strict=True)), weight))
    return terms


def _scaled_grid_length(exponents: Sequence[int]) -> int:
    positive = [a for a in exponents if a]
    return (prod(a + 1 for a in positive) - prod(a - 1 for a in positive)) // 2


def _scaled_grid(exponents: Sequence[int]) -> Powers:
    """x^a by divided differences on a grid that doubling maps to itself, as far as it fits.

    The divided difference over a + 1 nodes takes t^a to 1 and lower powers to 0. Applied in every variable to the power of
    t_1 x_1 + ... + t_n x_n it leaves x^a times a multinomial coefficient. With nodes 0, +-1, +-2, +-4, ... every point of
    the grid is a multiple of one with an extreme coordinate.
    """
    scale = Fraction(prod(map(factorial, exponents)), factorial(sum(exponents)))
    axes = [_divided_difference(_doubling_nodes(a + 1)) for a in exponents]
    weights: dict[tuple[int, ...], Fraction] = {}
    d = sum(exponents)
    for chosen in product(*(axis.items() for axis in axes)):
        point = tuple(t for t, _ in chosen)
        if not any(point):
            continue
        content = gcd(*point) * (1 if next(t for t in point if t) > 0 else -1)
        form = tuple(t // content for t in point)
        weights[form] = weights.get(form, Fraction(0)) + scale * content**d * prod(w for _, w in chosen)
    return [(form, w) for form, w in weights.items() if w]


def _doubling_nodes(count: int) -> list[int]:
    return [0] * (count % 2) + [s * 2**k for k in range(count // 2) for s in (1, -1)]


def _divided_difference(nodes: Sequence[int]) -> dict[int, Fraction]:
    """Weights of the nodes in their divided difference."""
    return {t: Fraction(1, prod(t - s for s in nodes if s != t)) for t in nodes}


def _binary_power_sum(a: int, b: int) -> list[tuple[tuple[int, int], Fraction]]:
    """x^a y^b as a sum of a + b powers of s*x + t*y.

    The powers of d forms span x^a y^b exactly when the product of (t X - s Y) over the forms has no term X^a Y^b. Forms in
    pairs (s, 1), (-s, 1), with x or y or both added as the parities of a and b want it, make a product without that term.
    """
    d = a + b
    points: list[tuple[int, int]] = []
    if b % 2 == 0:
        points.append((1, 0))
    if a % 2 == 0:
        points.append((0, 1))
    for s in range(1, (d - len(points)) // 2 + 1):
        points += [(s, 1), (-s, 1)]
    columns = [{k: comb(d, k) * s ** (d - k) * t**k for k in range(d + 1)} for s, t in points]
    solution = solve([{k: x for k, x in c.items() if x} for c in columns], [{b: 1}], QQ)
    if solution is None:
        raise ArithmeticError(f"x^{a} y^{b} is not in the span of the chosen {d} powers")
    return [(point, Fraction(w)) for point, w in zip(points, solution[0], strict=True) if w]  # type: ignore[arg-type]
