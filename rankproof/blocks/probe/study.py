"""The whole study of one model on one text: its parts, what they cost, and how they are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rankproof.blocks.probe.bilinear import bilinear_probes
from rankproof.blocks.probe.collect import Activations, collect, digest
from rankproof.blocks.probe.gated import GateStudy
from rankproof.blocks.probe.linearity import FEWEST_WINDOWS, Mlp, mlp_of, recoverability
from rankproof.blocks.probe.model import LanguageModel
from rankproof.blocks.probe.paired import perplexity
from rankproof.blocks.probe.progressive import Recipe, Texts, linearise
from rankproof.blocks.probe.store import Store
from rankproof.blocks.probe.text import Windows, cut, deal, thinned
from rankproof.errors import UsageError

SCHEMA = "rankproof/probe/1"
PARTS = ("linearity", "bilinear", "gates", "progressive")

# So many windows are set aside for each later part, whether it runs or not and however few it uses: what was computed
# from one text stays valid when another part is added or made smaller.
_RESERVED = {"gate": 24, "selection": 12, "measure": 24, "tune": 64}


@dataclass(frozen=True)
class Plan:
    """What is measured, and on how much text.

    Attributes
    ----------
    parts
        Of `PARTS`.
    blocks
        Numbers of the blocks, None for all.
    rows
        Tokens whose activations are used for fits; rounded up to whole windows.
    length
        Tokens in a window.
    gate_blocks
        Blocks that get a gate, None for all of `blocks`.
    gate_windows, selection_windows, measure_windows, tune_windows
        Text for fitting gates, for choosing among them, for measuring costs, and for training.
    share
        Share of tokens that a gate is to route through the surrogate.
    units, epochs
        Of the bilinear probes.
    linearised
        Blocks that are linearised one after another, None for the three that cost least on the selection text of the gates.
    recipe
        How much is trained there.
    seed
        Of everything random.
    """

    parts: tuple[str, ...] = ("linearity",)
    blocks: tuple[int, ...] | None = None
    rows: int = 20_480
    length: int = 257
    gate_blocks: tuple[int, ...] | None = None
    gate_windows: int = 24
    selection_windows: int = 12
    measure_windows: int = 24
    tune_windows: int = 64
    share: float = 0.5
    units: int = 16
    epochs: int = 6
    linearised: tuple[int, ...] | None = None
    recipe: Recipe = field(default_factory=Recipe)
    seed: int = 0

    @property
    def row_windows(self) -> int:
        return -(-self.rows // self.length)


def study(
    model: LanguageModel,
    documents: Sequence[str],
    plan: Plan,
    work: Path,
    say: Callable[[str], None] = lambda _line: None,
) -> dict[str, Any]:
    """Measure a model.

    Parameters
    ----------
    model, documents
        What is run on what.
    plan
        Parts and sizes.
    work
        Folder for activations and finished parts; a second run with the same question goes on from there.
    say
        Told what is being done.

    Returns
    -------
    dict
        Ready for JSON: ``schema``, ``model``, ``plan``, ``perplexity`` and one entry a part.

    Raises
    ------
    UsageError
        If the plan does not fit the model or the text.
    """
    _check(plan, len(model.layers))
    blocks = plan.blocks or tuple(range(len(model.layers)))
    roles = _roles(model, documents, plan, say)
    rows = roles["rows"]
    activations = collect(model, rows, work / "activations", blocks=blocks, say=say)
    mlps = {block: mlp_of(model.layers[block].mlp) for block in blocks}
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "model": {"name": model.name, "sha256": model.sha256, "blocks": len(model.layers)},
        "plan": asdict(plan) | {"blocks": list(blocks), "resampled": rows.resampled},
        "perplexity": perplexity(
            np.array(activations.nll()), rows.documents, np.random.default_rng(plan.seed)
        ),
    }
    if "linearity" in plan.parts:
        report["linearity"] = _linearity(activations, mlps, _store(work, "linearity", model, rows), say)
    if "bilinear" in plan.parts:
        report["bilinear"] = _bilinear(
            activations,
            mlps,
            plan,
            _store(work, "bilinear", model, rows, plan.units, plan.epochs, plan.seed),
            say,
        )
    if "gates" in plan.parts:
        gated = plan.gate_blocks or blocks
        report["gates"] = GateStudy(
            model, activations, mlps, roles, gated, plan.share, plan.seed, work, say
        ).report()
    if "progressive" in plan.parts:
        report["progressive"] = _progressive(model, roles, plan, report, work, say)
    return report


def _check(plan: Plan, layers: int) -> None:
    for block in (*(plan.blocks or ()), *(plan.gate_blocks or ()), *(plan.linearised or ())):
        if not 0 <= block < layers:
            raise UsageError(f"there is no block {block}; the model has blocks 0 to {layers - 1}")
    outside = set(plan.gate_blocks or ()) - set(plan.blocks or range(layers))
    if outside:
        raise UsageError(
            f"block {min(outside)} cannot get a gate when it is not among the blocks that are probed"
        )
    unknown = set(plan.parts) - set(PARTS)
    if unknown:
        raise UsageError(f"{min(unknown)!r} is no part of the study; there are {', '.join(PARTS)}")
    if plan.length < 2:
        raise UsageError(f"windows of {plan.length} tokens predict nothing; take at least 2")
    if plan.row_windows < FEWEST_WINDOWS:
        raise UsageError(
            f"{plan.rows} rows are {plan.row_windows} windows of {plan.length} tokens; at least {FEWEST_WINDOWS} are needed"
        )
    if not 0 < plan.share < 1:
        raise UsageError(f"a share of {plan.share} routes nothing or everything; take one between 0 and 1")


def _roles(
    model: LanguageModel, documents: Sequence[str], plan: Plan, say: Callable[[str], None]
) -> dict[str, Windows]:
    """Disjoint texts for the parts of the study that were asked for."""
    asked = {
        "gate": plan.gate_windows,
        "selection": plan.selection_windows,
        "measure": plan.measure_windows,
        "tune": plan.tune_windows,
    }
    shares = [plan.row_windows, *(max(asked[name], _RESERVED[name]) for name in asked)]
    say("cutting the text into windows")
    windows = cut(documents, model.encode, count=sum(shares), length=plan.length)
    dealt = deal(windows, shares)
    roles = {"rows": dealt[0]}
    for (name, count), role in zip(asked.items(), dealt[1:], strict=False):
        roles[name] = thinned(role, count)
    return roles


def _store(work: Path, name: str, model: LanguageModel, windows: Windows, *more: Any) -> Store:
    return Store(work / name, {"model": model.sha256, "text": digest(windows.ids), "options": list(more)})


def _linearity(
    activations: Activations, mlps: dict[int, Mlp], store: Store, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    found = []
    for block, mlp in mlps.items():
        say(f"block {block}: linear recoverability")
        found.append(
            store.remembered(f"block-{block:02d}", lambda b=block, m=mlp: recoverability(activations, b, m))
        )
    return found


def _bilinear(
    activations: Activations, mlps: dict[int, Mlp], plan: Plan, store: Store, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    found = []
    for block, mlp in mlps.items():
        say(f"block {block}: bilinear probes")

        def compute(block: int = block, mlp: Mlp = mlp) -> dict[str, Any]:
            rng = np.random.default_rng([plan.seed, block])
            return bilinear_probes(activations, block, mlp, units=plan.units, epochs=plan.epochs, rng=rng)

        found.append(store.remembered(f"block-{block:02d}", compute))
    return found


def _progressive(
    model: LanguageModel,
    roles: dict[str, Windows],
    plan: Plan,
    report: dict[str, Any],
    work: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    order = plan.linearised or _cheapest(report.get("gates"))
    texts = Texts(thinned(roles["rows"], min(24, len(roles["rows"]))), roles["tune"], roles["measure"])
    store = _store(work, "progressive", model, texts.measure, list(order), asdict(plan.recipe), plan.seed)
    rng = np.random.default_rng(plan.seed)
    return store.remembered("stages", lambda: linearise(model, texts, order, plan.recipe, rng, say))


def _cheapest(gates: dict[str, Any] | None) -> tuple[int, ...]:
    if gates is None:
        raise UsageError("say which blocks to linearise, or study gates in the same run, which then decides")
    return tuple(gates["together"][-1]["blocks"][:3])
