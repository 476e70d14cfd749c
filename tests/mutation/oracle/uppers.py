"""Upper bounds: units of a witness expanded with sympy and compared with the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .problem import NotSense, Problem, domain, number, polynomial_ring
from .ranks import powers_of


def decomposes(problem: Problem, units: str, ring: str, witness: Sequence[Any]) -> bool:
    """Whether the sum of the units is the target over the ring."""
    used = _everything(problem, witness, units)
    target = problem.polynomial(ring, used)
    total = target.ring.zero
    for unit in witness:
        total += _expanded(problem, units, unit, target.ring, used)
    return total == target


def approaches(problem: Problem, units: str, ring: str, order: int, witness: Sequence[Any]) -> bool:
    """Whether the sum of the units is eps^order times the target, and terms of higher order."""
    used = _everything(problem, witness, units)
    target = problem.polynomial(ring, used)
    K = domain(ring, problem.fields)
    # A unit is a product of vectors; every vector is multiplied by a power of eps that clears its poles.
    R = polynomial_ring(K, used, "eps")
    total: dict[tuple[int, ...], Any] = {}
    for unit in witness:
        shift = 0
        cleared = []
        for vector, power in zip(unit, _powers(problem, units), strict=True):
            lowest = min([0, *(e for x in vector if isinstance(x, dict) for e, _ in x["eps"])])
            cleared.append([_shifted(x, -lowest) for x in vector])
            shift += lowest * power
        for (*exponents, e), c in _expanded(problem, units, cleared, R, used).terms():
            key = (*exponents, e + shift)
            total[key] = total.get(key, K.zero) + c
    low = {key: c for key, c in total.items() if c and key[-1] <= order}
    return low == {(*exponents, order): c for exponents, c in target.terms()}


def _shifted(x: Any, by: int) -> list[tuple[int, Any]]:
    terms = x["eps"] if isinstance(x, dict) else [[0, x]]
    return [(e + by, c) for e, c in terms]


def _powers(problem: Problem, units: str) -> list[int]:
    if units == "product":
        return [1] * len(problem.factors)
    return [*powers_of(units, problem.degree), 1]


def _everything(problem: Problem, witness: Sequence[Any], units: str) -> list[list[int]]:
    """Indices that occur in the target or in a unit."""
    used = [set(group) for group in problem.used]
    for unit in witness:
        for j, vector in enumerate(unit):
            if units == "product":
                factor = j
            elif j < len(unit) - 1:
                factor = 0
            elif problem.is_form:
                continue
            else:
                factor = 1
            if len(vector) != problem.factors[factor][0]:
                raise NotSense("a vector of a wrong length")
            used[factor] |= {i for i, x in enumerate(vector) if x != 0}
    return [sorted(group) for group in used]


def _expanded(
    problem: Problem, units: str, unit: Sequence[Any], R: Any, used: Sequence[Sequence[int]]
) -> Any:
    starts = [sum(map(len, used[:i])) for i in range(len(used))]
    eps = R.gens[-1] if len(R.gens) > sum(map(len, used)) else None

    def coordinate(x: Any) -> Any:
        if eps is None:
            return R.ground_new(number(x, R.domain))
        return sum((R.ground_new(number(c, R.domain)) * eps**e for e, c in x), R.zero)

    def linear(vector: Sequence[Any], factor: int) -> Any:
        terms = (coordinate(vector[i]) * R.gens[starts[factor] + k] for k, i in enumerate(used[factor]))
        return sum(terms, R.zero)

    result = R.one
    if units == "product":
        for factor, vector in enumerate(unit):
            result *= linear(vector, factor)
        return result
    *forms, weights = unit
    for form, power in zip(forms, powers_of(units, problem.degree), strict=True):
        factor = linear(form, 0)
        for _ in range(power):
            result *= factor
    return result * (coordinate(weights[0]) if problem.is_form else linear(weights, 1))


def upper_bounds(problem: Problem, steps: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str, int]]:
    """(quantity, units, field, bound) for every witness of units that is what it should be."""
    found = []
    for step in steps:
        witness, units = step["witness"], step["claim"]["units"]
        if step["rule"] == "decomposition":
            if decomposes(problem, units, witness["ring"], witness["units"]):
                found.append(("rank", units, witness["ring"], len(witness["units"])))
        elif step["rule"] == "border-family" and approaches(
            problem, units, witness["ring"], witness["order"], witness["units"]
        ):
            found.append(("border_rank", units, witness["ring"], len(witness["units"])))
    return found
