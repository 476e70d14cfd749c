"""Trained widths are those that are certified, and border-like is told from exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")

from rankproof.cli.confronting import known_widths  # noqa: E402
from rankproof.errors import UsageError  # noqa: E402
from rankproof.problem.parse import read_targets  # noqa: E402
from rankproof.train.classify import Cell, border_width, cells, exact_width, kind_of  # noqa: E402
from rankproof.train.confront import Known, contradictions, matched  # noqa: E402
from rankproof.train.plan import Plan, Run  # noqa: E402
from rankproof.train.sweep import sweep  # noqa: E402

# Target, exact and border width of tied units, of untied units: all certified over RR.
TABLE = {
    "x**2*y": ((3, 2), (1, 1)),
    "x*y - z*w": ((4, 4), (2, 2)),
    "x*y*z": ((4, 4), (2, 2)),
    "x**3 + y**3 + z**3": ((3, 3), (3, 3)),
    "x**2-y**2; 2*x*y": ((3, 3), (2, 2)),
    "x**2*y**2": ((4, 3), (2, 2)),
}


@pytest.mark.parametrize("text", TABLE)
def test_trained_widths_are_the_certified_ones(text: str) -> None:
    (target,) = read_targets(text)
    plan = Plan(target, widths=(1, 2, 3, 4), seeds=12, steps=1)
    found = cells(sweep(plan), plan)
    for units, (exact, border) in zip(("tied", "untied"), TABLE[text], strict=True):
        assert (exact_width(found, units), border_width(found, units)) == (exact, border)


def test_the_table_is_what_is_certified() -> None:
    (target,) = read_targets("x**2*y")
    for own, (exact, border) in zip(
        known_widths(target, ("tied", "untied"), 5), TABLE["x**2*y"], strict=True
    ):
        assert (own.lower, own.upper, own.border_lower, own.border_upper) == (exact, exact, border, border)


PATH = tuple((10.0**-k, 0.5, 1.0) for k in range(2, 13))
RUN = Run("tied", 2, 0, 0.5, 1.0, 0.5, 1.0, (), PATH)


@pytest.mark.parametrize(
    "changes, kind",
    [
        ({}, "plateau"),
        ({"loss": 1e-25}, "exact"),
        ({"trained": 1e-25}, "exact"),
        ({"loss": 1e-25, "size": 1e5}, "plateau"),
        ({"path": tuple((p, p, p**-0.25) for p, _, _ in PATH)}, "border-like"),
        ({"path": tuple((p, p, 1.0) for p, _, _ in PATH)}, "plateau"),
        ({"path": tuple((p, 0.5, p**-0.25) for p, _, _ in PATH)}, "plateau"),
        ({"path": (), "loss": 1e-12}, "unclear"),
        ({"path": ()}, "plateau"),
    ],
)
def test_what_a_run_looks_like(changes: dict, kind: str) -> None:
    assert kind_of(replace(RUN, **changes)) == kind


def cell(units: str, width: int, loss: float, kind: str = "plateau") -> Cell:
    return Cell(units, width, kind, loss, 1.0, loss, loss, 0, 1, RUN)  # pyright: ignore[reportArgumentType]


def test_a_run_that_contradicts_what_is_certified_is_reported() -> None:
    known = [Known("tied", 3, 3, 2, 2, {1: Fraction(2, 3)})]
    zero = Fraction(3)
    assert contradictions([cell("tied", 1, 0.23), cell("tied", 3, 1e-30, "exact")], known, zero) == []
    (one,) = contradictions([cell("tied", 1, 0.22)], known, zero)
    assert "below the certified floor 2/3" in one
    (other,) = contradictions([cell("tied", 2, 1e-30, "exact")], known, zero)
    assert "3 units are certified" in other


def test_comparisons_at_equal_cost() -> None:
    (target,) = read_targets("x*y + z*w")
    plan = Plan(target, widths=(1, 2, 4))
    found = [cell(units, width, 1.0 / width) for units in plan.units for width in plan.widths]
    rows = {(row.by, row.untied): row for row in matched(found, plan)}
    assert rows["width", 2].tied == 2
    assert rows["projections", 2].tied == 4
    assert rows["projections", 2].tied_loss == 0.25
    assert rows["parameters", 4].tied == 4 * 9 // 5
    assert rows["parameters", 4].tied_loss is None
    assert matched(found, replace(plan, units=("tied",))) == []


def test_tied_units_are_also_trained_at_the_widths_of_equal_cost() -> None:
    (target,) = read_targets("x*y - z*w")
    plan = Plan(target, widths=(1, 2), seeds=2, steps=5, matched=("projections", "flops"))
    # n = 4 and m = 1: one projection or two, 10 operations or 17
    assert (plan.widths_of("tied"), plan.widths_of("untied")) == ((1, 2, 3, 4), (1, 2))
    rows = {(row.by, row.untied): row for row in matched(cells(sweep(plan), plan), plan)}
    row = rows["projections", 2]
    assert row.tied == 4
    assert row.tied_loss is not None and row.untied_loss is not None
    assert max(row.tied_loss, row.untied_loss) < 1e-24  # max(p, q) = 2 untied units, p + q = 4 tied ones
    with pytest.raises(UsageError, match="is no cost to compare at"):
        replace(plan, matched=("watts",))
