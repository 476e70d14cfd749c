"""What the probes of blocks compute, on numbers whose answer is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rankproof.blocks.probe.gram import Moments, r2, scalar_mean_r2, total
from rankproof.blocks.probe.paired import cost, perplexity
from rankproof.blocks.probe.store import Store
from rankproof.blocks.probe.text import cut, deal, read_documents, thinned
from rankproof.errors import FormatError, UsageError


def test_moments_of_pieces_give_the_least_squares_of_the_whole() -> None:
    rng = np.random.default_rng(0)
    # One input a thousand times louder than the others, as in trained models.
    x = rng.normal(size=(400, 6)) * [1, 1, 1000, 1, 0.01, 1] + [0, 3, 500, 0, 0, 0]
    t = rng.normal(size=(400, 3)) + x[:, :3] / [1, 1, 1000]
    moments = total([Moments.of(x[a:b], t[a:b]) for a, b in ((0, 100), (100, 101), (101, 400))])
    design = np.hstack([np.ones((400, 1)), x])
    expected = np.linalg.lstsq(design, t, rcond=None)[0]
    assert moments.rows == 400
    assert np.allclose(moments.affine(), expected, atol=1e-8)
    left = ((t - design @ expected) ** 2).sum(axis=0)
    assert np.allclose(moments.error(expected), left)
    assert r2(moments.error(expected), moments.spread()) == pytest.approx(
        1 - left.sum() / ((t - t.mean(axis=0)) ** 2).sum()
    )
    assert np.allclose((moments - Moments.of(x[:50], t[:50])).gram, Moments.of(x[50:], t[50:]).gram)
    shrunk = moments.affine(ridge=1e3)
    assert np.abs(shrunk[1:]).max() < 0.01 * np.abs(expected[1:]).max()


def test_inputs_that_never_vary_get_no_coefficient() -> None:
    x = np.array([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    found = Moments.of(x, 3 * x[:, :1] + 2).affine()
    assert np.allclose(found.ravel(), [2, 3, 0])


def test_one_mean_for_all_outputs_rewards_a_predictor_that_knows_nothing() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=(2000, 4)) + [0, 0, 0, 10]
    fit, held = Moments.of(np.empty((1000, 0)), y[:1000]), Moments.of(np.empty((1000, 0)), y[1000:])
    error = held.error(held.constant(fit.mean()))
    assert -0.01 < r2(error, held.spread()) <= 0
    assert scalar_mean_r2(error, held) == pytest.approx(1 - 4 / (4 + 3 * 2.5**2 + 7.5**2), abs=0.02)


def test_costs_are_paired_and_their_intervals_resample_documents() -> None:
    rng = np.random.default_rng(2)
    documents = np.repeat(np.arange(40), 2)
    base = rng.normal(3, 1, size=(80, 50)) + rng.normal(0, 1, size=40)[documents][:, None]
    harm = np.log(1.05) + rng.normal(0, 0.02, size=40)[documents][:, None]
    found = cost(base, base + harm, documents, np.random.default_rng(0))
    low, high = found["interval"]
    assert low < 5 < high and high - low < 2.5
    wide = found["unpaired_interval"]
    assert wide[1] - wide[0] > 10 * (high - low)
    assert found["documents"] == 40
    # The variance over documents is what counts: as many tokens in one document each are not independent.
    alone = cost(base, base + harm, np.arange(80), np.random.default_rng(0))["interval"]
    assert alone[1] - alone[0] < high - low
    own = perplexity(base, documents, np.random.default_rng(0))
    assert own["perplexity"] == pytest.approx(np.exp(base.mean()), rel=1e-4)
    assert own["interval"][0] < own["perplexity"] < own["interval"][1]


def test_windows_are_dealt_without_a_document_in_two_roles() -> None:
    documents = ["a" * (25 + 5 * k) for k in range(40)]
    windows = cut(documents, lambda text: list(range(len(text))), count=60, length=10)
    assert windows.ids.shape == (60, 10) and windows.resampled == "document"
    roles = deal(windows, [30, 15, 15])
    owners = [set(role.documents.tolist()) for role in roles]
    assert not owners[0] & owners[1] and not owners[0] & owners[2] and not owners[1] & owners[2]
    assert sum(len(role) for role in roles) == 60 and all(
        abs(len(r) - n) < 5 for r, n in zip(roles, (30, 15, 15), strict=True)
    )
    few = thinned(roles[0], 4)
    assert len(few) == 4 and set(few.documents.tolist()) <= owners[0]
    assert thinned(few, 9) is few


def test_windows_of_one_text_stand_for_themselves() -> None:
    windows = cut(["x" * 400], lambda text: list(range(len(text))), count=30, length=10)
    assert windows.resampled == "window" and len(set(windows.documents.tolist())) == 30
    with pytest.raises(UsageError, match=r"gives 40 windows of 10 tokens and 41 were asked for"):
        cut(["x" * 400], lambda text: list(range(len(text))), count=41, length=10)


def test_texts_are_read_and_tags_cut_off(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("The/at dog/nn 1/2/cd runs")
    (tmp_path / "b").write_bytes(b"\xff\xfe")
    (tmp_path / ".hidden").write_bytes(b"\xff")
    assert read_documents([tmp_path / "a"], tagged=True) == ["The dog 1/2 runs"]
    assert read_documents([tmp_path / "a"]) == ["The/at dog/nn 1/2/cd runs"]
    with pytest.raises(FormatError, match=r"b is not UTF-8 text: invalid start byte at byte 0"):
        read_documents([tmp_path])
    with pytest.raises(UsageError, match="none does not exist"):
        read_documents([tmp_path / "none"])


def test_a_store_keeps_parts_of_one_question_only(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", {"model": "m", "share": 0.5})
    store.put(4, {"x": np.arange(3)})
    assert store.has(4) and not store.has(5) and store.get(4)["x"].tolist() == [0, 1, 2]
    calls: list[int] = []

    def compute() -> list[int]:
        calls.append(1)
        return [1, 2]

    assert store.remembered("report", compute) == store.remembered("report", compute) == [1, 2]
    assert len(calls) == 1
    Store(tmp_path / "s", {"share": 0.5, "model": "m"})
    with pytest.raises(FormatError, match="another model, text or choice of options"):
        Store(tmp_path / "s", {"model": "m", "share": 0.4})
    (tmp_path / "s" / "report.json").write_text("{")
    with pytest.raises(FormatError, match="report.json cannot be read"):
        store.remembered("report", compute)
    (tmp_path / "s" / "part-00004.npz").write_bytes(b"PK\3\4" + bytes(40))
    with pytest.raises(FormatError, match="part-00004.npz cannot be read"):
        store.get(4)
