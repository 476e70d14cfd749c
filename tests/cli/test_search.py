"""``rankproof search``: what is printed, what is written, and the exit statuses."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from external import data_folder

from rankproof.cli import main
from rankproof.verifier import verify_bytes


def run(capsys, *arguments):
    status = main(["search", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_strassens_rank_is_found_and_its_certificate_verified(capsys, in_a_folder):
    status, out, _ = run(capsys, "matmul(2,2,2)", "--width", "7")
    assert status == 0
    assert "7 product units over RR, seed 0" in out and "7 units over QQ, from start" in out
    verdict = verify_bytes((in_a_folder / "matmul-2-2-2.json").read_bytes())
    assert verdict.ok and verdict.conclusion
    assert re.search(r"wrote +matmul-2-2-2.json", out)


def test_too_small_a_width_exits_with_four_and_writes_nothing(capsys, in_a_folder):
    status, out, err = run(capsys, "W(3)", "--width", "2", "--starts", "16")
    assert status == 4 and list(in_a_folder.iterdir()) == []
    assert "none of 16 starts reaches 2 product units over RR" in err
    assert "as near a border rank" in " ".join(out.split())


def test_json_says_everything_in_one_object(capsys, in_a_folder):
    status, out, _ = run(capsys, "x*y", "--units", "tied", "--width", "2", "--json", "-o", "found.json")
    said = json.loads(out)
    assert status == 0 and said["schema"] == "rankproof/search/1"
    assert said["verified"] and said["certificate"] == "found.json" and said["found"]["width"] == 2
    assert said["solutions"] <= said["starts"] == len(said["steps"])
    assert verify_bytes((in_a_folder / "found.json").read_bytes()).ok


def test_json_of_a_failure_has_no_certificate(capsys):
    status, out, err = run(capsys, "W(3)", "--width", "2", "--starts", "8", "--json")
    said = json.loads(out)
    assert (
        status == 4 and err and said["found"] is None and said["certificate"] is None and not said["verified"]
    )


def test_the_field_is_where_the_coordinates_lie(capsys):
    options = ("x**2*y**2", "--units", "tied", "--width", "3", "--no-write", "--json", "--starts", "16")
    assert run(capsys, *options, "--field", "QQ")[0] == 4
    status, out, _ = run(capsys, *options, "--field", "CC")
    assert status == 0 and json.loads(out)["found"]["ring"] == "QQ(sqrtm3)"


def test_quiet_prints_nothing_and_writes_the_certificate(capsys, in_a_folder):
    assert run(capsys, "x*y", "--units", "tied", "--width", "2", "-q") == (0, "", "")
    assert [path.name for path in in_a_folder.iterdir()] == ["xy.json"]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("x*y", "--width", "2"), "--units"),
        (("x*y", "--units", "tied,untied", "--width", "2"), "one kind"),
        (("x*y", "--units", "product", "--width", "2"), "product"),
        (("x*y", "--units", "tied", "--width", "2", "--field", "GF(7)"), "RR or CC"),
        (("x*y", "--units", "tied", "--width", "2", "-o", "nowhere/x.json"), "does not exist"),
    ],
)
def test_wrong_usage_is_refused_in_words(capsys, arguments, sentence):
    status, _, err = run(capsys, *arguments)
    assert status == 2 and sentence in err


@pytest.mark.parametrize(
    "option", [("--width", "0"), ("--seed", "-1"), ("--budget", "0"), ("--processes", "x")]
)
def test_impossible_numbers_are_refused(capsys, option):
    assert (
        run(capsys, "x*y", "--units", "tied", *(() if option[0] == "--width" else ("--width", "2")), *option)[
            0
        ]
        == 2
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "array, width, status",
    [
        (np.ones((2, 3, 4), dtype=int), "2", 0),
        (np.ones((2, 3, 4), dtype=bool), "1", 0),
        (
            np.eye(2, dtype=np.int8)[:, :, None] * np.ones(2, dtype=np.uint64),
            "2",
            3,
        ),  # numpy makes floats of it
        (np.arange(8, dtype=np.uint8).reshape(2, 2, 2), "25", 0),
        (np.zeros((2, 3, 4), dtype=int), "1", 3),
        (np.full((2, 2), np.nan), "1", 3),
        (np.full((2, 2), 0.5), "1", 3),
    ],
    ids=["ones at 2", "bool", "mixed", "far above the maximum", "zero", "nan", "float"],
)
def test_odd_arrays_are_searched_or_refused_without_a_warning(capsys, array, width, status):
    np.save("odd.npy", array)
    found, _, err = run(capsys, "odd.npy", "--width", width, "--starts", "16", "--no-write")
    assert found == status and ("odd.npy" in err) == (status == 3)


@pytest.mark.parametrize(
    "text, units, width, field",
    [
        ("x**2*y", "untied", 1, "RR"),
        ("x**2*y**2 + z**4", "mixed:2", 2, "RR"),
        ("x*y*z + x**3", "split", 2, "CC"),
        ("x**2 - y**2; 2*x*y", "untied", 2, "CC"),
        ("x**2 - y**2; 2*x*y", "tied", 3, "QQ"),
        ("complex_product", "product", 2, "CC"),
    ],
)
def test_every_kind_of_unit_can_be_searched_for(capsys, text, units, width, field):
    status, out, _ = run(
        capsys, text, "--units", units, "--width", str(width), "--field", field, "--no-write", "--json"
    )
    said = json.loads(out)
    assert status == 0 and said["verified"] and said["units"] == units and said["found"]["width"] <= width


def test_units_that_are_only_proved_to_be_near_are_called_so(capsys):
    options = ("--units", "tied", "--width", "3", "--field", "CC", "--starts", "24", "--no-write")
    quintic = "x**5 - x**4*y + 3*x**3*y**2 + x**2*y**3 - 7*x*y**4 + 2*y**5"
    status, out, _ = run(capsys, quintic, *options)
    assert status == 0 and "proved near 3 exact units over CC" in " ".join(out.split())


def test_an_inhomogeneous_polynomial_is_refused(capsys):
    status, _, err = run(capsys, "x**2 + y", "--units", "tied", "--width", "2")
    assert status == 3 and "one homogeneous part" in err


MODULO_TWO = "google-deepmind+alphatensor/algorithms/factorizations_f2.npz"

STRASSEN_MOD_2 = """\
1 0 1 0 1 1 0
0 0 0 0 1 0 1
0 1 0 0 0 1 0
1 1 0 1 0 0 1
#
1 1 0 1 0 1 0
0 0 1 0 0 1 0
0 0 0 1 0 0 1
1 0 1 0 1 0 1
#
1 0 0 1 1 0 1
0 0 1 0 1 0 0
0 1 0 1 0 0 0
1 1 1 0 0 1 0
"""


def test_a_scheme_modulo_two_is_lifted(capsys, in_a_folder):
    (in_a_folder / "mod2.txt").write_text(STRASSEN_MOD_2)
    status, out, _ = run(capsys, "matmul(2,2,2)", "--lift", "mod2.txt", "-o", "lifted.json")
    assert status == 0 and "7 products over GF(2), mod2.txt" in out and "7 products over QQ" in out
    assert verify_bytes((in_a_folder / "lifted.json").read_bytes()).ok
    assert run(capsys, "matmul(2,2,2)", "--lift", "lifted.json", "--no-write")[0] == 2
    assert run(capsys, "matmul(2,2,2)", "--lift", "absent.txt", "--no-write")[0] == 2
    assert run(capsys, "matmul(2,2,2)", "--no-write")[0] == 2


@pytest.mark.parametrize(
    "key, width", [("2,2,2", 7), ("3,3,3", 23), ("3,4,5", 47), ("2,4,5", 33), ("4,5,5", 76)]
)
def test_published_schemes_modulo_two_are_lifted(capsys, in_a_folder, key, width):
    file = str(data_folder() / MODULO_TWO)
    options = ("--lift", file, "--scheme", key, "-o", "lifted.json", "--json")
    status, out, _ = run(capsys, f"matmul({key})", *options)
    said = json.loads(out)
    assert (status, said["width"], said["from"], said["ring"]) == (0, width, "GF(2)", "QQ")
    assert verify_bytes((in_a_folder / "lifted.json").read_bytes()).ok


@pytest.mark.parametrize("key", ["4,4,4"])
def test_schemes_that_hold_modulo_two_only_are_not_lifted(capsys, in_a_folder, key):
    file = str(data_folder() / MODULO_TWO)
    status, _, err = run(capsys, f"matmul({key})", "--lift", file, "--scheme", key)
    assert status == 4 and "no rational scheme was found" in err and list(in_a_folder.iterdir()) == []
