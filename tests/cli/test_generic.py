"""``rankproof generic``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankproof.cli import main
from rankproof.show import plots


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generic", "--degree", "4", "--variables", "3", "--units", "tied,split"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "generic width over CC: forms of degree 4 in 3 variables, 15 coefficients"
    assert lines[3].split()[:4] == ["tied", "6", "6", "18"]
    assert max(map(len, lines)) <= 80
    assert lines[-3:] == [
        "fewest units              2  split",
        "fewest input projections  6  tied",
        "fewest parameters         18  tied, split",
    ]


def test_objects(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generic", "--degree", "3", "--variables", "2..3", "--outputs", "2", "--json"]
    assert main(words) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["schema"] for row in rows} == {"rankproof/generic/1"}
    assert [(row["variables"], row["units"]) for row in rows] == [
        (n, units) for n in (2, 3) for units in ("tied", "untied", "split")
    ]
    assert all(row["lower"] <= row["upper"] for row in rows)
    assert main([*words, "--seed", "7"]) == 0
    again = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["upper"] for row in again] == [row["upper"] for row in rows]


@pytest.mark.parametrize(
    "options",
    [
        ["--degree", "1", "--variables", "3"],
        ["--degree", "3", "--variables", "5..2"],
        ["--degree", "3", "--variables", "0"],
        ["--degree", "3", "--variables", "x"],
        ["--degree", "-3", "--variables", "3"],
        ["--degree", "9", "--variables", "2..9"],
        ["--degree", "3", "--variables", "3", "--units", "product"],
        ["--degree", "3", "--variables", "3", "--units", "mixed:2"],
        ["--degree", "3", "--variables", "3", "--seed", "-1"],
        ["--degree", "3"],
    ],
)
def test_wrong_usage(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generic", *options]) == 2
    assert capsys.readouterr().out == ""


def test_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    pictures = []
    for name in ("a.svg", "b.svg", "c.png"):
        path = tmp_path / name
        assert main(["generic", "--degree", "3", "--variables", "2..3", "--plot", str(path)]) == 0
        assert f"wrote        {path}" in capsys.readouterr().out
        pictures.append(path.read_bytes())
    assert b"<svg" in pictures[0]
    assert pictures[0] == pictures[1]
    assert pictures[2].startswith(b"\x89PNG")


def test_a_plot_of_an_unknown_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "picture.xyz"
    assert main(["generic", "--degree", "3", "--variables", "2", "--plot", str(path)]) == 2
    assert "picture.xyz" in capsys.readouterr().err
    assert not path.exists()


def test_without_matplotlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(plots, "import_module", missing)
    path = tmp_path / "picture.svg"
    assert main(["generic", "--degree", "3", "--variables", "2", "--plot", str(path)]) == 2
    assert "pip install 'rankproof[plot]'" in capsys.readouterr().err
    assert not path.exists()


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nowhere" / "picture.svg"
    assert main(["generic", "--degree", "3", "--variables", "2", "--plot", str(path)]) != 0
    assert str(path.parent) in capsys.readouterr().err
