"""The page on the paper's claims shows what the committed results say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankproof.cli.experiment import read_results
from rankproof.show.experiments import comparisons_table, levels_table, markdown, verdict_table, widths_table
from rankproof.train.claims import GATED, verdicts
from rankproof.train.experiments import EXPERIMENTS, GatedExperiment, PolynomialExperiment

DOCS = Path(__file__).resolve().parent.parent / "docs"
RESULTS = read_results(DOCS / "training")
PAGE = (DOCS / "experiments.md").read_text(encoding="utf-8")


def test_every_experiment_has_results() -> None:
    assert set(RESULTS) == set(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_tables_of_the_page_are_those_of_the_results(name: str) -> None:
    tables = [comparisons_table] if name in GATED else [widths_table]
    for table in (*tables, *([levels_table] if name == "language" else [])):
        assert markdown(table(RESULTS[name])) in PAGE
    assert f"training/{name}.png" in PAGE
    for ending in ("json", "png"):
        assert 0 < (DOCS / "training" / f"{name}.{ending}").stat().st_size < 150_000


def test_the_verdicts_of_the_page_are_those_of_the_results() -> None:
    assert markdown(verdict_table(verdicts(RESULTS))) in PAGE


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_results_are_those_of_the_preset_that_ships(name: str) -> None:
    experiment, result = EXPERIMENTS[name], RESULTS[name]
    assert result["preset"] == "minutes"
    if isinstance(experiment, GatedExperiment):
        assert result["plan"] == json.loads(json.dumps(experiment.plan("minutes").to_json()))
    elif isinstance(experiment, PolynomialExperiment):
        plans = experiment.plans("minutes")
        assert [case["target"] for case in result["cases"]] == [plan.target.text for plan in plans]
        assert {case["plan"]["seeds"] for case in result["cases"]} == {plan.seeds for plan in plans}


def test_no_run_contradicts_what_is_certified() -> None:
    for name in set(RESULTS) - set(GATED):
        for case in RESULTS[name]["cases"]:
            assert case["contradictions"] == []
            for own in case["certified"]:
                exact = case["found"][own["units"]]["exact"]
                assert exact is None or exact >= own["lower"]
                for width, floor in own["floors"].items():
                    cell = next(
                        c for c in case["cells"] if (c["units"], c["width"]) == (own["units"], int(width))
                    )
                    top, _, bottom = floor.partition("/")
                    zero = case["zero_loss"].partition("/")
                    whole = int(zero[0]) / int(zero[2] or 1)
                    assert cell["loss"] * whole >= int(top) / int(bottom or 1) * (1 - 1e-5)
