"""A whole Llama-type model and its tokenizer from one GGUF file.

transformers reads GGUF files too, but only with further packages; what a Llama needs is short, and the exact weights come
from the reader that certificates use.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankproof.blocks.files import TensorFile, open_tensors
from rankproof.errors import FormatError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import LlamaForCausalLM

# GGUF name of a tensor -> Hugging Face name; those of block N inside model.layers.N.
_BLOCK_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_OUTER_NAMES = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


def load_llama(path: Path) -> tuple[LlamaForCausalLM, Tokenizer]:
    """The model, in float32, and the tokenizer stored with it.

    Raises
    ------
    FormatError
        If the file is damaged, misses a tensor, holds a weight that is no number, or another architecture.
    """
    import torch
    from transformers import LlamaForCausalLM
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    file = open_tensors(path)
    config = _config(file)
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    names = {_hugging_face_name(name): name for name in file.tensors}
    if config.tie_word_embeddings:
        names["lm_head.weight"] = names.get("model.embed_tokens.weight", "")
    state = {}
    for name, tensor in model.state_dict().items():
        if not names.get(name):
            raise FormatError(f"{path} has no tensor for {name}; the file is not a complete Llama")
        weights = _weights(file, names[name], config)
        if weights.shape != tuple(tensor.shape):
            raise FormatError(f"{path}: {names[name]} has shape {weights.shape}, not {tuple(tensor.shape)}")
        state[name] = torch.from_numpy(weights)
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    # Its tables are no weights; the constructor has left them without memory.
    model.model.rotary_emb = LlamaRotaryEmbedding(config)
    return model.eval(), _tokenizer(file)


def _field(file: TensorFile, key: str) -> Any:
    if key not in file.metadata:
        raise FormatError(f"{file.path} does not say {key}; the file is not a complete model")
    return file.metadata[key]


def _config(file: TensorFile) -> Any:
    from transformers import LlamaConfig

    architecture = _field(file, "general.architecture")
    if architecture != "llama":
        raise FormatError(
            f"{file.path} holds the architecture {architecture!r}; of GGUF files only 'llama' is read as a whole model, "
            "for another one give its Hugging Face folder"
        )
    if "rope_freqs.weight" in file.tensors:
        raise FormatError(
            f"{file.path} rescales its rotary frequencies; give the model's Hugging Face folder instead"
        )
    theta = float(_field(file, "llama.rope.freq_base"))
    return LlamaConfig(
        vocab_size=len(_field(file, "tokenizer.ggml.tokens")),
        hidden_size=_field(file, "llama.embedding_length"),
        intermediate_size=_field(file, "llama.feed_forward_length"),
        num_hidden_layers=_field(file, "llama.block_count"),
        num_attention_heads=_field(file, "llama.attention.head_count"),
        num_key_value_heads=_field(file, "llama.attention.head_count_kv"),
        max_position_embeddings=_field(file, "llama.context_length"),
        rms_norm_eps=_field(file, "llama.attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": theta},
        tie_word_embeddings="output.weight" not in file.tensors,
    )


def _hugging_face_name(name: str) -> str:
    stem = name.removesuffix(".weight")
    if stem.startswith("blk."):
        _, block, rest = stem.split(".", 2)
        return f"model.layers.{block}.{_BLOCK_NAMES.get(rest, rest)}.weight"
    return f"{_OUTER_NAMES.get(stem, stem)}.weight"


def _weights(file: TensorFile, name: str, config: Any) -> np.ndarray:
    weights = file.read(name).astype(np.float32)
    if name.endswith("attn_q.weight"):
        return _unpermuted(weights, config.num_attention_heads)
    if name.endswith("attn_k.weight"):
        return _unpermuted(weights, config.num_key_value_heads)
    return weights


def _unpermuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a query or key matrix in the order of rotary halves; GGUF interleaves the halves."""
    rows, columns = weights.shape
    halves = weights.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2)
    return np.ascontiguousarray(halves.reshape(rows, columns))


def _tokenizer(file: TensorFile) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    kind = _field(file, "tokenizer.ggml.model")
    if kind != "gpt2":
        raise FormatError(
            f"{file.path} has a {kind!r} tokenizer; give the model's Hugging Face folder instead"
        )
    vocabulary = {token: i for i, token in enumerate(_field(file, "tokenizer.ggml.tokens"))}
    merges = [tuple(merge.split(" ")) for merge in _field(file, "tokenizer.ggml.merges")]
    tokenizer: Any = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    steps: list[Any] = [pre_tokenizers.ByteLevel(add_prefix_space=False)]
    if file.metadata.get("tokenizer.ggml.pre") == "smollm":
        # SmolLM was trained with every digit a token of its own.
        steps.insert(0, pre_tokenizers.Digits(individual_digits=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
