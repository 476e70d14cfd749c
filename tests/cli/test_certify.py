"""``rankproof certify`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rankproof import certify, verify
from rankproof.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def objects(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> list[dict]:
    """What ``certify --json`` prints."""
    assert main(["certify", "--json", *words]) == status
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def answer(answered: dict, units: str, field: str, quantity: str = "rank") -> tuple[int, int | None]:
    (found,) = [
        (a["lower"], a["upper"])
        for a in answered["answers"]
        if (a["units"], a["field"], a["quantity"]) == (units, field, quantity)
    ]
    return found


def test_the_table_says_what_is_known_and_the_written_file_verifies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["certify", "x**2*y"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("target       x**2*y      degree 3, 2 variables\n")
    assert "untied   w*a^2*b    1    1    1                 1" in printed.out
    assert "\nseparation   tied" in printed.out
    assert "wrote        x2y.json   " in printed.out
    assert [line for line in printed.out.splitlines() if line != line.rstrip() or len(line) > 80] == []
    assert verify(Path("x2y.json")).ok


def test_the_json_object_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "x**2*y")
    assert answered["schema"] == "rankproof/answers/1"
    assert answered["target"] == "x**2*y"
    assert (answered["degree"], answered["variables"], answered["outputs"]) == (3, ["x", "y"], 1)
    assert answer(answered, "untied", "QQ") == (1, 1)
    lower, upper = answer(answered, "tied", "CC", "border_rank")
    assert (lower, upper) == (2, 2)
    assert {"lower_rule", "upper_rule"} <= answered["answers"][0].keys()
    assert answered["certificate"] == "x2y.json"
    assert answered["verified"] is True
    assert answered["theorems"] == []
    assert isinstance(answered["seconds"], float)
    assert verify(Path(answered["certificate"])).ok


def test_units_and_fields_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(
        capsys, "x**2+y**2", "--units", "untied,split", "--field", "GF(7),QQ(i)", "--no-border"
    )
    asked = [(a["units"], a["field"], a["quantity"]) for a in answered["answers"]]
    assert asked == [(u, f, "rank") for u in ("untied", "split") for f in ("GF(7)", "QQ(i)")]


def test_a_rational_target_stays_rational_beside_a_number_field(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "x**2-2*y**2", "--field", "QQ,QQ(sqrt(2))", "--units", "tied")
    assert answer(answered, "tied", "QQ") == (2, 2)


def test_roots_in_coefficients_are_read_in_the_number_field(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "sqrt(2)*x*y", "--units", "untied", "--field", "QQ(sqrt(2)),RR")
    assert answer(answered, "untied", "QQ(sqrt2)") == (1, 1)


def test_an_inhomogeneous_polynomial_is_answered_degree_by_degree(capsys: pytest.CaptureFixture[str]) -> None:
    both = objects(capsys, "x*y + x + 1", "--units", "untied")
    assert [(one["target"], one["degree"], one["part_of"]) for one in both] == [
        ("x*y", 2, "x*y + x + 1"),
        ("x", 1, "x*y + x + 1"),
    ]
    assert main(["certify", "x*y + x + 1", "--no-write"]) == 0
    assert capsys.readouterr().out.count('one degree of "x*y + x + 1"') == 2


def test_units_with_biases_answer_the_homogenisation_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "x**2 + y", "--bias")
    assert (answered["homogenised"], answered["degree"], answered["variables"]) == ("h", 2, ["h", "x", "y"])
    assert answer(answered, "untied", "QQ") == (2, 2)
    assert main(["certify", "x**2 + y", "--bias", "--no-write"]) == 0
    assert "homogenised with h, for units with biases" in capsys.readouterr().out


def test_a_named_target_is_a_tensor_for_product_units(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "complex_product")
    assert (answered["variables"], answered["degree"], answered["outputs"]) == (None, 3, 1)
    lower, upper = answer(answered, "product", "QQ")
    # Three multiplications are enough and needed over QQ (Winograd); over CC two.
    assert lower <= 3
    assert upper is None or upper >= 3


def test_a_target_that_begins_with_a_minus_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    (answered,) = objects(capsys, "-x*y", "--units", "untied")
    assert answered["target"] == "-x*y"


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["x^2"], 3, "write x**2 for x^2"),
        (["0.5*x"], 3, "0.5 is a float; write an exact rational such as 1/2"),
        (["x - x"], 3, "zero"),
        (["nothing.npy"], 3, "there is no file nothing.npy"),
        (["x", "--units", "linear"], 2, "not a kind of unit"),
        (["x", "--field", "GF(6)"], 2, "not a prime"),
        (["x*y", "--units", "mixed:2"], 2, "degree"),
    ],
)
def test_a_mistake_is_answered_with_its_repair(
    words: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certify", *words]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["--budget", "0"], ["--budget", "soon"], ["--seed", "-1"], ["--seed", "x"], ["-o", "a", "--no-write"]],
)
def test_a_wrong_option_is_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "x", *words]) == 2
    assert "usage:" in capsys.readouterr().err


def test_exact_asks_for_closed_intervals() -> None:
    assert main(["certify", "x*y", "--exact", "-q"]) == 0
    # The Waring rank of the determinant of 3x3 matrices is not known.
    determinant = [
        "certify",
        "det(3)",
        "--units",
        "tied",
        "--no-border",
        "--budget",
        "1",
        "-q",
        "-o",
        "det3.json",
    ]
    assert main([*determinant, "--exact"]) == 1
    assert main(determinant) == 0


def test_the_report_says_what_every_method_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "x**2*y", "-v", "--no-write"]) == 0
    text = capsys.readouterr().out
    assert "method " in text
    assert "found: " in text
    (answered,) = objects(capsys, "x**2*y", "--explain")
    assert {"method", "units", "field", "status", "detail", "seconds"} == answered["report"][0].keys()


def test_bounds_by_theorems_are_asked_for_and_make_the_certificate_conditional(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # x*y*z has tied width 4: Carlini, Catalisano, Geramita, J. Algebra 370 (2012).
    (plain,) = objects(capsys, "x*y*z", "--units", "tied")
    (answered,) = objects(capsys, "x*y*z", "--units", "tied", "--theorems")
    assert plain["theorems"] == []
    assert answer(answered, "tied", "CC") == (4, 4)
    if answered["theorems"]:
        assert answered["verified"] is False
        assert main(["certify", "x*y*z", "--units", "tied", "--theorems"]) == 0
        assert "conditional  on " in capsys.readouterr().out


def test_quiet_prints_nothing_and_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "x*y", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert Path("xy.json").exists()


def test_the_producer_names_the_command() -> None:
    assert main(["certify", "x*y", "-q", "--seed", "3"]) == 0
    producer = json.loads(Path("xy.json").read_bytes())["producer"]
    assert producer["command"] == "rankproof certify 'x*y' -q --seed 3"
    assert producer["seed"] == 3


def test_an_array_of_integers_is_a_tensor(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("identity.npy", np.eye(2, dtype=int))
    (answered,) = objects(capsys, "identity.npy")
    assert answer(answered, "product", "QQ") == (2, 2)
    assert answered["certificate"] == "identity.json"


def test_floats_in_an_array_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("half.npy", np.array([[0.5, 1.0]]))
    assert main(["certify", "half.npy"]) == 3
    assert "half.npy" in capsys.readouterr().err


def test_a_target_can_be_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("form.json").write_text('{"space": [[2, 2]], "ring": "QQ", "entries": [[[0, 1], 1]]}')
    (answered,) = objects(capsys, "form.json", "--units", "untied", "-o", "out.json")
    assert answer(answered, "untied", "QQ") == (1, 1)
    Path("named.json").write_text('{"name": "W", "parameters": [3]}')
    (answered,) = objects(capsys, "named.json", "-o", "w.json")
    assert answered["target"] == "W(3)"
    Path("broken.json").write_text('{"name"')
    assert main(["certify", "broken.json"]) == 3


def test_unicode_in_file_names_and_no_utf8_terminal(here: Path) -> None:
    np.save("größe.npy", np.eye(2, dtype=int))
    done = subprocess.run(
        [sys.executable, "-m", "rankproof", "certify", "größe.npy", "-o", "x.json"],
        capture_output=True,
        timeout=60,
        env={"PYTHONIOENCODING": "ascii", "PATH": "", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stderr


def test_floors_of_smaller_widths_are_certified_with_the_widths(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "x*y*z", "--floor", "--border"]) == 0
    printed = capsys.readouterr().out
    assert "floor        tied width 1: E|f - g|^2 >= 2/3 for x ~ N(0, I) and every g of" in printed
    assert "untied width 1: E|f - g|^2 >= 1/3" in " ".join(printed.split())
    verdict = verify(Path("xyz.json"))
    assert verdict.ok
    assert any(
        "tied gaussian floor at width 1 of x*y*z >= 2/3 over RR" in said for said in verdict.statements
    )
    assert [line for line in printed.splitlines() if line != line.rstrip() or len(line) > 80] == []

    (answered,) = objects(capsys, "x**2*y", "--floor", "--no-write")
    # At width 2, below the rank 3, two tied units come arbitrarily close.
    assert answered["floors"] == [{"units": "tied", "width": 1, "loss": "gaussian", "floor": "2/3"}]
    assert answered["verified"] is True
    (answered,) = objects(capsys, "unit(3)", "--floor", "--no-write")
    assert [(f["width"], f["loss"], f["floor"]) for f in answered["floors"]] == [
        (1, "frobenius", "2"),
        (2, "frobenius", "1"),
    ]
    (answered,) = objects(capsys, "x", "--no-write")
    assert "floors" not in answered
    assert main(["certify", "x*y", "--field", "GF(5)", "--floor", "--no-write", "-q"]) == 0


def test_floors_in_the_library() -> None:
    found = certify("x*y*z", units="tied", floor=True)
    assert [(f.quantity.width, f.lower) for f in found.floors][:1] == [(1, Fraction(2, 3))]
    assert verify(found.certificate).ok
    assert certify("x*y", units="tied").floors == ()
