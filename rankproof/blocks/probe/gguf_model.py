"""A whole Llama-type model and its tokenizer from one GGUF file.

transformers reads GGUF files too, but only with a further package; what a Llama needs is short.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankproof.errors import FormatError

if TYPE_CHECKING:
    from gguf import GGUFReader
    from tokenizers import Tokenizer
    from transformers import LlamaForCausalLM

# GGUF name of a tensor of block N -> Hugging Face name inside model.layers.N.
_BLOCK_NAMES = {
    "attn_norm.weight": "input_layernorm.weight",
    "attn_q.weight": "self_attn.q_proj.weight",
    "attn_k.weight": "self_attn.k_proj.weight",
    "attn_v.weight": "self_attn.v_proj.weight",
    "attn_output.weight": "self_attn.o_proj.weight",
    "ffn_norm.weight": "post_attention_layernorm.weight",
    "ffn_gate.weight": "mlp.gate_proj.weight",
    "ffn_up.weight": "mlp.up_proj.weight",
    "ffn_down.weight": "mlp.down_proj.weight",
}
_OUTER_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}


def open_gguf(path: Path) -> GGUFReader:
    """The reader of a GGUF file.

    Raises
    ------
    FormatError
        If the file is no GGUF file, or ends before its tensors do.
    """
    from gguf import GGUFReader

    if path.stat().st_size == 0:
        raise FormatError(f"{path} is empty; a GGUF file begins with the letters GGUF")
    try:
        return GGUFReader(path)
    except (ValueError, IndexError, KeyError, OverflowError, MemoryError) as error:
        raise FormatError(f"{path} cannot be read as GGUF ({error}); download the file again") from error


def load_llama(path: Path) -> tuple[LlamaForCausalLM, Tokenizer]:
    """The model, in float32, and the tokenizer stored with it.

    Raises
    ------
    FormatError
        If the file is damaged, misses a tensor, or holds another architecture.
    """
    import torch
    from transformers import LlamaForCausalLM

    reader = open_gguf(path)
    config = _config(reader, path)
    state = {name: torch.from_numpy(array) for name, array in _tensors(reader, path, config)}
    if config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    for name, shape in expected.items():
        if name not in state:
            raise FormatError(f"{path} has no tensor for {name}; the file is not a complete Llama")
        if tuple(state[name].shape) != shape:
            raise FormatError(f"{path}: {name} has shape {tuple(state[name].shape)}, not {shape}")
    # The rotary tables are buffers made by the constructor, so the model is built again with real memory.
    model = LlamaForCausalLM(config)
    model.load_state_dict(state)
    return model.eval(), _tokenizer(reader, path)


def _field(reader: GGUFReader, path: Path, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise FormatError(f"{path} does not say {key}; the file is not a complete model")
    return field.contents()


def _config(reader: GGUFReader, path: Path) -> Any:
    from transformers import LlamaConfig

    architecture = _field(reader, path, "general.architecture")
    if architecture != "llama":
        raise FormatError(
            f"{path} holds the architecture {architecture!r}; of GGUF files only 'llama' is read as a whole model, "
            "for another one give its Hugging Face folder"
        )
    names = {tensor.name for tensor in reader.tensors}
    if "rope_freqs.weight" in names:
        raise FormatError(
            f"{path} rescales its rotary frequencies; give the model's Hugging Face folder instead"
        )
    heads = _field(reader, path, "llama.attention.head_count")
    width = _field(reader, path, "llama.embedding_length")
    return LlamaConfig(
        vocab_size=len(_field(reader, path, "tokenizer.ggml.tokens")),
        hidden_size=width,
        intermediate_size=_field(reader, path, "llama.feed_forward_length"),
        num_hidden_layers=_field(reader, path, "llama.block_count"),
        num_attention_heads=heads,
        num_key_value_heads=_field(reader, path, "llama.attention.head_count_kv"),
        max_position_embeddings=_field(reader, path, "llama.context_length"),
        rms_norm_eps=_field(reader, path, "llama.attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": _field(reader, path, "llama.rope.freq_base")},
        tie_word_embeddings="output.weight" not in names,
    )


def _tensors(reader: GGUFReader, path: Path, config: Any) -> Any:
    from gguf import dequantize

    for tensor in reader.tensors:
        name = _hugging_face_name(tensor.name)
        if name is None:
            continue
        try:
            weights = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        except NotImplementedError as error:
            raise FormatError(
                f"{path}: {tensor.name} is quantised as {tensor.tensor_type.name}, which gguf cannot decode"
            ) from error
        if name.endswith("q_proj.weight"):
            weights = _unpermuted(weights, config.num_attention_heads)
        elif name.endswith("k_proj.weight"):
            weights = _unpermuted(weights, config.num_key_value_heads)
        yield name, weights


def _hugging_face_name(name: str) -> str | None:
    if name in _OUTER_NAMES:
        return _OUTER_NAMES[name]
    if name.startswith("blk."):
        block, _, rest = name.removeprefix("blk.").partition(".")
        if rest in _BLOCK_NAMES:
            return f"model.layers.{block}.{_BLOCK_NAMES[rest]}"
    return None


def _unpermuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a query or key matrix in the order of rotary halves; GGUF interleaves the halves."""
    rows, columns = weights.shape
    return np.ascontiguousarray(
        weights.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)
    )


def _tokenizer(reader: GGUFReader, path: Path) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    kind = _field(reader, path, "tokenizer.ggml.model")
    if kind != "gpt2":
        raise FormatError(f"{path} has a {kind!r} tokenizer; give the model's Hugging Face folder instead")
    tokens = _field(reader, path, "tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ")) for merge in _field(reader, path, "tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    pre = reader.get_field("tokenizer.ggml.pre")
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False)
    # SmolLM was trained with every digit a token of its own.
    split_digits = pre is not None and pre.contents() == "smollm"
    tokenizer.pre_tokenizer = (  # pyright: ignore[reportAttributeAccessIssue]
        pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), bytes_])
        if split_digits
        else bytes_
    )
    tokenizer.decoder = decoders.ByteLevel()  # pyright: ignore[reportAttributeAccessIssue]
    return tokenizer
