"""sympy and Macaulay2 agree with explicit sums of units, and with none that is wrong."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rankproof import certify
from rankproof.certificate.document import Certificate
from rankproof.errors import FormatError, UsageError
from rankproof.show.recheck import macaulay2, sympy

CORPUS = Path(__file__).resolve().parents[1] / "corpus"

TARGETS = {
    "x**2*y": {},
    "x**2-y**2; 2*x*y": {},
    "sqrt(3)*x_1*y": {"units": "tied", "field": "RR"},
    "lambda*eps**2": {},
    "W(3)": {},
    "matmul(2,2,2)": {},
}


@cache
def certificate(text: str) -> Certificate:
    return certify(text, **TARGETS[text], budget=2).certificate


def finite() -> Certificate:
    return certify("x*y + z**2", units="untied", field="GF(7)").certificate


def run(program: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    exec(compile(program, "recheck.py", "exec"), {})
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("text", TARGETS)
def test_sympy_finds_every_explicit_sum_of_units_right(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = certificate(text)
    explicit = [step for step in shown.steps if step.rule in ("decomposition", "border-family")]
    assert len(run(sympy(shown, None), capsys)) == len(explicit)


def test_sympy_computes_modulo_p(capsys: pytest.CaptureFixture[str]) -> None:
    program = sympy(finite(), None)
    assert "modulus=7" in program
    assert run(program, capsys)


def spoilt(shown: Certificate, rule: str) -> Certificate:
    """The certificate with one coordinate of the first unit changed."""

    def wrong(units: list) -> list:
        first = [list(vector) for vector in units[0]]
        first[-1][0] = "17/16"
        return [first, *units[1:]]

    steps = tuple(
        replace(step, witness={**step.witness, "units": wrong(step.witness["units"])})
        if step.rule == rule
        else step
        for step in shown.steps
    )
    assert steps != shown.steps
    return replace(shown, steps=steps)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("x**2*y", "decomposition"),
        ("x**2-y**2; 2*x*y", "decomposition"),
        ("matmul(2,2,2)", "decomposition"),
        ("sqrt(3)*x_1*y", "decomposition"),
        ("W(3)", "border-family"),
        ("x**2*y", "border-family"),
    ],
)
def test_a_changed_coordinate_stops_the_program(
    text: str, rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError):
        run(sympy(spoilt(certificate(text), rule), None), capsys)


def test_more_units_than_claimed_stop_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    shown = certificate("x**2*y")
    steps = tuple(
        replace(step, claim=replace(step.claim, value=step.claim.value - 1))
        if step.claim.relation == "<="
        else step
        for step in shown.steps
    )
    with pytest.raises(AssertionError):
        run(sympy(replace(shown, steps=steps), None), capsys)


def test_steps_that_are_not_explicit_are_named() -> None:
    data = (CORPUS / "accept" / "apolar-form").glob("*.json")
    shown = Certificate.from_bytes(next(iter(sorted(data))).read_bytes())
    with pytest.raises(UsageError, match="explicit sum of units"):
        sympy(shown, None)
    both = replace(certificate("x**2*y"), steps=(*certificate("x**2*y").steps, *shown.steps))
    assert "not an explicit sum of units, not checked here" in sympy(both, None)


def test_units_of_another_shape_are_refused() -> None:
    shown = certificate("x**2*y")
    steps = tuple(
        replace(step, witness={**step.witness, "units": [[[1, 2, 3], [1]]]})
        if step.rule == "decomposition"
        else step
        for step in shown.steps
    )
    with pytest.raises(FormatError, match="step"):
        sympy(replace(shown, steps=steps), None)


def test_what_a_file_says_stays_in_the_comments() -> None:
    shown = certificate("x**2*y")
    hostile = "x\nimport os"
    shown = replace(
        shown,
        target=replace(shown.target, text=hostile),
        steps=(replace(shown.steps[-1], rule=hostile), *shown.steps),
    )
    for program in (sympy(shown, None), macaulay2(shown, None)):
        assert not any(line.startswith("import os") for line in program.splitlines())


@pytest.mark.external
def test_macaulay2_finds_every_explicit_sum_of_units_right_and_a_changed_one_wrong(tmp_path: Path) -> None:
    program = shutil.which("M2")
    if program is None:
        pytest.skip("Macaulay2 (M2) is not installed")
    parts = [macaulay2(certificate(text), None) for text in TARGETS] + [macaulay2(finite(), None)]
    parts += [
        # try ... then ... else turns the error that has to come into a word.
        f'print try ({_inline(macaulay2(spoilt(certificate(text), rule), None))}; true) then "missed" else "stopped"'
        for text, rule in (("x**2*y", "decomposition"), ("W(3)", "border-family"))
    ]
    script = tmp_path / "all.m2"
    script.write_text("\n".join(parts), encoding="utf-8")
    done = subprocess.run(
        [program, "--script", str(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    explicit = [
        step
        for shown in (*map(certificate, TARGETS), finite())
        for step in shown.steps
        if step.rule in ("decomposition", "border-family")
    ]
    assert sum(line.endswith(("add up to f", "tend to f")) for line in lines) >= len(explicit)
    assert [line for line in lines if line in ("missed", "stopped")] == ["stopped", "stopped"]


def _inline(program: str) -> str:
    lines = [line for line in program.splitlines() if line and not line.startswith("--")]
    return " ".join(
        line if line.endswith((";", "{", ",")) or line.startswith("    ") else f"{line};" for line in lines
    ).rstrip("; ")
