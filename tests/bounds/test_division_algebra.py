"""Products of the quaternions, in any bases, need eight multiplications over the reals."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.bounds.lower.division_algebra import METHOD
from rankproof.bounds.method import Budget
from rankproof.certificate.document import Certificate
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.prove import certify
from rankproof.verifier import verify_bytes
from tests.corpus.recipes.division_algebra import quaternions


def found(target: Target) -> list[int]:
    bounds = METHOD.find(target, "product", RR, Budget(5.0), np.random.default_rng(0), [])
    for bound in bounds:
        written = Certificate.build(target, [bound], [Question("product", RR, "rank")], {})
        assert verify_bytes(written.to_bytes()).ok
    return [int(bound.claim.value) for bound in bounds]


def dense(a: int, b: int) -> np.ndarray:
    array = np.zeros((4, 4, 4), int)
    for word, value in quaternions(a, b)["entries"]:
        array[tuple(word)] = value
    return array


@pytest.mark.parametrize(
    ("a", "b", "bounds"), [(-1, -1, [8]), (-1, -3, [8]), (-2, -5, [8]), (-1, 3, []), (2, 3, [])]
)
def test_definite_quaternions_are_found_in_any_bases(a: int, b: int, bounds: list[int]) -> None:
    rng = np.random.default_rng(7)
    array = dense(a, b)
    for axis in range(3):
        change = np.tril(rng.integers(-2, 3, (4, 4)), -1) + np.eye(4, dtype=int)
        array = np.moveaxis(np.tensordot(change, array, (1, axis)), 0, axis)
    assert found(Target.from_array(array)) == bounds


def test_matrices_triangular_matrices_and_commutative_algebras_are_not() -> None:
    for text in ("matmul(2,2,2)", "cyclic_convolution(4)", "truncated_polynomials(4)"):
        assert found(read_targets(text)[0]) == []


def test_quaternions_need_eight_over_the_rationals_and_the_reals_and_seven_over_the_complex_numbers() -> None:
    proof = certify(
        read_targets("quaternion_product")[0], units=("product",), fields=(QQ, RR, CC), budget=10.0
    )
    ranks = {str(a.field): a.interval for a in proof.certificate.conclusion if a.quantity == "rank"}
    assert ranks == {"QQ": "8", "RR": "8", "CC": "7"}
