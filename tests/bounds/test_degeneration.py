"""Exact border families from nothing."""

from __future__ import annotations

import pytest

from rankproof.bounds.degeneration import degenerate
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.parse import read_targets


@pytest.mark.parametrize(
    "text, units, width",
    [
        ("W(3)", "product", 2),
        ("x**2*y", "tied", 2),
        ("x**3*y", "tied", 2),
        ("small_coppersmith_winograd(2)", "product", 4),
    ],
)
def test_families_of_known_border_rank_are_found_and_exact(text, units, width):
    target = read_targets(text)[0]
    result = degenerate(target, units, width, QQ, seed=1)
    assert result.evidence.verdict == "border"
    assert result.family is not None and len(result.family) == width and not result.family.residual(target)
    assert result.successes >= 1 and result.reached[result.found_at[1]] >= 1


def test_the_same_seed_gives_the_same_family_on_any_number_of_processes():
    target = read_targets("W(3)")[0]
    one, two = (degenerate(target, "product", 2, QQ, seed=5, processes=p) for p in (1, 2))
    assert one.family == two.family and one.found_at == two.found_at
    assert one.evidence.paths == two.evidence.paths


def test_nothing_is_found_where_there_is_nothing():
    result = degenerate(read_targets("W(3)")[0], "product", 1, QQ, paths=20)
    assert result.evidence.verdict == "plateau" and result.family is None and result.successes == 0
    assert len(result.evidence.paths) == 20 and not result.fits


def test_an_exact_width_is_left_to_the_search_for_sums():
    result = degenerate(read_targets("x*y")[0], "tied", 2, QQ)
    assert result.evidence.verdict == "exact" and not result.fits and result.family is None


def test_for_the_evidence_alone_all_paths_are_followed():
    result = degenerate(read_targets("W(3)")[0], "product", 2, QQ, paths=12, exactly=False)
    assert result.evidence.verdict == "border" and len(result.evidence.paths) == 12 and not result.fits


def test_a_family_over_a_number_field_is_found_where_no_rational_one_is():
    target = read_targets("coppersmith_winograd(2)")[0]
    result = degenerate(target, "product", 4, RR)
    assert result.family is not None and len(result.family) == 4 and not result.family.residual(target)


def test_complex_families():
    # Over the reals x*(x**2 + y**2) is the sum of two cubes; this one needs complex ones, or border units.
    target = read_targets("x**3 - 3*x*y**2")[0]
    assert degenerate(target, "tied", 2, CC).evidence.verdict == "exact"
