"""Certificates: what is kept, how the file looks, and that the verifier accepts it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from strategies import SQRT2, border_families, decompositions

from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate, Conclusion, Step
from rankproof.certificate.encoding import encode_decomposition
from rankproof.certificate.producer import producer
from rankproof.certificate.schema import certificate_schema
from rankproof.errors import FormatError, NothingProved, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, NumberField, gf, number
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import RULES, verify_bytes

MAKER = {"program": "a test"}
X2Y = read_targets("x**2*y")[0]
FLAT = Step("flattening", Claim("border_rank", "tied", CC, ">=", 2), (), {"orders": [1], "prime": 1048573})
NONZERO = Step("nonzero", Claim("border_rank", "untied", CC, ">=", 1), (), {})
TANGENT = BorderFamily(
    "tied", QQ, 1, (((1, Laurent.power(1)), (Fraction(1, 3),)), ((1, 0), (Fraction(-1, 3),)))
)
FAMILY = Step("border-family", Claim("border_rank", "tied", QQ, "<=", 2), (), encode_decomposition(TANGENT))
THREE = Decomposition.of(
    "tied", [((1, 1), (Fraction(1, 6),)), ((1, -1), (Fraction(-1, 6),)), ((0, 1), (Fraction(-1, 3),))]
)
UPPER = Step("decomposition", Claim("rank", "tied", QQ, "<=", 3), (), encode_decomposition(THREE))
ONE = Decomposition.of("untied", [((1, 0), (0, 1), (1,))])
UNTIED = Step("decomposition", Claim("rank", "untied", QQ, "<=", 1), (), encode_decomposition(ONE))
BORDER = Question("tied", CC, "border_rank")


def valid(certificate: Certificate) -> None:
    """The verifier accepts the file and it has the shapes of the schema."""
    data = certificate.to_bytes()
    verdict = verify_bytes(data)
    assert verdict.ok, (verdict.code, verdict.pointer, verdict.message)
    Draft202012Validator(certificate_schema()).validate(json.loads(data))


# What is kept.


def test_a_bound_that_decides_nothing_is_dropped():
    certificate = Certificate.build(X2Y, [NONZERO, FLAT, UPPER, FAMILY], [BORDER], MAKER)
    assert certificate.steps == (FLAT, FAMILY)
    assert certificate.conclusion == (Conclusion("tied", CC, "border_rank", 2, 2),)
    valid(certificate)


def test_the_earliest_of_equal_bounds_is_kept():
    later = replace(FLAT, witness={"orders": [2], "prime": 1048573})
    assert Certificate.build(X2Y, [FLAT, later], [BORDER], MAKER).steps == (FLAT,)
    assert Certificate.build(X2Y, [later, FLAT], [BORDER], MAKER).steps == (later,)


def test_a_separation_is_one_file_with_several_answers():
    questions = [Question(u, f, "rank") for u in ("tied", "untied") for f in (QQ, RR, CC)]
    certificate = Certificate.build(X2Y, [NONZERO, FLAT, UPPER, FAMILY, UNTIED], questions, MAKER)
    assert [(a.lower, a.upper) for a in certificate.conclusion] == [(2, 3)] * 3 + [(1, 1)] * 3
    assert certificate.steps == (NONZERO, FLAT, UPPER, UNTIED)
    valid(certificate)


def test_premises_are_kept_and_renumbered():
    unused = Step("nonzero", Claim("rank", "split", CC, ">=", 0), (), {})
    first = Step("nonzero", Claim("rank", "untied", CC, ">=", 1), (), {})
    second = Step("made-up", Claim("rank", "tied", CC, ">=", 4), (1,), {})
    third = Step("made-up", Claim("rank", "tied", CC, ">=", 5), (1, 2), {})
    certificate = Certificate.build(
        X2Y, [unused, first, second, third], [Question("tied", CC, "rank")], MAKER
    )
    assert certificate.steps == (first, replace(second, premises=(0,)), replace(third, premises=(0, 1)))


def test_a_question_without_a_bound_stays_open():
    certificate = Certificate.build(X2Y, [FLAT], [BORDER, Question("tied", gf(7), "rank")], MAKER)
    assert certificate.conclusion[1] == Conclusion("tied", gf(7), "rank", 0, None)
    valid(certificate)


def test_nothing_proved_is_no_certificate():
    with pytest.raises(NothingProved, match="no bound was found for x\\*\\*2\\*y; try a larger budget"):
        Certificate.build(X2Y, [UNTIED], [Question("tied", gf(7), "rank")], MAKER)


def test_a_question_without_a_meaning_is_refused():
    target = read_targets("sqrt(2)*x**2")[0]
    with pytest.raises(UsageError, match="a question over QQ has no meaning; ask over QQ\\(sqrt2\\)"):
        Certificate.build(target, [FLAT], [Question("tied", QQ, "rank")], MAKER)


@given(decompositions())
def test_the_verifier_accepts_every_decomposition_of_its_own_target(pair):
    space, found = pair
    if not found.expand(space):
        return
    target = found.target(space)
    claim = Claim("rank", found.units_model, found.ring, "<=", len(found))
    step = Step("decomposition", claim, (), encode_decomposition(found))
    questions = [Question(found.units_model, found.ring, quantity) for quantity in ("rank", "border_rank")]
    certificate = Certificate.build(target, [step], questions, MAKER)
    valid(certificate)
    assert Certificate.from_bytes(certificate.to_bytes()) == certificate


@given(border_families())
def test_the_verifier_accepts_every_border_family_of_its_own_limit(pair):
    space, family = pair
    total = family.expand(space)
    if not total:
        return
    family = replace(family, order=min(c.terms[0][0] for c in total.values()))
    claim = Claim("border_rank", family.units_model, family.ring, "<=", len(family))
    step = Step("border-family", claim, (), encode_decomposition(family))
    question = Question(family.units_model, family.ring, "border_rank")
    certificate = Certificate.build(family.limit(space), [step], [question], MAKER)
    valid(certificate)
    assert Certificate.from_bytes(certificate.to_bytes()).to_bytes() == certificate.to_bytes()


@given(decompositions())
def test_the_verifier_refuses_a_decomposition_that_lost_a_unit(pair):
    space, found = pair
    short = Decomposition(found.units_model, found.ring, found.units[1:])
    if not short.units or not found.expand(space) or found.expand(space) == short.expand(space):
        return
    claim = Claim("rank", found.units_model, found.ring, "<=", len(short))
    step = Step("decomposition", claim, (), encode_decomposition(short))
    question = Question(found.units_model, found.ring, "rank")
    verdict = verify_bytes(Certificate.build(found.target(space), [step], [question], MAKER).to_bytes())
    assert verdict.word == "REJECTED"


# The file.


def test_the_file_is_readable_with_one_step_a_line():
    certificate = Certificate.build(X2Y, [FLAT, FAMILY], [BORDER], {"program": "by hand"})
    assert certificate.to_bytes().decode() == (
        '{"format": "rankproof-certificate",\n'
        ' "version": 1,\n'
        ' "target": {"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 1], 1]], "variables": ["x", "y"]},\n'
        ' "steps": [\n'
        '  {"rule": "flattening", "claim": {"quantity": "border_rank", "units": "tied", "over": "CC", "relation": ">=",'
        ' "value": 2}, "premises": [], "witness": {"orders": [1], "prime": 1048573}},\n'
        '  {"rule": "border-family", "claim": {"quantity": "border_rank", "units": "tied", "over": "QQ", "relation":'
        ' "<=", "value": 2}, "premises": [], "witness": {"ring": "QQ", "order": 1, "units":'
        ' [[[1, {"eps": [[1, 1]]}], ["1/3"]], [[1, 0], ["-1/3"]]]}}],\n'
        ' "conclusion": [\n'
        '  {"units": "tied", "field": "CC", "quantity": "border_rank", "lower": 2, "upper": 2}],\n'
        ' "producer": {"program": "by hand"}}\n'
    )


def test_the_whole_certificate_of_the_format_page_is_what_we_write():
    page = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
    example = page.split("## A whole certificate")[1].split("```json")[1].split("```")[0]
    certificate = Certificate.build(X2Y, [FLAT, FAMILY], [BORDER], {"program": "by hand"})
    assert json.loads(example) == json.loads(certificate.to_bytes())


def test_number_fields_are_declared_once_in_the_order_of_their_use():
    found = Decomposition.of("tied", [((1, SQRT2.number_field.generator()), (1,))], SQRT2)
    target = found.target(Space.form(2, 2))
    step = Step("decomposition", Claim("rank", "tied", SQRT2, "<=", 1), (), encode_decomposition(found))
    questions = [Question("tied", SQRT2, "rank"), Question("tied", RR, "rank")]
    certificate = Certificate.build(target, [step], questions, MAKER)
    valid(certificate)
    declared = json.loads(certificate.to_bytes())["number_fields"]
    assert declared == [{"symbol": "sqrt2", "minimal_polynomial": [-2, 0, 1], "real_root": [1, 2]}]
    assert Certificate.from_bytes(certificate.to_bytes()) == certificate


def test_two_fields_with_one_symbol_are_refused():
    questions = [Question("tied", number(NumberField.sqrt(D)), "rank") for D in (2, 3)]
    certificate = Certificate.build(X2Y, [FLAT], questions, MAKER)
    with pytest.raises(UsageError, match="share a symbol"):
        certificate.to_bytes()


def test_a_named_target_stays_named():
    step = Step("nonzero", Claim("border_rank", "product", CC, ">=", 1), (), {})
    target = named("matmul", 2, 2, 2)
    certificate = Certificate.build(target, [step], [Question("product", CC, "rank")], MAKER)
    valid(certificate)
    assert json.loads(certificate.to_bytes())["target"] == {"name": "matmul", "parameters": [2, 2, 2]}
    assert Certificate.from_bytes(certificate.to_bytes()).target.text == "matmul(2,2,2)"


def test_writing_replaces_the_file_as_a_whole(tmp_path):
    certificate = Certificate.build(X2Y, [FLAT], [BORDER], MAKER)
    path = tmp_path / "x2y.json"
    path.write_text("old")
    assert certificate.write(path) == path
    assert path.read_bytes() == certificate.to_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["x2y.json"]


def test_a_failed_write_leaves_the_old_file_and_no_debris(tmp_path):
    certificate = Certificate.build(X2Y, [FLAT], [BORDER], MAKER)
    (tmp_path / "occupied").mkdir()
    with pytest.raises(UsageError, match="cannot write .*occupied"):
        certificate.write(tmp_path / "occupied")
    with pytest.raises(UsageError, match="cannot write .*choose another place"):
        certificate.write(tmp_path / "absent" / "x2y.json")
    assert [p.name for p in tmp_path.iterdir()] == ["occupied"]


@pytest.mark.parametrize(
    "data, sentence",
    [
        (b"", "not JSON"),
        (b"[]", "not a certificate"),
        (b'{"format": "other"}', "not a certificate"),
        ("é".encode(), "not JSON in ASCII"),
        (b'{"format": 1, "format": 1}', "twice"),
        (b'{"format": 0.5}', "no exact number"),
        (b'{"format": NaN}', "no exact number"),
        (b"[" * 100000, "not JSON"),
        (b'{"format": "rankproof-certificate", "version": 2}', "version 2"),
        (b'{"format": "rankproof-certificate", "version": 1}', "the key 'steps'"),
    ],
)
def test_bytes_that_are_no_certificate_are_refused(data, sentence):
    with pytest.raises(FormatError, match=sentence):
        Certificate.from_bytes(data)


def changed(**change):
    document = json.loads(Certificate.build(X2Y, [FLAT, FAMILY], [BORDER], MAKER).to_bytes())
    for pointer, value in change.items():
        *path, last = [int(p) if p.isdigit() else p for p in pointer.split("__")]
        node = document
        for key in path:
            node = node[key]
        node[last] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"steps__0__claim__relation": ">"}, "/steps/0/claim/relation"),
        ({"steps__0__claim__quantity": "width"}, "/steps/0/claim/quantity"),
        ({"steps__0__claim__value": "2"}, "/steps/0/claim/value"),
        ({"steps__0__claim__over": "ZZ"}, "/steps/0/claim/over"),
        ({"steps__0__witness": []}, "/steps/0/witness"),
        ({"steps__0__premises": ["0"]}, "/steps/0/premises/0"),
        ({"steps__0": 7}, "/steps/0"),
        ({"conclusion__0__upper": "3"}, "/conclusion/0/upper"),
        ({"conclusion__0": []}, "/conclusion/0"),
        ({"producer": []}, "/producer"),
        ({"number_fields": [7]}, "/number_fields/0"),
    ],
)
def test_a_malformed_part_is_named_by_its_place(change, sentence):
    with pytest.raises(FormatError, match=sentence):
        Certificate.from_bytes(changed(**change))


def test_a_certificate_shows_what_it_states_and_not_that_it_is_true():
    certificate = Certificate.build(X2Y, [FLAT, FAMILY], [BORDER], MAKER)
    assert repr(certificate) == "<Certificate of x**2*y: tied border rank over CC: 2>"
    assert "what the certificate states" in certificate._repr_html_()
    hostile = replace(certificate, target=Target.from_entries(X2Y.space, X2Y.as_dict(), text="<script>"))
    assert "<script>" not in hostile._repr_html_()
    assert [Conclusion("tied", CC, "rank", 2, u).interval for u in (2, 3, None)] == ["2", "2..3", ">= 2"]


# The schema and the producer.


def test_the_schema_is_one_and_knows_the_rules_of_the_verifier():
    schema = certificate_schema()
    Draft202012Validator.check_schema(schema)
    assert {rule["properties"]["rule"]["const"] for rule in schema["$defs"]["step"]["oneOf"]} == set(RULES)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"extra": 1},
        {"steps__0__rule": "made-up"},
        {"steps__0__witness__prime": 2**31},
        {"steps__0__witness__rows": [0]},
        {"steps__0__witness__ring": "QQ"},
        {"steps__1__witness__order": "1"},
        {"steps__0__claim__units": "waring"},
        {"steps__0__claim__value": -1},
        {"conclusion": []},
        {"conclusion__0__upper": None},
        {"target__entries__0__1": 0.5},
        {"target__entries__0__1": "1/02"},
        {"target__entries__0__1": True},
        {"target__ring": "RR"},
        {"target__variables": ["x", "x"]},
        {"target__name": "W"},
    ],
    ids=str,
)
def test_the_schema_refuses_what_the_verifier_cannot_read(change):
    data = changed(**change)
    assert not Draft202012Validator(certificate_schema()).is_valid(json.loads(data))
    assert verify_bytes(data).word == "UNREADABLE"


def test_every_certificate_of_the_corpus_has_the_shapes_of_the_schema():
    validator = Draft202012Validator(certificate_schema())
    for path in sorted((Path(__file__).parents[1] / "corpus" / "accept").rglob("*.json")):
        validator.validate(json.loads(path.read_bytes()))


def test_the_producer_is_recorded_without_floats():
    made = producer("rankproof certify 'x**2*y'", 7, 1.2345)
    assert made["program"] == "rankproof"
    assert (made["seed"], made["milliseconds"]) == (7, 1234)
    certificate = Certificate.build(X2Y, [FLAT], [BORDER], made)
    valid(certificate)
    assert Certificate.from_bytes(certificate.to_bytes()).producer == made


def test_a_producer_with_a_float_is_still_ours_to_refuse():
    certificate = Certificate.build(X2Y, [FLAT], [BORDER], {"seconds": 0.5})
    with pytest.raises(UsageError, match="producer"):
        certificate.to_bytes()


def test_a_field_of_the_questions_alone_is_declared():
    certificate = Certificate.build(X2Y, [FLAT], [Question("tied", Field.parse("QQ(i)"), "rank")], MAKER)
    assert certificate.conclusion[0].lower == 2
    valid(certificate)
