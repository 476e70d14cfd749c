"""Covers over finite fields: bounds against widths found by exhaustion, trees that are needed, and what is given up."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import rankproof as rp
from rankproof.bounds.cover_search import deepen
from rankproof.bounds.cover_trees import MAX_COLUMNS, Program, case_trees
from rankproof.bounds.cover_witness import Writer
from rankproof.bounds.covers import Covers
from rankproof.bounds.lower import cover
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.exact.matrix_spaces import symmetries
from rankproof.exact.subspace_classes import SubspaceClasses
from rankproof.problem.field import Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes


def covers_of(target: Target, p: int, seed: int = 0) -> tuple[Covers, cover.Side]:
    """Bounds on the slices along the shortest factor, as the method begins with."""
    rng = np.random.default_rng(seed)
    side = min(cover._sides(target.over(gf(p)), p), key=lambda s: len(s.space))
    classes = SubspaceClasses(side.space, p, symmetries(side.space, p, rng), rng)
    return Covers(classes, lambda: False), side


def found(target: Target, field: Field, seconds: float = 1.5) -> int:
    """The best bound of the method alone."""
    bounds = cover.find(target, "product", field, Budget(seconds), np.random.default_rng(0), ())
    return max((bound.claim.value for bound in bounds), default=0)


# Ranks of all tensors of one shape over GF(2), by breadth-first search from zero: another algorithm.


@cache
def ranks_by_search(dimensions: tuple[int, int, int]) -> np.ndarray:
    a, b, c = dimensions
    singles = {
        sum(
            1 << ((i * b + j) * c + k)
            for i in range(a)
            for j in range(b)
            for k in range(c)
            if x >> i & y >> j & z >> k & 1
        )
        for x in range(1, 1 << a)
        for y in range(1, 1 << b)
        for z in range(1, 1 << c)
    }
    rank = np.full(1 << (a * b * c), -1, dtype=np.int8)
    rank[0] = 0
    reached, steps = np.array([0]), 0
    while len(reached):
        steps += 1
        fresh = np.zeros(len(rank), dtype=bool)
        for single in singles:
            fresh[reached ^ single] = True
        fresh &= rank < 0
        rank[fresh] = steps
        reached = np.flatnonzero(fresh)
    return rank


def number_of(array: np.ndarray) -> int:
    return sum(1 << int(place) for place in np.flatnonzero(array.ravel()))


@pytest.mark.parametrize("dimensions", [(2, 2, 2), (3, 2, 2), (3, 2, 3), (4, 2, 2)])
def test_no_bound_exceeds_the_rank_and_most_reach_it(dimensions: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(sum(dimensions))
    ranks = ranks_by_search(dimensions)
    reached = 0
    for _ in range(8):
        array = rng.integers(0, 2, dimensions)
        if not array.any():
            continue
        target = Target.from_array(array, ring=gf(2))
        covers, _ = covers_of(target, 2)
        rank = int(ranks[number_of(array)])
        assert covers.bounds[-1] <= rank
        deepen(covers, rank, 10, rng, Budget(20))
        assert covers.bounds[-1] <= rank
        reached += covers.bounds[-1] == rank
    assert reached >= 5


def test_trees_find_no_contradiction_at_a_rank_that_is_attained() -> None:
    # One more than the true rank is asked for everywhere, and no tree may show it.
    rng = np.random.default_rng(8)
    ranks = ranks_by_search((4, 2, 2))
    for _ in range(5):
        array = rng.integers(0, 2, (4, 2, 2))
        if array.any():
            covers, _ = covers_of(Target.from_array(array, ring=gf(2)), 2)
            deepen(covers, int(ranks[number_of(array)]) + 1, 25, rng, Budget(20))
            assert covers.bounds[-1] <= ranks[number_of(array)]


# Multiplication of polynomials: interpolation, Karatsuba, and Barbulescu, Detrey, Estibals, Zimmermann 2012.
@pytest.mark.parametrize(
    ("text", "p", "rank"),
    [
        ("polymul(2,2)", 2, 3),
        ("polymul(3,3)", 2, 6),
        ("polymul(2,2)", 3, 3),
        ("polymul(3,3)", 3, 6),
        ("W(3)", 2, 3),
        ("unit(4)", 3, 4),
        ("matmul(2,2,2)", 2, 7),
    ],
)
def test_known_ranks_are_reached_and_not_exceeded(text: str, p: int, rank: int) -> None:
    assert found(read_targets(text)[0], gf(p)) == rank


@pytest.fixture(scope="module")
def two_by_three_by_three() -> tuple[Covers, cover.Side]:
    return covers_of(read_targets("matmul(2,3,3)")[0], 2)


def certificate(covers: Covers, side: cover.Side, number: int) -> bytes:
    """A certificate for the bound of one class, as one for the whole."""
    rng = np.random.default_rng(0)
    witness = Writer(covers, side.frame, side.factor, rng, lambda: False).witness(number)
    claim = Claim("rank", "product", gf(2), ">=", covers.bounds[number])
    target = read_targets("matmul(2,3,3)")[0]
    question = Question("product", gf(2), "rank")
    return Certificate.build(target, [Bound(claim, "cover", witness, "")], [question], {}).to_bytes()


def test_a_tree_proves_one_more_for_three_slices_and_is_verified(two_by_three_by_three) -> None:
    covers, side = two_by_three_by_three
    before = covers.snapshot()
    trees = {}
    for number in (n for n, d in enumerate(covers.classes.dimensions) if d == 3):
        found = case_trees(
            covers, number, covers.bounds[number] + 1, 3, np.random.default_rng(0), lambda: False
        )
        if found is not None:
            trees[number] = covers.bounds[number] + 1, found
    assert trees
    for number, (bound, found) in trees.items():
        covers.set(number, bound, found)
        assert set(found.demands.items()) == {(j, covers.bounds[j]) for j in found.classes()}
        verdict = verify_bytes(certificate(covers, side, number))
        assert (verdict.word, verdict.conclusion[0]["lower"]) == ("VERIFIED", bound)
    # Without the bounds that it demands a tree proves nothing any more.
    number = next(iter(trees))
    bound, found = trees[number]
    demanding = replace(found, demands={j: d + 1 for j, d in found.demands.items()})
    covers.rebuild({number: (bound, demanding)}, number)
    assert covers.bounds[number] == bound - 1
    covers.restore(before)


def test_a_certificate_for_three_slices_that_says_one_more_is_refused(two_by_three_by_three) -> None:
    covers, side = two_by_three_by_three
    before = covers.snapshot()
    top = len(covers.classes) - 1
    for number in (top, top - 1, covers.classes.dimensions.index(3)):
        tree = json.loads(certificate(covers, side, number))
        assert verify_bytes(json.dumps(tree).encode()).word == "VERIFIED"
        tree["steps"][0]["claim"]["value"] += 1
        tree["conclusion"][0]["lower"] += 1
        assert verify_bytes(json.dumps(tree).encode()).code == "claim-differs"
    covers.restore(before)


def test_a_program_has_few_columns_and_they_include_all_lines(two_by_three_by_three) -> None:
    covers, _ = two_by_three_by_three
    program = Program(covers, len(covers.classes) - 1, 15)
    assert len(program.subspaces) <= MAX_COLUMNS
    assert sum(len(local) == 1 for local in program.subspaces) == 63
    assert program.covers.shape == (63, len(program.subspaces))


def test_a_table_that_would_take_longer_than_there_is_time_is_not_begun() -> None:
    target = read_targets("matmul(3,3,3)")[0]
    budget = Budget(2)
    assert cover.find(target, "product", gf(2), budget, np.random.default_rng(0), ()) == []
    assert any("--budget" in remark for remark in budget.remarks)


# Hopcroft and Kerr 1971; the scheme of 15 products is in the table.
@pytest.mark.slow
def test_the_product_of_2x3_and_3x3_matrices_has_rank_15_over_two_elements() -> None:
    proof = rp.certify("matmul(2,3,3)", field="GF(2)", border=False, budget=120)
    assert (proof.lower, proof.upper) == (15, 15)
    [answer] = proof.answers
    assert answer.lower_rule == "cover"


# Blaser's bound 19, here over the field with two elements.
@pytest.mark.slow
def test_the_product_of_3x3_matrices_has_rank_19_at_least_over_two_elements() -> None:
    proof = rp.certify("matmul(3,3,3)", field="GF(2)", border=False, budget=600)
    assert proof.lower == 19


@pytest.mark.slow
@pytest.mark.parametrize(("text", "p", "rank"), [("polymul(5,5)", 2, 13), ("polymul(5,5)", 3, 12)])
def test_polynomials_with_five_terms(text: str, p: int, rank: int) -> None:
    proof = rp.certify(text, field=f"GF({p})", border=False, budget=300)
    assert (proof.lower, proof.upper) == (rank, rank)
