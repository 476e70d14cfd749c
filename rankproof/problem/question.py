"""A question: how many units of which kind, over which field, exactly or arbitrarily well."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rankproof.problem.field import Field

Quantity = Literal["rank", "border_rank"]
QUANTITIES: tuple[Quantity, Quantity] = ("rank", "border_rank")

Loss = Literal["frobenius", "gaussian", "sphere", "uniform", "rademacher", "size"]
LOSSES: tuple[Loss, ...] = ("frobenius", "gaussian", "sphere", "uniform", "rademacher")
"""Losses of networks."""

MEASURED: tuple[Loss, ...] = (*LOSSES, "size")
"""What has a floor: losses, and the size of the units of sums whose squared Bombieri distance is at most the scale."""


@dataclass(frozen=True)
class Floor:
    """The infimum of a loss over the networks of at most so many units.

    Attributes
    ----------
    loss
        Its name.
    width
        The number of units.
    scale
        The square of the length by which inputs are multiplied: the variance of Gaussian inputs. For ``size`` the largest
        squared Bombieri distance of the sums that it is about.
    """

    loss: Loss
    width: int
    scale: Fraction = Fraction(1)

    def __str__(self) -> str:
        scaled = "" if self.scale == 1 else f" and scale {self.scale}"
        return f"{self.loss} floor at width {self.width}{scaled}"


@dataclass(frozen=True)
class Question:
    """What is asked: units is a model's name, quantity is ``rank``, ``border_rank`` or a `Floor`."""

    units: str
    field: Field
    quantity: Quantity | Floor

    def __str__(self) -> str:
        return f"{self.units} {str(self.quantity).replace('_', ' ')} over {self.field}"
