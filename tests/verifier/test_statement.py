"""What a verdict states, and what ``--expect`` accepts and refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankproof.verifier import verify_bytes
from rankproof.verifier.document import Document, read_document
from rankproof.verifier.kernel import claim_hash
from rankproof.verifier.statement import BadExpectation, equation, statements, target_text, unmet

Tree = dict[str, Any]


def answer(units: str, field: str, lower: int, upper: int | None = None, quantity: str = "rank") -> Tree:
    bounds = {"lower": lower} if upper is None else {"lower": lower, "upper": upper}
    return {"units": units, "field": field, "quantity": quantity, **bounds}


def form(n: int, d: int, entries: list[Any], variables: str = "", ring: str = "QQ", outputs: int = 1) -> Tree:
    space = [[n, d]] if outputs == 1 else [[n, d], [outputs, 1]]
    tree: Tree = {"space": space, "ring": ring, "entries": entries}
    return {**tree, "variables": variables.split()} if variables else tree


def tensor(*entries: list[Any]) -> Tree:
    return {"space": [[2, 1], [3, 1], [2, 1]], "ring": "QQ", "entries": list(entries)}


def certificate(target: Tree, conclusion: list[Tree], fields: list[Tree] | None = None) -> Tree:
    """A readable certificate; its one step proves next to nothing, which does not matter to the statement."""
    first = conclusion[0]
    claim = {
        "quantity": "border_rank",
        "units": first["units"],
        "over": first["field"],
        "relation": ">=",
        "value": 1,
    }
    tree = {
        "format": "rankproof-certificate",
        "version": 1,
        "target": target,
        "steps": [{"rule": "nonzero", "claim": claim, "premises": [], "witness": {}}],
        "conclusion": conclusion,
        "producer": {},
    }
    return {**tree, "number_fields": fields} if fields else tree


def document(target: Tree, conclusion: list[Tree], fields: list[Tree] | None = None) -> Document:
    return read_document(certificate(target, conclusion, fields))


def reason(text: str, about: Document) -> str | None:
    return unmet(text, about, claim_hash(about))


W = form(2, 3, [[[0, 0, 1], 1]], "x y")
CONCLUSION = [
    answer("tied", "CC", 3, 3),
    answer("tied", "QQ", 3, 3),
    answer("tied", "RR", 3, 4),
    answer("tied", "CC", 2, 2, "border_rank"),
    answer("untied", "CC", 1),
    answer("tied", "GF(7)", 2),
]
ABOUT = document(W, CONCLUSION)
ROOT = {"symbol": "a", "minimal_polynomial": [-2, 0, 1], "real_root": [1, 2]}


# What is printed


def test_answers_that_agree_share_a_line_and_every_line_names_its_fields() -> None:
    assert statements(ABOUT) == (
        "tied width of x**2*y = 3 over CC, QQ; width in 3..4 over RR; width >= 2 over GF(7); border width = 2 over CC",
        "untied width of x**2*y >= 1 over CC",
    )
    assert statements(document(W, CONCLUSION[3:5])) == (
        "tied border width of x**2*y = 2 over CC",
        "untied width of x**2*y >= 1 over CC",
    )


def test_a_number_field_is_printed_with_what_its_generator_is() -> None:
    conclusion = [answer("tied", "QQ(a)", 2, 3), answer("untied", "CC", 1)]
    assert statements(document(W, conclusion, [ROOT])) == (
        "tied width of x**2*y in 2..3 over QQ(a), where a**2 - 2 = 0 and 1 < a < 2",
        "untied width of x**2*y >= 1 over CC",
    )
    unreal = {"symbol": "sqrt2", "minimal_polynomial": [5, -3, 0, 1]}
    (line,) = statements(document(W, [answer("tied", "QQ(sqrt2)", 2)], [unreal]))
    assert line.endswith("over QQ(sqrt2), where sqrt2**3 - 3*sqrt2 + 5 = 0")
    # The coefficients of the target live in the field: it is explained although no answer is over it.
    (line,) = statements(
        document(form(1, 2, [[[0, 0], [0, 1]]], ring="QQ(a)"), [answer("tied", "CC", 1)], [ROOT])
    )
    assert line.endswith("over CC, where a**2 - 2 = 0 and 1 < a < 2")


@pytest.mark.parametrize(
    "coefficients, text",
    [
        ([-2, 0, 1], "a**2 - 2 = 0"),
        ([1, 1, 1], "a**2 + a + 1 = 0"),
        ([-1, -1, 0, 1], "a**3 - a - 1 = 0"),
        ([7, 0, -10, 0, 1], "a**4 - 10*a**2 + 7 = 0"),
    ],
)
def test_minimal_polynomials_as_equations(coefficients: list[int], text: str) -> None:
    declared = {"symbol": "a", "minimal_polynomial": coefficients}
    field = document(W, [answer("tied", "QQ(a)", 2)], [declared]).rings["QQ(a)"].number_field
    assert field is not None
    assert equation(field) == text


@pytest.mark.parametrize(
    "target, text",
    [
        (W, "x**2*y"),
        (form(2, 3, [[[0, 0, 1], 1]]), "x1**2*x2"),
        (form(2, 2, [[[0, 0], -1], [[0, 1], "-1/2"], [[1, 1], 3]], "x y"), "-x**2 - 1/2*x*y + 3*y**2"),
        (form(2, 2, [[[0, 1, 0], 1], [[1, 1, 2], -4]], "x y", outputs=3), "x*y; 0; -4*y**2"),
        ({"name": "matmul", "parameters": [2, 2, 3]}, "matmul(2,2,3)"),
        ({"name": "complex_product", "parameters": []}, "complex_product"),
        (tensor([[0, 0, 0], 1]), "a target in K^2 x K^3 x K^2 with 1 entries"),
        (form(1, 1, [[[0], str(10**80)]], "x"), "a target in K^1 with 1 entries"),
        (form(3, 64, [[[0] * 64, str(10**80)], [[2] * 64, 1]]), "a target in S^64(K^3) with 2 entries"),
    ],
)
def test_targets_as_a_person_writes_them(target: Tree, text: str) -> None:
    units = "product" if "parameters" in target or len(target["space"]) == 3 else "tied"
    assert target_text(document(target, [answer(units, "CC", 1)]).target) == text


# Expectations


@pytest.mark.parametrize(
    "text",
    [
        "tied width of x**2*y = 3 over CC",
        "tied rank of x**2*y = 3 over CC",
        "  tied   width of x*y*x = 3 over QQ ",
        "tied width of (x + y)**2*y - 2*x*y**2 - y**3 = 3 over CC",
        "tied width of -(-x*x)*y + 0*y**3 = 3 over CC",
        "tied width of 2*x**2*y/4*(3 - 1) = 3 over CC",
        "tied width of x**2*y >= 3 over RR",
        "tied width of x**2*y >= 2 over RR",
        "tied width of x**2*y <= 4 over RR",
        "tied width of x**2*y <= 5 over RR",
        "tied width of x**2*y >= 0 over CC",
        "tied border width of x**2*y = 2 over CC",
        "tied border rank of x**2*y <= 2 over CC",
        "untied width of x**2*y >= 1 over CC",
        "tied width of x**2*y >= 2 over GF(7)",
        "tied width of x**2*y>=2 over GF(7)",
        "tied width of x**2*y + z - z = 3 over CC",
    ],
)
def test_a_statement_that_follows_from_one_line_of_the_conclusion_is_met(text: str) -> None:
    assert reason(text, ABOUT) is None


@pytest.mark.parametrize(
    "text, why",
    [
        ("tied width of x**2*y = 4 over CC", "it states = 3"),
        ("tied width of x**2*y = 2 over CC", "it states = 3"),
        ("tied width of x**2*y >= 4 over CC", "it states = 3"),
        ("tied width of x**2*y <= 2 over CC", "it states = 3"),
        ("tied width of x**2*y = 3 over RR", "it states in 3..4"),
        ("tied width of x**2*y = 4 over RR", "it states in 3..4"),
        ("tied border width of x**2*y = 3 over CC", "it states = 2"),
        ("untied width of x**2*y <= 9 over CC", "it states >= 1"),
        ("untied width of x**2*y = 1 over CC", "it states >= 1"),
        ("tied width of x**2*y >= 2 over GF(5)", "it does not answer this question"),
        ("untied width of x**2*y >= 1 over QQ", "it does not answer this question"),
        ("split width of x**2*y >= 1 over CC", "it does not answer this question"),
        ("mixed:1 width of x**2*y >= 1 over CC", "it does not answer this question"),
        ("untied border width of x**2*y >= 1 over CC", "it does not answer this question"),
        ("tied width of x**2*y >= 2 over QQ(a), where a**2 - 2 = 0", "it does not answer this question"),
        ("tied width of y**2*x = 3 over CC", "it is about x**2*y"),
        ("tied width of 2*x**2*y = 3 over CC", "it is about x**2*y"),
        ("tied width of x**2*z = 3 over CC", "it is about x**2*y"),
        ("tied width of x**2*y + y = 3 over CC", "it is about x**2*y"),
        ("tied width of x**2*y; x**3 = 3 over CC", "it is about x**2*y"),
        ("tied width of x1**2*x2 = 3 over CC", "it is about x**2*y"),
        ("tied width of monomial(1,2) = 3 over CC", "it is about x**2*y"),
        ("tied width of matmul(2,2,2) = 3 over CC", "it is about x**2*y"),
    ],
)
def test_a_statement_about_anything_else_is_refused_with_the_reason(text: str, why: str) -> None:
    assert reason(text, ABOUT) == why


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tied width of x**2*y",
        "tied width of x**2*y = 3",
        "width of x**2*y = 3 over CC",
        "Tied width of x**2*y = 3 over CC",
        "tied width of x**2*y == 3 over CC",
        "tied width of x**2*y < 3 over CC",
        "tied width of x**2*y = -3 over CC",
        "tied width of x**2*y = 3.0 over CC",
        "tied width of x**2*y = 3 over CC, QQ",
        "mixed:0 width of x**2*y = 3 over CC",
        "tied width of x^2*y = 3 over CC",
        "tied width of 0.5*x**2*y = 3 over CC",
        "tied width of x**2*y*sqrt(2) = 3 over CC",
        "tied width of x**(-1) = 3 over CC",
        "tied width of x**y = 3 over CC",
        "tied width of x**2*y/0 = 3 over CC",
        "tied width of x**3*y/x = 3 over CC",
        "tied width of x**65 = 3 over CC",
        "tied width of x**2* = 3 over CC",
        "tied width of True*x = 3 over CC",
        "tied width of __import__('os') = 3 over CC",
        "tied width of matmul(2,2) = 3 over CC",
        "tied width of matmul(0,2,2) = 3 over CC",
        "tied width of x**2*y = 3 over CC, where a**2 - 2 = 0",
        "tied width of x**2*y = 3 over QQ(a)",
        "sha256:123",
        "0" * 63,
        "A" * 64,
    ],
)
def test_a_text_that_is_no_statement_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(BadExpectation):
        reason(text, ABOUT)


def test_an_expected_polynomial_that_is_too_long_or_too_deep_is_not_expanded() -> None:
    for text in ("-" * 200_000 + "x", "(" * 1000 + "x" + ")" * 1000, "x" + "+x" * 100_000):
        with pytest.raises(BadExpectation):
            reason(f"tied width of {text} = 3 over CC", ABOUT)


def test_the_names_of_the_variables_are_those_of_the_certificate() -> None:
    """Without names the variables are x1, x2, ...; with other names the same polynomial has another text."""
    plain = document(form(2, 3, [[[0, 0, 1], 1]]), CONCLUSION[:1])
    assert reason("tied width of x1**2*x2 = 3 over CC", plain) is None
    assert reason("tied width of x**2*y = 3 over CC", plain) == "it is about x1**2*x2"
    swapped = document(form(2, 3, [[[0, 0, 1], 1]], "y x"), CONCLUSION[:1])
    assert reason("tied width of y**2*x = 3 over CC", swapped) is None
    assert reason("tied width of x**2*y = 3 over CC", swapped) == "it is about y**2*x"
    # The claim hash does not know the names.
    assert claim_hash(plain) == claim_hash(swapped)


def test_maps_are_expected_output_by_output() -> None:
    about = document(
        form(2, 2, [[[0, 0, 0], 1], [[0, 1, 1], 2], [[1, 1, 0], -1]], "x y", outputs=2),
        [answer("tied", "RR", 3)],
    )
    assert reason("tied width of x**2 - y**2; 2*x*y >= 3 over RR", about) is None
    assert reason("tied width of (x-y)*(x+y);2*x*y >= 3 over RR", about) is None
    for text in ("2*x*y; x**2 - y**2", "x**2 - y**2", "x**2 - y**2; 2*x*y; 0", "x**2 - y**2; x*y"):
        assert reason(f"tied width of {text} >= 3 over RR", about) == "it is about x**2 - y**2; 2*x*y"
    with_zero = document(
        form(2, 2, [[[0, 0, 0], 1], [[0, 1, 2], 1]], "x y", outputs=3), [answer("tied", "RR", 3)]
    )
    assert reason("tied width of x**2; 0; x*y >= 3 over RR", with_zero) is None
    assert reason("tied width of x**2; x*y; 0 >= 3 over RR", with_zero) is not None


def test_a_named_target_is_the_same_as_its_expansion() -> None:
    named = document({"name": "W", "parameters": [3]}, [answer("product", "CC", 3)])
    entries = [[[0, 0, 1], 1], [[0, 1, 0], 1], [[1, 0, 0], 1]]
    explicit = document(
        {"space": [[2, 1]] * 3, "ring": "QQ", "entries": entries}, [answer("product", "CC", 3)]
    )
    for about in (named, explicit):
        assert reason("product width of W(3) >= 3 over CC", about) is None
        assert reason("product width of W( 3 ) >= 3 over CC", about) is None
        for text in ("W(4)", "GHZ(3)", "unit(2)", "unit(2, 3)", "x*y*z", "complex_product"):
            assert reason(f"product width of {text} >= 3 over CC", about) is not None
    assert claim_hash(named) == claim_hash(explicit)
    product = document({"name": "complex_product", "parameters": []}, [answer("product", "RR", 3)])
    assert reason("product width of complex_product >= 3 over RR", product) is None
    monomial = document({"name": "monomial", "parameters": [2, 1]}, [answer("tied", "CC", 3)])
    for text in ("monomial(2,1)", "x1**2*x2"):
        assert reason(f"tied width of {text} >= 3 over CC", monomial) is None
    assert reason("tied width of monomial(1,2) >= 3 over CC", monomial) == "it is about monomial(2,1)"


def test_a_number_field_is_expected_by_its_equation() -> None:
    about = document(W, [answer("tied", "QQ(a)", 3, 3)], [ROOT])
    assert reason("tied width of x**2*y = 3 over QQ(a), where a**2 - 2 = 0", about) is None
    assert reason("tied width of x**2*y = 3 over QQ(a) , where  a**2-2=0", about) is None
    assert (
        reason("tied width of x**2*y = 3 over QQ(a), where a**2 - 3 = 0", about)
        == "its field has a**2 - 2 = 0"
    )
    other = "tied width of x**2*y = 3 over QQ(b), where b**2 - 2 = 0"
    assert reason(other, about) == "it does not answer this question"


@pytest.mark.parametrize("ring", ["GF(7)", "QQ(a)"])
def test_a_polynomial_with_rational_coefficients_is_no_target_over_another_ring(ring: str) -> None:
    fields = [ROOT] if ring == "QQ(a)" else None
    about = document(form(2, 3, [[[0, 0, 1], 1]], "x y", ring=ring), [answer("tied", ring, 3)], fields)
    suffix = ", where a**2 - 2 = 0" if fields else ""
    assert reason(f"tied width of x**2*y >= 3 over {ring}{suffix}", about) == "it is about x**2*y"
    assert reason(f"tied width of monomial(2,1) >= 3 over {ring}{suffix}", about) == "it is about x**2*y"
    assert reason(claim_hash(about), about) is None


def test_a_claim_hash_is_met_by_that_statement_alone() -> None:
    digest = claim_hash(ABOUT)
    for text in (digest, f"sha256:{digest}", f" {digest}\n"):
        assert reason(text, ABOUT) is None
    assert reason("0" * 64, ABOUT) == f"its claim hash is {digest}"
    changes = [
        document(form(2, 3, [[[0, 0, 1], 2]], "x y"), CONCLUSION),
        document(form(3, 3, [[[0, 0, 1], 1]], "x y z"), CONCLUSION),
        document(form(2, 3, [[[0, 0, 1], 1]], "x y", ring="GF(7)"), CONCLUSION),
        document(W, CONCLUSION[:-1]),
        document(W, [*CONCLUSION[:-1], answer("tied", "GF(7)", 3)]),
        document(W, [*CONCLUSION[:-1], answer("tied", "GF(7)", 2, 2)]),
        document(W, [*CONCLUSION[:-1], answer("tied", "GF(5)", 2)]),
        document(W, [*CONCLUSION[:-1], answer("split", "GF(7)", 2)]),
        document(W, [*CONCLUSION[:-1], answer("tied", "GF(7)", 2, quantity="border_rank")]),
    ]
    assert len({digest, *map(claim_hash, changes)}) == 1 + len(changes)
    # The order of the lines is no part of the statement.
    assert claim_hash(document(W, CONCLUSION[::-1])) == digest


def test_the_number_fields_of_a_statement_are_part_of_its_claim_hash() -> None:
    conclusion = [answer("tied", "QQ(a)", 3)]
    fields = [ROOT, {**ROOT, "real_root": [-2, -1]}, {"symbol": "a", "minimal_polynomial": [-3, 0, 1]}]
    assert len({claim_hash(document(W, conclusion, [field])) for field in fields}) == 3


# Through the verdict


def proved() -> bytes:
    """The target x^2 y is not zero: width at least 1."""
    return json.dumps(certificate(W, [answer("tied", "CC", 1)])).encode()


def test_a_verified_certificate_states_its_conclusion_and_meets_it() -> None:
    plain = verify_bytes(proved())
    assert plain.ok
    assert plain.statements == ("tied width of x**2*y >= 1 over CC",)
    for text in (*plain.statements, plain.claim_hash, f"sha256:{plain.claim_hash}"):
        assert verify_bytes(proved(), expect=text) == plain


def test_a_valid_certificate_of_something_else_is_rejected() -> None:
    verdict = verify_bytes(proved(), expect="tied width of x**2*y >= 2 over CC")
    assert (verdict.word, verdict.exit_status, verdict.code) == ("REJECTED", 1, "expectation")
    assert verdict.message == "the certificate is valid and states something else: it states >= 1"
    assert verdict.statements == ()


def test_a_text_that_is_no_statement_is_an_error_of_the_caller() -> None:
    with pytest.raises(BadExpectation, match="not a statement"):
        verify_bytes(proved(), expect="x**2*y needs three cubes")


def test_a_certificate_that_proves_less_than_it_says_is_rejected_whatever_is_expected() -> None:
    data = json.dumps(certificate(W, [answer("tied", "CC", 3)])).encode()
    verdict = verify_bytes(data, expect="tied width of x**2*y >= 3 over CC")
    assert (verdict.word, verdict.code) == ("REJECTED", "conclusion-differs")
