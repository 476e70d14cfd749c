"""``rankproof block``: certificates of blocks, and one sentence with the right exit status for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from blocks.small_models import llama_gguf, random_matrices, safetensors

from rankproof.cli import main


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return llama_gguf(tmp_path / "small.gguf")


def test_a_block_is_certified_and_the_certificate_verified_beside_its_file(model: Path, capsys) -> None:
    assert main(["block", "small.gguf", "--block", "1", "--keep", "4"]) == 0
    out = capsys.readouterr().out
    assert "32 inputs, 64 units, 32 outputs; gate silu; no biases" in out
    assert "signature (" in out and "untied  width >= " in out and "width = 32 over QQ, RR, CC" in out
    assert "4 untied units hold at most" in out
    assert main(["verify", "small-block1-output0.json"]) == 0
    assert capsys.readouterr().out.startswith("VERIFIED")
    Path("elsewhere").mkdir()
    model.rename("elsewhere/small.gguf")
    assert main(["verify", "small-block1-output0.json"]) == 4
    assert "UNDECIDED" in (said := capsys.readouterr().out) and "weights are needed" in said
    assert main(["verify", "small-block1-output0.json", "--weights", "elsewhere/small.gguf"]) == 0
    assert main(["show", "small-block1-output0.json"]) == 3
    assert "give this file with --weights" in capsys.readouterr().err
    assert main(["show", "small-block1-output0.json", "--weights", "elsewhere"]) == 0
    shown = capsys.readouterr().out
    assert "output 0 of the even part of the block of blk.1.ffn_down.weight" in shown
    assert (
        "nearly orthogonal for the quadratic form" in " ".join(shown.split()) and "NOT VERIFIED" not in shown
    )


def test_several_directions_are_objects_of_their_own(model: Path, capsys) -> None:
    np.save("u.npy", np.linspace(-1, 1, 32))
    words = [
        "--outputs",
        "0,2..3",
        "--principal",
        "1",
        "--direction",
        "u.npy",
        "--whole",
        "--no-write",
        "--json",
    ]
    assert main(["block", "small.gguf", "--block", "0", *words]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [f["direction"] for f in found] == ["output0", "output2", "output3", "u0", "principal0", "whole"]
    assert all(
        f["verified"] and f["schema"] == "rankproof/block/1" and f["certificate"] is None for f in found
    )
    assert all(f["even_part_error"] < 1e-14 for f in found)
    tied = [a for a in found[-1]["answers"] if a["units"] == "tied" and a["quantity"] == "rank"]
    assert tied[0]["lower"] == 32


def test_a_form_on_a_subspace(model: Path, capsys) -> None:
    np.save("v.npy", np.random.default_rng(0).normal(size=(5, 32)))
    assert main(["block", "small.gguf", "--block", "0", "--inputs", "v.npy", "--json", "-o", "sub.json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {a["upper"] for a in found["answers"] if a["units"] == "tied"} == {5}
    assert main(["verify", "sub.json"]) == 0
    assert main(["block", "small.gguf", "--block", "0", "--inputs", "7", "--keep", "2", "--no-write"]) == 0
    assert "tied    width = 7 over QQ, RR, CC" in capsys.readouterr().out


def test_what_is_wrong_is_said_in_one_sentence(model: Path, tmp_path: Path, capsys) -> None:
    m = random_matrices(np.random.default_rng(1))
    names = {f"h.0.mlp.{role}_proj.weight": m[role] for role in m}
    spoilt = names | {"h.0.mlp.up_proj.weight": np.full_like(m["up"], np.nan)}
    safetensors(tmp_path / "nan.safetensors", spoilt)
    safetensors(tmp_path / "missing.safetensors", {n: a for n, a in names.items() if "down" not in n})
    safetensors(
        tmp_path / "ungated.safetensors", {"h.0.mlp.fc1.weight": m["up"], "h.0.mlp.fc2.weight": m["down"]}
    )
    (tmp_path / "cut.gguf").write_bytes(model.read_bytes()[:-50])
    (tmp_path / "numbers.txt").write_text("1 2 three")
    cases = {
        ("cut.gguf", "--block", "0"): (3, "is truncated"),
        ("missing.safetensors", "--activation", "silu"): (3, "mlp.down_proj.weight is missing"),
        ("ungated.safetensors", "--activation", "gelu"): (3, "has no gate"),
        ("small.gguf", "--block", "7"): (2, "has the blocks 0..1; there is no block 7"),
        ("small.gguf",): (2, "name one with --block"),
        ("nan.safetensors", "--activation", "silu"): (3, "holds nan at [0, 0]"),
        ("small.gguf", "--block", "0", "--outputs", "99"): (2, "there is no output 99"),
        ("small.gguf", "--block", "0", "--direction", "numbers.txt"): (3, "no rows of numbers"),
        ("small.gguf", "--block", "0", "--outputs", "0,1", "-o", "a.json"): (2, "-o names one file"),
        ("absent.gguf", "--block", "0"): (3, "No such file"),
    }
    assert main(["certify", "small.gguf"]) == 3
    assert "rankproof block small.gguf --block N" in capsys.readouterr().err
    for words, (status, sentence) in cases.items():
        assert main(["block", *words]) == status, words
        said = capsys.readouterr().err
        assert sentence in said and said.count("\n") == 1, said
