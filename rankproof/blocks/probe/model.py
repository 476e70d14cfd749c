"""A causal language model whose feed-forward blocks can be listened to and swapped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from rankproof.blocks.probe.gguf_model import load_llama
from rankproof.errors import FormatError, UsageError

# Where the architectures keep their list of layers; each layer has its feed-forward block as `mlp`.
_LAYERS = ("model.layers", "transformer.h", "gpt_neox.layers")

Replacement = Callable[[Tensor, Tensor], Tensor]
"""From the input of a block and its own output to the output to use instead, shapes (windows, length, d)."""


@dataclass
class LanguageModel:
    """A model with its list of layers.

    Attributes
    ----------
    network
        The causal language model; logits come from it.
    layers
        Its layers, each with its feed-forward block ``mlp``.
    encode
        From text to tokens.
    name
        How reports call it.
    sha256
        Of the file, or of the weights' files of the folder, in the order of their names.
    """

    network: Any
    layers: Sequence[Any]
    encode: Callable[[str], Sequence[int]]
    name: str
    sha256: str

    @property
    def device(self) -> torch.device:
        return next(self.network.parameters()).device

    def nll(self, ids: np.ndarray) -> Tensor:
        """Negative log-likelihood of every token but the first, in nats: shape (windows, length - 1), float64."""
        tokens = torch.from_numpy(np.ascontiguousarray(ids)).to(self.device)
        logits = self.network(input_ids=tokens, use_cache=False).logits[:, :-1]
        losses = nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), tokens[:, 1:].flatten(), reduction="none"
        )
        return losses.view(len(tokens), -1).double()

    @contextmanager
    def listening(self, hear: Callable[[int, Tensor, Tensor], None], blocks: Sequence[int]) -> Iterator[None]:
        """Call ``hear(block, input, output)`` whenever one of the blocks runs."""
        with ExitStack() as stack:
            for block in blocks:
                handle = self.layers[block].mlp.register_forward_hook(
                    lambda _module, inputs, output, block=block: hear(block, inputs[0], output)
                )
                stack.callback(handle.remove)
            yield

    @contextmanager
    def swapped(self, replacements: Mapping[int, Replacement]) -> Iterator[None]:
        """Let the outputs of some blocks be replaced."""
        with ExitStack() as stack:
            for block, replacement in replacements.items():
                handle = self.layers[block].mlp.register_forward_hook(
                    lambda _module, inputs, output, replacement=replacement: replacement(inputs[0], output)
                )
                stack.callback(handle.remove)
            yield

    @contextmanager
    def entering(self, layer: int, hidden: Tensor) -> Iterator[None]:
        """Skip the layers before one, which receives this hidden state instead of theirs.

        The layers below a swapped block compute what they computed before; skipping them halves the work of swapping
        every block in turn.
        """
        with ExitStack() as stack:
            for below in self.layers[:layer]:
                stack.callback(setattr, below, "forward", below.forward)
                below.forward = _passing
            if layer:
                handle = self.layers[layer].register_forward_pre_hook(
                    lambda _module, inputs: (hidden, *inputs[1:])
                )
                stack.callback(handle.remove)
            yield


def _passing(hidden_states: Tensor, *_: Any, **__: Any) -> Tensor:
    return hidden_states


def load_model(path: Path, device: str = "cpu", threads: int = 1) -> LanguageModel:
    """Read a model from a GGUF file or a Hugging Face folder.

    Parameters
    ----------
    path
        ``FILE.gguf``, or a folder with ``config.json``.
    device
        ``"cpu"``, ``"cuda"`` and so on.
    threads
        Of torch, from now on.

    Raises
    ------
    UsageError
        If there is no such file or device.
    FormatError
        If it cannot be read as a causal language model with feed-forward blocks, or holds NaN or infinite weights.
    """
    if not path.exists():
        raise UsageError(f"{path} does not exist; give a GGUF file or a Hugging Face folder")
    _check_device(device)
    torch.set_num_threads(threads)
    network, encode = _from_folder(path) if path.is_dir() else _from_file(path)
    layers = next((found for name in _LAYERS if (found := _attribute(network, name)) is not None), None)
    if layers is None or any(not hasattr(layer, "mlp") for layer in layers):
        raise FormatError(
            f"{path}: {type(network).__name__} keeps its feed-forward blocks where nobody looks"
        )
    for name, weights in network.named_parameters():
        if not bool(torch.isfinite(weights).all()):
            raise FormatError(f"{path}: {name} holds NaN or infinite numbers; download the model again")
    network.requires_grad_(False)
    return LanguageModel(network.to(device).eval(), list(layers), encode, path.stem, _sha256(path))


def _check_device(device: str) -> None:
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"device {device!r} cannot be used: {reason}; 'cpu' always can") from error


def _from_file(path: Path) -> tuple[Any, Callable[[str], Sequence[int]]]:
    with path.open("rb") as file:
        magic = file.read(4)
    if magic != b"GGUF":
        raise FormatError(
            f"{path} does not begin with GGUF; a whole model is read from a GGUF file or from a Hugging Face folder"
        )
    network, tokenizer = load_llama(path)
    return network, lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def _from_folder(path: Path) -> tuple[Any, Callable[[str], Sequence[int]]]:
    if not (path / "config.json").is_file():
        raise FormatError(
            f"{path} has no config.json; a Hugging Face folder holds config.json, weights and a tokenizer"
        )
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        network = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    except (
        Exception
    ) as error:  # transformers and safetensors raise classes of their own, some plain Exception
        reason = " ".join(str(error).split())[:200]
        raise FormatError(f"{path} cannot be read as a causal language model: {reason}") from error
    return network, lambda text: tokenizer(text, add_special_tokens=False).input_ids


def _attribute(network: Any, name: str) -> Any:
    for part in name.split("."):
        network = getattr(network, part, None)
    return network


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    names = ("*.safetensors", "*.bin")
    files = sorted(f for n in names for f in path.glob(n)) if path.is_dir() else [path]
    for file in files:
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()
