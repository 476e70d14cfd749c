"""Algebras K[x]/(f) in disguise, towers of finite fields, and random completion over small fields."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.bounds.method import Budget
from rankproof.bounds.upper import algebras, completions
from rankproof.exact.algebra_sums import cyclic_algebra
from rankproof.exact.field_towers import tower_sum
from rankproof.exact.subspaces import Completion
from rankproof.exact.tensor_sums import changed_tensor
from rankproof.problem.field import CC, QQ, RR, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def quotient(f, p=0):
    """The multiplication tensor of K[x]/(f) in the basis 1, x, ..."""
    n = len(f) - 1
    powers, power = [], [1] + [0] * (n - 1)
    for _ in range(2 * n - 1):
        powers.append(power)
        top, power = power[-1], [0, *power[:-1]]
        power = [c - top * g for c, g in zip(power, f, strict=False)]
    entries = {(i, j, k): c for i in range(n) for j in range(n) for k, c in enumerate(powers[i + j]) if c}
    target = Target.from_entries(Space.tensor(n, n, n), entries)
    return target.over(gf(p)) if p else target


def disguised(target, rng):
    """The tensor after an invertible base change in every factor."""
    matrices = []
    for n, _ in target.space.factors:
        lower = np.tril(rng.integers(-1, 2, (n, n)), -1) + np.eye(n, dtype=int)
        upper = np.triu(rng.integers(-1, 2, (n, n)), 1) + np.eye(n, dtype=int)
        matrices.append([[int(x) for x in row] for row in lower @ upper])
    entries = changed_tensor(target.as_dict(), matrices, target.ring)
    return Target.from_entries(target.space, entries, target.ring)


def lengths(method, target, field, seconds=10):
    bounds = method.find(target, "product", field, Budget(seconds), np.random.default_rng(1), ())
    return {b.claim.quantity: b.claim.value for b in bounds}


@pytest.mark.parametrize(
    ("f", "field", "rank", "border"),
    [
        # Winograd: 2n - k over the rationals, k the number of irreducible factors of the squarefree part.
        ((0, 0, 0, 0, 1), QQ, 7, 4),
        ((-1, 0, 0, 0, 1), QQ, 5, None),
        ((-1, 0, 0, 0, 1), CC, 4, None),
        ((-2, 0, 0, 1), QQ, 5, None),
        ((-2, 0, 0, 1), RR, 4, None),
        ((-2, 0, 0, 1), CC, 3, None),
        ((0, 0, -1, 1), QQ, 4, 3),
        ((4, 0, -4, 0, 1), CC, 6, 4),
    ],
)
def test_an_algebra_is_found_in_any_bases(f, field, rank, border):
    rng = np.random.default_rng(3)
    for target in (quotient(f), disguised(quotient(f), rng)):
        found = lengths(algebras, target, field)
        assert found["rank"] == rank
        assert found.get("border_rank") == border


@pytest.mark.parametrize(
    ("f", "p", "rank"),
    [
        ((1, 0, 0, 0, 1), 2, 8),
        ((1, 0, 0, 0, 0, 0, 0, 1), 2, 13),
        ((1, 1, 0, 0, 0, 0, 1), 2, 15),
        ((2, 0, 0, 0, 1), 3, 5),
        ((1, 0, 1), 5, 2),
    ],
)
def test_algebras_over_finite_fields(f, p, rank):
    assert lengths(algebras, quotient(f, p), gf(p))["rank"] == rank


def test_what_is_no_cyclic_algebra_is_left_alone():
    # Quaternions do not commute, and two nilpotents need two generators.
    assert cyclic_algebra(named("quaternion_product").as_dict(), 4, QQ) is None
    assert cyclic_algebra(named("coppersmith_winograd", 2).as_dict(), 4, QQ) is None
    assert lengths(algebras, named("quaternion_product"), QQ) == {}


@pytest.mark.parametrize(
    ("f", "p", "length"),
    [((1, 1, 0, 0, 1), 2, 9), ((1, 1, 0, 0, 0, 0, 1), 2, 15), ((2, 1, 0, 0, 1), 3, 9)],
)
def test_fields_are_multiplied_over_their_subfields(f, p, length):
    found = tower_sum(f, gf(p))
    assert len(found) == length
    assert found.residual(quotient(f, p)) == {}


def test_fields_of_prime_degree_have_no_tower():
    assert tower_sum((1, 1, 0, 1), gf(2)) is None


@pytest.mark.parametrize(
    ("target", "p", "length"),
    [
        # Barbulescu, Detrey, Estibals, Zimmermann (2012), Table 1: 13 for five coefficients (Montgomery 2005).
        (named("polymul", 5, 5), 2, 13),
        (quotient((1, 0, 1, 0, 0, 1)), 2, 13),
        (quotient((0, 0, 0, 0, 0, 0, 1)), 2, 14),
        (named("polymul", 3, 3), 3, 6),
        (named("matmul", 2, 2, 2), 2, 7),
    ],
    ids=["polymul(5,5)", "GF(32)", "x^6", "polymul(3,3)", "matmul(2,2,2)"],
)
def test_random_completion_finds_short_algorithms_over_small_fields(target, p, length):
    assert lengths(completions, target.over(gf(p)), gf(p), 4) == {"rank": length}


def test_a_completion_contains_the_space():
    pool = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    completion = Completion(pool, np.array([[1, 1, 0], [0, 0, 1]]), 2)
    rng = np.random.default_rng(0)
    assert sorted(completion.search(2, rng, lambda: False, 10)) == [2, 3]
    assert completion.search(1, rng, lambda: False, 10) is None
    # (1, 0, 1) is in no space of dimension 1 that the pool spans, and in one of dimension 2.
    other = Completion(pool, np.array([[1, 0, 1]]), 2)
    assert other.search(1, rng, lambda: False, 10) is None
    assert len(other.search(2, rng, lambda: False, 100)) == 2
    outside = Completion(pool[:2], np.array([[0, 0, 1]]), 2)
    assert outside.search(3, rng, lambda: False, 10) is None
