"""The study of gates: cost of linear blocks one at a time, of gated ones, and of several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

# How many of the cheapest blocks are replaced at once.
_TOGETHER = (3, 10)

Chosen = Mapping[int, tuple[Gate, dict[str, Any]]]


@dataclass(frozen=True, eq=False)
class GateStudy:
    """Costs in perplexity of affine surrogates and of gates in front of them.

    Attributes
    ----------
    model, activations, mlps
        The model, the inputs on which the surrogates are fitted, and the blocks.
    roles
        Disjoint texts ``gate``, ``selection`` and ``measure``: gates are fitted on the first, chosen on the second and
        judged on the third.
    blocks
        Which get gates.
    share
        Of the tokens that a gate routes through the surrogate.
    seed
        Of the bootstrap.
    work
        Folder of finished parts.
    say
        Told what is being done.
    """

    model: LanguageModel
    activations: Activations
    mlps: Mapping[int, Mlp]
    roles: Mapping[str, Windows]
    blocks: Sequence[int]
    share: float
    seed: int
    work: Path
    say: Callable[[str], None]

    def report(self) -> dict[str, Any]:
        """Run what is not there yet, and put the results together."""
        measure, maps = self.roles["measure"], self._maps()
        few = [Variant(_linear(block), block, maps[block]) for block in self.blocks]
        fitting, selecting = (self._ran(name, self.roles[name], few, True) for name in ("gate", "selection"))
        every = [Variant(_linear(block), block, affine) for block, affine in maps.items()]
        linear = self._ran("measure", measure, every, False)
        chosen = self._chosen(fitting, selecting)
        routed = [v for b, (gate, _) in chosen.items() for v in _routed(b, gate, maps[b], measure)]
        gated = self._ran("gated", measure, routed, True)
        order = sorted(self.blocks, key=lambda b: float(np.mean(_rows(selecting, b)[1])))
        return {
            "base": perplexity(linear["base"], measure.documents, np.random.default_rng(self.seed)),
            "tokens": {
                name: int(self.roles[name].ids[:, 1:].size) for name in ("gate", "selection", "measure")
            },
            "share": self.share,
            "linear": [{"block": b, **self._price(linear["base"], linear[_linear(b)])} for b in maps],
            "gates": [self._gate_row(b, chosen[b], linear, gated) for b in self.blocks],
            "together": self._together(order, maps, chosen, linear["base"]),
        }

    def _store(self, name: str, **more: Any) -> Store:
        key = {"model": self.model.sha256, "rows": digest(self.activations.windows.ids)}
        return Store(self.work / name, {**key, **more})

    def _maps(self) -> dict[int, Affine]:
        store, found = self._store("affine"), {}
        for block, mlp in self.mlps.items():
            if not store.has(block):
                self.say(f"block {block}: affine surrogate")
                store.put(block, {"coefficients": fit_affine(self.activations, block, mlp)})
            found[block] = Affine.of(store.get(block)["coefficients"], self.model.device)
        return found

    def _ran(self, name: str, windows: Windows, variants: list[Variant], keep: bool) -> dict[str, np.ndarray]:
        names = [variant.name for variant in variants]
        # The share decides what a gated variant is.
        store = self._store(name, text=digest(windows.ids), variants=names, share=self.share)
        swap_one_at_a_time(
            self.model, windows, variants, store, keep_inputs=keep, say=lambda s: self.say(f"{name}: {s}")
        )
        return results(store, windows)

    def _chosen(
        self, fitting: Mapping[str, np.ndarray], selecting: Mapping[str, np.ndarray]
    ) -> dict[int, tuple[Gate, dict[str, Any]]]:
        texts = [digest(self.roles[name].ids) for name in ("gate", "selection")]
        store, found = self._store("chosen", texts=texts, share=self.share), {}
        for block in self.blocks:

            def choose(block: int = block) -> dict[str, Any]:
                self.say(f"block {block}: choosing a gate")
                gate, how = choose_gate(_rows(fitting, block), _rows(selecting, block), self.share)
                return {"weights": gate.weights.tolist(), "offset": gate.offset, "how": how}

            kept = store.remembered(f"block-{block:02d}", choose)
            found[block] = Gate(np.array(kept["weights"]), kept["offset"]), kept["how"]
        return found

    def _price(self, base: np.ndarray, changed: np.ndarray) -> dict[str, Any]:
        return cost(base, changed, self.roles["measure"].documents, np.random.default_rng(self.seed))

    def _gate_row(
        self,
        block: int,
        chosen: tuple[Gate, dict[str, Any]],
        linear: Mapping[str, np.ndarray],
        gated: Mapping[str, np.ndarray],
    ) -> dict[str, Any]:
        gate, how = chosen
        x = gated[f"x-gated-{block:02d}"][:, :-1]
        x = x.reshape(-1, x.shape[-1])
        difference = (linear[_linear(block)] - linear["base"]).ravel()
        own, shifted = gated[f"gated-{block:02d}"], gated[f"shifted-{block:02d}"]
        return {
            "block": block,
            "gate": how,
            "share": float(gate.routed(x).mean()),
            "auc": auc(gate.scores(x), difference <= np.median(difference)),
            "gated": self._price(gated["base"], own),
            "shifted": self._price(gated["base"], shifted),
            # Negative: the gate knows something about the token in front of it.
            "gated_against_shifted": self._price(shifted, own),
        }

    def _together(
        self, order: list[int], maps: Mapping[int, Affine], chosen: Chosen, base: np.ndarray
    ) -> list[dict[str, Any]]:
        """Costs of replacing the cheapest blocks at once; the order was decided on the selection text."""
        measure = self.roles["measure"]
        store = self._store("together", text=digest(measure.ids), order=order, share=self.share)
        rows = []
        for count in sorted({min(k, len(order)) for k in (*_TOGETHER, len(order))}):
            blocks = order[:count]
            kinds: dict[str, dict[int, Replacement]] = {
                "linear": {b: maps[b] for b in blocks},
                "gated": {b: Routed(chosen[b][0], maps[b]) for b in blocks},
            }
            if not store.has(count):
                self.say(f"{count} blocks at once")
                store.put(count, {kind: swap_together(self.model, measure, s) for kind, s in kinds.items()})
            losses = store.get(count)
            rows.append({"blocks": blocks, **{kind: self._price(base, losses[kind]) for kind in kinds}})
        return rows


def _linear(block: int) -> str:
    return f"linear-{block:02d}"


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
