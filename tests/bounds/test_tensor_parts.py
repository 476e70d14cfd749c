"""Tensors made of parts: direct sums, Kronecker and outer products, symmetric tensors, pencils."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from rankproof.bounds.method import Budget
from rankproof.bounds.upper import parts, pencils, symmetric
from rankproof.exact.tensor_splitting import kronecker_factors, outer_factors, summands
from rankproof.problem.field import CC, QQ, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def found(method, target, field=QQ):
    """Lengths by quantity of what a method finds with nothing else known."""
    bounds = method.find(target, "product", field, Budget(5), np.random.default_rng(0), ())
    return {b.claim.quantity: b.claim.value for b in bounds}


def kron(left: Target, right: Target) -> Target:
    sizes = [n for n, _ in right.space.factors]
    entries = {
        tuple(i * n + j for i, j, n in zip(u, v, sizes, strict=True)): c * d
        for (u, c), (v, d) in product(left.entries, right.entries)
    }
    dims = [m * n for (m, _), (n, _) in zip(left.space.factors, right.space.factors, strict=True)]
    return Target.from_entries(Space.tensor(*dims), entries)


def outer(left: Target, right: Target) -> Target:
    entries = {u + v: c * d for (u, c), (v, d) in product(left.entries, right.entries)}
    return Target.from_entries(Space(left.space.factors + right.space.factors), entries)


def plus(left: Target, right: Target) -> Target:
    sizes = [n for n, _ in left.space.factors]
    shifted = {tuple(i + n for i, n in zip(w, sizes, strict=True)): c for w, c in right.entries}
    dims = [m + n for (m, _), (n, _) in zip(left.space.factors, right.space.factors, strict=True)]
    return Target.from_entries(Space.tensor(*dims), left.as_dict() | shifted)


W = named("W", 3)


@pytest.mark.parametrize(
    ("target", "rank", "border"),
    [
        (plus(W, W), 6, 4),
        (kron(W, named("unit", 2)), 6, 4),
        (kron(named("matmul", 2, 2, 2), named("polymul", 2, 2)), 21, 21),
        (outer(W, named("unit", 2, 2)), 6, 4),
        (plus(named("matmul", 2, 2, 2), W), 10, 9),
    ],
    ids=["W + W", "W # <2>", "strassen # karatsuba", "W (x) identity", "matmul + W"],
)
def test_parts_are_put_together(target, rank, border):
    lengths = found(parts, target)
    assert lengths["rank"] == rank
    assert lengths.get("border_rank", rank) == border


def test_unused_coordinates_are_left_out():
    padded = Target.from_entries(Space.tensor(3, 4, 5), {(2, 3, 4): 1, (0, 0, 0): 1, (2, 0, 1): 1})
    assert found(parts, padded) == {"rank": 3}


def test_what_has_no_parts_is_left_alone():
    assert found(parts, W) == {}
    assert len(summands(named("matmul", 2, 2, 2).as_dict())) == 1
    assert kronecker_factors(W.as_dict(), (2, 2, 2), QQ) is None
    assert list(outer_factors(W.as_dict(), (2, 2, 2), QQ)) == []


def test_a_matrix_product_is_a_kronecker_product_of_three_identities():
    # <2,1,1> # <1,2,1> # <1,1,2>, when the pairs of indices are numbered accordingly.
    pair = kronecker_factors(named("matmul", 2, 2, 2).as_dict(), (4, 4, 4), QQ)
    assert sorted([len(pair.left), len(pair.right)]) == [2, 4]
    pair = kronecker_factors(named("unit", 4).as_dict(), (4, 4, 4), QQ)
    assert (pair.left_dims, pair.right_dims) == ((2, 2, 2), (2, 2, 2))
    scaled = {w: 3 * c for w, c in kron(W, W).entries}
    pair = kronecker_factors(scaled, (4, 4, 4), QQ)
    assert sorted([len(pair.left), len(pair.right)]) == [3, 3]


@pytest.mark.parametrize(
    ("name", "parameters", "field", "rank", "border"),
    [
        ("dicke", (2, 5), CC, 4, 3),
        ("W", (4,), QQ, 4, 2),
        ("GHZ", (4,), QQ, 2, 2),
        ("coppersmith_winograd", (2,), QQ, 7, None),
    ],
)
def test_symmetric_tensors_have_the_lengths_of_their_forms(name, parameters, field, rank, border):
    lengths = found(symmetric, named(name, *parameters), field)
    assert lengths["rank"] == rank
    if border is not None:
        assert lengths.get("border_rank", lengths["rank"]) == border


def test_permanents_as_tensors_are_symmetric():
    entries = dict.fromkeys(permutations(range(4)), 1)
    assert found(symmetric, Target.from_entries(Space.tensor(4, 4, 4, 4), entries)) == {"rank": 8}


def test_tensors_that_are_not_symmetric_are_no_forms():
    assert symmetric.form_of(named("matmul", 2, 2, 2)) is None
    assert symmetric.form_of(named("polymul", 2, 2)) is None
    almost = named("dicke", 2, 4).as_dict()
    almost[(0, 0, 1, 1)] = 2
    assert symmetric.form_of(Target.from_entries(Space.tensor(2, 2, 2, 2), almost)) is None
    assert symmetric.form_of(W).text == "3*x1**2*x2"


def test_pencils_are_found_in_every_direction_and_over_the_fields_of_their_roots():
    rotation = {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): -1, (1, 1, 0): 1, (0, 2, 2): 1, (1, 2, 2): 1}
    for order in permutations(range(3)):
        entries = {tuple(w[s] for s in order): c for w, c in rotation.items()}
        target = Target.from_entries(Space.tensor(*(4 if n else 3 for n in order)), entries)
        assert found(pencils, target) == {"rank": 4}
        assert found(pencils, target, CC) == {"rank": 3}
        assert found(pencils, target.over(gf(5)), gf(5)) == {"rank": 3}
