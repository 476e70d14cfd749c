"""The whole prover: known values, what is written, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from external import atlas
from hypothesis import HealthCheck, given, settings
from strategies import targets

from rankproof import prove
from rankproof.bounds import LOWER, UPPER, search
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.errors import NothingProved, SelfCheckFailed, TargetError, UsageError
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, gf, number
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.prove import Proof, certify
from rankproof.verifier import verify_bytes


def ask(target: str | Target, **options) -> Proof:
    return certify(read_targets(target)[0] if isinstance(target, str) else target, **options)


def intervals(proof: Proof) -> dict[tuple[str, str, str], tuple[int, int | None]]:
    return {(a.units, str(a.field), a.quantity): (a.lower, a.upper) for a in proof.answers}


@pytest.mark.parametrize(
    ("text", "units", "field", "quantity", "least", "most"),
    [
        *[("x*y", "tied", field, "rank", 2, 2) for field in ("QQ", "RR", "CC")],
        *[("x*y", "untied", field, "rank", 1, 1) for field in ("QQ", "RR", "CC")],
        ("x**2*y", "untied", "QQ", "rank", 1, 1),
        ("x**2*y", "tied", "CC", "border_rank", 2, 2),
        ("x**2*y", "tied", "QQ", "rank", 2, 3),
        ("x**3+y**3+z**3", "tied", "CC", "rank", 3, 3),
        ("x*y*z", "untied", "QQ", "rank", 2, 2),
        ("x*y*z", "tied", "QQ", "rank", 3, 4),
        ("x*y*z*w", "untied", "QQ", "rank", 3, 4),
        ("x*y*z*w", "tied", "QQ", "rank", 6, 8),
        ("x**2*y**2", "tied", "CC", "border_rank", 3, 3),
        ("x**2*y*z", "tied", "CC", "border_rank", 4, 4),
        ("x**2*y*z", "untied", "CC", "rank", 2, 3),
        ("(x+y+z)**4", "tied", "QQ", "rank", 1, 1),
        ("x**2-y**2; 2*x*y", "untied", "QQ", "rank", 2, 2),
        ("a*c-b*d; a*d+b*c", "untied", "QQ", "rank", 2, 3),
        ("matmul(2,2,2)", "product", "QQ", "rank", 4, 8),
        ("W(3)", "product", "QQ", "rank", 2, 3),
        ("GHZ(3)", "product", "QQ", "rank", 2, 2),
        ("complex_product", "product", "RR", "rank", 2, 3),
        ("polymul(2,2)", "product", "QQ", "rank", 3, 3),
        ("unit(5)", "product", "QQ", "rank", 5, 5),
    ],
)
def test_known_values_are_reached(
    text: str, units: str, field: str, quantity: str, least: int, most: int
) -> None:
    lower, upper = intervals(ask(text, units=(units,)))[units, field, quantity]
    assert upper is not None
    # A better bound is welcome, a worse one is not.
    assert least <= lower <= upper <= most


def test_the_defaults_ask_tied_and_untied_over_three_fields_and_border_over_two() -> None:
    asked = [(a.units, str(a.field), a.quantity) for a in ask("x*y").answers]
    assert asked == [
        (units, field, quantity)
        for units in ("tied", "untied")
        for field, quantity in (
            ("QQ", "rank"),
            ("RR", "rank"),
            ("CC", "rank"),
            ("RR", "border_rank"),
            ("CC", "border_rank"),
        )
    ]
    assert {a.units for a in ask("GHZ(3)", border=False).answers} == {"product"}
    assert [str(a.field) for a in ask("x*y", units=("tied",), fields=(QQ,)).answers] == ["QQ", "CC"]


def test_over_a_number_field_the_questions_are_those_that_have_a_meaning() -> None:
    sqrt2 = number(NumberField.sqrt(2))
    assert sqrt2.number_field is not None
    form = Target.from_entries(Space.form(2, 2), {(0, 0): 1, (1, 1): sqrt2.number_field.generator()}, sqrt2)
    fields = {str(a.field) for a in ask(form).answers}
    assert fields == {"QQ(a)", "RR", "CC"}
    imaginary = number(NumberField.sqrt(-1, "i"))
    assert imaginary.number_field is not None
    form = Target.from_entries(Space.form(1, 2), {(0, 0): imaginary.number_field.generator()}, imaginary)
    assert {str(a.field) for a in ask(form).answers} == {"QQ(i)", "CC"}


def test_a_finite_ring_is_asked_about_over_itself() -> None:
    proof = ask(read_targets("x*y*z")[0].over(gf(7)))
    assert {str(a.field) for a in proof.answers} == {"GF(7)"}
    assert intervals(proof)["untied", "GF(7)", "border_rank"] == (2, 2)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"units": ("tied",), "fields": (gf(3),), "target": "1/3*x**2"},
            TargetError,
            "divides its denominator",
        ),
        ({"units": ("product",), "target": "x**2*y"}, UsageError, "product units are for tensors"),
        ({"units": ("round",), "target": "x**2*y"}, UsageError, "not a kind of unit"),
        ({"units": ("mixed:3",), "target": "x**2*y"}, UsageError, "mixed:3"),
        ({"units": (), "target": "x*y"}, UsageError, "nothing is asked"),
    ],
)
def test_a_question_without_meaning_is_refused_in_words(options: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        ask(options.pop("target"), **options)


def test_a_question_over_a_smaller_field_than_the_coefficients_is_refused() -> None:
    field = number(NumberField.sqrt(3))
    assert field.number_field is not None
    form = Target.from_entries(Space.form(1, 2), {(0, 0): field.number_field.generator()}, field)
    with pytest.raises(UsageError, match="has no meaning"):
        ask(form, fields=(QQ,))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(targets())
def test_whatever_is_written_is_verified(target: Target) -> None:
    if not (target.space.is_polynomial or target.space.is_tensor):
        with pytest.raises(UsageError):
            ask(target)
        return
    proof = ask(target, budget=1)
    assert proof.verdict.ok
    assert verify_bytes(proof.data).sha256 == proof.verdict.sha256
    assert proof.certificate.to_bytes() == proof.data
    assert [(c.units, str(c.field), c.quantity, c.lower, c.upper) for c in proof.certificate.conclusion] == [
        (a.units, str(a.field), a.quantity, a.lower, a.upper) for a in proof.answers
    ]


def test_the_rules_named_in_the_answers_are_those_of_the_certificate() -> None:
    proof = ask("x**2+y**2+z**2-7*w**2")
    rules = {step.rule for step in proof.certificate.steps}
    for answer in proof.answers:
        assert answer.lower_rule in rules
        assert answer.upper_rule in rules
        assert answer.lower_reason
        assert answer.upper_reason


def test_a_theorem_is_used_only_when_allowed_and_makes_the_verdict_conditional(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Only the lower bounds that are free and the theorem: other methods may prove the same.
    monkeypatch.setattr(
        search, "LOWER", tuple(m for m in LOWER if m.name in ("nonzero", "coprime_monomials"))
    )
    assert intervals(ask("x**2*y", border=False))["tied", "QQ", "rank"] == (1, 3)
    allowed = ask("x**2*y", border=False, theorems=True)
    assert intervals(allowed)["tied", "CC", "rank"] == (3, 3)
    assert allowed.verdict.word == "CONDITIONAL"
    assert allowed.verdict.theorems == ("Carlini-Catalisano-Geramita 2012",)


def test_no_theorem_is_named_where_none_is_needed() -> None:
    assert ask("x**3+y**3", units=("tied",), theorems=True).verdict.word == "VERIFIED"


def test_the_same_seed_gives_the_same_steps() -> None:
    def steps(proof: Proof) -> object:
        return json.loads(proof.data)["steps"]

    assert steps(ask("matmul(2,2,2)", budget=60)) == steps(ask("matmul(2,2,2)", budget=60))


def test_every_method_that_is_tried_leaves_a_line_in_the_report() -> None:
    said: list[str] = []
    proof = ask("x**2*y*z", progress=said.append)
    tried = {(line.split(" for ")[0], line.split(" for ")[1].split(" units ")[0]) for line in said}
    lines = {(o.method, o.units) for o in proof.report if o.status in ("found", "nothing found", "skipped")}
    assert tried <= lines
    assert ("nonzero", "tied") in tried
    assert {o.method for o in proof.report} <= {m.name for m in (*LOWER, *UPPER)}
    assert {outcome.status for outcome in proof.report} <= {
        "found",
        "nothing found",
        "not applicable",
        "skipped",
    }


def test_without_time_nothing_is_proved_and_said_so() -> None:
    with pytest.raises(NothingProved, match="larger budget"):
        ask("elementary(4,8)", budget=1e-9)


def test_a_short_budget_is_kept_and_still_proves_something() -> None:
    proof = ask("elementary(4,9)", budget=0.5)
    assert intervals(proof)["tied", "CC", "border_rank"][0] >= 9
    assert proof.seconds < 5


def test_a_refusal_by_the_verifier_is_an_error_of_the_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Bound(Claim("border_rank", "tied", CC, ">=", 5), "nonzero", {}, "not true")

    def build(target, bounds, questions, producer):
        return Certificate.build(target, [wrong, *bounds], questions, producer)

    monkeypatch.setattr(
        prove, "_certificate", lambda target, known, *_: build(target, known.bounds, known.questions, {})
    )
    with pytest.raises(SelfCheckFailed, match="claim-differs"):
        ask("x*y")


# The atlas says tied, untied, chow (split) and cp (product); the other models have no units here.
_MODELS = {
    "tied": ("tied", "rank"),
    "tied_border": ("tied", "border_rank"),
    "untied": ("untied", "rank"),
    "chow": ("split", "rank"),
    "cp": ("product", "rank"),
    "border_cp": ("product", "border_rank"),
}
_FIELDS = {"Q": QQ, "R": RR, "C": CC, "GF(2)": gf(2), "GF(3)": gf(3)}


def atlas_target(described: dict) -> Target:
    if described["type"] == "tensor":
        entries = {tuple(row[:-1]): Fraction(row[-1]) for row in described["entries"]}
        return Target.from_entries(Space.tensor(*described["shape"]), entries)
    texts = [described["expr"]] if described["type"] == "polynomial" else described["exprs"]
    return read_targets("; ".join(texts))[0]


@pytest.mark.external
@pytest.mark.slow
def test_no_interval_contradicts_the_atlas_of_known_values() -> None:
    wrong: list[str] = []
    compared = 0
    for entry in atlas()["entries"]:
        target = atlas_target(entry["target"])
        known: dict[tuple[str, str, Field], dict] = {}
        for value in entry["values"]:
            model, field = _MODELS.get(value["model"]), _FIELDS.get(value["field"])
            if model and field and unit_model(model[0]).accepts(target.space) is None:
                known[(*model, field)] = value
        if not known:
            continue
        units, fields = dict.fromkeys(u for u, _, _ in known), dict.fromkeys(f for _, _, f in known)
        for answer in certify(target, units=tuple(units), fields=tuple(fields), budget=1).answers:
            value = known.get((answer.units, answer.quantity, answer.field))
            if value is None:
                continue
            compared += 1
            least, most = value.get("lower"), value.get("upper")
            too_high = most is not None and answer.lower > most
            too_low = least is not None and answer.upper is not None and answer.upper < least
            if too_high or too_low:
                wrong.append(f"{entry['id']} {answer}: the atlas has {least}..{most}")
    assert wrong == []
    assert compared > 400
