"""Probes of small random language models, and of activations whose block is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blocks.language_models import SMALL, as_folder, as_gguf, random_llama, text

torch = pytest.importorskip("torch", reason="the extra [models] is not installed")
pytest.importorskip("transformers", reason="the extra [models] is not installed")

from rankproof.blocks.probe.bilinear import bilinear_probes  # noqa: E402
from rankproof.blocks.probe.collect import Activations, collect  # noqa: E402
from rankproof.blocks.probe.gate import Gate, Routed, auc, choose_gate, fit_gate  # noqa: E402
from rankproof.blocks.probe.linearity import mlp_of, recoverability  # noqa: E402
from rankproof.blocks.probe.model import LanguageModel, load_model  # noqa: E402
from rankproof.blocks.probe.progressive import Recipe  # noqa: E402
from rankproof.blocks.probe.study import Plan, study  # noqa: E402
from rankproof.blocks.probe.swap import Affine, swap_together  # noqa: E402
from rankproof.blocks.probe.text import Windows, read_documents  # noqa: E402
from rankproof.errors import FormatError, UsageError  # noqa: E402


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return load_model(as_gguf(random_llama(), tmp_path_factory.mktemp("model") / "small.gguf"))


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return read_documents([text(tmp_path_factory.mktemp("text") / "corpus")])


def _windows(count: int, length: int = 9) -> Windows:
    ids = np.random.default_rng(3).integers(0, 256, size=(count, length))
    return Windows(ids, np.arange(count), "document")


def _made_up(folder: Path, x: np.ndarray) -> Activations:
    """Activations of a block 0 that are these rows, in windows of 10."""
    np.save(folder / "inputs-00.npy", x.astype(np.float32))
    return Activations(
        folder, Windows(np.zeros((len(x) // 10, 10), int), np.arange(len(x) // 10), "document")
    )


def test_a_gguf_file_and_a_folder_are_the_model_they_were_written_from(tmp_path: Path) -> None:
    network = random_llama()
    ids = _windows(2).ids
    with torch.inference_mode():
        logits = network(input_ids=torch.from_numpy(ids)).logits.double()
        expected = -torch.log_softmax(logits, -1)[:, :-1].gather(-1, torch.from_numpy(ids)[:, 1:, None])[
            ..., 0
        ]
        for path in (as_gguf(network, tmp_path / "m.gguf"), as_folder(network, tmp_path / "m")):
            found = load_model(path)
            assert torch.allclose(found.nll(ids), expected, atol=1e-5)
            assert list(found.encode("ab 12")) == list(load_model(path).encode("ab 12"))
            assert len(found.encode("ab 12")) == 5


def test_swapping_skips_what_does_not_change(model: LanguageModel) -> None:
    windows = _windows(3)
    kept: dict[int, Any] = {}
    layer = model.layers[1]
    handle = layer.register_forward_pre_hook(lambda _m, inputs: kept.setdefault(1, inputs[0]))
    with torch.inference_mode():
        base = model.nll(windows.ids)
    handle.remove()
    surrogate = Affine(torch.full((16, 16), 0.01), torch.zeros(16))
    with torch.inference_mode():
        with model.swapped({1: surrogate}):
            whole = model.nll(windows.ids)
        with model.entering(1, kept[1]), model.swapped({1: surrogate}):
            assert torch.equal(model.nll(windows.ids), whole)
        assert torch.equal(model.nll(windows.ids), base) and not torch.allclose(whole, base)
    assert np.array_equal(swap_together(model, windows, {1: lambda _x, y: y}), base.numpy())


def test_a_collection_goes_on_where_it_stopped(
    model: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = _windows(10)
    whole = collect(model, windows, tmp_path / "whole", blocks=[0, 2])
    told: list[str] = []

    def stop(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(model, windows, tmp_path / "parts", blocks=[0, 2], say=stop)
    resumed = collect(model, windows, tmp_path / "parts", blocks=[0, 2], say=told.append)
    assert told == [f"{n} of 10 windows through the model" for n in (4, 8, 10)]
    for block in (0, 2):
        assert np.array_equal(whole.inputs(block), resumed.inputs(block))
    assert np.array_equal(whole.nll(), resumed.nll())
    monkeypatch.setattr(model.network, "forward", None)
    collect(model, windows, tmp_path / "parts", blocks=[0, 2])
    with pytest.raises(FormatError, match="holds activations of another model, text or choice of blocks"):
        collect(model, windows, tmp_path / "parts", blocks=[1])


@pytest.mark.parametrize("gate", ["silu", "gelu_pytorch_tanh", "relu"])
def test_the_even_part_is_exact_and_adds_to_an_affine_map(gate: str, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(2000, 16))
    found = recoverability(_made_up(tmp_path, x), 0, mlp_of(random_llama(gate).model.layers[1].mlp))
    even = found["even"]
    assert even["identity_error"] < 1e-14
    # For inputs that are symmetric about zero no affine map sees anything of the even part.
    assert found["r2"] < 0.4 < 0.7 < even["r2"] < 1
    assert even["truncated"][0]["units"] == 16 and found["r2"] < even["truncated"][0]["r2"] < even["r2"]
    assert abs(even["folds"]["mean"] - even["r2"]) < 4 * even["folds"]["sd"] + 0.02
    assert [p["rows"] for p in found["curve"]] == [200, 400, 800, 1500]
    assert found["curve"][-1]["r2"] == found["r2"] and even["curve"][-1]["r2"] == even["r2"]
    assert found["constant_r2"] <= 0


def test_without_a_gate_function_the_even_part_is_the_block(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(1000, 16))
    found = recoverability(_made_up(tmp_path, x), 0, mlp_of(random_llama("linear").model.layers[0].mlp))
    assert found["even"]["r2"] == pytest.approx(1, abs=1e-9)
    assert found["even"]["energy"] == pytest.approx(1, abs=1e-4)


def test_blocks_whose_even_part_is_not_bilinear_say_why() -> None:
    from transformers import LlamaConfig
    from transformers.models.gpt2.modeling_gpt2 import GPT2MLP, GPT2Config
    from transformers.models.llama.modeling_llama import LlamaMLP

    assert "has no gate" in mlp_of(GPT2MLP(32, GPT2Config(n_embd=8))).why
    biased = LlamaMLP(LlamaConfig(hidden_size=8, num_attention_heads=1, intermediate_size=12, mlp_bias=True))
    torch.nn.init.ones_(biased.gate_proj.bias)
    assert "bias in gate" in mlp_of(biased).why
    odd = LlamaMLP(LlamaConfig(hidden_size=8, num_attention_heads=1, intermediate_size=12, hidden_act="tanh"))
    assert "even part that is no polynomial" in mlp_of(odd).why


def test_two_untied_units_find_a_block_of_two_units_and_two_tied_ones_do_not(tmp_path: Path) -> None:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaMLP

    torch.manual_seed(1)
    block = LlamaMLP(
        LlamaConfig(hidden_size=8, num_attention_heads=1, intermediate_size=2, hidden_act="linear")
    )
    x = np.random.default_rng(0).normal(size=(4000, 8))
    found = bilinear_probes(
        _made_up(tmp_path, x), 0, mlp_of(block), units=2, epochs=15, rng=np.random.default_rng(0)
    )
    assert found["r2_affine"] < 0.05
    assert found["own"] == pytest.approx(1, abs=1e-6)
    assert found["untied"]["closed"] > 0.9 and found["untied"]["trained"] > 0.99
    assert found["tied"]["trained"] < 0.92 < 0.97 < found["tied_projections"]["trained"]


def test_gates_find_the_tokens_that_do_not_mind() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 5)) * [1, 10, 1, 1, 1] + [0, 50, 0, 0, 0]
    difference = np.where(x[:, 0] + 0.3 * rng.normal(size=4000) > 0.5, -0.1, 0.6)
    for kind in ("logistic", "regression"):
        gate = fit_gate(x[:2000], difference[:2000], kind=kind, penalty=1.0, share=0.3)
        assert abs(gate.weights[0]) > 5 * np.abs(gate.weights[1:]).max()
        assert gate.routed(x).mean() == pytest.approx(0.3, abs=0.03)
        assert difference[gate.routed(x)].mean() < 0 < difference.mean()
        area = auc(gate.scores(x), difference < 0)
        assert area is not None and area > 0.95
    _, report = choose_gate((x[:2000], difference[:2000]), (x[2000:], difference[2000:]), 0.3)
    assert report["candidates"] == 8 and report["share_selection"] == pytest.approx(0.3, abs=0.05)
    with pytest.raises(UsageError, match="'forest' is no kind of gate"):
        fit_gate(x, difference, kind="forest", penalty=1.0)
    assert auc(x[:, 0], np.ones(4000, bool)) is None
    assert auc(np.zeros(4), np.array([True, False, True, False])) == 0.5


def test_a_routed_block_obeys_its_gate_or_that_of_another_token() -> None:
    x = torch.tensor([[[9.0], [1.0], [-1.0], [-1.0]]])
    y, surrogate = torch.zeros_like(x), Affine(torch.zeros(1, 1), torch.ones(1))
    gate = Gate(np.array([1.0]), 0.0)
    assert Routed(gate, surrogate)(x, y).ravel().tolist() == [1, 1, 0, 0]
    # The first token, which is unlike all others in many models, keeps its own decision.
    assert Routed(gate, surrogate, shift=1)(x, y).ravel().tolist() == [1, 0, 1, 0]


def test_a_study_of_all_parts_resumes_and_leaves_the_model_as_it_was(
    model: LanguageModel, documents: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: value.clone() for name, value in model.network.state_dict().items()}
    plan = Plan(
        parts=("linearity", "bilinear", "gates", "progressive"),
        units=2,
        epochs=1,
        gate_blocks=(0, 2),
        recipe=Recipe(steps=2, tokens=16, rate=1e-2, gate_steps=2),
        **SMALL,
    )
    found = study(model, documents, plan, tmp_path / "work")
    assert all(torch.equal(value, before[name]) for name, value in model.network.state_dict().items())
    assert [row["block"] for row in found["linearity"]] == [0, 1, 2]
    assert max(row["even"]["identity_error"] for row in found["linearity"]) < 1e-14
    gates, progressive = found["gates"], found["progressive"]
    assert [row["block"] for row in gates["linear"]] == [0, 1, 2]
    assert [row["block"] for row in gates["gates"]] == [0, 2]
    assert [len(row["blocks"]) for row in gates["together"]] == [2]
    for row in gates["gates"]:
        assert 0.2 < row["share"] < 0.8
        assert row["gated"]["documents"] > 3
    # Where nothing is linearised the base is the base of the gates: both measure the same text.
    assert (
        len(progressive["stages"]) == 2
        and progressive["two_phase"]["blocks"] == progressive["stages"][-1]["blocks"]
    )
    first = progressive["stages"][0]
    assert first["control"]["perplexity"] != first["trained"]["perplexity"]
    base = gates["base"]["perplexity"]
    for stage in progressive["stages"]:
        for name in ("before_training", "trained", "control"):
            expected = 100 * (stage[name]["perplexity"] / base - 1)
            assert stage[name]["percent"] == pytest.approx(expected, abs=0.01)
    monkeypatch.setattr(model.network, "forward", None)
    assert study(model, documents, plan, tmp_path / "work") == found


def test_training_without_linearising_is_the_same_training(
    model: LanguageModel, documents: list[str], tmp_path: Path
) -> None:
    """At a learning rate of nearly zero the control stays at the base, and the linearised model at its surrogate."""
    plan = Plan(
        parts=("progressive",),
        linearised=(1,),
        recipe=Recipe(steps=1, tokens=16, rate=1e-9, gate_steps=1),
        **SMALL,
    )
    found = study(model, documents, plan, tmp_path / "work")["progressive"]["stages"][0]
    assert abs(found["control"]["percent"]) < 1e-3
    assert found["trained"]["percent"] == pytest.approx(found["before_training"]["percent"], abs=1e-2)


def test_plans_that_do_not_fit_are_refused(
    model: LanguageModel, documents: list[str], tmp_path: Path
) -> None:
    for more, sentence in (
        ({"blocks": (3,)}, "there is no block 3; the model has blocks 0 to 2"),
        ({"blocks": (0,), "gate_blocks": (1,)}, "block 1 cannot get a gate"),
        ({"parts": ("magic",)}, "'magic' is no part of the study"),
        ({"length": 1}, "predict nothing"),
        ({"rows": 17}, "17 rows are 1 windows of 17 tokens; at least 20 are needed"),
        ({"rows": 10**6}, "more text or ask for fewer"),
        ({"share": 1.0}, "routes nothing or everything"),
        ({"parts": ("progressive",)}, "say which blocks to linearise"),
    ):
        with pytest.raises(UsageError, match=sentence):
            study(model, documents, Plan(**{**SMALL, **more}), tmp_path / "work")
