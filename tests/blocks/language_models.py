"""Whole language models, small and random, of bytes of text; needs transformers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from blocks.small_models import gguf

_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def random_llama(gate: str = "silu", *, layers: int = 3, seed: int = 0) -> Any:
    """A Llama with 16 inputs and 24 units a block, whose gates see numbers of about the size 1."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=256,
            hidden_size=16,
            intermediate_size=24,
            num_hidden_layers=layers,
            num_attention_heads=2,
            num_key_value_heads=1,
            max_position_embeddings=64,
            initializer_range=0.3,
            hidden_act=gate,
            tie_word_embeddings=True,
        )
    ).eval()


def as_gguf(network: Any, path: Path) -> Path:
    """The file of a Llama as llama.cpp writes it, the rotary halves of queries and keys interleaved."""
    from tokenizers.pre_tokenizers import ByteLevel

    config = network.config
    tensors: dict[str, tuple[tuple[int, ...], int, bytes]] = {}
    for name, tensor in network.state_dict().items():
        if name == "lm_head.weight":
            continue
        stem = name.removesuffix(".weight")
        if stem.startswith("model.layers."):
            _, _, number, rest = stem.split(".", 3)
            stored = f"blk.{number}.{_NAMES[rest]}.weight"
        else:
            stored = f"{_NAMES[stem]}.weight"
        values = tensor.detach().numpy()
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
        for part, count in heads.items():
            if part in stored:
                halves = values.reshape(count, 2, -1, values.shape[1])
                values = halves.swapaxes(1, 2).reshape(values.shape)
        tensors[stored] = (values.shape, 0, values.astype("<f4").tobytes())
    metadata = {
        "llama.embedding_length": config.hidden_size,
        "llama.feed_forward_length": config.intermediate_size,
        "llama.block_count": config.num_hidden_layers,
        "llama.attention.head_count": config.num_attention_heads,
        "llama.attention.head_count_kv": config.num_key_value_heads,
        "llama.context_length": config.max_position_embeddings,
        "llama.attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "llama.rope.freq_base": 10000.0,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": sorted(ByteLevel.alphabet()),
        "tokenizer.ggml.merges": [],
    }
    return gguf(path, tensors, metadata=metadata)


def as_folder(network: Any, path: Path) -> Path:
    """A Hugging Face folder of a model of bytes."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {word: i for i, word in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer: Any = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    network.save_pretrained(path)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(path)
    return path


def text(path: Path, *, documents: int = 30, words: int = 60, seed: int = 0) -> Path:
    """A folder of documents of random words of three letters."""
    rng = np.random.default_rng(seed)
    path.mkdir()
    for number in range(documents):
        letters = rng.choice(list("abcdefgh"), size=(words, 3))
        (path / f"{number:02d}.txt").write_text(" ".join("".join(word) for word in letters))
    return path


SMALL: Mapping[str, Any] = {
    "rows": 680,
    "length": 17,
    "gate_windows": 8,
    "selection_windows": 4,
    "measure_windows": 8,
    "tune_windows": 8,
}
"""Sizes of a study of one of these models."""
