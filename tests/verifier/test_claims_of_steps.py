"""What follows from what: the closed table, against a closure by brute force that was written from the documentation."""

from __future__ import annotations

import random
from itertools import product

import pytest
from mutation.oracle.closure import Bounds, askable, included, units_factor, units_for
from mutation.oracle.problem import NumberField as OracleField
from mutation.oracle.problem import Problem
from mutation.oracle.problem import T as VARIABLE
from sympy import QQ as RATIONALS
from sympy import Poly

from rankproof.verifier.claims import Claim, Consequences, Question, may_ask
from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.scalars import QQ, Ring
from rankproof.verifier.targets import Space, Target, finite_field

REAL = NumberField("a", (-2, 0, 1), (1, 2))
COMPLEX = NumberField("i", (1, 0, 1), None)
RINGS = {"QQ": QQ, "QQ(a)": Ring("QQ(a)", number_field=REAL), "QQ(i)": Ring("QQ(i)", number_field=COMPLEX)}
DECLARED = {"QQ(a)": True, "QQ(i)": False}
FIELDS = ["QQ", "RR", "CC", "QQ(a)", "QQ(i)", "GF(2)", "GF(3)", "GF(5)", "GF(101)"]
SPACES = [
    ((2, 1),),
    ((2, 2),),
    ((2, 3),),
    ((2, 4),),
    ((2, 6),),
    ((2, 3), (2, 1)),
    ((2, 1), (3, 1)),
    ((2, 1), (2, 1), (2, 1)),
]


def ring(name: str) -> Ring:
    found = RINGS.get(name) or finite_field(name)
    assert found is not None
    return found


def target(factors: tuple[tuple[int, int], ...], name: str = "QQ") -> Target:
    """A target with one term; the table looks at its degree and ring only."""
    return Target(Space(factors), ring(name), {(0,) * sum(power for _, power in factors): 1})


def problem(factors: tuple[tuple[int, int], ...], name: str = "QQ") -> Problem:
    """The same for the brute force."""
    fields = {
        "QQ(a)": OracleField("QQ(a)", Poly(VARIABLE**2 - 2, VARIABLE, domain=RATIONALS), 1),
        "QQ(i)": OracleField("QQ(i)", Poly(VARIABLE**2 + 1, VARIABLE, domain=RATIONALS), None),
    }
    return Problem(factors, name, {(0,) * sum(power for _, power in factors): 1}, fields)


def answers(
    known: Consequences, units: list[str]
) -> dict[tuple[str, str, str], tuple[int | None, int | None]]:
    found = {}
    for u, field, quantity in product(units, FIELDS, ("rank", "border_rank")):
        lower, upper = (side(Question(u, field, quantity)) for side in (known.lower, known.upper))
        if lower or upper:
            found[u, field, quantity] = (lower.value if lower else None, upper.value if upper else None)
    return found


def brute_force(
    factors: tuple[tuple[int, int], ...], name: str, claims: list[Claim]
) -> dict[tuple[str, str, str], tuple[int | None, int | None]]:
    setting = problem(factors, name)
    bounds = Bounds(setting, [field for field in FIELDS if askable(setting, field)])
    for claim in claims:
        question = claim.units, claim.over, claim.quantity
        (bounds.at_least if claim.relation == ">=" else bounds.at_most)(question, claim.value)
    bounds.close()
    return {q: (bounds.lower.get(q), bounds.upper.get(q)) for q in {*bounds.lower, *bounds.upper}}


@pytest.mark.parametrize("factors", SPACES, ids=str)
@pytest.mark.parametrize("name", ["QQ", "QQ(a)", "QQ(i)", "GF(3)", "GF(101)"])
def test_single_claims_and_random_sets_of_claims_have_the_consequences_of_the_table(
    factors: tuple[tuple[int, int], ...], name: str
) -> None:
    units = units_for(problem(factors, name))
    fields = [field for field in FIELDS if askable(problem(factors, name), field)]
    every = [
        Claim(quantity, u, field, relation, value)
        for quantity, u, field, relation, value in product(
            ("rank", "border_rank"), units, fields, (">=", "<="), (1, 7)
        )
    ]
    rng = random.Random(repr((factors, name)))
    sets = [[claim] for claim in rng.sample(every, min(len(every), 40))] + [
        rng.sample(every, 4) for _ in range(10)
    ]
    for claims in sets:
        known = Consequences(target(factors, name), DECLARED)
        for step, claim in enumerate(claims):
            known.add(claim, step)
        assert answers(known, units) == brute_force(factors, name, claims), claims


def test_the_earliest_step_that_gives_the_best_bound_decides() -> None:
    known = Consequences(target(((2, 3),)), DECLARED)
    for step, value in enumerate((2, 1, 3, 3)):
        known.add(Claim("border_rank", "tied", "CC", ">=", value), step)
    decided = {q: known.lower(Question("tied", "QQ", q)) for q in ("rank", "border_rank")}
    assert {q: (d.value, d.step) for q, d in decided.items() if d} == {"rank": (3, 2), "border_rank": (3, 2)}
    # ceil(3 / 2) = 2, and the first step already gave ceil(2 / 2) = 1.
    untied = known.lower(Question("untied", "QQ", "rank"))
    assert untied is not None
    assert (untied.value, untied.step) == (2, 2)
    split = known.lower(Question("split", "QQ", "rank"))
    assert split is not None
    assert (split.value, split.step) == (1, 0)


WEAKENINGS = {
    ">=": {
        "CC": {"RR", "QQ", "QQ(a)", "QQ(i)"},
        "RR": {"QQ", "QQ(a)"},
        "QQ(a)": {"QQ"},
        "QQ(i)": {"QQ"},
        "QQ": set(),
    },
    "<=": {
        "QQ": {"QQ(a)", "QQ(i)", "RR", "CC"},
        "QQ(a)": {"RR", "CC"},
        "QQ(i)": {"CC"},
        "RR": {"CC"},
        "CC": set(),
    },
}
"""Where a bound over a field holds too, for a rational target, with a declared real root for a and none for i."""


@pytest.mark.parametrize("relation", [">=", "<="])
@pytest.mark.parametrize("field", FIELDS)
def test_the_list_of_weakenings_between_fields_is_complete(relation: str, field: str) -> None:
    known = Consequences(target(((2, 1), (2, 1), (2, 1))), DECLARED)
    quantity = "border_rank" if relation == "<=" else "rank"
    known.add(Claim(quantity, "product", field, relation, 3), 0)
    reached = {found for _, found, _ in answers(known, ["product"])} - {field}
    assert reached == WEAKENINGS[relation].get(field, set())


@pytest.mark.parametrize("p", [2, 3, 5, 101])
def test_nothing_passes_between_a_finite_field_and_any_other_field(p: int) -> None:
    units = units_for(problem(((2, 4),)))
    finite = f"GF({p})"
    for u, quantity, relation in product(units, ("rank", "border_rank"), (">=", "<=")):
        known = Consequences(target(((2, 4),)), DECLARED)
        known.add(Claim(quantity, u, finite, relation, 2), 0)
        assert {field for _, field, _ in answers(known, units)} == {finite}
        for field in ("QQ", "RR", "CC", "QQ(a)"):
            known = Consequences(target(((2, 4),)), DECLARED)
            known.add(Claim(quantity, u, field, relation, 2), 0)
            assert not {f for _, f, _ in answers(known, units) if f.startswith("GF(")}


def test_upper_bounds_for_tied_from_other_units_need_characteristic_zero_or_beyond_the_degree() -> None:
    for p, expected in ((2, None), (3, None), (5, 4), (101, 4)):
        known = Consequences(target(((2, 4),)), DECLARED)
        known.add(Claim("rank", "untied", f"GF({p})", "<=", 1), 0)
        found = known.upper(Question("tied", f"GF({p})", "rank"))
        assert (found and found.value) == expected


def test_units_are_compared_as_the_documentation_says() -> None:
    for d, quantity in product(range(1, 9), ("rank", "border_rank")):
        assert units_factor("tied", "untied", quantity, d, 0) == (2 if quantity == "border_rank" else d)
        assert units_factor("untied", "tied", quantity, d, 2) == 1
        assert units_factor("tied", "split", quantity, d, 0) == 2 ** (d - 1)
        assert units_factor("untied", "split", quantity, d, 0) is None
    assert units_factor("mixed:2", "mixed:3", "rank", 6, 0) is None
    assert units_factor("mixed:2", "untied", "rank", 6, 0) is None
    assert units_factor("mixed:1", "untied", "rank", 6, 2) == 1
    assert units_factor("product", "tied", "rank", 1, 0) is None


def test_the_brute_force_includes_fields_as_they_are() -> None:
    setting = problem(((2, 2),))
    assert included(setting, "QQ(a)", "RR")
    assert not included(setting, "QQ(i)", "RR")
    assert not included(setting, "RR", "QQ(a)")
    assert not included(setting, "GF(2)", "GF(2)")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("QQ", set(FIELDS)),
        ("QQ(a)", {"QQ(a)", "RR", "CC"}),
        ("QQ(i)", {"QQ(i)", "CC"}),
        ("GF(5)", {"GF(5)"}),
    ],
)
def test_a_target_is_asked_about_where_its_coefficients_live(name: str, fields: set[str]) -> None:
    assert {field for field in FIELDS if may_ask(target(((2, 2),), name), field, DECLARED)} == fields
