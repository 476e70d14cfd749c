"""Widths that the apolar lower bounds must prove, and what each must not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rankproof.bounds import LOWER
from rankproof.bounds.method import Bound, Budget
from rankproof.bounds.operators import linear_forms, operator_text, pure_powers
from rankproof.bounds.pencils import combinations_with_many, definite_combination
from rankproof.certificate.document import Certificate
from rankproof.certificate.producer import producer
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

METHODS = {method.name: method for method in LOWER}


def read(text: str) -> Target:
    return read_targets(text)[0]


def found_by(name: str, text: str, units: str, field: Field) -> list[Bound]:
    target = read(text)
    over = METHODS[name].field_for(target, Question(units, field, "rank"))
    if over is None:
        return []
    return METHODS[name].find(target, units, over, Budget(20), np.random.default_rng(0), ())


@pytest.mark.parametrize(
    ("name", "text", "units", "field", "value"),
    [
        *[("locus", f"power_sum({d},{n})", "untied", CC, n) for n in (2, 3, 5) for d in (3, 4, 6)],
        ("locus", "x**5 + y**5", "mixed:2", CC, 2),
        ("locus", "x*y*z + u*v*w", "untied", CC, 4),
        ("locus", "x**3 + x*y**2 + x*z**2", "untied", CC, 2),
        ("locus", "x**2; x*y; y**2", "split", CC, 2),
        ("locus", "power_sum(3,3)", "untied", gf(7), 3),
        ("signature", "(x**2 + y**2)**2", "untied", RR, 3),
        ("signature", "(x**2 + y**2 + z**2)**2", "untied", RR, 6),
        ("signature", "x**3 + x*y**2 + x*z**2", "untied", RR, 3),
        ("signature", "x**2 - 2*y**2", "untied", QQ, 2),
        ("signature", "x**2 + x*y + y**2; x**2 - y**2", "untied", RR, 2),
        ("signature", "(x**2 + y**2 + z**2)**2", "split", RR, 2),
        ("apolar_length", "x*y*z", "tied", CC, 4),
        ("apolar_length", "x*y*z", "untied", CC, 2),
        ("apolar_length", "x*y*z*w", "tied", CC, 8),
        ("apolar_length", "x*y*z*w", "untied", CC, 4),
        ("apolar_length", "elementary(5,5)", "untied", CC, 8),
        ("apolar_length", "x*y*z + u*v*w", "untied", CC, 4),
        ("apolar_length", "x**2*y; x*y**2", "tied", CC, 3),
        ("t_bound", "x**2*y*z", "tied", CC, 6),
        ("t_bound", "x**2*y**2*z**2", "tied", CC, 9),
        ("t_bound", "x**2*y**2*z**2", "untied", CC, 5),
        ("t_bound", "x**4*y**2", "untied", CC, 3),
        ("t_bound", "x*(y**3 + z**3)", "tied", CC, 6),
        ("landsberg_teitler", "det(3)", "tied", CC, 14),
        ("landsberg_teitler", "perm(3)", "tied", CC, 12),
        ("landsberg_teitler", "y*(x**2 + y*z)", "tied", CC, 4),
        ("landsberg_teitler", "x**5*y**3", "untied", CC, 3),
        ("definite_apolar", "x**3 - 3*x*y**2", "tied", RR, 3),
        ("definite_apolar", "x**5 - 10*x**3*y**2 + 5*x*y**4", "untied", RR, 3),
        ("definite_apolar", "x**4 + y**4 + z**4 - 3*x**2*y**2 - 3*y**2*z**2 - 3*x**2*z**2", "tied", RR, 7),
    ],
)
def test_a_method_proves_the_bound_and_the_verifier_agrees(
    name: str, text: str, units: str, field: Field, value: int
) -> None:
    found = found_by(name, text, units, field)
    assert max(bound.claim.value for bound in found) == value
    target = read(text)
    question = Question(units, field, found[-1].claim.quantity)
    certificate = Certificate.build(target, found, [question], producer("", 0, 0.0))
    verdict = verify_bytes(certificate.to_bytes())
    assert verdict.word == "VERIFIED", verdict.message
    assert json.loads(certificate.to_bytes())["conclusion"][0]["lower"] == value


@pytest.mark.parametrize(
    ("name", "text", "units", "field"),
    [
        # One untied unit each, where a careless bound says two.
        ("t_bound", "x**2*y", "untied", CC),
        ("landsberg_teitler", "x**2*y", "untied", CC),
        ("signature", "x**2 - y**2", "untied", RR),
        ("locus", "x**2 - y**2", "untied", CC),
        ("apolar_length", "x**5*y", "untied", CC),
        ("definite_apolar", "y**6", "tied", RR),
    ],
)
def test_one_unit_stays_one_unit(name: str, text: str, units: str, field: Field) -> None:
    assert all(bound.claim.value <= 1 for bound in found_by(name, text, units, field))


def test_rank_methods_claim_no_border_rank() -> None:
    for name in ("apolar_length", "t_bound", "landsberg_teitler", "definite_apolar"):
        for text in ("x**2*y", "x*y*z", "x**3 - 3*x*y**2"):
            for field in (RR, CC):
                assert {b.claim.quantity for b in found_by(name, text, "tied", field)} <= {"rank"}


def test_a_definite_combination_is_found_when_there_is_one() -> None:
    # [[1, 2], [2, 1]] and [[0, 1], [1, 0]]: the first minus twice the second is the identity.
    pencil = np.array([[[1.0, 2.0], [2.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    y, decided = definite_combination(pencil)
    assert decided
    assert y is not None
    assert (np.linalg.eigvalsh(np.tensordot(y, pencil, 1)) > 0).all()
    found = list(combinations_with_many(pencil, 1, np.random.default_rng(0), Budget(5)))
    matrix = np.tensordot(np.array([float(x) for x in found[-1]]), pencil, 1)
    assert (np.linalg.eigvalsh(matrix) > 0).all()


def test_a_pencil_without_definite_member_is_denied() -> None:
    assert definite_combination(np.array([[[1.0, 0.0], [0.0, -1.0]]])) == (None, True)


def test_operators_in_words() -> None:
    target = read("x**2*y + y**2*z + z**3")
    assert operator_text({(0,): 1, (2,): -2}, target) == "X - 2*Z"
    assert operator_text({(0, 0): -1}, target) == "-X**2"
    assert operator_text(dict.fromkeys([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)], 1), target) == ""


def test_linear_forms_come_once_up_to_sign() -> None:
    forms = [tuple(sorted(form.items())) for form in linear_forms(3, 100)]
    assert len(forms) == len(set(forms)) == 13
    assert list(linear_forms(3, 2)) == [{(0,): 1}, {(1,): 1}]


def test_pure_powers_are_wanted_of_every_variable() -> None:
    assert pure_powers([{(0, 0): 1}, {(0, 1): 1}], 2) == []
    assert pure_powers([{(1, 1): 1}, {(0, 0): 1}], 2) == [{(0, 0): 1}, {(1, 1): 1}]
