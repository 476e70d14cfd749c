"""``rankproof verify FOLDER``: a table of all schemes below it; and ``show`` of somebody's scheme."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from external import data_folder
from formats.small_schemes import BINI, as_npz, as_text, schoolbook, strassen

from rankproof.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def schemes() -> Path:
    """One of everything."""
    folder = Path("schemes")
    (folder / "below").mkdir(parents=True)
    (folder / "strassen.txt").write_text(as_text(strassen()))
    A, B, C = strassen()
    C[0, 0] += 1
    (folder / "wrong.txt").write_text(as_text((A, B, C)))
    (folder / "README.md").write_text("# Schemes\n\nFour of them.\n")
    (folder / "below" / "two.npz").write_bytes(as_npz(_1_2_3=schoolbook(1, 2, 3), _2_2_2=strassen()))
    (folder / "below" / "bini").write_text(BINI)
    (folder / "below" / "ragged").write_text("1 2\n#\n1\n#\n1\n")
    circuit = np.ones((2, 3, 4), dtype=bool)
    (folder / "below" / "circuits.npz").write_bytes(as_npz(toffoli=list(circuit)))
    assert main(["convert", "schemes/strassen.txt", "schemes/strassen.json"]) == 0
    return folder


def rows(text: str) -> dict[str, str]:
    return {line.split()[0]: line for line in text.splitlines() if line}


def test_a_folder_is_a_table(schemes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", "schemes"]) == 1
    text = capsys.readouterr().out
    heading = text.splitlines()[0].split()
    assert heading == ["file", "format", "target", "products", "ring", "convention", "verdict", "reason"]
    found = rows(text)
    assert "matmul(2,2,2)" in found["strassen.txt"]
    assert "VERIFIED    rank <= 7 over QQ, RR, CC" in found["strassen.txt"]
    assert "REJECTED    wrong.txt is not matmul(2,2,2)" in found["wrong.txt"]
    assert "10 border" in found["bini"]
    assert "not a rank" in found["bini"]
    assert "UNREADABLE  block 2, row 1 has 1 entries" in found["ragged"]
    assert "CONSISTENT  2 decompositions add up to the same tensor" in found["circuits.npz:toffoli"]
    assert "certificate" in found["strassen.json"]
    assert {"below/", "two.npz:1,2,3", "two.npz:2,2,2"} <= found.keys()
    assert "README.md" not in text
    footer = text.splitlines()[-1]
    assert footer.startswith(
        "5 verified, 1 consistent, 1 rejected, 1 unreadable; 1 other file in no known format; "
    )


def test_the_worst_verdict_of_a_folder_is_its_status(schemes: Path) -> None:
    (schemes / "wrong.txt").unlink()
    assert main(["verify", "schemes"]) == 3
    (schemes / "below" / "ragged").unlink()
    assert main(["verify", "schemes"]) == 4
    (schemes / "below" / "circuits.npz").unlink()
    assert main(["verify", "schemes"]) == 0


def test_a_target_selects_the_schemes_that_fit(schemes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", "schemes", "--as", "matmul(1,2,3)", "--table"]) == 3
    found = rows(capsys.readouterr().out)
    assert {"two.npz:1,2,3", "ragged"} <= found.keys()
    assert "strassen.txt" not in found


def test_a_folder_in_json_is_one_object_a_scheme(schemes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", "schemes", "--json"]) == 1
    found = {value["file"]: value for value in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(found) == 8
    assert all(value["schema"] == "rankproof/verdict/1" for value in found.values())
    strassen_ = found["strassen.txt"]
    assert (strassen_["format"], strassen_["terms"], strassen_["sizes"]) == ("fast-matmul", 7, [4, 4, 4])
    assert found["below/circuits.npz:toffoli"]["verdict"] == "CONSISTENT"
    assert found["below/circuits.npz:toffoli"]["exit"] == 4


def test_single_files_print_lines_or_a_table(schemes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", "schemes/below/circuits.npz"]) == 4
    line = capsys.readouterr().out
    assert line.startswith(
        "CONSISTENT  schemes/below/circuits.npz:toffoli  2 decompositions add up to the same"
    )
    assert line.endswith("so nothing is proved\n")
    assert main(["verify", "schemes/strassen.txt", "--table"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("file")


def test_a_scheme_in_three_files_is_verified_once(capsys: pytest.CaptureFixture[str]) -> None:
    A, B, C = strassen()
    for side, matrix in (("L", A.T), ("R", B.T), ("P", C)):
        entries = [f"{i + 1} {j + 1} {x}" for (i, j), x in np.ndenumerate(matrix) if x]
        head = f"{matrix.shape[0]} {matrix.shape[1]} M"
        Path(f"s_{side}.sms").write_text("\n".join([head, *entries, "0 0 0", ""]))
    assert main(["verify", "s_L.sms", "s_P.sms", "s_R.sms"]) == 0
    assert capsys.readouterr().out.count("VERIFIED  s_{L,R,P}.sms") == 1
    assert main(["verify", "."]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 verified; ")


def test_a_tensor_in_a_file_is_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    Path("w.tns").write_text("1 1 2 1\n1 2 1 1\n2 1 1 1\n")
    Path("w.exp").write_text("a1*b1*c2\na1*b2*c1\na2*b1*c1\n")
    assert main(["verify", "w.exp", "--as", "w.tns"]) == 0
    assert "3 terms over ZZ; factors in the order of the target" in capsys.readouterr().out
    Path("other.tns").write_text("1 1 2 1\n1 2 1 3\n2 1 1 1\n")
    assert main(["verify", "w.exp", "--as", "other.tns"]) == 0
    assert "it does not hold over ZZ" in capsys.readouterr().out
    assert main(["verify", "w.exp", "--as", "other.tns", "--ring", "ZZ"]) == 1


def test_a_scheme_is_shown_with_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    Path("strassen.txt").write_text(as_text(strassen()))
    assert main(["show", "strassen.txt"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "verdict VERIFIED" in text
    assert "vectors of 4, 4, 4 entries, coefficients in ZZ, 18 additions without sharing" in text
    assert "c12 stands for the entry (1,2) of A*B" in text
    assert "(a11 + a22)*(b11 + b22)*(c11 + c22)" in text
    assert main(["show", "strassen.txt", "--html"]) == 0
    assert "18 additions" in capsys.readouterr().out
    Path("two.npz").write_bytes(as_npz(_1_2_3=schoolbook(1, 2, 3), _2_2_2=strassen()))
    assert main(["show", "two.npz"]) == 2
    assert main(["show", "two.npz", "--scheme", "1,2,3"]) == 0
    assert "matmul(1,2,3)" in capsys.readouterr().out


@pytest.mark.external
@pytest.mark.slow
def test_one_command_for_everything_that_others_published(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(data_folder())]) == 1
    text = capsys.readouterr().out
    assert text.splitlines()[-1].startswith(
        "592 verified, 68 consistent, 1 rejected, 5 unreadable; 18 other files"
    )
