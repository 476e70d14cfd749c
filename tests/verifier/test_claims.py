"""The closed table of what follows from what, against a second closure written from docs/format.md."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from rankproof.verifier.claims import Claim, Consequences, Question, may_ask
from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.scalars import QQ, Ring
from rankproof.verifier.targets import Space, Target, finite_field

Bound = tuple[str, str, str, str]
"""Relation, units, field, quantity: a claim without its value."""

ALL_FIELDS = ["QQ", "RR", "CC", "QQ(a)", "QQ(b)", "GF(2)", "GF(3)", "GF(5)", "GF(7)", "GF(1048573)"]
QUANTITIES = ["rank", "border_rank"]
RELATIONS = [">=", "<="]


# The second closure. One rule a line of the tables; hypotheses as the tables state them.


def meaningful(ring: str, field: str, real: dict[str, bool]) -> bool:
    """Questions that a target over a ring has an answer to."""
    if ring.startswith("GF"):
        return field == ring
    if ring == "QQ":
        return True
    return field in {ring, "CC"} or (field == "RR" and real[ring])


def field_lines(real: dict[str, bool]) -> Iterator[tuple[str, str, str]]:
    """(relation, from, to)."""
    yield from [(">=", "CC", "RR"), (">=", "CC", "QQ"), (">=", "RR", "QQ")]
    yield from [("<=", "QQ", "RR"), ("<=", "QQ", "CC"), ("<=", "RR", "CC")]
    for name in real:
        yield from [(">=", "CC", name), (">=", name, "QQ"), ("<=", "QQ", name), ("<=", name, "CC")]
        if real[name]:
            yield from [(">=", "RR", name), ("<=", name, "RR")]


def unit_lines(d: int) -> Iterator[tuple[str, int, str, str, bool]]:
    """(A, c, B, quantity, whether the characteristic must be 0 or > d) for every A <= c B."""
    for quantity in QUANTITIES:
        yield "split", 1, "untied", quantity, False
        yield "untied", 1, "tied", quantity, False
        yield "tied", 2 ** (d - 1), "split", quantity, True
        for k in range(1, d + 1):
            if 2 * k <= d:
                yield "split", 1, f"mixed:{k}", quantity, False
                yield f"mixed:{k}", 1, "tied", quantity, False
        if d >= 2:
            yield "mixed:1", 1, "untied", quantity, False
            yield "untied", 1, "mixed:1", quantity, False
    yield "tied", d, "untied", "rank", True
    yield "tied", 2, "untied", "border_rank", True
    for k in range(1, d + 1):
        if 2 * k <= d:
            yield "tied", k + 1, f"mixed:{k}", "border_rank", True


def consequences_of(
    start: Bound, value: int, d: int | None, ring: str, real: dict[str, bool]
) -> dict[Bound, int]:
    """Best bounds that follow from one claim; d is None for tensors. Repeated until nothing changes."""
    best = {start: value}
    changed = True
    while changed:
        changed = False
        for (relation, units, field, quantity), v in list(best.items()):
            found: list[tuple[Bound, int]] = []
            for side, low, high in field_lines(real):
                if side == relation and low == field and meaningful(ring, high, real):
                    found.append(((relation, units, high, quantity), v))
            if (relation, quantity) == (">=", "border_rank"):
                found.append(((relation, units, field, "rank"), v))
            if (relation, quantity) == ("<=", "rank"):
                found.append(((relation, units, field, "border_rank"), v))
            for a, c, b, what, hypothesis in unit_lines(d) if d is not None else ():
                characteristic = int(field[3:-1]) if field.startswith("GF") else 0
                if what != quantity or (hypothesis and 0 < characteristic <= d):
                    continue
                if relation == "<=" and units == b:
                    found.append(((relation, a, field, quantity), c * v))
                if relation == ">=" and units == a:
                    found.append(((relation, b, field, quantity), (v + c - 1) // c))
            for bound, v in found:
                better = v > best.get(bound, -1) if relation == ">=" else v < best.get(bound, v + 1)
                if better:
                    best[bound] = v
                    changed = True
    return best


# Targets: only ring, degree and shape matter


def target(ring: str, d: int | None) -> Target:
    space = Space(((2, 1), (2, 1), (2, 1))) if d is None else Space(((3, d),))
    word = (0, 0, 0) if d is None else (0,) * d
    field = Ring(ring, number_field=NumberField(ring[3:-1], (-2, 0, 1), None))
    return Target(space, QQ if ring == "QQ" else finite_field(ring) or field, {word: 1})


def units_of(d: int | None) -> list[str]:
    return (
        ["product"]
        if d is None
        else ["tied", "untied", "split", *(f"mixed:{k}" for k in range(1, d // 2 + 1))]
    )


def fields_of(ring: str, real: dict[str, bool]) -> list[str]:
    declared = [name for name in ALL_FIELDS if not name.startswith("QQ(") or name in real]
    return [field for field in declared if meaningful(ring, field, real)]


REALS: list[dict[str, bool]] = [
    {},
    {"QQ(a)": True},
    {"QQ(a)": False},
    {"QQ(a)": True, "QQ(b)": False},
    {"QQ(a)": True, "QQ(b)": True},
]
CASES = [("QQ", real) for real in REALS]
CASES += [("QQ(a)", real) for real in REALS[1:]] + [("QQ(b)", {"QQ(a)": True, "QQ(b)": False})]
CASES += [(field, {}) for field in ("GF(2)", "GF(3)", "GF(5)", "GF(7)")]


def everything(known: Consequences, d: int | None) -> dict[Bound, tuple[int, int]]:
    """All bounds that the verifier knows, over all fields whatever they are, with the steps that decide them."""
    found: dict[Bound, tuple[int, int]] = {}
    for units, field, quantity in product([*units_of(d), "mixed:9"], ALL_FIELDS, QUANTITIES):
        for relation, ask in ((">=", known.lower), ("<=", known.upper)):
            decided = ask(Question(units, field, quantity))
            if decided is not None:
                found[relation, units, field, quantity] = (decided.value, decided.step)
    return found


@pytest.mark.parametrize("d", [None, 1, 2, 3, 4])
@pytest.mark.parametrize(
    "ring, real", CASES, ids=lambda x: x if isinstance(x, str) else ",".join(x) or "none"
)
def test_from_every_single_claim_follows_exactly_what_the_tables_say(
    ring: str, real: dict[str, bool], d: int | None
) -> None:
    about = target(ring, d)
    for units, field, quantity, relation in product(
        units_of(d), fields_of(ring, real), QUANTITIES, RELATIONS
    ):
        for value in (1, 5):
            known = Consequences(about, real)
            known.add(Claim(quantity, units, field, relation, value), 3)
            expected = consequences_of((relation, units, field, quantity), value, d, ring, real)
            found = everything(known, d)
            assert {bound: v for bound, (v, _) in found.items()} == expected, (
                units,
                field,
                quantity,
                relation,
            )
            assert {step for _, step in found.values()} == {3}


@pytest.mark.parametrize(
    "ring, real", CASES, ids=lambda x: x if isinstance(x, str) else ",".join(x) or "none"
)
def test_of_equal_bounds_the_earliest_step_decides(ring: str, real: dict[str, bool]) -> None:
    """Every inference has one premise: a bound is the best over the steps, and the first step that gives it decides."""
    generator = random.Random(str((ring, real)))
    for d in (None, 1, 2, 3, 6):
        for _ in range(8):
            known = Consequences(target(ring, d), real)
            expected: dict[Bound, tuple[int, int]] = {}
            for step in range(generator.randint(1, 7)):
                units, field = generator.choice(units_of(d)), generator.choice(fields_of(ring, real))
                quantity, relation = generator.choice(QUANTITIES), generator.choice(RELATIONS)
                value = generator.randint(0, 9)
                known.add(Claim(quantity, units, field, relation, value), step)
                for bound, v in consequences_of(
                    (relation, units, field, quantity), value, d, ring, real
                ).items():
                    if bound not in expected or (
                        v > expected[bound][0] if relation == ">=" else v < expected[bound][0]
                    ):
                        expected[bound] = (v, step)
            assert everything(known, d) == expected


def test_finite_fields_and_characteristic_zero_say_nothing_about_each_other() -> None:
    real = {"QQ(a)": True, "QQ(b)": False}
    for d, units, quantity, relation, field in product(
        (None, 2, 4), ("product", "tied", "untied", "split"), QUANTITIES, RELATIONS, ALL_FIELDS
    ):
        if (d is None) != (units == "product"):
            continue
        known = Consequences(target("QQ", d), real)
        known.add(Claim(quantity, units, field, relation, 4), 0)
        reached = {bound[2] for bound in everything(known, d)}
        if field.startswith("GF"):
            assert reached == {field}
        else:
            assert not any(name.startswith("GF") for name in reached)


def bounds(
    d: int, claim: Claim, field: str, units: str, quantity: str = "rank"
) -> tuple[int | None, int | None]:
    known = Consequences(target("QQ", d), {})
    known.add(claim, 0)
    question = Question(units, field, quantity)
    lower, upper = known.lower(question), known.upper(question)
    return (None if lower is None else lower.value), (None if upper is None else upper.value)


def test_conversions_between_units_need_characteristic_zero_or_above_the_degree() -> None:
    for field, converts in (
        ("QQ", True),
        ("GF(5)", True),
        ("GF(7)", True),
        ("GF(3)", False),
        ("GF(2)", False),
    ):
        claim = Claim("rank", "untied", field, "<=", 3)
        assert bounds(4, claim, field, "tied") == (None, 12 if converts else None)
        assert bounds(4, claim, field, "tied", "border_rank") == (None, 6 if converts else None)
        claim = Claim("rank", "tied", field, ">=", 9)
        assert bounds(4, claim, field, "untied") == (3 if converts else None, None)
        assert bounds(4, claim, field, "split") == (2 if converts else None, None)
        # A tied unit is one of every other kind, in every characteristic.
        claim = Claim("rank", "tied", field, "<=", 5)
        for units in ("untied", "split", "mixed:1", "mixed:2"):
            assert bounds(4, claim, field, units) == (None, 5)
    # The degree itself is not above the degree.
    assert bounds(5, Claim("rank", "split", "GF(5)", "<=", 1), "GF(5)", "tied") == (None, None)
    assert bounds(4, Claim("rank", "split", "GF(5)", "<=", 1), "GF(5)", "tied") == (None, 8)


def test_bounds_of_rank_and_border_rank_go_one_way_each() -> None:
    assert bounds(3, Claim("border_rank", "tied", "CC", "<=", 2), "CC", "tied") == (None, None)
    assert bounds(3, Claim("rank", "tied", "CC", ">=", 2), "CC", "tied", "border_rank") == (None, None)
    assert bounds(3, Claim("border_rank", "tied", "CC", ">=", 2), "CC", "tied") == (2, None)
    assert bounds(3, Claim("rank", "tied", "CC", "<=", 2), "CC", "tied", "border_rank") == (None, 2)


def test_a_weaker_claim_changes_nothing() -> None:
    known = Consequences(target("QQ", 3), {})
    known.add(Claim("border_rank", "tied", "CC", ">=", 4), 0)
    before = everything(known, 3)
    known.add(Claim("border_rank", "tied", "CC", ">=", 3), 1)
    known.add(Claim("border_rank", "tied", "CC", ">=", 4), 2)
    assert everything(known, 3) == before
    known.add(Claim("border_rank", "tied", "CC", ">=", 5), 3)
    assert known.lower(Question("tied", "QQ", "rank")).value == 5  # type: ignore[union-attr]
    # ceil(5 / 2) = 3 is more than ceil(4 / 2).
    assert everything(known, 3)[">=", "untied", "CC", "border_rank"] == (3, 3)


def test_no_step_says_nothing() -> None:
    assert everything(Consequences(target("QQ", 3), {"QQ(a)": True}), 3) == {}


@pytest.mark.parametrize("ring", ["QQ", "QQ(a)", "QQ(b)", "GF(2)", "GF(7)"])
def test_a_target_has_a_meaning_over_the_fields_that_contain_its_coefficients(ring: str) -> None:
    real = {"QQ(a)": True, "QQ(b)": False}
    for field in ALL_FIELDS:
        assert may_ask(target(ring, 3), field, real) == meaningful(ring, field, real)
