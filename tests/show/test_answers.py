"""The table of answers and the remarks below it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from rankproof.problem.field import CC, QQ, RR, gf
from rankproof.problem.laurent import Laurent
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.prove import Answer, certify
from rankproof.show.answers import LONGEST_TARGET, answers, report, shape_in_words, target_line, unit_in_words
from rankproof.show.notation import TEXT
from rankproof.show.remarks import remarks, separation, upper_reason, weight_growth
from rankproof.show.steps import formula


def printed(renderable, width: int = 80) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, markup=False, emoji=False, highlight=False).print(
        renderable, crop=False
    )
    return stream.getvalue()


def an_answer(units: str, lower: int, upper: int | None, field=QQ, quantity: str = "rank") -> Answer:
    return Answer(units, field, quantity, lower, upper, "flattening", "decomposition", "because", "by hand")


def found(*some: Answer) -> dict:
    return {(a.units, str(a.field), a.quantity): a for a in some}


@pytest.fixture(scope="module")
def proof():
    return certify(read_targets("x**2+y**2")[0])


def test_a_separation_is_stated_as_soon_as_the_intervals_are_apart() -> None:
    assert separation(found(an_answer("tied", 3, 3), an_answer("untied", 1, 1)), ["QQ"]) == (
        "tied 3, untied 1 (exact) over QQ"
    )
    assert separation(found(an_answer("tied", 3, None), an_answer("untied", 1, 2)), ["QQ"]) == (
        "tied >= 3, untied 1..2 over QQ"
    )


def test_no_separation_is_stated_while_the_intervals_meet() -> None:
    assert separation(found(an_answer("tied", 2, 3), an_answer("untied", 1, 2)), ["QQ"]) == ""
    assert separation(found(an_answer("tied", 2, 3), an_answer("untied", 1, None)), ["QQ"]) == ""
    assert separation(found(an_answer("tied", 2, 2)), ["QQ"]) == ""


def test_equal_widths_are_no_separation_and_fields_that_agree_share_a_sentence() -> None:
    answered = found(
        *(an_answer("tied", 2, 2, field) for field in (QQ, RR, CC)),
        *(an_answer("untied", 2, 2, field) for field in (QQ, RR)),
        an_answer("untied", 1, 1, CC),
    )
    assert separation(answered, ["QQ", "RR", "CC"]) == (
        "none: 2 units of either kind over QQ and RR; tied 2, untied 1 (exact) over CC"
    )


def test_a_wide_console_has_the_reasons_in_the_table_and_a_narrow_one_below(proof) -> None:
    wide, narrow = (printed(answers(proof, Console(width=width)), width) for width in (200, 60))
    assert "why at least" in wide
    assert "why at least" not in narrow
    for text in (wide, narrow):
        # Nothing is lost in either: every interval and every reason.
        assert "y**2 + x**2" in text
        assert "signature (2,0)" in text
        assert "separation" in text


def test_border_columns_that_say_the_same_are_one(proof) -> None:
    text = printed(answers(proof, Console(width=80)))
    assert "border (RR)" in text
    assert "border (CC)" in text
    one = printed(answers(certify(read_targets("x*y")[0]), Console(width=80)))
    assert "border (RR, CC)" in one


def test_the_report_names_every_outcome(proof) -> None:
    text = printed(report(proof), 120)
    for outcome in proof.report:
        assert outcome.method in text
        assert outcome.status in text


def test_a_long_target_is_cut_and_its_coefficients_are_counted() -> None:
    (target,) = read_targets(" + ".join(f"x{i}*y{i}" for i in range(100)))
    text = " ".join(printed(target_line(target)).split())
    assert "... (100 coefficients)" in text
    assert len(text) < LONGEST_TARGET + 100


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (Space.form(1, 2), "degree 2, 1 variable"),
        (Space.map(3, 2, 2), "degree 2, 3 variables, 2 outputs"),
        (Space.tensor(4, 6, 6), "4x6x6 tensor"),
        (Space(((2, 2), (3, 2))), "S^2(K^2) (x) S^2(K^3)"),
    ],
)
def test_a_space_in_words(space: Space, words: str) -> None:
    assert shape_in_words(space) == words


@pytest.mark.parametrize(
    ("units", "d", "words"),
    [
        ("tied", 3, "w*a^3"),
        ("untied", 2, "w*a*b"),
        ("untied", 1, "w*b"),
        ("mixed:2", 5, "w*a^3*b^2"),
        ("split", 2, "w*l1*l2"),
        ("split", 5, "w*l1*...*l5"),
    ],
)
def test_a_unit_in_words(units: str, d: int, words: str) -> None:
    assert unit_in_words(units, Space.form(2, d)) == words


def test_the_growth_of_a_border_family_counts_every_power_of_its_vectors() -> None:
    from rankproof.problem.decomposition import BorderFamily

    eps, inverse = Laurent.power(1), Laurent.power(-1)
    assert weight_growth(BorderFamily("tied", QQ, 0, (((1, 1), (1,)),)), 3) == ""
    # (x + eps*y)**3 with weight 1/eps, standing at eps**0
    assert weight_growth(BorderFamily("tied", QQ, 0, (((1, eps), (inverse,)),)), 3) == "1/eps"
    # (x/eps)**3: the vector itself grows
    assert weight_growth(BorderFamily("tied", QQ, 0, (((inverse, 0), (1,)),)), 3) == "1/eps**3"
    assert weight_growth(BorderFamily("untied", QQ, 1, (((inverse, 0), (1, 1), (1,)),)), 3) == "1/eps**3"


def test_a_decomposition_is_shown_only_over_fields_that_contain_its_coordinates() -> None:
    found = certify(read_targets("x*y")[0], units=("tied",), fields=(gf(3), gf(5)))
    reasons = {str(a.field): upper_reason(found, a) for a in found.answers if a.quantity == "rank"}
    steps = {str(step.claim.over): step for step in found.certificate.steps if step.rule == "decomposition"}
    assert set(reasons) == {"GF(3)", "GF(5)"}
    for name, reason in reasons.items():
        if name in steps:
            identity = formula(found.certificate, steps[name], TEXT)
            assert identity is not None
            assert reason == identity.right()


def test_a_border_family_is_shown_with_the_growth_of_its_weights() -> None:
    found = certify(read_targets("x**2*y + z**3")[0], units=("tied",), fields=(CC,))
    said = remarks(found)
    assert said[-1].sentence.startswith("3 tied units come arbitrarily close over CC")
    assert "with weights growing like 1/eps" in said[-1].sentence
    assert said[-1].identity.startswith("eps*(x**2*y + z**3) + O(eps**2) = ")
