"""Blocks of model files: the same matrices under every convention, exact values, and one sentence for what is wrong."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from blocks.small_models import gguf, llama_gguf, q4_1, random_matrices, safetensors

from rankproof import blocks
from rankproof.blocks.dequantise import GGML, decoded
from rankproof.errors import FormatError, TargetError, UsageError

RNG = np.random.default_rng(7)
M = random_matrices(RNG)


def same(block: blocks.GatedBlock) -> bool:
    return all(np.array_equal(getattr(block, role), M[role].astype(np.float64)) for role in M)


CONVENTIONS = {
    "hugging-face": {
        "model.layers.3.mlp.gate_proj.weight": M["gate"],
        "model.layers.3.mlp.up_proj.weight": M["up"],
        "model.layers.3.mlp.down_proj.weight": M["down"],
    },
    "gguf-names": {
        "blk.3.ffn_gate.weight": M["gate"],
        "blk.3.ffn_up.weight": M["up"],
        "blk.3.ffn_down.weight": M["down"],
    },
    "llama": {
        "layers.3.feed_forward.w1.weight": M["gate"],
        "layers.3.feed_forward.w3.weight": M["up"],
        "layers.3.feed_forward.w2.weight": M["down"],
    },
    "transformer-lens": {
        "blocks.3.mlp.W_gate": np.ascontiguousarray(M["gate"].T),
        "blocks.3.mlp.W_in": np.ascontiguousarray(M["up"].T),
        "blocks.3.mlp.W_out": np.ascontiguousarray(M["down"].T),
    },
    "fused": {
        "model.layers.3.mlp.gate_up_proj.weight": np.concatenate([M["gate"], M["up"]]),
        "model.layers.3.mlp.down_proj.weight": M["down"],
    },
    "fused-conv1d": {
        "h.3.mlp.c_fc.weight": np.ascontiguousarray(np.concatenate([M["gate"], M["up"]]).T),
        "h.3.mlp.c_proj.weight": np.ascontiguousarray(M["down"].T),
    },
    "fused-gguf": {
        "blk.3.ffn_up.weight": np.concatenate([M["gate"], M["up"]]),
        "blk.3.ffn_down.weight": M["down"],
    },
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_convention_gives_the_same_block(name: str, tmp_path: Path) -> None:
    path = safetensors(tmp_path / "model.safetensors", CONVENTIONS[name])
    assert same(blocks.read(path, 3, activation="silu"))
    assert same(blocks.read(path, activation="silu"))
    assert same(blocks.read(CONVENTIONS[name], 3, activation="silu"))


def test_interleaved_rows_are_gate_and_up_in_turn() -> None:
    fused = np.empty((14, 5), np.float32)
    fused[::2], fused[1::2] = M["gate"], M["up"]
    state = {"h.0.mlp.gate_up_proj.weight": fused, "h.0.mlp.down_proj.weight": M["down"]}
    assert same(blocks.read(state, 0, activation="silu", interleaved=True))
    assert not same(blocks.read(state, 0, activation="silu"))


def test_a_bilinear_layer_has_no_gate_function() -> None:
    state = {
        "layers.0.mlp.w.weight": np.concatenate([M["gate"], M["up"]]),
        "layers.0.mlp.p.weight": M["down"],
    }
    block = blocks.read(state, 0)
    x = RNG.normal(size=(4, 5))
    assert block.activation == "identity" and same(block)
    assert np.allclose(block(x), block.even_part(x))


def test_the_squared_relu_is_a_gated_block_whose_matrices_agree() -> None:
    state = {"h.0.mlp.fc1.weight": M["gate"], "h.0.mlp.fc2.weight": M["down"]}
    block = blocks.read(state, 0, activation="relu2")
    x = RNG.normal(size=(4, 5))
    assert np.allclose(block(x), np.maximum(x @ M["gate"].T, 0) ** 2 @ M["down"].T)
    assert np.array_equal(block.gate, block.up)


@pytest.mark.parametrize("kind", [k for k, e in GGML.items() if e.count > 1])
def test_quantised_weights_are_the_exact_rationals_of_the_format(kind: int) -> None:
    """The package gguf rounds to single precision; before that rounding nothing differs."""
    quants = pytest.importorskip("gguf.quants")
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    encoding = GGML[kind]
    assert GGML_QUANT_SIZES[GGMLQuantizationType(kind)] == (encoding.count, encoding.size)
    cells = RNG.integers(0, 256, size=(40, encoding.size), dtype=np.uint8)
    with np.errstate(all="ignore"):
        theirs = quants.dequantize(cells, GGMLQuantizationType(kind)).reshape(40, -1).astype(np.float64)
    ours = decoded(cells.tobytes(), encoding).reshape(40, -1)
    for row, other in zip(ours, theirs, strict=True):
        if np.isfinite(other).all():
            assert np.abs(row - other).max() <= 2.0**-22 * np.abs(row).max()


def test_q4_1_weights_are_scale_times_quantum_plus_minimum_over_the_rationals() -> None:
    cells = q4_1(RNG, 8, 32)
    values = decoded(cells, GGML[3])
    for block in range(8):
        scale, least = struct.unpack_from("<2e", cells, 20 * block)
        for k in range(32):
            byte = cells[20 * block + 4 + k % 16]
            quantum = byte & 15 if k < 16 else byte >> 4
            assert Fraction(float(values[32 * block + k])) == Fraction(scale) * quantum + Fraction(least)


def test_bfloat16_is_read_exactly(tmp_path: Path) -> None:
    words = np.array([[0x3F80, 0xC000], [0x3DCC, 0x0001]], "<u2")
    path = safetensors(
        tmp_path / "m.safetensors",
        {
            "mlp.gate_proj.weight": np.eye(2, dtype=np.float32),
            "mlp.down_proj.weight": np.eye(2, dtype=np.float32),
        },
        **{"mlp.up_proj.weight": ("BF16", (2, 2), words.tobytes())},
    )
    up = blocks.read(path, activation="silu").up
    assert up[0].tolist() == [1.0, -2.0] and up[1, 1] == 2.0**-133


def test_a_gguf_block_is_read_with_its_architectures_gate(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf")
    block = blocks.read(path, 1, fold=True)
    assert (block.units, block.inputs, block.outputs, block.activation) == (64, 32, 32, "silu")
    assert block.gain is not None and block.origin.tensors["gate"] == "blk.1.ffn_gate.weight"
    assert blocks.block_numbers(path) == [0, 1]
    assert block.origin.file is not None and len(block.origin.file.sha256) == 64


def test_a_torch_module_and_a_file_of_it_are_read(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    mlp = torch.nn.Module()
    for role, shape in (("gate", (24, 16)), ("up", (24, 16)), ("down", (16, 24))):
        setattr(mlp, f"{role}_proj", torch.nn.Linear(shape[1], shape[0], bias=False, dtype=torch.bfloat16))
    mlp.act_fn = torch.nn.SiLU()
    block = blocks.read(mlp)
    assert block.activation == "silu" and block.units == 24
    assert np.array_equal(block.gate, mlp.gate_proj.weight.detach().double().numpy())
    weights = mlp.gate_proj.weight, mlp.up_proj.weight, mlp.down_proj.weight
    assert np.array_equal(blocks.GatedBlock.from_torch(*weights).up, block.up)
    torch.save({f"layers.1.mlp.{name}": w for name, w in mlp.state_dict().items()}, tmp_path / "m.pt")
    (tmp_path / "config.json").write_text('{"hidden_act": "silu"}')
    assert np.array_equal(blocks.read(tmp_path / "m.pt", 1).down, block.down)
    (tmp_path / "n.pt").write_bytes(b"no pickle")
    with pytest.raises(FormatError, match="no state dict"):
        blocks.read(tmp_path / "n.pt", 1)


@pytest.mark.slow
def test_a_model_of_hugging_face_is_read_from_memory() -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, vocab_size=11
    )
    torch.manual_seed(0)
    model = transformers.LlamaForCausalLM(config).to(torch.bfloat16)
    block = blocks.read(model, 1, fold=True)
    assert block.activation == "silu" and block.gain is not None and (block.gain == 1).all()
    x = RNG.normal(size=(3, 16))
    double = model.model.layers[1].mlp.double()
    assert np.allclose(block(x), double(torch.tensor(x)).detach().numpy(), atol=1e-12)


def test_a_folder_of_several_files_is_one_model(tmp_path: Path) -> None:
    names = CONVENTIONS["hugging-face"]
    for k, (name, array) in enumerate(names.items()):
        safetensors(tmp_path / f"model-{k}.safetensors", {name: array})
    (tmp_path / "config.json").write_text('{"hidden_act": "gelu_pytorch_tanh", "model_type": "gemma"}')
    block = blocks.read(tmp_path, 3)
    assert same(block) and block.activation == "gelu_tanh"


@pytest.mark.parametrize("activation", ["relu", "silu", "gelu", "gelu_tanh"])
def test_the_even_part_of_a_gated_block_is_bilinear(activation: str) -> None:
    block = blocks.GatedBlock(
        M["gate"], M["up"], M["down"], activation, {"down": np.ones(5)}, np.full(5, 0.5)
    )
    assert block.even_part_error(RNG.normal(size=(50, 5))) < 1e-14
    u, x = RNG.normal(size=5), RNG.normal(size=5)
    plain = blocks.GatedBlock(M["gate"], M["up"], M["down"], activation, gain=np.full(5, 0.5))
    assert np.isclose(x @ plain.form(u) @ x, u @ plain.even_part(x[None])[0])


def test_a_bias_spoils_the_even_part_and_is_reported() -> None:
    state = {f"mlp.{role}_proj.weight": M[role] for role in M} | {"mlp.up_proj.bias": np.ones(7, np.float32)}
    block = blocks.read(state, activation="silu")
    assert set(block.biases) == {"up"}
    with pytest.raises(TargetError, match="bias in up"):
        block.even_part(np.ones((1, 5)))


# What is wrong with a file


def test_a_truncated_file_says_where_it_ends(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf")
    whole = path.read_bytes()
    for kept in (len(whole) - 1, len(whole) // 2):
        path.write_bytes(whole[:kept])
        with pytest.raises(FormatError, match="is truncated: blk"):
            blocks.read(path, 0)
    for kept in (5, 40, 200):
        path.write_bytes(whole[:kept])
        with pytest.raises(FormatError, match="ends inside its header"):
            blocks.read(path, 0)
    path.write_bytes(b"PK\3\4 something else entirely")
    with pytest.raises(FormatError, match="neither GGUF nor safetensors"):
        blocks.read(path, 0)


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    state = {name: array for name, array in CONVENTIONS["hugging-face"].items() if "up_proj" not in name}
    path = safetensors(tmp_path / "m.safetensors", state)
    with pytest.raises(FormatError, match="block 3: the tensor mlp.up_proj.weight is missing"):
        blocks.read(path, 3, activation="silu")


def test_a_number_that_is_none_is_found_where_it_stands(tmp_path: Path) -> None:
    spoilt = M["up"].copy()
    spoilt[2, 4] = np.nan
    path = safetensors(
        tmp_path / "m.safetensors",
        {**CONVENTIONS["hugging-face"], "model.layers.3.mlp.up_proj.weight": spoilt},
    )
    with pytest.raises(FormatError, match=r"mlp\.up_proj\.weight holds nan at \[2, 4\]"):
        blocks.read(path, 3, activation="silu")
    with pytest.raises(TargetError, match="nan"):
        blocks.GatedBlock(M["gate"], spoilt, M["down"])


def test_a_block_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has the blocks 0\.\.1; there is no block 30"):
        blocks.read(llama_gguf(tmp_path / "m.gguf"), 30)


def test_a_block_without_a_gate_is_refused() -> None:
    state = {"h.0.mlp.c_fc.weight": np.ones((5, 20)), "h.0.mlp.c_proj.weight": np.ones((20, 5))}
    with pytest.raises(TargetError, match="has no gate"):
        blocks.read(state, 0, activation="gelu_new")


@pytest.mark.parametrize("name", ["tanh", "sigmoid"])
def test_a_gate_whose_even_part_is_no_polynomial_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no polynomial"):
        blocks.read(CONVENTIONS["hugging-face"], 3, activation=name)


def test_a_file_that_does_not_name_the_gate_asks_for_it() -> None:
    with pytest.raises(UsageError, match="--activation"):
        blocks.read(CONVENTIONS["hugging-face"], 3)


def test_an_encoding_that_is_not_known_is_named(tmp_path: Path) -> None:
    cells = {
        f"blk.0.ffn_{role}.weight": ((256, 256), 21, b"\0" * 256 * 110) for role in ("gate", "up", "down")
    }
    with pytest.raises(FormatError, match="stored as type 21"):
        blocks.read(gguf(tmp_path / "m.gguf", cells), 0)
