"""``rankproof experiment``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rankproof.cli import main
from rankproof.train import experiments
from rankproof.train.experiments import Case, PolynomialExperiment
from rankproof.train.gated.arms import GatedPlan


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> int:
    return main(["experiment", *words])


def test_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].strip()]
    assert listed == ["experiment", *experiments.EXPERIMENTS]
    assert run("--json") == 0
    assert set(json.loads(capsys.readouterr().out)) == set(experiments.EXPERIMENTS)


def test_a_polynomial_experiment_and_its_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    pytest.importorskip("matplotlib", reason="plots need the extra 'plot'")
    small = PolynomialExperiment("asymmetric", "small", (Case("x*y", 2), Case("x**2*y", 3, False)))
    monkeypatch.setitem(experiments.EXPERIMENTS, "asymmetric", small)
    words = ["asymmetric", "--seeds", "4", "--steps", "20", "-o", "results", "--plot", "picture.png"]
    assert run(*words) == 0
    table = capsys.readouterr().out
    assert "x*y" in table and "x**2*y" not in table
    assert (tmp_path / "picture.png").stat().st_size > 1000
    first = json.loads((tmp_path / "results" / "asymmetric.json").read_text())
    assert first["schema"] == "rankproof/experiment/1"
    assert first["cases"][0]["found"] == {
        "tied": {"exact": 2, "close": 2},
        "untied": {"exact": 1, "close": 1},
    }
    assert run(*words, "--json") == 0  # goes on with finished pieces
    assert json.loads(capsys.readouterr().out)["cases"] == first["cases"]
    assert run("--claims", "results", "--json") == 0
    claims = json.loads(capsys.readouterr().out)
    assert [one["word"] for one in claims] == ["confirmed", "confirmed"]
    assert run("--claims", "results", "--markdown") == 0
    assert capsys.readouterr().out.startswith("| claim | seen |")


@pytest.mark.parametrize("name", ["products", "language"])
def test_a_gated_experiment(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    pytest.importorskip("matplotlib", reason="plots need the extra 'plot'")
    chosen = experiments.EXPERIMENTS[name]
    tiny = {
        "width": 4,
        "size": 8,
        "outputs": 2,
        "batch": 4,
        "context": 5,
        "matched": ("projections",),
        "rates": (0.01,),
    }
    plan = replace(GatedPlan(name, 4), **tiny)
    monkeypatch.setitem(experiments.EXPERIMENTS, name, replace(chosen, minutes=plan))
    words = [name, "--steps", "2", "--seeds", "2", "--throughput", "--plot", "picture.png"]
    assert run(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["tied_width"] for row in found["comparisons"]} == {8}
    assert all(
        row["seeds"] == 2 and row["better"] in ("tied", "untied", "open") for row in found["comparisons"]
    )
    assert all(row["difference"] < 1e-4 for row in found["throughput"])
    assert ("text" in found) == (name == "language")
    assert (tmp_path / "picture.png").stat().st_size > 1000
    assert run("--claims", ".") == 0
    assert "input projections" in " ".join(capsys.readouterr().out.split())
    assert run(*words) == 0
    assert f"wrote  {name}-experiment/{name}.json" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["teacher", "language"])
def test_the_large_presets_make_a_step(name: str) -> None:
    torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    from rankproof.train.gated.training import GatedPiece

    plan = experiments.experiment(name).plan("night", steps=1, seeds=1)
    shape = plan.shapes()[-1]
    piece = GatedPiece(replace(plan, batch=2), replace(shape, activations=shape.activations[:1]))
    piece.advance(60)
    assert piece.step == 1
    assert torch.isfinite(torch.tensor([one.test for one in piece.outcomes()])).all()


@pytest.mark.parametrize(
    "words, status, sentence",
    [
        (["cubics"], 2, "is no experiment"),
        (["powers", "--preset", "year"], 2, "is no preset"),
        (["powers", "--claims", "."], 2, "runs nothing"),
        (["--claims", "."], 2, "holds no results"),
        (["powers", "--plot", "nowhere/x.png"], 2, "does not exist"),
        (["powers", "-o", "file"], 2, "name a folder"),
        (["teacher", "--seeds", "1"], 2, "at least 2 seeds"),
    ],
)
def test_wrong_usage(
    words: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    Path("file").touch()
    assert run(*words) == status
    assert sentence in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("content", ["not JSON", '{"schema": "other"}'])
def test_broken_results_are_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "powers.json").write_text(content)
    assert run("--claims", ".") == 3
    assert "powers.json" in capsys.readouterr().err
