"""A gated feed-forward block: exact weights, and its even part, which is exactly bilinear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankproof.blocks.activations import FUNCTIONS, activation_named
from rankproof.blocks.files import TensorFile
from rankproof.errors import TargetError, UsageError

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Origin:
    """Where the weights of a block come from.

    Attributes
    ----------
    file
        The file, None for weights that were given as arrays.
    block
        The number of the block in its model.
    tensors
        Names of the tensors by role: ``gate``, ``up``, ``down``, or ``gate_up`` and ``down``.
    layout
        How the rows stand: ``separate``, ``stacked`` (gate above up), ``interleaved``; with ``, transposed`` appended where
        the file stores matrices with the inputs first.
    """

    file: TensorFile | None = None
    block: int | None = None
    tensors: Mapping[str, str] = field(default_factory=dict)
    layout: str = "separate"


@dataclass(frozen=True, eq=False)
class GatedBlock:
    r"""A feed-forward block :math:`f(x) = W_{down}\,[\sigma(W_{gate}\,x) \odot (W_{up}\,x)]`.

    Attributes
    ----------
    gate, up
        Matrices of shape (units, inputs). Every entry is the exact value of a stored weight: a dyadic rational that a
        float64 holds without rounding.
    down
        Matrix of shape (outputs, units), exact likewise.
    activation
        ``relu``, ``silu``, ``gelu``, ``gelu_tanh`` or ``identity``.
    biases
        Vectors by role (``gate``, ``up``, ``down``) of the biases that are not zero.
    gain
        The gain of the norm before the block, when it is to count as part of the block: x is then the normalised vector.
    origin
        Where the weights come from.

    Notes
    -----
    Each of these gates has :math:`\sigma(z) - \sigma(-z) = z`. Without biases in gate and up therefore

    .. math:: \tfrac12 (f(x) + f(-x)) = \tfrac12 W_{down}\,[(W_{gate}\,x) \odot (W_{up}\,x)]

    exactly: the even part of the block is a quadratic map, of which every unit of the block is one untied unit. (Without a gate,
    ``identity``, the block is its own even part, and there is no factor 1/2.)

    Examples
    --------
    >>> import numpy as np
    >>> block = GatedBlock(np.array([[1.0, 2.0]]), np.array([[3.0, 0.5]]), np.array([[1.0]]), "silu")
    >>> x = np.array([[0.3, -1.1]])
    >>> bool(np.allclose((block(x) + block(-x)) / 2, block.even_part(x)))
    True
    """

    gate: Values
    up: Values
    down: Values
    activation: str = "silu"
    biases: Mapping[str, Values] = field(default_factory=dict)
    gain: Values | None = None
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        for role in ("gate", "up", "down"):
            object.__setattr__(self, role, exact_array(getattr(self, role), role, 2))
        object.__setattr__(self, "activation", activation_named(self.activation))
        if self.activation not in FUNCTIONS:
            raise UsageError(f"{self.activation} is for blocks without a gate")
        if self.gate.shape != self.up.shape or self.down.shape[1] != self.gate.shape[0]:
            shapes = f"gate {self.gate.shape}, up {self.up.shape}, down {self.down.shape}"
            raise TargetError(
                f"the matrices do not fit together: {shapes}; they are (units, inputs) twice and (outputs, units)"
            )
        if self.gain is not None and (self.gain.shape != (self.inputs,) or not np.isfinite(self.gain).all()):
            raise TargetError(f"the gain of the norm has shape {self.gain.shape}, not ({self.inputs},)")

    @classmethod
    def from_torch(cls, gate: Any, up: Any, down: Any, activation: str = "silu", **more: Any) -> GatedBlock:
        """Block of torch parameters, or of anything numpy can read.

        Parameters
        ----------
        gate, up, down
            Tensors of shape (units, inputs) twice and (outputs, units); half precision is taken exactly.
        activation
            Name of the gate.
        **more
            Other fields of the block.
        """
        return cls(_from_torch(gate), _from_torch(up), _from_torch(down), activation, **more)

    @property
    def units(self) -> int:
        """Width of the block."""
        return self.gate.shape[0]

    @property
    def inputs(self) -> int:
        """Length of x."""
        return self.gate.shape[1]

    @property
    def outputs(self) -> int:
        """Length of f(x)."""
        return self.down.shape[0]

    @property
    def half(self) -> float:
        """The factor of the even part: 1/2 with a gate, 1 without."""
        return 1.0 if self.activation == "identity" else 0.5

    def __call__(self, x: ArrayLike) -> Values:
        """Outputs of the block.

        Parameters
        ----------
        x
            Rows of inputs, shape (rows, inputs).

        Returns
        -------
        ndarray
            Shape (rows, outputs), in float64.
        """
        x = self._scaled(x)
        z = x @ self.gate.T + self.biases.get("gate", 0.0)
        y = x @ self.up.T + self.biases.get("up", 0.0)
        return (FUNCTIONS[self.activation](z) * y) @ self.down.T + self.biases.get("down", 0.0)

    def even_part(self, x: ArrayLike) -> Values:
        """The bilinear even part, ``half * down @ ((gate @ x) * (up @ x))`` for every row of x.

        Raises
        ------
        TargetError
            If biases make the even part something else.
        """
        self.check_bilinear()
        x = self._scaled(x)
        return self.half * ((x @ self.gate.T) * (x @ self.up.T)) @ self.down.T + self.biases.get("down", 0.0)

    def even_part_error(self, x: ArrayLike) -> float:
        """Largest difference between (f(x) + f(-x))/2 and the bilinear even part, relative to the largest output.

        Parameters
        ----------
        x
            Rows of inputs: random ones, or activations of a model.
        """
        x = np.asarray(x, np.float64)
        right, left = self(x), self(-x)
        scale = max(float(np.abs(right).max()), float(np.abs(left).max()), np.finfo(float).tiny)
        return float(np.abs((right + left) / 2 - self.even_part(x)).max()) / scale

    def check_bilinear(self) -> None:
        """Make sure that the even part is bilinear.

        Raises
        ------
        TargetError
            If there is a bias in gate or up.
        """
        found = [role for role in ("gate", "up") if role in self.biases]
        if found:
            raise TargetError(f"the block has a bias in {' and '.join(found)}: its even part is not bilinear")

    def form(self, direction: ArrayLike) -> Values:
        """Symmetric matrix of one output of the even part, in floating point.

        Parameters
        ----------
        direction
            A vector u of length `outputs`: the form is u . even_part(x) = x' A x.

        Returns
        -------
        ndarray
            A, of shape (inputs, inputs).
        """
        self.check_bilinear()
        weights = self.half * (np.asarray(direction, np.float64) @ self.down)
        matrix = (self.gate * weights[:, None]).T @ self.up
        matrix = (matrix + matrix.T) / 2
        return matrix if self.gain is None else matrix * self.gain[:, None] * self.gain

    def _scaled(self, x: ArrayLike) -> Values:
        x = np.asarray(x, np.float64)
        return x if self.gain is None else x * self.gain


def exact_array(values: Any, role: str, axes: int) -> Values:
    """float64 array of numbers that fit exactly.

    Parameters
    ----------
    values
        An array of floating-point numbers of at most 64 bits, or of integers below 2^53.
    role
        What it is, for the message.
    axes
        How many indices it has.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise TargetError(
            f"the {role} weights are of type {array.dtype}; floats of at most 64 bits are exact"
        )
    result = array.astype(np.float64)
    if array.dtype.kind != "f" and (np.abs(result) >= 2.0**53).any():
        raise TargetError(f"the {role} weights are integers beyond 2^53")
    if result.ndim != axes or 0 in result.shape:
        raise TargetError(f"the {role} weights have shape {result.shape}; {axes} indices are needed")
    if not np.isfinite(result).all():
        place = [int(k) for k in np.argwhere(~np.isfinite(result))[0]]
        raise TargetError(f"the {role} weights hold {result[tuple(place)]} at {place}, which is no number")
    return result


def _from_torch(values: Any) -> Any:
    # bfloat16 has no counterpart in numpy; every float of at most 32 bits is a double.
    return values.detach().cpu().double().numpy() if hasattr(values, "detach") else values
