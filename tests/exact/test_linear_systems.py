"""Exact solutions of linear systems over QQ, GF(p) and number fields."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import EXACT_FIELDS, scalars

from rankproof.exact.linear_systems import solve
from rankproof.problem.field import QQ


def combination(columns, coefficients, ring):
    total = {}
    for column, c in zip(columns, coefficients, strict=True):
        for name, x in column.items():
            total[name] = total.get(name, 0) + c * x
    return {name: x for name, value in total.items() if (x := ring.reduce(value))}


@st.composite
def systems(draw: st.DrawFn):
    ring = draw(st.sampled_from(EXACT_FIELDS))
    column = st.dictionaries(st.sampled_from("abcdef"), scalars(ring).filter(bool), max_size=4)
    columns = draw(st.lists(column, min_size=1, max_size=6))
    weights = st.lists(scalars(ring), min_size=len(columns), max_size=len(columns))
    sides = [combination(columns, w, ring) for w in draw(st.lists(weights, min_size=1, max_size=3))]
    return ring, columns, sides


@settings(deadline=None)
@given(systems())
def test_what_is_in_the_span_is_solved_exactly(system) -> None:
    ring, columns, sides = system
    solutions = solve(columns, sides, ring)
    assert solutions is not None
    assert [combination(columns, x, ring) for x in solutions] == sides


@settings(deadline=None)
@given(systems())
def test_a_side_outside_the_span_is_noticed(system) -> None:
    ring, columns, sides = system
    assert solve(columns, [*sides, {"elsewhere": 1}], ring) is None


def test_an_inconsistent_system_over_the_rationals_has_no_solution() -> None:
    assert solve([{"x": 2, "y": 4}], [{"x": 1, "y": 3}], QQ) is None
    assert solve([{}], [{"x": 1}], QQ) is None
