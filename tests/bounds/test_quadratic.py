"""Quadratic forms: widths over every field."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.bounds.quadratic import closed_width, target_diagonal
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, gf, number
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import certify


def interval(target: Target, units: str, field: Field) -> tuple[int, int | None]:
    proof = certify(target, units=(units,), fields=(field,), border=False)
    (answer,) = proof.answers
    return answer.lower, answer.upper


@pytest.mark.parametrize(
    ("text", "rational", "real", "complex_"),
    [
        ("x*y", 1, 1, 1),
        ("x**2-2*y**2", 2, 1, 1),
        ("x**2+y**2", 2, 2, 1),
        ("x**2+y**2-3*z**2", 3, 2, 2),
        ("x**2+y**2+z**2-7*w**2", 4, 3, 2),
        ("x1*x2+x3*x4+x5*x6", 3, 3, 3),
        ("x1**2+x2**2+x3**2+x4**2-x5**2", 4, 4, 3),
        # Rank 5 and indefinite is isotropic over QQ (Hasse, Minkowski).
        ("x1**2+x2**2-3*x3**2-7*x4**2+5*x5**2", 4, 3, 3),
    ],
)
def test_the_untied_width_is_rank_minus_witt_index(
    text: str, rational: int, real: int, complex_: int
) -> None:
    form = read_targets(text)[0]
    for field, width in ((QQ, rational), (RR, real), (CC, complex_)):
        assert interval(form, "untied", field) == (width, width)


@pytest.mark.parametrize(
    ("text", "field", "known"),
    [
        ("x**2+y**2+z**2", "QQ(i)", (2, 2)),
        ("x**2+y**2+z**2+w**2", "QQ(i)", (2, 2)),
        ("x**2+y**2-3*z**2", "QQ(sqrt(3))", (2, 2)),
        ("x**2+x*y+y**2", "QQ(t**2+t+1)", (1, 1)),
        # No two coordinates make a plane with a zero.
        ("x**2+y**2+z**2", "QQ(sqrt(-6))", (2, 2)),
        ("x**2+y**2+z**2-7*w**2", "QQ(sqrt(7))", (3, 3)),
        # 2 splits in this field: three squares have no zero in it.
        ("x**2+y**2+z**2", "QQ(sqrt(-7))", (2, 3)),
    ],
)
def test_a_rational_quadric_over_a_quadratic_field(text: str, field: str, known: tuple[int, int]) -> None:
    assert interval(read_targets(text)[0], "untied", Field.parse(field)) == known


@pytest.mark.parametrize(("p", "q"), [(p, 8 - p) for p in range(9)] + [(3, 2), (1, 4)])
def test_random_rational_quadrics_of_every_signature_are_settled_over_the_reals(p: int, q: int) -> None:
    rng = np.random.default_rng(10 * p + q)
    l = rng.integers(-5, 6, (p + q, 8))
    while np.linalg.matrix_rank(l) < p + q:
        l = rng.integers(-5, 6, (p + q, 8))
    gram = sum((1 if k < p else -1) * np.outer(row, row) for k, row in enumerate(l))
    entries = {
        (i, j): int(gram[i, j] * (1 if i == j else 2)) for i in range(8) for j in range(i, 8) if gram[i, j]
    }
    form = Target.from_entries(Space.form(8, 2), entries)
    assert interval(form, "tied", RR) == (p + q, p + q)
    assert interval(form, "untied", RR) == (max(p, q), max(p, q))


@pytest.mark.parametrize(
    ("text", "p", "width"),
    [
        ("x**2+y**2", 3, 2),
        ("x**2+y**2", 5, 1),
        ("x**2+y**2+z**2", 3, 2),
        ("x**2+y**2+z**2+2*w**2", 3, 3),
        ("x**2+x*y+y**2", 2, 2),
        ("x**2+x*y+y**2+x*z", 2, 2),
        ("x*y+z*w", 2, 2),
        ("x**2+y**2", 2, 1),
    ],
)
def test_the_untied_width_over_finite_fields(text: str, p: int, width: int) -> None:
    assert interval(read_targets(text)[0], "untied", gf(p)) == (width, width)


def test_a_product_of_two_variables_has_no_tied_decomposition_over_two_elements() -> None:
    assert interval(read_targets("x*y")[0], "tied", gf(2)) == (2, None)


def test_signs_at_the_declared_real_root_decide_over_the_reals() -> None:
    sqrt2 = NumberField.sqrt(2)
    a = sqrt2.generator()
    # 1 - a is negative at the positive root of 2.
    form = Target.from_entries(Space.form(2, 2), {(0, 0): 1, (1, 1): 1 - a}, number(sqrt2))
    assert target_diagonal(form).signature() == (1, 1)
    assert closed_width(form, "untied", RR) == 1
    assert interval(form, "untied", RR) == (1, 1)
    assert interval(form, "tied", number(sqrt2)) == (2, 2)
