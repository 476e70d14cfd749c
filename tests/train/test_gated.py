"""Arms of gated blocks: the stacked program is the plain modules, runs go on where they stopped, comparisons are fair."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")

from rankproof.errors import FormatError, UsageError  # noqa: E402
from rankproof.train.gated.arms import PAIRS, Arm, GatedPlan, Kind  # noqa: E402
from rankproof.train.gated.blocks import gate_of, mean_square  # noqa: E402
from rankproof.train.gated.comparison import Outcome, comparisons, interval, levels, quantile  # noqa: E402
from rankproof.train.gated.run import train_arms  # noqa: E402
from rankproof.train.gated.training import GatedPiece, throughput  # noqa: E402

TINY = {
    "products": GatedPlan("products", 4, size=6, outputs=2, seeds=2, rates=(0.01,), steps=4, batch=16),
    "teacher": GatedPlan("teacher", 4, size=6, outputs=2, seeds=2, rates=(0.01,), steps=4, batch=16),
    "language": GatedPlan(
        "language", 8, size=8, seeds=2, rates=(0.01,), steps=4, batch=2, context=6, layers=2
    ),
}


def test_widths_of_equal_cost() -> None:
    plan = GatedPlan("language", 64, size=32)
    widths = {by: {plan.partner(by, one, two).width for one, two in PAIRS} for by in plan.matched}
    # A unit has n + m = 64 parameters with one projection and 2n + m = 96 with two.
    assert widths == {"width": {64}, "projections": {128}, "parameters": {96}}
    assert len(plan.arms()) == 3 + 3 * 5
    assert {model for shape in plan.shapes() for model in shape.models()} >= {("swiglu", 4), ("relu", 0)}


@pytest.mark.parametrize("task", TINY)
def test_the_stacked_program_computes_what_plain_modules_compute(task: str) -> None:
    plan = replace(TINY[task], dtype="float64")
    for shape in plan.shapes():
        measured = throughput(plan, shape, 3)
        assert measured.difference < 1e-10
        assert measured.models == len(shape.models())
        assert min(measured.stacked, measured.loop) > 0


@pytest.mark.parametrize("activation", ["reglu", "bilinear", "swiglu", "geglu"])
def test_a_tied_unit_is_the_untied_one_with_equal_projections(activation: str) -> None:
    z = torch.linspace(-3, 3, 13, dtype=torch.float64)
    assert torch.equal(gate_of(activation, False)(z, None), gate_of(activation, True)(z, z))


def test_mean_squares_of_units() -> None:
    # E z^2 for z > 0 only; E z^4 = 3, of which ReLU^2 has half.
    assert mean_square("relu", False) == pytest.approx(0.5, rel=1e-3)
    assert mean_square("reglu", False) == pytest.approx(1.5, rel=1e-3)
    assert mean_square("bilinear", True) == pytest.approx(1.0)


def test_a_model_does_not_depend_on_the_models_beside_it() -> None:
    plan = TINY["teacher"]
    (shape, *_) = plan.shapes()
    alone = replace(shape, activations=shape.activations[1:2], seeds=shape.seeds[1:])
    pieces = [GatedPiece(plan, one) for one in (shape, alone)]
    for piece in pieces:
        piece.advance(60)
    together, (single,) = (piece.outcomes() for piece in pieces)
    twin = next(one for one in together if (one.activation, one.seed) == (single.activation, single.seed))
    assert single.test == pytest.approx(twin.test, rel=1e-5)


@pytest.mark.parametrize("task", ["products", "language"])
def test_a_piece_goes_on_from_its_checkpoint(task: str, tmp_path: Path) -> None:
    plan = replace(TINY[task], steps=22)
    shape = plan.shapes()[-1]
    whole = GatedPiece(plan, shape)
    whole.advance(60)
    part = GatedPiece(plan, shape)
    while not part.done:
        part.advance(0)
        part.save(tmp_path / "piece.pt")
        part = GatedPiece(plan, shape)
        part.load(tmp_path / "piece.pt")
    assert part.outcomes() == whole.outcomes()
    with pytest.raises(FormatError, match="another comparison"):
        GatedPiece(replace(plan, batch=3), shape).load(tmp_path / "piece.pt")
    (tmp_path / "piece.pt").write_bytes(b"torn")
    with pytest.raises(FormatError, match="not a checkpoint"):
        part.load(tmp_path / "piece.pt")


def test_finished_pieces_are_read_and_processes_give_the_same(tmp_path: Path) -> None:
    plan = replace(TINY["products"], matched=("width",))
    first = train_arms(plan, folder=tmp_path / "arms")
    assert train_arms(plan, folder=tmp_path / "arms") == first
    (tmp_path / "arms" / "piece-1.json").unlink()
    assert train_arms(plan, folder=tmp_path / "arms", executor="processes", processes=1) == first
    with pytest.raises(UsageError, match="holds another sweep"):
        train_arms(replace(plan, steps=5), folder=tmp_path / "arms")


def test_products_are_learnt_by_the_units_they_are_made_of() -> None:
    plan = GatedPlan("products", 8, size=6, outputs=2, matched=("width",), seeds=1, rates=(0.03,), steps=250)
    shape = next(shape for shape in plan.shapes() if shape.units == "untied")
    piece = GatedPiece(plan, replace(shape, activations=("bilinear",)))
    piece.advance(60)
    (one,) = piece.outcomes()
    assert one.test < 0.05 < one.history[0][1] < 2


def test_a_byte_takes_fewer_bits_than_the_alphabet_has() -> None:
    plan = replace(TINY["language"], layers=1, steps=60, rates=(0.03,), matched=("width",))
    piece = GatedPiece(plan, plan.shapes()[0])
    piece.advance(60)
    assert max(one.test for one in piece.outcomes()) < 5.5 < 6.7  # log2 of 107 letters


def outcome(
    kind: Kind, width: int, seed: int, test: float, validation: float | None = None, rate: float = 0.1
) -> Outcome:
    return Outcome(
        kind.activation, kind.units, width, rate, seed, test if validation is None else validation, test
    )


def test_the_rate_is_chosen_on_validation_and_differences_are_paired() -> None:
    plan = GatedPlan("teacher", 4, matched=("width",), seeds=3)
    rows = []
    for arm in plan.arms():
        better = 0.5 if arm.kind == Kind("reglu", "untied") else 0.0
        for seed in range(3):
            rows.append(outcome(arm.kind, arm.width, seed, 10.0 * seed - better + 0.01 * (seed == 1)))
            # A rate that looks better on the test data only, and one that diverged: neither is chosen.
            rows.append(outcome(arm.kind, arm.width, seed, -100.0, 50.0, rate=0.2))
            rows.append(outcome(arm.kind, arm.width, seed, nan, nan, rate=0.3))
    assert {level.rate for level in levels(rows)} == {0.1}
    found = {(row.tied, row.untied): row for row in comparisons(plan, rows)}
    gain = found["ReLU", "ReGLU"]
    assert gain.difference == pytest.approx(0.5)
    assert gain.half < 0.1  # seeds differ by 10, and pairing removes that
    assert gain.better == "untied"
    assert replace(gain, difference=-0.5).better == "tied"
    assert found["SiLU", "SwiGLU"].better == "open"


def test_intervals() -> None:
    assert interval([1.0]) == (1.0, inf)
    centre, half = interval([1.0, 2.0, 3.0])
    assert (centre, half) == (2.0, pytest.approx(4.3027 / 3**0.5, rel=1e-4))
    assert quantile(200) == pytest.approx(1.9719, abs=1e-4)


@pytest.mark.parametrize(
    "changes, sentence",
    [
        ({"task": "vision"}, "is no task"),
        ({"matched": ("watts",)}, "is no cost"),
        ({"dtype": "int8"}, "is no dtype"),
        ({"steps": 0}, "at least 1"),
        ({"task": "language", "size": 9}, "do not divide"),
    ],
)
def test_plans_that_make_no_sense_are_refused(changes: dict, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        replace(TINY["products"], **changes)


def test_a_plan_survives_json() -> None:
    for plan in TINY.values():
        assert GatedPlan.from_json(plan.to_json()) == plan
    with pytest.raises(FormatError):
        GatedPlan.from_json({"task": "products"})
    assert Arm(Kind("reglu", "tied"), 3).kind.label == "ReLU^2"
