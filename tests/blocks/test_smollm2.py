"""Blocks of a model that people use; slow, and the model is fetched."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fetched import SHA256, brown, smollm2

from rankproof import blocks
from rankproof.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.external]


def test_the_even_part_of_every_block_is_bilinear_to_machine_precision() -> None:
    path = smollm2()
    assert blocks.block_numbers(path) == list(range(30))
    x = np.random.default_rng(0).normal(size=(64, 576))
    errors = [blocks.read(path, k, fold=True).even_part_error(x) for k in range(30)]
    assert max(errors) < 1e-14


def test_the_exact_weights_are_those_of_the_package_gguf_before_its_rounding() -> None:
    gguf = pytest.importorskip("gguf")
    path = smollm2()
    ours = blocks.open_tensors(path)
    assert ours.sha256 == SHA256
    theirs = {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}
    assert theirs.keys() == ours.tensors.keys()
    for name in (
        "blk.0.ffn_gate.weight",
        "blk.29.ffn_down.weight",
        "token_embd.weight",
        "output_norm.weight",
    ):
        values = gguf.dequantize(theirs[name].data, theirs[name].tensor_type)
        assert np.allclose(ours.read(name), values, rtol=2.0**-22, atol=0)


def test_one_output_of_block_12_needs_289_untied_and_576_tied_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = smollm2()
    assert main(["block", str(path), "--block", "12", "--json", "-o", "found.json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = np.linalg.eigvalsh(blocks.read(path, 12).form(np.eye(576)[0]))
    p, q = int((values > 0).sum()), int((values < 0).sum())
    exact = {(a["units"], a["field"]): (a["lower"], a["upper"]) for a in found["answers"]}
    assert exact["untied", "RR"] == (max(p, q), max(p, q)) == (289, 289)
    assert exact["tied", "RR"] == exact["tied", "CC"] == (576, 576)
    assert found["bytes"] < 20_000
    assert main(["verify", "found.json", "--weights", str(path)]) == 0
    assert main(["verify", "found.json"]) == 4


def test_sixteen_untied_units_miss_two_thirds_of_an_output_of_block_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = smollm2()
    assert (
        main(
            [
                "block",
                str(path),
                "--block",
                "3",
                "--keep",
                "16",
                "--floor",
                "16",
                "--json",
                "-o",
                "found.json",
            ]
        )
        == 0
    )
    widths, floors = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    misses = {f["units"]: float(f["reason"].split()[0]) / 100 for f in floors["floors"]}
    for units, missed in misses.items():
        assert 1 - widths["shares"][units] - 0.05 < missed <= 1 - widths["shares"][units]
    assert misses["untied"] > 0.66 and misses["tied"] > 0.8
    assert main(["verify", floors["certificate"], "--weights", str(path)]) == 0


def test_the_blocks_are_bilinear_on_a_text_and_what_block_3_lacks_is_rank(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers", reason="the extra [models] is not installed")
    words = ["--tagged", "--rows", "6168", "--blocks", "3,29", "-o", str(tmp_path), "--json"]
    assert main(["probe", str(smollm2()), "--text", str(brown()), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["model"]["sha256"] == SHA256
    # The model was read rightly: anything wrong with the rotary halves or the tokenizer costs a factor.
    assert 40 < found["perplexity"]["perplexity"] < 65
    third, last = found["linearity"]
    assert max(row["even"]["identity_error"] for row in (third, last)) < 1e-14
    assert third["r2"] < 0.3 and third["even"]["truncated"][0]["r2"] < 0.3 and third["even"]["r2"] > 0.7
    assert last["constant_r2"] < 0 and last["constant_r2_scalar_mean"] > 0.2
