"""Verdicts follow from results, and turn when the results do."""

from __future__ import annotations

from typing import Any

from rankproof.show.experiments import markdown, tables_of, verdict_table
from rankproof.train.claims import verdicts
from rankproof.train.experiments import EXPERIMENTS, PolynomialExperiment


def case(
    text: str, tied: int | None, untied: int | None, cells: tuple[tuple[int, str], ...] = ()
) -> dict[str, Any]:
    """A target whose tied exact width is certified as 3 and its border width as 2."""
    widths = {"lower": 3, "upper": 3, "border_lower": 2, "border_upper": 2}
    return {
        "target": text,
        "certified": [
            {"units": "tied", **widths},
            {"units": "untied", "lower": 1, "upper": 1, "border_lower": 1, "border_upper": 1},
        ],
        "found": {"tied": {"exact": tied, "close": tied}, "untied": {"exact": untied, "close": untied}},
        "costs": {"tied": {"projections": 1, "parameters": 3}, "untied": {"projections": 2, "parameters": 5}},
        "cells": [{"units": "tied", "width": width, "kind": kind, "loss": 0.5} for width, kind in cells],
    }


def words(name: str, *cases: dict[str, Any]) -> list[str]:
    return [one.word for one in verdicts({name: {"experiment": name, "cases": list(cases)}})]


def test_quadratic_forms_are_told_apart_by_their_signs() -> None:
    definite, indefinite = case("a**2 + 3*b**2", 2, 2), case("a**2 - 3*b**2", 2, 1)
    assert words("quadratics", definite, indefinite) == ["confirmed", "confirmed"]
    assert words("quadratics", definite, case("a*b - c**2", 2, 2)) == ["contradicted", "confirmed"]
    assert words("quadratics", definite, indefinite, case("a**2 - b**2", 2, 2))[0] == "mixed"
    assert words("quadratics", case("a**2", 1, 2), indefinite) == ["confirmed", "contradicted"]


def test_monomials_and_powers() -> None:
    assert words("asymmetric", case("x**2*y", 3, 1)) == ["confirmed"]
    assert words("asymmetric", case("x**2*y", None, 1)) == ["confirmed"]
    assert words("asymmetric", case("x**2*y", 3, None)) == ["contradicted"]
    assert words("powers", case("x**3 + y**3", 2, 2)) == ["confirmed"]
    assert words("powers", case("x**3 + y**3", 2, 1)) == ["contradicted"]
    assert words("powers", case("x**3 + y**3", None, None)) == ["contradicted"]


def test_plateaus_are_judged_on_both_sides_of_the_border_width() -> None:
    rows = ((1, "plateau"), (2, "border-like"), (3, "exact"))
    assert words("mixed", case("x**2*y + z**3", 3, 1, rows)) == ["confirmed", "contradicted"]
    rows = ((1, "unclear"), (2, "plateau"))
    assert words("mixed", case("x**2*y + z**3", 3, 1, rows)) == ["contradicted", "confirmed"]


def gated(*better: str) -> dict[str, Any]:
    row = {"by": "projections", "tied": "ReLU", "untied": "ReGLU", "tied_width": 8, "untied_width": 4}
    rows = [{**row, "difference": 0.25, "half": 0.125, "better": one} for one in better]
    level = {"kind": "ReLU", "width": 8, "rate": 0.01, "loss": 1.5, "half": 0.0625}
    plan = {"matched": ["projections"]}
    return {"experiment": "language", "plan": plan, "comparisons": rows, "levels": [level]}


def test_comparisons_of_trained_blocks() -> None:
    for better, word in (
        (("untied", "untied"), "confirmed"),
        (("untied", "untied", "open"), "mostly confirmed"),
        (("untied", "open"), "open"),
        (("untied", "tied", "untied"), "mixed"),
        (("tied", "tied", "open"), "contradicted"),
        (("tied", "open"), "open"),
    ):
        (one,) = verdicts({"language": gated(*better)})
        assert (one.word, one.source) == (word, "language")
        assert "equal input projections" in one.claim


def test_tables() -> None:
    ((titles, rows),) = tables_of({"cases": [case("x**2*y", 3, 1)]})
    assert titles[0] == "target"
    assert rows == [("x**2*y", "3, border 2", "3", "1", "1", "3 / 2", "9 / 5")]
    levels, pairs = tables_of(gated("open", "untied"))
    assert levels[1] == [("ReLU", "8", "0.01", "1.5000 ± 0.0625")]
    assert [row[-2:] for row in pairs[1]] == [("+0.2500 ± 0.1250", "open"), ("+0.2500 ± 0.1250", "ReGLU")]
    assert markdown(verdict_table(verdicts({"language": gated("open")}))).count("\n") == 2


def test_presets_grow_and_every_target_is_read() -> None:
    for one in EXPERIMENTS.values():
        if isinstance(one, PolynomialExperiment):
            small, large = one.plans("minutes"), one.plans("night")
            assert {plan.target for plan in small} <= {plan.target for plan in large}
            assert small[0].seeds < large[0].seeds
            assert {plan.device for plan in one.plans("gpu")} == {"cuda"}
        else:
            small, large = one.plan("minutes"), one.plan("night", steps=2)
            assert (
                small.steps * small.seeds * small.width < one.night.steps * one.night.seeds * one.night.width
            )
            assert (large.steps, large.seeds, large.device) == (2, one.night.seeds, "cpu")
            assert one.plan("gpu").device == "cuda"
