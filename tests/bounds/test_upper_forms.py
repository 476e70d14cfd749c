"""Upper bounds for forms: known values are reached, and by units that sum to the target over the field that is claimed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.bounds import UPPER
from rankproof.bounds.explicit import explicit_decompositions, explicit_families
from rankproof.bounds.method import Budget
from rankproof.exact.few_columns import cheapest_columns
from rankproof.exact.multilinear import variable_groups
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity
from rankproof.exact.sign_symmetries import generators
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question

BY_NAME = {method.name: method for method in UPPER}


def found(name: str, text: str, units: str, field: Field) -> tuple[int, Field] | None:
    """Number of units that a method finds on its own and their ring; None when it finds nothing."""
    target = read_targets(text)[0]
    method = BY_NAME[name]
    over = method.field_for(target, Question(units, field, "rank"))
    assert over is not None
    bounds = method.find(target, units, over, Budget(20), np.random.default_rng(1), ())
    for decomposition in explicit_decompositions(bounds):
        assert decomposition.residual(target) == {}
    best = min(bounds, key=lambda bound: bound.claim.value, default=None)
    return None if best is None else (best.claim.value, best.claim.over)


# Carlini, Catalisano, Geramita, The solution to the Waring problem for monomials, Journal of Algebra 370 (2012).
@pytest.mark.parametrize(
    ("text", "rank", "ring"),
    [
        ("x**2*y**2", 3, "QQ(zeta3)"),
        ("x**3*y**2", 4, "QQ(zeta3)"),
        ("x**4*y**2", 5, "QQ(i)"),
        ("x**2*y**2*z**2", 9, "QQ(zeta3)"),
        ("x**2*y**2+z**4", 4, "QQ(zeta3)"),
        ("x**2*y**2*z**3", 12, "QQ(zeta3)"),
        ("x**5*y**5", 6, "QQ(zeta3)"),
    ],
)
def test_monomials_need_as_many_powers_as_over_the_complex_numbers(text: str, rank: int, ring: str) -> None:
    result = found("complex_monomials", text, "tied", CC)
    assert result is not None
    assert (result[0], str(result[1])) == (rank, ring)


# Lee, Power sum decompositions of elementary symmetric polynomials, Linear Algebra and its Applications 492 (2016).
@pytest.mark.parametrize(("n", "rank"), [(4, 5), (5, 6), (6, 7), (7, 8)])
def test_elementary_symmetric_cubics_need_one_cube_more_than_variables(n: int, rank: int) -> None:
    assert found("orbits", f"elementary(3,{n})", "tied", QQ) == (rank, QQ)


@pytest.mark.parametrize(
    ("text", "rank", "field"),
    [
        ("elementary(4,5)", 12, QQ),
        ("elementary(4,6)", 17, QQ),
        ("elementary(5,6)", 22, QQ),
        ("x**3+y**3+z**3+6*x*y*z", 3, CC),
        ("(x**2+y**2+z**2)**2", 7, QQ),
        ("(x**2+y**2+z**2)**2", 6, RR),
        ("x*y*z*(x+y+z)", 6, CC),
        ("x*y*z*(x**2-y**2)*(y**2-z**2)*(z**2-x**2)", 8, CC),
    ],
)
def test_orbits_give_short_sums_for_symmetric_forms(text: str, rank: int, field: Field) -> None:
    result = found("orbits", text, "tied", field)
    assert result is not None
    assert result[0] == rank


# Glynn, The permanent of a square matrix (2010); Derksen, On the nuclear norm and the singular value decomposition of tensors
# (2016); Strassen, Gaussian elimination is not optimal (1969).
@pytest.mark.parametrize(
    ("text", "units", "width"),
    [
        ("perm(3)", "split", 4),
        ("perm(3)", "untied", 8),
        ("perm(3)", "tied", 16),
        ("det(3)", "split", 5),
        ("det(3)", "untied", 10),
        ("det(3)", "tied", 20),
        ("det(4)", "split", 15),
        ("a*e-b*f-c*g-d*h; a*f+b*e+c*h-d*g; a*g-b*h+c*e+d*f; a*h+b*g-c*f+d*e", "untied", 8),
        ("a*e+b*g; a*f+b*h; c*e+d*g; c*f+d*h", "untied", 7),
        ("x*y*z*w", "untied", 4),
    ],
)
def test_multilinear_forms_get_the_products_of_their_tensors(text: str, units: str, width: int) -> None:
    assert found("multilinear", text, units, QQ) == (width, QQ)


def test_the_permanent_of_order_four_has_eight_products() -> None:
    assert found("permanents", "perm(4)", "split", QQ) == (8, QQ)
    assert found("permanents", "perm(4)", "untied", QQ) == (32, QQ)
    assert found("permanents", "perm_tensor(4)", "product", QQ) == (8, QQ)
    assert found("permanents", "perm_tensor(4)", "product", gf(3)) == (8, gf(3))
    determinant = read_targets("det_tensor(4)")[0]
    assert BY_NAME["permanents"].field_for(determinant, Question("product", QQ, "rank")) is None


@pytest.mark.parametrize(
    ("text", "units", "field", "width"),
    [("x*y**2*z**2", "untied", CC, 3), ("x**2*y*z", "untied", QQ, 3), ("x*(y**2+z**2)", "untied", QQ, 2)],
)
def test_a_linear_factor_is_split_off(text: str, units: str, field: Field, width: int) -> None:
    result = found("linear_factor", text, units, field)
    assert result is not None
    assert result[0] == width


@pytest.mark.parametrize(
    ("text", "field"),
    [("x*(x**2+y**2+z**2)", RR), ("y**2*z-x**3-x**2*z", RR), ("y**2*z-x**3+x*z**2", CC), ("x*y*z", QQ)],
)
def test_plane_cubics_are_sums_of_four_cubes(text: str, field: Field) -> None:
    result = found("plane_cubics", text, "tied", field)
    assert result is not None
    assert result[0] == 4
    assert field.includes(result[1])


def test_squaring_a_complex_number_takes_two_powers_over_the_gaussian_numbers() -> None:
    assert found("gaussian_spans", "x**2-y**2; 2*x*y", "tied", CC) == (2, cyclotomic(4))
    assert found("gaussian_spans", "a*c-b*d; a*d+b*c", "untied", CC) == (2, cyclotomic(4))


@settings(max_examples=20)
@given(st.integers(1, 24))
def test_the_powers_of_a_primitive_root_of_unity_are_different(n: int) -> None:
    ring = cyclotomic(n)
    roots = roots_of_unity(n, ring)
    assert len(set(roots)) == n
    assert all(ring.reduce(r**n) == 1 for r in roots[:3])


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_a_vector_made_of_few_columns_is_recognised(seed: int, size: int) -> None:
    p = 1048573
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, p, (9, 14))
    chosen = rng.choice(14, size, replace=False)
    side = (columns[:, chosen] * rng.integers(1, p, size) % p).sum(axis=1) % p
    found_columns = cheapest_columns(columns, side, [1] * 14, p, 15, rng, lambda: False)
    assert found_columns == sorted(int(k) for k in chosen)


def test_signed_permutations_of_a_form_preserve_it_up_to_their_sign() -> None:
    form = read_targets("x*y*z*(x**2-y**2)*(y**2-z**2)*(z**2-x**2)")[0].as_dict()
    for g in generators(form, 3):
        for word, c in form.items():
            sign = np.prod([g.signs[i] for i in word])
            assert form[tuple(sorted(g.images[i] for i in word))] == g.character * sign * c


def test_groups_of_variables_exist_exactly_for_multilinear_forms() -> None:
    assert variable_groups([(0, 4, 8), (1, 5, 6), (2, 3, 7)], 3) is not None
    assert variable_groups([(0, 0, 1)], 3) is None


# Conner, Gesmundo, Landsberg, Ventura, Rank and border rank of Kronecker powers of tensors and Strassen's laser method (2022).
@pytest.mark.parametrize(
    "text",
    [
        "det(3)",
        "2*a*e*i+2*b*f*g+2*c*d*h-2*c*e*g-2*b*d*i-2*a*f*h",
        "a*e*i+6*b*f*g+2*c*d*h-2*c*e*g-3*b*d*i-2*a*f*h",
    ],
)
def test_determinants_of_order_three_are_eighteen_cubes(text: str) -> None:
    assert found("determinants", text, "tied", CC) == (18, cyclotomic(3))
    assert found("determinants", text, "tied", cyclotomic(6)) == (18, cyclotomic(6))


def test_a_permanent_and_another_form_are_no_determinants() -> None:
    assert found("determinants", "perm(3)", "tied", CC) is None
    # The coefficients of a determinant of multiples of the variables satisfy an equation.
    assert found("determinants", "a*e*i+b*f*g+c*d*h-c*e*g-b*d*i-2*a*f*h", "tied", CC) is None


# Teitler, Woo, Power sum decompositions of defining equations of reflection arrangements (2015): the order of the group over
# the Coxeter number.
@pytest.mark.parametrize(
    ("text", "width", "order", "rational"),
    [
        ("a*b*c*(a+b)*(b+c)*(a+b+c)", 6, 4, 12),
        ("x*y*z*(x**2-y**2)*(y**2-z**2)*(z**2-x**2)", 8, 3, 24),
        ("(x**2-y**2)*(x**2-z**2)*(y**2-z**2)", 6, 4, 12),
    ],
)
def test_reflection_arrangements(text: str, width: int, order: int, rational: int) -> None:
    assert found("reflections", text, "tied", CC) == (width, cyclotomic(order))
    assert found("reflections", text, "tied", QQ) == (rational, QQ)


@pytest.mark.parametrize(
    "text",
    [
        "x*y*z*(x-y)*(x-2*y)*(x-3*z)",
        "x**2*y*z",
        "x*y*z*(x+y+z)",
        "x**3+y**3+z**3",
        "x*y*z*(x+y)*(y+2*z)*(x+y+z)",
    ],
)
def test_other_products_are_no_reflection_arrangements(text: str) -> None:
    assert found("reflections", text, "tied", CC) is None


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("x*(x*y+z**2)", 3),
        ("x*(x**2+y**2+z**2+w**2)", 5),
        ("x*(x*v+y**2+z**2+w**2)", 5),
        ("x**3*(x*z+y**2)", 3),
        ("(x+2*y-z)**3*(x**2-3*y*z+w*x+5*w**2)", 5),
        ("x**2*(y**2-z**2)", 4),
        ("x**2*(2*y**2-z**2+w**2)", 5),
    ],
)
def test_a_power_times_a_quadric_is_near_a_small_simplex(text: str, width: int) -> None:
    target = read_targets(text)[0]
    method = BY_NAME["simplex_family"]
    assert method.field_for(target, Question("tied", CC, "border_rank")) == QQ
    (bound,) = method.find(target, "tied", QQ, Budget(20), np.random.default_rng(1), ())
    assert bound.claim.value == width
    (family,) = explicit_families([bound])
    assert family.residual(target) == {}
    assert method.find(target, "tied", QQ, Budget(20), np.random.default_rng(1), (bound,)) == []


@pytest.mark.parametrize("text", ["x**3*y", "x**3+y**3+z**3", "x**2*y*z*(x+y)"])
def test_other_forms_have_no_small_simplex(text: str) -> None:
    target = read_targets(text)[0]
    assert BY_NAME["simplex_family"].find(target, "tied", QQ, Budget(20), np.random.default_rng(1), ()) == []
