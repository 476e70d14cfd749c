"""The closed form of the loss and its derivatives, against automatic differentiation and against samples."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")

from rankproof.problem.parse import read_targets  # noqa: E402
from rankproof.train.batch import make_batch  # noqa: E402
from rankproof.train.closed_form import ClosedForm  # noqa: E402
from rankproof.train.plan import Plan  # noqa: E402
from rankproof.train.sampled import TargetFunction  # noqa: E402

TARGETS = ["x", "x*y - 3*z**2", "x**2*y + z**3", "x**3*y; x**2*y**2 - y**4", "x**4*y"]


def case(text: str, loss: str = "gaussian", *, bias: bool = False):
    """Plan, batch, closed form and random weights of three widths and both kinds of units."""
    (target,) = read_targets(text, affine=bias)
    plan = Plan(target, widths=(1, 2, 3), seeds=2, loss=loss, bias=bias)
    batch = make_batch(plan, plan.models())
    return plan, batch, ClosedForm(plan, batch), batch.initial()


# torch builds its forward derivatives with a function of its own that it calls deprecated.
@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
@pytest.mark.parametrize("text", TARGETS)
def test_the_jacobian_is_the_derivative_of_the_residual(text: str) -> None:
    _, batch, form, theta = case(text)
    jacobian = form.jacobian(theta)
    direction = torch.randn(theta.shape, generator=torch.Generator().manual_seed(5), dtype=theta.dtype)
    direction = direction * batch.mask
    _, slope = torch.func.jvp(form.residual, (theta,), (direction,))
    assert torch.allclose(torch.einsum("mep,mp->me", jacobian, direction.flatten(1)), slope, atol=1e-12)


@pytest.mark.parametrize("loss", ["gaussian", "uniform", "sphere", "rademacher"])
@pytest.mark.parametrize("bias", [False, True])
def test_the_closed_form_is_the_mean_over_many_samples(loss: str, bias: bool) -> None:
    if bias and loss == "sphere":
        return
    text = "x**2*y + x*y + 1" if bias else "x**2*y; x*y**2"
    plan, batch, form, theta = case(text, loss, bias=bias)
    x = torch.randn((200_000, batch.inputs), generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    if loss == "uniform":
        x = torch.erf(x * 0.5**0.5)
    elif loss == "sphere":
        x = x / x.norm(dim=1, keepdim=True)
    elif loss == "rademacher":
        x = torch.sign(x)
    if bias:
        x[:, 0] = 1
    wanted = TargetFunction(plan, batch.mask)(x)
    a, b, w = batch.split(theta)
    got = ((x @ a.mT) ** (form.degree - 1) * (x @ b.mT)) @ w
    means = (got - wanted).square().sum(dim=2).mean(dim=1) / wanted.square().sum(dim=1).mean()
    assert torch.allclose(form.loss(theta), means, rtol=0.06)


def test_tied_units_ignore_the_weights_of_a_value() -> None:
    _, batch, form, theta = case("x**2*y")
    n = batch.inputs
    other = theta.clone()
    tied = torch.tensor([model.units == "tied" for model in batch.models])
    other[tied, :, n : 2 * n] = 7.0
    assert torch.equal(form.loss(theta), form.loss(other))
