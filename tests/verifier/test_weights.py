"""The verifier's reading of weights files against the prover's, which shares no code with it."""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from blocks.small_models import gguf, llama_gguf
from corpus.recipes.building import certificate, step
from corpus.recipes.weights import FUSED, WEIGHTS, quantised

from rankproof import blocks
from rankproof.blocks.dequantise import GGML, decoded
from rankproof.blocks.integers import as_integers
from rankproof.verifier import verify_bytes
from rankproof.verifier.packed import Packing, combine
from rankproof.verifier.weights import read_matrix, read_table

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("kind", [k for k, e in GGML.items() if e.count > 1])
def test_both_readers_find_the_same_quantised_numbers(kind: int, tmp_path: Path) -> None:
    encoding = GGML[kind]
    cells = quantised(kind, 6, 11)
    path = gguf(tmp_path / "m.gguf", {"w": ((2, 3 * encoding.count), kind, cells)})
    with path.open("rb") as file:
        theirs = read_matrix(file, read_table(file), "w")
    ours, _ = as_integers(decoded(cells, encoding).reshape(2, -1))
    assert theirs == ours


@pytest.mark.parametrize("name", ["half", "double", "brain", "gate_up", "turned"])
def test_both_readers_find_the_same_floats(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(WEIGHTS["fused.safetensors"])
    file = io.BytesIO(WEIGHTS["fused.safetensors"])
    assert read_matrix(file, read_table(file), name) == as_integers(blocks.open_tensors(path).read(name))[0]
    assert name in FUSED


def test_numbers_far_apart_are_integers_of_many_bits() -> None:
    values = np.array([[1e300, -3e-300], [0.0, 2.0**-1074]])
    rows, exponent = as_integers(values)
    for row, exact in zip(rows, values, strict=True):
        assert [Fraction(x) * Fraction(2) ** exponent for x in row] == [Fraction(v) for v in exact]
    assert any(x % 2 for row in rows for x in row)


def test_sums_of_packed_vectors_are_packed_sums() -> None:
    packing = Packing(40, 50 * 1000 * 2000)
    vectors = RNG.integers(-2000, 2001, size=(50, 40)).tolist()
    multipliers = RNG.integers(-1000, 1001, size=50).tolist()
    total = packing.unpack(combine(multipliers, [packing.pack(v) for v in vectors]))
    assert total == (np.array(multipliers) @ np.array(vectors)).tolist()
    extreme = [50 * 1000 * 2000, -50 * 1000 * 2000] * 20
    packed = packing.pack(extreme)
    assert packing.unpack(packed) == extreme
    assert [packing.entry(packed, k) for k in range(40)] == extreme


def test_the_two_readers_agree_about_a_model(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf")
    block = blocks.read(path, 1)
    with path.open("rb") as file:
        table = read_table(file)
        for role in ("gate", "up", "down"):
            matrix = read_matrix(file, table, f"blk.1.ffn_{role}.weight")
            assert matrix == as_integers(getattr(block, role))[0]


@pytest.mark.parametrize("name", ["plain.gguf", "three.safetensors", "q4-1.gguf", "q6-k.gguf", "floats.gguf"])
def test_a_damaged_weights_file_is_refused_in_words(name: str, tmp_path: Path) -> None:
    """Also when the certificate names the hash of the damaged file: the verifier raises nothing but its own refusals."""
    rng = random.Random(name)
    pieces = [b"1e999", b"-1", b"null", b"[", b"{", b"NaN", b"\x09\0\0\0" * 3]
    words: Counter[str] = Counter()
    for _ in range(120):
        data = bytearray(WEIGHTS[name])
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data) if rng.random() < 0.3 else min(len(data), 500))
            how = rng.randrange(4)
            if how == 0:
                data[place] = rng.randrange(256)
            elif how == 1:
                data[place : place + 8] = rng.choice([0, 1, 5, 2**32, 2**63 - 1, 2**64 - 1]).to_bytes(
                    8, "little"
                )
            elif how == 2:
                del data[place : place + rng.randint(1, 9)]
            else:
                data[place:place] = rng.choice(pieces)
        path = tmp_path / "damaged"
        path.write_bytes(data)
        roles = {role: {"tensor": role} for role in ("gate", "up", "down")}
        block = {"file": "damaged", "sha256": hashlib.sha256(data).hexdigest(), **roles}
        steps = [step("nonzero", "tied border_rank CC >= 1")]
        tree = certificate({"block": block, "directions": [0]}, steps, ["tied rank CC 1.."])
        words[verify_bytes(json.dumps(tree).encode(), weights=[str(path)]).word] += 1
    assert set(words) <= {"VERIFIED", "REJECTED", "UNDECIDED"} and words["REJECTED"] > 50
