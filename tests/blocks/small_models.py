"""Small random models, and files of them written byte by byte."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def gguf(
    path: Path,
    tensors: Mapping[str, tuple[tuple[int, ...], int, bytes]],
    architecture: str = "llama",
    metadata: Mapping[str, int | float | str | list[str]] | None = None,
) -> Path:
    """A GGUF file; a tensor is its row-major shape, the number of its encoding and its bytes."""

    def text(word: str) -> bytes:
        return struct.pack("<Q", len(word.encode())) + word.encode()

    pairs = {
        "general.architecture": struct.pack("<I", 8) + text(architecture),
        "general.alignment": struct.pack("<II", 4, 32),
    }
    pairs["tokens"] = struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b")
    pairs["scores"] = struct.pack("<IIQ", 9, 6, 3) + struct.pack("<3f", 1, 2, 3)
    for key, value in (metadata or {}).items():
        if isinstance(value, str):
            pairs[key] = struct.pack("<I", 8) + text(value)
        elif isinstance(value, list):
            pairs[key] = struct.pack("<IIQ", 9, 8, len(value)) + b"".join(text(word) for word in value)
        else:
            code = "<Ii" if isinstance(value, int) else "<If"
            pairs[key] = struct.pack(code, 5 if isinstance(value, int) else 6, value)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs))
    head += b"".join(text(key) + value for key, value in pairs.items())
    body = b""
    for name, (shape, kind, cells) in tensors.items():
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), kind, len(body))
        body += cells + b"\0" * (-len(cells) % 32)
    path.write_bytes(head + b"\0" * (-len(head) % 32) + body)
    return path


def safetensors(
    path: Path, tensors: Mapping[str, NDArray[np.generic]], **more: tuple[str, tuple[int, ...], bytes]
) -> Path:
    """A safetensors file of arrays; ``more`` holds tensors of types numpy has not."""
    names = {"float64": "F64", "float32": "F32", "float16": "F16", "int32": "I32"}
    listed = {name: (names[str(a.dtype)], a.shape, a.tobytes()) for name, a in tensors.items()} | more
    header, body = {}, b""
    for name, (kind, shape, cells) in listed.items():
        header[name] = {
            "dtype": kind,
            "shape": list(shape),
            "data_offsets": [len(body), len(body) + len(cells)],
        }
        body += cells
    head = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + body)
    return path


def q4_1(rng: np.random.Generator, rows: int, columns: int) -> bytes:
    """Random weights in blocks of 32 numbers d*q + m, about as large as in a trained model."""
    count = rows * columns // 32
    scales = rng.uniform(0.005, 0.02, size=(count, 1)).astype(np.float16)
    least = (-8 * scales * rng.uniform(0.8, 1.2, size=(count, 1))).astype(np.float16)
    quanta = rng.integers(0, 256, size=(count, 16), dtype=np.uint8)
    return np.concatenate([scales.view(np.uint8), least.view(np.uint8), quanta], axis=1).tobytes()


def llama_gguf(path: Path, *, blocks: int = 2, inputs: int = 32, units: int = 64, seed: int = 0) -> Path:
    """Feed-forward blocks of a model of the architecture llama, quantised as Q4_1."""
    rng = np.random.default_rng(seed)
    tensors: dict[str, tuple[tuple[int, ...], int, bytes]] = {}
    for n in range(blocks):
        for part, shape in (("gate", (units, inputs)), ("up", (units, inputs)), ("down", (inputs, units))):
            tensors[f"blk.{n}.ffn_{part}.weight"] = (shape, 3, q4_1(rng, *shape))
        tensors[f"blk.{n}.ffn_norm.weight"] = (
            (inputs,),
            0,
            rng.uniform(0.5, 2, size=inputs).astype("<f4").tobytes(),
        )
    return gguf(path, tensors)


def random_matrices(
    rng: np.random.Generator, inputs: int = 5, units: int = 7
) -> dict[str, NDArray[np.float32]]:
    """The three matrices of a block in single precision."""
    shapes = {"gate": (units, inputs), "up": (units, inputs), "down": (inputs, units)}
    return {role: rng.normal(size=shape).astype(np.float32) for role, shape in shapes.items()}
