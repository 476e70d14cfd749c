"""Numerical search with exact recovery."""

from __future__ import annotations

import pytest

from rankproof.bounds.numerical import search
from rankproof.errors import UsageError
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.parse import read_targets


def found(text, units, width, over, **options):
    target = read_targets(text)[0]
    result = search(target, units, width, over, seconds=60, **options)
    assert result.decomposition is not None, result.tried
    assert not result.decomposition.residual(target)
    return result


@pytest.mark.parametrize(
    "text, units, width, over",
    [
        ("matmul(2,2,2)", "product", 7, QQ),
        ("W(3)", "product", 3, QQ),
        ("polymul(2,3)", "product", 4, QQ),
        ("x*y*z", "tied", 4, QQ),
        ("x**2 - y**2; 2*x*y", "untied", 3, QQ),
        ("x**2*y + x*z**2", "mixed:1", 2, QQ),
        ("x*y*z + x**3", "split", 2, CC),
        ("x**2 + sqrt(2)*y**2", "tied", 2, read_targets("x**2 + sqrt(2)*y**2")[0].ring),
    ],
)
def test_decompositions_of_the_known_width_are_found_exactly(text, units, width, over):
    result = found(text, units, width, over)
    assert len(result.decomposition) <= width
    assert result.successes >= 1 and result.restart is not None and result.factors is not None


def test_a_square_root_is_found_over_the_reals_where_the_rationals_do_not_suffice():
    result = found("x**2*y**2", "untied", 2, RR)
    number_field = result.decomposition.ring.number_field
    assert number_field is not None and number_field.real_root is not None


def test_three_fourth_powers_are_found_over_the_complex_numbers():
    assert found("x**2*y**2", "tied", 3, CC).decomposition.ring.number_field is not None


def test_the_same_seed_finds_the_same_whatever_the_number_of_processes():
    alone = found("matmul(2,2,2)", "product", 7, QQ, seed=3)
    together = found("matmul(2,2,2)", "product", 7, QQ, seed=3, processes=2)
    assert alone.decomposition == together.decomposition and alone.costs == together.costs
    assert found("matmul(2,2,2)", "product", 7, QQ, seed=4).costs != alone.costs


def test_too_few_units_are_reported_without_a_solution():
    lines: list[str] = []
    result = search(read_targets("W(3)")[0], "product", 2, RR, restarts=16, progress=lines.append)
    assert result.decomposition is None and result.successes == 0 and len(result.costs) == 16
    assert lines[-1].startswith("16 starts, 0 solutions")


def test_a_search_ends_when_its_time_is_up():
    result = search(read_targets("matmul(2,2,2)")[0], "product", 6, RR, seconds=0.3)
    assert result.decomposition is None and result.seconds < 5


def test_a_numerical_success_is_enough_when_nothing_exact_is_wanted():
    result = search(read_targets("matmul(2,2,2)")[0], "product", 7, QQ, exactly=False)
    assert result.successes and result.decomposition is None and not result.tried
    # Nine directions of GL_2 x GL_2 x GL_2 modulo scalars move Strassen's algorithm.
    assert result.nullity == 9 and 1 < result.condition < 1e6


def test_units_that_do_not_fit_are_refused():
    with pytest.raises(UsageError):
        search(read_targets("x*y")[0], "split", 0, QQ)
