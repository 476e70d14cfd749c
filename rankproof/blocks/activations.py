"""Gates: their functions, and those whose odd part is half the identity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import erf, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError

Values = NDArray[np.float64]

_erf = np.frompyfunc(erf, 1, 1)


def _relu(z: Values) -> Values:
    return np.maximum(z, 0.0)


def _silu(z: Values) -> Values:
    # exp of a large positive number overflows; exp(-|z|) never does.
    small = np.exp(-np.abs(z))
    return z * np.where(z >= 0, 1.0, small) / (1.0 + small)


def _gelu(z: Values) -> Values:
    return 0.5 * z * (1.0 + np.asarray(_erf(z / sqrt(2)), np.float64))


def _gelu_tanh(z: Values) -> Values:
    return 0.5 * z * (1.0 + np.tanh(sqrt(2 / pi) * (z + 0.044715 * z**3)))


def _identity(z: Values) -> Values:
    return z


FUNCTIONS: Mapping[str, Callable[[Values], Values]] = {
    "relu": _relu,
    "silu": _silu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "identity": _identity,
}
"""Gates sigma with sigma(z) - sigma(-z) = z, so that the even part of the block is bilinear; and no gate at all."""

SPELLINGS = {
    "swish": "silu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
    "gelu_python": "gelu",
    "gelutanh": "gelu_tanh",
    "pytorchgelutanh": "gelu_tanh",
    "geluactivation": "gelu",
    "newgeluactivation": "gelu_tanh",
    "siluactivation": "silu",
    "linear": "identity",
    "bilinear": "identity",
    "none": "identity",
    "reglu": "relu",
    "swiglu": "silu",
    "geglu": "gelu",
    "relu2": "relu_squared",
    "relusquaredactivation": "relu_squared",
    "squared_relu": "relu_squared",
}
"""What configurations call them."""

ARCHITECTURES = {
    "llama": "silu",
    "mistral": "silu",
    "qwen2": "silu",
    "qwen3": "silu",
    "phi3": "silu",
    "smollm3": "silu",
    "olmo2": "silu",
    "stablelm": "silu",
    "internlm2": "silu",
    "command-r": "silu",
    "gemma": "gelu_tanh",
    "gemma2": "gelu_tanh",
    "gemma3": "gelu_tanh",
}
"""The gate of an architecture of GGUF files, which do not store it."""


def activation_named(name: Any) -> str:
    """The gate as rankproof calls it.

    Parameters
    ----------
    name
        As a configuration, an option or a module's class calls it.

    Raises
    ------
    UsageError
        If the even part of a block with this gate is not a polynomial, or the name is not known.

    Examples
    --------
    >>> activation_named("gelu_pytorch_tanh"), activation_named("SiLU")
    ('gelu_tanh', 'silu')
    """
    word = str(name).lower()
    word = SPELLINGS.get(word, word)
    if word not in FUNCTIONS and word != "relu_squared":
        allowed = ", ".join([*FUNCTIONS, "relu_squared"])
        raise UsageError(
            f"the gate {name} has an even part that is no polynomial, or is not known; gates that can be read: {allowed}"
        )
    return word
