"""What a sweep trains: a plan, its models, its pieces, and the runs that come out. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from rankproof.certificate.document import decode_target, encode_target
from rankproof.errors import FormatError, UsageError
from rankproof.problem.target import Target
from rankproof.train.activations import MATCHED, Cost, activation, matched_width, unit_cost
from rankproof.train.measures import LOSSES

OPTIMIZERS = ("lm", "lbfgs", "adam")
DTYPES = ("float64", "float32")
UNITS = ("tied", "untied")


@dataclass(frozen=True, order=True)
class Model:
    """One block of a sweep: kind of unit, number of units, seed of its initial weights and of its samples."""

    units: str
    width: int
    seed: int


@dataclass(frozen=True)
class Plan:
    """Everything that determines the numbers of a sweep.

    Attributes
    ----------
    target
        A form or map with rational coefficients.
    units, widths
        Kinds of units and numbers of units: all combinations are trained.
    matched
        Costs (of `rankproof.train.activations.MATCHED`) at which tied and untied units are compared: tied units are
        also trained at the greatest widths that cost no more than an untied width.
    seeds, first_seed
        How many models a combination, and the seed of the first.
    activation
        A name of `rankproof.train.activations`.
    loss
        A name of `rankproof.train.measures`: the measure of the population loss, or ``frobenius``.
    bias
        Whether the target's first variable is the constant 1.
    optimizer, steps, rate
        Levenberg-Marquardt, L-BFGS or Adam; the number of steps; Adam's first learning rate.
    finish
        Whether a Levenberg-Marquardt path with a vanishing penalty on the weights follows: it tells an infimum that
        is attained from one that is not. Polynomial units only.
    samples
        Inputs a step where the loss has no closed form.
    piece
        Seeds that are trained together. It does not change the initial weights, and it is part of the plan so that
        the same tensors are computed wherever a piece runs.
    device, dtype, compile
        Where and in which precision; whether torch.compile is applied to the loss.
    """

    target: Target
    units: tuple[str, ...] = UNITS
    widths: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    matched: tuple[str, ...] = ()
    seeds: int = 16
    first_seed: int = 0
    activation: str = "polynomial"
    loss: str = "gaussian"
    bias: bool = False
    optimizer: str = "lm"
    steps: int = 200
    rate: float = 0.02
    finish: bool = True
    samples: int = 256
    piece: int = 32
    device: str = "cpu"
    dtype: str = "float64"
    compile: bool = False

    def __post_init__(self) -> None:
        _check(self)

    @property
    def polynomial(self) -> bool:
        """Whether the units are polynomials of the target's degree."""
        return activation(self.activation).polynomial

    def models(self) -> tuple[Model, ...]:
        """Every block of the sweep."""
        return tuple(
            Model(units, width, seed)
            for units in self.units
            for width in self.widths_of(units)
            for seed in range(self.first_seed, self.first_seed + self.seeds)
        )

    def costs(self) -> dict[str, Cost]:
        """What one unit of each kind costs."""
        space = self.target.space
        n, m, d = space.variables_count, space.outputs, space.form_degree
        return {units: unit_cost(self.activation, units, n, m, d) for units in self.units}

    def widths_of(self, units: str) -> tuple[int, ...]:
        """Widths at which units of a kind are trained: the tied ones also where they cost as much as untied ones."""
        if units != "tied" or "untied" not in self.units:
            return self.widths
        costs = self.costs()
        pairs = [(by, width) for by in self.matched for width in self.widths]
        others = (matched_width(by, width, costs["tied"], costs["untied"]) for by, width in pairs)
        return tuple(sorted({*self.widths, *others}))

    def pieces(self) -> tuple[tuple[Model, ...], ...]:
        """The blocks in groups that are trained as one tensor program each."""
        ends = range(self.first_seed, self.first_seed + self.seeds, self.piece)
        return tuple(
            tuple(model for model in self.models() if first <= model.seed < first + self.piece)
            for first in ends
        )

    def to_json(self) -> dict[str, Any]:
        """As a JSON object that `from_json` reads back."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "target": encode_target(self.target), "text": self.target.text}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Plan:
        """The plan of a JSON object.

        Raises
        ------
        FormatError
            If it is not the object of a plan.
        """
        names = {field.name for field in fields(cls)}
        if isinstance(value, Mapping):
            value = {"matched": [], **value}  # plans of earlier versions had no such comparisons
        if not isinstance(value, Mapping) or names - set(value):
            raise FormatError(f"the plan of the sweep lacks {', '.join(sorted(names - set(value)))}")
        kept: dict[str, Any] = {
            name: tuple(v) if isinstance(v := value[name], list) else v for name in names - {"target"}
        }
        target = decode_target(value["target"])
        return cls(Target(target.space, target.entries, target.ring, text=str(value.get("text", ""))), **kept)


def _check(plan: Plan) -> None:
    space = plan.target.space
    if not space.is_polynomial:
        raise UsageError(
            f"blocks compute polynomials, and {plan.target.text} is a tensor; give a form or a map"
        )
    if plan.target.ring.characteristic or plan.target.ring.number_field is not None:
        raise UsageError(f"training needs a target with rational coefficients, not over {plan.target.ring}")
    chosen = activation(plan.activation)
    unknown = [units for units in plan.units if units not in UNITS]
    if unknown:
        raise UsageError(f"{unknown[0]} units cannot be trained; choose tied or untied")
    if not chosen.gated and "untied" in plan.units:
        raise UsageError(f"a {chosen.name} unit has one projection: it is tied; leave untied out of --units")
    if not plan.widths or min(plan.widths) < 1 or max(plan.widths) > 4096:
        raise UsageError(f"widths lie in 1..4096, not {', '.join(map(str, plan.widths)) or 'nowhere'}")
    unknown = [by for by in plan.matched if by not in MATCHED]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is no cost to compare at; choose {', '.join(MATCHED)}")
    for name, known in (("loss", LOSSES), ("optimizer", OPTIMIZERS), ("dtype", DTYPES)):
        if getattr(plan, name) not in known:
            raise UsageError(f"{getattr(plan, name)!r} is no {name}; choose {', '.join(known)}")
    if plan.bias and plan.loss in ("sphere", "frobenius"):
        raise UsageError(
            f"the {plan.loss} loss is for forms and has no place for biases; take gaussian or uniform"
        )
    if not chosen.polynomial and plan.optimizer == "lm":
        raise UsageError(
            f"lm needs a loss in closed form; train {chosen.name} units with --optimizer adam or lbfgs"
        )
    if not chosen.polynomial and plan.loss == "frobenius":
        raise UsageError(
            f"the frobenius loss is for polynomial units; train {chosen.name} units with gaussian"
        )
    for name in ("seeds", "steps", "samples", "piece"):
        if getattr(plan, name) < 1:
            raise UsageError(f"{name} is {getattr(plan, name)}, and must be at least 1")


@dataclass(frozen=True)
class Run:
    """What became of one model.

    Attributes
    ----------
    units, width, seed
        The model.
    trained, trained_size
        Loss after the optimizer, relative to that of the zero function; largest unit, relative to the target.
    loss, size
        The same after the path, where there is one; otherwise the same numbers.
    history
        Step, loss and size along the way of the optimizer.
    path
        Penalty, loss and size along the path.
    """

    units: str
    width: int
    seed: int
    trained: float
    trained_size: float
    loss: float
    size: float
    history: tuple[tuple[int, float, float], ...]
    path: tuple[tuple[float, float, float], ...]

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Run:
        """The run of a JSON object."""
        rows = {name: tuple(map(tuple, value[name])) for name in ("history", "path")}
        return cls(**{**value, **rows})


__all__ = ["DTYPES", "OPTIMIZERS", "UNITS", "Model", "Plan", "Run"]
