"""A model does not depend on the models it is trained with."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")

from rankproof.errors import UsageError  # noqa: E402
from rankproof.problem.parse import read_targets  # noqa: E402
from rankproof.train.batch import make_batch  # noqa: E402
from rankproof.train.plan import Plan  # noqa: E402
from rankproof.train.sampled import Sampled  # noqa: E402
from rankproof.train.sweep import sweep  # noqa: E402

(TARGET,) = read_targets("x**2*y")


def test_initial_weights_do_not_depend_on_the_batch() -> None:
    plan = Plan(TARGET, seeds=3)
    models = plan.models()
    together = make_batch(plan, models).initial()
    for index in (0, 7, 20):
        alone = make_batch(plan, models[index : index + 1]).initial()[0]
        assert alone.shape[0] == models[index].width
        assert torch.equal(alone, together[index, : len(alone)])
        assert not together[index, len(alone) :].any()
    assert len({tuple(row.flatten().tolist()) for row in together}) == len(models)


def test_samples_do_not_depend_on_the_batch_and_differ_between_models() -> None:
    plan = Plan(TARGET, seeds=2, widths=(1, 2), activation="swiglu", optimizer="adam")
    models = plan.models()
    batch = make_batch(plan, models)
    theta = batch.initial()
    together = Sampled(plan, batch).loss(theta, 40)
    for index in range(len(models)):
        alone = make_batch(plan, models[index : index + 1])
        assert torch.allclose(
            Sampled(plan, alone).loss(theta[index : index + 1], 40)[0], together[index], rtol=1e-12
        )
    assert not torch.equal(Sampled(plan, batch).loss(theta, 41), together)


@pytest.mark.parametrize("optimizer", ["adam", "lbfgs", "lm"])
def test_the_loss_of_a_model_does_not_depend_on_the_piece_it_is_trained_in(optimizer: str) -> None:
    plans = [
        Plan(TARGET, widths=(1, 2), seeds=4, optimizer=optimizer, steps=6, finish=False, piece=piece)
        for piece in (1, 4)
    ]
    one, other = (sweep(plan) for plan in plans)
    for run, twin in zip(one, other, strict=True):
        assert (run.units, run.width, run.seed) == (twin.units, twin.width, twin.seed)
        assert run.loss == pytest.approx(twin.loss, rel=1e-6)


@pytest.mark.parametrize(
    "activation, units",
    [
        ("relu", ("tied",)),
        ("relu2", ("tied",)),
        ("gelu", ("tied",)),
        ("glu", ("tied", "untied")),
        ("geglu", ("tied", "untied")),
    ],
)
def test_every_activation_learns(activation: str, units: tuple[str, ...]) -> None:
    (target,) = read_targets("x**2 - y**2")
    plan = Plan(
        target,
        units=units,
        widths=(6,),
        seeds=2,
        activation=activation,
        optimizer="adam",
        steps=200,
        samples=128,
    )
    for run in sweep(plan):
        assert run.history[0][0] == 0
        assert run.loss < 0.5 * run.history[0][1]


def test_the_tied_counterpart_of_reglu_is_relu2() -> None:
    plans = [
        Plan(TARGET, units=("tied",), widths=(3,), seeds=2, activation=name, optimizer="adam")
        for name in ("reglu", "relu2")
    ]
    losses = []
    for plan in plans:
        batch = make_batch(plan, plan.models())
        losses.append(Sampled(plan, batch).loss(batch.initial(), 0))
    assert torch.allclose(*losses)


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="take --device cpu"):
        sweep(Plan(TARGET, device="cuda:99"))
