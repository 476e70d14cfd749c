"""What the single methods find."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.bounds.method import Bound, Budget, Method
from rankproof.bounds.upper import (
    detectors,
    factors,
    fibres,
    monomial_family,
    monomials,
    spans,
    tangent_family,
)
from rankproof.problem.field import QQ, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def run(method: Method, text: str, units: str, ring: Field = QQ, known: tuple[Bound, ...] = ()) -> int | None:
    """Number of units that a method finds, with nothing else known; None when it finds nothing."""
    target = read_targets(text)[0]
    found = method.find(target, units, ring, Budget(60), np.random.default_rng(0), known)
    return min((bound.claim.value for bound in found), default=None)


@pytest.mark.parametrize(
    ("text", "units", "count"),
    [
        ("x**2*y", "tied", 3),
        ("x**2*y", "untied", 1),
        ("x*y*z", "tied", 4),
        ("x*y*z", "untied", 2),
        ("x*y*z*w", "tied", 8),
        ("x*y*z*w", "untied", 4),
        ("x**2*y*z", "untied", 3),
        ("x**3*y**2", "mixed:2", 1),
        ("x**3*y**2", "mixed:1", 4),
        ("x**3*y**2*z**7", "split", 1),
        ("x*y + x*z + y*z", "split", 2),
        ("x**2*y; 2*x**2*y; x**2*z", "untied", 2),
        ("x + y; 2*x + 2*y; z", "tied", 2),
        ("x + y; 2*x + 2*y; z", "untied", 2),
        ("x**4", "tied", 1),
    ],
)
def test_monomials_need_at_most_this_many_units(text: str, units: str, count: int) -> None:
    assert run(monomials.METHOD, text, units) == count


def test_powers_shared_by_several_monomials_are_counted_once() -> None:
    # (x+y)^2 and (x-y)^2 serve both outputs.
    assert run(monomials.METHOD, "x*y; 3*x*y", "tied") == 2
    # x^2 y^2 uses x^4, y^4 and (x+y)^4, (x-y)^4.
    assert run(monomials.METHOD, "x**2*y**2 + x**4", "tied") == 4


@pytest.mark.parametrize(
    ("p", "units", "count"), [(2, "tied", None), (2, "untied", 2), (3, "untied", 2), (5, "tied", 4)]
)
def test_over_small_fields_monomials_are_expanded_where_powers_span(
    p: int, units: str, count: int | None
) -> None:
    text = "x*y*z" if p > 2 else "x**2*y + y**2*z"
    if units == "tied" and p == 2:
        text = "x*y"
    assert run(monomials.METHOD, text, units, gf(p)) == count


@pytest.mark.parametrize(
    ("text", "units", "count"),
    [
        ("(x+y+z)**5", "tied", 1),
        ("(x+2*y)**3*(x-y)", "untied", 1),
        ("(x+2*y)**3*(x-y)**2", "mixed:2", 1),
        ("(x+2*y)**3*(x-y)**2", "untied", None),
        ("x*(x+y)*(x-z)", "split", 1),
        ("x*(x**2+y**2)", "split", None),
        ("(x+y)**2; (x+y)**2; x**2 - y**2", "split", 2),
    ],
)
def test_products_of_linear_forms_are_single_units(text: str, units: str, count: int | None) -> None:
    assert run(factors.METHOD, text, units) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [("W(3)", 3), ("W(6)", 6), ("GHZ(5)", 2), ("matmul(2,2,2)", 8), ("unit(4)", 4), ("complex_product", 4)],
)
def test_slices_give_at_most_this_many_products(text: str, count: int) -> None:
    assert run(fibres.METHOD, text, "product") == count


def test_slices_never_need_more_products_than_there_are_fibres() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        array = rng.integers(-1, 2, (3, 3, 4)) * (rng.random((3, 3, 4)) < 0.4)
        if not array.any():
            continue
        target = Target.from_array(array)
        (bound,) = fibres.METHOD.find(target, "product", QQ, Budget(5), rng, ())
        fibres_along = [np.count_nonzero(array.any(axis=axis)) for axis in range(3)]
        assert bound.claim.value <= min(fibres_along)


def test_dependent_slices_cost_nothing() -> None:
    first = np.eye(3, dtype=int)
    target = Target.from_array(np.stack([first, 2 * first, 3 * first]))
    (bound,) = fibres.METHOD.find(target, "product", QQ, Budget(5), np.random.default_rng(0), ())
    assert bound.claim.value == 3


@pytest.mark.parametrize(
    ("text", "units", "count"),
    [
        # Any binary form of degree d has untied width at most (d + 2) // 2: a linear solve with arbitrary detectors.
        ("x**5 + x**4*y + 7*x**2*y**3 - y**5", "untied", 3),
        ("x**7 + 3*x**5*y**2 + x**3*y**4 + 5*x*y**6 - y**7", "untied", 4),
        # A ternary cubic has three detectors: a basis in which x*y*z does not occur.
        ("x**3+y**3+z**3+5*x*y*z+x**2*y-7*y*z**2", "untied", 3),
        ("(x+2*y)**3 + (x-y)**3", "tied", 2),
        ("(x+y+z)**4 + x**4 + (x-y)**4", "tied", 3),
    ],
)
def test_few_forms_from_a_pool_suffice(text: str, units: str, count: int) -> None:
    found = run(detectors.METHOD, text, units)
    assert found is not None
    assert found <= count


def test_any_form_is_a_sum_of_as_many_untied_units_as_the_generic_tied_rank() -> None:
    # Alexander, Hirschowitz (1995): 10 for quartics in four variables. Ballico, Geometry 2013, 614195: the tangent spaces at
    # that many general points span everything.
    rng, space = np.random.default_rng(3), Space.form(4, 4)
    quartic = Target.from_entries(space, {word: int(rng.integers(1, 9)) for word in space.words()})
    (bound,) = detectors.METHOD.find(quartic, "untied", QQ, Budget(60), rng, ())
    assert bound.claim.value <= 10


# Strassen, Gaussian elimination is not optimal, Numerische Mathematik 13 (1969): 7. Toom: n + m - 1 products evaluate
# and interpolate a product of polynomials. Three real products give a complex one.
@pytest.mark.parametrize(
    ("text", "units", "count"),
    [
        ("complex_product", "product", 3),
        ("polymul(2,2)", "product", 3),
        ("polymul(3,3)", "product", 5),
        ("matmul(2,2,2)", "product", 7),
        ("a*c-b*d; a*d+b*c", "untied", 3),
        ("x**2+y**2; x*y", "tied", 2),
    ],
)
def test_short_bilinear_and_quadratic_algorithms_are_found(text: str, units: str, count: int) -> None:
    assert run(spans.METHOD, text, units) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [("x**2*y", 2), ("x**5*y", 2), ("x**2*y*z", 6), ("x*y*z", 4), ("x**2*y; x**2*z", 3), ("x**2*y; x**3", 2)],
)
def test_an_untied_decomposition_degenerates_to_tied_units(text: str, count: int) -> None:
    assert run(tangent_family.METHOD, text, "tied") == count


# Landsberg, Teitler, On the ranks and border ranks of symmetric tensors, FoCM 10 (2010), Theorem 11.2.
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x**2*y", 2),
        ("x**2*y**2", 3),
        ("x**3*y**2", 3),
        ("x**2*y*z", 4),
        ("x**2*y**2*z**2", 9),
        ("x**4*y + x**5", 2),
    ],
)
def test_finite_differences_bound_the_border_rank_of_monomials(text: str, count: int) -> None:
    assert run(monomial_family.METHOD, text, "tied") == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        # ((x + eps*y)**3*z - x**3*z) / (3*eps) tends to x**2*y*z.
        ("x**2*y*z", 2),
        ("x*y*z*w", 4),
        ("x**3*y**2*z", 3),
        ("x**3*y**2*z + x**3*y**2*w", 3),
    ],
)
def test_a_variable_times_finite_differences_bounds_the_untied_border_rank(text: str, count: int) -> None:
    assert run(monomial_family.METHOD, text, "untied") == count
