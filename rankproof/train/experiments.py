"""The experiments of the paper on CP-MLP blocks: what is trained, at three sizes. Plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rankproof.errors import UsageError
from rankproof.problem.parse import read_targets
from rankproof.train.gated.arms import GatedPlan
from rankproof.train.plan import Plan

PRESETS = ("minutes", "night", "gpu")


@dataclass(frozen=True)
class Case:
    """A target and the greatest width that is trained; ``small`` cases belong to the preset of minutes too."""

    text: str
    width: int
    small: bool = True


@dataclass(frozen=True)
class PolynomialExperiment:
    """Polynomial units on several targets, confronted with certified widths and floors."""

    name: str
    summary: str
    cases: tuple[Case, ...]

    def plans(
        self, preset: str, steps: int | None = None, seeds: int | None = None, device: str = ""
    ) -> list[Plan]:
        """One plan a target.

        Parameters
        ----------
        preset
            One of `PRESETS`.
        steps, seeds, device
            Override the preset's.
        """
        number = seeds or {"minutes": 16, "night": 64, "gpu": 256}[known_preset(preset)]
        return [
            Plan(
                read_targets(case.text)[0],
                widths=tuple(range(1, case.width + 1)),
                seeds=number,
                steps=steps or 200,
                piece=256 if preset == "gpu" else 32,
                device=device or ("cuda" if preset == "gpu" else "cpu"),
            )
            for case in self.cases
            if case.small or preset != "minutes"
        ]


@dataclass(frozen=True)
class GatedExperiment:
    """Gated blocks on a task, one input projection against two at equal cost."""

    name: str
    summary: str
    minutes: GatedPlan
    night: GatedPlan
    gpu: GatedPlan

    def plan(
        self, preset: str, steps: int | None = None, seeds: int | None = None, device: str = ""
    ) -> GatedPlan:
        """The plan of a preset; parameters as in `PolynomialExperiment.plans`."""
        chosen: GatedPlan = getattr(self, known_preset(preset))
        return replace(
            chosen,
            steps=steps or chosen.steps,
            seeds=seeds or chosen.seeds,
            device=device or ("cuda" if preset == "gpu" else "cpu"),
        )


def known_preset(name: str) -> str:
    """The name, if it is one of `PRESETS`.

    Raises
    ------
    UsageError
        If it is not.
    """
    if name not in PRESETS:
        raise UsageError(f"{name!r} is no preset; choose {', '.join(PRESETS)}")
    return name


def _diagonal(plus: int, minus: int) -> str:
    names = "abcdefgh"
    squares = [f"{'+' if i < plus else '-'} {names[i]}**2" for i in range(plus + minus)]
    return " ".join(squares).removeprefix("+ ")


def _signatures(most: int) -> tuple[Case, ...]:
    """Every signature up to the sign of the form; trained a little beyond the tied width p + q."""
    return tuple(
        Case(_diagonal(rank - minus, minus), rank + 1, rank <= 4)
        for rank in range(1, most + 1)
        for minus in range(rank // 2 + 1)
    )


def _regression(task: str) -> Callable[[int, int, tuple[float, ...]], GatedPlan]:
    def plan(seeds: int, steps: int, rates: tuple[float, ...]) -> GatedPlan:
        return GatedPlan(task, 16, size=16, outputs=8, seeds=seeds, steps=steps, rates=rates)

    return plan


_products, _teacher = _regression("products"), _regression("teacher")
_RATES = (0.003, 0.01, 0.03)

EXPERIMENTS: dict[str, PolynomialExperiment | GatedExperiment] = {
    experiment.name: experiment
    for experiment in (
        PolynomialExperiment(
            "quadratics", "quadratic forms of every signature up to rank 4 (6 in the night)", _signatures(6)
        ),
        PolynomialExperiment(
            "asymmetric",
            "x^(d-1) y, a monomial whose variables play different roles, d = 2 to 5",
            (Case("x*y", 3), Case("x**2*y", 4), Case("x**3*y", 5), Case("x**4*y", 6)),
        ),
        PolynomialExperiment(
            "powers",
            "sums of pure powers of independent linear forms",
            (
                Case("x**3 + y**3", 3),
                Case("x**3 + y**3 + z**3", 4),
                Case("x**4 + y**4 + z**4", 4),
                Case("x**5 + y**5", 3),
                Case("x**3 + 2*y**3 - z**3 + (x + y + z + w)**3", 5, False),
                Case("x**5 + y**5 + z**5", 4, False),
            ),
        ),
        PolynomialExperiment(
            "mixed",
            "sums of terms of both kinds, and products of more variables",
            (
                Case("x**2*y + z**3", 5),
                Case("x*y + z**2", 4),
                Case("x*y*z", 5),
                Case("x**2*y + y**2*z", 6),
                Case("x*y*z + w**3", 6, False),
                Case("x**2*y + z**2*w", 7, False),
            ),
        ),
        PolynomialExperiment(
            "degrees",
            "forms of degree 2 to 5 in two variables without a special shape",
            (
                Case("x**2 + 3*x*y - y**2", 3),
                Case("x**3 + 2*x**2*y - x*y**2 + 3*y**3", 4),
                Case("x**4 - 2*x**3*y + x**2*y**2 + 3*x*y**3 - y**4", 5),
                Case("x**5 + x**4*y - 2*x**3*y**2 + x**2*y**3 + 3*x*y**4 - y**5", 6),
                Case("x**2*y**2", 5, False),
                Case("x**3*y**2", 6, False),
            ),
        ),
        PolynomialExperiment(
            "outputs",
            "maps with several outputs that share units",
            (
                Case("x**2 - y**2; 2*x*y", 4),
                Case("x*y; y*z; x*z", 7),
                Case("x**2*y; x*y**2", 5),
                Case("a*c - b*d; a*d + b*c", 7, False),
            ),
        ),
        GatedExperiment(
            "products",
            "gated blocks on sums of products of different variables (a generated regression)",
            _products(5, 800, (0.01, 0.03, 0.06)),
            _products(10, 10_000, _RATES),
            _products(64, 20_000, _RATES),
        ),
        GatedExperiment(
            "teacher",
            "gated blocks on a random layer of tanh units (a generated regression)",
            _teacher(5, 800, (0.01, 0.03, 0.06)),
            _teacher(10, 10_000, _RATES),
            _teacher(64, 20_000, _RATES),
        ),
        GatedExperiment(
            "language",
            "gated blocks in a small transformer over the bytes of Python's reference pages",
            GatedPlan("language", 64, size=32, seeds=5, steps=600, batch=8, context=32, rates=(0.01,)),
            GatedPlan(
                "language",
                128,
                size=64,
                seeds=5,
                steps=1500,
                batch=16,
                context=64,
                layers=2,
                heads=4,
                rates=(0.003, 0.01),
            ),
            GatedPlan(
                "language",
                512,
                size=256,
                seeds=8,
                steps=5000,
                batch=32,
                context=256,
                layers=4,
                heads=8,
                rates=(0.001, 0.003),
            ),
        ),
    )
}


def experiment(name: str) -> PolynomialExperiment | GatedExperiment:
    """The experiment of a name.

    Raises
    ------
    UsageError
        If there is none.

    Examples
    --------
    >>> [plan.target.text for plan in experiment("quadratics").plans("minutes")][:3]
    ['a**2', 'a**2 + b**2', 'a**2 - b**2']
    """
    try:
        return EXPERIMENTS[name]
    except KeyError:
        raise UsageError(f"{name!r} is no experiment; choose {', '.join(EXPERIMENTS)}") from None


__all__ = [
    "EXPERIMENTS",
    "PRESETS",
    "Case",
    "GatedExperiment",
    "PolynomialExperiment",
    "experiment",
    "known_preset",
]
