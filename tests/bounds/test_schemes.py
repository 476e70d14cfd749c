"""Known schemes, what follows from them, and the recognition of the tensors that they belong to."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from rankproof.bounds.method import Budget
from rankproof.bounds.recognition import likeness
from rankproof.bounds.schemes import doubling, families, matmul
from rankproof.bounds.schemes.classical import SHAPES, bini, laderman, strassen, winograd
from rankproof.bounds.schemes.text import read_family, read_scheme, write_scheme
from rankproof.bounds.upper import known_families, known_schemes
from rankproof.errors import FormatError
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import CC, QQ, Field, gf
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

I = Field.parse("QQ(i)")


@pytest.mark.parametrize(
    ("scheme", "length"), [(strassen, 7), (winograd, 7), (laderman, 23), (bini, 10)], ids=str
)
def test_a_scheme_of_the_literature_multiplies_matrices(scheme, length):
    found = scheme()
    assert len(found) == length
    assert found.residual(named("matmul", *SHAPES[scheme.__name__])) == {}


def test_winograds_scheme_has_fifteen_additions():
    # Every sum of k entries costs k - 1 additions; shared sums are saved, as many as make 15 of 24.
    units = winograd().units
    assert sum(sum(map(bool, v)) - 1 for unit in units for v in unit[:2]) == 14
    assert sum(map(bool, (x for unit in units for x in unit[2]))) - 4 == 10


@pytest.mark.parametrize(
    ("shape", "over_integers", "modulo_2", "border"),
    [
        ((2, 2, 2), 7, 7, 7),
        ((2, 2, 3), 11, 11, 10),
        ((2, 2, 4), 14, 14, 13),
        ((2, 2, 5), 18, 18, 16),
        ((2, 3, 3), 15, 15, 14),
        ((2, 3, 4), 20, 20, 20),
        ((3, 3, 3), 23, 23, 20),
        ((4, 4, 4), 49, 49, 46),
        ((8, 8, 8), 343, 343, 322),
        ((1, 5, 7), 35, 35, 35),
    ],
)
def test_matrix_products_need_at_most_this_many(shape, over_integers, modulo_2, border):
    assert matmul.plan(*shape).length <= over_integers
    assert matmul.plan(*shape, characteristic=2).length <= modulo_2
    assert matmul.plan(*shape, border=True).length <= border


def test_two_rows_or_columns_need_seven_halves_of_the_third_size():
    for n in range(1, 12):
        assert matmul.plan(2, 2, n).length == -(-7 * n // 2)


@pytest.mark.parametrize(
    "shape",
    [
        *permutations((2, 3, 4)),
        *permutations((2, 2, 4)),
        (3, 2, 3),
        (4, 4, 4),
        (3, 3, 6),
        (2, 5, 5),
        (1, 2, 3),
    ],
)
@pytest.mark.parametrize("border", [False, True])
def test_schemes_made_of_others_are_exact_in_every_order_of_the_sizes(shape, border):
    for ring in (QQ, gf(2)):
        found = matmul.matmul_scheme(*shape, ring, border)
        assert found.residual(named("matmul", *shape)) == {}
        assert len(found) == matmul.plan(*shape, characteristic=ring.characteristic, border=border).length


def test_the_stored_schemes_are_exact_and_shorter_than_what_follows_from_others():
    for characteristic in (0, 2):
        for shape, found in matmul._found(characteristic):
            assert found.residual(named("matmul", *shape)) == {}
            assert len(found) == matmul.plan(*shape, characteristic).length


def test_the_stored_border_families_are_exact_and_shorter_than_what_follows_from_others():
    for shape, found in matmul._families():
        assert found.residual(named("matmul", *shape)) == {}
        assert len(found) == matmul.plan(*shape, border=True).length
        assert len(found) < matmul._from_smaller(shape, 0, True).length


def test_a_family_is_read_back_from_its_text():
    found = next(family for shape, family in matmul._families() if shape == (2, 3, 3))
    assert read_family(write_scheme(found, (2, 3, 3)), (2, 3, 3)) == found
    with pytest.raises(FormatError, match="border family"):
        read_scheme("eps*a11 b11 c11", (2, 2, 2))
    with pytest.raises(FormatError, match="no sum"):
        read_family("eps^x*a11 b11 c11", (2, 2, 2))


def test_a_scheme_is_read_back_from_its_text():
    text = write_scheme(laderman(), (3, 3, 3))
    assert read_scheme(text, (3, 3, 3)) == laderman()
    for wrong in ("a11 b11", "a11 b31 c11", "a11+x b11 c11", "b11 a11 c11"):
        with pytest.raises(FormatError, match="no product|no entry|no sum"):
            read_scheme(wrong, (2, 2, 2))


@pytest.mark.parametrize("ring, length", [(QQ, 8), (I, 7), (gf(3), 7), (gf(5), 7)], ids=str)
def test_quaternions_are_multiplied_with_eight_products_and_seven_where_they_are_matrices(ring, length):
    found = families.quaternion_scheme(ring)
    assert len(found) == length
    assert found.residual(named("quaternion_product")) == {}


@pytest.mark.parametrize("ring", [QQ, gf(3), gf(5)], ids=str)
def test_octonions_are_multiplied_with_thirty_products(ring):
    found = doubling.octonion_scheme(ring)
    assert len(found) == 30
    assert found.residual(doubling.octonions()) == {}
    assert doubling.octonion_scheme(gf(2)) is None


def test_doubling_gives_the_quaternions_and_norms_multiply():
    s = doubling.structure_signs(2)
    entries = {(i, j, i ^ j): int(s[i, j]) for i in range(4) for j in range(4)}
    # The doubled basis 1, i, j, ij is that of the library.
    assert entries == named("quaternion_product").as_dict()
    rng = np.random.default_rng(1)
    x, y = rng.integers(-9, 10, (2, 8))
    z = np.zeros(8, dtype=int)
    for (i, j, k), c in doubling.octonions().entries:
        z[k] += c * x[i] * y[j]
    assert (z**2).sum() == (x**2).sum() * (y**2).sum()


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7])
def test_coppersmith_winograd_tensors_have_short_families(q):
    for big, name in ((True, "coppersmith_winograd"), (False, "small_coppersmith_winograd")):
        family = families.cw_family(q, big, QQ)
        assert family.residual(named(name, q)) == {}
        assert len(family) == q + 2
        for ring in (QQ, gf(3)):
            exact = families.cw_scheme(q, big, ring)
            assert exact.residual(named(name, q)) == {}
            vanishes = not big and ring == gf(3) and q % 3 == 0
            assert len(exact) == 2 * q + (3 if big else 1) - vanishes
    scheme = families.small_cw_scheme(q, I)
    assert scheme.residual(named("small_coppersmith_winograd", q)) == {}
    assert len(scheme) == 2 * q


@pytest.mark.parametrize("q", [2, 4, 6])
def test_skew_coppersmith_winograd_tensors_have_families_of_three_halves_q_and_2(q):
    family = families.skew_cw_family(q, QQ)
    assert family.residual(named("skew_coppersmith_winograd", q)) == {}
    assert len(family) == 3 * q // 2 + 2


@pytest.mark.parametrize("n, length, modulo_2", [(2, 2, 2), (3, 5, 5), (4, 15, 12), (5, 52, 27)])
def test_determinants_need_as_many_products_as_there_are_partitions(n, length, modulo_2):
    for ring, expected in ((QQ, length), (gf(2), modulo_2), (gf(3), length)):
        found = families.determinant_scheme(n, ring)
        assert found.residual(named("det_tensor", n)) == {}
        assert len(found) == expected
    assert families.determinant_scheme(n, gf(2)).residual(named("perm_tensor", n)) == {}


def scrambled(target: Target, rng: np.random.Generator, scales=(1, -1, 2)) -> Target:
    """The tensor with its factors in another order and its bases renumbered and scaled."""
    k = len(target.space.factors)
    order = [int(s) for s in rng.permutation(k)]
    dims = [target.space.factors[s][0] for s in order]
    places = [rng.permutation(n) for n in dims]
    factors = [[int(rng.choice(scales)) for _ in range(n)] for n in dims]
    entries = {}
    for word, c in target.entries:
        moved = [word[s] for s in order]
        for s, i in enumerate(moved):
            c = c * factors[s][i]
        entries[tuple(int(places[s][i]) for s, i in enumerate(moved))] = c
    return Target.from_entries(Space.tensor(*dims), entries)


@pytest.mark.parametrize(
    ("name", "parameters", "length"),
    [
        ("matmul", (2, 2, 3), 11),
        ("matmul", (2, 3, 4), 20),
        ("matmul", (4, 4, 4), 49),
        ("polymul", (4, 5), 8),
        ("quaternion_product", (), 8),
    ],
)
def test_a_tensor_is_recognised_in_other_bases(name, parameters, length):
    rng = np.random.default_rng(5)
    for _ in range(3):
        target = scrambled(named(name, *parameters), rng)
        (bound,) = known_schemes.find(target, "product", QQ, Budget(10), rng, ())
        assert bound.claim.value == length
        assert name in bound.reason


def test_two_w_tensors_side_by_side_need_eight_products():
    W = named("W", 3)
    target = Target.from_entries(
        Space.tensor(*[2] * 6), {u + v: 1 for u, _ in W.entries for v, _ in W.entries}
    )
    rng = np.random.default_rng(2)
    for tensor in (target, scrambled(target, rng, (1,))):
        (bound,) = known_schemes.find(tensor, "product", QQ, Budget(10), rng, ())
        assert bound.claim.value == 8


def test_families_are_recognised_in_other_bases():
    rng = np.random.default_rng(6)
    for name, parameters, length in (
        ("W", (5,), 2),
        ("coppersmith_winograd", (3,), 5),
        ("matmul", (2, 3, 2), 10),
    ):
        target = scrambled(named(name, *parameters), rng, (1,))
        (bound,) = known_families.find(target, "product", QQ, Budget(10), rng, ())
        assert (bound.claim.quantity, bound.claim.value) == ("border_rank", length)


def test_over_the_complex_numbers_gaussian_schemes_are_found():
    rng = np.random.default_rng(0)
    target = named("small_coppersmith_winograd", 3)
    (bound,) = known_schemes.find(target, "product", CC, Budget(10), rng, ())
    assert (bound.claim.value, str(bound.claim.over)) == (6, "QQ(i)")
    (bound,) = known_schemes.find(target, "product", QQ, Budget(10), rng, ())
    assert bound.claim.value == 7


def test_a_tensor_that_only_resembles_is_not_recognised():
    # matmul(2,2,2) with one sign changed in a way that no scaling undoes: the product of four coefficients around a cycle.
    entries = named("quaternion_product").as_dict() | {(1, 2, 3): -1}
    assert likeness(named("quaternion_product").as_dict(), entries, (4, 4, 4), QQ) is None
    moved = {word: c for word, c in named("matmul", 2, 2, 2).entries if word != (0, 0, 0)} | {(0, 0, 1): 1}
    assert likeness(named("matmul", 2, 2, 2).as_dict(), moved, (4, 4, 4), QQ) is None


def test_what_is_known_already_is_not_repeated():
    rng = np.random.default_rng(0)
    target = named("matmul", 2, 2, 2)
    first = known_schemes.find(target, "product", QQ, Budget(10), rng, ())
    assert known_schemes.find(target, "product", QQ, Budget(10), rng, first) == []
    assert known_families.find(target, "product", QQ, Budget(10), rng, first) == []
    assert isinstance(bini(), BorderFamily)
