"""Weights files, written byte by byte, that targets of the corpus are blocks of."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping

Tensor = tuple[tuple[int, ...], object, bytes]
"""Sizes, rows first; number or name of the encoding; bytes."""


def text(word: str) -> bytes:
    return struct.pack("<Q", len(word)) + word.encode()


PAIRS = {
    "general.architecture": struct.pack("<I", 8) + text("llama"),
    "general.alignment": struct.pack("<II", 4, 64),
    "tokens": struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
    "scores": struct.pack("<IIQ2f", 9, 6, 2, 0.5, -1),
    "flag": struct.pack("<I?", 7, True),
}


def gguf(tensors: Mapping[str, Tensor], version: int = 3, pairs: Mapping[str, bytes] = PAIRS) -> bytes:
    """A GGUF file; without pairs its alignment is 32."""
    alignment = 64 if pairs else 32
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(pairs))
    head += b"".join(text(key) + value for key, value in pairs.items())
    body = b""
    for name, (shape, kind, cells) in tensors.items():
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), kind, len(body))
        body += cells + b"\0" * (-len(cells) % alignment)
    return head + b"\0" * (-len(head) % alignment) + body


def safetensors(tensors: Mapping[str, Tensor]) -> bytes:
    """A safetensors file."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, (shape, kind, cells) in tensors.items():
        header[name] = {
            "dtype": kind,
            "shape": list(shape),
            "data_offsets": [len(body), len(body) + len(cells)],
        }
        body += cells
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + body


def floats(shape: tuple[int, int], values: Iterable[float], code: str = "f", name: object = "F32") -> Tensor:
    """A matrix of floats."""
    return shape, name, struct.pack(f"<{shape[0] * shape[1]}{code}", *values)


def mixed_bytes(count: int, seed: int) -> bytes:
    """Bytes without a pattern: a linear congruential generator, its high bits."""
    result = bytearray()
    for _ in range(count):
        seed = (1103515245 * seed + 12345) % 2**31
        result.append(seed >> 16 & 255)
    return bytes(result)


SCALES = struct.pack("<2e", 0.0078125, -0.0615234375)


def quantised(kind: int, blocks: int, seed: int) -> bytes:
    """Blocks of a quantised encoding: scales as in trained models, everything else without a pattern."""
    parts = {
        2: (SCALES[:2], 16),
        3: (SCALES, 16),
        6: (SCALES[:2], 20),
        7: (SCALES, 20),
        8: (SCALES[:2], 32),
        12: (SCALES, 140),
        13: (SCALES, 172),
    }
    if kind == 14:
        return b"".join(mixed_bytes(208, seed + k) + SCALES[:2] for k in range(blocks))
    head, rest = parts[kind]
    return b"".join(head + mixed_bytes(rest, seed + k) for k in range(blocks))


def quantised_block(kind: int, rows: int = 3, columns: int = 32, count: int = 32) -> bytes:
    """A block with quantised gate and up, and down in half precision."""
    tensors: dict[str, Tensor] = {
        part: ((rows, columns), kind, quantised(kind, rows * columns // count, seed))
        for part, seed in (("gate", 7), ("up", 99))
    }
    tensors["down"] = floats((2, rows), [1, -0.5, 0.25, 2, 1, -3][: 2 * rows], "e", 1)
    return gguf(tensors)


PLAIN = {
    "gate": floats((2, 2), [1, 1, 1, -1]),
    "up": floats((2, 2), [1, 1, 1, -1]),
    "down": floats((2, 2), [1, -1, 0.5, 0.25]),
}
"""Two squares: output 0 is (x + y)^2 - (x - y)^2 = 4xy, output 1 is 1/2 (x + y)^2 + 1/4 (x - y)^2."""

THREE = {
    "gate": floats((3, 3), [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    "up": floats((3, 3), [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    "down": floats((2, 3), [1, 1, -1, 0, 0, 0]),
}

FUSED = {
    "gate_up": floats((4, 2), [1, 0, 0, 1, 3, 0, 0, -5]),
    "woven": floats((4, 2), [1, 0, 3, 0, 0, 1, 0, -5]),
    "turned": floats((2, 4), [1, 0, 3, 0, 0, 1, 0, -5]),
    "down": floats((1, 2), [1, 1]),
    "wide": floats((2, 3), [1, 2, 3, 4, 5, 6]),
    "long": floats((1, 3), [1, 2, 3]),
    "zero": floats((1, 2), [0, 0]),
    "half": floats((2, 2), [1, 0, 0, 1], "e", "F16"),
    "double": floats((2, 2), [1, 0, 0, 1], "d", "F64"),
    "brain": ((2, 2), "BF16", struct.pack("<4H", 0x3F80, 0, 0, 0x3F80)),
    "whole": ((2, 2), "I32", struct.pack("<4i", 1, 0, 0, 1)),
    "spoilt": floats((2, 2), [1, 0, float("nan"), 1]),
    "endless": floats((2, 2), [1, 0, float("inf"), 1]),
    "flat": ((4,), "F32", struct.pack("<4f", 1, 0, 0, 1)),
    "empty": ((0, 2), "F32", b""),
}
"""Matrices in one file, for the ways in which they are named, turned and cut."""

ENCODED = {2: "q4-0", 3: "q4-1", 6: "q5-0", 7: "q5-1", 8: "q8-0"}
LARGE = {12: "q4-k", 13: "q5-k", 14: "q6-k"}

WEIGHTS: dict[str, bytes] = {
    "plain.gguf": gguf({name: (shape, 0, cells) for name, (shape, _, cells) in PLAIN.items()}, pairs={}),
    "three.safetensors": safetensors(THREE),
    "fused.safetensors": safetensors(FUSED),
    **{f"{name}.gguf": quantised_block(kind) for kind, name in ENCODED.items()},
    **{f"{name}.gguf": quantised_block(kind, 1, 256, 256) for kind, name in LARGE.items()},
    "floats.gguf": gguf(
        {
            "gate": floats((2, 2), [1, 0, 0, 1], "d", 28),
            "up": ((2, 2), 30, struct.pack("<4H", 0x3F80, 0, 0, 0xC000)),
            "down": floats((1, 2), [1, 1], "e", 1),
            "unknown": ((2, 2), 21, b"\0" * 8),
            "uneven": ((2, 2), 3, b"\0" * 8),
        },
        version=2,
    ),
    "cut.gguf": gguf({name: (shape, 0, cells) for name, (shape, _, cells) in PLAIN.items()}, pairs={})[:-40],
    "cut-header.gguf": gguf({name: (shape, 0, cells) for name, (shape, _, cells) in PLAIN.items()})[:60],
    "old.gguf": gguf({name: (shape, 0, cells) for name, (shape, _, cells) in PLAIN.items()}, version=1),
    "odd-key.gguf": gguf({}, pairs={"key": struct.pack("<I", 77)}),
    "neither.bin": b"neither of the two",
    "list.safetensors": struct.pack("<Q", 2) + b"[]",
}
