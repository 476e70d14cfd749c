"""Border apolarity: known border ranks, and nothing refuted at a border rank that is attained."""

from __future__ import annotations

import flint
import numpy as np
import pytest

import rankproof as rp
from rankproof.bounds.lower.border_apolarity import witness
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.exact.border_apolarity import PAIRS, Enumeration, GivenUp, refute
from rankproof.exact.symmetry import bracket, find_symmetry, polarised, root_spaces, torus
from rankproof.problem.field import CC
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes


def target_of(text: str) -> Target:
    return read_targets(text)[0]


def refuted(target: Target, rank: int) -> bool:
    return survivors(target, rank) is None


def survivors(target: Target, rank: int) -> str | None:
    """What survives at a rank, in words; None if nothing does. Time plays no part."""
    tensor = polarised(target)
    dimensions = [n for n, power in target.space.factors for _ in range(power)]
    symmetry = find_symmetry(tensor, dimensions, np.random.default_rng(0))
    assert symmetry is not None
    try:
        assert refute(tensor, dimensions, symmetry, rank, lambda: False)
    except GivenUp as reason:
        return str(reason)
    return None


def direct_sum(*texts: str) -> Target:
    """The direct sum of tensors of order 3, block by block."""
    parts = [target_of(text) for text in texts]
    shapes = [[n for n, _ in part.space.factors] for part in parts]
    array = np.zeros([sum(sizes) for sizes in zip(*shapes, strict=True)], dtype=int)
    start = np.zeros(3, dtype=int)
    for part, shape in zip(parts, shapes, strict=True):
        for word, x in part.entries:
            array[tuple(start + word)] = int(x)
        start += shape
    return Target.from_array(array)


# Conner, Harper, Landsberg, Forum Math. Pi 11 (2023); the value at 7, 10, 14 is attained.
@pytest.mark.parametrize(
    ("text", "border_rank"), [("matmul(2,2,2)", 7), ("matmul(2,2,3)", 10), ("matmul(2,3,3)", 14)]
)
def test_matrix_multiplication_at_its_border_rank_and_one_below(text: str, border_rank: int) -> None:
    assert refuted(target_of(text), border_rank - 1)


SURVIVORS = {
    "a triple of candidates passes every test",
    "a family of candidates with parameters",
}


@pytest.mark.parametrize(
    ("text", "border_rank"),
    [
        ("matmul(2,2,2)", 7),
        ("matmul(2,2,3)", 10),
        ("matmul(2,3,3)", 14),
        ("coppersmith_winograd(3)", 5),
        ("coppersmith_winograd(4)", 6),
        ("small_coppersmith_winograd(3)", 5),
        ("det_tensor(3)", 5),
        ("unit(5)", 5),
        # Attained by no known family: 17 is where the method ends.
        pytest.param("det(3)", 17, marks=pytest.mark.slow),
    ],
)
def test_spaces_survive_at_the_border_rank(text: str, border_rank: int) -> None:
    assert survivors(target_of(text), border_rank) in SURVIVORS


# Schonhage's 3x1 by 1x3 matrices beside an inner product of 4 pairs need 13 products apart, and 10 in the limit.
@pytest.mark.parametrize(
    ("texts", "border_rank"),
    [
        (("W(3)", "W(3)"), 4),
        (("W(3)", "unit(2)"), 4),
        (("matmul(2,2,2)", "W(3)"), 9),
        (("matmul(2,1,2)", "unit(1)"), 5),
        (("matmul(3,1,3)", "matmul(1,4,1)"), 10),
    ],
)
def test_direct_sums_are_refuted_below_their_border_rank_and_not_at_it(
    texts: tuple[str, ...], border_rank: int
) -> None:
    target = direct_sum(*texts)
    assert refuted(target, border_rank - 1)
    assert survivors(target, border_rank) in SURVIVORS


FORGED = [
    (["candidate"], {"triple"}),
    (["210"], {"rank"}),
    (["120"], {"rank"}),
    (["empty"], {"empty"}),
    # Those that follow then stand at the wrong spaces.
    ([], {"leaves", "rank"}),
    (["candidate", "candidate"], {"leaves", "rank"}),
]


@pytest.mark.parametrize(
    ("text", "rank"),
    [("matmul(2,2,2)", 7), ("W(3)", 2), ("coppersmith_winograd(2)", 4), ("x*y*z", 4), ("unit(4)", 4)],
)
@pytest.mark.parametrize(("words", "codes"), FORGED)
def test_whatever_is_said_about_a_survivor_the_border_rank_is_not_refuted(
    text: str, rank: int, words: list[str], codes: set[str]
) -> None:
    target = target_of(text)
    tensor = polarised(target)
    dimensions = [n for n, power in target.space.factors for _ in range(power)]
    symmetry = find_symmetry(tensor, dimensions, np.random.default_rng(0))
    assert symmetry is not None
    proofs = [Enumeration(tensor, dimensions, symmetry, rank, pair, lambda: False).run() for pair in PAIRS]
    place = proofs[0].leaves.index("candidate")
    proofs[0].leaves[place : place + 1] = words
    claim = Claim("border_rank", "product" if target.space.is_tensor else "tied", CC, ">=", rank + 1)
    bound = Bound(claim, "border-apolarity", witness(rank, symmetry, proofs), "")
    question = Question(claim.units, CC, "border_rank")
    verdict = verify_bytes(Certificate.build(target, [bound], [question], {}).to_bytes())
    assert verdict.word == "REJECTED"
    assert verdict.code in codes


@pytest.mark.parametrize(
    ("text", "border_rank"),
    [
        ("W(3)", 2),
        ("unit(3)", 3),
        ("unit(4)", 4),
        ("coppersmith_winograd(2)", 4),
        ("small_coppersmith_winograd(2)", 4),
        ("x**2*y", 2),
        ("x*y*z", 4),
        ("x**3 + y**2*z", 3),
    ],
)
def test_nothing_is_refuted_at_a_border_rank_that_is_attained(text: str, border_rank: int) -> None:
    target = target_of(text)
    assert refuted(target, border_rank - 1)
    for rank in range(border_rank, border_rank + 3):
        assert not refuted(target, rank)


def test_sums_of_few_random_rank_one_tensors_are_not_refuted() -> None:
    # Sparse vectors, so that the sums have tori of symmetries.
    rng = np.random.default_rng(3)
    for _ in range(25):
        r = int(rng.integers(1, 5))
        dimensions = tuple(int(n) for n in rng.integers(2, 4, size=3))
        array = np.zeros(dimensions, dtype=int)
        for _ in range(r):
            a, b, c = (rng.integers(-1, 2, size=n) * (rng.random(n) < 0.6) for n in dimensions)
            array = array + np.einsum("i,j,k->ijk", a, b, c)
        if not array.any():
            continue
        target = Target.from_array(array)
        tensor = polarised(target)
        symmetry = find_symmetry(tensor, dimensions, rng)
        if symmetry is None:
            continue
        with pytest.raises(GivenUp):
            refute(tensor, dimensions, symmetry, r, lambda: False)


def test_the_torus_fixes_the_line_of_the_tensor() -> None:
    for text in ("matmul(2,2,3)", "det(3)", "coppersmith_winograd(3)"):
        target = target_of(text)
        tensor = polarised(target)
        weights = torus(tensor, [n for n, power in target.space.factors for _ in range(power)])
        totals = {
            tuple(map(sum, zip(weights[0][i], weights[1][j], weights[2][k], strict=True)))
            for i, j, k in tensor
        }
        assert len(totals) == 1


def test_the_symmetry_algebra_of_matrix_multiplication_has_the_roots_of_three_special_linear_algebras() -> (
    None
):
    # sl_n x sl_m x sl_p has n^2 - n + m^2 - m + p^2 - p roots, each with a space of dimension 1.
    tensor = polarised(target_of("matmul(2,3,2)"))
    spaces = root_spaces(tensor, torus(tensor, [6, 6, 4]))
    assert sum(map(len, spaces.values())) == 2 + 6 + 2


def test_operators_annihilate_the_tensor() -> None:
    tensor = polarised(target_of("det(3)"))
    symmetry = find_symmetry(tensor, [9, 9, 9], np.random.default_rng(1))
    assert symmetry is not None
    assert len(symmetry.raising) == 4
    for operator in (*symmetry.raising, bracket(symmetry.raising[0], symmetry.raising[1])):
        moved: dict[tuple[int, ...], flint.fmpq] = {}
        for index, value in tensor.items():
            for factor in range(3):
                for (i, j), x in operator[factor].items():
                    if j == index[factor]:
                        image = (*index[:factor], i, *index[factor + 1 :])
                        moved[image] = moved.get(image, flint.fmpq(0)) + x * value
        assert not any(moved.values())


def test_the_product_of_2x2_matrices_has_border_rank_7() -> None:
    answer = rp.certify("matmul(2,2,2)", field="CC")
    assert answer.lower == answer.upper == 7
    [border] = [a for a in answer.answers if a.quantity == "border_rank" and a.field.name == "CC"]
    assert (border.lower, border.upper, border.lower_rule) == (7, 7, "border-apolarity")


@pytest.mark.parametrize(("text", "border_rank"), [("matmul(2,2,3)", 10), ("matmul(3,2,3)", 14)])
def test_the_border_rank_of_small_matrix_products_is_settled(text: str, border_rank: int) -> None:
    proof = rp.certify(text, field="CC", budget=3)
    [border] = [a for a in proof.answers if a.quantity == "border_rank"]
    assert (border.lower, border.upper) == (border_rank, border_rank)
    assert (border.lower_rule, border.upper_rule) == ("border-apolarity", "border-family")


def test_a_target_without_a_torus_is_left_alone() -> None:
    # A general symmetric tensor has a finite group of symmetries.
    target = target_of("x**3 + y**3 + z**3 + (x + y + z)**3 + (x + 2*y - z)**3 + (3*x - y + 5*z)**3")
    assert find_symmetry(polarised(target), [3, 3, 3], np.random.default_rng(0)) is None
