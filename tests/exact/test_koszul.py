"""Koszul flattenings and gradings of the prover."""

from __future__ import annotations

import random

import pytest

from rankproof.exact.flattening import flattening_rank
from rankproof.exact.gradings import weight_classes, weight_lattice
from rankproof.exact.koszul import Shape, Wedge, koszul, koszul_places, koszul_rank
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.field import NumberField, gf, number
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier.rules import koszul as rule
from rankproof.verifier.rules.rule import Context
from rankproof.verifier.scalars import QQ
from rankproof.verifier.targets import Space as VerifierSpace
from rankproof.verifier.targets import Target as VerifierTarget
from rankproof.verifier.units import read_units

P = 1048573


def diagonals(n: int, m: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(i + j == k) for i in range(n) for j in range(m)) for k in range(n + m - 1))


def random_target(generator: random.Random) -> Target:
    spaces = [
        Space.form(3, 3),
        Space.form(2, 4),
        Space.map(3, 2, 3),
        Space.map(2, 3, 4),
        Space.tensor(3, 2, 3),
    ]
    space = generator.choice([*spaces, Space.tensor(3, 2, 2, 3)])
    entries = {word: generator.randint(-3, 3) for word in space.words() if generator.random() < 0.6}
    return Target.from_entries(space, {**entries, next(iter(space.words())): 1})


def random_shape(generator: random.Random, target: Target) -> Shape:
    """One or two wedges, two of them on different factors or on one of degree at least 2."""
    factors, wedges = target.space.factors, list[Wedge]()
    for _ in range(generator.randint(1, 2)):
        taken = [wedge.factor for wedge in wedges]
        free = [i for i, (_, d) in enumerate(factors) if taken.count(i) < d]
        factor = generator.choice(free)
        n = factors[factor][0]
        a, projection = generator.randint(1, n), None
        if generator.random() < 0.6:
            projection = tuple(tuple(generator.randint(-2, 2) for _ in range(n)) for _ in range(a))
        wedges.append(Wedge(factor, generator.randrange(a if projection else n), projection))
    taken = [wedge.factor for wedge in wedges]
    orders = tuple(generator.randint(0, d - taken.count(i)) for i, (_, d) in enumerate(factors))
    return Shape(tuple(wedges), orders)


def recipe_of(target: Target, shape: Shape, p: int) -> rule.Recipe:
    wedges = [
        rule.Wedge(
            wedge.factor,
            wedge.power,
            wedge.dimension(target),
            None if wedge.projection is None else [list(row) for row in wedge.projection],
        )
        for wedge in shape.wedges
    ]
    return rule.Recipe(wedges, list(shape.orders), p, None)


@pytest.mark.parametrize("p", [2, 3, 7, P])
def test_prover_and_verifier_build_matrices_of_one_rank(p: int) -> None:
    generator = random.Random(p)
    for _ in range(60):
        target = random_target(generator)
        shape = random_shape(generator, target)
        space = VerifierSpace(target.space.factors)
        units = read_units("tied" if target.space.is_polynomial else "product", "", space)
        entries = {word: int(x) for word, x in target.entries}
        context = Context(VerifierTarget(space, QQ, entries), units, "CC", ">=", {}, (), "/steps/0")
        recipe = recipe_of(target, shape, p)
        parts = rule.parts({w: x % p for w, x in entries.items() if x % p}, recipe, context)
        maps = rule.WedgeMaps(recipe.wedges)
        matrices = [(rule.koszul(part, maps, p), times) for part, times in parts.items()]
        found = koszul_rank(target, shape, p)
        assert found is not None
        assert found.rank == sum(times * rule.rank_modulo(rows, p) for rows, times in matrices)
        whole = koszul(target, shape, p)
        assert found.rank == rank_mod_p(whole, p).rank
        assert sum(map(len, whole.values())) == sum(
            times * len(row) for rows, times in matrices for row in rows
        )
        assert sum(len(row) for rows, _ in matrices for row in rows) <= koszul_places(target, shape)


def test_copies_of_a_part_are_built_once() -> None:
    """The places of one copy, and the rank of all: for a direct sum too, of two equal tensors and one of them doubled."""
    target, shape = read_targets("matmul(3,3,3)")[0], Shape.single(0, 2, (0, 1, 0), diagonals(3, 3))
    assert 3 * koszul_places(target, shape) == sum(map(len, koszul(target, shape, P).values()))
    entries = {}
    for shift, scale in ((0, 1), (3, 1), (6, 2)):
        for word in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 2, 2), (2, 1, 0), (2, 2, 1)):
            entries[word[0], word[1] + shift, word[2] + shift] = scale
    target, shape = Target.from_entries(Space.tensor(3, 9, 9), entries), Shape.single(0, 1, (0, 1, 0))
    whole = koszul(target, shape, P)
    assert 3 * koszul_places(target, shape) == 2 * sum(map(len, whole.values()))
    found = koszul_rank(target, shape, P)
    assert found is not None
    assert found.rank == rank_mod_p(whole, P).rank


def test_an_exterior_power_of_nothing_is_a_flattening() -> None:
    target = read_targets("x**2*y*z + y**4")[0]
    found = koszul_rank(target, Shape.single(0, 0, (1,)), P)
    assert found is not None
    # Order 1 on one side, one letter and order 2 on the other: the polarised form has the rank of order 1.
    assert found.rank == flattening_rank(target, (1,), P).rank


@pytest.mark.parametrize(
    ("text", "shape", "rank"),
    [
        ("x*y*z", Shape.single(0, 1, (1,)), 8),
        ("matmul(2,2,2)", Shape.single(0, 1, (0, 1, 0), diagonals(2, 2)), 12),
        ("matmul(2,2,3)", Shape.single(0, 1, (0, 1, 0), diagonals(2, 2)), 18),
        ("matmul(3,3,3)", Shape.single(0, 2, (0, 1, 0), diagonals(3, 3)), 90),
        ("matmul(3,3,3)", Shape.single(0, 4, (0, 1, 0)), 918),
        ("matmul(4,4,4)", Shape.single(0, 3, (0, 1, 0), diagonals(4, 4)), 560),
        ("matmul(5,5,5)", Shape.single(0, 4, (0, 1, 0), diagonals(5, 5)), 3150),
        ("det(3)", Shape.single(0, 2, (1,), diagonals(3, 3)), 85),
        ("det(3)", Shape.single(0, 4, (1,)), 950),
        ("perm(3)", Shape.single(0, 4, (1,)), 934),
        ("x*y*z*w", Shape((Wedge(0, 1), Wedge(0, 2)), (1,)), 70),
        ("monomial(1,1,1,1,1)", Shape((Wedge(0, 1), Wedge(0, 2), Wedge(0, 3)), (1,)), 1426),
        ("perm(4)", Shape((Wedge(0, 1, diagonals(4, 4)), Wedge(0, 5, diagonals(4, 4))), (1,)), 1536),
    ],
)
def test_known_ranks(text: str, shape: Shape, rank: int) -> None:
    found = koszul_rank(read_targets(text)[0], shape, P)
    assert found is not None
    assert found.rank == rank


def test_a_number_field_is_sent_to_a_root() -> None:
    field = number(NumberField.sqrt(2))
    target = read_targets("sqrt(2)*x*y*z + x**3", ring=field)[0]
    found = koszul_rank(target, Shape.single(0, 1, (1,)), 7, 3)
    assert found is not None
    assert found.rank == 8


def test_a_dense_block_beyond_the_limit_is_not_begun() -> None:
    target = read_targets("x*y*z")[0]
    assert koszul_rank(target, Shape.single(0, 1, (1,)), P, None, 3) is None


@pytest.mark.parametrize(
    "text", ["x*y + z**2", "matmul(2,2,3)", "det(3)", "W(4)", "x**3 + x**2*y + y**3", "x*y*z; x**3"]
)
def test_weights_are_gradings(text: str) -> None:
    target = read_targets(text)[0]
    for factor, (n, _) in enumerate(target.space.factors):
        basis = weight_lattice(target, factor)
        assert all(len(row) == n and any(row) for row in basis)
        for classes in weight_classes(target, factor):
            assert sorted(set(classes)) == list(range(max(classes) + 1))


def test_a_general_form_has_the_obvious_grading_only() -> None:
    space = Space.form(4, 3)
    generator = random.Random(1)
    target = Target.from_entries(space, {word: generator.randint(1, 9) for word in space.words()})
    assert weight_lattice(target, 0) == [[3, 3, 3, 3]] or weight_lattice(target, 0) == [[1, 1, 1, 1]]
    assert weight_classes(target, 0) == [(0, 0, 0, 0)]


def test_a_target_over_a_finite_field_is_taken_as_it_is() -> None:
    target = read_targets("x*y*z", ring=gf(2))[0]
    found = koszul_rank(target, Shape.single(0, 1, (1,)), 2)
    assert found is not None
    assert found.rank == 8
