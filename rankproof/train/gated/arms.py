"""Which blocks are compared: kinds of units with one and with two input projections, at equal cost. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from rankproof.errors import FormatError, UsageError
from rankproof.train.activations import MATCHED, matched_width, unit_cost


@dataclass(frozen=True, order=True)
class Kind:
    """An activation of `rankproof.train.activations`, tied (one input projection) or untied (two)."""

    activation: str
    units: str

    @property
    def label(self) -> str:
        """What a person calls it: tied ReGLU is ReLU^2, an untied bilinear unit is bilinear."""
        return _LABELS[self.activation, self.units]


_LABELS = {
    ("relu", "tied"): "ReLU",
    ("reglu", "tied"): "ReLU^2",
    ("silu", "tied"): "SiLU",
    ("gelu", "tied"): "GELU",
    ("bilinear", "tied"): "square",
    ("swiglu", "tied"): "tied SwiGLU",
    ("geglu", "tied"): "tied GeGLU",
    ("reglu", "untied"): "ReGLU",
    ("bilinear", "untied"): "bilinear",
    ("swiglu", "untied"): "SwiGLU",
    ("geglu", "untied"): "GeGLU",
}

PAIRS: tuple[tuple[Kind, Kind], ...] = tuple(
    (Kind(one, "tied"), Kind(two, "untied"))
    for one, two in (
        ("relu", "reglu"),
        ("reglu", "reglu"),
        ("reglu", "bilinear"),
        ("bilinear", "bilinear"),
        ("silu", "swiglu"),
        ("swiglu", "swiglu"),
    )
)
"""One projection against two. Where both have the same activation, the first is the second with b = a."""

TASKS = ("products", "teacher", "language")


@dataclass(frozen=True, order=True)
class Arm:
    """A kind of unit at a width."""

    kind: Kind
    width: int


@dataclass(frozen=True)
class Shape:
    """Models that are trained as one tensor program: all of one width, one number of projections and one rate."""

    width: int
    units: str
    rate: float
    activations: tuple[str, ...]
    seeds: tuple[int, ...]

    def models(self) -> tuple[tuple[str, int], ...]:
        """Activation and seed, in the order of the tensors: all seeds of an activation stand together."""
        return tuple((activation, seed) for activation in self.activations for seed in self.seeds)


@dataclass(frozen=True)
class GatedPlan:
    """Everything that determines the numbers of a comparison.

    Attributes
    ----------
    task
        One of `TASKS`.
    width
        Units of the blocks with two projections.
    matched
        Costs that are made equal: names of `rankproof.train.activations.MATCHED`.
    size
        Length of the block's input: the number of variables of a regression, the width of the residual stream.
    outputs
        Of a regression; a block of the language model writes into the residual stream.
    seeds, first_seed
        Models an arm and a rate. A seed fixes the initial weights, the data and their order, and the generated task.
    rates
        Learning rates; of each arm the one with the least validation loss counts.
    steps, batch
        Steps of Adam, and examples or windows of text a step.
    layers, heads, context
        Of the language model.
    device, dtype, compile
        Where and in which precision; whether torch.compile is applied to the loss.
    """

    task: str
    width: int
    matched: tuple[str, ...] = ("width", "projections", "parameters")
    size: int = 16
    outputs: int = 8
    seeds: int = 5
    first_seed: int = 0
    rates: tuple[float, ...] = (0.003, 0.01)
    steps: int = 1000
    batch: int = 128
    layers: int = 1
    heads: int = 2
    context: int = 32
    device: str = "cpu"
    dtype: str = "float32"
    compile: bool = False

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise UsageError(f"{self.task!r} is no task; choose {', '.join(TASKS)}")
        unknown = [by for by in self.matched if by not in MATCHED]
        if unknown:
            raise UsageError(f"{unknown[0]!r} is no cost to compare at; choose {', '.join(MATCHED)}")
        if self.dtype not in ("float32", "float64"):
            raise UsageError(f"{self.dtype!r} is no dtype; choose float32, float64")
        for name in ("width", "size", "outputs", "seeds", "steps", "batch", "layers", "heads", "context"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}, and must be at least 1")
        if self.task == "language" and self.size % self.heads:
            raise UsageError(f"{self.heads} heads do not divide a residual stream of width {self.size}")

    @property
    def block(self) -> tuple[int, int]:
        """Inputs and outputs of a block. A regression has an input that is always 1, for biases."""
        return (self.size, self.size) if self.task == "language" else (self.size + 1, self.outputs)

    def partner(self, by: str, one: Kind, two: Kind) -> Arm:
        """The arm with one projection that costs no more than ``two`` at the plan's width."""
        costs = [unit_cost(kind.activation, kind.units, *self.block) for kind in (one, two)]
        return Arm(one, matched_width(by, self.width, *costs))

    def arms(self) -> tuple[Arm, ...]:
        """Every arm once."""
        untied = {Arm(two, self.width) for _, two in PAIRS}
        tied = {self.partner(by, one, two) for by in self.matched for one, two in PAIRS}
        return tuple(sorted(untied | tied))

    def shapes(self) -> tuple[Shape, ...]:
        """The pieces of the plan."""
        groups: dict[tuple[str, int], list[str]] = {}
        for arm in self.arms():
            groups.setdefault((arm.kind.units, arm.width), []).append(arm.kind.activation)
        seeds = tuple(range(self.first_seed, self.first_seed + self.seeds))
        return tuple(
            Shape(width, units, rate, tuple(activations), seeds)
            for (units, width), activations in sorted(groups.items())
            for rate in self.rates
        )

    def to_json(self) -> dict[str, Any]:
        """As a JSON object that `from_json` reads back."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GatedPlan:
        """The plan of a JSON object.

        Raises
        ------
        FormatError
            If it is not the object of a plan.
        """
        names = {field.name for field in fields(cls)}
        if not isinstance(value, Mapping) or names - set(value):
            raise FormatError("the plan of the comparison lacks fields")
        kept: dict[str, Any] = {n: tuple(v) if isinstance(v := value[n], list) else v for n in names}
        return cls(**kept)


__all__ = ["PAIRS", "TASKS", "Arm", "GatedPlan", "Kind", "Shape"]
