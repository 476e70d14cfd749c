"""``rankproof convert``: from any format to any other, and nothing that the verifier does not accept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from formats.small_schemes import BINI, as_npz, as_text, schoolbook, strassen

from rankproof.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("strassen.txt").write_text(as_text(strassen()))
    return tmp_path


def test_a_scheme_goes_round_through_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    round_trip = ["a.exp", "b.npz", "c.json", "d.txt", "e.exp"]
    source = "strassen.txt"
    for name in round_trip:
        assert main(["convert", source, name]) == 0
        line = capsys.readouterr().out
        assert line.startswith(f"wrote {name}  ")
        assert line.endswith("decomposition of matmul(2,2,2), 7 products over ZZ, 18 additions\n")
        source = name
    assert main(["verify", *round_trip]) == 0
    products = [Path(name).read_text().splitlines()[3:] for name in ("a.exp", "e.exp")]
    assert products[0] == products[1]


def test_a_certificate_of_a_family_becomes_text_and_no_array(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bini.txt").write_text(BINI)
    assert main(["convert", "bini.txt", "bini.json"]) == 0
    assert main(["convert", "bini.json", "again.txt"]) == 0
    assert main(["convert", "bini.json", "bini.npz"]) == 2
    assert "depend on eps" in capsys.readouterr().err
    assert not Path("bini.npz").exists()
    assert main(["verify", "again.txt", "--as", "matmul(3,2,2)"]) == 0
    assert "border width" in capsys.readouterr().out


def test_what_is_wrong_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    A, B, C = strassen()
    C[0, 0] += 3
    Path("wrong.txt").write_text(as_text((A, B, C)))
    assert main(["convert", "wrong.txt", "wrong.exp"]) == 1
    assert "wrong.txt: rejected, wrong.txt is not matmul(2,2,2)" in capsys.readouterr().err
    Path("odd.txt").write_text("hello\n")
    assert main(["convert", "odd.txt", "odd.exp"]) == 3
    assert main(["convert", "strassen.txt", "small.exp", "--as", "matmul(2,2,3)"]) == 1
    assert main(["convert", "absent.txt", "absent.exp"]) == 2
    assert list(Path().glob("*.exp")) == []


def test_a_certificate_that_fails_is_not_converted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "strassen.txt", "s.json"]) == 0
    certificate = json.loads(Path("s.json").read_bytes())
    certificate["steps"][0]["witness"]["units"][0][0][0] = 5
    Path("false.json").write_text(json.dumps(certificate))
    assert main(["convert", "false.json", "false.exp"]) == 1
    assert "rejected" in capsys.readouterr().err
    assert main(["certify", "x**2*y", "-q", "-o", "x2y.json"]) == 0
    assert main(["convert", "x2y.json", "x2y.exp"]) == 3
    assert "writes down no products of vectors" in capsys.readouterr().err
    assert main(["convert", "s.json", "t.exp", "--as", "matmul(2,2,2)"]) == 2


def test_one_scheme_of_several_is_chosen_or_all_go_to_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.npz").write_bytes(as_npz(_2_2_2=strassen(), _1_2_3=schoolbook(1, 2, 3)))
    assert main(["convert", "two.npz", "x.exp"]) == 2
    assert "holds 2 schemes; choose one with --scheme: 2,2,2 1,2,3" in capsys.readouterr().err
    assert main(["convert", "two.npz", "x.exp", "--scheme", "1,2,3"]) == 0
    assert "matmul(1,2,3), 6 products" in capsys.readouterr().out
    assert main(["convert", "two.npz", "y.exp", "--as", "matmul(2,2,2)"]) == 0
    assert main(["convert", "two.npz", "z.exp", "--scheme", "3,3,3"]) == 2
    assert "holds no scheme '3,3,3'; it holds 2,2,2 1,2,3" in capsys.readouterr().err
    assert main(["convert", "two.npz", "texts/"]) == 2
    assert main(["convert", "two.npz", "texts/", "--format", "exp"]) == 0
    assert sorted(path.name for path in Path("texts").iterdir()) == ["two-1-2-3.exp", "two-2-2-2.exp"]


def test_files_are_overwritten_only_by_force(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.exp").write_text("mine")
    assert main(["convert", "strassen.txt", "s.exp"]) == 2
    assert "exists" in capsys.readouterr().err
    assert Path("s.exp").read_text() == "mine"
    assert main(["convert", "strassen.txt", "s.exp", "--force"]) == 0
    assert Path("s.exp").read_text().startswith("# matmul(2,2,2)")
    assert [path.name for path in Path().iterdir() if "partial" in path.name] == []


def test_the_console_gets_the_file_and_nothing_else(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", "strassen.txt", "-"]) == 2
    capfdbinary.readouterr()
    assert main(["convert", "strassen.txt", "-", "--format", "json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["n"] == [2, 2, 2]


def test_symbols_get_their_values(capsys: pytest.CaptureFixture[str]) -> None:
    Path("family.txt").write_text(
        "A = [a 0; 0 1]\nB = [1/a 0; 0 1]\nC = [1 0; 0 1]\n".replace("1/a 0; 0 1", "1/a, 0; 0, 1")
    )
    assert main(["convert", "family.txt", "f.exp", "--as", "unit(2,3)"]) == 3
    assert "a has no value; give it one, as in --let a=1" in capsys.readouterr().err
    assert main(["convert", "family.txt", "f.exp", "--as", "unit(2,3)", "--let", "a=sqrt(2)"]) == 0
    assert "over QQ(sqrt2)" in capsys.readouterr().out
    for wrong in ("a", "a=b", "a=1/0", "=1"):
        assert main(["convert", "family.txt", "g.exp", "--as", "unit(2,3)", "--let", wrong]) == 2


def test_arrays_read_back_in_numpy() -> None:
    assert main(["convert", "strassen.txt", "s.npz"]) == 0
    A, B, C = strassen()
    with np.load("s.npz", allow_pickle=False) as archive:
        u, v, w = (archive[key] for key in "uvw")
    assert np.array_equal(u, A)
    assert np.array_equal(v, B)
    assert np.array_equal(w.reshape(2, 2, 7).transpose(1, 0, 2).reshape(4, 7), C)
