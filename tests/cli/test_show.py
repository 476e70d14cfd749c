"""``rankproof show``: what is in a certificate, and NOT VERIFIED unless it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankproof import verify
from rankproof.cli import main

CORPUS = Path(__file__).resolve().parents[1] / "corpus"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["certify", "x**2*y", "-q"]) == 0
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["show", *words]) == status
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def changed(name: str, change) -> str:
    document = json.loads(Path("x2y.json").read_bytes())
    change(document)
    Path(name).write_text(json.dumps(document))
    return name


def claim_more(document: dict) -> None:
    document["conclusion"][0]["lower"] += 1


def test_a_verified_certificate_is_shown_with_its_hashes_and_every_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = shown(capsys, "x2y.json")
    verdict = verify(Path("x2y.json"))
    assert text.startswith("verdict      VERIFIED\n")
    assert "NOT VERIFIED" not in text
    assert verdict.sha256 in text
    assert verdict.claim_hash in text
    steps = json.loads(Path("x2y.json").read_bytes())["steps"]
    for index, step in enumerate(steps):
        assert f"step {index} " in text
        assert f"by {step['rule']}" in text
    assert "x**2*y = 1/" in text
    assert "made by      rankproof" in text


@pytest.mark.parametrize("form", [[], ["--latex"], ["--html"]])
def test_a_false_certificate_is_shown_as_not_verified_in_every_form(
    form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, changed("false.json", claim_more), *form, status=1)
    assert "NOT VERIFIED" in text
    assert "conclusion-differs" in text
    assert "VERIFIED" not in text.replace("NOT VERIFIED", "")


@pytest.mark.parametrize("form", [[], ["--latex"], ["--html"]])
def test_without_the_verifier_nothing_is_called_verified(
    form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, "x2y.json", "--no-verify", *form)
    assert "NOT VERIFIED" in text
    assert "VERIFIED" not in text.replace("NOT VERIFIED", "")


def test_a_conditional_certificate_is_verified_only_for_who_accepts_the_theorem(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("c.json").write_bytes((CORPUS / "accept/coprime-monomials/xyz-and-uvw.json").read_bytes())
    verdict = verify(Path("c.json"))
    assert verdict.theorems
    text = shown(capsys, "c.json", status=5)
    assert text.startswith("verdict      NOT VERIFIED  CONDITIONAL on ")
    accepting = [word for theorem in verdict.theorems for word in ("--accept-theorem", theorem)]
    assert shown(capsys, "c.json", *accepting).startswith("verdict      VERIFIED  accepting ")


def test_a_damaged_witness_is_shown_and_not_verified(capsys: pytest.CaptureFixture[str]) -> None:
    def drop_a_coordinate(document: dict) -> None:
        for step in document["steps"]:
            if step["rule"] == "decomposition":
                step["witness"]["units"][0][0].pop()

    def forget_the_orders(document: dict) -> None:
        for step in document["steps"]:
            step["witness"].pop("orders", None)

    for change in (drop_a_coordinate, forget_the_orders):
        for form in ([], ["--latex"], ["--html"]):
            assert main(["show", changed("damaged.json", change), *form]) == 3
            printed = capsys.readouterr()
            assert "NOT VERIFIED" in printed.out
            assert printed.err == ""


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"format": "rankproof-certificate", "version": 7}', "\xff"]
)
def test_a_file_that_is_no_certificate_is_refused_with_its_name(
    content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("other.json").write_text(content, encoding="latin-1")
    assert main(["show", "other.json"]) == 3
    assert capsys.readouterr().err.startswith("rankproof: other.json: ")


def test_units_beyond_the_asked_number_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "matmul(2,2,2)", "-q"]) == 0
    for form in ([], ["--latex"], ["--html"]):
        assert " more" in shown(capsys, "matmul-2-2-2.json", "--units", "2", *form)
        assert " more" not in shown(capsys, "matmul-2-2-2.json", *form)
    assert main(["show", "x2y.json", "--units", "0"]) == 2


def test_a_formula_is_never_cut_at_the_margin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    target = f"{'x' * 30}**2*{'y' * 30}"
    assert main(["certify", target, "-q", "-o", "long.json"]) == 0
    text = shown(capsys, "long.json")
    assert f"\n{' ' * 21}{target}\n" in text


def test_latex_balances_its_braces_and_environments(capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("x**2*y", "x**2-y**2; 2*x*y", "sqrt(3)*x_1*y", "matmul(2,2,2)", "W(3)"):
        assert main(["certify", target, "-q", "-o", "t.json"]) == 0
        text = shown(capsys, "t.json", "--latex")
        assert text.startswith("% VERIFIED by rankproof\n")
        assert text.count("{") == text.count("}")
        for environment in ("itemize", "enumerate", "align*"):
            assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}")
        assert "_{" in text or "x" in text


def test_html_is_well_formed_and_escapes_what_the_file_says(capsys: pytest.CaptureFixture[str]) -> None:
    from html.parser import HTMLParser

    class Balance(HTMLParser):
        """Tags that must be closed, and are."""

        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag, attrs) -> None:
            if tag not in ("meta", "br"):
                self.open.append(tag)

        def handle_endtag(self, tag) -> None:
            assert self.open.pop() == tag

    def sign(document: dict) -> None:
        document["producer"] = {"program": "<script>alert(1)</script>"}

    text = shown(capsys, changed("signed.json", sign), "--html")
    balance = Balance()
    balance.feed(text)
    assert balance.open == []
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_control_characters_of_a_foreign_producer_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def sign(document: dict) -> None:
        document["producer"] = {"program": "\x1b[2J\x1b]0;title\x07", "milliseconds": -1, "deep": {"a": [1]}}

    text = shown(capsys, changed("signed.json", sign))
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.parametrize("units", ["loose", "product", "mixed:9", "\x1b[2J"])
def test_units_that_do_not_exist_or_do_not_fit_are_refused(
    units: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def rename(document: dict) -> None:
        document["conclusion"][0]["units"] = units

    assert main(["show", changed("other.json", rename)]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("rankproof: other.json: ")
    assert "\x1b" not in printed.err


def test_a_rule_of_another_program_is_shown_with_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    def rename(document: dict) -> None:
        document["steps"][0].update(rule="oracle", witness={"says": "so"})

    text = shown(capsys, changed("other.json", rename), status=3)
    assert "by oracle" in text
    assert '{"says": "so"}' in text
