"""The study of gates: cost of linear blocks one at a time, of gated ones, and of several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankproof.blocks.probe.collect import Activations, digest
from rankproof.blocks.probe.gate import Gate, Routed, auc, choose_gate
from rankproof.blocks.probe.linearity import Mlp
from rankproof.blocks.probe.model import LanguageModel, Replacement
from rankproof.blocks.probe.paired import cost, perplexity
from rankproof.blocks.probe.store import Store
from rankproof.blocks.probe.swap import (
    Affine,
    Variant,
    fit_affine,
    results,
    swap_one_at_a_time,
    swap_together,
)
from rankproof.blocks.probe.text import Windows

Say = Callable[[str], None]

# How many of the cheapest blocks are replaced at once.
_TOGETHER = (3, 10)


@dataclass(frozen=True)
class GateSizes:
    """Which blocks get gates, the share of tokens they route, and the seed of the bootstrap."""

    blocks: tuple[int, ...]
    share: float
    seed: int


def gate_study(
    model: LanguageModel,
    activations: Activations,
    mlps: Mapping[int, Mlp],
    roles: Mapping[str, Windows],
    sizes: GateSizes,
    work: Path,
    say: Say,
) -> dict[str, Any]:
    """Costs in perplexity of affine surrogates and of gates in front of them.

    Parameters
    ----------
    model, activations, mlps
        The model, the inputs on which the surrogates are fitted, and the blocks.
    roles
        Disjoint texts ``gate``, ``selection`` and ``measure``: gates are fitted on the first, chosen on the second and
        judged on the third.
    sizes
        What is gated.
    work
        Folder of finished parts.
    say
        Told what is being done.
    """
    key = {"model": model.sha256, "rows": digest(activations.windows.ids)}
    maps = _maps(model, activations, mlps, Store(work / "affine", key), say)
    measure = roles["measure"]

    def ran(name: str, windows: Windows, variants: list[Variant], keep: bool) -> dict[str, np.ndarray]:
        # The share decides what a gated variant is.
        store = Store(
            work / name,
            {**key, "text": digest(windows.ids), "variants": _names(variants), "share": sizes.share},
        )
        swap_one_at_a_time(
            model, windows, variants, store, keep_inputs=keep, say=lambda s: say(f"{name}: {s}")
        )
        return results(store, windows)

    few = [Variant(_linear(block), block, maps[block]) for block in sizes.blocks]
    fitting, selecting = (ran(name, roles[name], few, True) for name in ("gate", "selection"))
    every = [Variant(_linear(block), block, affine) for block, affine in maps.items()]
    linear = ran("measure", measure, every, False)
    chosen = {b: choose_gate(_rows(fitting, b), _rows(selecting, b), sizes.share) for b in sizes.blocks}
    routed = [v for block, (gate, _) in chosen.items() for v in _routed(block, gate, maps[block], measure)]
    gated = ran("gated", measure, routed, True)
    price = _priced(measure, sizes.seed)
    order = sorted(sizes.blocks, key=lambda b: float(np.mean(_rows(selecting, b)[1])))
    return {
        "base": perplexity(linear["base"], measure.documents, np.random.default_rng(sizes.seed)),
        "tokens": {name: int(roles[name].ids[:, 1:].size) for name in ("gate", "selection", "measure")},
        "share": sizes.share,
        "linear": [{"block": b, **price(linear["base"], linear[_linear(b)])} for b in maps],
        "gates": [_gate_row(b, chosen[b], linear, gated, price) for b in sizes.blocks],
        "together": _together(
            model, measure, order, maps, chosen, linear["base"], work, key, price, sizes, say
        ),
    }


def _names(variants: list[Variant]) -> list[str]:
    return [variant.name for variant in variants]


def _linear(block: int) -> str:
    return f"linear-{block:02d}"


def _maps(
    model: LanguageModel, activations: Activations, mlps: Mapping[int, Mlp], store: Store, say: Say
) -> dict[int, Affine]:
    found = {}
    for block, mlp in mlps.items():
        if not store.has(block):
            say(f"block {block}: affine surrogate")
            store.put(block, {"coefficients": fit_affine(activations, block, mlp)})
        found[block] = Affine.of(store.get(block)["coefficients"], model.device)
    return found


def _rows(found: Mapping[str, np.ndarray], block: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs of a block and how much worse the surrogate predicts the token after each of them."""
    x = found[f"x-{_linear(block)}"][:, :-1].astype(np.float64)
    return x.reshape(-1, x.shape[-1]), (found[_linear(block)] - found["base"]).ravel()


def _routed(block: int, gate: Gate, surrogate: Affine, measure: Windows) -> list[Variant]:
    shift = (measure.ids.shape[1] - 1) // 2
    return [
        Variant(f"gated-{block:02d}", block, Routed(gate, surrogate)),
        Variant(f"shifted-{block:02d}", block, Routed(gate, surrogate, shift)),
    ]


def _priced(measure: Windows, seed: int) -> Callable[[np.ndarray, np.ndarray], dict[str, Any]]:
    return lambda base, changed: cost(base, changed, measure.documents, np.random.default_rng(seed))


def _gate_row(
    block: int,
    chosen: tuple[Gate, dict[str, Any]],
    linear: Mapping[str, np.ndarray],
    gated: Mapping[str, np.ndarray],
    price: Callable[[np.ndarray, np.ndarray], dict[str, Any]],
) -> dict[str, Any]:
    gate, how = chosen
    x = gated[f"x-gated-{block:02d}"]
    flat = x[:, :-1].reshape(-1, x.shape[-1])
    difference = (linear[_linear(block)] - linear["base"]).ravel()
    own, shifted = gated[f"gated-{block:02d}"], gated[f"shifted-{block:02d}"]
    return {
        "block": block,
        "gate": how,
        "share": float(gate.routed(flat).mean()),
        "auc": auc(gate.scores(flat), difference <= np.median(difference)),
        "gated": price(gated["base"], own),
        "shifted": price(gated["base"], shifted),
        # Negative: the gate knows something about the token in front of it.
        "gated_against_shifted": price(shifted, own),
    }


def _together(
    model: LanguageModel,
    measure: Windows,
    order: list[int],
    maps: Mapping[int, Affine],
    chosen: Mapping[int, tuple[Gate, dict[str, Any]]],
    base: np.ndarray,
    work: Path,
    key: dict[str, Any],
    price: Callable[[np.ndarray, np.ndarray], dict[str, Any]],
    sizes: GateSizes,
    say: Say,
) -> list[dict[str, Any]]:
    """Costs of replacing the cheapest blocks at once; the order was decided on the selection text."""
    store = Store(
        work / "together", {**key, "text": digest(measure.ids), "order": order, "share": sizes.share}
    )
    counts = sorted({min(k, len(order)) for k in (*_TOGETHER, len(order))})
    rows = []
    for count in counts:
        blocks = order[:count]
        kinds: dict[str, dict[int, Replacement]] = {
            "linear": {b: maps[b] for b in blocks},
            "gated": {b: Routed(chosen[b][0], maps[b]) for b in blocks},
        }
        if not store.has(count):
            say(f"{count} blocks at once")
            store.put(count, {kind: swap_together(model, measure, swaps) for kind, swaps in kinds.items()})
        losses = store.get(count)
        rows.append({"blocks": blocks, **{kind: price(base, losses[kind]) for kind in kinds}})
    return rows
