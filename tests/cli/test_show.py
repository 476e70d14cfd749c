"""``rankproof show``: what is in a certificate, and NOT VERIFIED unless it is."""

from __future__ import annotations

import json
import shutil
import subprocess
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
    # The verifier inside a page knows the words VERIFIED and more; what the page says stands before it.
    return printed.out.partition("<script>")[0]


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
            assert "NOT VERIFIED" in printed.out.partition("<script>")[0]
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


def test_a_page_or_a_document_is_printed_or_written(capsys: pytest.CaptureFixture[str]) -> None:
    printed = shown(capsys, "x2y.json", "--html")
    assert printed.startswith("<!DOCTYPE html>")
    assert shown(capsys, "--html", "x2y.json") == printed
    assert shown(capsys, "x2y.json", "--html", "out.html").startswith("wrote out.html   ")
    assert Path("out.html").read_text(encoding="utf-8").startswith(printed)
    assert shown(capsys, "x2y.json", "--latex", "out.tex").startswith("wrote out.tex   ")
    document = Path("out.tex").read_text(encoding="utf-8")
    assert shown(capsys, "x2y.json", "--latex").strip() in document
    assert document.startswith(r"\documentclass")
    assert shown(capsys, "x2y.json", "--graph", "out.svg").startswith("wrote out.svg   ")


def test_a_certificate_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("x2y.json").read_bytes()
    for words in (["out.json", "--html", "x2y.json"], ["x2y.json", "--latex", "x2y.json"]):
        assert main(["show", *words]) == 2
        assert "ends with" in capsys.readouterr().err
    assert Path("x2y.json").read_bytes() == before
    assert main(["show"]) == 2
    assert "no file is named" in capsys.readouterr().err
    assert main(["show", "x2y.json", "--html", "no/such/folder.html"]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_the_programs_for_other_systems_are_printed_with_the_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    claim = verify(Path("x2y.json")).claim_hash
    for option, comment in (("--sympy", "#"), ("--macaulay2", "--")):
        text = shown(capsys, "x2y.json", option)
        assert text.startswith(f"{comment} x**2*y\n{comment} VERIFIED\n{comment} claim {claim}\n")
        assert "NOT VERIFIED: REJECTED" in shown(capsys, changed("false.json", claim_more), option, status=1)


@pytest.mark.external
def test_latex_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("pdflatex is not installed")
    parts = [shown(capsys, "x2y.json", "--latex")]
    for target in ("x**2-y**2; 2*x*y", "sqrt(3)*x_1*alpha", "matmul(2,2,2)", "W(3)"):
        assert main(["certify", target, "-q", "-o", "t.json"]) == 0
        parts.append(shown(capsys, "t.json", "--latex"))
    parts.append(shown(capsys, changed("false.json", claim_more), "--latex", status=1))

    def sign(document: dict) -> None:
        document["steps"][0]["rule"] = "a_b%^~\\{}$&#<\u00e9>"

    parts.append(shown(capsys, changed("odd.json", sign), "--latex", status=3))
    shown(capsys, "x2y.json", "--latex", "x2y.tex")
    head, end = Path("x2y.tex").read_text(encoding="utf-8").split(parts[0].strip())
    Path("all.tex").write_text(head + "\n\n".join(parts) + end, encoding="utf-8")
    done = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert Path("all.pdf").read_bytes().startswith(b"%PDF")


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
