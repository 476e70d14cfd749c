"""``rankproof probe``: tables, pictures, reports, and one sentence with the right exit status for what is wrong."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from blocks.language_models import as_folder, as_gguf, random_llama, text

from rankproof.cli import main

needs_models = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None,
    reason="the extra [models] is not installed",
)
SIZES = ["--rows", "680", "--length", "17"]
LATER = [
    *("--gate-windows", "8", "--selection-windows", "4", "--measure-windows", "8", "--tune-windows", "8"),
    *("--steps", "2", "--tokens", "16"),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("probe")
    as_gguf(random_llama(), folder / "small.gguf")
    text(folder / "corpus")
    return folder


@pytest.fixture
def here(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("small.gguf", "corpus"):
        Path(name).symlink_to(written / name)
    return tmp_path


@needs_models
def test_a_study_is_a_table_pictures_and_a_report(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = ["--parts", "linearity,bilinear,gates,progressive", "--units", "2", "--epochs", "1"]
    words = ["probe", "small.gguf", "--text", "corpus", *SIZES, *LATER, *parts, "-o", "kept"]
    assert main([*words, "--plots", "pictures"]) == 0
    out = capsys.readouterr().out
    for line in (
        "3 blocks, sha256 ",
        "intervals are 95%",
        "an affine map plus 2 units on held-out text",
        "several blocks at once",
        "control: the same steps, nothing linearised",
        "hard gates: ",
    ):
        assert line in out, line
    for name in ("linearity", "bilinear", "gates", "progressive"):
        assert Path("pictures", f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "rankproof/probe/1" and found["model"]["blocks"] == 3
    assert found == json.loads(Path("kept/report.json").read_text())
    assert f"{found['linearity'][1]['even']['r2']:.3f}" in out
    assert f"{found['gates']['linear'][2]['percent']:+.1f}" in out
    # Another study is not mixed with this one.
    assert main([*words, "--seed", "1", "--share", "0.3"]) == 3
    assert "another model, text or choice of options" in capsys.readouterr().err


@needs_models
def test_an_ungated_model_is_probed_without_an_even_part(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(vocab_size=256, n_embd=16, n_layer=2, n_head=2, n_positions=64)
    as_folder(GPT2LMHeadModel(config), here / "ungated")
    assert main(["probe", "ungated", "--text", "corpus", *SIZES, "--blocks", "1", "--plots", "."]) == 0
    out = capsys.readouterr().out
    assert "no bilinear even part: " in out and "has no gate" in out
    assert Path("linearity.png").is_file()


@needs_models
def test_what_is_wrong_is_said_in_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = Path("small.gguf").read_bytes()
    Path("cut.gguf").write_bytes(whole[:-50])
    Path("renamed.gguf").write_bytes(whole.replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_pu.weight"))
    nan = np.float32("nan").tobytes()
    Path("nan.gguf").write_bytes(whole[:-128] + nan * 32)
    Path("other.gguf").write_bytes(whole.replace(b"llama", b"mamba"))
    Path("noise.gguf").write_bytes(bytes(100))
    Path("empty").mkdir()
    Path("binary").write_bytes(b"\xff\xfe\xff")
    Path("file").touch()
    cases = {
        ("absent.gguf",): (2, "absent.gguf does not exist"),
        ("cut.gguf",): (3, "is truncated"),
        ("renamed.gguf",): (3, "has no tensor for model.layers.1.mlp.up_proj.weight"),
        ("nan.gguf",): (3, "which is no number"),
        ("other.gguf",): (3, "of GGUF files only 'llama' is read as a whole model"),
        ("noise.gguf",): (3, "does not begin with GGUF"),
        ("empty",): (3, "empty has no config.json"),
        ("small.gguf", "--blocks", "3"): (2, "there is no block 3; the model has blocks 0 to 2"),
        ("small.gguf", "--parts", "linearity,magic"): (2, "'magic' is no part of the study"),
        ("small.gguf", "--device", "abacus"): (2, "device 'abacus' cannot be used"),
        ("small.gguf", "--rows", "99999"): (2, "give more text or ask for fewer rows"),
        ("small.gguf", "--text", "binary"): (3, "binary is not UTF-8 text"),
        ("small.gguf", "--text", "nowhere"): (2, "nowhere does not exist"),
        ("small.gguf", "-o", "file"): (2, "file is a file; name a folder with -o"),
    }
    for words, (status, sentence) in cases.items():
        assert main(["probe", words[0], "--text", "corpus", *SIZES, *words[1:]]) == status, words
        said = capsys.readouterr().err
        assert sentence in said and said.count("\n") == 1, said


@pytest.mark.parametrize(
    "words",
    [["--blocks", "1,1"], ["--blocks", "2..1"], ["--share", "1.5"], ["--rate", "fast"], ["--rows", "0"]],
)
def test_options_that_make_no_sense_are_usage_errors(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe", "small.gguf", "--text", "corpus", *words]) == 2
    assert words[1] in capsys.readouterr().err


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "rankproof.cli.probe.find_spec", lambda name: None if name == "transformers" else find_spec(name)
    )
    monkeypatch.setattr("rankproof.cli.probe._NEEDED", ("transformers",))
    assert main(["probe", "small.gguf", "--text", "corpus"]) == 2
    said = capsys.readouterr().err
    assert "this needs transformers, which is not installed: pip install 'rankproof[models]'" in said
