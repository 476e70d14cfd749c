"""What models call the matrices of their feed-forward blocks, and which way round they store them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Convention:
    """Names of one block's matrices, after the part that numbers the block.

    Attributes
    ----------
    name
        Who writes them so.
    gate, up, down
        Names; no gate means a fused matrix in ``up`` if that has twice as many rows as ``down`` has units, and a block
        without a gate otherwise.
    transposed
        Whether matrices are stored as (inputs, outputs).
    activation
        The gate where the convention fixes it.
    """

    name: str
    gate: str | None
    up: str
    down: str
    transposed: bool = False
    activation: str | None = None


CONVENTIONS = (
    Convention("Hugging Face", "mlp.gate_proj.weight", "mlp.up_proj.weight", "mlp.down_proj.weight"),
    Convention("GGUF", "ffn_gate.weight", "ffn_up.weight", "ffn_down.weight"),
    Convention("LLaMA", "feed_forward.w1.weight", "feed_forward.w3.weight", "feed_forward.w2.weight"),
    Convention("TransformerLens", "mlp.W_gate", "mlp.W_in", "mlp.W_out", transposed=True),
    Convention("fused gate_up", None, "mlp.gate_up_proj.weight", "mlp.down_proj.weight"),
    Convention("bilinear", None, "mlp.w.weight", "mlp.p.weight", activation="identity"),
    Convention("GGUF, fused or ungated", None, "ffn_up.weight", "ffn_down.weight"),
    Convention("GPT-2", None, "mlp.c_fc.weight", "mlp.c_proj.weight", transposed=True),
    Convention("NeoX", None, "mlp.dense_h_to_4h.weight", "mlp.dense_4h_to_h.weight"),
    Convention("TransformerLens, ungated", None, "mlp.W_in", "mlp.W_out", transposed=True),
    Convention("up and down", None, "mlp.up_proj.weight", "mlp.down_proj.weight"),
    Convention("fc1, fc2", None, "mlp.fc1.weight", "mlp.fc2.weight"),
)
"""Earlier ones first: a block with a gate is found before one without."""

NORMS = (
    "pre_feedforward_layernorm.weight",
    "post_attention_layernorm.weight",
    "ffn_norm.weight",
    "ln2.w",
    "ln_2.weight",
)
"""Gains of the norm before a feed-forward block."""

_NUMBERED = re.compile(r"(.*?)(?:^|\.)(\d+)\.(.+)")


def blocks_of(names: Collection[str]) -> dict[int, dict[str, str]]:
    """Names of tensors by the number of their block.

    Parameters
    ----------
    names
        As a file calls its tensors.

    Returns
    -------
    dict
        For every number, the full name by the part after the number.

    Examples
    --------
    >>> blocks_of(["model.layers.3.mlp.up_proj.weight", "lm_head.weight"])
    {3: {'mlp.up_proj.weight': 'model.layers.3.mlp.up_proj.weight'}}
    """
    found: dict[int, dict[str, str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match is not None:
            found.setdefault(int(match[2]), {})[match[3]] = name
    return found


def alone(names: Collection[str]) -> dict[str, str]:
    """Names of the tensors of a single block, which has no number; ``mlp.`` is put before those without it.

    Examples
    --------
    >>> alone(["gate_proj.weight"])
    {'mlp.gate_proj.weight': 'gate_proj.weight'}
    """
    return {
        name if name.startswith(("mlp.", "ffn_", "feed_forward.")) else f"mlp.{name}": name for name in names
    }


def convention_of(parts: Collection[str]) -> tuple[Convention | None, list[str]]:
    """The convention that the parts of a block follow, and what is missing where one is followed in part.

    Parameters
    ----------
    parts
        Names within one block.

    Returns
    -------
    convention
        The first whose names are all there, or None.
    missing
        Of the convention that is nearest to complete, what is not there, when there is None.
    """
    partial: list[list[str]] = []
    for convention in CONVENTIONS:
        wanted = [part for part in (convention.gate, convention.up, convention.down) if part is not None]
        missing = [part for part in wanted if part not in parts]
        if not missing:
            return convention, []
        if len(missing) < len(wanted):
            partial.append(missing)
    return None, min(partial, default=[], key=len)
