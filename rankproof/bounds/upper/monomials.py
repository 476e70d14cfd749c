"""Every monomial written in units, and equal forms of different monomials and outputs merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb

import numpy as np

from rankproof.bounds.explicit import Detectors, MergedUnits, coordinate_vector, decomposition_bound, dense
from rankproof.bounds.method import Bound, Budget, Method, ring_of
from rankproof.bounds.monomial_expansions import power_sum, power_sum_length
from rankproof.exact.matrix_factorisation import matrix_rank, rank_factorisation
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import Field, Scalar
from rankproof.problem.target import Target

TERMS_PER_SECOND = 60_000
"""Terms of expanded units that are made, checked and checked again by the verifier in a second, cautiously."""

Exponents = tuple[int, ...]
Monomials = dict[Exponents, list[Scalar]]
"""Coefficients in all outputs, by exponents."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """One decomposition, unless it would be too long for the time left or the characteristic is too small."""
    target = target.over(field)
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    monomials = monomials_of(target)
    if d == 1:
        return [decomposition_bound(target, units, field, _linear(units, target, field))]
    if units == "split":
        return [decomposition_bound(target, units, field, _split(monomials, n, m, field))]
    k = {"tied": 0, "untied": 1}.get(units)
    k = int(units.partition(":")[2]) if k is None else k
    p = field.characteristic
    terms = 0
    for a in monomials:
        lengths = _lengths(a, k, p)
        if not lengths:
            budget.remark(f"powers do not span in characteristic {p} and degree {d}")
            return []
        terms += min(lengths) * comb(sum(e > 0 for e in a) + d - 1, d)
    if terms > TERMS_PER_SECOND * budget.left():
        budget.remark(f"about {terms} terms to expand are too many for the time left")
        return []
    if k == 0:
        found = _tied(monomials, d, m, field)
    elif k == 1:
        found = _untied(monomials, n, d, m, field)
    else:
        found = _mixed(monomials, n, d, m, k, field)
    return [decomposition_bound(target, units, field, found)]


def monomials_of(target: Target) -> Monomials:
    """Coefficients of a form or map by exponents, one for every output."""
    n, d, m = target.space.variables_count, target.space.form_degree, target.space.outputs
    found: Monomials = {}
    for word, c in target.entries:
        exponents = [0] * n
        for x in word[:d]:
            exponents[x] += 1
        output = word[d] if m > 1 else 0
        found.setdefault(tuple(exponents), [0] * m)[output] = c
    return found


def _is_one_unit(a: Exponents, k: int) -> bool:
    """Whether x^a is x_i^d or x_i^(d-k) x_j^k."""
    positive = sorted(e for e in a if e)
    return len(positive) == 1 or (k > 0 and len(positive) == 2 and k in positive)


def _lengths(a: Exponents, k: int, p: int) -> list[int]:
    """Numbers of units of the ways to write x^a that exist in characteristic p."""
    if _is_one_unit(a, k):
        return [1]
    rests = [a] if k != 1 else []
    rests += [_lower(a, j, power) for power in {k, sum(a) - k} if k for j, e in enumerate(a) if e >= power]
    return [power_sum_length(rest, p) for rest in rests if _spans(rest, p)]


def _spans(a: Exponents, p: int) -> bool:
    """Whether x^a is a sum of powers of linear forms in characteristic p, by the expansion used here."""
    return p == 0 or p > sum(a) or sum(e > 0 for e in a) <= 1


def _lower(a: Exponents, j: int, by: int) -> Exponents:
    """Exponents with the one of variable j lowered."""
    return (*a[:j], a[j] - by, *a[j + 1 :])


def _linear(units: str, target: Target, ring: Field) -> list[ExactUnit]:
    """Linear forms are matrices: a rank factorisation is a shortest sum of units of every kind."""
    n, m = target.space.variables_count, target.space.outputs
    matrix: dict[int, dict[int, Scalar]] = {}
    for word, c in target.entries:
        matrix.setdefault(word[0], {})[word[1] if m > 1 else 0] = c
    pairs = [(dense(u, n), dense(w, m)) for u, w in rank_factorisation(matrix, ring)]
    # An untied unit of degree 1 is a^0 * b: its detector plays no role.
    return [(u, u, w) if units == "untied" else (u, w) for u, w in pairs]


def _tied(monomials: Monomials, d: int, m: int, ring: Field) -> list[ExactUnit]:
    merged = MergedUnits(ring, (d,), m)
    for a, weights in monomials.items():
        for form, w in power_sum(a, ring.characteristic):
            merged.add((form,), weights, ring.reduce(w))
    return merged.units()


Products = list[tuple[Sequence[int], Sequence[int], Scalar]]
"""Pairs of forms with a factor: a sum of factor * a^(d-k) * b^k."""


def _untied(monomials: Monomials, n: int, d: int, m: int, ring: Field) -> list[ExactUnit]:
    """Monomials one after another, each in the way that needs the fewest detectors that are not there yet."""
    detectors = Detectors(ring, d)
    for a in sorted(monomials, key=lambda a: (not _is_one_unit(a, 1), power_sum_length(a))):
        ways = list(_untied_ways(a, n, ring))
        way = min(ways, key=lambda units: (sum(v not in detectors for v, _, _ in units), len(units)))
        for v, b, factor in way:
            detectors.add(v, b, monomials[a], factor)
    return detectors.units(n, m)


def _untied_ways(a: Exponents, n: int, ring: Field) -> Iterator[Products]:
    for j, e in enumerate(a):
        if e:
            x = coordinate_vector(j, n)
            rest = _lower(a, j, 1)
            if _spans(rest, ring.characteristic):
                yield [(form, x, ring.reduce(w)) for form, w in power_sum(rest, ring.characteristic)]


def _mixed(monomials: Monomials, n: int, d: int, m: int, k: int, ring: Field) -> list[ExactUnit]:
    merged = MergedUnits(ring, (d - k, k), m)
    for a in sorted(monomials, key=lambda a: (not _is_one_unit(a, k), power_sum_length(a))):
        ways = list(_mixed_ways(a, n, d, k, ring))
        way = min(ways, key=lambda units: (sum(not merged.has((v, b)) for v, b, _ in units), len(units)))
        for v, b, factor in way:
            merged.add((v, b), monomials[a], factor)
    return merged.units()


def _mixed_ways(a: Exponents, n: int, d: int, k: int, ring: Field) -> Iterator[Products]:
    """x_j^k or x_j^(d-k) times a sum of powers for the rest, or a sum of powers for everything."""
    for j, e in enumerate(a):
        x = coordinate_vector(j, n)
        if e == d:
            yield [(x, x, 1)]
            return
        for power in (k, d - k):
            if e >= power:
                rest = _lower(a, j, power)
                if _spans(rest, ring.characteristic):
                    terms = [(form, ring.reduce(w)) for form, w in power_sum(rest, ring.characteristic)]
                    yield [(form, x, w) if power == k else (x, form, w) for form, w in terms]
    if _spans(a, ring.characteristic):
        yield [(form, form, ring.reduce(w)) for form, w in power_sum(a, ring.characteristic)]


def _split(monomials: Monomials, n: int, m: int, ring: Field) -> list[ExactUnit]:
    """Greedy cover: a product of d - 1 variables takes every monomial that it divides, as its multiple by a linear form.

    The multiples of one product with m outputs are a matrix, and its rank is the number of units.
    """
    left = dict(monomials)
    units: list[ExactUnit] = []
    while left:
        multiples: dict[Exponents, dict[int, dict[int, Scalar]]] = {}
        for a, weights in left.items():
            for j, e in enumerate(a):
                if e:
                    row = {i: w for i, w in enumerate(weights) if w}
                    multiples.setdefault(_lower(a, j, 1), {})[j] = row
        base = max(multiples, key=lambda b: Fraction(len(multiples[b]), _rank(multiples[b], m, ring)))
        forms = tuple(coordinate_vector(j, n) for j in _letters(base))
        for b, w in rank_factorisation(multiples[base], ring):
            units.append((*forms, dense(b, n), dense(w, m)))
        for j in multiples[base]:
            del left[(*base[:j], base[j] + 1, *base[j + 1 :])]
    return units


def _rank(matrix: dict[int, dict[int, Scalar]], m: int, ring: Field) -> int:
    return 1 if m == 1 or len(matrix) == 1 else matrix_rank(matrix, ring)


def _letters(a: Exponents) -> Iterable[int]:
    return (j for j, e in enumerate(a) for _ in range(e))


METHOD = Method(
    name="monomials",
    rule="decomposition",
    side="upper",
    summary="each monomial in units, equal forms merged",
    units=("tied", "untied", "mixed:k", "split"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p) where powers span",
    works_over=ring_of,
    find=find,
)
