"""Ranks of algebras and of matrix products from below, over every field, against known values."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rankproof.bounds.lower import alder_strassen, dropped_slices
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.document import Certificate
from rankproof.exact.algebras import algebra
from rankproof.exact.kronecker_form import multiply
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.library import named
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes


def found(method, target: Target, field: Field) -> int:
    """The verified bound of a method, 0 when there is none."""
    bounds: list[Bound] = method.find(target, "product", field, Budget(5), np.random.default_rng(0), ())
    if not bounds:
        return 0
    (bound,) = bounds
    question = Question("product", field, "rank")
    verdict = verify_bytes(Certificate.build(target, [bound], [question], {}).to_bytes())
    assert verdict.ok, verdict
    return bound.claim.value


def quotient(*f: int) -> Target:
    """Multiplication modulo a monic polynomial with these ascending coefficients."""
    n = len(f) - 1
    powers = [[int(i == k) for i in range(n)] for k in range(n)]
    while len(powers) < 2 * n - 1:
        *rest, top = powers[-1]
        powers.append([x - top * c for x, c in zip([0, *rest], f[:n], strict=True)])
    entries = {(i, j, k): powers[i + j][k] for i, j, k in product(range(n), repeat=3)}
    return Target.from_entries(Space.tensor(n, n, n), {w: x for w, x in entries.items() if x})


def group(table: list[list[int]]) -> Target:
    n = len(table)
    entries = {(i, j, table[i][j]): 1 for i in range(n) for j in range(n)}
    return Target.from_entries(Space.tensor(n, n, n), entries)


def symmetric_group() -> Target:
    from itertools import permutations

    elements = list(permutations(range(3)))
    table = [[elements.index(tuple(g[h[i]] for i in range(3))) for h in elements] for g in elements]
    return group(table)


def triangular(n: int) -> Target:
    places = [(i, j) for i in range(n) for j in range(i, n)]
    entries = {
        (places.index((i, j)), places.index((j, k)), places.index((i, k))): 1
        for i in range(n)
        for j in range(i, n)
        for k in range(j, n)
    }
    size = len(places)
    return Target.from_entries(Space.tensor(size, size, size), entries)


def disguised(target: Target, seed: int, ring: Field = QQ) -> Target:
    """The same tensor in other bases, with its factors in another order."""
    rng = np.random.default_rng(seed)
    n = target.space.factors[0][0]
    tensor = np.zeros((n, n, n), dtype=object)
    for word, c in target.entries:
        tensor[word] = c
    for axis in range(3):
        lower = np.tril(rng.integers(-1, 2, (n, n)), -1) + np.eye(n, dtype=int)
        upper = np.triu(rng.integers(-1, 2, (n, n)), 1) + np.eye(n, dtype=int)
        change = np.array(multiply(lower.tolist(), upper.tolist(), QQ), dtype=object)
        tensor = np.moveaxis(np.tensordot(change, tensor, axes=(1, axis)), 0, axis)
    tensor = tensor.transpose(rng.permutation(3))
    entries = {tuple(map(int, w)): int(tensor[tuple(w)]) for w in np.argwhere(tensor != 0)}
    return Target.from_entries(Space.tensor(n, n, n), entries).over(ring)


@pytest.mark.parametrize(
    ("target", "field", "value"),
    [
        (named("matmul", 2, 2, 2), CC, 7),
        (named("matmul", 2, 2, 2), gf(2), 7),
        (named("matmul", 3, 3, 3), gf(3), 17),
        (named("quaternion_product"), CC, 7),
        (named("quaternion_product"), RR, 7),
        (named("complex_product"), RR, 3),
        (named("complex_product"), CC, 2),
        (quotient(-2, 0, 0, 1), QQ, 5),
        (quotient(-2, 0, 0, 1), RR, 4),
        (quotient(-2, 0, 0, 1), CC, 3),
        (quotient(-2, 0, 0, 1), Field.parse("QQ(i)"), 5),
        (quotient(-1, 0, 0, 0, 1), QQ, 5),
        (quotient(-1, 0, 0, 0, 1), Field.parse("QQ(i)"), 4),
        (quotient(-1, 0, 0, 0, 1), gf(2), 7),
        (quotient(-1, 0, 0, 0, 1), gf(3), 5),
        (quotient(-1, 0, 0, 0, 1), gf(5), 4),
        (quotient(-1, 0, 0, 0, 0, 0, 0, 1), QQ, 12),
        (quotient(0, 0, 0, 0, 0, 0, 1), QQ, 11),
        (quotient(0, 0, 0, 1), gf(3), 5),
        # (x^2 + 1)^2: over CC two points with multiplicity two.
        (quotient(1, 0, 2, 0, 1), CC, 6),
        (quotient(1, 0, 2, 0, 1), RR, 7),
        (triangular(2), CC, 4),
        (triangular(3), gf(2), 9),
        # CC[S_3] is a product of two fields and the 2 x 2 matrices.
        (symmetric_group(), CC, 9),
        (symmetric_group(), QQ, 9),
    ],
    ids=str,
)
def test_algebras(target: Target, field: Field, value: int) -> None:
    assert found(alder_strassen, target, field) == value


@pytest.mark.parametrize("seed", range(3))
def test_algebras_in_other_bases(seed: int) -> None:
    assert found(alder_strassen, disguised(quotient(0, 0, 0, 1), seed), CC) == 5
    assert found(alder_strassen, disguised(triangular(2), seed), QQ) == 4
    assert found(alder_strassen, disguised(named("matmul", 2, 2, 2), seed), CC) == 7
    assert found(alder_strassen, disguised(quotient(1, 1, 0, 1), seed, gf(2)), gf(2)) == 5


def test_a_tensor_that_is_no_algebra() -> None:
    # The vector product with one is not associative, and the vector product has no one.
    rng = np.random.default_rng(0)
    entries = dict.fromkeys(((0, 1, 2), (1, 2, 0), (2, 0, 1)), 1) | dict.fromkeys(
        ((1, 0, 2), (2, 1, 0), (0, 2, 1)), -1
    )
    cross = Target.from_entries(Space.tensor(3, 3, 3), entries)
    assert algebra(cross, rng) is None
    beside = {tuple(i + 1 for i in w): c for w, c in entries.items()}
    beside |= {(0, i, i): 1 for i in range(4)} | {(i, 0, i): 1 for i in range(1, 4)}
    assert algebra(Target.from_entries(Space.tensor(4, 4, 4), beside), rng) is None


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        ((2, 2, 2), 7),
        ((2, 2, 3), 10),
        ((2, 3, 3), 14),
        ((2, 2, 5), 16),
        ((2, 3, 4), 18),
        ((3, 3, 3), 17),
        ((4, 4, 4), 31),
    ],
)
@pytest.mark.parametrize("field", [CC, gf(2)], ids=str)
def test_matrix_products(shape: tuple[int, int, int], value: int, field: Field) -> None:
    assert found(dropped_slices, named("matmul", *shape), field) == value


def test_a_matrix_product_with_permuted_and_scaled_bases() -> None:
    rng = np.random.default_rng(1)
    target = named("matmul", 2, 3, 2)
    orders = [rng.permutation(n) for n, _ in target.space.factors]
    scales = [rng.choice([1, 2, -3], n) for n, _ in target.space.factors]
    entries = {
        tuple(int(orders[s][i]) for s, i in enumerate(w)): int(
            np.prod([scales[s][i] for s, i in enumerate(w)])
        )
        for w, _ in target.entries
    }
    assert found(dropped_slices, Target.from_entries(target.space, entries), CC) == 10


@pytest.mark.parametrize(
    ("target", "field", "value"),
    [
        (named("W", 3), gf(2), 3),
        (named("W", 4), gf(2), 4),
        (named("W", 5), CC, 5),
        (quotient(0, 0, 0, 0, 1), gf(2), 7),
        (named("coppersmith_winograd", 2), CC, 7),
        (named("small_coppersmith_winograd", 3), CC, 6),
    ],
    ids=str,
)
def test_slices_dropped_in_the_given_bases(target: Target, field: Field, value: int) -> None:
    assert found(dropped_slices, target, field) == value
