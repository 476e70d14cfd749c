"""What a unit of a block computes: the table of activations.

A gated unit is s(a.x) (b.x) w, an ungated one s(a.x) w. The tied counterpart of a gated unit has b = a; that of ReGLU is
ReLU^2, that of the bilinear unit the square. A polynomial unit of degree d is (a.x)^(d-1) (b.x) w, tied (a.x)^d w.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankproof.errors import UsageError


@dataclass(frozen=True)
class Activation:
    """One line of the table.

    Attributes
    ----------
    name
        What a person types.
    gate
        The function s applied to a.x, by the name that `gates` knows; empty for polynomial units.
    gated
        Whether there is a second projection b.x; only then tied and untied units differ.
    summary
        One phrase for the help.
    """

    name: str
    gate: str
    gated: bool
    summary: str

    @property
    def polynomial(self) -> bool:
        """Whether units are polynomials of the target's degree, so that the certified widths are about them."""
        return not self.gate


ACTIVATIONS: dict[str, Activation] = {
    activation.name: activation
    for activation in (
        Activation("polynomial", "", True, "(a.x)^(d-1) (b.x), d the degree of the target"),
        Activation("relu", "relu", False, "max(a.x, 0)"),
        Activation("relu2", "relu2", False, "max(a.x, 0)^2, which is ReGLU with b = a"),
        Activation("silu", "silu", False, "(a.x) sigmoid(a.x)"),
        Activation("gelu", "gelu", False, "(a.x) Phi(a.x)"),
        Activation("bilinear", "identity", True, "(a.x) (b.x)"),
        Activation("glu", "sigmoid", True, "sigmoid(a.x) (b.x)"),
        Activation("reglu", "relu", True, "max(a.x, 0) (b.x)"),
        Activation("swiglu", "silu", True, "silu(a.x) (b.x)"),
        Activation("geglu", "gelu", True, "gelu(a.x) (b.x)"),
    )
}


def activation(name: str) -> Activation:
    """The activation of a name.

    Raises
    ------
    UsageError
        If there is none.

    Examples
    --------
    >>> activation("swiglu").gated
    True
    >>> activation("tanhglu")
    Traceback (most recent call last):
        ...
    rankproof.errors.UsageError: 'tanhglu' is not an activation; choose polynomial, relu, relu2, ...
    """
    try:
        return ACTIVATIONS[name]
    except KeyError:
        *names, last = ACTIVATIONS
        raise UsageError(f"{name!r} is not an activation; choose {', '.join(names)} or {last}") from None


@dataclass(frozen=True)
class Cost:
    """What one unit costs.

    Attributes
    ----------
    projections
        Linear forms of the input that are evaluated.
    parameters
        Numbers that are stored.
    flops
        Multiplications and additions of one evaluation; a function such as the sigmoid counts as one.
    """

    projections: int
    parameters: int
    flops: int


def unit_cost(name: str, units: str, inputs: int, outputs: int, degree: int = 2) -> Cost:
    """What a unit costs; the input that stands for a bias counts among the inputs.

    Examples
    --------
    >>> unit_cost("polynomial", "tied", 4, 1, 3), unit_cost("polynomial", "untied", 4, 1, 3)
    (Cost(projections=1, parameters=5, flops=11), Cost(projections=2, parameters=9, flops=18))
    """
    chosen = activation(name)
    projections = 2 if chosen.gated and units == "untied" else 1
    inner = degree - 1 if chosen.polynomial else 1 + chosen.gated
    dots = projections * (2 * inputs - 1)
    return Cost(projections, projections * inputs + outputs, dots + inner + 2 * outputs)


MATCHED = ("width", "projections", "parameters", "flops")
"""What can be made equal when tied units are compared with untied ones."""


def matched_width(by: str, width: int, tied: Cost, untied: Cost) -> int:
    """The greatest number of tied units that cost no more than ``width`` untied ones.

    Examples
    --------
    >>> tied, untied = (unit_cost("bilinear", units, 8, 8) for units in ("tied", "untied"))
    >>> [matched_width(by, 4, tied, untied) for by in MATCHED]
    [4, 8, 6, 5]
    """
    return width if by == "width" else width * getattr(untied, by) // getattr(tied, by)


__all__ = ["ACTIVATIONS", "MATCHED", "Activation", "Cost", "activation", "matched_width", "unit_cost"]
