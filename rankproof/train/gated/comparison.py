"""What trained arms say about tied and untied units: paired differences over seeds with confidence intervals. Plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import mean, stdev
from typing import Any

from rankproof.train.gated.arms import PAIRS, Arm, GatedPlan, Kind

# Quantiles of Student's distribution at 0.975 for 1 to 9 degrees of freedom; beyond, its Cornish-Fisher expansion.
_QUANTILES = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)
_NORMAL = 1.959964


@dataclass(frozen=True)
class Outcome:
    """One trained model: its arm, rate and seed, and what it reached.

    Attributes
    ----------
    validation, test
        Losses on data that no step saw: the first chooses the rate, the second is reported. Mean squared error relative
        to the variance of the task, or bits a byte.
    history
        Step and validation loss along the way.
    """

    activation: str
    units: str
    width: int
    rate: float
    seed: int
    validation: float
    test: float
    history: tuple[tuple[int, float], ...] = ()

    @property
    def arm(self) -> Arm:
        """Kind and width."""
        return Arm(Kind(self.activation, self.units), self.width)

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Outcome:
        """The outcome of a JSON object."""
        return cls(**{**value, "history": tuple(map(tuple, value["history"]))})


@dataclass(frozen=True)
class Level:
    """What an arm reaches: the mean over seeds at its best rate, with half the width of its 95% interval."""

    kind: str
    width: int
    rate: float
    loss: float
    half: float


@dataclass(frozen=True)
class Comparison:
    """One projection against two at equal cost.

    Attributes
    ----------
    by
        What is equal.
    tied, untied
        Labels of the kinds; the second has two projections.
    tied_width, untied_width
        Numbers of units.
    difference, half
        Mean over seeds of the loss of the first minus the loss of the second, and half its 95% interval.
    seeds
        How many pairs.
    """

    by: str
    tied: str
    untied: str
    tied_width: int
    untied_width: int
    difference: float
    half: float
    seeds: int

    @property
    def better(self) -> str:
        """Which has less loss; ``open`` where the interval contains zero."""
        if abs(self.difference) <= self.half:
            return "open"
        return "untied" if self.difference > 0 else "tied"


def quantile(freedom: int) -> float:
    """Quantile of Student's distribution at 0.975.

    Examples
    --------
    >>> [round(quantile(n), 3) for n in (4, 10, 30)]
    [2.776, 2.228, 2.042]
    """
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    z, v = _NORMAL, float(freedom)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / v ** (k + 1) for k, term in enumerate(terms))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half the width of its 95% interval; infinite for a single value."""
    if len(values) < 2:
        return mean(values), float("inf")
    return mean(values), quantile(len(values) - 1) * stdev(values) / sqrt(len(values))


def chosen(outcomes: Sequence[Outcome]) -> dict[Arm, dict[int, Outcome]]:
    """Of every arm the outcomes at the rate with the least mean validation loss, by seed."""
    groups: dict[Arm, dict[float, dict[int, Outcome]]] = {}
    for one in outcomes:
        groups.setdefault(one.arm, {}).setdefault(one.rate, {})[one.seed] = one
    return {
        arm: min(rates.values(), key=lambda seeds: mean(_finite(one.validation) for one in seeds.values()))
        for arm, rates in groups.items()
    }


def _finite(loss: float) -> float:
    return loss if loss == loss else float("inf")  # a run that diverged is the worst, not incomparable


def levels(outcomes: Sequence[Outcome]) -> list[Level]:
    """What every arm reaches."""
    found: list[Level] = []
    for arm, seeds in sorted(chosen(outcomes).items()):
        centre, half = interval([one.test for one in seeds.values()])
        found.append(Level(arm.kind.label, arm.width, next(iter(seeds.values())).rate, centre, half))
    return found


def comparisons(plan: GatedPlan, outcomes: Sequence[Outcome]) -> list[Comparison]:
    """All pairs at every equal cost. Models of one seed see the same data, so their losses are subtracted first."""
    best = chosen(outcomes)
    found: list[Comparison] = []
    for by in plan.matched:
        for one, two in PAIRS:
            tied, untied = plan.partner(by, one, two), Arm(two, plan.width)
            common = sorted(set(best[tied]) & set(best[untied]))
            centre, half = interval([best[tied][seed].test - best[untied][seed].test for seed in common])
            widths = (tied.width, untied.width)
            found.append(Comparison(by, one.label, two.label, *widths, centre, half, len(common)))
    return found


__all__ = ["Comparison", "Level", "Outcome", "chosen", "comparisons", "interval", "levels", "quantile"]
