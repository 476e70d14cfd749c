"""``rankproof train``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankproof.cli import main
from rankproof.cli import train as command

SMALL = ["--widths", "1,2", "--seeds", "3", "--steps", "5"]


def run(*words: str) -> int:
    return main(["train", *words])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_table_and_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    assert run("x**2*y", *SMALL, "--plot", "loss.png", "--matched") == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {
        tuple(line.split()[:2]): line.split()[-1] for line in lines if line.startswith(("tied  ", "untied  "))
    }
    assert rows["tied", "1"] == "plateau"
    assert rows["tied", "2"] == "border-like"
    assert rows["untied", "1"] == "exact"
    assert any("approached from width 2" in line for line in lines)
    assert "exact width 3, border width 2" in " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert (tmp_path / "loss.png").stat().st_size > 1000
    assert sorted(path.name for path in (tmp_path / "x2y-training").iterdir()) == [
        "piece-0.json",
        "piece-0.pt",
        "plan.json",
    ]
    before = [line for line in lines if line.startswith(("tied", "untied"))]
    assert run("--resume", "x2y-training") == 0
    after = capsys.readouterr().out.splitlines()
    assert set(after) & set(before)
    assert run("x*y", "--resume", "x2y-training") == 2


def test_another_plan_gets_another_folder(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    quick = ["x*y", "--widths", "1", "--seeds", "1", "--no-finish", "--budget", "0"]
    for steps in ("1", "2", "1"):
        assert run(*quick, "--steps", steps) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["xy-training", "xy-training-2"] or sorted(
        path.name for path in tmp_path.iterdir()
    ) == ["xy-training", "xy-training-2"]


def test_the_object(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    assert run("x**2-y**2; 2*x*y", *SMALL, "--no-write", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "rankproof/train/1"
    assert found["zero_loss"] == "8"
    assert [own["lower"] for own in found["certified"]] == [3, 2]
    assert found["found"]["untied"] == {"exact": 2, "close": 2}
    assert found["costs"]["untied"] == {"projections": 2, "parameters": 6, "flops": 11}
    assert found["contradictions"] == []


def test_a_run_that_contradicts_the_proof_is_a_bug_in_rankproof(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    from rankproof.cli import confronting
    from rankproof.train.confront import Known

    monkeypatch.setattr(confronting, "confronted", lambda plan, budget: [Known("untied", 9, 9, 9, 9)])
    assert run("x*y", *SMALL, "--units", "untied", "--no-write") == 70
    assert "9 units are certified to be needed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["x*y", "--activation", "tanh"], "'tanh' is not an activation"),
        (["x*y", "--widths", "0..3"], "is not a list of widths"),
        (["x*y", "--widths", "5000"], "widths lie in 1..4096"),
        (["x*y", "--units", "split"], "split units cannot be trained"),
        (["x*y", "--activation", "relu", "--units", "untied"], "has one projection"),
        (["x*y", "--activation", "relu", "--optimizer", "lm"], "lm needs a loss in closed form"),
        (["x*y", "--loss", "cauchy"], "'cauchy' is no loss"),
        (["x*y", "--dtype", "int8"], "'int8' is no dtype"),
        (["x*y", "--executor", "cloud"], "give 'processes' or the address"),
        (["x*y", "--device", "abacus"], "take --device cpu"),
        (["x*y", "--seeds", "0"], "is not a positive integer"),
        (["matmul(2,2,2)"], "is a tensor"),
        ([], "say what to train on"),
        (["x*y", "--plot", "nowhere/x.png"], "does not exist"),
    ],
)
def test_wrong_usage(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    assert run(*words, *([] if "--plot" in words else ["--no-write"])) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in " ".join(printed.err.split())


def test_a_target_that_is_not_homogeneous_needs_biases(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("x**2 + x*y*z", "--no-write") == 3
    assert "--bias" in capsys.readouterr().err


def test_without_torch_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("rankproof.train.")]:
        monkeypatch.delitem(sys.modules, name)
    assert run("x*y", "--no-write") == 2
    assert "pip install 'rankproof[train]'" in capsys.readouterr().err


def test_the_options_name_every_activation() -> None:
    from argparse import ArgumentParser

    from rankproof.train.activations import ACTIVATIONS

    parser = ArgumentParser()
    command.COMMAND.configure(parser)
    assert all(name in parser.format_help() for name in ACTIVATIONS)
