"""Generic widths with both bounds."""

from __future__ import annotations

import pytest

from rankproof.bounds.generic import generic_width, kinds_for


@pytest.mark.parametrize(
    ("units", "n", "d", "width"),
    # The exceptions of Alexander and Hirschowitz, and quadrics: more than the parameters demand.
    [
        ("tied", 3, 4, 6),
        ("tied", 4, 4, 10),
        ("tied", 5, 4, 15),
        ("tied", 5, 3, 8),
        ("tied", 4, 2, 4),
        ("untied", 5, 2, 3),
    ],
)
def test_exceptions_are_proved_from_below(units: str, n: int, d: int, width: int) -> None:
    found = generic_width(units, n, d, budget=30)
    assert (found.lower, found.upper) == (width, width)
    assert found.is_exact


@pytest.mark.parametrize("n", [3, 4, 5])
def test_untied_cubics(n: int) -> None:
    found = generic_width("untied", n, 3, budget=30)
    assert (found.lower, found.upper) == (n, n)


def test_the_count_of_parameters_is_the_reason_where_it_decides() -> None:
    found = generic_width("untied", 3, 4)
    assert (found.lower, found.upper, found.lower_reason) == (3, 3, "15 coefficients, 5 parameters a unit")
    assert (found.projections, found.cone) == (2, 5)


def test_more_outputs_than_parameters_demand_units() -> None:
    found = generic_width("untied", 4, 2, 6, budget=30)
    assert (found.lower, found.upper) == (6, 6)


def test_kinds() -> None:
    assert kinds_for(2) == ("tied", "untied")
    assert kinds_for(5) == ("tied", "untied", "mixed:2", "split")
