"""Reading one feed-forward block of a file or of a torch model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.blocks.activations import ARCHITECTURES, activation_named
from rankproof.blocks.block import GatedBlock, Origin, exact_array
from rankproof.blocks.conventions import NORMS, Convention, alone, blocks_of, convention_of
from rankproof.blocks.files import TensorFile, open_tensors
from rankproof.errors import FormatError, TargetError, UsageError

Values = NDArray[np.float64]


@dataclass(frozen=True)
class _Source:
    """Named tensors from anywhere."""

    label: str
    shapes: Mapping[str, tuple[int, ...]]
    read: Callable[[str], Values]
    activation: str | None
    file: Callable[[str], TensorFile | None]
    gain_is_added_to_one: bool = False


def read(
    source: Any,
    block: int | None = None,
    *,
    activation: str | None = None,
    fold: bool = False,
    interleaved: bool = False,
) -> GatedBlock:
    """Read a gated feed-forward block, exactly.

    Parameters
    ----------
    source
        A GGUF or safetensors file, a folder of safetensors files with ``config.json``, a file of `torch.save`, or a torch
        module or state dict.
    block
        Number of the block, from 0; may be left out when there is only one.
    activation
        Name of the gate, when the source does not say it or says it wrongly.
    fold
        Whether the gain of the norm before the block counts as part of it.
    interleaved
        Whether a fused matrix holds gate and up rows in turn, not the gate above up.

    Returns
    -------
    GatedBlock
        The weights as float64 without rounding; quantised weights are the exact rationals that their scales and quanta stand
        for.

    Raises
    ------
    FormatError
        If the file is damaged, a tensor is missing, or a weight is no number.
    TargetError
        If the block has no gate.
    UsageError
        If there is no block of this number, or the gate is not known.

    Examples
    --------
    >>> import numpy as np
    >>> state = {"gate_proj.weight": np.eye(3, 2), "up_proj.weight": np.eye(3, 2), "down_proj.weight": np.eye(2, 3)}
    >>> read(state, activation="silu").units
    3
    """
    found = _source(source)
    parts = _parts_of(found, block)
    convention, missing = convention_of(parts)
    where = found.label if block is None else f"{found.label}, block {block}"
    if convention is None:
        if missing:
            raise FormatError(f"{where}: the tensor {missing[0]} is missing")
        raise FormatError(
            f"{where}: no feed-forward matrices under any name that is known: found {_some(parts)}"
        )

    def matrix(part: str) -> Values:
        values = exact_array(found.read(parts[part]), part, 2)
        return values.T if convention.transposed else values

    down = matrix(convention.down)
    first = None if convention.gate is None else matrix(convention.gate)
    second = matrix(convention.up)
    named = activation or convention.activation or found.activation
    name = None if named is None else activation_named(named)
    biases = _biases(found, parts, convention)
    if first is None and name == "relu_squared" and second.shape[0] == down.shape[1]:
        # The square of relu(z) is relu(z)*z: a gated block whose two matrices are one.
        gate, up, layout, name = second, second, "squared", "relu"
        biases = {**biases, **({"gate": biases["up"]} if "up" in biases else {})}
    else:
        gate, up, layout = _gate_and_up(first, second, down, interleaved, where, biases)
    if name is None:
        raise UsageError(
            f"{where}: the file does not say which gate the block has; name it with --activation silu, gelu, ..."
        )
    roles = {"gate": convention.gate, "up": convention.up, "down": convention.down}
    tensors = {role: parts[part] for role, part in roles.items() if part is not None}
    origin = Origin(
        found.file(tensors["down"]),
        block,
        tensors,
        layout + (", transposed" if convention.transposed else ""),
    )
    gain = _gain(found, parts, where) if fold else None
    return GatedBlock(gate, up, down, name, {role: b for role, b in biases.items() if b.any()}, gain, origin)


def block_numbers(source: Any) -> list[int]:
    """Numbers of the blocks of a source that hold feed-forward matrices, in order."""
    found = blocks_of(list(_source(source).shapes))
    return sorted(number for number, parts in found.items() if convention_of(parts)[0] is not None)


def _gate_and_up(
    gate: Values | None, up: Values, down: Values, interleaved: bool, where: str, biases: dict[str, Values]
) -> tuple[Values, Values, str]:
    if gate is not None:
        return gate, up, "separate"
    units = down.shape[1]
    if up.shape[0] != 2 * units:
        raise TargetError(
            f"{where} has no gate: one matrix of shape {up.shape} for {units} units; only gated blocks, and ungated ones with"
            " --activation relu_squared, have a polynomial even part of their own"
        )
    cuts = (slice(0, None, 2), slice(1, None, 2)) if interleaved else (slice(0, units), slice(units, None))
    if "up" in biases:
        fused = biases.pop("up")
        biases["gate"], biases["up"] = fused[cuts[0]], fused[cuts[1]]
    return up[cuts[0]], up[cuts[1]], "interleaved" if interleaved else "stacked"


def _biases(found: _Source, parts: Mapping[str, str], convention: Convention) -> dict[str, Values]:
    biases: dict[str, Values] = {}
    for role, part in (("gate", convention.gate), ("up", convention.up), ("down", convention.down)):
        if part is None:
            continue
        # TransformerLens calls the bias of W_in b_in, everybody else turns weight into bias.
        name = part.replace(".weight", ".bias") if ".weight" in part else part.replace(".W_", ".b_")
        if name in parts:
            biases[role] = exact_array(found.read(parts[name]), name, 1)
    return biases


def _gain(found: _Source, parts: Mapping[str, str], where: str) -> Values:
    name = next((part for part in NORMS if part in parts), None)
    if name is None:
        raise FormatError(f"{where}: no gain of a norm before the block is there to fold")
    gain = exact_array(found.read(parts[name]), name, 1)
    if not found.gain_is_added_to_one:
        return gain
    if (((gain + 1.0) - 1.0) != gain).any():
        raise TargetError(
            f"{where}: 1 plus the gain of the norm does not fit into 53 bits; leave the gain out"
        )
    return gain + 1.0


def _parts_of(found: _Source, block: int | None) -> dict[str, str]:
    numbered = blocks_of(list(found.shapes))
    numbers = sorted(
        number for number, parts in numbered.items() if convention_of(parts)[0] or convention_of(parts)[1]
    )
    if block is None:
        if len(numbers) > 1:
            raise UsageError(
                f"{found.label} has the blocks {numbers[0]}..{numbers[-1]}; name one with --block"
            )
        return numbered[numbers[0]] if numbers else alone(list(found.shapes))
    if not numbers:
        raise FormatError(f"{found.label} holds no feed-forward blocks under any name that is known")
    if block not in numbers:
        raise UsageError(
            f"{found.label} has the blocks {numbers[0]}..{numbers[-1]}; there is no block {block}"
        )
    return numbered[block]


def _some(names: Any) -> str:
    names = sorted(names)
    return ", ".join(names[:4]) + (", ..." if len(names) > 4 else "") if names else "nothing"


def _source(source: Any) -> _Source:
    if isinstance(source, TensorFile):
        return _of_files(str(source.path), [source], {})
    if isinstance(source, (str, Path)):
        return _of_path(Path(source))
    return _of_torch(source)


def _of_path(path: Path) -> _Source:
    if path.is_dir():
        files = sorted(path.glob("*.safetensors"))
        if not files:
            raise FormatError(f"{path} holds no *.safetensors files")
        return _of_files(str(path), [open_tensors(file) for file in files], _config(path))
    if path.suffix in (".pt", ".pth", ".bin"):
        return _of_torch(_loaded(path), str(path), _config(path.parent))
    return _of_files(str(path), [open_tensors(path)], _config(path.parent) if path.suffix != ".gguf" else {})


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        return {}
    try:
        config = json.loads(path.read_bytes())
    except ValueError:
        raise FormatError(f"{path} is no JSON") from None
    return config if isinstance(config, dict) else {}


def _activation_of(config: Mapping[str, Any]) -> str | None:
    keys = ("hidden_activation", "hidden_act", "activation_function", "act_fn")
    return next((config[key] for key in keys if isinstance(config.get(key), str)), None)


def _of_files(label: str, files: list[TensorFile], config: Mapping[str, Any]) -> _Source:
    homes = {name: file for file in files for name in file.tensors}
    architecture = str(files[0].metadata.get("general.architecture", ""))
    return _Source(
        label,
        {name: file.tensors[name].shape for name, file in homes.items()},
        lambda name: homes[name].read(name),
        _activation_of(config) or ARCHITECTURES.get(architecture),
        homes.get,
        str(config.get("model_type", "")).startswith("gemma"),
    )


def _loaded(path: Path) -> Any:
    try:
        import torch
    except ModuleNotFoundError:
        raise UsageError(f"{path} is a file of torch; install torch, or convert it to safetensors") from None
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise FormatError(f"{path} is no state dict of torch: {str(error).splitlines()[0]}") from None


def _of_torch(source: Any, label: str = "the model", config: Mapping[str, Any] | None = None) -> _Source:
    """Source of a module, a state dict, or a mapping of arrays."""
    settings = dict(config or {})
    if hasattr(source, "state_dict"):
        model_config = getattr(source, "config", None)
        if hasattr(model_config, "to_dict"):
            settings.update(model_config.to_dict())  # pyright: ignore[reportOptionalMemberAccess]
        act = getattr(source, "act_fn", None)
        if act is not None and _activation_of(settings) is None:
            settings["hidden_act"] = getattr(act, "__name__", type(act).__name__)
        source = source.state_dict()
    if not isinstance(source, Mapping) or not all(isinstance(name, str) for name in source):
        raise UsageError(
            f"{type(source).__name__} is no file, no torch module and no mapping of names to arrays"
        )

    def array(name: str) -> Values:
        values = source[name]
        # bfloat16 has no counterpart in numpy; every float of at most 32 bits is a double.
        return np.asarray(values.detach().cpu().double() if hasattr(values, "detach") else values)

    arrays = {name: tuple(values.shape) for name, values in source.items() if hasattr(values, "shape")}
    return _Source(
        label,
        arrays,
        array,
        _activation_of(settings),
        lambda _: None,
        str(settings.get("model_type", "")).startswith("gemma"),
    )
