"""What follows from what: the closed table, and the verifier's independent twin of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import CUBE_ROOT, SQRT2, polynomial_spaces, tensor_spaces

from rankproof.certificate.claim import Claim, implied, may_ask
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.question import QUANTITIES, Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier.claims import Claim as TwinClaim
from rankproof.verifier.claims import Consequences
from rankproof.verifier.claims import Question as TwinQuestion
from rankproof.verifier.claims import may_ask as twin_may_ask
from rankproof.verifier.scalars import Ring as TwinRing
from rankproof.verifier.targets import Space as TwinSpace
from rankproof.verifier.targets import Target as TwinTarget

I = Field.parse("QQ(i)")
FIELDS = (QQ, RR, CC, SQRT2, I, gf(2), gf(3), gf(7))
MODELS = ("tied", "untied", "split", "product", "mixed:1", "mixed:2", "mixed:3")
REAL = {SQRT2.name: True, I.name: False}


def target_in(space: Space, ring: Field = QQ) -> Target:
    return Target.from_entries(space, {next(iter(space.words())): 1}, ring)


def twin_of(target: Target) -> TwinTarget:
    ring = target.ring
    # The table asks a ring only for its name, its prime and whether it is a number field.
    twin = TwinRing(ring.name, prime=ring.characteristic, number_field=ring.number_field)
    return TwinTarget(TwinSpace(target.space.factors), twin, target.as_dict())


targets = st.builds(
    target_in,
    st.one_of(polynomial_spaces(degree=6), tensor_spaces()),
    st.sampled_from([QQ, SQRT2, I, gf(3)]),
)
questions = st.builds(Question, st.sampled_from(MODELS), st.sampled_from(FIELDS), st.sampled_from(QUANTITIES))
claims = st.builds(
    Claim,
    st.sampled_from(QUANTITIES),
    st.sampled_from(MODELS),
    st.sampled_from(FIELDS),
    st.sampled_from([">=", "<="]),
    st.integers(0, 40),
)


@given(targets, claims, questions)
def test_the_prover_and_the_verifier_draw_the_same_consequences(target, claim, question):
    k = max((int(u[6:]) for u in (claim.units, question.units) if u.startswith("mixed:")), default=0)
    if not may_ask(claim.over, target) or (k and 2 * k > target.space.degree):
        return
    twin = Consequences(twin_of(target), REAL)
    twin.add(TwinClaim(claim.quantity, claim.units, claim.over.name, claim.relation, claim.value), 0)
    asked = TwinQuestion(question.units, question.field.name, question.quantity)
    decided = twin.lower(asked) if claim.relation == ">=" else twin.upper(asked)
    assert implied(claim, question, target) == (decided.value if decided else None)


@given(targets, st.sampled_from(FIELDS))
def test_the_prover_and_the_verifier_allow_the_same_fields(target, field):
    assert may_ask(field, target) == twin_may_ask(twin_of(target), field.name, REAL)


@given(targets, claims)
def test_a_claim_implies_itself(target, claim):
    if may_ask(claim.over, target):
        assert implied(claim, Question(claim.units, claim.over, claim.quantity), target) == claim.value


QUARTIC = target_in(Space.form(3, 4))


@pytest.mark.parametrize(
    "claim, question, value",
    [
        # Lower bounds go down the fields, upper bounds up.
        (("rank", "tied", CC, ">=", 5), ("tied", QQ, "rank"), 5),
        (("rank", "tied", QQ, ">=", 5), ("tied", CC, "rank"), None),
        (("rank", "tied", QQ, "<=", 5), ("tied", CC, "rank"), 5),
        (("rank", "tied", CC, "<=", 5), ("tied", RR, "rank"), None),
        (("rank", "tied", SQRT2, "<=", 5), ("tied", RR, "rank"), 5),
        (("rank", "tied", I, "<=", 5), ("tied", RR, "rank"), None),
        (("rank", "tied", RR, ">=", 5), ("tied", I, "rank"), None),
        (("rank", "tied", SQRT2, "<=", 5), ("tied", CUBE_ROOT, "rank"), None),
        (("rank", "tied", gf(7), "<=", 5), ("tied", QQ, "rank"), None),
        (("rank", "tied", CC, ">=", 5), ("tied", gf(7), "rank"), None),
        # Between the quantities.
        (("border_rank", "tied", CC, ">=", 5), ("tied", CC, "rank"), 5),
        (("rank", "tied", CC, ">=", 5), ("tied", CC, "border_rank"), None),
        (("rank", "tied", CC, "<=", 5), ("tied", CC, "border_rank"), 5),
        # Between the units: untied <= tied <= 4*untied, border tied <= 2*border untied, tied <= 8*split.
        (("rank", "tied", CC, ">=", 5), ("untied", CC, "rank"), 2),
        (("border_rank", "tied", CC, ">=", 5), ("untied", CC, "rank"), 3),
        (("border_rank", "tied", CC, ">=", 5), ("mixed:2", CC, "border_rank"), 2),
        (("rank", "untied", CC, "<=", 5), ("tied", CC, "rank"), 20),
        (("rank", "untied", CC, "<=", 5), ("tied", CC, "border_rank"), 10),
        (("rank", "split", CC, "<=", 1), ("tied", CC, "rank"), 8),
        (("rank", "mixed:1", CC, "<=", 5), ("untied", CC, "rank"), 5),
        (("rank", "tied", CC, "<=", 5), ("split", CC, "rank"), 5),
        # Powers of linear forms do not span in small characteristic.
        (("rank", "untied", gf(3), "<=", 5), ("tied", gf(3), "rank"), None),
        (("rank", "untied", gf(5), "<=", 5), ("tied", gf(5), "rank"), 20),
        (("rank", "tied", gf(2), "<=", 5), ("untied", gf(2), "rank"), 5),
        (("rank", "tied", CC, ">=", 5), ("product", CC, "rank"), None),
    ],
)
def test_the_table_for_quartic_forms(claim, question, value):
    assert implied(Claim(*claim), Question(*question), QUARTIC) == value


def test_a_target_over_a_number_field_is_asked_about_in_the_fields_that_contain_it():
    assert [f.name for f in FIELDS if may_ask(f, target_in(Space.form(2, 2), SQRT2))] == [
        "RR",
        "CC",
        "QQ(sqrt2)",
    ]
    assert [f.name for f in FIELDS if may_ask(f, target_in(Space.form(2, 2), I))] == ["CC", "QQ(i)"]
    assert [f.name for f in FIELDS if may_ask(f, target_in(Space.form(2, 2), gf(3)))] == ["GF(3)"]
    assert all(may_ask(f, target_in(Space.form(2, 2))) for f in FIELDS)


def test_claims_and_questions_are_readable():
    assert str(Claim("border_rank", "mixed:2", gf(7), "<=", 4)) == "mixed:2 border rank over GF(7) <= 4"
    assert str(Question("tied", SQRT2, "rank")) == "tied rank over QQ(sqrt2)"
