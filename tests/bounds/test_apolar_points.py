"""Sums of powers at common zeros of apolar operators: random sums come back, points are left out or refused as they must be."""

from __future__ import annotations

import random
from fractions import Fraction
from math import factorial, prod

import numpy as np
import pytest

from rankproof.bounds.explicit import explicit_decompositions
from rankproof.bounds.method import Budget
from rankproof.bounds.upper import apolar_points
from rankproof.exact.apolar_points import powers_at_common_zeros
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, number
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import certify


def random_sum(n: int, d: int, r: int, seed: int, outputs: int = 1) -> tuple[Target, list[tuple[int, ...]]]:
    """A sum of r powers of random linear forms, with non-zero weights; and the forms."""
    generator = random.Random(seed)
    forms = [tuple(generator.randint(-9, 9) for _ in range(n)) for _ in range(r)]
    units = [(form, tuple(generator.randint(1, 9) for _ in range(outputs))) for form in forms]
    return Decomposition.of("tied", units, QQ).target(Space.map(n, d, outputs)), forms


def directions(forms: object) -> set[tuple[Fraction, ...]]:
    """Points of projective space."""
    found = set()
    for form in forms:  # type: ignore[attr-defined]
        first = next(x for x in form if x)
        found.add(tuple(Fraction(x) / Fraction(first) for x in form))
    return found


def explicit(target: Target, field: Field = QQ) -> Decomposition | None:
    bounds = apolar_points.find(target, "tied", field, Budget(20), np.random.default_rng(0), ())
    return next(iter(explicit_decompositions(bounds)), None)


@pytest.mark.parametrize(
    ("n", "d", "r"),
    [
        (3, 5, 3),
        (3, 5, 6),
        (3, 6, 6),
        (3, 6, 7),
        (3, 6, 8),
        (3, 8, 12),
        (4, 4, 5),
        (4, 4, 7),
        (4, 6, 10),
        (5, 3, 5),
    ],
)
def test_rational_points_come_out_exactly(n: int, d: int, r: int) -> None:
    for seed in range(2):
        target, forms = random_sum(n, d, r, seed)
        found = explicit(target)
        assert found is not None
        assert found.ring == QQ
        assert found.residual(target) == {}
        assert directions(unit[0] for unit in found.units) == directions(forms)


def test_a_base_point_too_many_is_left_out() -> None:
    """Two cubics kill a general sum of eight powers in three variables, and have a ninth common zero."""
    target, forms = random_sum(3, 6, 8, 3)
    points = powers_at_common_zeros(target, 3)
    assert points is not None
    assert len(points) == 8
    assert directions([tuple(c[0] if c else 0 for c in p.form) for p in points]) == directions(forms)


def test_maps_have_weights_for_every_output() -> None:
    target, forms = random_sum(3, 4, 5, 1, outputs=2)
    found = explicit(target)
    assert found is not None
    assert directions(unit[0] for unit in found.units) == directions(forms)


@pytest.mark.parametrize("text", ["x*y*z", "x**2*y*z", "x*y**2*z**3", "x**4*y + z**5", "x**3*y**2 + z**5"])
def test_infinitely_many_or_repeated_zeros_are_refused(text: str) -> None:
    assert explicit(read_targets(text)[0], CC) is None


def test_more_powers_than_the_operators_see_are_not_found() -> None:
    target, _ = random_sum(3, 6, 9, 1)
    assert explicit(target) is None


def conjugates(polynomial: tuple[int, ...], form: list[list[int]], d: int) -> Target:
    """The sum of the d-th powers of a linear form in t over the roots of a polynomial, from the companion matrix."""
    n = len(polynomial) - 1
    companion = [[Fraction(int(i == j + 1)) for j in range(n)] for i in range(n)]
    for i in range(n):
        companion[i][n - 1] -= polynomial[i]
    t = np.array(companion, dtype=object)
    powers = [np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)]
    for _ in range(n):
        powers.append(powers[-1].dot(t))
    matrices = [sum((c * powers[k] for k, c in enumerate(g)), powers[0] * 0) for g in form]
    entries = {}
    for word in Space.form(len(form), d).words():
        product = powers[0]
        for i in word:
            product = product.dot(matrices[i])
        times = factorial(d) // prod(factorial(word.count(i)) for i in set(word))
        entries[word] = times * sum(product[i][i] for i in range(n))
    return Target.from_entries(Space.form(len(form), d), {w: QQ.reduce(c) for w, c in entries.items()})


@pytest.mark.parametrize(
    ("polynomial", "d", "real"),
    [((-2, 0, 0, 1), 5, False), ((1, -3, 0, 1), 5, True), ((3, 1, 0, -2, 0, 1), 5, False)],
)
def test_irrational_points_are_roots_of_polynomials(polynomial: tuple[int, ...], d: int, real: bool) -> None:
    r = len(polynomial) - 1
    target = conjugates(polynomial, [[1], [0, 1], [0, 0, 0, 1] if r > 3 else [0, 0, 1]], d)
    for field, upper in ((CC, r), (RR, r if real else None)):
        proof = certify(target, units=("tied",), fields=(field,), border=False, budget=3)
        (answer,) = proof.answers
        assert answer.lower >= r
        if upper is not None:
            assert answer.upper == upper
            assert answer.upper_rule == "conjugate-units"
        else:
            assert answer.upper is None or answer.upper > r


def test_points_in_a_quadratic_field_are_written_down() -> None:
    target = conjugates((-2, 0, 1), [[1], [0, 1], [1, 1]], 4)
    found = explicit(target, RR)
    assert found is not None
    assert (found.ring.number_field is not None, len(found)) == (True, 2)
    assert explicit(target, QQ) is None
    wanted = number(NumberField.sqrt(2))
    found = explicit(target, wanted)
    assert found is not None
    assert found.ring == wanted


def test_nothing_is_looked_for_where_it_cannot_help() -> None:
    target, _ = random_sum(3, 5, 3, 0)
    known = apolar_points.find(target, "tied", QQ, Budget(20), np.random.default_rng(0), ())
    assert apolar_points.find(target, "tied", QQ, Budget(20), np.random.default_rng(0), known) == []
